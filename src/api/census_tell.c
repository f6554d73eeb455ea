#include "api/census_tell.h"

#include <stdlib.h>
#include <string.h>

static const char *tell_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

void tell_number(struct report_lines *l, uint64_t n, const char *noun)
{
    char text[32];

    report_put(l, "%s %s%s", report_count(text, n), noun, tell_plural(n));
}

void tell_cell(char cell[REPORT_CELL], const char *text)
{
    prvcut_quote(cell, REPORT_CELL, text, strlen(text));
}

int tell_by_time(const void *a, const void *b)
{
    const struct census_entry *x = a, *y = b;

    if (x->sum != y->sum)
        return x->sum < y->sum ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

int tell_by_count(const void *a, const void *b)
{
    const struct census_entry *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

struct census_entry *tell_sorted(struct report_lines *l, const struct census_table *t,
                                 int (*order)(const void *, const void *))
{
    struct census_entry *e = prvcut_unset(t->count + 1, sizeof *e, "rows of a table", l->err);

    if (!e) {
        l->st = PRVCUT_ENOMEM;
        return NULL;
    }
    if (t->count > 0)
        memcpy(e, t->at, t->count * sizeof *e);
    qsort(e, t->count, sizeof *e, order);
    return e;
}

void tell_heads(struct report_table *table, const char *const head[REPORT_COLUMNS])
{
    char(*cell)[REPORT_CELL] = report_row(table);

    for (unsigned i = 0; i < REPORT_COLUMNS; i++)
        report_set(cell[i], head[i]);
}

void tell_more(struct report_lines *l, size_t hidden, const char *noun)
{
    char text[32];

    if (hidden > 0)
        report_put(l, "and %s more %s%s (--json lists all)\n", report_count(text, hidden), noun,
                   tell_plural(hidden));
}
