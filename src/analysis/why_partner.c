#include "analysis/why_partner.h"

#include "analysis/why_did.h"
#include "dsp/order.h"
#include "model/calls.h"

#include <math.h>

/* Those who wait for each other in a row; of more it is not known where it began. */
#define CHAIN_MOST 64
/* Of a wait, or of what the iteration is longer, if that is less: so much longer than usual is why
   a thread was late. */
#define MUCH 0.5
/* Of what the iteration is longer: who comes later than that may usually do so. */
#define USUAL 1.5
/* Iterations back to where it may have begun that a thread was late. */
#define BACK_OWN 2
/* Iterations before this one that are read for where a delay comes from: it goes on by a thread in
   each, or faster. */
#define BACK_LEAST 8
#define BACK_MOST  32
/* Where that does not tell it, so many times more; in a ring it goes round. */
#define BACK_FURTHER 4

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

/* --- Where a delay comes from ------------------------------------------------------------------
 */

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
    struct why_came came, last;

    if (call->role != PRVCUT_ROLE_COLLECTIVE)
        return wpa_by_message(a, thread, call);
    came = why_by_collective(a, thread, call, &last);
    return came.known && last.known && !wpa_late(&came, call) ? last : came;
}

static void wpa_begin(struct prvcut_why_partner *p, uint32_t thread, const struct why_did *did)
{
    p->origin = thread;
    p->origin_did = did->what;
    p->origin_ns = did->ns;
    p->origin_how = did->how;
    p->origin_call = did->call;
}

/* Of messages that it sends, or that are complete in it; one that waits may wait for what was sent
   before. *since: when the first of them began, or the call, if that was earlier */
static double wpa_bytes(uint64_t *since, const struct why_around *a, uint32_t thread,
                        const struct why_call *call)
{
    double bytes = 0;

    *since = call->span.start;

    for (size_t i = 0; i < a->mets; i++) {
        const struct why_met *m = &a->met[i];

        if (m->thread == thread &&
            (m->begin == call->span.start ||
             (m->begin < call->span.start && wpa_waits(call) && m->pending > call->span.start))) {
            bytes += (double)m->bytes;
            *since = m->begin < *since ? m->begin : *since;
        }
    }
    return bytes;
}

/* The call that it began with, for which nobody was late: what moves in it, and in those like it.
   Returns whether more that is read would not tell it. */
static bool wpa_weigh(struct prvcut_why_partner *p, const struct why_around *a, uint32_t thread,
                      const struct why_call *call)
{
    const size_t first = a->first[thread], at = (size_t)(call - a->call);
    double like[WHY_WEIGH_MOST];
    uint64_t since;
    size_t n = 0;

    if (call->role == PRVCUT_ROLE_COLLECTIVE || a->one_only)
        return true;
    for (size_t i = a->first[thread + 1]; i-- > first && n < WHY_WEIGH_MOST;)
        if (i != at && why_call_is_like(a, first, i, at))
            like[n++] = wpa_bytes(&since, a, thread, &a->call[i]);
    if (n < WHY_LIKE_LEAST)
        return false;
    p->origin_bytes = wpa_bytes(&since, a, thread, call);
    p->before = since < a->of->iteration.start;
    p->usual_bytes = prvcut_median(like, n);
    return true;
}

/* A thread that came late to a call: since when the other waited, and what it did. */
struct wpa_step {
    uint32_t thread;
    struct prvcut_span wait;
    struct why_did did;
    bool unshown; /* of the call for which nobody was late */
};

/* So much longer than usual makes it late. */
static double wpa_much(const struct why_around *a, const struct wpa_step *s)
{
    return MUCH * fmin((double)(s->wait.end - s->wait.start), a->of->excess);
}

/* Of a thread that computed before it came as long as usual: the call before in which it waited for
   longer than usual. NULL: it is not known; or it was something outside calls, *own, which is
   s->did then. */
static const struct why_call *wpa_waited(bool *own, struct wpa_step *s, struct why_around *a,
                                         size_t came)
{
    const uint64_t back = BACK_OWN * (a->of->iteration.end - a->of->iteration.start);
    const double much = wpa_much(a, s);

    for (size_t i = came; i > a->first[s->thread]; i--) {
        const struct why_call *c = &a->call[i];
        const double before = why_call_longer(a, s->thread, i, true);
        const double in = why_call_longer(a, s->thread, i - 1, false);

        if (c->span.start + back < s->wait.end || isnan(before) || isnan(in))
            break;
        *own = before >= much;
        if (*own && (i < came || why_did_nothing_most(&s->did)))
            s->did =
                why_did_outside(a, s->thread, (struct prvcut_span){ c[-1].span.end, c->span.start },
                                s->wait.end - s->wait.start);
        if (*own || in >= much)
            return *own ? NULL : c - 1;
    }
    return NULL;
}

/* Why a thread that computed before it came was late: that, if it computed longer than usual; else
   as wpa_waited. */
static const struct why_call *wpa_why_late(bool *own, struct wpa_step *s, struct why_around *a)
{
    const size_t came = why_call_at(a, s->thread, s->wait.end);

    *own = !a->of->more || a->of->more[s->thread] >= wpa_much(a, s) || came == SIZE_MAX;
    return *own ? NULL : wpa_waited(own, s, a, came);
}

/* Does it come as late as to calls like that one? Only who is much later than the iteration is
   longer may be so. */
static bool wpa_usual(struct why_around *a, uint32_t thread, const struct why_call *call,
                      const struct why_came *came)
{
    const size_t first = a->first[thread], at = (size_t)(call - a->call);
    const double late = (double)(came->time - call->span.start);
    double like[WHY_WEIGH_MOST];
    size_t n = 0;

    if (a->one_only || late < USUAL * a->of->excess)
        return false;
    for (size_t i = a->first[thread + 1]; i-- > first && n < WHY_WEIGH_MOST;)
        if (i != at && why_call_is_like(a, first, i, at)) {
            const struct why_call *c = &a->call[i];
            const struct why_came other = wpa_came(a, thread, c);

            like[n++] = other.time > c->span.start ? (double)(other.time - c->span.start) : 0;
        }
    a->further |= n < WHY_LIKE_LEAST;
    return n >= WHY_LIKE_LEAST && late - prvcut_median(like, n) < MUCH * a->of->excess;
}

/* Nobody was late for it: is it not shown that it is what moves that takes so long? */
static bool wpa_unshown(const struct why_around *a, const struct why_came *came,
                        const struct why_call *call)
{
    return came->left || 2 * a->apart >= call->span.end - call->span.start;
}

/* Who was waited for in a call; false: nobody was late, or it is not known. */
static bool wpa_next(struct wpa_step *s, struct why_around *a, const struct why_call *call,
                     bool *known)
{
    const struct why_came came = wpa_came(a, s->thread, call);

    *known = came.known;
    s->unshown = wpa_unshown(a, &came, call);
    if (!came.known || !wpa_late(&came, call) || wpa_usual(a, s->thread, call, &came))
        return false;
    s->thread = came.thread;
    s->wait = (struct prvcut_span){ call->span.start, came.time };
    s->did = why_did_before(a, s->thread, s->wait);
    return true;
}

/* Of a thread that did several things before it came: the longest of those calls of one kind that
   are longer than usual, all together, and that make it late. NULL: there are none */
static const struct why_call *wpa_longer_calls(struct wpa_step *s, const struct why_around *a)
{
    const size_t first = a->first[s->thread], end = a->first[s->thread + 1];
    double most = wpa_much(a, s);
    const struct why_call *longest = NULL;

    for (size_t i = first; i < end; i++) {
        const struct prvcut_proof_key *key = &a->call[i].key;
        double longer = 0;

        if (why_overlap(a->call[i].span, s->wait) == 0)
            continue;
        for (size_t k = first; k < end; k++)
            if (why_same_call(&a->call[k].key, key) && why_overlap(a->call[k].span, s->wait) > 0)
                longer += fmax(0, why_call_longer(a, s->thread, k, false));
        if (longer < most || (longest && longer <= most))
            continue;
        most = longer;
        longest = wpa_longest(a, s->thread, key, s->wait);
    }
    return longest;
}

/* In which call it waited for another itself; NULL: in none, *own: what it did is why it was late,
   or it is not known. */
static const struct why_call *wpa_call_before(bool *own, struct wpa_step *s, struct why_around *a)
{
    const struct why_call *call;

    *own = s->did.what != PRVCUT_SLOW_CALL && s->did.what != PRVCUT_SLOW_COMPUTING &&
           !why_did_nothing_most(&s->did);
    if (*own)
        return NULL;
    if (why_did_nothing_most(&s->did)) {
        call = wpa_longer_calls(s, a);
        if (call) {
            s->did = (struct why_did){ .what = PRVCUT_SLOW_CALL, .call = call->key };
            s->did.ns = why_in_kind(a, s->thread, s->wait, &call->key);
            return call;
        }
    }
    if (s->did.what == PRVCUT_SLOW_CALL) {
        call = wpa_longest(a, s->thread, &s->did.call, s->wait);
        return call && 2 * why_overlap(call->span, s->wait) >= s->wait.end - s->wait.start ? call
                                                                                           : NULL;
    }
    call = wpa_why_late(own, s, a);
    if (call)
        s->did = (struct why_did){ .what = PRVCUT_SLOW_CALL,
                                   .ns = call->span.end - call->span.start,
                                   .call = call->key };
    return call;
}

static void wpa_tell_did(struct prvcut_why_partner *p, const struct why_did *did)
{
    p->did = did->what;
    p->did_ns = did->ns;
    p->did_how = did->how;
    p->did_call = did->call;
}

/* Where it began that a thread came late. */
static void wpa_follow(struct prvcut_why_partner *p, struct why_around *a, struct wpa_step s)
{
    for (unsigned n = 0; n < CHAIN_MOST && !a->one_only; n++) {
        bool own, known;
        const struct why_call *call = wpa_call_before(&own, &s, a);

        p->as_usual |= n == 0 && !call && !own && s.did.what == PRVCUT_SLOW_COMPUTING;
        if (n == 0)
            wpa_tell_did(p, &s.did);
        if (own && !why_did_nothing_most(&s.did))
            wpa_begin(p, s.thread, &s.did);
        a->further |= !call && !own;
        if (!call)
            return;
        if (!wpa_next(&s, a, call, &known)) {
            if (known) {
                wpa_begin(p, s.thread, &s.did);
                p->unshown = s.unshown;
                a->further |= !wpa_weigh(p, a, s.thread, call);
            }
            a->further |= !known;
            return;
        }
    }
}

static void wpa_tell(struct prvcut_why_partner *p, struct why_around *a,
                     const struct prvcut_why_meeting *of)
{
    const struct why_call *call = wpa_longest(a, of->thread, &of->call, of->iteration);
    struct wpa_step s = { .thread = of->thread };
    struct why_did did;
    bool known;

    if (!call)
        return;
    if (!wpa_next(&s, a, call, &known) && !known)
        return;
    p->longest_ns = call->span.end - call->span.start;
    p->late = PRVCUT_LATE_NOBODY;
    if (s.wait.end == 0) {
        did = (struct why_did){ .what = PRVCUT_SLOW_CALL, .ns = p->longest_ns, .call = call->key };
        wpa_begin(p, of->thread, &did);
        p->unshown = s.unshown;
        (void)wpa_weigh(p, a, of->thread, call);
        return;
    }
    p->late = PRVCUT_LATE_PARTNER;
    p->thread = s.thread;
    p->late_ns = s.wait.end - s.wait.start;
    p->code = wpa_code(a, &(struct why_came){ .time = s.wait.end, .thread = s.thread });
    wpa_tell_did(p, &s.did);
    wpa_follow(p, a, s);
}

/* What is known of what is so long before the iteration, and that; *further: more would tell more.
 */
static enum prvcut_status wpa_look(struct prvcut_why_partner *out, bool *further,
                                   struct prvcut_trace *t, const struct prvcut_run *run,
                                   const struct prvcut_why_meeting *of, uint64_t before,
                                   struct prvcut_error *err)
{
    struct why_around a;
    enum prvcut_status st = why_around_read(&a, t, run, of, before, err);

    *out = (struct prvcut_why_partner){
        .thread = PRVCUT_NOBODY, .origin = PRVCUT_NOBODY, .origin_bytes = NAN, .usual_bytes = NAN
    };
    if (st == PRVCUT_OK && !a.too_much)
        wpa_tell(out, &a, of);
    *further = a.further && a.window.start > 0;
    why_around_fini(&a);
    return st;
}

enum prvcut_status prvcut_why_partner_find(struct prvcut_why_partner *out, struct prvcut_trace *t,
                                           const struct prvcut_run *run,
                                           const struct prvcut_why_meeting *of,
                                           struct prvcut_error *err)
{
    const uint64_t length = of->iteration.end - of->iteration.start, half = length / 2;
    const uint64_t back = t->objects.tasks < BACK_LEAST  ? BACK_LEAST
                          : t->objects.tasks > BACK_MOST ? BACK_MOST
                                                         : t->objects.tasks;
    struct prvcut_why_partner all;
    bool further;
    enum prvcut_status st = wpa_look(out, &further, t, run, of, half, err);

    if (st < 0 || !further || of->back <= length)
        return st;
    for (uint64_t far = back * length; further && st == PRVCUT_OK; far *= BACK_FURTHER) {
        const bool most = far >= of->back || far >= BACK_MOST * BACK_FURTHER * length;

        st = wpa_look(&all, &further, t, run, of, far < of->back ? far : of->back, err);
        if (st == PRVCUT_OK && all.late != PRVCUT_LATE_UNKNOWN)
            *out = all;
        further &= !most;
    }
    return st;
}
