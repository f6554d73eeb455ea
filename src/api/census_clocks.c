#include "api/census_clocks.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "model/calls.h"
#include "model/lone.h"

#include <stdlib.h>
#include <string.h>

/* Times that a table keeps. */
#define KEPT_MOST ((size_t)1 << 20)

enum what { SEND, RECEIVE, BEGIN, END };

/* --- Sides ---------------------------------------------------------------------------------- */

struct clocks_table clocks_table(void)
{
    return (struct clocks_table){ .side = PRVCUT_TABLE(struct clocks_side, all, "channels") };
}

static struct clocks_side *ccl_side_at(const struct clocks_table *t, size_t i)
{
    return (struct clocks_side *)t->side.at + i;
}

/* Where the side is, or stands from now on; NULL: out of memory. */
static struct clocks_side *ccl_side_of(struct clocks_table *t, const struct clocks_side *like,
                                       struct prvcut_error *err)
{
    const size_t before = t->side.count;
    struct clocks_side *s = prvcut_table_make(&t->side, like, err);

    if (t->side.count > before)
        s->shift = t->shift;
    return s;
}

/* Every second time goes, until there is room. */
static void ccl_thin(struct clocks_table *t)
{
    while (t->kept > KEPT_MOST && t->shift < 63) {
        t->shift++;
        t->kept = 0;
        for (size_t i = 0; i < t->side.count; i++) {
            struct clocks_side *s = ccl_side_at(t, i);

            for (; s->shift < t->shift; s->shift++) {
                for (size_t k = 0; 2 * k < s->kept; k++)
                    s->at[k] = s->at[2 * k];
                s->kept = s->kept / 2 + s->kept % 2;
            }
            t->kept += s->kept;
        }
    }
}

static enum prvcut_status ccl_add(struct clocks_table *t, const struct clocks_side *like,
                                  uint64_t time, struct prvcut_error *err)
{
    struct clocks_side *s = ccl_side_of(t, like, err);
    void *at;

    if (!s)
        return PRVCUT_ENOMEM;
    s->all++;
    if ((s->count++ & ((UINT64_C(1) << s->shift) - 1)) != 0)
        return PRVCUT_OK;
    at = s->at;
    if (prvcut_grow(&at, &s->room, s->kept + 1, sizeof *s->at, err) < 0)
        return PRVCUT_ENOMEM;
    s->at = at;
    s->at[s->kept++] = time;
    if (++t->kept > KEPT_MOST)
        ccl_thin(t);
    return PRVCUT_OK;
}

static void ccl_table_empty(struct clocks_table *t)
{
    for (size_t i = 0; i < t->side.count; i++)
        free(ccl_side_at(t, i)->at);
    prvcut_table_clear(&t->side);
    t->kept = 0;
    t->shift = 0;
}

void clocks_table_fini(struct clocks_table *t)
{
    ccl_table_empty(t);
    prvcut_table_fini(&t->side);
}

/* --- A part --------------------------------------------------------------------------------- */

enum prvcut_status clocks_part_init(struct clocks_part *p, uint32_t threads,
                                    struct prvcut_error *err)
{
    if (p->call)
        return PRVCUT_OK;
    p->call = prvcut_zeroed(threads, sizeof *p->call, "threads", err);
    p->threads = threads;
    return p->call ? PRVCUT_OK : PRVCUT_ENOMEM;
}

enum prvcut_status clocks_half(struct clocks_part *p, const struct prvcut_half *h,
                               struct prvcut_error *err)
{
    const struct clocks_side like = { .thread = h->thread,
                                      .peer = h->peer,
                                      .what = h->receive ? RECEIVE : SEND,
                                      .communicator = h->communicator,
                                      .tag = h->tag };

    return h->peer == PRVCUT_NOBODY ? PRVCUT_OK : ccl_add(&p->table, &like, h->time, err);
}

/* One that says nothing has its place all the same: the k-th ones belong together. */
static enum prvcut_status ccl_end_call(struct clocks_part *p, uint32_t thread, uint64_t time,
                                       struct prvcut_error *err)
{
    struct clocks_call *c = &p->call[thread];
    struct clocks_side like = {
        .thread = thread, .peer = PRVCUT_NOBODY, .what = BEGIN, .communicator = c->communicator
    };
    enum prvcut_status st;

    c->open = false;
    if (c->communicator == PRVCUT_NOBODY)
        return PRVCUT_OK;
    st = ccl_add(&p->table, &like, c->all ? c->begin : 0, err);
    like.what = END;
    return st < 0 ? st : ccl_add(&p->table, &like, c->all ? time : UINT64_MAX, err);
}

enum prvcut_status clocks_event(struct clocks_part *p, const struct prvcut_event *e,
                                struct prvcut_error *err)
{
    struct clocks_call *c;

    if (e->thread >= p->threads)
        return PRVCUT_OK;
    c = &p->call[e->thread];
    if (e->role == PRVCUT_ROLE_COLLECTIVE && e->value != 0) {
        const struct prvcut_mpi_call *call = prvcut_mpi_call_by_value(e->type, e->value);

        *c = (struct clocks_call){ .begin = e->time,
                                   .communicator = PRVCUT_NOBODY,
                                   .open = call && !call->nonblocking,
                                   .all = call && call->flow == PRVCUT_CLOCK_ALL };
    } else if (e->role == PRVCUT_ROLE_COMMUNICATOR && c->open && e->time == c->begin) {
        c->communicator = (uint32_t)e->value;
    } else if (e->role == PRVCUT_ROLE_COLLECTIVE && c->open) {
        return ccl_end_call(p, e->thread, e->time, err);
    }
    return PRVCUT_OK;
}

void clocks_part_empty(struct clocks_part *p)
{
    ccl_table_empty(&p->table);
    if (p->call)
        memset(p->call, 0, p->threads * sizeof *p->call);
}

void clocks_part_fini(struct clocks_part *p)
{
    clocks_table_fini(&p->table);
    free(p->call);
    p->call = NULL;
}

/* --- All ------------------------------------------------------------------------------------ */

/* What a thread tells in several parts counts as far as the first of them. */
enum prvcut_status clocks_join(struct clocks_table *all, struct clocks_part *p,
                               struct prvcut_error *err)
{
    for (size_t i = 0; i < p->table.side.count; i++) {
        struct clocks_side *from = ccl_side_at(&p->table, i);
        struct clocks_side *to = ccl_side_of(all, from, err);

        if (!to)
            return PRVCUT_ENOMEM;
        to->all += from->all;
        if (to->count > 0)
            continue;
        from->all = to->all;
        *to = *from;
        all->kept += to->kept;
        from->at = NULL;
        from->kept = from->room = 0;
    }
    ccl_thin(all);
    return PRVCUT_OK;
}

enum prvcut_status clocks_lone(const struct clocks_table *all, const struct prvcut_objects *o,
                               struct census_messages *out, struct prvcut_error *err)
{
    struct prvcut_lone lone = prvcut_lone_none(o, 0);
    const struct prvcut_lone_channel *at;
    enum prvcut_status st = PRVCUT_OK;
    size_t count;
    bool sends;

    for (size_t i = 0; i < all->side.count && st == PRVCUT_OK; i++) {
        const struct clocks_side *s = ccl_side_at(all, i);
        const struct prvcut_half end = { .thread = s->thread,
                                         .peer = s->peer,
                                         .communicator = s->communicator,
                                         .tag = s->tag,
                                         .receive = s->what == RECEIVE };

        if (s->what == SEND || s->what == RECEIVE)
            st = prvcut_lone_note(&lone, &end, s->all, err);
    }
    at = prvcut_lone_channels(&lone, &count);
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        const uint64_t ends = prvcut_lone_ends(&at[i], &sends);

        *(sends ? &out->lone_sends : &out->lone_receives) += ends;
    }
    prvcut_lone_fini(&lone);
    return st;
}

/* One was to be earlier than the other, or at the same time. */
static void ccl_compare(struct census_clocks *out, uint64_t earlier, uint64_t later)
{
    out->checked++;
    if (later >= earlier)
        return;
    out->contradictions++;
    if (earlier - later > out->worst_ns)
        out->worst_ns = earlier - later;
}

static void ccl_compare_messages(const struct clocks_table *t, const struct clocks_side *send,
                                 struct census_clocks *out)
{
    const struct clocks_side key = { .thread = send->peer,
                                     .peer = send->thread,
                                     .what = RECEIVE,
                                     .communicator = send->communicator,
                                     .tag = send->tag };
    const struct clocks_side *receive = prvcut_table_find(&t->side, &key);
    unsigned shift;

    /* Where sends are missing, the k-th ones are not the same message. */
    if (!receive || receive->count > send->count)
        return;
    shift = send->shift > receive->shift ? send->shift : receive->shift;
    for (size_t k = 0;; k++) {
        const size_t s = k << (shift - send->shift), r = k << (shift - receive->shift);

        if (s >= send->kept || r >= receive->kept)
            return;
        ccl_compare(out, send->at[s], receive->at[r]);
    }
}

static int ccl_by_communicator(const void *a, const void *b)
{
    const struct clocks_side *x = *(const struct clocks_side *const *)a;
    const struct clocks_side *y = *(const struct clocks_side *const *)b;

    return (x->communicator > y->communicator) - (x->communicator < y->communicator);
}

/* All members' sides of one communicator: begins[0] and ends[0] .. [members - 1]. */
static void ccl_compare_members(const struct clocks_table *t,
                                const struct clocks_side *const *begins, size_t members,
                                struct census_clocks *out)
{
    unsigned shift = 0;
    uint64_t count = UINT64_MAX;

    for (size_t i = 0; i < members; i++) {
        shift = begins[i]->shift > shift ? begins[i]->shift : shift;
        count = begins[i]->count < count ? begins[i]->count : count;
    }
    for (uint64_t k = 0; members > 1 && k < count; k += UINT64_C(1) << shift) {
        uint64_t last_begin = 0, first_end = UINT64_MAX;

        for (size_t i = 0; i < members; i++) {
            struct clocks_side key = *begins[i];
            const struct clocks_side *end;
            const size_t at = (size_t)(k >> key.shift);

            key.what = END;
            end = prvcut_table_find(&t->side, &key);
            if (at >= begins[i]->kept || !end || (k >> end->shift) >= end->kept)
                return;
            last_begin = begins[i]->at[at] > last_begin ? begins[i]->at[at] : last_begin;
            if (end->at[k >> end->shift] < first_end)
                first_end = end->at[k >> end->shift];
        }
        if (last_begin > 0 && first_end < UINT64_MAX)
            ccl_compare(out, last_begin, first_end);
    }
}

enum prvcut_status clocks_end(struct clocks_table *all, struct census_clocks *out,
                              struct prvcut_error *err)
{
    const struct clocks_side **begins =
        prvcut_unset(all->side.count, sizeof *begins, "channels", err);
    size_t count = 0;

    if (!begins)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < all->side.count; i++) {
        const struct clocks_side *s = ccl_side_at(all, i);

        if (s->what == SEND)
            ccl_compare_messages(all, s, out);
        else if (s->what == BEGIN)
            begins[count++] = s;
    }
    if (count > 0)
        qsort(begins, count, sizeof *begins, ccl_by_communicator);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && ccl_by_communicator(&begins[i], &begins[end]) == 0; end++)
            ;
        ccl_compare_members(all, begins + i, end - i, out);
    }
    free(begins);
    return PRVCUT_OK;
}
