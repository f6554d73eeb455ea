#include "api/entries.h"

#include "api/answers.h"

#include "api/take.h"
#include "base/memory.h"
#include "report/structure.h"

#include <stdlib.h>
#include <string.h>

/* The public functions that are handed what a program filled in: each takes it as this library
   knows it before anything looks at it. */

/* --- What is filled in ---------------------------------------------------------------------- */

/* Each with the last field that it had when it first had a size: that never changes. */
TAKER(run, ctx)
TAKER(structure_options, levels)
TAKER(selection, last)
TAKER(limits, last)
TAKER(convert_options, scratch)
TAKER(index_options, dry_run)
TAKER(records_wish, take)
TAKER(cutter, tasks)
TAKER(filter, lenient_names)
TAKER(signal, note)

/* --- What is handed back -------------------------------------------------------------------- */

/* Hand over an answer whose parts need not be tied to each other; one that failed is released. */
#define TELLER(name)                                                                               \
    static enum prvcut_status api_tell_##name(struct prvcut_##name **out,                          \
                                              struct prvcut_##name *made, enum prvcut_status st)   \
    {                                                                                              \
        if (st != PRVCUT_OK) {                                                                     \
            prvcut_##name##_free(made);                                                            \
            made = NULL;                                                                           \
        }                                                                                          \
        *out = made;                                                                               \
        return st;                                                                                 \
    }

TELLER(index_result)
TELLER(cut_summary)
TELLER(filter_summary)

/* --- What is filled in, with what it holds -------------------------------------------------- */

/* Options for a cut, with its filters. */
struct api_cut_options {
    struct prvcut_cut_options o;
    struct prvcut_filter *filter; /* [o.filters]; owned */
};

static void entr_api_cut_options_fini(struct api_cut_options *o)
{
    free(o->filter);
}

static enum prvcut_status entr_api_take_filters(struct api_cut_options *out,
                                                struct prvcut_error *err)
{
    const char *at = (const char *)out->o.filter;
    const size_t size = out->o.filter->size > 0 ? out->o.filter->size
                                                : PRVCUT_FILLED_SIZE(prvcut_filter, lenient_names);
    enum prvcut_status st = PRVCUT_OK;

    out->filter = prvcut_zeroed(out->o.filters, sizeof *out->filter, "filters", err);
    if (!out->filter)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < out->o.filters && st == PRVCUT_OK; i++, at += size)
        st = api_take_filter(&out->filter[i], (const void *)at, err);
    out->o.filter = out->filter;
    return st;
}

static enum prvcut_status entr_api_take_cut_options(struct api_cut_options *out,
                                                    const struct prvcut_cut_options *given,
                                                    struct prvcut_error *err)
{
    const enum prvcut_status st = prvcut_filled_take(
        &out->o, sizeof out->o, PRVCUT_FILLED_UP_TO(prvcut_cut_options, max_bytes), given,
        "prvcut_cut_options", err);

    return st < 0 || out->o.filters == 0 ? st : entr_api_take_filters(out, err);
}

/* With the options for its cuts. */
struct api_reduce_options {
    struct prvcut_reduce_options o;
    struct api_cut_options cut;
};

static void entr_api_reduce_options_fini(struct api_reduce_options *o)
{
    entr_api_cut_options_fini(&o->cut);
}

static enum prvcut_status entr_api_take_reduce_options(struct api_reduce_options *out,
                                                       const struct prvcut_reduce_options *given,
                                                       struct prvcut_error *err)
{
    enum prvcut_status st =
        prvcut_filled_take(&out->o, sizeof out->o, PRVCUT_FILLED_UP_TO(prvcut_reduce_options, cut),
                           given, "prvcut_reduce_options", err);

    if (st == PRVCUT_OK)
        st = entr_api_take_cut_options(&out->cut, out->o.cut, err);
    out->o.cut = &out->cut.o;
    return st;
}

/* With those for the search and for the output. */
struct api_mark_options {
    struct prvcut_mark_options o;
    struct prvcut_structure_options find;
    struct api_cut_options output;
    struct prvcut_signal timeline;
};

static void entr_api_mark_options_fini(struct api_mark_options *o)
{
    entr_api_cut_options_fini(&o->output);
}

static enum prvcut_status entr_api_take_mark_options(struct api_mark_options *out,
                                                     const struct prvcut_mark_options *given,
                                                     struct prvcut_error *err)
{
    enum prvcut_status st =
        prvcut_filled_take(&out->o, sizeof out->o, PRVCUT_FILLED_UP_TO(prvcut_mark_options, output),
                           given, "prvcut_mark_options", err);

    if (st == PRVCUT_OK)
        st = api_take_structure_options(&out->find, out->o.find, err);
    if (st == PRVCUT_OK)
        st = entr_api_take_cut_options(&out->output, out->o.output, err);
    if (st == PRVCUT_OK && out->o.timeline) {
        st = api_take_signal(&out->timeline, out->o.timeline, err);
        out->o.timeline = &out->timeline;
    }
    out->o.find = &out->find;
    out->o.output = &out->output.o;
    return st;
}

/* --- Functions ------------------------------------------------------------------------------ */

enum prvcut_status prvcut_reduce(struct prvcut_trace *trace, const struct prvcut_run *run,
                                 const struct prvcut_reduce_options *options,
                                 struct prvcut_reduction **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct api_reduce_options its_options = { 0 };
    struct made_reduction *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = entr_api_take_reduce_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_reduce(trace, &its_run, &its_options.o, made, err);
    entr_api_reduce_options_fini(&its_options);
    return api_reduction_tell(out, made, st);
}

enum prvcut_status prvcut_reduce_check(struct prvcut_trace *trace, const struct prvcut_run *run,
                                       const struct prvcut_reduce_options *options,
                                       const char *archive, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct api_reduce_options its_options = { 0 };
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = entr_api_take_reduce_options(&its_options, options, err);
    if (st == PRVCUT_OK)
        st = api_reduce_check(trace, &its_run, &its_options.o, archive, err);
    entr_api_reduce_options_fini(&its_options);
    return st;
}

enum prvcut_status prvcut_cut(struct prvcut_trace *trace, const struct prvcut_run *run,
                              const struct prvcut_span *window,
                              const struct prvcut_cut_options *options,
                              struct prvcut_cut_summary **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct api_cut_options its_options = { 0 };
    struct prvcut_cut_summary *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = entr_api_take_cut_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_cut(trace, &its_run, window, &its_options.o, made, err);
    entr_api_cut_options_fini(&its_options);
    return api_tell_cut_summary(out, made, st);
}

enum prvcut_status prvcut_cut_check(const struct prvcut_trace *trace,
                                    const struct prvcut_cut_options *options,
                                    struct prvcut_error *err)
{
    struct api_cut_options its_options = { 0 };
    enum prvcut_status st = entr_api_take_cut_options(&its_options, options, err);

    if (st == PRVCUT_OK)
        st = api_cut_check(trace, &its_options.o, err);
    entr_api_cut_options_fini(&its_options);
    return st;
}

enum prvcut_status prvcut_cut_named(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_selection *what,
                                    const struct prvcut_cut_options *options,
                                    struct prvcut_cut_summary **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_selection its_what;
    struct api_cut_options its_options = { 0 };
    struct prvcut_cut_summary *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_selection(&its_what, what, err);
    if (st == PRVCUT_OK)
        st = entr_api_take_cut_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_cut_named(trace, &its_run, &its_what, &its_options.o, made, err);
    entr_api_cut_options_fini(&its_options);
    return api_tell_cut_summary(out, made, st);
}

enum prvcut_status prvcut_structure_find(struct prvcut_trace *trace, const struct prvcut_run *run,
                                         const struct prvcut_structure_options *options,
                                         struct prvcut_structure **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct made_structure *made = NULL;
    struct prvcut_structure_options its_options;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_structure_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_structure_find(trace, &its_run, &its_options, made, err);
    return api_structure_tell(out, made, st);
}

enum prvcut_status prvcut_structure_select(const struct prvcut_structure *s,
                                           const struct prvcut_selection *what,
                                           struct prvcut_span *span, size_t *region,
                                           struct prvcut_error *err)
{
    struct prvcut_selection its_what;
    enum prvcut_status st = api_take_selection(&its_what, what, err);

    return st < 0 ? st : api_structure_select(made_structure_of(s), &its_what, span, region, err);
}

enum prvcut_status prvcut_structure_limit(struct prvcut_structure *s,
                                          const struct prvcut_limits *limits,
                                          struct prvcut_error *err)
{
    struct prvcut_limits its_limits;
    enum prvcut_status st = api_take_limits(&its_limits, limits, err);

    return st < 0 ? st : api_structure_limit((struct made_structure *)s, &its_limits, err);
}

enum prvcut_status prvcut_signals_compute(struct prvcut_trace *trace, const struct prvcut_run *run,
                                          const char *metrics, const struct prvcut_span *window,
                                          size_t bins, struct prvcut_signals **out,
                                          struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct made_signals *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_signals_compute(trace, &its_run, metrics, window, bins, made, err);
    *out = HAND_OVER(made, st < 0, prvcut_signals_free);
    return st;
}

enum prvcut_status prvcut_signals_step(const struct prvcut_signals *in, const char *step,
                                       const struct prvcut_parameters *set,
                                       struct prvcut_signals **out, struct prvcut_error *err)
{
    struct made_signals *made = NULL;
    enum prvcut_status st = MAKE(made, PRVCUT_OK, err);

    if (st == PRVCUT_OK)
        st = api_signals_step(in, step, set, made, err);
    *out = HAND_OVER(made, st < 0, prvcut_signals_free);
    return st;
}

enum prvcut_status prvcut_signal_period(const struct prvcut_signal *s, struct prvcut_vote **out,
                                        struct prvcut_error *err)
{
    struct prvcut_signal its_signal;
    struct prvcut_vote *made = NULL;
    enum prvcut_status st = api_take_signal(&its_signal, s, err);

    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_signal_period(&its_signal, made, err);
    if (st < 0) {
        prvcut_vote_free(made);
        made = NULL;
    }
    *out = made;
    return st;
}

enum prvcut_status prvcut_records_read(struct prvcut_trace *trace, const struct prvcut_run *run,
                                       const struct prvcut_records_wish *wish,
                                       struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_records_wish its_wish;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_records_wish(&its_wish, wish, err);
    return st < 0 ? st : api_records_read(trace, &its_run, &its_wish, err);
}

enum prvcut_status prvcut_mark(struct prvcut_trace *trace, const struct prvcut_run *run,
                               const struct prvcut_mark_options *options,
                               struct prvcut_marking **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct made_marking *made = NULL;
    struct api_mark_options its_options = { 0 };
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = entr_api_take_mark_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_mark(trace, &its_run, &its_options.o, made, err);
    entr_api_mark_options_fini(&its_options);
    return api_marking_tell(out, made, st);
}

enum prvcut_status prvcut_structure_nests(struct prvcut_structure *s, struct prvcut_trace *trace,
                                          const struct prvcut_run *run, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    const enum prvcut_status st = api_take_run(&its_run, run, err);

    return st == PRVCUT_OK ? api_structure_nests((struct made_structure *)s, trace, &its_run, err)
                           : st;
}

enum prvcut_status prvcut_find_mark(const struct prvcut_find *f, struct prvcut_trace *in,
                                    const struct prvcut_run *run,
                                    const struct prvcut_cut_options *to,
                                    struct prvcut_marking **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct made_marking *made = NULL;
    struct api_cut_options its_to = { 0 };
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = entr_api_take_cut_options(&its_to, to, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_find_mark(made_find_of(f), in, &its_run, &its_to.o, made, err);
    entr_api_cut_options_fini(&its_to);
    return api_marking_tell(out, made, st);
}

enum prvcut_status prvcut_find_cut(const struct prvcut_find *f, struct prvcut_trace *in,
                                   const struct prvcut_run *run, size_t match,
                                   const struct prvcut_cut_options *options,
                                   struct prvcut_cut_summary **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct api_cut_options its_options = { 0 };
    struct prvcut_cut_summary *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = entr_api_take_cut_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_find_cut(made_find_of(f), in, &its_run, match, &its_options.o, made, err);
    entr_api_cut_options_fini(&its_options);
    return api_tell_cut_summary(out, made, st);
}

enum prvcut_status prvcut_waits_mark(const struct prvcut_wait_states *w, struct prvcut_trace *trace,
                                     const struct prvcut_run *run,
                                     const struct prvcut_cut_options *to,
                                     struct prvcut_marking **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct made_marking *made = NULL;
    struct api_cut_options its_to = { 0 };
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = entr_api_take_cut_options(&its_to, to, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_waits_mark(made_wait_states_of(w), trace, &its_run, &its_to.o, made, err);
    entr_api_cut_options_fini(&its_to);
    return api_marking_tell(out, made, st);
}

enum prvcut_status prvcut_index_write(struct prvcut_trace *trace, const struct prvcut_run *run,
                                      const struct prvcut_index_options *options,
                                      struct prvcut_index_result **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_index_options its_options;
    struct prvcut_index_result *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_index_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_index_write(trace, &its_run, &its_options, made, err);
    return api_tell_index_result(out, made, st);
}

enum prvcut_status prvcut_filter_check(const struct prvcut_trace *trace,
                                       const struct prvcut_cut_options *options,
                                       struct prvcut_error *err)
{
    struct api_cut_options its_options = { 0 };
    enum prvcut_status st = entr_api_take_cut_options(&its_options, options, err);

    if (st == PRVCUT_OK)
        st = api_filter_check(trace, &its_options.o, err);
    entr_api_cut_options_fini(&its_options);
    return st;
}

enum prvcut_status prvcut_filter_trace(struct prvcut_trace *trace, const struct prvcut_run *run,
                                       const struct prvcut_cut_options *options,
                                       struct prvcut_filter_summary **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct api_cut_options its_options = { 0 };
    struct prvcut_filter_summary *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = entr_api_take_cut_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_filter_trace(trace, &its_run, &its_options.o, made, err);
    entr_api_cut_options_fini(&its_options);
    return api_tell_filter_summary(out, made, st);
}

enum prvcut_status prvcut_cut_as_paraver(struct prvcut_trace *trace, const struct prvcut_run *run,
                                         const struct prvcut_cutter *cutter,
                                         const struct prvcut_cut_options *options,
                                         struct prvcut_cut_summary **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_cutter its_cutter;
    struct api_cut_options its_options = { 0 };
    struct prvcut_cut_summary *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_cutter(&its_cutter, cutter, err);
    if (st == PRVCUT_OK)
        st = entr_api_take_cut_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_cut_as_paraver(trace, &its_run, &its_cutter, &its_options.o, made, err);
    entr_api_cut_options_fini(&its_options);
    return api_tell_cut_summary(out, made, st);
}

enum prvcut_status prvcut_convert_losses(struct prvcut_trace *trace,
                                         const struct prvcut_convert_options *options, char **text,
                                         struct prvcut_error *err)
{
    struct prvcut_convert_options its_options;
    enum prvcut_status st = api_take_convert_options(&its_options, options, err);

    *text = NULL;
    return st < 0 ? st : api_convert_losses(trace, &its_options, text, err);
}

enum prvcut_status prvcut_convert_losses_json(struct prvcut_trace *trace,
                                              const struct prvcut_convert_options *options,
                                              char **text, struct prvcut_error *err)
{
    struct prvcut_convert_options its_options;
    enum prvcut_status st = api_take_convert_options(&its_options, options, err);

    *text = NULL;
    return st < 0 ? st : api_convert_losses_json(trace, &its_options, text, err);
}

enum prvcut_status prvcut_convert(struct prvcut_trace *trace, const struct prvcut_run *run,
                                  const struct prvcut_convert_options *options,
                                  struct prvcut_convert_summary **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_convert_options its_options;
    struct made_convert_summary *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_convert_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_convert(trace, &its_run, &its_options, made, err);
    /* What is refused because it would be lost is told. */
    *out = HAND_OVER(made, st < 0 && st != PRVCUT_ELOSS, prvcut_convert_summary_free);
    return st;
}

enum prvcut_status prvcut_reduce_to_archive(struct prvcut_trace *trace,
                                            const struct prvcut_run *run,
                                            const struct prvcut_reduce_options *options,
                                            const char *path, struct prvcut_reduction **out,
                                            struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct api_reduce_options its_options = { 0 };
    struct made_reduction *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = entr_api_take_reduce_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_reduce_to_archive(trace, &its_run, &its_options.o, path, made, err);
    entr_api_reduce_options_fini(&its_options);
    return api_reduction_tell(out, made, st);
}

enum prvcut_status prvcut_archive_verify(const char *path, const struct prvcut_run *run,
                                         struct prvcut_archive_result **out,
                                         struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct made_archive_result *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_archive_verify(path, &its_run, made, err);
    *out = made ? &made->is : NULL;
    return st;
}

enum prvcut_status prvcut_iterations_text(const struct prvcut_structure *s,
                                          const struct prvcut_limits *limits, char **text,
                                          struct prvcut_error *err)
{
    struct prvcut_limits its_limits;
    enum prvcut_status st = api_take_limits(&its_limits, limits, err);

    *text = NULL;
    return st < 0 ? st : report_iterations_text(made_structure_of(s), &its_limits, text, err);
}

enum prvcut_status prvcut_iterations_csv(const struct prvcut_structure *s,
                                         const struct prvcut_limits *limits, char **text,
                                         struct prvcut_error *err)
{
    struct prvcut_limits its_limits;
    enum prvcut_status st = api_take_limits(&its_limits, limits, err);

    *text = NULL;
    return st < 0 ? st : report_iterations_csv(made_structure_of(s), &its_limits, text, err);
}
