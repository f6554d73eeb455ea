#include "prvcut/inspect.h"

#include "prvcut/signals.h"

#include "api/suffix.h"
#include "model/formats.h"
#include "report/json.h"
#include "report/lines.h"
#include "report/tag.h"
#include "signal/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table of words, told in one of the forms. */
struct list {
    const char *schema; /* and the name of the list in it */
    const char *column[3];
    unsigned columns;
    bool (*row)(size_t i, const char *cell[3]); /* false: there are no more */
    const int width[2];                         /* of all columns but the last, for a person */
};

static enum prvcut_status lst_json(const struct list *list, const char *key, char **text,
                                   struct prvcut_error *err)
{
    json_t *rows = json_array();
    const char *cell[3];
    int bad = 0;

    for (size_t i = 0; list->row(i, cell); i++) {
        struct report_field fields[3];

        for (unsigned k = 0; k < list->columns; k++)
            fields[k] = (struct report_field){ list->column[k], report_json_text(cell[k]) };
        bad |= json_array_append_new(rows, report_json_object(fields, list->columns));
    }
    const struct report_field fields[] = { REPORT_JSON_HEAD(list->schema),
                                           { key, report_json_keep(rows, bad) } };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}

static enum prvcut_status lst_csv(const struct list *list, char **text, struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    const char *cell[3];

    for (unsigned k = 0; k < list->columns; k++)
        report_put(&l, "%s%s", k > 0 ? "," : "", list->column[k]);
    report_put(&l, "\n");
    for (size_t i = 0; list->row(i, cell); i++) {
        for (unsigned k = 0; k < list->columns; k++) {
            report_put(&l, "%s", k > 0 ? "," : "");
            report_put_value(&l, cell[k]);
        }
        report_put(&l, "\n");
    }
    return report_take(&l, text);
}

static enum prvcut_status lst_text(const struct list *list, char **text, struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    const char *cell[3];

    for (size_t i = 0; list->row(i, cell); i++) {
        size_t before = 2;

        for (unsigned k = 0; k + 1 < list->columns; k++) {
            report_put(&l, "  %-*s", list->width[k], cell[k]);
            before += (size_t)list->width[k] + 2;
        }
        report_put(&l, "  ");
        report_put_tail(&l, cell[list->columns - 1], before);
        report_put(&l, "\n");
    }
    return report_take(&l, text);
}

static enum prvcut_status lst_tell(const struct list *list, const char *key, enum prvcut_form form,
                                   char **text, struct prvcut_error *err)
{
    if (form == PRVCUT_JSON)
        return lst_json(list, key, text, err);
    return form == PRVCUT_CSV ? lst_csv(list, text, err) : lst_text(list, text, err);
}

/* The order of calls has a period, but is no signal; what a trace calls its things is asked for by
   kind and name. */
static bool lst_metric(size_t i, const char *cell[3])
{
    static const char *const calls[] = {
        "calls", "", "order of each thread's MPI calls (to search for loops; not for 'signal')"
    };

    cell[0] = prvcut_metric_name(i);
    if (cell[0]) {
        cell[1] = prvcut_metric_unit(i);
        cell[2] = prvcut_metric_help(i);
        return true;
    }
    if (i == PRVCUT_METRICS) {
        memcpy(cell, calls, sizeof calls);
        return true;
    }
    cell[0] = prvcut_asked_form(i - PRVCUT_METRICS - 1);
    cell[1] = "";
    cell[2] = prvcut_asked_help(i - PRVCUT_METRICS - 1);
    return cell[0] != NULL;
}

enum prvcut_status prvcut_metrics_tell(enum prvcut_form form, char **text, struct prvcut_error *err)
{
    const struct list list = {
        "prvcut-metrics", { "name", "unit", "help" }, 3, lst_metric, { 18, 11 }
    };

    return lst_tell(&list, "metrics", form, text, err);
}

/* The format of the names that are shown: the first that is read. */
static const struct prvcut_format *lst_shown(void)
{
    return prvcut_readers[0]->format;
}

/* A row of names, in room that lasts until the next. */
struct lst_named {
    char name[80], what[80];
};

static void lst_append(char text[80], const char *before, const char *piece)
{
    const size_t n = strlen(text);

    snprintf(text + n, 80 - n, "%s%s", before, piece);
}

/* "NAME.chop1.pcf, .row" */
static void lst_companions(struct lst_named *row)
{
    const struct prvcut_format_file *f = lst_shown()->file;
    const char *before = "NAME.chop1";

    for (; f && f->part != PRVCUT_PART_END; f++)
        if (f->part == PRVCUT_PART_COMPANION) {
            lst_append(row->name, before, f->suffix);
            before = ", ";
        }
    lst_append(row->what, "labels beside each ", lst_shown()->suffix);
}

/* "the same of an OTF2 or OTF trace: a directory" */
static void lst_folders(struct lst_named *row)
{
    const char *before = "the same of an ";

    lst_append(row->name, "NAME.chop1/, NAME.1.4/", "");
    for (size_t i = 0; prvcut_formats[i]; i++)
        if (prvcut_formats[i]->archive) {
            lst_append(row->what, before, prvcut_formats[i]->title);
            before = " or ";
        }
    lst_append(row->what, " trace: a directory", "");
}

static void lst_index(struct lst_named *row)
{
    lst_append(row->name, "NAME", INDEX_SUFFIX);
    lst_append(row->what, "the index, by 'prvcut index'", "");
}

static void lst_tag(struct lst_named *row, const struct report_tag_help *help)
{
    char tag[64];

    snprintf(row->name, sizeof row->name, "NAME.%s%s", report_tag_text(tag, &help->example),
             lst_shown()->suffix);
    snprintf(row->what, sizeof row->what, "%s", help->what);
}

/* Behind those that a tag tells apart. */
static void (*const lst_other_names[])(struct lst_named *row) = { lst_companions, lst_folders,
                                                                  lst_index };

static bool lst_name(size_t i, const char *cell[3])
{
    static _Thread_local struct lst_named row;

    row = (struct lst_named){ .name = "" };
    if (i < REPORT_TAGS)
        lst_tag(&row, &report_tags[i]);
    else if (i - REPORT_TAGS < sizeof lst_other_names / sizeof *lst_other_names)
        lst_other_names[i - REPORT_TAGS](&row);
    else
        return false;
    cell[0] = row.name;
    cell[1] = row.what;
    return true;
}

enum prvcut_status prvcut_names_tell(enum prvcut_form form, char **text, struct prvcut_error *err)
{
    const struct list list = { "prvcut-files", { "file", "what" }, 2, lst_name, { 24, 0 } };

    return lst_tell(&list, "files", form, text, err);
}

/* "prvcut 1.0.0", then a line each as prvcut_built_with has them. */
static enum prvcut_status lst_version_text(char **text, struct prvcut_error *err)
{
    const char *with = prvcut_built_with();
    struct report_lines l = { .err = err };

    report_put(&l, "prvcut %s\n%s", prvcut_version(), with);
    if (*with && with[strlen(with) - 1] != '\n')
        report_put(&l, "\n");
    return report_take(&l, text);
}

/* Each line: what, name, and more about it. */
static enum prvcut_status lst_version_rows(enum prvcut_form form, char **text,
                                           struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    json_t *rows = json_array();
    int bad = 0;

    report_put(&l, "what,name\n");
    for (const char *at = prvcut_built_with(); *at;) {
        const size_t line = strcspn(at, "\n"), what = strcspn(at, " ");
        const size_t gap = what + strspn(at + what, " ");
        char word[16], name[256];

        snprintf(word, sizeof word, "%.*s", (int)what, at);
        snprintf(name, sizeof name, "%.*s", (int)(line - gap), at + gap);
        const struct report_field fields[] = { { "what", report_json_text(word) },
                                               { "name", report_json_text(name) } };

        bad |= json_array_append_new(rows, REPORT_JSON_OBJECT(fields));
        report_put(&l, "%s,", word);
        report_put_value(&l, name);
        report_put(&l, "\n");
        at += line + (at[line] == '\n');
    }
    const struct report_field fields[] = { REPORT_JSON_HEAD("prvcut-version"),
                                           { "built_with", report_json_keep(rows, bad) } };
    json_t *object = REPORT_JSON_OBJECT(fields);
    enum prvcut_status st = report_take(&l, text);

    if (st < 0 || form == PRVCUT_CSV) {
        json_decref(object);
        return st;
    }
    free(*text);
    return report_json_take(object, text, err);
}

enum prvcut_status prvcut_version_tell(enum prvcut_form form, char **text, struct prvcut_error *err)
{
    if (form == PRVCUT_JSON || form == PRVCUT_CSV)
        return lst_version_rows(form, text, err);
    return lst_version_text(text, err);
}
