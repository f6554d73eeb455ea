#include "api/entries.h"

#include "api/select.h"
#include "api/take.h"

/* As entries.c, of the analyses. */

TAKER(run, ctx)
TAKER(archive_options, form)
TAKER(open_options, strict)
TAKER(profile_options, last)
TAKER(diff_options, above)
TAKER(efficiency_options, form)
TAKER(convert_options, scratch)
TAKER(predict_options, fitted_count)
TAKER(sample_options, level)
TAKER(comm_options, last)
TAKER(find_options, by_share)
TAKER(waits_options, top)
TAKER(patterns_options, level)
TAKER(signal, note)

/* Where all regions are named each is a row. */
static enum prvcut_status ent_profile(struct prvcut_profile_options *o,
                                      const struct prvcut_profile_options *given,
                                      struct prvcut_error *err)
{
    bool all = false;
    enum prvcut_status st = api_take_profile_options(o, given, err);
    const struct api_rows rows = { &o->region, o->first, o->by & PRVCUT_PROFILE_BY_REGION,
                                   !(o->by & PRVCUT_PROFILE_BY_ITERATION) };

    if (st == PRVCUT_OK)
        st = api_rows_agree(&rows, &all, err);
    o->by |= all ? PRVCUT_PROFILE_BY_REGION : 0;
    return st;
}

static enum prvcut_status ent_efficiency(struct prvcut_efficiency_options *o,
                                         const struct prvcut_efficiency_options *given,
                                         struct prvcut_error *err)
{
    bool all = false;
    enum prvcut_status st = api_take_efficiency_options(o, given, err);
    const struct api_rows rows = { &o->region, o->first, o->by == PRVCUT_EFFICIENCY_BY_REGION,
                                   o->by == PRVCUT_EFFICIENCY_BY_RUN };

    if (st == PRVCUT_OK)
        st = api_rows_agree(&rows, &all, err);
    o->by = all ? PRVCUT_EFFICIENCY_BY_REGION : o->by;
    return st;
}

static enum prvcut_status ent_comm(struct prvcut_comm_options *o,
                                   const struct prvcut_comm_options *given,
                                   struct prvcut_error *err)
{
    bool all = false;
    enum prvcut_status st = api_take_comm_options(o, given, err);
    const struct api_rows rows = { &o->region, o->first, o->by == PRVCUT_COMM_BY_REGION,
                                   o->by == PRVCUT_COMM_BY_RUN };

    if (st == PRVCUT_OK)
        st = api_rows_agree(&rows, &all, err);
    o->by = all ? PRVCUT_COMM_BY_REGION : o->by;
    return st;
}

static enum prvcut_status ent_waits(struct prvcut_waits_options *o,
                                    const struct prvcut_waits_options *given,
                                    struct prvcut_error *err)
{
    bool all = false;
    enum prvcut_status st = api_take_waits_options(o, given, err);
    const struct api_rows rows = { &o->region, o->first, o->by == PRVCUT_WAITS_BY_REGION,
                                   o->by == PRVCUT_WAITS_BY_METRIC };

    if (st == PRVCUT_OK)
        st = api_rows_agree(&rows, &all, err);
    o->by = all ? PRVCUT_WAITS_BY_REGION : o->by;
    return st;
}

enum prvcut_status prvcut_profile_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                       const struct prvcut_profile_options *options,
                                       struct prvcut_profile **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_profile_options its_options;
    struct made_profile *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = ent_profile(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_profile_make(trace, &its_run, &its_options, made, err);
    *out = HAND_OVER(made, st < 0, prvcut_profile_free);
    return st;
}

enum prvcut_status prvcut_profile_cube(struct prvcut_trace *trace, const struct prvcut_run *run,
                                       const struct prvcut_profile_options *options,
                                       const char *path, bool force, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_profile_options its_options;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = ent_profile(&its_options, options, err);
    return st == PRVCUT_OK ? api_profile_cube(trace, &its_run, &its_options, path, force, err) : st;
}

enum prvcut_status prvcut_diff_make(struct prvcut_trace *a, struct prvcut_trace *b,
                                    const struct prvcut_run *run,
                                    const struct prvcut_diff_options *options,
                                    struct prvcut_diff **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_diff_options its_options;
    struct made_diff *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_diff_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_diff_make(a, b, &its_run, &its_options, made, err);
    *out = HAND_OVER(made, st < 0, prvcut_diff_free);
    return st;
}

enum prvcut_status prvcut_archive_traces(const char *const *trace, size_t traces,
                                         const struct prvcut_run *run,
                                         const struct prvcut_open_options *open,
                                         const struct prvcut_archive_options *options, char **told,
                                         struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_open_options its_open;
    struct prvcut_archive_options its_options;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    *told = NULL;
    if (st == PRVCUT_OK)
        st = api_take_open_options(&its_open, open, err);
    if (st == PRVCUT_OK)
        st = api_take_archive_options(&its_options, options, err);
    return st < 0 ? st
                  : api_archive_traces(trace, traces, &its_run, &its_open, &its_options, told, err);
}

enum prvcut_status prvcut_predict_make(const char *const *file, size_t files,
                                       const struct prvcut_run *run,
                                       const struct prvcut_predict_options *options,
                                       struct prvcut_prediction **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_predict_options its_options;
    struct prvcut_open_options its_open;
    struct made_prediction *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_predict_options(&its_options, options, err);
    if (st == PRVCUT_OK)
        st = api_take_open_options(&its_open, its_options.open, err);
    its_options.open = &its_open;
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_predict_make(file, files, &its_run, &its_options, made, err);
    *out = HAND_OVER(made, st < 0, prvcut_prediction_free);
    return st;
}

enum prvcut_status prvcut_efficiency_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                          const struct prvcut_efficiency_options *options,
                                          struct prvcut_efficiency **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_efficiency_options its_options;
    struct made_efficiency *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = ent_efficiency(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_efficiency_make(trace, &its_run, &its_options, made, err);
    *out = HAND_OVER(made, st < 0, prvcut_efficiency_free);
    return st;
}

enum prvcut_status prvcut_efficiency_ideal(struct prvcut_trace *trace, const struct prvcut_run *run,
                                           const struct prvcut_efficiency_options *how,
                                           const struct prvcut_convert_options *to,
                                           struct prvcut_convert_summary **out,
                                           struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_efficiency_options its_how;
    struct prvcut_convert_options its_to;
    struct made_convert_summary *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_efficiency_options(&its_how, how, err);
    if (st == PRVCUT_OK)
        st = api_take_convert_options(&its_to, to, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_efficiency_ideal(trace, &its_run, &its_how, &its_to, made, err);
    *out = HAND_OVER(made, st < 0, prvcut_convert_summary_free);
    return st;
}

enum prvcut_status prvcut_efficiency_add(struct prvcut_efficiency *e, struct prvcut_trace *trace,
                                         const struct prvcut_run *run, bool base,
                                         struct prvcut_error *err)
{
    struct prvcut_run its_run;
    const enum prvcut_status st = api_take_run(&its_run, run, err);

    return st < 0 ? st
                  : api_efficiency_add((struct made_efficiency *)e, trace, &its_run, base, err);
}

enum prvcut_status prvcut_efficiency_loop(struct prvcut_efficiency *e, size_t read,
                                          struct prvcut_trace *trace, const struct prvcut_run *run,
                                          struct prvcut_error *err)
{
    struct prvcut_run its_run;
    const enum prvcut_status st = api_take_run(&its_run, run, err);

    return st < 0 ? st
                  : api_efficiency_loop((struct made_efficiency *)e, read, trace, &its_run, err);
}

enum prvcut_status prvcut_sample_series(const char *path, const struct prvcut_run *run,
                                        const struct prvcut_sample_options *options,
                                        struct prvcut_sample **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_sample_options its_options;
    struct made_sample *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_sample_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_sample_series(path, &its_run, &its_options, made, err);
    *out = HAND_OVER(made, st < 0, prvcut_sample_free);
    return st;
}

enum prvcut_status prvcut_sample_trace(struct prvcut_trace *trace, const struct prvcut_run *run,
                                       const struct prvcut_sample_options *options,
                                       struct prvcut_sample **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_sample_options its_options;
    struct made_sample *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_sample_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_sample_trace(trace, &its_run, &its_options, made, err);
    *out = HAND_OVER(made, st < 0, prvcut_sample_free);
    return st;
}

enum prvcut_status prvcut_find_make(struct prvcut_trace *in, struct prvcut_trace *query,
                                    const struct prvcut_run *run,
                                    const struct prvcut_find_options *options,
                                    struct prvcut_find **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_find_options its_options;
    struct made_find *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_find_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_find_make(in, query, &its_run, &its_options, made, err);
    *out = HAND_OVER(made, st < 0, prvcut_find_free);
    return st;
}

enum prvcut_status prvcut_comm_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_comm_options *options,
                                    struct prvcut_comm **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_comm_options its_options;
    struct made_comm *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = ent_comm(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_comm_make(trace, &its_run, &its_options, made, err);
    *out = HAND_OVER(made, st < 0, prvcut_comm_free);
    return st;
}

enum prvcut_status prvcut_waits_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                     const struct prvcut_waits_options *options,
                                     struct prvcut_wait_states **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_waits_options its_options;
    struct made_wait_states *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = ent_waits(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_waits_make(trace, &its_run, &its_options, made, err);
    *out = HAND_OVER(made, st < 0, prvcut_wait_states_free);
    return st;
}

enum prvcut_status prvcut_patterns_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                        const struct prvcut_patterns_options *options,
                                        struct prvcut_patterns **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_patterns_options its_options;
    struct made_patterns *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_patterns_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_patterns_make(trace, &its_run, &its_options, made, err);
    *out = HAND_OVER(made, st < 0, prvcut_patterns_free);
    return st;
}

enum prvcut_status prvcut_patterns_filter(const struct prvcut_patterns *p,
                                          struct prvcut_trace *trace, const struct prvcut_run *run,
                                          const struct prvcut_convert_options *to,
                                          struct prvcut_convert_summary **out,
                                          struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_convert_options its_to;
    struct made_convert_summary *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_convert_options(&its_to, to, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_patterns_filter(made_patterns_of(p), trace, &its_run, &its_to, made, err);
    *out = HAND_OVER(made, st != PRVCUT_OK, prvcut_convert_summary_free);
    return st;
}

enum prvcut_status prvcut_waits_cube(struct prvcut_trace *trace, const struct prvcut_run *run,
                                     const struct prvcut_waits_options *options, const char *path,
                                     bool force, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_waits_options its_options;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = ent_waits(&its_options, options, err);
    return st == PRVCUT_OK ? api_waits_cube(trace, &its_run, &its_options, path, force, err) : st;
}

enum prvcut_status prvcut_trace_add_signal(struct prvcut_trace *trace,
                                           const struct prvcut_signal *s, struct prvcut_error *err)
{
    struct prvcut_signal its;
    const enum prvcut_status st = api_take_signal(&its, s, err);

    return st < 0 ? st : api_trace_add_signal(trace, &its, err);
}
