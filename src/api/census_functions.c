#include "api/census_functions.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
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

/* --- A part --------------------------------------------------------------------------------- */

enum prvcut_status functions_part_init(struct functions_part *p, uint32_t threads,
                                       struct prvcut_error *err)
{
    if (p->at)
        return PRVCUT_OK;
    p->at = prvcut_zeroed(threads, sizeof *p->at, "threads", err);
    p->begun = prvcut_zeroed(threads, sizeof *p->begun, "threads", err);
    p->threads = threads;
    return p->at && p->begun ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* Time in the innermost of what is open. */
static enum prvcut_status spend(const struct prvcut_stack *open, struct prvcut_table *table,
                                uint64_t ns, struct prvcut_error *err)
{
    const struct prvcut_frame *in = &open->at[open->count - 1];
    struct census_entry *e =
        ns > 0 ? census_entry_of(table, census_function(in->type, in->value), 0, err) : NULL;

    if (e)
        census_add(&e->sum, ns);
    return e || ns == 0 ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status enter(struct functions_part *p, struct functions_thread *t,
                                const struct prvcut_event *e, struct prvcut_error *err)
{
    struct census_entry *to =
        census_entry_of(&p->table, census_function(e->type, e->value), e->role, err);

    if (!to)
        return PRVCUT_ENOMEM;
    to->count++;
    to->role = e->role;
    return prvcut_stack_enter(&t->open,
                              &(struct prvcut_frame){ .value = e->value, .type = e->type }, err) < 0
               ? PRVCUT_ENOMEM
               : PRVCUT_OK;
}

/* What ends here may have been open before the part. */
static enum prvcut_status leave(struct functions_thread *t, uint32_t type, struct prvcut_error *err)
{
    void *at = t->early;
    enum prvcut_status st;
    size_t index;

    if (t->open.beyond > 0 || t->open.count > 0) {
        const bool deep = t->open.beyond > 0;
        const bool found = prvcut_stack_leave(&t->open, type, &index);

        if (found)
            prvcut_stack_remove(&t->open, index);
        if (found || deep)
            return PRVCUT_OK;
    }
    st = prvcut_grow(&at, &t->room, t->earlies + 1, sizeof *t->early, err);
    t->early = at;
    if (st < 0)
        return st;
    t->early[t->earlies++] = (struct functions_early){ t->before_ns, type };
    t->before_ns = 0;
    return PRVCUT_OK;
}

enum prvcut_status functions_event(struct functions_part *p, const struct prvcut_event *e,
                                   struct prvcut_error *err)
{
    struct functions_thread *t;
    enum prvcut_status st = PRVCUT_OK;

    if (!(FOLLOWED & PRVCUT_ROLE_BIT(e->role)) || e->thread >= p->threads)
        return PRVCUT_OK;
    t = &p->at[e->thread];
    if (!t->begun) {
        t->begun = true;
        t->first = t->since = e->time;
        p->begun[p->count++] = e->thread;
    }
    if (e->time > t->since && t->open.count > 0)
        st = spend(&t->open, &p->table, e->time - t->since, err);
    else if (e->time > t->since)
        t->before_ns += e->time - t->since;
    t->since = e->time > t->since ? e->time : t->since;
    if (st < 0)
        return st;
    return e->value != 0 ? enter(p, t, e, err) : leave(t, e->type, err);
}

void functions_part_empty(struct functions_part *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        struct functions_thread *t = &p->at[p->begun[i]];

        t->open.count = t->earlies = 0;
        t->open.beyond = t->before_ns = 0;
        t->begun = false;
    }
    p->count = 0;
    prvcut_table_clear(&p->table);
}

static void threads_free(struct functions_thread *at, uint32_t threads)
{
    for (uint32_t i = 0; at && i < threads; i++) {
        prvcut_stack_fini(&at[i].open);
        free(at[i].early);
    }
    free(at);
}

void functions_part_fini(struct functions_part *p)
{
    threads_free(p->at, p->threads);
    free(p->begun);
    prvcut_table_fini(&p->table);
    memset(p, 0, sizeof *p);
}

/* --- All ------------------------------------------------------------------------------------ */

enum prvcut_status functions_init(struct functions *f, uint32_t threads, struct prvcut_error *err)
{
    f->at = prvcut_zeroed(threads, sizeof *f->at, "threads", err);
    f->table = census_entries("functions");
    f->threads = threads;
    return f->at ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* Time that a part could not tell whose it is: that of the innermost of what is open, or none's. */
static enum prvcut_status spend_before(struct functions *f, struct functions_thread *t, uint64_t ns,
                                       struct prvcut_error *err)
{
    return t->open.count > 0 ? spend(&t->open, &f->table, ns, err) : PRVCUT_OK;
}

static enum prvcut_status join_thread(struct functions *f, struct functions_thread *to,
                                      const struct functions_thread *part, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t index;

    if (!to->begun)
        to->first = to->since = part->first;
    to->begun = true;
    if (part->first > to->since)
        st = spend_before(f, to, part->first - to->since, err);
    for (size_t i = 0; i < part->earlies && st == PRVCUT_OK; i++) {
        st = spend_before(f, to, part->early[i].ns, err);
        if (prvcut_stack_leave(&to->open, part->early[i].type, &index))
            prvcut_stack_remove(&to->open, index);
    }
    if (st == PRVCUT_OK)
        st = spend_before(f, to, part->before_ns, err);
    for (size_t i = 0; i < part->open.count && st == PRVCUT_OK; i++)
        if (prvcut_stack_enter(&to->open, &part->open.at[i], err) < 0)
            st = PRVCUT_ENOMEM;
    to->open.beyond += part->open.beyond;
    to->since = part->since > to->since ? part->since : to->since;
    return st;
}

enum prvcut_status functions_join(struct functions *f, struct functions_part *p,
                                  struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < p->count && st == PRVCUT_OK; i++)
        st = join_thread(f, &f->at[p->begun[i]], &p->at[p->begun[i]], err);
    return st == PRVCUT_OK ? census_join_table(&f->table, &p->table, &f->others, err) : st;
}

void functions_end(struct functions *f, struct census *out)
{
    census_settle(&out->functions, &f->table);
    out->other_calls = f->others;
    out->functions_ns = 0;
    for (uint32_t i = 0; i < f->threads; i++)
        if (f->at[i].begun)
            census_add(&out->functions_ns, f->at[i].since - f->at[i].first);
}

void functions_fini(struct functions *f)
{
    threads_free(f->at, f->threads);
    prvcut_table_fini(&f->table);
    memset(f, 0, sizeof *f);
}
