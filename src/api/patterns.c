#include "prvcut/patterns.h"
#include "api/answers.h"
#include "api/entries.h"

#include "analysis/patterns/numbers.h"
#include "analysis/patterns/points.h"
#include "api/bits.h"
#include "api/called.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/patterns_ask.h"
#include "api/patterns_repeats.h"
#include "base/memory.h"
#include "model/rules.h"
#include "model/texts.h"

#include <inttypes.h>
#include <stdlib.h>

#define NAME_ROOM   160
#define POINTS_TOLD 10

/* --- Options ---------------------------------------------------------------------------------- */

static const struct api_bit apt_kind[] = {
    { "mpi", PRVCUT_PATTERNS_OF_MPI },
    { "openmp", PRVCUT_PATTERNS_OF_OPENMP },
    { "pthread", PRVCUT_PATTERNS_OF_PTHREAD },
    { "function", PRVCUT_PATTERNS_OF_FUNCTION },
};

enum prvcut_status prvcut_patterns_kinds(const char *text, uint32_t *of, struct prvcut_error *err)
{
    return api_bits_read(apt_kind, sizeof apt_kind / sizeof *apt_kind, text, "calls",
                         "mpi, openmp, pthread and function", of, err);
}

static enum prvcut_status ptrn_check(const struct prvcut_trace *trace,
                                     const struct prvcut_patterns_options *o,
                                     struct prvcut_error *err)
{
    if (o->only.end > 0 && o->only.end <= o->only.start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it begins at %" PRIu64 "ns and ends at %" PRIu64
                           "ns",
                           o->only.start, o->only.end);
    if (!prvcut_symbols_text(o->symbols) || !prvcut_tolerant_text(o->tolerant) || o->of > 15)
        return prvcut_fail(err, PRVCUT_EUSAGE, "unknown symbols, tolerance or calls");
    return o->only.start > 0 ? prvcut_window_begins_within(o->only.start, trace->end_ns, err)
                             : PRVCUT_OK;
}

/* --- What is made of it ----------------------------------------------------------------------- */

static enum prvcut_status ptrn_keep(const char **to, struct made_patterns *out, const char *text,
                                    struct prvcut_error *err)
{
    const enum prvcut_status st = prvcut_texts_add(&out->text, &out->texts, text, err);

    *to = st == PRVCUT_OK ? out->text[out->texts - 1] : NULL;
    return st;
}

static enum prvcut_status ptrn_threads(struct made_patterns *out, const struct prvcut_trace *t,
                                       const struct prvcut_dictionary *names,
                                       struct prvcut_error *err)
{
    const uint32_t threads = t->objects.threads;
    char text[48];

    out->thread_name = prvcut_zeroed(threads, sizeof *out->thread_name, "threads", err);
    out->rank = prvcut_zeroed(threads, sizeof *out->rank, "threads", err);
    if (!out->thread_name || !out->rank)
        return PRVCUT_ENOMEM;
    out->thread_names = threads;
    out->by_number = !t->reader->by_thread;
    for (uint32_t i = 0; i < threads; i++) {
        const bool own = t->reader->by_thread && names->thread && names->thread[i];

        out->thread_name[i] = prvcut_copied_text(
            own ? names->thread[i] : prvcut_objects_number_text(&t->objects, i, text), "a name",
            err);
        if (!out->thread_name[i])
            return PRVCUT_ENOMEM;
        out->rank[i] = t->objects.thread_task[i];
    }
    return PRVCUT_OK;
}

static enum prvcut_status ptrn_classes(struct made_patterns *out, struct prvcut_error *err)
{
    const struct pat_found *f = out->found;

    out->class = prvcut_zeroed(f->classes, sizeof *out->class, "classes of threads", err);
    if (!out->class)
        return PRVCUT_ENOMEM;
    out->is.classes = f->classes;
    for (size_t i = 0; i < f->classes; i++) {
        const struct pat_class *c = &f->class[i];

        out->class[i] = (struct prvcut_pattern_class){
            .threads = c->threads,
            .calls = c->calls,
            .regions = c->regions,
            .source = (enum prvcut_nest_source)c->source,
            .depth = c->depth,
            .size = c->size,
            .unfolded = c->unfolded,
            .nest = c->nest,
            .usual = c->usual,
            .usual_count = c->usual_count,
            .arguments = c->told,
            .no_loop = c->no_loop,
        };
        if (!c->fit.outermost)
            continue;
        out->class[i].count = c->fit.loop.count;
        out->class[i].iteration_calls = c->fit.loop.calls;
        out->class[i].cover = c->fit.cover;
        out->class[i].time_share = c->fit.time;
        out->class[i].median_ns = c->median_ns;
        out->class[i].span = (struct prvcut_span){ c->first_ns, c->end_ns };
    }
    return PRVCUT_OK;
}

static enum prvcut_status ptrn_peaks(struct made_pattern *to, const struct pat_peaks *from,
                                     struct prvcut_error *err)
{
    to->peak = prvcut_zeroed(from->count, sizeof *to->peak, "lengths", err);
    if (!to->peak)
        return PRVCUT_ENOMEM;
    to->is.peaks = from->count;
    to->is.outside = from->outside;
    to->is.median_ns = from->median;
    for (size_t i = 0; i < from->count; i++)
        to->peak[i] = (struct prvcut_pattern_peak){ from->at[i].centre, from->at[i].count,
                                                    from->at[i].first + 1 };
    return PRVCUT_OK;
}

static enum prvcut_status ptrn_functions(struct made_patterns *out, struct made_pattern *to,
                                         const struct pat_pattern *from,
                                         const struct prvcut_dictionary *names,
                                         struct prvcut_error *err)
{
    char name[NAME_ROOM];
    enum prvcut_status st = PRVCUT_OK;

    to->function = prvcut_zeroed(from->ins, sizeof *to->function, "functions", err);
    if (!to->function)
        return PRVCUT_ENOMEM;
    to->is.functions = from->ins;
    for (size_t i = 0; i < from->ins && st == PRVCUT_OK; i++) {
        to->function[i].count = from->in[i].count;
        if (from->in[i].type != UINT32_MAX)
            st = ptrn_keep(&to->function[i].name, out,
                           pat_name(name, sizeof name, names, from->in[i].type, from->in[i].value),
                           err);
    }
    return st;
}

static enum prvcut_status ptrn_patterns(struct made_patterns *out,
                                        const struct prvcut_dictionary *names,
                                        struct prvcut_error *err)
{
    const struct pat_found *f = out->found;
    enum prvcut_status st = PRVCUT_OK;

    out->pattern = prvcut_zeroed(f->patterns, sizeof *out->pattern, "patterns", err);
    if (!out->pattern)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < f->patterns && st == PRVCUT_OK; i++) {
        const struct pat_pattern *p = &f->pattern[i];
        struct made_pattern *to = &out->pattern[i];

        out->is.patterns = i + 1;
        to->is = (struct prvcut_pattern){
            .body = p->body,
            .arguments = p->arguments,
            .level = p->level,
            .calls = p->calls,
            .threads = p->threads,
            .occurrences = p->occurrences,
            .total_ns = p->total_ns,
            .share = f->span_ns > 0 ? (double)p->total_ns / (double)f->span_ns : 0,
            .least_ns = p->least_ns,
            .most_ns = p->most_ns,
        };
        st = ptrn_peaks(to, &p->peaks, err);
        if (st == PRVCUT_OK)
            st = ptrn_functions(out, to, p, names, err);
    }
    return st;
}

static enum prvcut_status ptrn_point(struct made_patterns *out, size_t i,
                                     const struct prvcut_dictionary *names,
                                     struct prvcut_error *err)
{
    const struct pat_point *from = &out->chosen->at[i];
    const struct made_point_number *number = &out->number[i];
    struct prvcut_point *to = &out->point[i];
    const struct pat_track *t = &out->chosen->track[from->track];
    char name[NAME_ROOM];

    *to = (struct prvcut_point){
        .outlier = from->outlier,
        .iteration = number->own,
        .first = number->first,
        .last = number->last,
        .thread = t->thread,
        .start_ns = t->begin[from->iteration],
        .length_ns = t->length[from->iteration],
        .median_ns = t->peaks.median,
        .factor =
            t->peaks.median > 0 ? (double)t->length[from->iteration] / (double)t->peaks.median : 0,
        .alike = from->alike,
        .cause = from->cause,
        .cause_thread = from->cause_thread,
        .excess_ns = from->cause_excess,
        .mask = from->mask,
        .calls = from->calls,
        .median_calls = from->median_calls,
        .peer = from->peer,
    };
    if (from->cause == PRVCUT_POINT_UNTOLD || from->type == UINT32_MAX)
        return PRVCUT_OK;
    return ptrn_keep(&to->call, out,
                     pat_name_whole(name, sizeof name, names, from->type, from->value), err);
}

static enum prvcut_status ptrn_points(struct made_patterns *out, unsigned level,
                                      const struct prvcut_dictionary *names,
                                      struct prvcut_error *err)
{
    const struct pat_points *p = out->chosen;
    enum prvcut_status st = PRVCUT_OK;

    out->point = prvcut_zeroed(p->count, sizeof *out->point, "points of interest", err);
    if (!out->point)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < p->count && st == PRVCUT_OK; i++) {
        out->is.points = i + 1;
        st = ptrn_point(out, i, names, err);
    }
    out->is.points_all = p->all;
    out->is.iterations = p->iterations;
    out->is.iterated = p->tracks;
    if (p->iterations == 0)
        out->is.no_points = out->is.calls == 0 ? "no calls"
                            : level > 0        ? "no pattern is that deep"
                                               : "there is no outermost loop";
    if (p->pattern != SIZE_MAX)
        out->is.pattern = out->found->pattern[p->pattern].body;
    if (p->tracks > 0 && p->track[0].peaks.count > 0) {
        out->is.typical_ns = p->track[0].peaks.at[0].centre;
        out->is.typical = p->track[0].peaks.at[0].count;
        out->is.typical_thread = p->track[0].thread;
    }
    return st;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Of each listed point. */
static void ptrn_count(struct made_patterns *out, const struct pat_numbered *known,
                       const struct pat_numbers *numbers)
{
    const struct pat_points *p = out->chosen;

    for (size_t i = 0; i < p->count; i++) {
        const struct pat_point *from = &p->at[i];
        const struct pat_track *t = &p->track[from->track];
        const uint64_t begin = t->begin[from->iteration];
        const int64_t number = (int64_t)from->iteration + numbers->shift;
        struct made_point_number *to = &out->number[i];

        *to = (struct made_point_number){ .own = from->iteration + 1 };
        pat_numbers_within(known, t->thread,
                           (struct prvcut_span){ begin, begin + t->length[from->iteration] },
                           &to->first, &to->last);
        if (!numbers->same)
            continue;
        to->own = number >= (int64_t)known->number[0] &&
                          number <= (int64_t)known->number[known->count - 1]
                      ? (uint64_t)number
                      : 0;
        to->first = to->last = to->own;
    }
}

/* As the structure counts, where its loop is the same. */
static enum prvcut_status ptrn_number(struct made_patterns *out, struct api_patterns_asked *asked,
                                      unsigned level, struct prvcut_error *err)
{
    struct pat_numbered known = { .count = 0 };
    struct pat_numbers numbers = { .same = false };
    enum prvcut_status st =
        out->chosen->count > 0 ? api_patterns_look(asked, &known, err) : PRVCUT_NONE;

    if (st < 0)
        return st;
    out->number = prvcut_zeroed(out->chosen->count, sizeof *out->number, "numbers", err);
    st = out->number ? PRVCUT_OK : PRVCUT_ENOMEM;
    if (st == PRVCUT_OK && level == 0)
        st = pat_numbers_compare(&numbers, out->chosen, &known, err);
    if (st == PRVCUT_OK)
        ptrn_count(out, &known, &numbers);
    out->is.numbering = numbers.same ? PRVCUT_NUMBERING_STRUCTURE : PRVCUT_NUMBERING_NEST;
    out->is.structured = known.count;
    return st;
}

/* --- All of it -------------------------------------------------------------------------------- */

static enum prvcut_status ptrn_choose(struct made_patterns *out, struct pat_store *store,
                                      const struct prvcut_patterns_options *o,
                                      const struct pat_options *found, struct prvcut_error *err)
{
    const struct pat_points_options wanted = { .top = o->all       ? o->top
                                                      : o->top > 0 ? o->top
                                                                   : POINTS_TOLD,
                                               .every = o->all,
                                               .level = o->level,
                                               .found = found };

    out->is.pointed = true;
    out->chosen = prvcut_zeroed(1, sizeof *out->chosen, "points of interest", err);
    return out->chosen ? pat_points_find(out->chosen, store, out->found, &wanted, err)
                       : PRVCUT_ENOMEM;
}

static enum prvcut_status ptrn_find(struct made_patterns *out, struct pat_store *store,
                                    const struct prvcut_patterns_options *o,
                                    struct prvcut_error *err)
{
    struct api_patterns_asked asked = { .trace = store->trace, .run = store->run, .only = o->only };
    const struct pat_options wanted = {
        .alphabet =
            o->symbols == PRVCUT_SYMBOLS_AUTO ? PAT_NONE : (enum pat_alphabet)(o->symbols - 1),
        .tolerant = (enum pat_tolerance)o->tolerant,
        .ask = o->of == 0 || o->of & PRVCUT_PATTERNS_OF_MPI ? api_patterns_ask : NULL,
        .ctx = &asked,
        .stretches = o->points && o->level == 0,
    };
    enum prvcut_status st;

    out->found = prvcut_zeroed(1, sizeof *out->found, "patterns", err);
    if (!out->found)
        return PRVCUT_ENOMEM;
    st = pat_find(out->found, store, &wanted, err);
    out->is.symbols = (enum prvcut_symbols)(out->found->alphabet + 1);
    out->is.source = (enum prvcut_nest_source)out->found->source;
    out->is.calls = out->found->calls;
    out->is.threads = (uint32_t)out->found->ones;
    out->is.kept = out->found->kept;
    out->is.unfolded = out->found->unfolded;
    out->is.uncalled = (uint32_t)out->found->uncalled;
    if (st == PRVCUT_OK && o->points)
        st = ptrn_choose(out, store, o, &wanted, err);
    if (st == PRVCUT_OK && o->points)
        st = ptrn_number(out, &asked, o->level, err);
    out->found->given = (struct pat_given){ .window = NULL };
    api_patterns_asked_fini(&asked);
    return st;
}

enum prvcut_status api_patterns_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                     const struct prvcut_patterns_options *options,
                                     struct made_patterns *out, struct prvcut_error *err)
{
    struct prvcut_dictionary names = { .arena = NULL };
    uint8_t *wanted = NULL;
    struct pat_store store = { .trace = trace,
                               .run = run,
                               .names = &names,
                               .options = { .of = options->of, .only = options->only } };
    enum prvcut_status st = ptrn_check(trace, options, err);

    out->counted_from = options->only.start;
    out->part = options->only.start > 0 || options->only.end > 0;
    if (st == PRVCUT_OK && options->tasks) {
        store.options.thread = wanted =
            prvcut_zeroed(trace->objects.threads, sizeof *wanted, "threads", err);
        st = wanted ? prvcut_rules_tasks(wanted, &trace->objects, options->tasks, err)
                    : PRVCUT_ENOMEM;
    }
    if (st == PRVCUT_OK)
        st = trace->reader->describe(trace, &names, err);
    if (st == PRVCUT_OK)
        st = ptrn_find(out, &store, options, err);
    if (st == PRVCUT_OK)
        st = ptrn_threads(out, trace, &names, err);
    if (st == PRVCUT_OK)
        st = ptrn_classes(out, err);
    if (st == PRVCUT_OK)
        st = ptrn_patterns(out, &names, err);
    if (st == PRVCUT_OK && out->chosen)
        st = ptrn_points(out, options->level, &names, err);
    if (st == PRVCUT_OK && options->repeats)
        st = api_patterns_repeats(out, &store, options, err);
    if (st == PRVCUT_OK)
        st = prvcut_trace_called(&out->called, trace, err);
    if (st == PRVCUT_OK)
        st = prvcut_trace_typed(&out->typed, trace, err);
    out->each_thread = options->each_thread;
    out->again_with = run ? run->again : NULL;
    out->is.name = out->called;
    out->is.end_ns = trace->end_ns;
    out->is.skipped = trace->skipped;
    pat_store_fini(&store);
    prvcut_dictionary_fini(&names);
    free(wanted);
    return prvcut_trace_outcome(trace, st, err);
}

static void ptrn_fini(struct made_patterns *m)
{
    for (size_t i = 0; m->pattern && i < m->is.patterns; i++) {
        free(m->pattern[i].peak);
        free(m->pattern[i].function);
    }
    for (uint32_t i = 0; m->thread_name && i < m->thread_names; i++)
        free(m->thread_name[i]);
    if (m->found)
        pat_found_fini(m->found);
    if (m->chosen)
        pat_points_fini(m->chosen);
    api_patterns_repeats_fini(m);
    prvcut_texts_free(m->text, m->texts);
    free(m->class);
    free(m->pattern);
    free(m->point);
    free(m->number);
    free(m->thread_name);
    free(m->rank);
    free(m->found);
    free(m->chosen);
    free(m->called);
    free(m->typed);
}

void prvcut_patterns_free(struct prvcut_patterns *p)
{
    if (p)
        ptrn_fini((struct made_patterns *)p);
    free(p);
}

const struct prvcut_pattern_class *prvcut_patterns_class(const struct prvcut_patterns *p, size_t i)
{
    return i < p->classes ? &made_patterns_of(p)->class[i] : NULL;
}

const struct prvcut_pattern *prvcut_patterns_pattern(const struct prvcut_patterns *p, size_t i)
{
    return i < p->patterns ? &made_patterns_of(p)->pattern[i].is : NULL;
}

const struct prvcut_point *prvcut_patterns_point(const struct prvcut_patterns *p, size_t i)
{
    return i < p->points ? &made_patterns_of(p)->point[i] : NULL;
}

uint32_t prvcut_patterns_class_thread(const struct prvcut_patterns *p, size_t i, size_t k)
{
    const struct made_patterns *m = made_patterns_of(p);

    return i < p->classes && k < m->found->class[i].threads ? m->found->class[i].thread[k]
                                                            : UINT32_MAX;
}

uint32_t prvcut_patterns_thread(const struct prvcut_patterns *p, size_t i, size_t k)
{
    const struct made_patterns *m = made_patterns_of(p);

    return i < p->patterns && k < m->found->pattern[i].threads ? m->found->pattern[i].thread[k]
                                                               : UINT32_MAX;
}

const struct prvcut_pattern_peak *prvcut_patterns_peak(const struct prvcut_patterns *p, size_t i,
                                                       size_t k)
{
    const struct made_pattern *m = i < p->patterns ? &made_patterns_of(p)->pattern[i] : NULL;

    return m && k < m->is.peaks ? &m->peak[k] : NULL;
}

const struct prvcut_pattern_function *prvcut_patterns_function(const struct prvcut_patterns *p,
                                                               size_t i, size_t k)
{
    const struct made_pattern *m = i < p->patterns ? &made_patterns_of(p)->pattern[i] : NULL;

    return m && k < m->is.functions ? &m->function[k] : NULL;
}

const char *prvcut_patterns_thread_name(const struct prvcut_patterns *p, uint32_t thread)
{
    return thread < made_patterns_of(p)->thread_names ? made_patterns_of(p)->thread_name[thread]
                                                      : NULL;
}
