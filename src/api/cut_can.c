#include "api/able.h"
#include "api/names.h"
#include "api/writers.h"

enum prvcut_status prvcut_cut_can(const struct prvcut_trace *trace,
                                  const struct prvcut_cut_options *options,
                                  struct prvcut_error *err)
{
    if (trace->once)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: a cut reads the trace twice; save the pipe to a file first",
                           prvcut_trace_told(trace));
    if (!trace->reader->cut) {
        able_propose_part(err);
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: format %s is only read; a part of it is converted",
                           prvcut_trace_told(trace), trace->reader->format->name);
    }
    if (options->max_bytes > 0 && !able_is(trace->reader, PRVCUT_ABLE_RULES))
        return prvcut_fail(
            err, PRVCUT_EUSAGE,
            "%s: --max-size is for Paraver traces, this one is in format %s: how large a cut of it "
            "gets is known only when all of it is written",
            prvcut_trace_told(trace), trace->reader->format->name);
    if (options->view && !able_is(trace->reader, PRVCUT_ABLE_RULES))
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: Paraver's configurations are for Paraver traces, this one is in "
                           "format %s",
                           prvcut_trace_told(trace), trace->reader->format->name);
    if (options->for_scalasca && options->keep_time)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "a cut for Scalasca is written again, from time 0 on");
    if (options->for_scalasca && writers_add_calls(writers_named(trace->reader->format->name),
                                                   prvcut_trace_told(trace), err) < 0)
        return PRVCUT_EUSAGE;
    return options->filters > 0 ? prvcut_trace_can(trace, PRVCUT_ABLE_FILTER, err) : PRVCUT_OK;
}
