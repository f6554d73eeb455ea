#include "analysis/why_partner.h"

#include "analysis/why_meet.h"
#include "model/calls.h"

/* The longest of the calls that are asked for; NULL: none is whole. */
static const struct why_call *wpa_longest(const struct why_around *a,
                                          const struct prvcut_why_meeting *of)
{
    const struct why_call *longest = NULL;
    uint64_t most = 0;

    for (size_t i = a->first[of->thread]; i < a->first[of->thread + 1]; i++) {
        const struct why_call *c = &a->call[i];
        const uint64_t ns = why_overlap(c->span, of->iteration);

        if (ns <= most || !why_same_call(&c->key, &of->call))
            continue;
        most = ns;
        longest = c;
    }
    return longest && !longest->no_begin && !longest->no_end ? longest : NULL;
}

/* After half of the call? */
static bool wpa_late(const struct why_came *came, const struct why_call *call)
{
    return came->time > call->span.start &&
           2 * (came->time - call->span.start) > call->span.end - call->span.start;
}

/* --- Messages --------------------------------------------------------------------------------- */

/* The later one, of those that came before the call was over. */
static void wpa_take(struct why_came *came, const struct why_met *m, const struct why_call *call)
{
    came->known = true;
    if (m->time > call->span.end || m->time < came->time)
        return;
    came->time = m->time;
    came->thread = m->other;
}

static bool wpa_waits(const struct why_call *c)
{
    const struct prvcut_mpi_call *kind = prvcut_mpi_call_by_value(c->key.type, c->key.value);

    return kind && kind->state == PRVCUT_STATE_WAIT;
}

/* The last of those that are complete, or sent, in the call. One that waits may wait for what was
   sent before: if it is not for what is received, then for what was not yet received there. */
static struct why_came wpa_by_message(const struct why_around *a, const struct why_call *call)
{
    struct why_came came = { .known = false }, before = { .known = false };

    for (size_t i = 0; i < a->mets; i++) {
        const struct why_met *m = &a->met[i];

        if (m->begin == call->span.start)
            wpa_take(&came, m, call);
        else if (m->pending > call->span.start && m->begin < call->span.start && wpa_waits(call))
            wpa_take(&before, m, call);
    }
    return came.known && (wpa_late(&came, call) || !wpa_late(&before, call)) ? came : before;
}

/* --- What it did before ----------------------------------------------------------------------- */

static uint64_t wpa_flushed(const struct prvcut_flushes *f, uint32_t thread,
                            struct prvcut_span span)
{
    uint64_t ns = 0;

    for (size_t i = 0; i < f->count; i++)
        if (f->at[i].thread == thread)
            ns += why_overlap((struct prvcut_span){ f->at[i].begin, f->at[i].end }, span);
    return ns;
}

static uint64_t wpa_in(const struct why_around *a, uint32_t thread, enum why_span_kind kind,
                       struct prvcut_span span)
{
    uint64_t ns = 0;

    for (size_t i = 0; i < a->spans; i++)
        if (a->span[i].thread == thread && a->span[i].kind == kind)
            ns += why_overlap(a->span[i].span, span);
    return ns;
}

/* The call that takes most at once, and all of its kind. */
static uint64_t wpa_in_call(const struct why_around *a, uint32_t thread, struct prvcut_span span,
                            struct prvcut_proof_key *key)
{
    uint64_t most = 0, all = 0;

    for (size_t i = a->first[thread]; i < a->first[thread + 1]; i++) {
        const uint64_t ns = why_overlap(a->call[i].span, span);

        if (ns <= most)
            continue;
        most = ns;
        *key = a->call[i].key;
    }
    for (size_t i = a->first[thread]; i < a->first[thread + 1] && most > 0; i++)
        all += why_same_call(&a->call[i].key, key) ? why_overlap(a->call[i].span, span) : 0;
    return all;
}

/* The end of its last call before a time; the window's start: it has made none. */
static uint64_t wpa_last_call(const struct why_around *a, uint32_t thread, uint64_t before)
{
    uint64_t end = a->window.start;

    for (size_t i = a->first[thread]; i < a->first[thread + 1]; i++)
        if (a->call[i].span.end <= before && a->call[i].span.start < before)
            end = a->call[i].span.end;
    return end;
}

static bool wpa_did(struct prvcut_why_partner *p, enum prvcut_slow what, uint64_t ns,
                    uint64_t length)
{
    if (2 * ns < length)
        return false;
    p->did = what;
    p->did_ns = ns;
    return true;
}

/* Since its last call, if that is most of the wait; else while the other waited. begin: of that */
static void wpa_before(struct prvcut_why_partner *p, const struct why_around *a,
                       const struct prvcut_why_meeting *of, uint64_t begin)
{
    struct prvcut_span span = { begin, begin + p->late_ns };
    const uint64_t last = wpa_last_call(a, p->thread, span.end);
    uint64_t length, off, other;

    if (2 * (span.end - last) >= p->late_ns)
        span.start = last;
    else if (wpa_did(p, PRVCUT_SLOW_CALL, wpa_in_call(a, p->thread, span, &p->did_call),
                     p->late_ns))
        return;
    length = span.end - span.start;
    off = wpa_in(a, p->thread, WHY_OFF_STATE, span);
    other = wpa_in(a, p->thread, WHY_OFF_EVENT, span);
    if (wpa_did(p, PRVCUT_SLOW_FLUSH, wpa_flushed(of->flushes, p->thread, span), length) ||
        wpa_did(p, PRVCUT_SLOW_OFF, other > off ? other : off, length) ||
        wpa_did(p, PRVCUT_SLOW_COMPUTING,
                a->running ? wpa_in(a, p->thread, WHY_RUNNING, span) : length, length))
        return;
    p->did_ns = length;
}

/* What made the call in which it came. */
static struct prvcut_proof_key wpa_code(const struct why_around *a, const struct why_came *came)
{
    for (size_t i = a->first[came->thread]; i < a->first[came->thread + 1]; i++)
        if (a->call[i].span.start == came->time)
            return a->call[i].code;
    return (struct prvcut_proof_key){ .type = 0 };
}

/* --- All of it -------------------------------------------------------------------------------- */

static void wpa_tell(struct prvcut_why_partner *p, const struct why_around *a,
                     const struct prvcut_why_meeting *of)
{
    const struct why_call *call = wpa_longest(a, of);
    struct why_came came = { .known = false };

    if (!call)
        return;
    came =
        call->role == PRVCUT_ROLE_COLLECTIVE ? why_by_collective(a, call) : wpa_by_message(a, call);
    if (!came.known)
        return;
    p->longest_ns = call->span.end - call->span.start;
    p->late = PRVCUT_LATE_NOBODY;
    if (!wpa_late(&came, call))
        return;
    p->late = PRVCUT_LATE_PARTNER;
    p->thread = came.thread;
    p->late_ns = came.time - call->span.start;
    p->code = wpa_code(a, &came);
    wpa_before(p, a, of, call->span.start);
}

enum prvcut_status prvcut_why_partner_find(struct prvcut_why_partner *out, struct prvcut_trace *t,
                                           const struct prvcut_run *run,
                                           const struct prvcut_why_meeting *of,
                                           struct prvcut_error *err)
{
    struct why_around a;
    enum prvcut_status st = why_around_read(&a, t, run, of, err);

    *out = (struct prvcut_why_partner){ .thread = PRVCUT_NOBODY };
    if (st == PRVCUT_OK && !a.too_much)
        wpa_tell(out, &a, of);
    why_around_fini(&a);
    return st;
}
