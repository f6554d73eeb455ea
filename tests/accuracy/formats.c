/*
 * Is a run's answer the same in whatever format it is written? Real traces, each converted into
 * every format that is built in, and asked again: status, iterations, period and the window that
 * would be cut.
 *
 * usage   accuracy_formats [NAME...]   these only; none: a few, or with EVERY_FORMAT in the
 *                                      environment all but the largest
 * exit    1 where two answers differ that need not (see EXCEPTIONS); 0 also without traces
 */
#include "prvcut/convert.h"
#include "prvcut/reduce.h"

#include "built.h"
#include "runner.h"
#include "traces.h"
#include "truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PERIOD  0.01  /* of a period: the same one */
#define BORDER  0.1   /* of a period: the same border of a window */
#define WINDOWS 0.1   /* of the answers that are the same: as many with another window */
#define ALIKE   0.005 /* of the messages that a conversion may leave out and still be whole */

static const char *const folders[] = { "", "apps", "lots", "more" };
static const char *const formats[][2] = { { "paraver", "prv" },
                                          { "otf2", "otf2" },
                                          { "otf", "otf" } };

#define FORMATS (sizeof formats / sizeof *formats)

/* Of each kind of difference between formats one, and small. */
static const char *const few[] = {
    "lu.S.8.flush", /* sites, a call on several lines, flushes */
    "ft.W.4",       /* collectives */
    "q.short4.4",   /* receives that are posted and completed by different calls */
    "q.scfmd.2",    /* loops in loops */
    "q.noloop.5",   /* no loop */
    "lu.S.4-aux",   /* from OTF */
    "cg.S.16",      /* from OTF2, skewed clocks */
    "r.parareal.6", /* pipelines */
};

/* EXCEPTIONS: what a format cannot hold and the answer needs; for messages see left_out. */
static const struct {
    const char *name, *to, *why;
} exceptions[] = {
    { "sp.W.9.burst", "otf", "bursts are states, and OTF has none" },
};

/* Too large to be converted thrice. */
static const char *const large[] = { "lu.A.16" };

struct answer {
    enum prvcut_status status;
    double period, iterations;
    struct prvcut_span window;
};

static bool among(const char *const *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

#define AMONG(list, name) among(list, sizeof(list) / sizeof *(list), name)

static bool ask(struct answer *a, const char *path)
{
    const struct prvcut_reduce_options options = { .iterations = 1,
                                                   .align = PRVCUT_ALIGN_STRAIGHT,
                                                   .cut = &(const struct prvcut_cut_options){
                                                       .dry_run = true } };
    const struct prvcut_run run = { .threads = 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_reduction *r;
    struct prvcut_trace *trace;

    *a = (struct answer){ .status = prvcut_trace_open(&trace, path, NULL, &err) };
    if (a->status == PRVCUT_OK) {
        a->status = prvcut_reduce(trace, &run, &options, &r, &err);
        if (a->status == PRVCUT_OK) {
            a->period = r->period_ns;
            a->iterations = r->iterations;
            a->window = r->chops > 0 ? prvcut_reduction_chop(r, 0)->cut->window : r->phase;
        }
        prvcut_reduction_free(r);
        prvcut_trace_close(trace);
    }
    if (a->status < 0)
        printf("%s: %s\n", path, err.text);
    return a->status >= 0;
}

/* What kept the answer from being the same; NULL: it is. */
static const char *difference(const struct answer *a, const struct answer *b)
{
    const double room = BORDER * a->period;

    if (a->status != b->status)
        return "status";
    if (a->status != PRVCUT_OK)
        return NULL;
    if (fabs(a->iterations - b->iterations) >= 0.5)
        return "iterations";
    if (fabs(a->period - b->period) > PERIOD * a->period)
        return "period";
    if (fabs((double)a->window.start - (double)b->window.start) > room ||
        fabs((double)a->window.end - (double)b->window.end) > room)
        return "window";
    return NULL;
}

/*
 * What a format cannot hold of messages, where it is more than a few; NULL: all that the calls tell
 * went along. EZTrace records a receive that MPI_Waitany or MPI_Waitsome completes with what memory
 * holds in place of the sender, tag and size: no format can name such a partner, but the numbers
 * differ from one place of the program to the next, and the search sees them in the original
 * (lmp.peptide: in the set-up they are others than in the loop).
 */
static const char *left_out(const struct prvcut_convert_summary *sum)
{
    const double most = ALIKE * (double)(sum->read.messages + sum->read.sends + sum->read.receives);

    if ((double)sum->unmatched > most)
        return "messages without their other end";
    return (double)prvcut_convert_summary_lost(sum, PRVCUT_CARRY_MESSAGES) > most
               ? "messages from no process of the trace"
               : NULL;
}

/* Convert; *lost: see left_out. */
static bool convert(const char *from, const char *format, const char *to, const char **lost)
{
    const struct prvcut_convert_options options = { .path = to, .format = format, .force = true };
    const struct prvcut_run run = { .threads = 0 };
    struct prvcut_convert_summary *sum = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace;
    enum prvcut_status st = prvcut_trace_open(&trace, from, NULL, &err);

    if (st != PRVCUT_OK)
        return false;
    st = prvcut_convert(trace, &run, &options, &sum, &err);
    *lost = left_out(sum);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(trace);
    if (st != PRVCUT_OK)
        printf("%s to %s: %s\n", from, format, err.text);
    return st == PRVCUT_OK;
}

static const char *exception(const char *name, const char *to)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strcmp(exceptions[i].name, name) == 0 && strcmp(exceptions[i].to, to) == 0)
            return exceptions[i].why;
    return NULL;
}

struct score {
    unsigned same, windows, excused, different, failed;
};

static void compare(const struct truth *t, const char *path, const char *scratch, size_t format,
                    const struct answer *want, struct score *s)
{
    const char *to = formats[format][0], *differs, *excuse = exception(t->name, to), *lost;
    struct answer have;
    char out[512];

    snprintf(out, sizeof out, "%s/out.%s", scratch, formats[format][1]);
    if (!convert(path, to, out, &lost) || !ask(&have, out)) {
        s->failed++;
        return;
    }
    differs = difference(want, &have);
    if (differs && !excuse)
        excuse = lost;
    /*
     * Of several windows that are nearly alike another one is the best, or the same iteration is
     * cut a little earlier, where a format tells less of what the choice looks at: jams of the
     * network (masked, so that other iterations are left) are seen in whole messages alone, not
     * where the ends are recorded apart; when a receive was posted, which counts as under way from
     * there on; states (OTF has none); a process's own clock.
     */
    if (differs && !excuse && strcmp(differs, "window") == 0)
        excuse = "alike";
    s->same += !differs;
    s->windows += differs && strcmp(differs, "window") == 0;
    s->excused += differs && strcmp(differs, "window") != 0 && excuse;
    s->different += differs && !excuse;
    if (differs)
        printf("%-18s %-8s as %-8s %s %s: %.0f of %.0f ns, not %.0f of %.0f ns%s%s\n", t->name,
               t->format, to, excuse ? "other" : "WRONG", differs, have.iterations, have.period,
               want->iterations, want->period, excuse ? "; " : "", excuse ? excuse : "");
    fflush(stdout);
}

static void measure(const char *folder, const struct truth *t, const char *scratch, struct score *s)
{
    struct answer want;
    char path[4096];

    if (!test_reads(t->format))
        return;
    if (!traces_unpack_file(folder, t->file, path, sizeof path) || !ask(&want, path)) {
        printf("%s FAILED\n", t->name);
        s->failed++;
        return;
    }
    for (size_t i = 0; i < FORMATS; i++)
        if (test_reads(formats[i][0]))
            compare(t, path, scratch, i, &want, s);
}

static bool wanted(const struct truth *t, int names, char **name)
{
    for (int i = 0; i < names; i++)
        if (strcmp(name[i], t->name) == 0)
            return true;
    if (names > 0 || t->kind == TRUTH_ANY)
        return false;
    return getenv("EVERY_FORMAT") ? !AMONG(large, t->name) : AMONG(few, t->name);
}

static void measure_folder(const char *folder, const char *scratch, struct score *s, int names,
                           char **name)
{
    char path[4096];
    struct truth *truth;
    size_t all;

    snprintf(path, sizeof path, "%s/%s", traces_folder(), folder);
    truth = truth_read(path, &all);
    for (size_t i = 0; truth && i < all; i++)
        if (wanted(&truth[i], names, name))
            measure(folder, &truth[i], scratch, s);
    free(truth);
}

int main(int argc, char **argv)
{
    const char *base = getenv("TMPDIR");
    struct score s = { 0 };
    char scratch[256];
    bool good;

    if (!traces_folder()) {
        printf("no traces (PRVCUT_TRACES names their folder)\n");
        return test_status(true);
    }
    snprintf(scratch, sizeof scratch, "%.200s/prvcut-formats.XXXXXX",
             base && *base ? base : "/tmp");
    if (!mkdtemp(scratch))
        return 1;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        measure_folder(folders[i], scratch, &s, argc - 1, argv + 1);
    traces_shell("rm -rf '%s'", scratch);
    good = s.different == 0 && s.failed == 0 && s.windows <= WINDOWS * s.same;
    printf("%s: %u answers are the same in another format, %u but for the window (at most "
           "%.0f %%), %u differ for a reason, %u for none, %u failed\n",
           good ? "holds" : "DOES NOT HOLD", s.same, s.windows, 100 * WINDOWS, s.excused,
           s.different, s.failed);
    return test_status(good);
}
