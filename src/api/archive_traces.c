#include "api/entries.h"
#include "prvcut/archive.h"
#include "prvcut/inspect.h"

#include "api/archive_place.h"
#include "api/archived.h"
#include "api/called.h"
#include "api/locate.h"
#include "api/names.h"
#include "api/own_folder.h"
#include "api/pack.h"
#include "base/memory.h"
#include "model/trace.h"
#include "report/command.h"
#include "report/lines.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Folders inside a trace's own folder that are followed: no format has more than one. */
#define ATR_DEEPEST 4u

/* A text that becomes a file; both owned. */
struct atr_text {
    char *name, *text;
};

/* Finished traces on their way into an archive: links to their files stand in its working folder.
 */
struct atr {
    const struct prvcut_run *run;
    const struct prvcut_archive_options *options;
    struct prvcut_work *work;
    struct prvcut_buffer name; /* of the folder in the archive */
    struct atr_text *text;     /* [texts] what is told of each trace */
    size_t texts;
    struct prvcut_trace **open; /* [those that were named] */
    json_t *traces;             /* what about.json says of each */
    int64_t time;               /* of the latest main file: s since 1970 */
};

/* One trace of them. */
struct atr_one {
    struct prvcut_trace *trace;
    struct prvcut_buffer into; /* its place in the working folder, with a slash */
    size_t inner;              /* from where on that is a name in the archive */
    char *called;
};

static int atr_visible(const struct dirent *d)
{
    return strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
}

static enum prvcut_status atr_link(const char *from, const char *to, const char *name,
                                   struct prvcut_error *err)
{
    struct prvcut_error why = { .status = PRVCUT_OK };
    const enum prvcut_status st = prvcut_work_link(from, to, &why);

    if (st == PRVCUT_EEXIST)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "two traces have a file '%s'; an archive holds one of that name", name);
    return st < 0 ? prvcut_fail(err, st, "%s", why.text) : PRVCUT_OK;
}

static enum prvcut_status atr_tree(const char *from, const char *to, const char *name,
                                   unsigned depth, struct prvcut_error *err);

/* A folder is made anew, with links to its files in it. */
static enum prvcut_status atr_folder(const char *from, const char *to, unsigned depth,
                                     struct prvcut_error *err)
{
    struct dirent **entry = NULL;
    const int count = scandir(from, &entry, atr_visible, alphasort);
    enum prvcut_status st = PRVCUT_OK;

    if (count < 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read", from);
    if (mkdir(to, 0777) != 0 && errno != EEXIST)
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%s", to);
    for (int i = 0; i < count; i++) {
        char *inside = prvcut_path_join(from, entry[i]->d_name);
        char *place = prvcut_path_join(to, entry[i]->d_name);

        if (st == PRVCUT_OK)
            st = inside && place ? atr_tree(inside, place, entry[i]->d_name, depth + 1, err)
                                 : prvcut_no_memory(err, "a file name");
        free(inside);
        free(place);
        free(entry[i]);
    }
    free(entry);
    return st;
}

static enum prvcut_status atr_tree(const char *from, const char *to, const char *name,
                                   unsigned depth, struct prvcut_error *err)
{
    struct stat s;

    if (depth > ATR_DEEPEST)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: more than %u folders in each other", from,
                           ATR_DEEPEST);
    if (stat(from, &s) != 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read", from);
    return S_ISDIR(s.st_mode) ? atr_folder(from, to, depth, err) : atr_link(from, to, name, err);
}

/* An index is of one place and time only. */
static bool atr_is_own(const struct prvcut_trace *t, const char *path)
{
    const size_t length = strlen(path), suffix = strlen(".prvx");

    return !(length > suffix && strcmp(path + length - suffix, ".prvx") == 0) &&
           prvcut_trace_holds(t, path);
}

/* All that belongs to it stands in the folder of its main file. */
static enum prvcut_status atr_files(const struct atr_one *o, struct prvcut_error *err)
{
    const char *main = o->trace->path, *slash = strrchr(main, '/');
    char *place =
        slash ? prvcut_copied(main, slash > main ? (size_t)(slash - main) : 1, "a file name", err)
              : prvcut_copied_text(".", "a file name", err);
    struct dirent **entry = NULL;
    const int count = place ? scandir(place, &entry, atr_visible, alphasort) : 0;
    enum prvcut_status st = PRVCUT_OK;

    if (!place)
        return PRVCUT_ENOMEM;
    if (count < 0)
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read", place);
    for (int i = 0; i < count; i++) {
        char *from = prvcut_path_join(place, entry[i]->d_name);
        char *to = prvcut_path_join(o->into.at, entry[i]->d_name);

        if (st == PRVCUT_OK && (!from || !to))
            st = prvcut_no_memory(err, "a file name");
        if (st == PRVCUT_OK && atr_is_own(o->trace, from))
            st = atr_tree(from, to, entry[i]->d_name, 0, err);
        free(from);
        free(to);
        free(entry[i]);
    }
    free(entry);
    free(place);
    return st;
}

/* Traces of many files whose main file is called alike in all have a folder each. */
static enum prvcut_status atr_place(struct atr *a, struct atr_one *o, struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_trace_called(&o->called, o->trace, err);

    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&o->into, err, "%s", a->work->fresh);
    o->inner = o->into.count + 1;
    if (st == PRVCUT_OK && prvcut_path_is_generic(o->trace->path)) {
        const char *slash = strrchr(o->called, '/');

        st = prvcut_buffer_printf(&o->into, err, "/%s", slash ? slash + 1 : o->called);
        if (st == PRVCUT_OK && mkdir(o->into.at, 0777) != 0)
            st = errno == EEXIST ? prvcut_fail(err, PRVCUT_EUSAGE,
                                               "two traces are called '%s'; an archive holds one "
                                               "of that name",
                                               o->into.at + o->inner)
                                 : prvcut_fail_errno(err, PRVCUT_EIO, "%s", o->into.at);
    }
    return st;
}

/* The name of its main file in the archive. */
static enum prvcut_status atr_main(const struct atr_one *o, struct prvcut_buffer *out,
                                   struct prvcut_error *err)
{
    const char *slash = strrchr(o->trace->path, '/');
    const char *base = slash ? slash + 1 : o->trace->path;

    return o->into.count >= o->inner
               ? prvcut_buffer_printf(out, err, "%s/%s", o->into.at + o->inner, base)
               : prvcut_buffer_printf(out, err, "%s", base);
}

/* What is in it, told beside it. */
static enum prvcut_status atr_info(struct atr *a, const struct atr_one *o, const char *main,
                                   struct prvcut_error *err)
{
    struct prvcut_buffer name = { 0 };
    char *text = NULL;
    enum prvcut_status st = prvcut_info(o->trace, a->run, PRVCUT_JSON, &text, err);

    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&name, err, "%s.info.json", main);
    if (st != PRVCUT_OK) {
        prvcut_buffer_fini(&name);
        free(text);
        return st;
    }
    a->text[a->texts++] = (struct atr_text){ name.at, text };
    return PRVCUT_OK;
}

static enum prvcut_status atr_tell(struct atr *a, const struct atr_one *o, const char *main,
                                   struct prvcut_error *err)
{
    json_t *origin = NULL;
    struct stat s;
    enum prvcut_status st = archived_origin(&origin, o->trace, main, a->run, err);

    if (st == PRVCUT_OK && json_array_append_new(a->traces, origin) != 0)
        st = prvcut_no_memory(err, "a report");
    if (st == PRVCUT_OK && stat(o->trace->path, &s) == 0 && (int64_t)s.st_mtime > a->time)
        a->time = (int64_t)s.st_mtime;
    return st;
}

static enum prvcut_status atr_take(struct atr *a, struct atr_one *o, struct prvcut_error *err)
{
    struct prvcut_buffer main = { 0 };
    enum prvcut_status st = prvcut_output_spares(o->trace, a->options->path, err);

    if (st == PRVCUT_OK)
        st = atr_place(a, o, err);
    if (st == PRVCUT_OK)
        st = atr_files(o, err);
    if (st == PRVCUT_OK)
        st = atr_main(o, &main, err);
    if (st == PRVCUT_OK)
        st = atr_info(a, o, main.at, err);
    if (st == PRVCUT_OK)
        st = atr_tell(a, o, main.at, err);
    prvcut_buffer_fini(&main);
    return st;
}

static enum prvcut_status atr_about(struct atr *a, char **text, struct prvcut_error *err)
{
    json_t *traces = a->traces;

    a->traces = NULL;
    return archived_about(text, a->options->command, "traces", traces, err);
}

static enum prvcut_status atr_write(struct atr *a, char **about, struct prvcut_error *err)
{
    struct pack_text *text = prvcut_zeroed(a->texts + 1, sizeof *text, "an archive", err);
    struct pack what = { .folder = a->work->fresh,
                         .name = a->name.at,
                         .text = text,
                         .texts = a->texts + 1,
                         .time = a->time,
                         .force = a->options->force };
    enum prvcut_status st = text ? atr_about(a, about, err) : PRVCUT_ENOMEM;

    if (st == PRVCUT_OK) {
        for (size_t i = 0; i < a->texts; i++)
            text[i] = (struct pack_text){ a->text[i].name, a->text[i].text };
        text[a->texts] = (struct pack_text){ "about.json", *about };
        st = pack_write(a->options->path, a->run, &what, err);
    }
    free(text);
    return st;
}

/* They stay open until the archive is whole: one that comes out of another archive is there no
   longer. */
static enum prvcut_status atr_gather(struct atr *a, const char *const *trace, size_t traces,
                                     const struct prvcut_open_options *open,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < traces && st == PRVCUT_OK; i++) {
        struct atr_one o = { .trace = NULL };

        st = strcmp(trace[i], "-") == 0
                 ? prvcut_fail(err, PRVCUT_EUSAGE,
                               "standard input cannot be archived as it is; save it to a file")
                 : prvcut_trace_open(&a->open[i], trace[i], open, err);
        o.trace = a->open[i];
        if (st == PRVCUT_OK)
            st = atr_take(a, &o, err);
        prvcut_buffer_fini(&o.into);
        free(o.called);
    }
    return st;
}

static enum prvcut_status atr_start(struct atr *a, size_t traces, struct prvcut_error *err)
{
    enum prvcut_status st = archive_place_name(&a->name, a->options->path, err);

    if (st == PRVCUT_OK)
        st = prvcut_output_is_free(a->options->path, a->options->force, err);
    if (st != PRVCUT_OK)
        return st;
    a->text = prvcut_zeroed(traces, sizeof *a->text, "an archive", err);
    a->open = prvcut_zeroed(traces, sizeof(struct prvcut_trace *), "an archive", err);
    a->traces = json_array();
    if (!a->text || !a->open)
        return PRVCUT_ENOMEM;
    return a->traces ? archive_place_open(&a->work, a->options->path, err)
                     : prvcut_no_memory(err, "a report");
}

/* The archive in a line, and what checks it. */
static enum prvcut_status atr_text(const struct atr *a, char **told, struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    char size[32], typed[1000];
    struct stat s = { 0 };

    if (stat(a->options->path, &s) != 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s", a->options->path);
    report_head(&l, "Archive");
    report_put_foreign(&l, a->options->path);
    report_put(&l, ", %s, %zu trace%s\n", prvcut_size_text(size, (double)s.st_size), a->texts,
               a->texts == 1 ? "" : "s");
    if (report_quote(typed, sizeof typed, a->options->path)) {
        report_head(&l, "Next");
        report_put(&l, "prvcut verify %s\n", typed);
    }
    return report_take(&l, told);
}

enum prvcut_status api_archive_traces(const char *const *trace, size_t traces,
                                      const struct prvcut_run *run,
                                      const struct prvcut_open_options *open,
                                      const struct prvcut_archive_options *options, char **told,
                                      struct prvcut_error *err)
{
    struct atr a = { .run = run, .options = options };
    enum prvcut_status st = PRVCUT_OK;
    char *about = NULL;

    *told = NULL;
    if (traces == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "which traces are to be archived?");
    if (!options->path)
        return prvcut_fail(err, PRVCUT_EUSAGE, "an archive needs a name");
    st = atr_start(&a, traces, err);
    if (st == PRVCUT_OK)
        st = atr_gather(&a, trace, traces, open, err);
    if (st == PRVCUT_OK)
        st = atr_write(&a, &about, err);
    if (st == PRVCUT_OK && options->form != PRVCUT_JSON)
        st = atr_text(&a, told, err);
    else if (st == PRVCUT_OK)
        *told = about, about = NULL;
    free(about);
    for (size_t i = 0; i < a.texts; i++) {
        free(a.text[i].name);
        free(a.text[i].text);
    }
    for (size_t i = 0; a.open && i < traces; i++)
        prvcut_trace_close(a.open[i]);
    free(a.open);
    free(a.text);
    json_decref(a.traces);
    prvcut_work_close(a.work);
    prvcut_buffer_fini(&a.name);
    return st;
}
