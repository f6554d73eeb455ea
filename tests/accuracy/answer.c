#include "answer.h"

#include "prvcut/reduce.h"

#include <math.h>
#include <stdio.h>

#define CONFIDENT    0.5  /* wrong with more than that is worse than wrong */
#define COUNT        0.1  /* of a number of iterations, or one */
#define WIDER        0.03 /* beside the periods of a random program, and of an iteration: ends ... */
#define WIDER_BY_ONE 0.5  /* ... count, ... */
#define WIDER_MOST   0.12 /* ... but no more than this */
#define SURE         0.9  /* confidence from which ... */
#define SURE_HELD    0.9  /* ... so many are right */

static const double bins[SCORE_BINS] = { 0, 0.5, 0.7, 0.9, 0.97 };

/* Has the trace none of the metrics that were asked? */
static bool is_absent(const struct prvcut_reduction *r)
{
    for (size_t i = 0; r && i < r->votes; i++)
        if (prvcut_reduction_vote(r, i)->status != PRVCUT_STAND_ABSENT)
            return false;
    return true;
}

bool answer_ask(struct answer *a, const char *path)
{
    return answer_ask_metrics(a, path, NULL);
}

bool answer_ask_metrics(struct answer *a, const char *path, const char *metrics)
{
    const struct prvcut_reduce_options options = { .iterations = 2,
                                                   .metrics = metrics,
                                                   .cut = &(const struct prvcut_cut_options){
                                                       .dry_run = true } };
    const struct prvcut_run run = { .threads = 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_reduction *r;
    struct prvcut_trace *trace;
    enum prvcut_status st = prvcut_trace_open(&trace, path, NULL, &err);

    *a = (struct answer){ .period = 0 };
    if (st != PRVCUT_OK) {
        snprintf(a->why, sizeof a->why, "%.250s", err.text);
        return st >= 0;
    }
    st = prvcut_reduce(trace, &run, &options, &r, &err);
    a->confidence = r ? r->confidence : 0;
    if (st == PRVCUT_OK && r->iterations > 0) {
        a->period = r->period_ns;
        a->iterations = r->iterations;
        a->start = (double)r->phase.start;
        a->end = (double)r->phase.end;
        a->mean = (a->end - a->start) / r->iterations;
    }
    a->absent = metrics && is_absent(r);
    snprintf(a->why, sizeof a->why, "%.250s", st < 0 ? err.text : r->reason);
    prvcut_reduction_free(r);
    prvcut_trace_close(trace);
    return st >= 0;
}

/* The first and the last iteration of a few weigh more. */
static void widen(struct truth_loop *l)
{
    const double room = fmin(WIDER + WIDER_BY_ONE / l->iterations, WIDER_MOST);

    l->low *= 1 - room;
    l->high *= 1 + room;
}

bool answer_read_truth(struct truth *t, const char *path)
{
    FILE *f = fopen(path, "r");
    char line[256];

    t->kind = TRUTH_APERIODIC;
    t->loops = 0;
    while (f && t->loops < TRUTH_LOOPS && fgets(line, sizeof line, f)) {
        struct truth_loop *l = &t->loop[t->loops++];

        t->kind = TRUTH_MIXED;
        if (sscanf(line, "%lf %lf %lf", &l->iterations, &l->low, &l->high) != 3)
            t->loops = 0;
        else
            widen(l);
    }
    if (f)
        fclose(f);
    return f;
}

static bool near(const struct answer *a, double low, double high, double iterations, double room)
{
    const double off = fabs(a->iterations - iterations);
    const bool period = a->period >= (1 - room) * low && a->period <= (1 + room) * high;
    const bool mean = a->mean >= (1 - room) * low && a->mean <= (1 + room) * high;

    return (period || mean) && (off <= COUNT * iterations + 1e-9 || off <= 1 + 1e-9);
}

bool answer_is_right(const struct truth *t, const struct answer *a, double room)
{
    bool right = false;

    if (t->kind == TRUTH_APERIODIC || a->period <= 0)
        return t->kind == TRUTH_APERIODIC && a->period <= 0;
    for (unsigned i = 0; t->kind == TRUTH_PERIODIC && i < t->factors; i++)
        right = right || near(a, t->low * t->factor[i], t->high * t->factor[i],
                              t->iterations / t->factor[i], room);
    for (unsigned i = 0; i < t->loops; i++)
        right = right || near(a, t->loop[i].low, t->loop[i].high, t->loop[i].iterations, room);
    return right;
}

bool answer_is_confidently_wrong(const struct answer *a, bool right)
{
    return !right && a->period > 0 && a->confidence > CONFIDENT;
}

void score_count(struct score *s, const struct answer *a, bool right)
{
    size_t bin = SCORE_BINS - 1;

    while (bin > 0 && a->confidence < bins[bin])
        bin--;
    s->all++;
    s->right += right;
    s->confident += answer_is_confidently_wrong(a, right);
    if (a->period <= 0)
        return;
    s->told[bin]++;
    s->held[bin] += right;
    s->sum[bin] += a->confidence;
}

void score_add(struct score *to, const struct score *s)
{
    to->all += s->all;
    to->right += s->right;
    to->confident += s->confident;
    to->failed += s->failed;
    for (size_t i = 0; i < SCORE_BINS; i++) {
        to->told[i] += s->told[i];
        to->held[i] += s->held[i];
        to->sum[i] += s->sum[i];
    }
}

void score_print_bins(const struct score *s)
{
    printf("confidence       mean  periods told  right  share\n");
    for (size_t i = 0; i < SCORE_BINS; i++) {
        const double told = s->told[i] > 0 ? s->told[i] : 1;

        printf("%4.2f to %4.2f%9.3f%14u%7u%7.3f\n", bins[i], i + 1 < SCORE_BINS ? bins[i + 1] : 1.,
               s->sum[i] / told, s->told[i], s->held[i], s->held[i] / told);
    }
}

bool score_is_reliable(const struct score *s)
{
    unsigned told = 0, held = 0;
    bool good;

    for (size_t i = 0; i < SCORE_BINS; i++) {
        told += bins[i] >= SURE ? s->told[i] : 0;
        held += bins[i] >= SURE ? s->held[i] : 0;
    }
    good = held >= SURE_HELD * told;
    printf("%s: of those from %.2f on %u of %u right (at least %.2f)\n",
           good ? "holds" : "DOES NOT HOLD", SURE, held, told, SURE_HELD);
    return good;
}
