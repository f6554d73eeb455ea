#include "api/census_functions.h"

#include <string.h>

bool census_is_named(const struct prvcut_trace *t)
{
    return t->reader->halves;
}

void census_function_of(uint64_t number, uint32_t *type, int64_t *value)
{
    *type = (uint32_t)(number >> 32);
    *value = (int64_t)(number & (CENSUS_VALUES - 1));
}

bool census_is_call(const struct census_entry *e)
{
    return PRVCUT_ROLES_MPI >> e->role & 1;
}

/* Own time of what was open is its function's. */
static inline enum prvcut_status functions_closed(void *ctx, const struct prvcut_followed *f,
                                                  struct prvcut_error *err)
{
    return f->own > 0 ? functions_spent(ctx, f, f->own, err) : PRVCUT_OK;
}

static const struct prvcut_follow_rules functions_rules = { .how = PRVCUT_FOLLOW_NESTED,
                                                            .own = true,
                                                            .closed = functions_closed };

/* --- A part --------------------------------------------------------------------------------- */

enum prvcut_status functions_event(struct prvcut_rows *w, struct functions_part *p,
                                   const struct prvcut_event *e, struct prvcut_error *err)
{
    const struct prvcut_step step = prvcut_step_of(e);
    struct functions_to to = { .part = &p->sums };

    if (!(functions_roles(true) >> e->role & 1))
        return PRVCUT_OK;
    if (e->value != 0 && functions_begin(p, e, err) < 0)
        return PRVCUT_ENOMEM;
    return prvcut_follow_step(w, &p->threads, &functions_rules, &to, &step, err);
}

void functions_part_empty(struct functions_part *p)
{
    prvcut_follow_part_clear(&p->threads);
    census_sums_clear(&p->sums);
}

void functions_part_fini(struct functions_part *p)
{
    prvcut_follow_part_fini(&p->threads);
    census_sums_fini(&p->sums);
    memset(p, 0, sizeof *p);
}

/* --- All ------------------------------------------------------------------------------------ */

enum prvcut_status functions_init(struct functions *f, uint32_t threads, bool named,
                                  struct prvcut_error *err)
{
    f->table = census_entries("functions");
    f->named = named;
    return prvcut_follow_carry_init(&f->threads, threads, err);
}

/* Functions first: what ends in this part may have begun in one before. */
enum prvcut_status functions_join(struct functions *f, struct functions_part *p,
                                  struct prvcut_error *err)
{
    const struct prvcut_follow_rules *rules = f->named ? &functions_rules : &functions_call_rules;
    struct functions_to to = { .all = &f->table };
    enum prvcut_status st = census_sums_settle(&p->sums, err);

    if (st == PRVCUT_OK)
        st = census_join_table(&f->table, &p->sums.table, &f->others, err);
    return st == PRVCUT_OK ? prvcut_follow_join(&f->threads, &p->threads, rules, &to, err) : st;
}

enum prvcut_status functions_end(struct functions *f, struct census *out, struct prvcut_error *err)
{
    const struct prvcut_follow_rules *rules = f->named ? &functions_rules : &functions_call_rules;
    struct functions_to to = { .all = &f->table, .last = f->last };
    const enum prvcut_status st = prvcut_follow_run_ends(&f->threads, 0, rules, &to, err);

    census_settle(&out->functions, &f->table);
    out->other_calls = f->others;
    out->functions_ns = 0;
    for (uint32_t i = 0; i < f->threads.threads; i++) {
        const struct prvcut_follow_thread *t = &f->threads.thread[i];

        if (t->begun)
            prvcut_add_most(&out->functions_ns, t->open.since - t->first);
    }
    return st;
}

void functions_fini(struct functions *f)
{
    prvcut_follow_carry_fini(&f->threads);
    prvcut_table_fini(&f->table);
    memset(f, 0, sizeof *f);
}
