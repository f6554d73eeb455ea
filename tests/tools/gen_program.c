#include "gen_run.h"

#include <stdlib.h>
#include <string.h>

/* Preempted and clogged intervals, in periods. */
#define PREEMPTED 3
#define CLOGGED   4
#define STEPS     8

enum step_kind {
    STEP_END, /* 0: rest of a body */
    STEP_BURST,
    STEP_HALO,
    STEP_FORWARD,
    STEP_RING,
    STEP_PAIRS,
    STEP_COLLECTIVE,
    STEP_SWEEP_DOWN,
    STEP_SWEEP_UP,
    STEP_INNER
};

struct step {
    enum step_kind kind;
    uint32_t site;
    uint64_t size; /* bytes; the call of a collective; repetitions of a sweep */
    double ns;
};

/* One iteration: the body of each level; body[0] is the outermost. */
struct loop {
    struct step body[GEN_LEVELS + 1][STEPS];
    uint64_t period;
};

struct application {
    struct gen_task *first;
    struct loop loop[2];
    uint64_t done, wanted; /* iterations of this application */
    bool finished;
};

struct program {
    struct gen *g;
    struct application *app;
    uint64_t preempted, clogged; /* intervals begun */
    uint64_t phase_start, phase_from;
    uint64_t last_one; /* task 1's entry into the present iteration */
    bool changed;
};

/* What is left out of a body is STEP_END. */
static const struct step outer[STEPS] = {
    { STEP_HALO, 0, 20480, 0 }, { STEP_BURST, 0, 0, 0.5 },
    { STEP_INNER, 0, 0, 0 },    { STEP_RING, 4, 8192, 0 },
    { STEP_BURST, 0, 0, 0.5 },  { STEP_COLLECTIVE, 5, CALL_ALLREDUCE, 0 },
};
static const struct step outer_changed[STEPS] = {
    { STEP_PAIRS, 34, 4096, 0 },
    { STEP_BURST, 0, 0, 0.4 },
    { STEP_INNER, 0, 0, 0 },
    { STEP_PAIRS, 36, 512, 0 },
    { STEP_BURST, 0, 0, 0.6 },
    { STEP_COLLECTIVE, 38, CALL_REDUCE, 0 },
    { STEP_COLLECTIVE, 39, CALL_BCAST, 0 },
};
/* One-way messages only: what comes later does not hold up what came before. */
static const struct step outer_skewed[STEPS] = {
    { STEP_SWEEP_DOWN, 0, 1, 0 },  { STEP_BURST, 0, 0, 0.5 }, { STEP_INNER, 0, 0, 0 },
    { STEP_FORWARD, 2, 20480, 0 }, { STEP_BURST, 0, 0, 0.5 },
};
static const struct step outer_pipeline[STEPS] = {
    { STEP_HALO, 0, 20480, 0 }, { STEP_BURST, 0, 0, 0.2 },    { STEP_SWEEP_DOWN, 4, 8, 0.4 },
    { STEP_INNER, 0, 0, 0 },    { STEP_SWEEP_UP, 6, 8, 0.4 },
};
static const struct step outer_lean[STEPS] = {
    { STEP_BURST, 0, 0, 1 },
    { STEP_COLLECTIVE, 5, CALL_ALLREDUCE, 0 },
};
static const struct step inner_odd[STEPS] = {
    { STEP_HALO, 0, 12288, 0 },
    { STEP_BURST, 0, 0, 0.7 },
    { STEP_COLLECTIVE, 4, CALL_ALLREDUCE, 0 },
    { STEP_BURST, 0, 0, 0.3 },
    { STEP_INNER, 0, 0, 0 },
};
static const struct step inner_even[STEPS] = {
    { STEP_PAIRS, 0, 2048, 0 },
    { STEP_BURST, 0, 0, 1 },
    { STEP_INNER, 0, 0, 0 },
};
static const struct step inner_skewed[STEPS] = {
    { STEP_FORWARD, 0, 4096, 0 },
    { STEP_BURST, 0, 0, 1 },
    { STEP_INNER, 0, 0, 0 },
};

/* Rough cost of a step beyond its bursts, so that the wanted period comes about. */
static double overhead(const struct gen_options *o, const struct step *s)
{
    static const double cost[] = {
        [STEP_HALO] = 65000,  [STEP_FORWARD] = 35000,    [STEP_RING] = 9000,
        [STEP_PAIRS] = 17000, [STEP_COLLECTIVE] = 13000, [STEP_INNER] = 0
    };

    if (s->kind == STEP_SWEEP_DOWN || s->kind == STEP_SWEEP_UP)
        return (double)s->size * 8000;
    return o->tasks > 1 || s->kind == STEP_COLLECTIVE ? cost[s->kind] : 0;
}

static double share_overhead(const struct gen_options *o, const struct step *body)
{
    double sum = 0;

    for (; body->kind != STEP_END; body++)
        sum += overhead(o, body);
    return sum;
}

/* A sweep takes as long as its stages plus those that fill the pipeline. */
static double stages(const struct gen_options *o, const struct step *s)
{
    if (s->kind == STEP_SWEEP_DOWN || s->kind == STEP_SWEEP_UP)
        return (double)(s->size + o->tasks - 1);
    return 1;
}

/* Shares of the level's time become lengths; the deepest level takes what the others leave. */
static void set_lengths(const struct gen_options *o, struct loop *l)
{
    double left = (double)l->period, runs = 1;

    for (uint64_t level = 0; level <= o->levels; level++) {
        struct step *s = l->body[level];
        double compute;

        if (level > 0)
            runs *= (double)o->inner[level - 1];
        left -= runs * share_overhead(o, s);
        compute = (left > 0 ? left : 0) * (level == o->levels ? 1 : 0.4);
        left -= compute;
        for (; s->kind != STEP_END; s++) {
            double ns = s->ns * compute / runs / stages(o, s);

            s->ns = s->ns > 0 && ns < 2000 ? 2000 : ns;
        }
    }
    if (o->skew_ns > 0 && !o->pipeline)
        l->body[0][0].ns = (double)o->skew_ns;
}

static void move_sites(struct step *body, uint32_t by)
{
    for (; body->kind != STEP_END; body++)
        body->site += by;
}

static void make_loop(const struct gen_options *o, struct loop *l, uint64_t application,
                      bool changed)
{
    bool skewed = o->skew_ns > 0 && !o->pipeline;

    l->period = changed ? o->change_period_ns : gen_options_period(o, application);
    memcpy(l->body[0],
           o->lean       ? outer_lean
           : skewed      ? outer_skewed
           : o->pipeline ? outer_pipeline
                         : outer,
           sizeof outer);
    if (changed && !skewed)
        memcpy(l->body[0], outer_changed, sizeof outer);
    for (uint32_t level = 1; level <= o->levels; level++) {
        bool odd = level % 2 == (changed ? 0 : 1);

        memcpy(l->body[level], skewed ? inner_skewed : odd ? inner_odd : inner_even, sizeof outer);
        move_sites(l->body[level], (changed ? 32U : 0U) + 2 + level * 6);
    }
    set_lengths(o, l);
}

static void run_level(struct program *p, const struct loop *l, struct gen_task *first,
                      uint64_t level);

static void run_inner(struct program *p, const struct loop *l, struct gen_task *first,
                      uint64_t level)
{
    struct gen *g = p->g;

    if (level > g->o->levels)
        return;
    for (uint64_t i = 0; i < g->o->inner[level - 1]; i++) {
        uint64_t start = first->now;

        run_level(p, l, first, level);
        if (first == g->task)
            gen_truth_inner(&g->truth, level - 1, (uint64_t[2]){ start, first->now },
                            i + 1 == g->o->inner[level - 1]);
    }
}

static void run_step(struct gen *g, const struct step *s, struct gen_task *first)
{
    uint64_t sweep[2] = { 2048, s->kind == STEP_SWEEP_UP };

    switch (s->kind) {
    case STEP_BURST:
        for (uint64_t i = 0; i < g->o->tasks; i++)
            gen_burst(g, &first[i], s->ns);
        break;
    case STEP_HALO:
    case STEP_FORWARD:
        gen_step_halo(g, first, s->site, s->size, s->kind == STEP_FORWARD);
        break;
    case STEP_RING:
        gen_step_ring(g, first, s->site, s->size);
        break;
    case STEP_PAIRS:
        gen_step_pairs(g, first, s->site, s->size);
        break;
    case STEP_COLLECTIVE:
        gen_step_collective(g, first, s->site, s->size, 40);
        break;
    case STEP_SWEEP_DOWN:
    case STEP_SWEEP_UP:
        for (uint64_t i = 0; i < s->size; i++)
            gen_step_sweep(g, first, s->site, s->ns, sweep);
        break;
    case STEP_INNER:
    case STEP_END:
        break;
    }
}

static void run_level(struct program *p, const struct loop *l, struct gen_task *first,
                      uint64_t level)
{
    for (const struct step *s = l->body[level]; s->kind != STEP_END; s++) {
        if (s->kind == STEP_INNER)
            run_inner(p, l, first, level + 1);
        else
            run_step(p->g, s, first);
        gen_settle(p->g);
    }
}

/* Now and then someone prints, and all wait for the sum. */
static void run_extra(struct program *p, const struct loop *l, struct gen_task *first)
{
    gen_burst(p->g, first, (double)l->period * 0.3);
    gen_step_collective(p->g, first, 60, CALL_REDUCE, 8);
}

static double progress(const struct program *p, const struct application *a)
{
    const struct gen_options *o = p->g->o;

    if (o->size > 0)
        return (double)gen_lines_bytes(&p->g->lines) / (double)o->size;
    return (double)a->done / (double)a->wanted;
}

/* The k-th of n intervals is due when (k + offset) / n of the run is over. */
static bool due(uint64_t begun, uint64_t wanted, double offset, double now)
{
    return begun < wanted && now >= ((double)begun + offset) / (double)wanted;
}

static uint64_t earliest(const struct gen *g, const struct gen_task *first)
{
    uint64_t t = first->now;

    for (uint64_t i = 1; i < g->o->tasks; i++)
        t = first[i].now < t ? first[i].now : t;
    return t;
}

static uint64_t latest(const struct gen *g, const struct gen_task *first)
{
    uint64_t t = first->now;

    for (uint64_t i = 1; i < g->o->tasks; i++)
        t = first[i].now > t ? first[i].now : t;
    return t;
}

static void disturb(struct program *p, double now)
{
    struct gen *g = p->g;
    uint64_t period = p->app[0].loop[p->changed].period;

    if (due(p->preempted, g->o->preempt, 0.5, now)) {
        struct gen_task *t = &g->task[gen_random(g) % g->o->tasks];

        t->slow_until = t->now + PREEMPTED * period;
        gen_truth_mask(&g->truth, (struct gen_mask){ "preemption", t->now, t->slow_until,
                                                     t->application + 1, t->task + 1, 1 });
        p->preempted++;
    }
    if (due(p->clogged, g->o->clog, 0.25, now)) {
        uint64_t start = earliest(g, g->task);

        g->clog_until = start + CLOGGED * period;
        gen_truth_mask(&g->truth, (struct gen_mask){ "clog", start, g->clog_until, 0, 0, 0 });
        p->clogged++;
    }
}

static void end_phase(struct program *p, uint64_t end, uint64_t done)
{
    gen_truth_phase(&p->g->truth, p->phase_start, end, done - p->phase_from);
    p->phase_start = end;
    p->phase_from = done;
}

/* What is written down of an iteration is written from the first application's view. */
static void mark(struct program *p, const struct application *a)
{
    struct gen *g = p->g;
    struct gen_start s = { earliest(g, a->first), latest(g, a->first), a->first->now };

    if (a->done > 0)
        gen_truth_length(&g->truth, s.one - p->last_one, gen_random(g));
    if (!p->changed && g->o->change_at > 0 && progress(p, a) >= g->o->change_at) {
        if (a->done > 0)
            end_phase(p, s.first, a->done);
        p->changed = true;
    }
    p->last_one = s.one;
    gen_truth_start(&g->truth, s);
}

static void run_iteration(struct program *p, struct application *a)
{
    struct gen *g = p->g;
    double now = progress(p, a);
    bool changed = g->o->change_at > 0 && now >= g->o->change_at;
    const struct loop *l;

    gen_bystanders_follow(g, a->first, now, earliest(g, a->first));
    g->growth = 1 + g->o->drift * (now < 1 ? now : 1);
    if (a->first == g->task) {
        if (!g->o->aperiodic)
            mark(p, a);
        disturb(p, now);
        changed = p->changed;
    }
    l = &a->loop[changed];
    if (g->o->aperiodic)
        gen_irregular(g, a->first, g->o->period_ns, false);
    else
        run_level(p, l, a->first, 0);
    a->done++;
    if (g->o->every_k > 0 && a->done % g->o->every_k == 0)
        run_extra(p, l, a->first);
}

static void end_application(struct program *p, struct application *a)
{
    struct gen *g = p->g;

    if (a->first == g->task) {
        g->truth.loop_end = latest(g, a->first);
        if (!g->o->aperiodic) {
            gen_truth_length(&g->truth, a->first->now - p->last_one, gen_random(g));
            end_phase(p, g->truth.loop_end, a->done);
        }
    }
    g->truth.application[a - p->app].end = a->first->now;
    g->truth.application[a - p->app].iterations = a->done;
    g->growth = 1;
    gen_bystanders_follow(g, a->first, 1, earliest(g, a->first));
    gen_irregular(g, a->first, g->o->end_ns, true);
    gen_bystanders_follow(g, a->first, 1, earliest(g, a->first));
    gen_bystanders_finish(g, a->first);
    gen_finish_tasks(g, a->first);
    a->finished = true;
}

/* The application that is furthest behind: what is not yet written stays small. */
static struct application *furthest_behind(struct program *p)
{
    struct application *a = NULL;

    for (uint64_t i = 0; i < p->g->o->applications; i++)
        if (!p->app[i].finished && (a == NULL || p->app[i].first->now < a->first->now))
            a = &p->app[i];
    return a;
}

/* All applications run for about as long as the first one. */
static uint64_t wanted_iterations(const struct gen_options *o, uint64_t application)
{
    double ratio = (double)gen_options_period(o, 0) / (double)gen_options_period(o, application);
    double wanted = (double)o->iterations * ratio;

    return wanted > 1 ? (uint64_t)(wanted + 0.5) : 1;
}

static void start_application(struct program *p, uint64_t i)
{
    struct gen *g = p->g;
    struct application *a = &p->app[i];

    *a = (struct application){ .first = g->task + i * gen_options_all_tasks(g->o),
                               .wanted = wanted_iterations(g->o, i) };
    make_loop(g->o, &a->loop[0], i, false);
    make_loop(g->o, &a->loop[1], i, true);
    gen_start_tasks(g, a->first);
    gen_bystanders_start(g, a->first);
    gen_irregular(g, a->first, g->o->init_ns, true);
    gen_step_collective(g, a->first, 59, CALL_BARRIER, 0);
    g->truth.application[i].start = a->first->now;
}

void gen_program(struct gen *g)
{
    struct program p = { .g = g };
    struct application *a;

    p.app = gen_room(NULL, g->o->applications, sizeof *p.app);
    for (uint64_t i = 0; i < g->o->applications; i++)
        start_application(&p, i);
    p.phase_start = g->truth.loop_start = earliest(g, g->task);
    while ((a = furthest_behind(&p)) != NULL) {
        gen_settle(g);
        if (progress(&p, a) < 1)
            run_iteration(&p, a);
        else
            end_application(&p, a);
    }
    free(p.app);
}
