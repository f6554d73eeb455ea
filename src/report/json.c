#include "report/json.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *report_json_object(const struct report_field *field, size_t fields)
{
    json_t *o = json_object();
    int bad = 0;

    /* Jansson's setter takes the value over also when it fails, and fails on NULL. */
    for (size_t i = 0; i < fields; i++)
        bad |= json_object_set_new(o, field[i].key, field[i].value);
    return report_json_keep(o, bad);
}

json_t *report_json_keep(json_t *value, int bad)
{
    if (bad == 0)
        return value;
    json_decref(value);
    return NULL;
}

json_t *report_json_integer(uint64_t n)
{
    return n <= INT64_MAX ? json_integer((json_int_t)n) : json_real((double)n);
}

json_t *report_json_rounded(double x)
{
    if (!(x > 0) || x >= 9.2e18)
        return json_null();
    return json_integer((json_int_t)llround(x));
}

json_t *report_json_real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

/* A text that is no UTF-8, as databases have it; NULL: no memory. */
static char *jsn_of_latin(const char *text)
{
    const size_t room = PRVCUT_UTF8_OF_LATIN * strlen(text) + 1;
    char *out = prvcut_unset(1, room, "a text", NULL);

    if (out)
        prvcut_utf8_of_latin(out, room, text);
    return out;
}

json_t *report_json_text(const char *text)
{
    json_t *value;
    char *copy;

    if (!text)
        return json_null();
    value = json_string(text);
    /* It fails for want of memory or of UTF-8. */
    if (value || prvcut_utf8_is_whole(text))
        return value ? value : json_string(text);
    copy = jsn_of_latin(text);
    value = copy ? json_string(copy) : NULL;
    free(copy);
    return value;
}

int report_json_put(json_t *object, const char *key, json_t *value)
{
    char *copy = prvcut_utf8_is_whole(key) ? NULL : jsn_of_latin(key);
    const int bad = json_object_set_new(object, copy ? copy : key, value);

    free(copy);
    return bad;
}

json_t *report_json_texts(const char *const *text, size_t count)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < count; i++)
        bad |= json_array_append_new(list, report_json_text(text[i]));
    return report_json_keep(list, bad);
}

json_t *report_json_span(const struct prvcut_span *span)
{
    const struct report_field fields[] = {
        { "start_ns", report_json_integer(span->start) },
        { "end_ns", report_json_integer(span->end) },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* Jansson goes on when a key finds no room: the key would be lost. A failure is for good. */
struct jsn_print {
    struct prvcut_buffer text;
    struct prvcut_error err;
};

static int jsn_append(const char *bytes, size_t count, void *data)
{
    struct jsn_print *p = data;

    if (p->err.status == PRVCUT_OK)
        prvcut_buffer_append(&p->text, bytes, count, &p->err);
    return p->err.status == PRVCUT_OK ? 0 : -1;
}

char *report_json_print(const json_t *value, size_t flags)
{
    struct jsn_print p = { .text = { NULL, 0, 0 } };

    if (json_dump_callback(value, jsn_append, &p, flags) == 0 && jsn_append("", 1, &p) == 0)
        return p.text.at;
    prvcut_buffer_fini(&p.text);
    return NULL;
}

enum prvcut_status report_json_take(json_t *value, char **text, struct prvcut_error *err)
{
    char *body =
        value ? report_json_print(value, JSON_INDENT(2) | JSON_REAL_PRECISION(REPORT_JSON_DIGITS))
              : NULL;
    const size_t length = body ? strlen(body) : 0;
    char *whole = body ? prvcut_resized(body, 1, length + 2, "a JSON report", err) : NULL;

    json_decref(value);
    if (!whole) {
        free(body);
        return prvcut_no_memory(err, "a JSON report");
    }
    memcpy(whole + length, "\n", 2);
    *text = whole;
    return PRVCUT_OK;
}
