#include "api/archived.h"

#include "api/archive_place.h"
#include "api/called.h"
#include "api/digest.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/pack.h"
#include "base/memory.h"
#include "prvcut/json.h"
#include "report/json.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- Where it comes from ---------------------------------------------------------------------- */

enum prvcut_status archived_origin(json_t **out, const struct prvcut_trace *t, const char *name,
                                   const struct prvcut_run *run, struct prvcut_error *err)
{
    struct digest_text sum;
    uint64_t bytes = 0;
    const enum prvcut_status st = digest_file(&sum, &bytes, t->path, run, err);

    *out = NULL;
    if (st == PRVCUT_OK) {
        const struct report_field fields[] = {
            { "name", report_json_text(name) },
            { "path", report_json_text(prvcut_trace_told(t)) },
            { "format", report_json_text(t->reader->format->name) },
            { "bytes", report_json_integer(bytes) },
            { "sha256", report_json_text(sum.at) },
        };

        *out = REPORT_JSON_OBJECT(fields);
    }
    return st == PRVCUT_OK && !*out ? prvcut_no_memory(err, "a report") : st;
}

enum prvcut_status archived_about(char **text, const char *command, const char *of, json_t *origin,
                                  struct prvcut_error *err)
{
    const struct report_field fields[] = {
        { "schema", json_string("prvcut-archive") },
        { "version", report_json_integer(PRVCUT_JSON_VERSION) },
        { "program", report_json_text("prvcut " PRVCUT_VERSION) },
        { "command", report_json_text(command) },
        { "made_by", report_json_text("prvcut " PRVCUT_VERSION) },
        { of, origin },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}

/* --- The archive ------------------------------------------------------------------------------ */

static const char *acd_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* A trace that is called like all of its format has a folder that tells its name. */
static enum prvcut_status acd_like(struct archived *a, struct prvcut_error *err)
{
    const char *shown = prvcut_trace_shown(a->trace);
    const bool generic = prvcut_path_is_generic(shown);
    char *called = NULL;
    enum prvcut_status st = prvcut_trace_called(&called, a->trace, err);

    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&a->like, err, "%s/%s%s", a->work->fresh,
                                  generic ? called : acd_base(shown),
                                  generic ? a->trace->reader->format->suffix : "");
    free(called);
    return st;
}

enum prvcut_status archived_check(const struct prvcut_trace *trace, const char *path, bool force,
                                  struct prvcut_error *err)
{
    struct prvcut_buffer name = { 0 };
    enum prvcut_status st = archive_place_name(&name, path, err);

    prvcut_buffer_fini(&name);
    if (st == PRVCUT_OK)
        st = prvcut_output_spares(trace, path, err);
    return st == PRVCUT_OK ? prvcut_output_is_free(path, force, err) : st;
}

enum prvcut_status archived_open(struct archived *a, struct prvcut_error *err)
{
    enum prvcut_status st = archived_check(a->trace, a->path, a->force, err);

    if (st == PRVCUT_OK)
        st = archive_place_name(&a->name, a->path, err);
    if (st == PRVCUT_OK)
        st = archive_place_open(&a->work, a->path, err);
    return st < 0 ? st : acd_like(a, err);
}

enum prvcut_status archived_pack(const struct archived *a, char *report, struct prvcut_error *err)
{
    const struct prvcut_trace *source = a->trace->origin ? a->trace->origin : a->trace;
    char *about = NULL;
    json_t *origin = NULL;
    struct stat info = { 0 };
    enum prvcut_status st =
        archived_origin(&origin, source, acd_base(prvcut_trace_shown(source)), a->run, err);

    if (st == PRVCUT_OK)
        st = archived_about(&about, a->command, "input", origin, err);
    if (st == PRVCUT_OK)
        st = prvcut_json_command(&report, a->command, err);
    if (st == PRVCUT_OK) {
        const struct pack_text text[] = { { "report.json", report }, { "about.json", about } };
        const int64_t time = stat(source->path, &info) == 0 ? (int64_t)info.st_mtime : 0;
        const struct pack what = { .folder = a->work->fresh,
                                   .name = a->name.at,
                                   .text = text,
                                   .texts = sizeof text / sizeof *text,
                                   .time = time,
                                   .force = a->force };

        st = pack_write(a->path, a->run, &what, err);
    }
    free(about);
    free(report);
    return st;
}

void archived_close(struct archived *a)
{
    prvcut_work_close(a->work);
    prvcut_buffer_fini(&a->name);
    prvcut_buffer_fini(&a->like);
    a->work = NULL;
}

/* --- What is made once ------------------------------------------------------------------------ */

/* A file in the working folder is one of the archive. */
static enum prvcut_status acd_tell(const struct archived *a, char **file, size_t files,
                                   struct prvcut_error *err)
{
    const size_t folder = strlen(a->work->fresh);

    for (size_t i = 0; i < files; i++) {
        struct prvcut_buffer told = { 0 };

        if (strncmp(file[i], a->work->fresh, folder) != 0 || file[i][folder] != '/')
            continue;
        if (prvcut_buffer_printf(&told, err, "%s:%s", a->path, file[i] + folder + 1) < 0)
            return PRVCUT_ENOMEM;
        free(file[i]);
        file[i] = told.at;
    }
    return PRVCUT_OK;
}

static enum prvcut_status acd_make(struct archived *a, const struct archived_maker *m,
                                   struct prvcut_error *err)
{
    char *const shown = a->trace->shown;
    enum prvcut_status st;

    /* A folder stands for a trace that is called like all others: outputs stand beside it. */
    a->trace->shown = a->like.at;
    st = m->make(m->ctx, a->work->fresh, err);
    a->trace->shown = shown;
    if (st < 0 && err)
        prvcut_opening_retell(err->text, sizeof err->text, a->work->fresh, a->path);
    return st;
}

enum prvcut_status archived_make(struct archived *a, const struct archived_maker *m,
                                 struct prvcut_error *err)
{
    char *report = NULL;
    enum prvcut_status st = archived_open(a, err);

    if (st == PRVCUT_OK)
        st = acd_make(a, m, err);
    if (st == PRVCUT_OK)
        st = acd_tell(a, *m->file, *m->files, err);
    if (st == PRVCUT_OK && !m->dry_run)
        st = m->report(m->ctx, &report, err);
    if (st == PRVCUT_OK && !m->dry_run)
        st = archived_pack(a, report, err);
    archived_close(a);
    return st;
}
