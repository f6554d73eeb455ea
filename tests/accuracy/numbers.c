/*
 * Does every number mean what its heading says? On real traces: a period times its iterations is
 * the span it stands for, in the headline, in each region and in what each signal says; the loop
 * has one number in headline, structure, proof and JSON.
 *
 * usage   numbers
 * exit    1 where a number is off by more than ROOM; 0 also where there are no traces
 */
#include "built.h"
#include "cuts.h"
#include "model/made.h"
#include "prvcut/inspect.h"
#include "runner.h"
#include "traces.h"
#include "truth.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 0.01
/* Of a report. */
#define LINES 10
#define WIDTH 80
/* By so much may a cut differ from a period that was given, and that many times the usual length is
   no period of the loop. */
#define LAID  0.06
#define OTHER 1.7

/* Traces whose first or last iteration is none like the others, and one without any such. */
static const char *const always[] = {
    "paraver ft.A.2", "otf2 cg.W.4", "otf cg.S.4", "paraver q.couple-tied.4",
    /* What was found over all of the run is several loops. */
    "otf2 lmp.peptide", "paraver q.twoloops.4",
    /* Inner loops in a small part of the iteration around. */
    "paraver lu.S.4", "paraver q.study.5", "paraver q.couple-free.4",
    /* Signals with pauses. */
    "paraver lu.S.8.flush", "paraver bt.W.9.flush", "paraver q.amr-cycles.2",
    /* Reports with much to tell. */
    "paraver q.amr-steps.4", "paraver sp.W.9.burst", "otf2 is.W.4", "otf2 mpikinds.4",
    "paraver qe.si", "otf2 of.piso", "otf2 lu.W.4", "paraver p.compss-com",
    "paraver p.mess-lulesh71-socket"
};

/* What is wrong is told with the trace's name. */
struct trace {
    const char *name;
    unsigned number;
    unsigned compared, wrong;
};

static void compare(struct trace *t, const char *what, double have, double want)
{
    t->compared++;
    if (fabs(have - want) <= ROOM * fabs(want))
        return;
    t->wrong++;
    printf("%-28s %s: %.10g, not %.10g\n", t->name, what, have, want);
}

static double length(struct prvcut_span s)
{
    return (double)(s.end - s.start);
}

static void shorten(char *name)
{
    const char *slash = name ? strrchr(name, '/') : NULL;

    if (slash && slash[1])
        memmove(name, slash + 1, strlen(slash));
}

/* What a run in the trace's folder gives: names are short. */
static enum prvcut_status reduce(const char *path, const struct prvcut_reduce_options *options,
                                 struct prvcut_reduction **out)
{
    struct prvcut_error err = { 0 };
    const enum prvcut_status st = cuts_reduce(path, 0, options, out, &err);
    const struct prvcut_reduction *r = *out;

    if (!r)
        return st;
    shorten(made_reduction_of(r)->typed);
    for (size_t i = 0; i < r->chops; i++) {
        shorten(prvcut_reduction_chop(r, i)->path);
        for (size_t k = 0; k < prvcut_reduction_chop(r, i)->cut->files; k++)
            shorten(prvcut_reduction_chop(r, i)->cut->file[k]);
    }
    return st;
}

static void check_vote(struct trace *t, const struct prvcut_vote *v, const char *of)
{
    char what[128];

    if (!(v->period_ns > 0))
        return;
    snprintf(what, sizeof what, "%s: %s, which %s", of, v->metric, prvcut_stand_text(v->status));
    compare(t, what, v->period_ns * v->iterations, length(v->span));
}

static void check_regions(struct trace *t, const struct prvcut_structure *s, const char *of)
{
    char what[96];

    for (size_t i = 0; i < s->regions; i++) {
        const struct prvcut_region *r = prvcut_structure_region(s, i);

        if (r->number == 0)
            continue;
        snprintf(what, sizeof what, "%s, region %u.%u", of, r->level, r->number);
        compare(t, what, r->period_ns * r->iterations, length(r->span));
        for (size_t k = 0; k < r->votes; k++) {
            const struct prvcut_vote *v = prvcut_region_vote(r, k);

            check_vote(t, v, what);
            if (r->iterations + 0.5 > (double)r->loop_iterations &&
                v->status == PRVCUT_STAND_CHOSEN)
                compare(t, what, v->period_ns, r->period_ns);
        }
    }
}

/* The only region of the loop that the headline tells of; NULL: it has several, or other ends. */
static const struct prvcut_region *whole(const struct prvcut_structure *s,
                                         const struct prvcut_reduction *r)
{
    const struct prvcut_region *only = NULL;

    for (size_t i = 0; i < s->regions; i++) {
        if (prvcut_structure_region(s, i)->level != 1 || prvcut_structure_region(s, i)->number == 0)
            continue;
        if (only)
            return NULL;
        only = prvcut_structure_region(s, i);
    }
    return only && only->span.start == r->phase.start && only->span.end == r->phase.end ? only
                                                                                        : NULL;
}

static void check_proofs(struct trace *t, const struct prvcut_reduction *r)
{
    for (size_t i = 0; i < r->chops; i++) {
        const struct prvcut_chop *chop = prvcut_reduction_chop(r, i);
        const struct prvcut_region *of = prvcut_structure_region(r->structure, chop->region);
        const double told = chop->proof->iterations_region;

        if (!chop->proof->verdict)
            continue;
        /* What is disturbed does not count, but the loop has no more than it has. */
        if (chop->of_loop)
            compare(t, "proof", told,
                    fmin(fmax(told, chop->iterations), (double)of->loop_iterations));
        else if (of->iterations > chop->iterations + 0.5 && told > of->iterations - 1)
            compare(t, "proof", told, of->iterations);
    }
}

/* What one iteration holds as its program says, a row a thing. */
static const struct {
    const char *trace, *call;
    double each; /* in an iteration of one thread */
} known[] = { { "ft.A.2", "MPI_Alltoall", 1 }, { "ft.A.2", "MPI_Reduce", 1 } };

/* Counts sum from border to border: neither more nor less than the iterations hold. */
static void check_held(struct trace *t, const struct prvcut_reduction *r)
{
    for (size_t i = 0; i < r->chops; i++) {
        const struct prvcut_proof *p = prvcut_reduction_chop(r, i)->proof;

        for (size_t k = 0; k < p->rows; k++) {
            const struct prvcut_proof_row *row = prvcut_proof_row(p, k);

            for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
                if (row->unit != PRVCUT_PROOF_IN_COUNT || strcmp(known[n].trace, t->name) != 0 ||
                    strcmp(known[n].call, row->name) != 0)
                    continue;
                compare(t, row->name, row->region, known[n].each * r->threads);
                compare(t, row->name, row->chop, known[n].each * r->threads);
            }
            for (size_t m = 0; m < k; m++) {
                const struct prvcut_proof_row *other = prvcut_proof_row(p, m);

                t->wrong += row->unit == other->unit && row->group == other->group &&
                            strcmp(row->name, other->name) == 0 &&
                            printf("%-28s two rows of %s\n", t->name, row->name) > 0;
            }
        }
    }
}

static double number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

static double json_span(const json_t *o)
{
    return number(o, "end_ns") - number(o, "start_ns");
}

static void check_json_regions(struct trace *t, const json_t *list, const char *of)
{
    const json_t *r;
    size_t i;

    json_array_foreach(list, i, r) if (json_is_number(json_object_get(r, "iterations")))
        compare(t, of, number(r, "period_ns") * number(r, "iterations"), json_span(r));
}

static void check_json(struct trace *t, const struct prvcut_reduction *r)
{
    struct prvcut_error err = { 0 };
    char *text = NULL;
    json_t *all =
        prvcut_reduction_json(r, &text, &err) == PRVCUT_OK ? json_loads(text, 0, NULL) : NULL;

    compare(t, "JSON", number(all, "period_ns") * number(all, "iterations_in_phase"),
            json_span(json_object_get(all, "phase")));
    compare(t, "JSON, the period", number(all, "period_ns"), r->period_ns);
    check_json_regions(t, json_object_get(all, "phases"), "JSON, phases");
    check_json_regions(t, json_object_get(json_object_get(all, "structure"), "regions"),
                       "JSON, regions");
    json_decref(all);
    free(text);
}

/* Behind what stands there first: a number with commas; NAN: it does not stand there. */
static double told(const char *text, const char *before)
{
    const char *at = text ? strstr(text, before) : NULL;
    double n = 0;

    if (!at)
        return NAN;
    for (at += strlen(before); *at == ',' || (*at >= '0' && *at <= '9'); at++)
        n = *at == ',' ? n : 10 * n + (*at - '0');
    return n;
}

/*
 * First line, loop and JSON count the iterations that were found over all of the run; structure's
 * sentence those of the loop that is the most of it, where several were found.
 */
static void check_counts(struct trace *t, const struct prvcut_reduction *r)
{
    const struct prvcut_structure *s = r->structure;
    const uint64_t most =
        s->main < s->regions ? prvcut_structure_region(s, s->main)->loop_iterations : 0;
    struct prvcut_error err = { 0 };
    char *brief = NULL, *json = NULL, *sentence = NULL;
    json_t *o;

    if (most == 0 || r->chops != 1 || prvcut_reduction_chop(r, 0)->region != s->main)
        return;
    if (prvcut_reduction_brief(r, 80, &brief, &err) == PRVCUT_OK &&
        prvcut_reduction_json(r, &json, &err) == PRVCUT_OK &&
        prvcut_structure_brief(s, 80, &sentence, &err) == PRVCUT_OK) {
        compare(t, "first line", told(brief, ": 1 of "), round(r->iterations));
        compare(t, "Loop", told(brief, "Loop        "), round(r->iterations));
        compare(t, "structure's sentence", told(sentence, ""), (double)most);
        o = json_loads(json, 0, NULL);
        compare(t, "JSON, the iterations", number(o, "iterations_in_phase"), r->iterations);
        json_decref(o);
    }
    free(brief);
    free(json);
    free(sentence);
}

static void check_structure(struct trace *t, const char *path, const struct prvcut_reduction *r)
{
    const struct prvcut_run run = { .threads = 0 };
    const struct prvcut_structure_options options = { .levels = 0 };
    const struct prvcut_region *one;
    struct prvcut_error err = { 0 };
    struct prvcut_structure *s = NULL;
    struct prvcut_trace *trace;

    if (prvcut_trace_open(&trace, path, NULL, &err) < 0)
        return;
    if (prvcut_structure_find(trace, &run, &options, &s, &err) == PRVCUT_OK) {
        check_regions(t, s, "structure");
        one = whole(s, r);
        if (one) {
            compare(t, "structure, the period", one->period_ns, r->period_ns);
            compare(t, "structure, the median", one->median_ns, r->median_ns);
            compare(t, "structure, the iterations", one->iterations, r->iterations);
        }
    }
    prvcut_structure_free(s);
    prvcut_trace_close(trace);
}

/* Columns of a line, up to its end. */
static size_t columns(const char *line)
{
    size_t n = 0;

    for (; *line && *line != '\n'; line++)
        n += ((unsigned char)*line & 0xc0) != 0x80;
    return n;
}

/* A report is short and narrow; commands are as long as they are. */
static void check_screen(struct trace *t, const char *text)
{
    const char *next = strstr(text, "\nNext");
    unsigned lines = 0;
    size_t widest = 0;

    for (const char *at = text; *at; at += strcspn(at, "\n") + 1) {
        if (!next || at < next)
            widest = columns(at) > widest ? columns(at) : widest;
        lines++;
    }
    t->compared++;
    if (lines > LINES || widest > WIDTH) {
        t->wrong++;
        printf("%-28s a report of %u lines and %zu columns:\n%s", t->name, lines, widest, text);
    }
}

/* So is that of one cut, or of none. */
static void check_lines(struct trace *t, const struct prvcut_reduction *r)
{
    struct prvcut_error err = { 0 };
    char *text = NULL;

    if (r->chops < 2 && prvcut_reduction_brief(r, WIDTH, &text, &err) == PRVCUT_OK)
        check_screen(t, text);
    free(text);
}

/* And what there is in a trace. */
static void check_info(struct trace *t, const char *path)
{
    const struct prvcut_run run = { .columns = WIDTH };
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace;
    char *text = NULL;

    if (prvcut_trace_open(&trace, path, NULL, &err) < 0)
        return;
    if (prvcut_info(trace, &run, PRVCUT_TEXT, &text, &err) == PRVCUT_OK)
        check_screen(t, text);
    free(text);
    prvcut_trace_close(trace);
}

/* Is the cut one of iterations that were told one by one, not of the period alone? */
static bool is_told(const struct prvcut_reduction *r)
{
    const struct prvcut_chop *chop = prvcut_reduction_chop(r, 0);

    return chop->iteration > 0 || chop->inside;
}

/* What disturbs a run, and how often its loop repeats, is the run's, whatever period is given: but
   that may be the one of another of its loops. */
static void check_shown(struct trace *t, const struct prvcut_reduction *r,
                        const struct prvcut_reduction *given)
{
    if (is_told(given))
        return;
    compare(t, "disturbances beside a given period", (double)given->structure->masks,
            (double)r->structure->masks);
    for (size_t i = 0; i < r->structure->masks && i < given->structure->masks; i++)
        compare(t, "a disturbance beside a given period",
                length(prvcut_structure_mask(given->structure, i)->span),
                length(prvcut_structure_mask(r->structure, i)->span));
    for (size_t i = 0; i < given->votes; i++)
        if (prvcut_reduction_vote(given, i)->status == PRVCUT_STAND_CHOSEN)
            compare(t, "the run's period beside a given one",
                    prvcut_reduction_vote(given, i)->period_ns, r->period_ns);
}

/* Asked for a period, a cut has iterations of that period: those of the loop that repeats as often,
   else as much time on the whole. */
static void check_given(struct trace *t, const char *path, double period_ns,
                        const struct prvcut_reduction *like, double iterations)
{
    const struct prvcut_reduce_options options = { .iterations = 2,
                                                   .period_ns = (uint64_t)period_ns,
                                                   .proof = period_ns == like->median_ns,
                                                   .cut = &(const struct prvcut_cut_options){
                                                       .dry_run = true } };
    struct prvcut_reduction *r;

    if (reduce(path, &options, &r) == PRVCUT_OK && r->chops == 1) {
        check_lines(t, r);
        check_shown(t, like, r);
        if (iterations > 0)
            compare(t, "iterations of a period typed back", r->iterations, iterations);
        if (!is_told(r))
            t->wrong += fabs(length(prvcut_reduction_chop(r, 0)->cut->window) / (2 * period_ns) -
                             1) > LAID &&
                        printf("%-28s a cut of 2 x %.0f ns has %.0f\n", t->name, period_ns,
                               length(prvcut_reduction_chop(r, 0)->cut->window)) > 0;
    }
    prvcut_reduction_free(r);
}

/* Periods that are given: another one of three with each trace, in full mode all. */
static void check_periods(struct trace *t, const char *path, const struct prvcut_reduction *r)
{
    const struct {
        double period_ns, iterations;
    } given[] = { { r->median_ns, r->iterations },
                  { r->period_ns, r->iterations },
                  { r->median_ns * OTHER, 0 } };
    const size_t count = sizeof given / sizeof *given;

    for (size_t i = 0; i < count; i++)
        if (traces_take() == TRACES_ALL || i == t->number % count)
            check_given(t, path, given[i].period_ns, r, given[i].iterations);
}

static void check(struct trace *t, const char *path)
{
    const struct prvcut_reduce_options options = { .iterations = 1,
                                                   .all_levels = true,
                                                   .proof = true,
                                                   .cut = &(const struct prvcut_cut_options){
                                                       .dry_run = true } };
    struct prvcut_reduction *r;
    const enum prvcut_status st = reduce(path, &options, &r);

    if (st == PRVCUT_OK) {
        compare(t, "headline", r->period_ns * r->iterations, length(r->phase));
        for (size_t i = 0; i < r->votes; i++)
            check_vote(t, prvcut_reduction_vote(r, i), "headline");
        check_regions(t, r->structure, "reduction");
        check_proofs(t, r);
        check_held(t, r);
        check_json(t, r);
        check_counts(t, r);
        check_structure(t, path, r);
        if (r->calls_per_iteration > 0 && r->iterations >= 5 && r->given_ns == 0)
            check_periods(t, path, r);
    }
    if (st >= 0)
        check_lines(t, r);
    prvcut_reduction_free(r);
}

static bool wanted(const struct truth *t)
{
    char both[128];

    snprintf(both, sizeof both, "%s %s", t->format, t->name);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (strcmp(always[i], both) == 0)
            return true;
    return traces_wanted(t->format, t->name);
}

/* All wanted traces of a folder: these found there, those wrong added. */
static void check_folder(const char *folder, unsigned *seen, unsigned *wrong)
{
    size_t count = 0;
    struct truth *truth = truth_read(folder, &count);
    char path[4096];

    setenv("PRVCUT_TRACES", folder, 1);
    for (size_t i = 0; i < count; i++) {
        struct trace t = { .name = truth[i].name, .number = *seen };

        if (!wanted(&truth[i]) || !test_reads(truth[i].format))
            continue;
        if (strcmp(truth[i].format, "paraver") == 0
                ? !traces_unpack(t.name, path, sizeof path)
                : !traces_unpack_archive(truth[i].format, t.name, path, sizeof path)) {
            printf("%-28s cannot be unpacked\n", t.name);
            t.wrong++;
        } else {
            check(&t, path);
            check_info(&t, path);
            t.wrong += t.compared == 0;
        }
        printf("%-28s %u numbers, %u wrong\n", t.name, t.compared, t.wrong);
        fflush(stdout);
        *wrong += t.wrong;
        ++*seen;
    }
    free(truth);
}

int main(void)
{
    static const char *const parts[] = { "", "/apps", "/lots" };
    const char *found = traces_folder();
    char top[2048], folder[4096];
    unsigned seen = 0, wrong = 0;

    if (!found) {
        printf("no traces (PRVCUT_TRACES names their folder)\n");
        return test_status(true);
    }
    snprintf(top, sizeof top, "%s", found);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(folder, sizeof folder, "%s%s", top, parts[i]);
        check_folder(folder, &seen, &wrong);
    }
    printf("\n%u traces, %u numbers wrong\n", seen, wrong);
    return test_status(wrong == 0 && seen > 0);
}
