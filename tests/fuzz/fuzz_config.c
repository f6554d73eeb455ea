/*
 * Paraver's dialogs (XML): whatever a file says, reading it ends, a failure says where, and what
 * was understood can be put to work on a trace.
 *
 * input   a file
 */
#include "sandbox.h"
#include "target.h"

#include "prvcut/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char xml[SANDBOX_PATH], prv[SANDBOX_PATH];

static const struct prvcut_run run = { .threads = 1 };

static struct prvcut_trace *open_trace(void)
{
    const struct prvcut_open_options options = { .no_index = true };
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;

    require(prvcut_trace_open(&t, prv, &options, &err) == PRVCUT_OK, "the trace opens");
    return t;
}

static void require_outcome(enum prvcut_status st, const struct prvcut_error *err)
{
    require(st >= 0 || (err->status == st && err->text[0] != '\0'), "a failure has a text");
    require(st != PRVCUT_EIO && st != PRVCUT_ENOMEM, "nothing is missing");
}

static void try_filter(const struct prvcut_config *c)
{
    const struct prvcut_cut_options options = { .dry_run = true,
                                                .filter = c->filter,
                                                .filters = 1 };
    struct prvcut_trace *t = open_trace();
    struct prvcut_filter_summary *s = NULL;
    struct prvcut_error err = { 0 };
    const enum prvcut_status st = prvcut_filter_trace(t, &run, &options, &s, &err);

    require_outcome(st, &err);
    prvcut_filter_summary_free(s);
    prvcut_trace_close(t);
}

static void try_cutter(const struct prvcut_config *c)
{
    const struct prvcut_cut_options options = { .dry_run = true,
                                                .filter = c->filter,
                                                .filters = c->filter != NULL,
                                                .max_bytes = c->cutter_max_bytes };
    struct prvcut_trace *t = open_trace();
    struct prvcut_cut_summary *s = NULL;
    struct prvcut_error err = { 0 };
    const enum prvcut_status st = prvcut_cut_as_paraver(t, &run, c->cutter, &options, &s, &err);

    require_outcome(st, &err);
    prvcut_cut_summary_free(s);
    prvcut_trace_close(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct prvcut_error err = { 0 };
    struct prvcut_config *c;
    enum prvcut_status st;

    if (prv[0] == '\0') {
        sandbox_path(xml, "in.xml");
        sandbox_path(prv, "a.prv");
        sandbox_write_loop("a.prv", "a.pcf");
    }
    sandbox_write("in.xml", data, size);
    st = prvcut_config_read(&c, xml, &err);
    require_outcome(st, &err);
    require(st < 0 || c->cutter || c->filter, "what is read has a use");
    for (size_t i = 0; c && i < c->notes; i++)
        require(c->note[i] != NULL && c->note[i][0] != '\0', "notes are texts");
    if (st == PRVCUT_OK && c->filter)
        try_filter(c);
    if (st == PRVCUT_OK && c->cutter)
        try_cutter(c);
    prvcut_config_free(c);
    return 0;
}
