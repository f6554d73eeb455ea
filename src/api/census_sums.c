#include "api/census.h"

#include <stdlib.h>

/* Stands where there is none yet. */
static const struct census_entry sums_none = { .number = UINT64_MAX };

struct prvcut_table census_entries(const char *what)
{
    return (struct prvcut_table)PRVCUT_TABLE(struct census_entry, count, what);
}

struct census_entry *census_entry_of(struct prvcut_table *t, uint64_t number, uint8_t role,
                                     struct prvcut_error *err)
{
    const size_t before = t->count;
    struct census_entry *e = prvcut_table_make(t, &number, err);

    if (t->count > before)
        e->role = role;
    return e;
}

void census_sums_clear(struct census_sums *s)
{
    prvcut_table_clear(&s->table);
    for (size_t i = 0; i < CENSUS_LATEST; i++)
        s->latest[i] = sums_none;
}

void census_sums_init(struct census_sums *s, const char *what)
{
    s->table = census_entries(what);
    census_sums_clear(s);
}

void census_sums_fini(struct census_sums *s)
{
    prvcut_table_fini(&s->table);
}

enum prvcut_status census_replace(struct census_sums *s, struct census_entry *latest,
                                  uint64_t number, uint8_t role, struct prvcut_error *err)
{
    if (latest->count > 0 || latest->sum > 0) {
        struct census_entry *to = census_entry_of(&s->table, latest->number, latest->role, err);

        if (!to)
            return PRVCUT_ENOMEM;
        to->count += latest->count;
        prvcut_add_most(&to->sum, latest->sum);
    }
    *latest = (struct census_entry){ .number = number, .role = role };
    return PRVCUT_OK;
}

enum prvcut_status census_sums_settle(struct census_sums *s, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < CENSUS_LATEST && st == PRVCUT_OK; i++)
        st = census_replace(s, &s->latest[i], sums_none.number, 0, err);
    return st;
}

/* Add a part's entries. New numbers of a part are taken all or none, whatever their order in it. */
enum prvcut_status census_join_table(struct prvcut_table *all, const struct prvcut_table *part,
                                     uint64_t *others, struct prvcut_error *err)
{
    const struct census_entry *from = part->at;
    size_t more = 0;
    bool full;

    for (size_t i = 0; i < part->count; i++)
        more += !prvcut_table_find(all, &from[i].number);
    full = all->count + more > CENSUS_TYPES;
    for (size_t i = 0; i < part->count; i++) {
        struct census_entry *to;

        if (full && !prvcut_table_find(all, &from[i].number)) {
            *others += from[i].count;
            continue;
        }
        to = census_entry_of(all, from[i].number, from[i].role, err);
        if (!to)
            return PRVCUT_ENOMEM;
        to->count += from[i].count;
        prvcut_add_most(&to->sum, from[i].sum);
    }
    return PRVCUT_OK;
}

static int sums_by_number(const void *a, const void *b)
{
    const struct census_entry *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

void census_settle(struct census_table *out, struct prvcut_table *from)
{
    out->at = prvcut_table_take(from, &out->count);
    if (out->count > 0)
        qsort(out->at, out->count, sizeof *out->at, sums_by_number);
}
