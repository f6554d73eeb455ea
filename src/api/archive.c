#include "prvcut/archive.h"
#include "api/entries.h"

#include "api/archived.h"
#include "api/index.h"
#include "api/job.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/recast.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define REPORT "report.html"

/* An archive of a reduction. */
struct archiving {
    struct archived into;
    const struct prvcut_reduce_options *options;
    char *main;                /* in the working folder: the sub-trace */
    struct prvcut_buffer page; /* path of the page there */
    struct prvcut_buffer told; /* "ARCHIVE:" */
    struct made_reduction *out;
};

static enum prvcut_status arch_name_all(struct archiving *a, struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_output_sibling(&a->main, a->into.trace->reader, a->into.like.at,
                                                  "chop1", a->options->cut->compress, err);

    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&a->page, err, "%s/" REPORT, a->into.work->fresh);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&a->told, err, "%s:", a->into.path);
    return st;
}

static enum prvcut_status arch_write_archive(const struct archiving *a, struct prvcut_error *err)
{
    char *json = NULL;
    struct stat info;
    enum prvcut_status st = prvcut_reduction_json(&a->out->is, &json, err);

    if (st == PRVCUT_OK)
        st = archived_pack(&a->into, json, err);
    if (st == PRVCUT_OK && stat(a->into.path, &info) == 0)
        a->out->is.archive_bytes = (uint64_t)info.st_size;
    return st;
}

static enum prvcut_status arch_reduce_into(struct archiving *a, struct prvcut_error *err)
{
    struct prvcut_reduce_options o = *a->options;
    struct prvcut_cut_options cut = *a->options->cut;
    struct job j = { .trace = a->into.trace,
                     .run = a->into.run,
                     .options = &o,
                     .out = a->out,
                     .told = a->told.at,
                     .archive = a->into.path,
                     .like = a->into.like.at };
    enum prvcut_status st;

    cut.path = a->main;
    o.cut = &cut;
    o.report = a->page.at;
    o.all_levels = o.proof = true;
    st = job_reduce(&j, err);
    if (st < 0 && err)
        prvcut_opening_retell(err->text, sizeof err->text, a->into.work->fresh, a->into.path);
    if (st == PRVCUT_OK && !o.cut->dry_run)
        st = arch_write_archive(a, err);
    if (st != PRVCUT_OK) {
        /* There is none, nor a page in it. */
        free(a->out->is.page);
        free(a->out->is.archive);
        a->out->is.page = a->out->is.archive = NULL;
    }
    return st;
}

enum prvcut_status api_reduce_to_archive(struct prvcut_trace *trace, const struct prvcut_run *run,
                                         const struct prvcut_reduce_options *options,
                                         const char *path, struct made_reduction *out,
                                         struct prvcut_error *err)
{
    struct archiving a = { .into = { .run = run,
                                     .path = path,
                                     .command = options->cut->command,
                                     .force = options->cut->force },
                           .options = options,
                           .out = out };
    struct recast cast;
    enum prvcut_status st = index_agree(trace, run, err);

    memset(out, 0, sizeof *out);
    if (st < 0)
        return prvcut_trace_outcome(trace, st, err);
    st = recast_begin(&cast, trace, run, err);
    a.into.trace = cast.trace;
    if (st == PRVCUT_OK)
        st = archived_open(&a.into, err);
    if (st == PRVCUT_OK)
        st = arch_name_all(&a, err);
    if (st == PRVCUT_OK)
        st = arch_reduce_into(&a, err);
    archived_close(&a.into);
    prvcut_buffer_fini(&a.page);
    prvcut_buffer_fini(&a.told);
    free(a.main);
    return prvcut_trace_outcome(trace, recast_end(&cast, st, err), err);
}
