#include "structure/separate.h"

#include "base/memory.h"
#include "dsp/order.h"
#include "structure/call_follow.h"
#include "structure/separate_choice.h"
#include "structure/separate_judge.h"
#include "structure/separate_rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Threads, calls and tries bound the time: of 157 traces with known truth 150 were right with
 * these, 145 with two threads, 142 with one. The others were found by hand.
 *
 * name        value    unit              decides
 */
#define THREADS      6       /* that are looked at, spread over the numbers of their calls, ... */
#define THREADS_LONG 4       /* ... and where they make many calls */
#define CALLS_LONG   60000.0 /* calls a thread that are many */
#define CALLS_LEAST  6       /* of a thread that is looked at */
#define TRIES        3       /* loops tried until one is followed for enough iterations */
#define BELIEVABLE   0.5     /* probability from which a loop is followed */
#define REPEATS      3       /* iterations that it is followed for, ... */
#define REPEATS_FEW  2   /* ... or these, of one that is believed and makes the same calls ... */
#define CONSTANT     0.8 /* ... to that share */

/* Room for grams of so many calls is kept for the next sequence. */
#define GRAMS_KEPT ((size_t)1 << 18)

/* One sequence under examination. */
struct examined {
    bool made;                    /* its loops were looked for */
    struct separate_calls calls;  /* all */
    struct separate_calls common; /* that all threads make */
    struct separate_loops loops;  /* by the ones and by the others */
};

struct separating {
    const struct prvcut_call_sequence *in;
    size_t count;
    struct examined *of;            /* [count] */
    const struct separate_loop **l; /* [count] what follows the loop; NULL: nothing does */
    struct call_track *track;       /* [count] */
    struct call_grams grams;
    struct separate_common common;
    unsigned threads;
    size_t thread[THREADS];                        /* [threads] sequences that are looked at */
    struct separate_loops shown[SEPARATE_THREADS]; /* [threads] borrowed from `of` */
};

/* --- Threads --------------------------------------------------------------------------------- */

/* Sequences with enough calls, the shortest first, then as they stand. Returns how many. */
static size_t sep_by_length(const struct separating *s, size_t *order)
{
    size_t n = 0;

    for (size_t i = 0; i < s->count; i++) {
        size_t at = n;

        if (s->in[i].count < CALLS_LEAST)
            continue;
        for (n++; at > 0 && s->in[order[at - 1]].count > s->in[i].count; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return n;
}

/* Some of them, spread over the numbers of their calls. */
static enum prvcut_status sep_choose_threads(struct separating *s, struct prvcut_error *err)
{
    size_t *order = prvcut_unset(s->count + 1, sizeof *order, "sequences", err), n, most = THREADS;
    double calls = 0;

    if (!order)
        return PRVCUT_ENOMEM;
    n = sep_by_length(s, order);
    for (size_t i = 0; i < n; i++)
        calls += (double)s->in[order[i]].count;
    if (calls >= CALLS_LONG * (double)n)
        most = THREADS_LONG;
    for (size_t i = 0; i < most && i < n; i++) {
        const double at = n > most ? (double)i * (double)(n - 1) / (double)(most - 1) : (double)i;

        s->thread[s->threads++] = order[(size_t)nearbyint(at)];
    }
    free(order);
    return PRVCUT_OK;
}

/* Their room is as large as what follows takes. */
static void sep_leave_grams(struct separating *s)
{
    if (s->grams.room > GRAMS_KEPT)
        prvcut_call_grams_fini(&s->grams);
}

/* Loops of some calls of a sequence. */
static enum prvcut_status sep_examine_calls(struct separating *s, struct separate_loops *out,
                                            const struct separate_calls *c, bool common,
                                            struct prvcut_error *err)
{
    const size_t before = out->count;
    struct separate_classes classes;
    enum prvcut_status st = prvcut_separate_classes_find(&classes, c, &s->grams, err);

    if (st != PRVCUT_OK)
        return st;
    sep_leave_grams(s);
    for (size_t i = 0; st == PRVCUT_OK && i < classes.count; i++)
        st = prvcut_separate_loops_add(out, &classes.at[i], c, err);
    for (size_t i = before; i < out->count; i++)
        out->at[i].common = common;
    prvcut_separate_classes_fini(&classes);
    return st;
}

static enum prvcut_status sep_examine(struct separating *s, size_t which, struct prvcut_error *err)
{
    struct examined *x = &s->of[which];
    enum prvcut_status st;

    if (x->made)
        return PRVCUT_OK;
    x->made = true;
    st = prvcut_separate_calls_make(&x->calls, &s->in[which], NULL, &s->grams, err);
    if (st == PRVCUT_OK)
        st = sep_examine_calls(s, &x->loops, &x->calls, false, err);
    if (st == PRVCUT_OK && s->common.count > 0)
        st = prvcut_separate_calls_make(&x->common, &s->in[which], &s->common, &s->grams, err);
    if (st == PRVCUT_OK && s->common.count > 0)
        st = sep_examine_calls(s, &x->loops, &x->common, true, err);
    return st;
}

static enum prvcut_status sep_examine_chosen(struct separating *s, struct prvcut_error *err)
{
    enum prvcut_status st =
        prvcut_separate_common_find(&s->common, s->in, s->thread, s->threads, &s->grams, err);

    sep_leave_grams(s);
    for (unsigned i = 0; st == PRVCUT_OK && i < s->threads; i++) {
        st = sep_examine(s, s->thread[i], err);
        s->shown[i] = s->of[s->thread[i]].loops;
    }
    return st;
}

/* --- Following ------------------------------------------------------------------------------- */

/* The loop of a thread of its own that goes along with the one of the others; NULL: none. */
static const struct separate_loop *sep_companion(const struct separate_loops *loops,
                                                 const struct separate_candidate *c)
{
    const struct separate_loop *best = NULL;
    size_t nearest = SIZE_MAX;

    for (size_t i = 0; i < loops->count; i++) {
        const struct separate_loop *l = &loops->at[i];
        const size_t a = l->count, b = c->mean.count, apart = a > b ? a - b : b - a;

        if (prvcut_separate_goes_along(l, c) &&
            (apart < nearest ||
             (apart == nearest && l->alike * l->time > best->alike * best->time))) {
            nearest = apart;
            best = l;
        }
    }
    return best;
}

/* The calls among which the places of a thread's loop are. */
static const struct separate_calls *sep_calls_of(const struct separating *s, size_t i)
{
    return s->l[i]->common ? &s->of[i].common : &s->of[i].calls;
}

/* What follows the loop on each thread, also on those that were not asked. */
static enum prvcut_status sep_find_followers(struct separating *s,
                                             const struct separate_candidate *c,
                                             struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < s->threads; i++)
        s->l[s->thread[i]] = c->of[i];
    for (size_t i = 0; st == PRVCUT_OK && i < s->count; i++) {
        if (s->l[i] || s->in[i].count < CALLS_LEAST)
            continue;
        st = sep_examine(s, i, err);
        s->l[i] = sep_companion(&s->of[i].loops, c);
    }
    return st;
}

/** Where iterations begin and end around the separators. */
struct layout {
    struct separate_ends *of; /* [sequences] */
    bool closes;              /* the separators end iterations; else they begin them */
    bool more;                /* there is one iteration more than distances between them */
    bool first;               /* and one in what was left out before the first separator, ... */
    bool both;                /* ... or in what comes before it, as in what comes behind the last */
};

/* A separator may stand anywhere in the iteration: what comes behind its last occurrence may be
   (nearly) all of one more, or what comes before the first. */
static enum prvcut_status sep_find_layout(struct layout *out, const struct separating *s,
                                          struct prvcut_error *err)
{
    double before = 0, after = 0, around = 0, first = 0, both = 0, followers = 0;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; st == PRVCUT_OK && i < s->count; i++) {
        if (!s->l[i])
            continue;
        st = prvcut_separate_ends_find(&out->of[i], s->l[i], sep_calls_of(s, i), err);
        before += out->of[i].before;
        after += out->of[i].after;
        around += out->of[i].around;
        first += out->of[i].first;
        both += out->of[i].both;
        followers++;
    }
    out->closes = after < SEPARATE_WHOLE * followers && before >= SEPARATE_WHOLE * followers;
    out->both = both >= SEPARATE_WHOLE * followers;
    out->first = out->both || first >= SEPARATE_WHOLE * followers;
    out->more = out->closes || around >= SEPARATE_WHOLE * followers;
    return st;
}

/* What the last iteration ends with is seen: it is over when the next call begins, or as long after
   as with any other. */
static void sep_lay_close(struct call_track *t, const struct prvcut_call_sequence *in)
{
    const size_t last = t->start[t->count];
    uint64_t longest = 0;

    if (last == 0 || last >= in->count)
        return;
    for (size_t k = 1; k < t->count; k++) {
        const uint64_t own = in->at[t->start[k]].time - in->at[t->start[k] - 1].time;

        longest = own > longest ? own : longest;
    }
    t->end = in->at[last - 1].time + longest;
    t->end = t->end < in->at[last].time ? t->end : in->at[last].time;
}

/* The borders of one thread: at the first call of what all iterations begin with, or behind the
   last one of what they end with. */
static enum prvcut_status sep_lay_track(struct separating *s, size_t i, const struct layout *o,
                                        struct prvcut_error *err)
{
    const struct separate_loop *l = s->l[i];
    const struct separate_calls *c = sep_calls_of(s, i);
    const struct separate_ends *e = &o->of[i];
    struct call_track *t = &s->track[i];
    size_t n = 0;

    t->start = prvcut_unset(l->count + 2, sizeof *t->start, "borders", err);
    if (!t->start)
        return PRVCUT_ENOMEM;
    t->room = l->count + 2;
    if (o->closes || o->first)
        t->start[n++] = prvcut_separate_index(c, o->both ? e->both_front : e->front);
    for (size_t k = 0; k < l->count; k++)
        t->start[n++] = o->closes ? prvcut_separate_behind(c, prvcut_separate_close(l, c, e, k) - 1)
                                  : prvcut_separate_index(c, prvcut_separate_begin(l, c, e, k));
    if (o->more && !o->closes)
        t->start[n++] = prvcut_separate_behind(c, (o->both ? e->both_end : e->end) - 1);
    t->count = n - 1;
    prvcut_call_track_close(t, &s->in[i]);
    /* Another separator ends the last one: that is as long as it is. */
    if (!o->closes && !o->more)
        t->end = s->in[i].at[t->start[t->count]].time;
    if (o->closes)
        sep_lay_close(t, &s->in[i]);
    return PRVCUT_OK;
}

static enum prvcut_status sep_lay_tracks(struct separating *s, struct prvcut_error *err)
{
    struct layout o = { .of = prvcut_zeroed(s->count, sizeof *o.of, "sequences", NULL) };
    enum prvcut_status st = o.of ? sep_find_layout(&o, s, err) : prvcut_no_memory(err, "sequences");

    for (size_t i = 0; st == PRVCUT_OK && i < s->count; i++)
        if (s->l[i])
            st = sep_lay_track(s, i, &o, err);
    free(o.of);
    return st;
}

static enum prvcut_status sep_follow(struct prvcut_separation *out, struct separating *s,
                                     const struct separate_candidate *c, size_t least,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = sep_find_followers(s, c, err);

    if (st == PRVCUT_OK)
        st = sep_lay_tracks(s, err);
    if (st != PRVCUT_OK)
        return st;
    prvcut_call_tracks_align(s->track, s->in, s->count, least);
    return prvcut_call_loop_of_tracks(&out->calls, s->track, s->in, s->count, out->probability,
                                      err);
}

/* --- All of it ------------------------------------------------------------------------------- */

/* Forget what follows a loop that too few iterations are seen of. */
static void sep_forget(struct prvcut_separation *out, struct separating *s)
{
    prvcut_call_loop_fini(&out->calls);
    for (size_t i = 0; i < s->count; i++) {
        prvcut_call_track_fini(&s->track[i]);
        s->l[i] = NULL;
    }
}

/* A loop that is around all others, but is seen for two iterations only. */
static enum prvcut_status sep_follow_two(struct prvcut_separation *out, struct separating *s,
                                         const struct separate_candidate *c,
                                         struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (out->calls.loop.found || !prvcut_separate_believed(c) || c->mean.constant < CONSTANT)
        return PRVCUT_OK;
    sep_forget(out, s);
    st = sep_follow(out, s, c, REPEATS_FEW, err);
    out->two = st == PRVCUT_OK && out->calls.loop.found;
    if (out->two)
        out->iterations = out->calls.loop.iterations;
    return st;
}

/* The median length of a loop's iterations on the first thread that has it. */
static enum prvcut_status sep_usual_round(double *out, const struct separating *s,
                                          const struct separate_candidate *c,
                                          struct prvcut_error *err)
{
    const struct separate_calls *calls;
    unsigned i = 0;
    double *length;

    while (!c->of[i])
        i++;
    calls = c->of[i]->common ? &s->of[s->thread[i]].common : &s->of[s->thread[i]].calls;
    length = prvcut_unset(c->of[i]->count, sizeof *length, "lengths", err);
    if (!length)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k + 1 < c->of[i]->count; k++)
        length[k] =
            (double)(calls->at[c->of[i]->place[k + 1]].time - calls->at[c->of[i]->place[k]].time);
    *out = prvcut_median(length, c->of[i]->count - 1);
    free(length);
    return PRVCUT_OK;
}

/* The outermost loop that is followed for enough iterations, of a few tries. */
static enum prvcut_status sep_choose(struct prvcut_separation *out, struct separating *s,
                                     struct separate_candidates *found, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; st == PRVCUT_OK && i < TRIES && !out->calls.loop.found; i++) {
        struct separate_candidate *best = prvcut_separate_outermost(found);
        const struct separate_candidate *inner;

        out->probability = best ? best->probability : 0;
        out->iterations = best ? (double)best->mean.count : 0;
        if (out->probability < BELIEVABLE)
            break;
        out->constant = best->mean.constant;
        out->held = best->mean.same_calls;
        out->within = i > 0;
        out->events = prvcut_separate_has_events(found, best);
        out->outer = prvcut_separate_outer(found, best);
        inner = prvcut_separate_rounds_find(&out->rounds, found, best);
        if (inner)
            st = sep_usual_round(&out->rounds.median_ns, s, inner, err);
        if (st < 0)
            break;
        sep_forget(out, s);
        st = sep_follow(out, s, best, REPEATS, err);
        if (st == PRVCUT_OK && i == 0)
            st = sep_follow_two(out, s, best, err);
        best->probability = 0;
    }
    return st;
}

static enum prvcut_status sep_separate(struct prvcut_separation *out, struct separating *s,
                                       struct prvcut_error *err)
{
    struct separate_candidates found = { .at = NULL };
    enum prvcut_status st = sep_choose_threads(s, err);

    out->looked = s->threads > 0;
    if (st == PRVCUT_OK)
        st = sep_examine_chosen(s, err);
    if (st == PRVCUT_OK && s->threads > 0)
        st = prvcut_separate_candidates_find(&found, s->shown, s->threads, err);
    if (st == PRVCUT_OK)
        st = sep_choose(out, s, &found, err);
    free(found.at);
    return st;
}

static void sep_separating_fini(struct separating *s)
{
    for (size_t i = 0; s->of && i < s->count; i++) {
        prvcut_separate_calls_fini(&s->of[i].calls);
        prvcut_separate_calls_fini(&s->of[i].common);
        prvcut_separate_loops_fini(&s->of[i].loops);
    }
    for (size_t i = 0; s->track && i < s->count; i++)
        prvcut_call_track_fini(&s->track[i]);
    free(s->of);
    free(s->l);
    free(s->track);
    prvcut_separate_common_fini(&s->common);
    prvcut_call_grams_fini(&s->grams);
}

enum prvcut_status prvcut_separate(struct prvcut_separation *out,
                                   const struct prvcut_call_sequence *in, size_t sequences,
                                   struct prvcut_error *err)
{
    struct separating s = { .in = in, .count = sequences };
    enum prvcut_status st;

    *out = (struct prvcut_separation){ .looked = false };
    if (sequences == 0)
        return PRVCUT_OK;
    s.of = prvcut_zeroed(sequences, sizeof *s.of, "sequences", err);
    s.l = prvcut_zeroed(sequences, sizeof *s.l, "sequences", err);
    s.track = prvcut_zeroed(sequences, sizeof *s.track, "sequences", err);
    if (s.of && s.l && s.track)
        st = sep_separate(out, &s, err);
    else
        st = PRVCUT_ENOMEM;
    sep_separating_fini(&s);
    return st;
}

void prvcut_separation_fini(struct prvcut_separation *s)
{
    prvcut_call_loop_fini(&s->calls);
}
