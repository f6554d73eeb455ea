#include "api/cube_place.h"
#include "api/entries.h"

#include "analysis/profile/profile_rows.h"
#include "api/names.h"
#include "api/profile.h"
#include "api/suffix.h"
#include "base/exchange.h"
#include "prvcut/signals.h"
#include "report/profile_cube.h"

#include <string.h>

#define CUBE_BY (PRVCUT_PROFILE_BY_CALL | PRVCUT_PROFILE_BY_THREAD)

enum prvcut_status api_cube_form(const char *path, enum report_cube_form *form,
                                 struct prvcut_error *err)
{
    *form = prvcut_file_is(PRVCUT_FILE_CUBE, path) ? REPORT_CUBE_3 : REPORT_CUBE_4;
    if (*form == REPORT_CUBE_4 && !prvcut_file_is(PRVCUT_FILE_CUBEX, path) &&
        !prvcut_suffix_is_moot(path))
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s is no name for a report for CUBE", path);
    return PRVCUT_OK;
}

static enum prvcut_status pcb_apc_check(const struct prvcut_trace *trace,
                                        const struct prvcut_profile_options *o, const char *path,
                                        bool force, struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_output_spares(trace, path, err);

    if (o->by != 0 && o->by != CUBE_BY)
        return prvcut_fail(err, PRVCUT_EUSAGE, "a report for CUBE is by call and thread");
    if (o->top > 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "a report for CUBE holds all calls");
    return st == PRVCUT_OK ? prvcut_output_is_free(path, force, err) : st;
}

enum prvcut_status api_profile_cube(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_profile_options *options, const char *path,
                                    bool force, struct prvcut_error *err)
{
    struct prvcut_profile_options o = *options;
    struct made_profile calls = { .called = NULL }, lines = { .called = NULL };
    struct prvcut_dictionary names = { .arena = NULL };
    struct report_cube_who who = { .node = NULL };
    enum report_cube_form form;
    enum prvcut_status st = api_cube_form(path, &form, err);
    /* The others count with it, for what they find is put together. */
    const bool writes = prvcut_exchange_is_first(run->exchange);

    o.by = CUBE_BY;
    o.waiting = true;
    if (st == PRVCUT_OK)
        st = pcb_apc_check(trace, options, path, force || !writes, err);
    if (st == PRVCUT_OK)
        st = api_profile_with_lines(trace, run, &o, &calls, &lines, err);
    if (st == PRVCUT_NONE)
        prvcut_fail(err, st, "%s", calls.no_loop ? calls.no_loop : "no loop was found");
    if (st == PRVCUT_OK)
        st = trace->reader->describe(trace, &names, err);
    if (st == PRVCUT_OK)
        st = report_cube_who_init(&who, &trace->objects, &names, err);
    if (st == PRVCUT_OK)
        st = api_cube_place(&who, trace, run, err);
    if (st == PRVCUT_OK && writes)
        st = report_profile_cube(&calls.is, &lines.is, &who, form, path, force, err);
    report_cube_who_fini(&who);
    prvcut_dictionary_fini(&names);
    prvcut_profile_rows_fini(&calls);
    prvcut_profile_rows_fini(&lines);
    return st;
}
