#include "prvcut/archive.h"
#include "model/made.h"
#include "report/json.h"
#include "report/lines.h"

const char *prvcut_archive_verdict_text(enum prvcut_archive_verdict verdict)
{
    static const char *const text[] = {
        [PRVCUT_ARCHIVE_SOUND] = "sound",       [PRVCUT_ARCHIVE_DAMAGED] = "damaged",
        [PRVCUT_ARCHIVE_MISSING] = "missing",   [PRVCUT_ARCHIVE_NOT_LISTED] = "not listed",
        [PRVCUT_ARCHIVE_REPEATED] = "repeated", [PRVCUT_ARCHIVE_TWO_SUMS] = "two sums",
        [PRVCUT_ARCHIVE_OUTSIDE] = "outside",
    };

    return (unsigned)verdict < sizeof text / sizeof *text ? text[verdict] : NULL;
}

static enum prvcut_status archive_text(const struct prvcut_archive_result *r, char **text,
                                       struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    char number[32];

    report_put(&l, "%s file%s, ", report_count(number, r->entries), r->entries == 1 ? "" : "s");
    if (r->wrong == 0)
        report_put(&l, "%s\n", r->entries == 1 ? "sound" : "all sound");
    else
        report_put(&l, "%s of them not as %s written\n", report_count(number, r->wrong),
                   r->wrong == 1 ? "it was" : "they were");
    for (size_t i = 0; i < r->entries; i++) {
        const struct prvcut_archive_entry *e = &made_archive_result_of(r)->entry[i];

        report_put(&l, "%-10s  %12s  ", prvcut_archive_verdict_text(e->verdict),
                   report_count(number, e->bytes));
        report_put_foreign(&l, e->name);
        report_put(&l, "\n");
    }
    return report_take(&l, text);
}

static json_t *archive_entry(const struct prvcut_archive_entry *e)
{
    const struct report_field fields[] = {
        { "name", report_json_text(e->name) },
        { "verdict", report_json_text(prvcut_archive_verdict_text(e->verdict)) },
        { "bytes", report_json_integer(e->bytes) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *archive_entries(const struct prvcut_archive_result *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < r->entries; i++)
        bad |= json_array_append_new(list, archive_entry(&made_archive_result_of(r)->entry[i]));
    return report_json_keep(list, bad);
}

enum prvcut_status prvcut_archive_result_text(const struct prvcut_archive_result *r, bool json,
                                              char **text, struct prvcut_error *err)
{
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-archive-check"),
        { "wrong", report_json_integer(r->wrong) },
        { "entries", archive_entries(r) },
    };
    json_t *object = REPORT_JSON_OBJECT(fields);

    if (json)
        return report_json_take(object, text, err);
    json_decref(object);
    return archive_text(r, text, err);
}

enum prvcut_status prvcut_archive_result_csv(const struct prvcut_archive_result *r, char **text,
                                             struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    report_put(&l, "name,verdict,bytes\n");
    for (size_t i = 0; i < r->entries; i++) {
        const struct prvcut_archive_entry *e = &made_archive_result_of(r)->entry[i];

        report_put_value(&l, e->name);
        report_put(&l, ",%s,%llu\n", prvcut_archive_verdict_text(e->verdict),
                   (unsigned long long)e->bytes);
    }
    return report_take(&l, text);
}
