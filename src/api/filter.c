#include "prvcut/filter.h"
#include "api/entries.h"

#include "api/able.h"
#include "api/archived_cuts.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/own_folder.h"
#include "api/remake.h"
#include "model/trace.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status api_filter_check(const struct prvcut_trace *trace,
                                    const struct prvcut_cut_options *options,
                                    struct prvcut_error *err)
{
    char *path = NULL;
    enum prvcut_status st = prvcut_trace_can(trace, PRVCUT_ABLE_FILTER, err);

    if (st == PRVCUT_OK)
        st = trace->reader->filter_check(trace, options, err);
    if (st == PRVCUT_OK && options->archive)
        return archived_cut_check(trace, options, err);
    if (st == PRVCUT_OK && (options->path || !trace->once))
        st = prvcut_output_settle(&path, trace, options, REPORT_TAG_FILTERED, err);
    free(path);
    return st;
}

/* A filter of an archive appears in a folder of its own, as a cut does. */
static enum prvcut_status flt_into_folder(struct prvcut_trace *trace, const struct prvcut_run *run,
                                          const struct prvcut_cut_options *options,
                                          struct prvcut_filter_summary *out,
                                          struct prvcut_error *err)
{
    struct prvcut_cut_options inside = *options;
    struct prvcut_own_folder own;
    enum prvcut_status st = prvcut_own_folder_begin(&own, options->path, options->force, err);

    inside.path = own.inside;
    if (st == PRVCUT_OK)
        st = filter_copy(trace, run, &inside, out, err);
    return prvcut_own_folder_end(&own, st, out->file, out->files, err);
}

enum prvcut_status api_filter_trace(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_cut_options *options,
                                    struct prvcut_filter_summary *out, struct prvcut_error *err)
{
    struct prvcut_cut_options named = *options;
    char *path = NULL;
    enum prvcut_status st;

    if (!trace->reader->filter)
        return able_refuse(trace, PRVCUT_ABLE_FILTER, err);
    if (options->archive)
        return archived_filter(trace, run, options, out, err);
    if (!named.path && trace->once)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: what comes from a pipe needs a name to go to",
                           prvcut_trace_told(trace));
    st = prvcut_output_settle(&path, trace, options, REPORT_TAG_FILTERED, err);
    named.path = path;
    if (st == PRVCUT_OK && prvcut_own_folder_is_for(trace, options) && !options->dry_run)
        st = flt_into_folder(trace, run, &named, out, err);
    else if (st == PRVCUT_OK)
        st = filter_copy(trace, run, &named, out, err);
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
    if (options->archive)
        return archived_cut_as_paraver(trace, run, cutter, options, out, err);
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
