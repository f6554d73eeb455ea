#include "api/entries.h"

#include "api/follow.h"
#include "api/take.h"

#include <stdlib.h>

/* As entries.c, of what opens traces, and looks at all of one. */

TAKER(run, ctx)
TAKER(open_options, strict)
TAKER(follow_options, ctx)

enum prvcut_status prvcut_trace_open(struct prvcut_trace **out, const char *path,
                                     const struct prvcut_open_options *options,
                                     struct prvcut_error *err)
{
    struct prvcut_open_options its_options;
    enum prvcut_status st = api_take_open_options(&its_options, options, err);

    *out = NULL;
    return st < 0 ? st : api_trace_open(out, path, &its_options, err);
}

enum prvcut_status prvcut_trace_open_series(struct prvcut_trace **out, const char *path,
                                            const char *metric,
                                            const struct prvcut_open_options *options,
                                            struct prvcut_series_told *told,
                                            struct prvcut_error *err)
{
    struct prvcut_open_options its_options;
    const enum prvcut_status st = api_take_open_options(&its_options, options, err);

    *out = NULL;
    return st < 0 ? st : api_trace_open_series(out, path, metric, &its_options, told, err);
}

enum prvcut_status prvcut_trace_open_instructions(
    struct prvcut_trace **out, struct prvcut_trace *of, const struct prvcut_run *run, uint64_t step,
    const char *metric, struct prvcut_clock_told *told, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    const enum prvcut_status st = api_take_run(&its_run, run, err);

    *out = NULL;
    return st < 0 ? st : api_trace_open_instructions(out, of, &its_run, step, metric, told, err);
}

enum prvcut_status prvcut_info(struct prvcut_trace *trace, const struct prvcut_run *run,
                               enum prvcut_form form, char **text, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    *text = NULL;
    return st < 0 ? st : api_info(trace, &its_run, form, text, err);
}

enum prvcut_status prvcut_check(const char *path, const struct prvcut_run *run,
                                const struct prvcut_open_options *options, enum prvcut_form form,
                                char **text, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_open_options its_options;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    *text = NULL;
    if (st == PRVCUT_OK)
        st = api_take_open_options(&its_options, options, err);
    return st < 0 ? st : api_check(path, &its_run, &its_options, form, text, err);
}

enum prvcut_status prvcut_follow_open(struct prvcut_follow **out, const char *path,
                                      const struct prvcut_open_options *options,
                                      const struct prvcut_follow_options *how,
                                      struct prvcut_error *err)
{
    struct prvcut_open_options its_options;
    struct prvcut_follow_options its_how;
    struct prvcut_follow *made = NULL;
    enum prvcut_status st = api_take_open_options(&its_options, options, err);

    if (st == PRVCUT_OK)
        st = api_take_follow_options(&its_how, how, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = api_follow_open(made, path, &its_options, &its_how, err);
    if (st < 0) {
        prvcut_follow_close(made);
        made = NULL;
    }
    *out = made;
    return st;
}

enum prvcut_status prvcut_follow_run(struct prvcut_follow *f, const struct prvcut_run *run,
                                     struct prvcut_error *err)
{
    struct prvcut_run its_run;
    const enum prvcut_status st = api_take_run(&its_run, run, err);

    return st == PRVCUT_OK ? api_follow_run(f, &its_run, err) : st;
}

void prvcut_follow_close(struct prvcut_follow *f)
{
    if (f)
        api_follow_fini(f);
    free(f);
}
