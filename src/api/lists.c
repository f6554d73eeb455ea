#include "prvcut/inspect.h"

#include "prvcut/signals.h"

#include "report/json.h"
#include "report/lines.h"
#include "report/tag.h"

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

/* The order of calls has a period, but is no signal. */
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
    if (i > 0 && !prvcut_metric_name(i - 1))
        return false;
    memcpy(cell, calls, sizeof calls);
    return true;
}

enum prvcut_status prvcut_metrics_tell(enum prvcut_form form, char **text, struct prvcut_error *err)
{
    const struct list list = {
        "prvcut-metrics", { "name", "unit", "help" }, 3, lst_metric, { 12, 12 }
    };

    return lst_tell(&list, "metrics", form, text, err);
}

/* What has no tag of its own. */
static const char *const lst_other_names[][2] = {
    { "NAME.chop1.pcf, .row", "labels beside each .prv" },
    { "NAME.chop1/, NAME.1.4/", "the same of an OTF2 or OTF trace: a directory" },
    { "NAME.prvx", "the index, by 'prvcut index'" },
};

static bool lst_name(size_t i, const char *cell[3])
{
    static _Thread_local char name[80];
    char tag[64];

    if (i >= REPORT_TAGS) {
        const size_t k = i - REPORT_TAGS;

        if (k >= sizeof lst_other_names / sizeof *lst_other_names)
            return false;
        memcpy(cell, lst_other_names[k], sizeof lst_other_names[k]);
        return true;
    }
    snprintf(name, sizeof name, "NAME.%s.prv", report_tag_text(tag, &report_tags[i].example));
    cell[0] = name;
    cell[1] = report_tags[i].what;
    return true;
}

enum prvcut_status prvcut_names_tell(enum prvcut_form form, char **text, struct prvcut_error *err)
{
    const struct list list = { "prvcut-files", { "file", "what" }, 2, lst_name, { 24, 0 } };

    return lst_tell(&list, "files", form, text, err);
}

/* "prvcut 0.1.0", then a line each as prvcut_built_with has them. */
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
