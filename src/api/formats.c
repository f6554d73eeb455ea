#include "prvcut/convert.h"

#include "api/able.h"
#include "model/formats.h"
#include "report/json.h"
#include "report/lines.h"

#include <string.h>

/* Words for enum prvcut_carry, in its order. */
static const char *const carry_name[PRVCUT_CARRIES] = {
    "states",         "colours",        "regions",     "events",        "counters", "messages",
    "sizes and tags", "physical times", "collectives", "communicators", "nodes",    "applications",
};

/** A format: what reads it and what writes it. */
struct format {
    const char *name;
    const struct prvcut_reader *reader; /* NULL: cannot be read */
    const struct prvcut_writer *writer; /* NULL: cannot be written */
};

#define FORMATS_MAX 16

/* All formats by name: those that are read in the order of their table, then the others. */
static size_t fmt_collect(struct format *out)
{
    size_t count = 0;

    for (size_t i = 0; prvcut_readers[i] && count < FORMATS_MAX; i++)
        out[count++] = (struct format){ prvcut_readers[i]->format->name, prvcut_readers[i], NULL };
    for (size_t i = 0; prvcut_writers[i]; i++) {
        const struct prvcut_writer *w = prvcut_writers[i];
        size_t at = 0;

        while (at < count && strcmp(out[at].name, w->format->name) != 0)
            at++;
        if (at == FORMATS_MAX)
            break;
        if (at == count)
            out[count++] = (struct format){ .name = w->format->name };
        out[at].writer = w;
    }
    return count;
}

static bool fmt_able(const struct format *f, enum prvcut_ability what)
{
    return f->reader && able_is(f->reader, what);
}

static const char *fmt_word(bool yes)
{
    return yes ? "yes" : "-";
}

static bool fmt_carries(const struct format *f, unsigned what)
{
    return f->writer && (f->writer->carries >> what & 1);
}

static const char *fmt_how_it_carries(const struct format *f, unsigned what)
{
    if (!fmt_carries(f, what))
        return "-";
    return what == PRVCUT_CARRY_EVENTS && f->writer->drops_callers ? "some" : "yes";
}

static void fmt_put_carries(struct report_lines *l, const struct format *format, size_t count)
{
    report_put(l, "\nWhat a conversion into each format keeps:\n%-14s", "");
    for (size_t i = 0; i < count; i++)
        if (format[i].writer)
            report_put(l, "  %8s", format[i].name);
    report_put(l, "\n");
    for (unsigned what = 0; what < PRVCUT_CARRIES; what++) {
        report_put(l, "%-14s", carry_name[what]);
        for (size_t i = 0; i < count; i++)
            if (format[i].writer)
                report_put(l, "  %8s", fmt_how_it_carries(&format[i], what));
        report_put(l, "\n");
    }
}

enum prvcut_status prvcut_formats_text(char **text, struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    struct format format[FORMATS_MAX];
    const size_t count = fmt_collect(format);

    report_put(&l, "%-8s  %-4s  %-4s  %-6s  %-4s  %s\n", "format", "read", "cut", "filter", "mark",
               "write");
    for (size_t i = 0; i < count; i++) {
        const struct format *f = &format[i];

        report_put(&l, "%-8s  %-4s  %-4s  %-6s  %-4s  %-5s  ", f->name, fmt_word(f->reader != NULL),
                   fmt_word(f->reader && f->reader->cut), fmt_word(fmt_able(f, PRVCUT_ABLE_FILTER)),
                   fmt_word(fmt_able(f, PRVCUT_ABLE_MARK)), fmt_word(f->writer != NULL));
        report_put_tail(&l, f->reader ? f->reader->summary : f->writer->summary, 43);
        report_put(&l, "\n");
    }
    fmt_put_carries(&l, format, count);
    return report_take(&l, text);
}

/* One row a format; what a conversion into it carries is "yes", "some" or "-". */
enum prvcut_status prvcut_formats_csv(char **text, struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    struct format format[FORMATS_MAX];
    const size_t count = fmt_collect(format);

    report_put(&l, "format,suffix,read,cut,filter,mark,write");
    for (unsigned what = 0; what < PRVCUT_CARRIES; what++)
        report_put(&l, ",%s", carry_name[what]);
    report_put(&l, "\n");
    for (size_t i = 0; i < count; i++) {
        const struct format *f = &format[i];

        const char *suffix = f->writer ? f->writer->format->suffix : f->reader->format->suffix;

        report_put(&l, "%s,%s,%s,%s,%s,%s,%s", f->name, suffix ? suffix : "",
                   fmt_word(f->reader != NULL), fmt_word(f->reader && f->reader->cut),
                   fmt_word(fmt_able(f, PRVCUT_ABLE_FILTER)),
                   fmt_word(fmt_able(f, PRVCUT_ABLE_MARK)), fmt_word(f->writer != NULL));
        for (unsigned what = 0; what < PRVCUT_CARRIES; what++)
            report_put(&l, ",%s", fmt_how_it_carries(f, what));
        report_put(&l, "\n");
    }
    return report_take(&l, text);
}

static json_t *fmt_list_carries(const struct format *f)
{
    json_t *list = json_array();
    int bad = 0;

    for (unsigned what = 0; what < PRVCUT_CARRIES; what++)
        if (fmt_carries(f, what))
            bad |= json_array_append_new(list, report_json_text(carry_name[what]));
    return report_json_keep(list, bad);
}

static json_t *fmt_list_format(const struct format *f)
{
    const struct report_field fields[] = {
        { "name", report_json_text(f->name) },
        { "summary", report_json_text(f->reader ? f->reader->summary : f->writer->summary) },
        { "suffix",
          report_json_text(f->writer ? f->writer->format->suffix : f->reader->format->suffix) },
        { "read", json_boolean(f->reader != NULL) },
        { "cut", json_boolean(f->reader && f->reader->cut) },
        { "filter", json_boolean(fmt_able(f, PRVCUT_ABLE_FILTER)) },
        { "mark", json_boolean(fmt_able(f, PRVCUT_ABLE_MARK)) },
        { "write", json_boolean(f->writer != NULL) },
        { "carries", fmt_list_carries(f) },
    };

    return REPORT_JSON_OBJECT(fields);
}

enum prvcut_status prvcut_formats_json(char **text, struct prvcut_error *err)
{
    struct format format[FORMATS_MAX];
    const size_t count = fmt_collect(format);
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < count; i++)
        bad |= json_array_append_new(list, fmt_list_format(&format[i]));
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-formats"),
        { "formats", report_json_keep(list, bad) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}
