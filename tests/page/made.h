#ifndef TEST_PAGE_MADE_H
#define TEST_PAGE_MADE_H

#include "report/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A page of a run that never was: initialisation, a loop of two regions that a flush parts, three
 * levels, outliers, a timeline with messages, a proof. Sizes and names are the test's.
 */
struct made_plan {
    size_t iterations, flushes; /* of the main loop; masked regions, evenly spread */
    uint32_t rows, columns;     /* of the timeline */
    size_t proofs, chops;
    const char *name; /* that everything from the trace carries */
};

struct made {
    struct prvcut_page page;
    struct made_reduction reduction;
    struct prvcut_page_search search[3];
    struct prvcut_timeline timeline[2];
    struct prvcut_vote vote[12];
    double *run;
    char *name, *label, *files[1];
};

#define MADE_PERIOD 2000000u /* ns */
#define MADE_START  30000000u
#define MADE_POINTS 30000u

static void *made_room(size_t count, size_t size)
{
    void *room = calloc(count > 0 ? count : 1, size);

    if (!room)
        abort();
    return room;
}

static double made_noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 40) / (double)(1 << 24) - 0.5;
}

static void made_votes(struct made *m)
{
    static const struct prvcut_vote votes[12] = {
        { "calls", PRVCUT_STAND_CHOSEN, 2000000, 50, 0.98, { 0, 1 }, "" },
        { "bursts", PRVCUT_STAND_AGREES, 2010000, 49.5, 0.91, { 0, 1 }, "" },
        { "computing", PRVCUT_STAND_AGREES, 1995000, 50.1, 0.88, { 0, 1 }, "" },
        { "p2p", PRVCUT_STAND_AGREES, 2001000, 50, 0.86, { 0, 1 }, "" },
        { "collectives", PRVCUT_STAND_MULTIPLE, 4002000, 25, 0.6, { 0, 1 }, "" },
        { "inflight", PRVCUT_STAND_MULTIPLE, 6010000, 16.6, 0.4, { 0, 1 }, "" },
        { "ipc", PRVCUT_STAND_ABSENT, 0, 0, 0, { 0, 0 }, "the trace has no cycle counter" },
        { "instructions",
          PRVCUT_STAND_ABSENT,
          0,
          0,
          0,
          { 0, 0 },
          "the trace has no instruction counter" },
        { "misses",
          PRVCUT_STAND_ABSENT,
          0,
          0,
          0,
          { 0, 0 },
          "the trace has no counter of cache misses" },
        { "bandwidth", PRVCUT_STAND_INNER, 200000, 500, 0.7, { 0, 1 }, "" },
        { "waiting", PRVCUT_STAND_DIFFERS, 2900000, 34, 0.31, { 0, 1 }, "" },
        { "preempted", PRVCUT_STAND_NONE, 0, 0, 0, { 0, 0 }, "nothing repeats often enough" },
    };

    memcpy(m->vote, votes, sizeof votes);
}

static void made_region(struct made_structure *s, enum prvcut_region_kind kind, unsigned level,
                        struct prvcut_span span)
{
    s->region[s->is.regions++] = (struct made_region){
        .is.kind = kind,
        .is.cause = PRVCUT_CAUSE_NONE,
        .is.level = level,
        .is.parent = SIZE_MAX,
        .is.span = span,
        .is.metric = "",
        .is.alphabet = "",
    };
}

static struct made_region *made_loop(struct made_structure *s, unsigned loop, double period,
                                     double iterations)
{
    struct made_region *r = &s->region[s->is.regions - 1];

    r->is.number = 1;
    r->is.first = 1;
    r->is.loop = loop;
    r->is.iterations = iterations;
    r->is.period_ns = r->is.median_ns = period;
    r->is.first_ns = period * 1.02;
    r->is.last_ns = period * 0.99;
    r->is.spread_ns = period * 0.03;
    r->is.confidence = 0.97;
    r->is.found_by = loop == 1 ? PRVCUT_FOUND_BY_CALLS : PRVCUT_FOUND_BY_SIGNAL;
    r->is.metric = loop == 1 ? "" : "bursts";
    r->is.alphabet = loop == 1 ? "call and partner" : "";
    r->is.examined = r->is.followers = 8;
    return r;
}

/* Borders with noise and, now and then, a long iteration that stands out. */
static void made_borders(struct made_region *r, size_t iterations, uint64_t from)
{
    uint64_t seed = 7, at = from;

    r->is.border = made_room(iterations + 1, sizeof *r->is.border);
    r->outlier = made_room(100, sizeof *r->outlier);
    r->is.borders = iterations + 1;
    for (size_t i = 0; i < iterations; i++) {
        double length = MADE_PERIOD * (1 + 0.08 * made_noise(&seed));

        r->is.border[i] = at;
        if (i % 17 == 11) {
            length *= 1.5 + made_noise(&seed);
            if (r->is.outliers < 100)
                r->outlier[r->is.outliers++] =
                    (struct prvcut_outlier){ i,
                                             { at, at + (uint64_t)length },
                                             (length / MADE_PERIOD - 1) / 0.03,
                                             length > MADE_PERIOD ? PRVCUT_OUTLIER_LONG
                                                                  : PRVCUT_OUTLIER_SHORT };
            r->is.outliers_seen++;
        }
        at += (uint64_t)length;
    }
    r->is.border[iterations] = at;
    r->is.span.end = at;
}

static void made_departures(struct made_region *r)
{
    r->departure = made_room(2, sizeof *r->departure);
    r->departure[0] = (struct prvcut_departure){ 19, 20, 2, 12 };
    r->departure[1] = (struct prvcut_departure){ 33, 0, 1, -4 };
    r->is.departures = 2;
}

/* Three levels: what one iteration of the loop holds, and one of the loop in it. */
static void made_inner(struct made_structure *s, size_t outer)
{
    const struct prvcut_span e = s->region[outer].is.example;
    const uint64_t length = e.end - e.start;
    const size_t first = s->is.regions;
    size_t inner;

    made_region(s, PRVCUT_REGION_APERIODIC, 2,
                (struct prvcut_span){ e.start, e.start + length / 5 });
    made_region(s, PRVCUT_REGION_PERIODIC, 2,
                (struct prvcut_span){ e.start + length / 5, e.end - length / 10 });
    made_loop(s, 2, (double)length * 0.7 / 10, 10);
    inner = s->is.regions - 1;
    s->region[inner].is.example = (struct prvcut_span){ e.start + length / 5 + length * 7 / 100,
                                                        e.start + length / 5 + length * 14 / 100 };
    made_region(s, PRVCUT_REGION_END, 2, (struct prvcut_span){ e.end - length / 10, e.end });
    for (size_t i = first; i < s->is.regions; i++)
        s->region[i].is.parent = outer;
    made_region(s, PRVCUT_REGION_PERIODIC, 3, s->region[inner].is.example);
    made_loop(s, 3, (double)length * 0.07 / 4, 4);
    s->region[s->is.regions - 1].is.parent = inner;
}

static void made_masks(struct made_structure *s, const struct made_plan *plan)
{
    s->mask = made_room(plan->flushes, sizeof *s->mask);
    for (size_t i = 0; i < plan->flushes; i++) {
        const uint64_t at = s->is.end_ns / (plan->flushes + 1) * (i + 1);
        const struct prvcut_span span = { at, at + MADE_PERIOD / 2 };

        s->mask[s->is.masks++] =
            (struct prvcut_mask){ .cause = PRVCUT_CAUSE_FLUSHING, .span = span, .affected = 2 };
        made_region(s, PRVCUT_REGION_MASKED, 1, span);
        s->region[s->is.regions - 1].is.cause = PRVCUT_CAUSE_FLUSHING;
    }
}

static void made_structure(struct made *m, const struct made_plan *plan)
{
    struct made_structure *s = &m->reduction.structure;
    struct made_region *r;

    s->region = made_room(16 + plan->flushes, sizeof *s->region);
    made_region(s, PRVCUT_REGION_INITIALISATION, 1, (struct prvcut_span){ 0, MADE_START });
    made_region(s, PRVCUT_REGION_PERIODIC, 1, (struct prvcut_span){ MADE_START, MADE_START });
    r = made_loop(s, 1, MADE_PERIOD, (double)plan->iterations);
    made_borders(r, plan->iterations, MADE_START);
    made_departures(r);
    r->vote = m->vote;
    r->is.votes = 12;
    r->is.example = (struct prvcut_span){ r->is.border[plan->iterations / 2],
                                          r->is.border[plan->iterations / 2 + 1] };
    s->is.main = 1;
    s->is.end_ns = r->is.span.end + MADE_START / 2;
    s->is.span = (struct prvcut_span){ 0, s->is.end_ns };
    made_inner(s, 1);
    made_region(s, PRVCUT_REGION_END, 1,
                (struct prvcut_span){ s->region[1].is.span.end, s->is.end_ns });
    made_masks(s, plan);
    s->is.levels = s->is.loops = 3;
    s->is.reason = "";
}

static void made_proof(struct made *m, struct made_proof *f, size_t rows)
{
    static const enum prvcut_proof_group groups[] = { PRVCUT_PROOF_OF_EFFICIENCY,
                                                      PRVCUT_PROOF_OF_STATE, PRVCUT_PROOF_OF_CALL,
                                                      PRVCUT_PROOF_OF_TRAFFIC,
                                                      PRVCUT_PROOF_OF_COUNTER };
    static const enum prvcut_proof_unit units[] = { PRVCUT_PROOF_IN_SHARE, PRVCUT_PROOF_IN_SHARE,
                                                    PRVCUT_PROOF_IN_SHARE, PRVCUT_PROOF_IN_COUNT,
                                                    PRVCUT_PROOF_IN_PER_CYCLE };

    f->row = made_room(rows, sizeof *f->row);
    for (size_t i = 0; i < rows; i++) {
        const double region = i % 5 < 3 ? 0.9 / (double)(i + 1) : 1234.5 / (double)(i + 1);
        const double error = (i % 2 ? -0.3 : 0.2) / (double)(i * i + 1);

        f->row[i] = (struct prvcut_proof_row){ groups[i % 5],        m->label, units[i % 5],
                                               region * (1 + error), region,   error,
                                               1.0 / (double)(i + 1) };
    }
    f->is.rows = rows;
    f->is.verdict = PRVCUT_FAITH_FAIR;
    f->is.worst = 0.031;
    f->is.iterations_region = 47;
    f->is.threads = 8;
    f->is.unlike = 1;
}

static void made_chops(struct made *m, const struct made_plan *plan)
{
    struct made_reduction *r = &m->reduction;
    const struct made_region *loop = &r->structure.region[1];

    r->chop = made_room(plan->chops, sizeof *r->chop);
    r->is.chops = plan->chops;
    for (size_t i = 0; i < plan->chops; i++) {
        const size_t first = (plan->iterations / 2 + i * 3) % (plan->iterations - 2);
        struct made_chop *c = &r->chop[i];

        *c = (struct made_chop){ .is.kind = i == 0 ? PRVCUT_CHOP_TYPICAL : PRVCUT_CHOP_OUTLIER,
                                 .is.region = 1,
                                 .is.level = 1,
                                 .is.number = 1,
                                 .is.iterations = i == 0 ? 2 : 1,
                                 .is.first = first,
                                 .is.iteration = first + 1,
                                 .is.why = PRVCUT_CHOP_WHY_ALIKE,
                                 .is.similarity = 0.98,
                                 .is.align = PRVCUT_ALIGN_CALLS,
                                 .is.align_why = PRVCUT_ALIGN_WHY_FIRST_CALL };
        c->cut.window = (struct prvcut_span){ loop->is.border[first],
                                              loop->is.border[first + c->is.iterations] };
        c->cut.bytes = 512345;
        c->cut.size = 530000;
        m->files[0] = m->name;
        c->cut.file = m->files;
        c->cut.files = 1;
        if (i == 0)
            made_proof(m, &c->proof, plan->proofs);
    }
}

static void made_threads(struct made *m, uint32_t threads)
{
    struct made_chop *c = &m->reduction.chop[0];

    c->is.thread = made_room(threads, sizeof *c->is.thread);
    c->is.threads = threads;
    for (uint32_t i = 0; i < threads; i++)
        c->is.thread[i] = (struct prvcut_span){ c->cut.window.start + i * 20000u,
                                                c->cut.window.end - (threads - 1 - i) * 20000u };
}

static void made_messages(struct prvcut_timeline *t)
{
    const uint64_t length = t->span.end - t->span.start;

    t->message = made_room(200, sizeof *t->message);
    t->messages = 200;
    t->messages_seen = 5000;
    for (size_t i = 0; i < 200; i++) {
        const uint64_t at = t->span.start + length / 220 * i + length / 50;

        t->message[i] =
            (struct prvcut_timeline_message){ (uint32_t)i % t->rows, (uint32_t)(i + 1) % t->rows,
                                              at, at + length / 60, 1000 };
    }
}

static void made_timeline(struct made *m, const struct made_plan *plan)
{
    static const int32_t colours[] = { 0x0000ff, 0xff0000, 0x75c3ff, 0xff922f, 0x3c3c3c };
    struct prvcut_timeline *t = &m->timeline[0];
    uint64_t seed = 3;

    *t = (struct prvcut_timeline){ .span = m->reduction.chop[0].cut.window,
                                   .rows = plan->rows,
                                   .columns = plan->columns,
                                   .threads = plan->rows + 2,
                                   .states = 5 };
    t->thread = made_room(t->rows, sizeof *t->thread);
    t->name = made_room(t->rows, sizeof *t->name);
    t->object = made_room(t->rows, sizeof *t->object);
    t->state = made_room(t->states, sizeof *t->state);
    t->cell = made_room((size_t)t->rows * t->columns, 1);
    t->part = made_room((size_t)t->rows * t->columns, 1);
    t->begins = made_room((size_t)t->rows * t->columns, sizeof *t->begins);
    for (size_t i = 0; i < (size_t)t->rows * t->columns; i++)
        t->part[i] = (uint8_t)(i % 7 == 6 ? 1 : PRVCUT_TIMELINE_FULL);
    for (size_t i = 0; i < t->states; i++)
        t->state[i] = (struct prvcut_timeline_state){ m->label, colours[i], 1000000 >> i };
    for (uint32_t row = 0; row < t->rows; row++) {
        t->thread[row] = row;
        t->object[row][0] = t->object[row][2] = 1;
        t->object[row][1] = row + 1;
        t->object[row][3] = row;
        t->name[row] = m->name;
        for (uint32_t i = row; i < t->columns; i++)
            t->cell[(size_t)row * t->columns + i] =
                (uint8_t)(made_noise(&seed) > 0.2 ? 1 + (i / 3 + row) % 5
                          : i % 200 < 120         ? 1
                                                  : 2);
    }
    made_messages(t);
}

static void made_curves(struct made *m, const struct made_plan *plan)
{
    const struct made_structure *s = &m->reduction.structure;
    const double step = (double)s->is.end_ns / MADE_POINTS;
    uint64_t seed = 5;

    (void)plan;
    m->run = made_room(MADE_POINTS, sizeof *m->run);
    for (size_t i = 0; i < MADE_POINTS; i++) {
        const double t = (double)i * step;

        m->run[i] = t < MADE_START || t > (double)s->region[1].is.span.end
                        ? 1 + made_noise(&seed)
                        : 5 + 2 * sin(6.2832 * t / MADE_PERIOD) + made_noise(&seed);
    }
    m->run[MADE_POINTS / 3] = 14; /* a peak of one bin that must be seen */
    m->page.run = (struct prvcut_curve){ "computing", "threads", 0, step, m->run, MADE_POINTS };
    for (size_t i = 0; i < 3; i++) {
        static const size_t regions[] = { 1, 3, 5 };
        const struct made_region *r = &s->region[regions[i]];
        const struct prvcut_span span = i == 0 ? r->is.span : s->region[r->is.parent].is.example;

        m->search[i] = (struct prvcut_page_search){ regions[i],
                                                    { "computing", "threads", (double)span.start,
                                                      (double)(span.end - span.start) / MADE_POINTS,
                                                      m->run, MADE_POINTS } };
    }
}

static void made_init(struct made *m, const struct made_plan *plan)
{
    struct made_reduction *r = &m->reduction;

    memset(m, 0, sizeof *m);
    m->name = strdup(plan->name);
    m->label = strdup(plan->name);
    made_votes(m);
    made_structure(m, plan);
    r->is.path = m->name;
    r->is.format = "paraver";
    r->is.suffix = ".prv";
    r->is.viewer = "wxparaver";
    r->is.numbered = true;
    r->is.bytes = r->is.text_bytes = 12300000;
    r->is.records = 245310;
    r->is.states = 100000;
    r->is.events = 140000;
    r->is.messages = 5310;
    r->is.end_ns = r->structure.is.end_ns;
    r->is.applications = 1;
    r->is.tasks = r->is.threads = 8;
    r->is.periodic = true;
    r->is.reason = "";
    r->is.period_ns = r->is.median_ns = MADE_PERIOD;
    r->is.iterations = (double)plan->iterations;
    r->is.phase = r->structure.region[1].is.span;
    r->is.confidence = 0.97;
    r->vote = m->vote;
    r->is.votes = 12;
    r->note[0] = m->label;
    r->is.notes = 1;
    r->is.elapsed_s = 1.25;
    made_chops(m, plan);
    made_threads(m, plan->rows);
    made_timeline(m, plan);
    made_curves(m, plan);
    m->page.reduction = r;
    m->page.command = m->name;
    m->page.search = m->search;
    m->page.searches = 3;
    m->page.timeline = m->timeline;
    m->page.timelines = 1;
}

static void made_fini(struct made *m)
{
    struct made_structure *s = &m->reduction.structure;
    struct prvcut_timeline *t = &m->timeline[0];

    free(s->region[1].is.border);
    free(s->region[1].outlier);
    free(s->region[1].departure);
    free(s->region);
    free(s->mask);
    free(m->reduction.chop[0].proof.row);
    free(m->reduction.chop[0].is.thread);
    free(m->reduction.chop);
    free(t->thread);
    free(t->name);
    free(t->object);
    free(t->state);
    free(t->cell);
    free(t->part);
    free(t->begins);
    free(t->message);
    free(m->run);
    free(m->name);
    free(m->label);
}

#endif
