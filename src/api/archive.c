#include "prvcut/archive.h"
#include "api/entries.h"
#include "base/memory.h"
#include "prvcut/json.h"

#include "api/archive_place.h"
#include "api/called.h"
#include "api/digest.h"
#include "api/job.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/pack.h"
#include "base/buffer.h"
#include "report/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REPORT "report.html"

/* An archive under way. */
struct archiving {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_reduce_options *options;
    const char *path;
    struct prvcut_work *work;        /* beside the archive */
    const char *folder;              /* in it: what will be in the archive */
    char *main;                      /* there: the sub-trace */
    struct prvcut_buffer like;       /* there: the trace itself, which sub-traces are named after */
    struct prvcut_buffer page, name; /* path of the page there; the folder's name in the archive */
    struct prvcut_buffer told;       /* "ARCHIVE:" */
    struct made_reduction *out;
};

static enum prvcut_status name_files(struct archiving *a, struct prvcut_error *err)
{
    const char *shown = prvcut_trace_shown(a->trace), *slash = strrchr(shown, '/');
    const bool generic = prvcut_path_is_generic(shown);
    char *called = NULL;
    enum prvcut_status st = prvcut_trace_called(&called, a->trace, err);

    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&a->like, err, "%s/%s%s", a->folder,
                                  generic ? called
                                  : slash ? slash + 1
                                          : shown,
                                  generic ? a->trace->reader->format->suffix : "");
    free(called);
    if (st == PRVCUT_OK)
        st = prvcut_output_sibling(&a->main, a->trace->reader, a->like.at, "chop1",
                                   a->options->cut->compress, err);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&a->page, err, "%s/" REPORT, a->folder);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&a->told, err, "%s:", a->path);
    return st;
}

static enum prvcut_status start(struct archiving *a, struct prvcut_error *err)
{
    enum prvcut_status st = archive_place_name(&a->name, a->path, err);

    if (st == PRVCUT_OK)
        st = prvcut_output_spares(a->trace, a->path, err);
    if (st == PRVCUT_OK)
        st = prvcut_output_is_free(a->path, a->options->cut->force, err);
    if (st == PRVCUT_OK)
        st = archive_place_open(&a->work, a->path, err);
    if (st < 0)
        return st;
    a->folder = a->work->fresh;
    return name_files(a, err);
}

/* Where the sub-trace comes from. */
static enum prvcut_status about(const struct archiving *a, char **text, struct prvcut_error *err)
{
    struct digest_text sum;
    uint64_t bytes = 0;
    enum prvcut_status st = digest_file(&sum, &bytes, a->trace->path, a->run, err);

    if (st == PRVCUT_OK) {
        const char *shown = prvcut_trace_shown(a->trace), *slash = strrchr(shown, '/');
        const struct report_field input[] = {
            { "name", report_json_text(slash ? slash + 1 : shown) },
            { "path", report_json_text(prvcut_trace_told(a->trace)) },
            { "format", report_json_text(a->trace->reader->format->name) },
            { "bytes", report_json_integer(bytes) },
            { "sha256", report_json_text(sum.at) },
        };
        const struct report_field fields[] = {
            { "schema", json_string("prvcut-archive") },
            { "version", report_json_integer(PRVCUT_JSON_VERSION) },
            { "program", report_json_text("prvcut " PRVCUT_VERSION) },
            { "command", report_json_text(a->options->cut->command) },
            { "made_by", report_json_text("prvcut " PRVCUT_VERSION) },
            { "input", REPORT_JSON_OBJECT(input) },
        };

        st = report_json_take(REPORT_JSON_OBJECT(fields), text, err);
    }
    return st;
}

static enum prvcut_status write_archive(const struct archiving *a, struct prvcut_error *err)
{
    char *json = NULL, *origin = NULL;
    struct stat info = { 0 };
    enum prvcut_status st = about(a, &origin, err);

    if (st == PRVCUT_OK)
        st = prvcut_reduction_json(&a->out->is, &json, err);
    if (st == PRVCUT_OK)
        st = prvcut_json_command(&json, a->options->cut->command, err);
    if (st == PRVCUT_OK) {
        const struct pack_text text[] = { { "report.json", json }, { "about.json", origin } };
        const int64_t time = stat(a->trace->path, &info) == 0 ? (int64_t)info.st_mtime : 0;
        const struct pack what = { .folder = a->folder,
                                   .name = a->name.at,
                                   .text = text,
                                   .texts = sizeof text / sizeof *text,
                                   .time = time,
                                   .force = a->options->cut->force };

        st = pack_write(a->path, a->run, &what, err);
    }
    if (st == PRVCUT_OK && stat(a->path, &info) == 0)
        a->out->is.archive_bytes = (uint64_t)info.st_size;
    free(json);
    free(origin);
    return st;
}

static enum prvcut_status reduce_into(struct archiving *a, struct prvcut_error *err)
{
    struct prvcut_reduce_options o = *a->options;
    struct prvcut_cut_options cut = *a->options->cut;
    struct job j = { .trace = a->trace,
                     .run = a->run,
                     .options = &o,
                     .out = a->out,
                     .told = a->told.at,
                     .archive = a->path,
                     .like = a->like.at };
    enum prvcut_status st;

    cut.path = a->main;
    o.cut = &cut;
    o.report = a->page.at;
    o.all_levels = o.proof = true;
    st = job_reduce(&j, err);
    if (st < 0 && err)
        prvcut_opening_retell(err->text, sizeof err->text, a->folder, a->path);
    if (st == PRVCUT_OK && !o.cut->dry_run)
        st = write_archive(a, err);
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
    struct archiving a = {
        .trace = trace, .run = run, .options = options, .path = path, .out = out
    };
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    st = start(&a, err);
    if (st == PRVCUT_OK)
        st = reduce_into(&a, err);
    prvcut_work_close(a.work);
    prvcut_buffer_fini(&a.page);
    prvcut_buffer_fini(&a.like);
    prvcut_buffer_fini(&a.name);
    prvcut_buffer_fini(&a.told);
    free(a.main);
    return prvcut_trace_outcome(trace, st, err);
}
