#include "api/census_functions.h"

#include <string.h>

#define FOLLOWED                                                                                   \
    (PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION) | PRVCUT_ROLE_BIT(PRVCUT_ROLE_FLUSH))

/* Room for the values of a type in the number of a function. */
#define VALUES (INT64_C(1) << 32)

bool census_is_named(const struct prvcut_trace *t)
{
    return t->reader->halves;
}

uint64_t census_function(uint32_t type, int64_t value)
{
    return (uint64_t)type << 32 | (uint64_t)(value > 0 && value < VALUES ? value : 0);
}

void census_function_of(uint64_t number, uint32_t *type, int64_t *value)
{
    *type = (uint32_t)(number >> 32);
    *value = (int64_t)(number & (VALUES - 1));
}

/* Own time of what was open is its function's; ctx: the table that has it. */
static inline enum prvcut_status functions_closed(void *ctx, const struct prvcut_followed *f,
                                                  struct prvcut_error *err)
{
    const uint64_t number = census_function(f->type, f->value);
    struct census_entry *e = f->own > 0 ? prvcut_table_find(ctx, &number) : NULL;

    (void)err;
    if (e)
        census_add(&e->sum, f->own);
    return PRVCUT_OK;
}

static const struct prvcut_follow_rules functions_rules = { .how = PRVCUT_FOLLOW_NESTED,
                                                            .own = true,
                                                            .closed = functions_closed };

/* --- A part --------------------------------------------------------------------------------- */

static enum prvcut_status functions_count(struct functions_part *p, const struct prvcut_event *e,
                                          struct prvcut_error *err)
{
    struct census_entry *to =
        census_entry_of(&p->table, census_function(e->type, e->value), e->role, err);

    if (!to)
        return PRVCUT_ENOMEM;
    to->count++;
    to->role = e->role;
    return PRVCUT_OK;
}

enum prvcut_status functions_event(struct prvcut_rows *w, struct functions_part *p,
                                   const struct prvcut_event *e, struct prvcut_error *err)
{
    const struct prvcut_step step = prvcut_step_of(e);
    enum prvcut_status st = PRVCUT_OK;

    if (!(FOLLOWED & PRVCUT_ROLE_BIT(e->role)))
        return PRVCUT_OK;
    if (e->value != 0)
        st = functions_count(p, e, err);
    return st == PRVCUT_OK
               ? prvcut_follow_step(w, &p->threads, &functions_rules, &p->table, &step, err)
               : st;
}

void functions_part_empty(struct functions_part *p)
{
    prvcut_follow_part_clear(&p->threads);
    prvcut_table_clear(&p->table);
}

void functions_part_fini(struct functions_part *p)
{
    prvcut_follow_part_fini(&p->threads);
    prvcut_table_fini(&p->table);
    memset(p, 0, sizeof *p);
}

/* --- All ------------------------------------------------------------------------------------ */

enum prvcut_status functions_init(struct functions *f, uint32_t threads, struct prvcut_error *err)
{
    f->table = census_entries("functions");
    f->followed = true;
    return prvcut_follow_carry_init(&f->threads, threads, err);
}

/* Functions first: what ends in this part may have begun in one before. */
enum prvcut_status functions_join(struct functions *f, struct functions_part *p,
                                  struct prvcut_error *err)
{
    const enum prvcut_status st = census_join_table(&f->table, &p->table, &f->others, err);

    return st == PRVCUT_OK
               ? prvcut_follow_join(&f->threads, &p->threads, &functions_rules, &f->table, err)
               : st;
}

enum prvcut_status functions_end(struct functions *f, struct census *out, struct prvcut_error *err)
{
    const enum prvcut_status st =
        prvcut_follow_run_ends(&f->threads, 0, &functions_rules, &f->table, err);

    census_settle(&out->functions, &f->table);
    out->other_calls = f->others;
    out->functions_ns = 0;
    for (uint32_t i = 0; i < f->threads.threads; i++) {
        const struct prvcut_follow_thread *t = &f->threads.thread[i];

        if (t->begun)
            census_add(&out->functions_ns, t->open.since - t->first);
    }
    return st;
}

void functions_fini(struct functions *f)
{
    prvcut_follow_carry_fini(&f->threads);
    prvcut_table_fini(&f->table);
    memset(f, 0, sizeof *f);
}
