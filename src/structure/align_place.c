#include "structure/align_borders.h"

#include <stdlib.h>
#include <string.h>

/*
 * Models and reach bound the time. Likeness is what three calls on either side give.
 *
 * name         value   unit             decides
 */
#define MODELS       8 /* threads whose borders are known, that others are compared with */
#define MODELS_FEW   2 /* the same where there are many threads */
#define THREADS_MANY 512
#define ALIKE        15 /* likeness that is clear: three calls on either side */
#define REACH_LEAST  8  /* calls compared on either side of a border */
#define REACH_MOST   256

/* A place that borders are to be like. */
struct model {
    const struct align_thread *thread;
    uint32_t pos;
    uint32_t reach; /* calls on either side that are compared: no more than an iteration has */
    uint32_t clear; /* likeness that is believed */
};

/* What of two calls is compared: between threads partners differ, sizes may. */
enum detail { BY_CALL, BY_SIZE, BY_PEER };

static bool apl_same_call(const struct align_call *a, const struct align_call *b, enum detail d)
{
    return a->call == b->call && a->communicator == b->communicator &&
           (d < BY_SIZE || a->size == b->size) && (d < BY_PEER || a->peer == b->peer);
}

/* How alike the calls around two places are: what goes before and what follows, both sides. */
static uint32_t apl_likeness(const struct model *m, const struct align_thread *b, uint32_t k,
                             enum detail d)
{
    const uint32_t most = m->reach;
    const struct align_thread *a = m->thread;
    const uint32_t i = m->pos;
    uint32_t back = 0, on = 0;

    while (back < most && back < i && back < k &&
           apl_same_call(&a->call[i - back - 1], &b->call[k - back - 1], d))
        back++;
    while (on < most && i + on < a->count && k + on < b->count &&
           apl_same_call(&a->call[i + on], &b->call[k + on], d))
        on++;
    return back < on ? 4 * back + on : 4 * on + back;
}

static struct model apl_model_at(const struct aligner *a, const struct align_thread *t,
                                 uint32_t pos)
{
    const uint32_t calls = prvcut_align_calls_until(t, a->in->window.end, false) -
                           prvcut_align_calls_until(t, a->in->window.start, false);
    const uint32_t each = calls / a->in->iterations;

    return (struct model){ t, pos,
                           each < REACH_LEAST  ? REACH_LEAST
                           : each > REACH_MOST ? REACH_MOST
                                               : each,
                           ALIKE };
}

/* Where a border is looked for on a thread. */
struct site {
    uint64_t expected;  /* ns */
    uint32_t low, high; /* pos */
};

/* What other threads' known borders leave; anywhere where they contradict each other. */
static struct site apl_site_of(const struct align_border *b, const struct align_thread *thread,
                               uint32_t t)
{
    const bool room = b->low[t] <= b->high[t];

    return (struct site){ b->expected[t], room ? b->low[t] : 0,
                          room ? b->high[t] : (uint32_t)thread->count };
}

static uint32_t apl_within_site(const struct site *s, uint32_t pos)
{
    return pos < s->low ? s->low : pos > s->high ? s->high : pos;
}

/*
 * The call of a thread near a time, whose surroundings are most like the model's; what is further
 * away counts less. Returns how alike they are.
 */
static uint32_t apl_most_alike(const struct aligner *a, const struct align_thread *t,
                               const struct model *model, enum detail d, const struct site *s,
                               uint32_t *pos)
{
    const uint64_t half = a->period / 2, expected = s->expected;
    const uint32_t early = prvcut_align_calls_until(t, prvcut_align_less(expected, half), false);
    const uint32_t late = prvcut_align_calls_until(t, expected + half, false);
    const uint32_t from = early > s->low ? early : s->low;
    const uint32_t to = late <= s->high ? late : s->high + 1;
    double best = 0;
    uint32_t found = 0;

    for (uint32_t i = from; i < to; i++) {
        const uint32_t now = apl_likeness(model, t, i, d);
        const double away =
            (double)prvcut_align_apart(t->call[i].time, expected) / (double)(half + 1);
        const double worth = now * (1 - away);

        if (worth <= best)
            continue;
        best = worth;
        found = now;
        *pos = i;
    }
    return found;
}

/* A border that the calls tell: where it stands among the calls of the piece. */
static bool apl_known_border(const struct aligner *a, size_t sequence, struct model *out)
{
    const uint64_t border = prvcut_align_follower(a, sequence, false);
    const struct align_thread *t = &a->piece.thread[a->in->sequence[sequence].thread];

    *out = apl_model_at(a, t, prvcut_align_calls_until(t, border, false));
    return border > 0 && out->pos < t->count && t->call[out->pos].time == border;
}

/* Where no borders are known: the first call in the window of the first thread that has one. */
static size_t apl_plain_model(const struct aligner *a, struct model *model)
{
    for (uint32_t t = 0; t < a->piece.threads; t++) {
        const struct align_thread *thread = &a->piece.thread[t];
        const uint32_t pos = prvcut_align_calls_until(thread, a->window.start, false);

        if (pos < thread->count && thread->call[pos].time < a->window.end) {
            *model = apl_model_at(a, thread, pos);
            /* No border, only some place: what is not much like it is no place of the same kind. */
            model->clear = 5 * model->reach / 2;
            return 1;
        }
    }
    return 0;
}

/* Models: the followers' places of the left border. */
static size_t apl_left_models(const struct aligner *a, struct model *model)
{
    const size_t most = a->piece.threads > THREADS_MANY ? MODELS_FEW : MODELS;
    size_t models = 0;

    for (size_t i = 0; a->k != SIZE_MAX && i < a->in->calls->sequences && models < most; i++)
        models += apl_known_border(a, i, &model[models]);
    return models > 0 ? models : apl_plain_model(a, model);
}

/*
 * A thread's call that begins the same iteration as the models' do: as the first model has it, if
 * that is clear, so that all begin at the same place of the program; else as any has it.
 */
static uint32_t apl_like_models(const struct aligner *a, const struct align_thread *t,
                                const struct model *model, size_t models, const struct site *s)
{
    const uint32_t plain = apl_within_site(s, prvcut_align_calls_until(t, s->expected, false));
    uint32_t best = 0, out = plain;

    for (int d = BY_SIZE; models > 0 && d >= BY_CALL; d--)
        for (size_t m = 0; m < models; m++) {
            uint32_t pos = plain < t->count ? plain : (uint32_t)t->count - 1;
            const uint32_t now = apl_most_alike(a, t, &model[m], (enum detail)d, s, &pos);

            if (now >= model[m].clear)
                return pos;
            if (now > best && model[m].clear == ALIKE) {
                best = now;
                out = pos;
            }
        }
    return out;
}

/* Between two times, so far on as t is between two threads. */
static uint64_t apl_between(uint64_t first, uint64_t last, double share)
{
    return last > first ? first + (uint64_t)((double)(last - first) * share)
                        : first - (uint64_t)((double)(first - last) * share);
}

/*
 * Where a thread's border is expected: its own, where it is known; between threads that have one,
 * in proportion, as each process may lag behind the one before it.
 */
static void apl_expect_left(struct aligner *a)
{
    uint32_t last = UINT32_MAX;

    for (uint32_t t = 0; t < a->piece.threads; t++)
        a->left.expected[t] = a->window.start;
    for (size_t i = 0; a->k != SIZE_MAX && i < a->in->calls->sequences; i++) {
        const uint64_t border = prvcut_align_follower(a, i, false);
        const uint32_t t = a->in->sequence[i].thread;
        const uint32_t from = last == UINT32_MAX ? 0 : last;

        if (border == 0)
            continue;
        for (uint32_t n = from; n < t; n++)
            a->left.expected[n] = last == UINT32_MAX
                                      ? border
                                      : apl_between(a->left.expected[last], border,
                                                    (double)(n - last) / (double)(t - last));
        for (uint32_t n = t; n < a->piece.threads; n++)
            a->left.expected[n] = border;
        last = t;
    }
}

/* Threads whose own calls tell their border. */
static void apl_know_left(struct aligner *a)
{
    memset(a->left.known, 0, a->piece.threads);
    for (size_t i = 0; a->k != SIZE_MAX && i < a->in->calls->sequences; i++) {
        const uint32_t t = a->in->sequence[i].thread;
        struct model own;

        if (!apl_known_border(a, i, &own))
            continue;
        a->left.known[t] = 1;
        a->left.pos[t] = own.pos;
    }
}

static void apl_place_left(struct aligner *a, const struct model *model, size_t models)
{
    apl_know_left(a);
    prvcut_align_room(a, &a->left);
    for (uint32_t t = 0; t < a->piece.threads; t++) {
        const struct align_thread *thread = &a->piece.thread[t];
        const struct site s = apl_site_of(&a->left, thread, t);

        if (thread->count > 0 && !a->left.known[t])
            a->left.pos[t] = apl_like_models(a, thread, model, models, &s);
    }
}

/* So much later as the window is long; where iterations are known, so many calls later. */
static void apl_expect_right(struct aligner *a)
{
    const uint64_t length = a->window.end - a->window.start;

    memset(a->right.known, 0, a->piece.threads);
    for (uint32_t t = 0; t < a->piece.threads; t++)
        a->right.expected[t] = prvcut_align_time(a, &a->left, t) + length;
    for (size_t i = 0; a->k != SIZE_MAX && i < a->in->calls->sequences; i++) {
        const uint32_t t = a->in->sequence[i].thread;
        const struct align_thread *thread = &a->piece.thread[t];
        const uint64_t from = prvcut_align_follower(a, i, false),
                       to = prvcut_align_follower(a, i, true);
        const uint32_t calls = prvcut_align_calls_until(thread, to, false) -
                               prvcut_align_calls_until(thread, from, false);

        if (from == 0 || to <= from || a->left.pos[t] + calls >= thread->count)
            continue;
        a->right.known[t] = 1;
        a->right.pos[t] = a->left.pos[t] + calls;
        /* The end of the loop's last iteration is no call's begin. */
        a->right.expected[t] =
            thread->call[a->left.pos[t]].time == from ? to : thread->call[a->right.pos[t]].time;
    }
}

/* The same place of the iteration, so many iterations later. */
static void apl_place_right(struct aligner *a)
{
    prvcut_align_room(a, &a->right);
    for (uint32_t t = 0; t < a->piece.threads; t++) {
        const struct align_thread *thread = &a->piece.thread[t];
        const struct model own = apl_model_at(a, thread, a->left.pos[t]);
        const struct site s = apl_site_of(&a->right, thread, t);
        const uint32_t plain = prvcut_align_calls_until(thread, s.expected, false);

        if (a->right.known[t])
            continue;
        a->right.pos[t] = apl_within_site(&s, plain);
        if (own.pos < thread->count && plain < thread->count)
            apl_most_alike(a, thread, &own, BY_PEER, &s, &a->right.pos[t]);
    }
}

static void apl_copy_border(const struct aligner *a, struct align_border *to,
                            const struct align_border *from)
{
    memcpy(to->pos, from->pos, a->piece.threads * sizeof *to->pos);
    memcpy(to->expected, from->expected, a->piece.threads * sizeof *to->expected);
    to->apart = from->apart;
    to->crossing = from->crossing;
    to->split = from->split;
}

/*
 * A thread that had to be moved stands at whatever call is nearest to where it was: put it, and all
 * others, at the like of the models again, nearest to where they are now, if no more crosses then.
 */
static enum prvcut_status apl_polish(struct aligner *a, struct align_border *b,
                                     const struct model *model, size_t models,
                                     struct prvcut_error *err)
{
    struct align_border before[2] = { { 0 }, { 0 } };
    enum prvcut_status st = prvcut_align_borders_init(before, a->piece.threads, err);

    if (st == PRVCUT_OK) {
        apl_copy_border(a, &before[0], b);
        for (uint32_t t = 0; t < a->piece.threads; t++)
            b->expected[t] = prvcut_align_time(a, b, t);
        if (b == &a->left)
            apl_place_left(a, model, models);
        else
            apl_place_right(a);
        st = prvcut_align_settle(a, b, err);
        if (prvcut_align_cost(b->crossing, b->split) >
            prvcut_align_cost(before[0].crossing, before[0].split))
            apl_copy_border(a, b, &before[0]);
    }
    prvcut_align_borders_fini(before);
    return st;
}

enum prvcut_status prvcut_align_lay_left(struct aligner *a, struct prvcut_error *err)
{
    struct model model[MODELS];
    const size_t models = apl_left_models(a, model);
    enum prvcut_status st;

    apl_expect_left(a);
    apl_place_left(a, model, models);
    st = prvcut_align_settle(a, &a->left, err);
    return st == PRVCUT_OK && a->moved_any ? apl_polish(a, &a->left, model, models, err) : st;
}

enum prvcut_status prvcut_align_lay_right(struct aligner *a, struct prvcut_error *err)
{
    struct model model[MODELS];
    enum prvcut_status st;

    apl_expect_right(a);
    apl_place_right(a);
    st = prvcut_align_settle(a, &a->right, err);
    return st == PRVCUT_OK && a->moved_any
               ? apl_polish(a, &a->right, model, apl_left_models(a, model), err)
               : st;
}

enum prvcut_status prvcut_align_lay(struct aligner *a, struct prvcut_error *err)
{
    const enum prvcut_status st = prvcut_align_lay_left(a, err);

    return st == PRVCUT_OK ? prvcut_align_lay_right(a, err) : st;
}
