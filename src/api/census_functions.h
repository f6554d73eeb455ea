#ifndef PRVCUT_API_CENSUS_FUNCTIONS_H
#define PRVCUT_API_CENSUS_FUNCTIONS_H

#include "api/census.h"
#include "follow/part.h"

/* Calls of functions and the time in them, followed thread by thread: all functions of a trace that
   has names of its own, MPI calls of any other. */

/** What a part leaves behind; zeroed but for its table is none. */
struct functions_part {
    struct prvcut_follow_part threads;
    struct census_sums sums;
};

/** Events of these are followed; named: of a trace that has names of its own. */
static inline uint32_t functions_roles(bool named)
{
    return PRVCUT_ROLES_MPI |
           (named ? PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION) | PRVCUT_ROLE_BIT(PRVCUT_ROLE_FLUSH) : 0);
}

/** A function or a call begins. */
static inline enum prvcut_status functions_begin(struct functions_part *p,
                                                 const struct prvcut_event *e,
                                                 struct prvcut_error *err)
{
    struct census_entry *begins =
        census_grow(&p->sums, census_function(e->type, e->value), e->role, err);

    if (!begins)
        return PRVCUT_ENOMEM;
    begins->count++;
    return PRVCUT_OK;
}

/** Where time goes: of a part, or of all. */
struct functions_to {
    struct census_sums *part; /**< NULL: of all */
    struct prvcut_table *all;
    const uint64_t *last; /**< NULL: nothing ends here for want of an end */
};

static inline enum prvcut_status functions_spent(const struct functions_to *to,
                                                 const struct prvcut_followed *f, uint64_t ns,
                                                 struct prvcut_error *err)
{
    const uint64_t number = census_function(f->type, f->value);
    struct census_entry *e = to->part ? census_grow(to->part, number, f->role, err)
                                      : prvcut_table_find(to->all, &number);

    if (e)
        prvcut_add_most(&e->sum, ns);
    return e || !to->part ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static inline enum prvcut_status functions_call_closed(void *ctx, const struct prvcut_followed *f,
                                                       struct prvcut_error *err)
{
    const struct functions_to *to = ctx;
    const uint64_t end = f->no_end && to->last ? to->last[f->thread] : f->span.end;

    if (f->no_begin || end <= f->span.start)
        return PRVCUT_OK;
    return functions_spent(to, f, end - f->span.start, err);
}

static const struct prvcut_follow_rules functions_call_rules = { .how = PRVCUT_FOLLOW_SINGLE,
                                                                 .closed = functions_call_closed };

/** An event of an MPI call, in a trace that has no names of its own. */
static inline enum prvcut_status functions_call_event(struct prvcut_rows *w,
                                                      struct functions_part *p,
                                                      const struct prvcut_event *e,
                                                      struct prvcut_error *err)
{
    const struct prvcut_step step = prvcut_step_of(e);
    struct functions_to to = { .part = &p->sums };

    if (e->value != 0 && functions_begin(p, e, err) < 0)
        return PRVCUT_ENOMEM;
    return prvcut_follow_step(w, &p->threads, &functions_call_rules, &to, &step, err);
}

/** An event of any role, in one that has. */
enum prvcut_status functions_event(struct prvcut_rows *w, struct functions_part *p,
                                   const struct prvcut_event *e, struct prvcut_error *err);
void functions_part_empty(struct functions_part *p);
void functions_part_fini(struct functions_part *p);

/** All parts together, in the order of the input. */
struct functions {
    struct prvcut_follow_carry threads;
    struct prvcut_table table; /**< of census_entry */
    uint64_t others;
    bool named; /**< all functions, which nest; else MPI calls, of which a thread is in one
                   at a time */
    const uint64_t
        *last; /**< [threads] ns: up to here lasts a call that is open at the end; borrowed */
};

enum prvcut_status functions_init(struct functions *f, uint32_t threads, bool named,
                                  struct prvcut_error *err);
enum prvcut_status functions_join(struct functions *f, struct functions_part *p,
                                  struct prvcut_error *err);

/** Hand over what was found; what is open counts up to its thread's last event,
    or an MPI call up to its last record. */
enum prvcut_status functions_end(struct functions *f, struct census *out, struct prvcut_error *err);
void functions_fini(struct functions *f);

#endif
