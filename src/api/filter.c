#include "prvcut/filter.h"
#include "api/entries.h"

#include "api/able.h"
#include "api/names.h"
#include "api/opening.h"
#include "model/trace.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status api_filter_trace(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_cut_options *options,
                                    struct prvcut_filter_summary *out, struct prvcut_error *err)
{
    struct prvcut_cut_options named = *options;
    char *path = NULL;
    enum prvcut_status st;

    if (!trace->reader->filter)
        return able_refuse(trace, PRVCUT_ABLE_FILTER, err);
    if (!named.path && trace->once)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: what comes from a pipe needs a name to go to",
                           prvcut_trace_told(trace));
    st = prvcut_output_settle(&path, trace, options, REPORT_TAG_FILTERED, err);
    named.path = path;
    if (st == PRVCUT_OK)
        st = trace->reader->filter(trace, run, &named, out, err);
    free(path);
    return prvcut_trace_outcome(trace, st, err);
}

enum prvcut_status api_cut_as_paraver(struct prvcut_trace *trace, const struct prvcut_run *run,
                                      const struct prvcut_cutter *cutter,
                                      const struct prvcut_cut_options *options,
                                      struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    struct prvcut_cut_options named = *options;
    char *path = NULL;
    enum prvcut_status st;

    if (!trace->reader->cut_as_paraver)
        return able_refuse(trace, PRVCUT_ABLE_RULES, err);
    if (trace->once && !(cutter->original_time && named.path))
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: a cut reads the trace twice and cannot take it from a pipe, but "
                           "with its original times and into a file that is named",
                           prvcut_trace_told(trace));
    st = prvcut_output_settle(&path, trace, options, REPORT_TAG_CUT, err);
    named.path = path;
    if (st == PRVCUT_OK)
        st = trace->reader->cut_as_paraver(trace, run, cutter, &named, out, err);
    free(path);
    return prvcut_trace_outcome(trace, st, err);
}
