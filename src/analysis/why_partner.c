#include "analysis/why_partner.h"

#include "analysis/why_meet.h"
#include "model/calls.h"

/* Those who wait for each other in a row; of more it is not known where it began. */
#define CHAIN_MOST 64

/* The longest of a thread's calls of one kind in a span; NULL: none is whole. */
static const struct why_call *wpa_longest(const struct why_around *a, uint32_t thread,
                                          const struct prvcut_proof_key *key,
                                          struct prvcut_span span)
{
    const struct why_call *longest = NULL;
    uint64_t most = 0;

    for (size_t i = a->first[thread]; i < a->first[thread + 1]; i++) {
        const struct why_call *c = &a->call[i];
        const uint64_t ns = why_overlap(c->span, span);

        if (ns <= most || !why_same_call(&c->key, key))
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
static struct why_came wpa_by_message(const struct why_around *a, uint32_t thread,
                                      const struct why_call *call)
{
    struct why_came came = { .known = false }, before = { .known = false };

    for (size_t i = 0; i < a->mets; i++) {
        const struct why_met *m = &a->met[i];

        if (m->thread != thread)
            continue;
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

/* What a thread did: PRVCUT_SLOW_UNKNOWN: neither was in a call, nor computed. */
struct wpa_did {
    enum prvcut_slow what;
    uint64_t ns;
    struct prvcut_proof_key call;
};

static bool wpa_is(struct wpa_did *d, enum prvcut_slow what, uint64_t ns, uint64_t length)
{
    if (2 * ns < length)
        return false;
    d->what = what;
    d->ns = ns;
    return true;
}

/* Before it came to another's call, that late: since its last call, if that is most of the wait;
   else while the other waited. wait: from that call's begin until it came */
static struct wpa_did wpa_before(const struct why_around *a, uint32_t thread,
                                 struct prvcut_span wait)
{
    const uint64_t last = wpa_last_call(a, thread, wait.end), late = wait.end - wait.start;
    struct prvcut_span span = wait;
    struct wpa_did d = { .what = PRVCUT_SLOW_UNKNOWN };
    uint64_t length, off, other;

    if (2 * (span.end - last) >= late)
        span.start = last;
    else if (wpa_is(&d, PRVCUT_SLOW_CALL, wpa_in_call(a, thread, span, &d.call), late))
        return d;
    length = span.end - span.start;
    off = wpa_in(a, thread, WHY_OFF_STATE, span);
    other = wpa_in(a, thread, WHY_OFF_EVENT, span);
    if (wpa_is(&d, PRVCUT_SLOW_FLUSH, wpa_flushed(a->of->flushes, thread, span), length) ||
        wpa_is(&d, PRVCUT_SLOW_OFF, other > off ? other : off, length) ||
        wpa_is(&d, PRVCUT_SLOW_COMPUTING,
               a->running ? wpa_in(a, thread, WHY_RUNNING, span) : length, length))
        return d;
    d.ns = length;
    return d;
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

static struct why_came wpa_came(const struct why_around *a, uint32_t thread,
                                const struct why_call *call)
{
    return call->role == PRVCUT_ROLE_COLLECTIVE ? why_by_collective(a, thread, call)
                                                : wpa_by_message(a, thread, call);
}

static void wpa_begin(struct prvcut_why_partner *p, uint32_t thread, const struct wpa_did *did)
{
    p->origin = thread;
    p->origin_did = did->what;
    p->origin_ns = did->ns;
    p->origin_call = did->call;
}

/* Where it began that a thread came late. wait: from the other's call on until it came */
static void wpa_follow(struct prvcut_why_partner *p, const struct why_around *a, uint32_t thread,
                       struct prvcut_span wait, struct wpa_did did)
{
    for (unsigned n = 0; n < CHAIN_MOST && !a->one_only; n++) {
        const struct why_call *call;
        struct why_came came;

        if (did.what != PRVCUT_SLOW_CALL) {
            wpa_begin(p, thread, &did);
            return;
        }
        call = wpa_longest(a, thread, &did.call, wait);
        if (!call || 2 * why_overlap(call->span, wait) < wait.end - wait.start)
            return;
        came = wpa_came(a, thread, call);
        if (!came.known)
            return;
        if (!wpa_late(&came, call)) {
            wpa_begin(p, thread, &did);
            return;
        }
        thread = came.thread;
        wait = (struct prvcut_span){ call->span.start, came.time };
        did = wpa_before(a, thread, wait);
    }
}

static void wpa_tell(struct prvcut_why_partner *p, const struct why_around *a,
                     const struct prvcut_why_meeting *of)
{
    const struct why_call *call = wpa_longest(a, of->thread, &of->call, of->iteration);
    struct why_came came = { .known = false };
    struct prvcut_span wait;
    struct wpa_did did;

    if (!call)
        return;
    came = wpa_came(a, of->thread, call);
    if (!came.known)
        return;
    p->longest_ns = call->span.end - call->span.start;
    p->late = PRVCUT_LATE_NOBODY;
    if (!wpa_late(&came, call)) {
        did = (struct wpa_did){ PRVCUT_SLOW_CALL, p->longest_ns, call->key };
        wpa_begin(p, of->thread, &did);
        return;
    }
    wait = (struct prvcut_span){ call->span.start, came.time };
    did = wpa_before(a, came.thread, wait);
    p->late = PRVCUT_LATE_PARTNER;
    p->thread = came.thread;
    p->late_ns = wait.end - wait.start;
    p->code = wpa_code(a, &came);
    p->did = did.what;
    p->did_ns = did.ns;
    p->did_call = did.call;
    wpa_follow(p, a, came.thread, wait, did);
}

enum prvcut_status prvcut_why_partner_find(struct prvcut_why_partner *out, struct prvcut_trace *t,
                                           const struct prvcut_run *run,
                                           const struct prvcut_why_meeting *of,
                                           struct prvcut_error *err)
{
    struct why_around a;
    enum prvcut_status st = why_around_read(&a, t, run, of, err);

    *out = (struct prvcut_why_partner){ .thread = PRVCUT_NOBODY, .origin = PRVCUT_NOBODY };
    if (st == PRVCUT_OK && !a.too_much)
        wpa_tell(out, &a, of);
    why_around_fini(&a);
    return st;
}
