#include "cuts.h"

#include "archive_cut.h"
#include "paraver_cut.h"
#include "sound.h"
#include "traces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum prvcut_status cuts_reduce(const char *path, int threads,
                               const struct prvcut_reduce_options *options,
                               struct prvcut_reduction **r, struct prvcut_error *err)
{
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_trace *trace;
    enum prvcut_status st = prvcut_trace_open(&trace, path, NULL, err);

    *r = NULL;
    if (st < 0)
        return st;
    st = prvcut_reduce(trace, &run, options, r, err);
    prvcut_trace_close(trace);
    return st;
}

/* What is cut, and where the cuts go. */
struct job {
    const struct truth *t;
    const char *path;
    unsigned iterations;        /* asked for */
    unsigned factor;            /* true ones in each of them */
    char folder[256];           /* scratch */
    char cut[2][512];           /* made by one and by two workers */
    struct prvcut_span window;  /* hull */
    bool aligned;               /* each process has its own borders: */
    struct prvcut_span *thread; /* [threads] of them; owned; else NULL */
    uint32_t threads;
};

static bool keep_windows(struct job *j, const struct prvcut_chop *chop)
{
    j->window = chop->cut->window;
    j->aligned = chop->align == PRVCUT_ALIGN_CALLS;
    free(j->thread);
    j->thread = NULL;
    if (!j->aligned || !chop->thread)
        return !j->aligned;
    j->threads = chop->threads;
    j->thread = calloc((size_t)j->threads + 1, sizeof *j->thread);
    if (j->thread)
        memcpy(j->thread, chop->thread, j->threads * sizeof *j->thread);
    return j->thread != NULL;
}

static bool reduce_once(struct job *j, int i, struct prvcut_error *err)
{
    const struct prvcut_reduce_options options = {
        .iterations = j->iterations,
        .cut =
            &(const struct prvcut_cut_options){ .path = j->cut[i],
                                                .keep_time = strcmp(j->t->format, "paraver") != 0,
                                                .own_clocks = true },
    };
    struct prvcut_reduction *r;
    const enum prvcut_status st = cuts_reduce(j->path, i + 1, &options, &r, err);
    const bool kept = r && r->chops > 0 && keep_windows(j, prvcut_reduction_chop(r, 0));

    prvcut_reduction_free(r);
    return st == PRVCUT_OK && kept;
}

/* The middle of a trace. */
static bool cut_once(struct job *j, int i, struct prvcut_error *err)
{
    const struct prvcut_cut_options options = { .path = j->cut[i],
                                                .keep_time = true,
                                                .own_clocks = true };
    const struct prvcut_run run = { .threads = i + 1 };
    struct prvcut_trace *trace;
    struct prvcut_cut_summary *sum = NULL;
    struct prvcut_span window;
    enum prvcut_status st = prvcut_trace_open(&trace, j->path, NULL, err);

    if (st < 0)
        return false;
    window.start = prvcut_trace_end(trace) / 4;
    window.end = prvcut_trace_end(trace) / 4 * 3;
    st = prvcut_cut(trace, &run, &window, &options, &sum, err);
    prvcut_cut_summary_free(sum);
    prvcut_trace_close(trace);
    return st == PRVCUT_OK;
}

/* --- Paraver -------------------------------------------------------------------------------- */

static const char *judge_paraver(struct job *j, struct cut_verdict *out)
{
    const struct paraver_cut c = {
        j->path, j->cut[0], j->folder, j->window, j->thread, j->threads
    };
    const char *wrong = paraver_cut_compare(&c);
    size_t held;

    if (!*wrong)
        wrong = paraver_cut_count(&c, &held);
    if (!*wrong)
        out->least = out->most = (double)held;
    return wrong;
}

/* --- Archives ------------------------------------------------------------------------------- */

/* Where a process of an archive stands in what the tool printed: OTF2 has its location; in OTF
   processes with events are the ranks in order. */
static const struct archive_place *place_of(const struct archive_text *t, const struct truth *truth,
                                            const struct rank_marks *m)
{
    if (strcmp(truth->format, "otf2") != 0)
        return m->rank < t->places ? &t->place[m->rank] : NULL;
    for (size_t i = 0; i < t->places; i++)
        if (t->place[i].id == m->location)
            return &t->place[i];
    return NULL;
}

/* Marks in an iteration: a program may mark what it repeats within one (HPCG). */
static double marks_each(const struct truth *t, const struct marks *m)
{
    const double length = (m->at[m->count - 1] - m->at[0]) / (double)(m->count - 1);

    return t->low > 1.5 * length ? t->low / length : 1;
}

/*
 * True iterations in a process's own window. A window from one call of an iteration to the same
 * call two iterations on holds two marks, however unequal the iterations are; the fractions of the
 * first and the last one depend on their lengths.
 */
static double held_by(const struct job *j, const struct marks *m, const struct archive_place *p,
                      size_t *first)
{
    const double wanted = j->iterations * (double)j->factor, each = marks_each(j->t, m);
    const double inside = (double)marks_inside(m, (double)p->first, (double)p->last, first) / each;
    const double between = marks_between(m, (double)p->first, (double)p->last) / each;

    return fabs(inside - wanted) < fabs(between - wanted) ? inside : between;
}

static void count_iterations(const struct job *j, const struct archive_text *cut,
                             struct cut_verdict *out)
{
    size_t ranks, first, begins = 0;
    struct rank_marks *m = rank_marks_read(j->path, &ranks);

    for (size_t i = 0; i < ranks && !*out->wrong; i++) {
        const struct archive_place *p = place_of(cut, j->t, &m[i]);
        double held;

        if (!p || m[i].marks.count < 2) {
            out->wrong = "lacks a process";
            break;
        }
        held = held_by(j, &m[i].marks, p, &first);
        out->least = i == 0 || held < out->least ? held : out->least;
        out->most = i == 0 || held > out->most ? held : out->most;
        begins = i == 0 ? first : begins;
        if (j->aligned && first != begins)
            out->wrong = "keeps other iterations of some processes";
    }
    rank_marks_free(m, ranks);
}

static const char *judge_archive(struct job *j, struct cut_verdict *out)
{
    const bool straight = j->t->kind != TRUTH_PERIODIC;
    struct archive_text original, cut = { .items = 0 };
    const char *wrong = "cannot be printed";

    if (archive_text_read(&original, j->t->format, j->path, j->folder) &&
        archive_text_read(&cut, j->t->format, j->cut[0], j->folder)) {
        wrong = archive_cut_judge(&original, &cut, straight);
        if (!*wrong && !straight) {
            count_iterations(j, &cut, out);
            wrong = out->wrong;
        }
    }
    archive_text_fini(&original);
    archive_text_fini(&cut);
    return wrong;
}

/* --- All ------------------------------------------------------------------------------------ */

static bool same_cuts(const struct job *j)
{
    return traces_shell("diff -r -q '%s/1' '%s/2' >&2", j->folder, j->folder);
}

static const char *judge(struct job *j, struct cut_verdict *out)
{
    struct prvcut_error err = { 0 };

    for (int i = 0; i < 2; i++) {
        snprintf(j->cut[i], sizeof j->cut[i], "%s/%d/cut.%s", j->folder, i + 1,
                 strcmp(j->t->format, "paraver") == 0 ? "prv" : j->t->format);
        if (!traces_shell("mkdir '%s/%d'", j->folder, i + 1) ||
            !(j->t->kind == TRUTH_ANY ? cut_once(j, i, &err) : reduce_once(j, i, &err))) {
            printf("%s\n", err.text);
            return "was not made";
        }
    }
    if (!same_cuts(j))
        return "depends on the number of workers";
    if (!sound_as(j->cut[0], j->path))
        return "is not sound";
    return strcmp(j->t->format, "paraver") == 0 ? judge_paraver(j, out) : judge_archive(j, out);
}

bool cuts_judge(const struct truth *t, const char *path, unsigned iterations, unsigned factor,
                struct cut_verdict *out)
{
    const char *base = getenv("TMPDIR");
    struct job j = { .t = t, .path = path, .iterations = iterations, .factor = factor };

    *out = (struct cut_verdict){ .wrong = "" };
    if (strcmp(t->format, "paraver") != 0 && !archive_text_can(t->format))
        return false;
    snprintf(j.folder, sizeof j.folder, "%s/prvcut-accuracy.XXXXXX", base && *base ? base : "/tmp");
    out->wrong = mkdtemp(j.folder) ? judge(&j, out) : "has no place to go to";
    free(j.thread);
    traces_shell("rm -rf '%s'", j.folder);
    return true;
}
