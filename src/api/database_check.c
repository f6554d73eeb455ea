#include "api/database_fill.h"

#include "api/names.h"
#include "api/suffix.h"
#include "convert/selection.h"

#include <inttypes.h>

enum prvcut_status api_database_fits(const struct prvcut_trace *trace,
                                     const struct prvcut_database_options *o,
                                     struct prvcut_error *err)
{
    if (trace->once)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "a database needs several readings: standard input has one");
    if (o->only.end > 0 && o->only.end <= o->only.start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it begins at %" PRIu64 "ns and ends at %" PRIu64
                           "ns",
                           o->only.start, o->only.end);
    if (o->only.start > 0 && prvcut_window_begins_within(o->only.start, trace->end_ns, err) < 0)
        return PRVCUT_EUSAGE;
    return o->tasks ? cnv_tasks_check(&trace->objects, o->tasks, err) : PRVCUT_OK;
}

static enum prvcut_status dck_path(const struct prvcut_trace *trace, const char *path, bool force,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_output_spares(trace, path, err);

    if (st == PRVCUT_OK && prvcut_suffix_is_moot(path)) {
        prvcut_instead(err, "=out.sqlite");
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: a database is a file of its own", path);
    }
    if (st == PRVCUT_OK && !prvcut_file_is(PRVCUT_FILE_SQLITE, path)) {
        prvcut_instead(err, "=out.sqlite");
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s is no name for a database", path);
    }
    return st == PRVCUT_OK ? prvcut_output_is_free(path, force, err) : st;
}

enum prvcut_status api_database_check(const struct prvcut_trace *trace,
                                      const struct prvcut_database_options *o, const char *path,
                                      bool force, struct prvcut_error *err)
{
    const enum prvcut_status st = api_database_fits(trace, o, err);

    return st == PRVCUT_OK ? dck_path(trace, path, force, err) : st;
}
