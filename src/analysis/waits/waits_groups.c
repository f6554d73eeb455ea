#include "analysis/waits/waits_find.h"

#include "base/buffer.h"

/*
 * Collectives: a cause makes members wait. Who waits, for whom and until when differs; the sums are
 * the same. A member that waits is in a set; what it loses before the cause comes is its wait, what
 * after all of the set could have left is the completion.
 */
struct wgr_set {
    const struct wts_group *group;
    const struct wts_member *cause;
    uint64_t until;     /* ns, when the cause came */
    uint64_t first_end; /* the earliest end of the set */
    enum prvcut_wait wait;
    int completion; /* metric; -1: none */
};

static uint64_t wgr_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The last to come of those that send, or of all. */
static const struct wts_member *wgr_last(const struct wts_group *g, bool senders)
{
    const struct wts_member *last = NULL;

    for (size_t i = 0; i < g->count; i++)
        if ((!senders || g->at[i].sent > 0) && (!last || g->at[i].begin > last->begin))
            last = &g->at[i];
    return last;
}

static uint64_t wgr_first_end(const struct wts_group *g)
{
    uint64_t end = UINT64_MAX;

    for (size_t i = 0; i < g->count; i++)
        end = wgr_least(end, g->at[i].end);
    return end;
}

static bool wgr_any_bytes(const struct wts_group *g)
{
    for (size_t i = 0; i < g->count; i++)
        if (g->at[i].sent > 0 || g->at[i].received > 0)
            return true;
    return false;
}

static const struct wts_member *wgr_root(const struct wts_group *g)
{
    for (size_t i = 0; i < g->count; i++)
        if (g->at[i].root)
            return &g->at[i];
    return NULL;
}

/* What one of the set loses; a clock that lies cannot make it longer than the call. */
static enum prvcut_status wgr_book(struct wts_finder *f, const struct wgr_set *s,
                                   const struct wts_member *m, struct prvcut_error *err)
{
    const uint64_t until = wgr_least(s->until, m->end);
    const uint64_t done = s->first_end > until ? s->first_end : until;
    enum prvcut_status st = PRVCUT_OK;

    if (until > m->begin)
        st = wts_book(f, s->wait, &m->call, until - m->begin, &s->cause->call, err);
    if (st == PRVCUT_OK && s->completion >= 0 && m->end > done)
        st = wts_book(f, (enum prvcut_wait)s->completion, &m->call, m->end - done, NULL, err);
    return st;
}

/* The part of a wait that falls into the call that completes what was started. */
static enum prvcut_status wgr_book_later(struct wts_finder *f, const struct wgr_set *s,
                                         const struct wts_member *m, struct prvcut_error *err)
{
    const uint64_t until = wgr_least(s->until, m->done.end);
    const uint64_t from = m->done.begin > m->begin ? m->done.begin : m->begin;

    if (!m->done.is || m->done.kind & WTS_TESTS || until <= from)
        return PRVCUT_OK;
    return wts_book(f, s->wait, &m->done, until - from, &s->cause->call, err);
}

/* Is it known that they meet, in calls that block? */
static bool wgr_synchronises(const struct wgr_set *s)
{
    return s->wait != PRVCUT_WAIT_NXN_V && !(s->group->kind & WTS_NONBLOCKING);
}

static enum prvcut_status wgr_one(struct wts_finder *f, const struct wgr_set *s,
                                  const struct wts_member *m, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (s->group->kind & WTS_NONBLOCKING)
        return wgr_book_later(f, s, m, err);
    if (s->wait != PRVCUT_WAIT_NXN_V)
        st = wts_compare(f, (struct wts_when){ s->until, s->cause->rank },
                         (struct wts_when){ m->end, m->rank }, err);
    if (st == PRVCUT_OK && s->group->kind & (WTS_BARRIER | WTS_NXN))
        st = wts_note_order(f, (struct wts_when){ m->begin, m->rank },
                            (struct wts_when){ s->cause->end, s->cause->rank }, err);
    return st == PRVCUT_OK ? wgr_book(f, s, m, err) : st;
}

/* --- Who synchronises ---------------------------------------------------------------------------
 */

/* One more of those that synchronise. */
static enum prvcut_status wgr_choose(struct wts_finder *f, struct wts_together *t,
                                     const struct wts_member *m, struct prvcut_error *err)
{
    if (prvcut_grow((void **)&f->chosen, &f->chosen_room, t->count + 1, sizeof *f->chosen, err) < 0)
        return PRVCUT_ENOMEM;
    f->chosen[t->count++] = m;
    t->member = f->chosen;
    return PRVCUT_OK;
}

/* --- Everybody with everybody ----------------------------------------------------------------- */

static enum prvcut_status wgr_all(struct wts_finder *f, struct wgr_set *s, struct prvcut_error *err)
{
    const struct wts_group *g = s->group;
    struct wts_together t = { .count = 0 };
    enum prvcut_status st = PRVCUT_OK;

    s->cause = wgr_last(g, false);
    s->until = t.until = s->cause->begin;
    s->first_end = t.first_end = wgr_first_end(g);
    for (size_t i = 0; i < g->count && st == PRVCUT_OK; i++) {
        st = wgr_one(f, s, &g->at[i], err);
        if (st == PRVCUT_OK)
            st = wgr_choose(f, &t, &g->at[i], err);
    }
    return st == PRVCUT_OK && wgr_synchronises(s) ? wts_points(f, &t, err) : st;
}

static bool wgr_receives(const struct wgr_set *s, const struct wts_member *m)
{
    return m == s->cause || (m->received > 0 && m->begin < s->until);
}

/* Somebody left before the last one came: those wait who receive, for those who send. */
static enum prvcut_status wgr_some(struct wts_finder *f, struct wgr_set *s,
                                   struct prvcut_error *err)
{
    const struct wts_group *g = s->group;
    struct wts_together t = { .count = 0 };
    enum prvcut_status st = PRVCUT_OK;

    s->cause = wgr_last(g, true);
    if (!s->cause)
        return PRVCUT_OK;
    s->until = s->cause->begin;
    s->first_end = UINT64_MAX;
    for (size_t i = 0; i < g->count; i++)
        if (wgr_receives(s, &g->at[i]))
            s->first_end = wgr_least(s->first_end, g->at[i].end);
    t.until = s->until;
    t.first_end = s->first_end;
    for (size_t i = 0; i < g->count && st == PRVCUT_OK; i++) {
        if (!wgr_receives(s, &g->at[i]))
            continue;
        st = wgr_one(f, s, &g->at[i], err);
        if (st == PRVCUT_OK)
            st = wgr_choose(f, &t, &g->at[i], err);
    }
    return st == PRVCUT_OK && wgr_synchronises(s) ? wts_points(f, &t, err) : st;
}

static enum prvcut_status wgr_nxn(struct wts_finder *f, struct wgr_set *s, struct prvcut_error *err)
{
    const bool later = s->group->kind & WTS_NONBLOCKING;

    if (!later && wgr_first_end(s->group) <= wgr_last(s->group, false)->begin)
        return wgr_some(f, s, err);
    return later || wgr_any_bytes(s->group) ? wgr_all(f, s, err) : PRVCUT_OK;
}

/* An upper bound: the last of all is waited for, whoever leaves before. */
static enum prvcut_status wgr_nxn_v(struct wts_finder *f, struct wgr_set *s,
                                    struct prvcut_error *err)
{
    return wgr_any_bytes(s->group) ? wgr_all(f, s, err) : PRVCUT_OK;
}

/* --- One with all ----------------------------------------------------------------------------- */

static bool wgr_awaits_root(const struct wgr_set *s, const struct wts_member *m)
{
    return m != s->cause && m->received > 0 && m->begin < s->until;
}

static enum prvcut_status wgr_from_root(struct wts_finder *f, struct wgr_set *s,
                                        struct prvcut_error *err)
{
    const struct wts_group *g = s->group;
    struct wts_together t = { .first_end = UINT64_MAX };
    enum prvcut_status st = PRVCUT_OK;

    s->cause = t.centre = wgr_root(g);
    if (!s->cause || s->cause->sent <= 0)
        return PRVCUT_OK;
    s->until = t.until = s->cause->begin;
    for (size_t i = 0; i < g->count && st == PRVCUT_OK; i++) {
        if (!wgr_awaits_root(s, &g->at[i]))
            continue;
        t.first_end = wgr_least(t.first_end, g->at[i].end);
        st = wgr_one(f, s, &g->at[i], err);
        if (st == PRVCUT_OK)
            st = wgr_choose(f, &t, &g->at[i], err);
    }
    if (st < 0 || t.count == 0 || !wgr_synchronises(s))
        return st;
    st = wgr_choose(f, &t, s->cause, err);
    return st == PRVCUT_OK ? wts_points(f, &t, err) : st;
}

static enum prvcut_status wgr_to_root(struct wts_finder *f, struct wgr_set *s,
                                      struct prvcut_error *err)
{
    const struct wts_member *root = wgr_root(s->group);
    struct wts_together t = { .count = 0 };
    enum prvcut_status st;

    s->cause = wgr_last(s->group, true);
    if (!root || root->received <= 0 || !s->cause || root->begin >= s->cause->begin)
        return PRVCUT_OK;
    s->until = t.until = s->cause->begin;
    t.first_end = wgr_least(root->end, s->cause->end);
    st = wgr_one(f, s, root, err);
    if (st < 0 || !wgr_synchronises(s))
        return st;
    st = wgr_choose(f, &t, root, err);
    if (st == PRVCUT_OK)
        st = wgr_choose(f, &t, s->cause, err);
    return st == PRVCUT_OK ? wts_points(f, &t, err) : st;
}

/* Each waits for those before it, and for none behind. */
static enum prvcut_status wgr_scan(struct wts_finder *f, struct wgr_set *s,
                                   struct prvcut_error *err)
{
    const struct wts_group *g = s->group;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < g->count && st == PRVCUT_OK; i++) {
        const struct wts_member *m = &g->at[i];

        if (m->sent > 0 && (!s->cause || m->begin > s->cause->begin))
            s->cause = m;
        s->until = s->cause ? s->cause->begin : 0;
        if (s->cause && m->begin < s->until)
            st = wgr_one(f, s, m, err);
    }
    return st;
}

/* --- Which ------------------------------------------------------------------------------------ */

/* Collectives by kind: the metrics of those that block, and of those that do not. */
static const struct {
    uint32_t kind;
    enum prvcut_wait wait;
    int completion;
    int later; /* -1: none */
    enum prvcut_status (*find)(struct wts_finder *f, struct wgr_set *s, struct prvcut_error *err);
} wgr_kind[] = {
    { WTS_BARRIER, PRVCUT_WAIT_BARRIER, PRVCUT_WAIT_BARRIER_COMPLETION, PRVCUT_WAIT_NB_BARRIER,
      wgr_all },
    { WTS_NXN, PRVCUT_WAIT_NXN, PRVCUT_WAIT_NXN_COMPLETION, PRVCUT_WAIT_NB_NXN, wgr_nxn },
    { WTS_NXN_V, PRVCUT_WAIT_NXN_V, -1, -1, wgr_nxn_v },
    { WTS_FROM_ROOT, PRVCUT_WAIT_LATE_BCAST, -1, PRVCUT_WAIT_NB_LATE_BCAST, wgr_from_root },
    { WTS_TO_ROOT, PRVCUT_WAIT_EARLY_REDUCE, -1, PRVCUT_WAIT_NB_EARLY_REDUCE, wgr_to_root },
    { WTS_SCAN, PRVCUT_WAIT_EARLY_SCAN, -1, -1, wgr_scan },
};

/* Does the trace tell what this kind is judged by: bytes, and the root where there is one? */
static bool wgr_is_bare(const struct wts_group *g)
{
    bool bytes = false;

    if (g->kind & WTS_BARRIER)
        return false;
    for (size_t i = 0; i < g->count; i++)
        bytes |= g->at[i].sent >= 0 || g->at[i].received >= 0;
    return !bytes || (g->kind & (WTS_FROM_ROOT | WTS_TO_ROOT) && !wgr_root(g));
}

enum prvcut_status wts_find_group(struct wts_finder *f, const struct wts_told *t,
                                  struct prvcut_error *err)
{
    const struct wts_group *g = t->group;
    const bool later = g->kind & WTS_NONBLOCKING;

    for (size_t k = 0; k < sizeof wgr_kind / sizeof *wgr_kind; k++) {
        const int wait = later ? wgr_kind[k].later : (int)wgr_kind[k].wait;
        struct wgr_set s = { .group = g,
                             .wait = (enum prvcut_wait)wait,
                             .completion = later ? -1 : wgr_kind[k].completion };

        if (!(g->kind & wgr_kind[k].kind) || wait < 0)
            continue;
        f->seen.groups[wait]++;
        if (wgr_is_bare(g)) {
            f->seen.bare[wait]++;
            return PRVCUT_OK;
        }
        return wgr_kind[k].find(f, &s, err);
    }
    return PRVCUT_OK;
}

/* --- Init and Finalize, which need not synchronise -------------------------------------------- */

static enum prvcut_status wgr_all_ranks(struct wts_finder *f, const struct wts_group *g, bool wait,
                                        struct prvcut_error *err)
{
    const struct wts_member *last = wgr_last(g, false);
    const uint64_t first_end = wgr_first_end(g);
    struct wts_together t = { .until = last->begin, .first_end = first_end, .no_wait = !wait };
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < g->count && st == PRVCUT_OK; i++)
        st = wgr_choose(f, &t, &g->at[i], err);
    if (st == PRVCUT_OK)
        st = wts_points(f, &t, err);
    for (size_t i = 0; i < g->count && st == PRVCUT_OK; i++) {
        const struct wts_member *m = &g->at[i];
        const uint64_t until = wgr_least(last->begin, m->end);
        const uint64_t done = first_end > until ? first_end : until;

        if (wait && until > m->begin)
            st = wts_book(f, PRVCUT_WAIT_FINALIZE, &m->call, until - m->begin, &last->call, err);
        else if (!wait && m->end > done)
            st = wts_book(f, PRVCUT_WAIT_INIT_COMPLETION, &m->call, m->end - done, NULL, err);
    }
    return st;
}

enum prvcut_status wts_find_init(struct wts_finder *f, const struct wts_told *t,
                                 struct prvcut_error *err)
{
    return wgr_all_ranks(f, t->group, false, err);
}

enum prvcut_status wts_find_finalize(struct wts_finder *f, const struct wts_told *t,
                                     struct prvcut_error *err)
{
    return wgr_all_ranks(f, t->group, true, err);
}
