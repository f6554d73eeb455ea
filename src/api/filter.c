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

/* What is filtered in an archive: a copy, or what is cut as Paraver cuts. */
struct flt_asked {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_cutter *cutter; /* NULL: a copy */
    struct prvcut_cut_summary *out;
    struct prvcut_filter_summary *copy; /* in place of out */
};

static enum prvcut_status flt_without(const void *ctx, const struct prvcut_cut_options *o,
                                      struct prvcut_error *err)
{
    const struct flt_asked *f = ctx;

    return f->cutter ? api_cut_as_paraver(f->trace, f->run, f->cutter, o, f->out, err)
                     : api_filter_trace(f->trace, f->run, o, f->copy, err);
}

static enum prvcut_status flt_into_archive(const struct flt_asked *f,
                                           const struct prvcut_cut_options *options,
                                           struct prvcut_error *err)
{
    const struct archived_cut in = { .trace = f->trace,
                                     .run = f->run,
                                     .make = flt_without,
                                     .ctx = f,
                                     .out = f->out,
                                     .copy = f->copy };

    return archived_cut(&in, options, err);
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
        return flt_into_archive(&(struct flt_asked){ trace, run, NULL, NULL, out }, options, err);
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
        return flt_into_archive(&(struct flt_asked){ trace, run, cutter, out, NULL }, options, err);
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
