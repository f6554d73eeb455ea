#include "base/memory.h"
#include "prvcut/json.h"

#include "report/json.h"

#include <stdlib.h>
#include <string.h>

/* Where all that is printed here has room for the command; deeper ones are indented more. */
static const char fail_room[] = "\n  \"command\": null";

enum prvcut_status prvcut_json_command(char **text, const char *command, struct prvcut_error *err)
{
    char *at = strstr(*text, fail_room);
    json_t *value = at ? report_json_text(command) : NULL;
    char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL, *out = NULL;
    const size_t before = at ? (size_t)(at - *text) + strlen(fail_room) - strlen("null") : 0;

    json_decref(value);
    if (!at)
        return PRVCUT_OK;
    if (quoted)
        out = prvcut_unset(1, strlen(*text) + strlen(quoted) + 1, "a JSON report", err);
    if (out) {
        memcpy(out, *text, before);
        strcpy(out + before, quoted);
        strcat(out + before, at + strlen(fail_room));
        free(*text);
        *text = out;
    }
    free(quoted);
    return out ? PRVCUT_OK : prvcut_no_memory(err, "a JSON report");
}

/* A place that is not known is null. */
static json_t *fail_place(uint64_t n)
{
    return n > 0 ? report_json_integer(n) : json_null();
}

enum prvcut_status prvcut_failure_json(const struct prvcut_failure *f, char **text,
                                       struct prvcut_error *err)
{
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-failure"),    { "status", json_integer(f->status) },
        { "text", report_json_text(f->text) }, { "file", report_json_text(f->file) },
        { "line", fail_place(f->line) },       { "offset", fail_place(f->offset) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}

enum prvcut_status prvcut_help_json(const char *command, char **text, struct prvcut_error *err)
{
    char *out = NULL;
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-help"),
        { "topic", report_json_text(command) },
        { "text", report_json_text(*text) },
    };
    const enum prvcut_status st = report_json_take(REPORT_JSON_OBJECT(fields), &out, err);

    if (st == PRVCUT_OK) {
        free(*text);
        *text = out;
    }
    return st;
}
