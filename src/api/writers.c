#include "api/writers.h"

#include "api/able.h"
#include "api/names.h"
#include "api/suffix.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "model/formats.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct prvcut_writer *writers_named(const char *format)
{
    for (size_t i = 0; prvcut_writers[i]; i++)
        if (strcmp(prvcut_writers[i]->format->name, format) == 0)
            return prvcut_writers[i];
    return NULL;
}

enum prvcut_status writers_add_calls(const struct prvcut_writer *writer, const char *shown,
                                     struct prvcut_error *err)
{
    size_t i = 0;

    if (writer && writer->adds_calls)
        return PRVCUT_OK;
    while (prvcut_writers[i] && !prvcut_writers[i]->adds_calls)
        i++;
    if (!prvcut_writers[i])
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "--for-scalasca: nothing that Scalasca reads is "
                           "built in");
    prvcut_instead(err, "prvcut convert --for-scalasca TRACE out%s",
                   prvcut_writers[i]->format->suffix);
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "%s: --for-scalasca: Scalasca reads %s archives, and this is none", shown,
                       prvcut_writers[i]->format->title);
}

char *writers_scratch(const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) : 0;

    return prvcut_copied(slash ? path : ".", length > 0 ? length : 1, "a file name", NULL);
}

static const char *wrt_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* No other run's. */
static enum prvcut_status wrt_temporary(struct prvcut_buffer *out, const char *path,
                                        struct prvcut_error *err)
{
    const char *tmp = getenv("TMPDIR");

    return prvcut_buffer_printf(out, err, "%s/prvcut-%ld-%s", tmp && *tmp ? tmp : "/tmp",
                                (long)getpid(), wrt_name(path));
}

enum prvcut_status writers_apart_begin(struct writers_apart *out, const char *path, bool dry_run,
                                       struct prvcut_error *err)
{
    struct prvcut_buffer beside = { 0 }, inside = { 0 };
    enum prvcut_status st = dry_run ? wrt_temporary(&beside, path, err)
                                    : prvcut_buffer_printf(&beside, err, "%s", path);

    *out = (struct writers_apart){ 0 };
    if (st == PRVCUT_OK)
        st = prvcut_folder_open(&out->folder, beside.at, NULL, true, err);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&inside, err, "%s/%s", prvcut_folder_path(out->folder),
                                  wrt_name(path));
    out->path = inside.at;
    prvcut_buffer_fini(&beside);
    return st;
}

void writers_apart_end(struct writers_apart *a)
{
    prvcut_folder_abandon(a->folder);
    free(a->path);
    *a = (struct writers_apart){ 0 };
}

enum prvcut_status writers_again(const struct prvcut_trace *t,
                                 const struct prvcut_convert_options *to, const char *what,
                                 bool halves, struct prvcut_error *err)
{
    const char *named;
    enum prvcut_status st;

    if (t->once)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: the trace is read twice, which a pipe does not allow",
                           prvcut_trace_told(t));
    if (!writers_named(t->reader->format->name) ||
        (!halves && (t->reader->halves || t->reader->by_thread))) {
        able_propose(err, PRVCUT_ABLE_RULES);
        if (halves)
            return prvcut_fail(err, PRVCUT_EUSAGE, "%s: %s cannot be written: convert it first",
                               prvcut_trace_told(t), t->reader->format->title);
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: %s is written of Paraver traces; convert it first",
                           prvcut_trace_told(t), what);
    }
    named = prvcut_convert_format(to->path);
    if (!named || strcmp(named, t->reader->format->name) != 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "'%s': %s is a trace NAME%s", to->path, what,
                           t->reader->format->suffix);
    st = prvcut_output_spares(t, to->path, err);
    if (st == PRVCUT_OK)
        st = prvcut_output_companions_spare(t, to->path, err);
    return st == PRVCUT_OK ? prvcut_output_set_is_free(to->path, NULL, to->force, err) : st;
}

const char *prvcut_convert_format(const char *path)
{
    const struct prvcut_format *format = prvcut_suffix_of(path).suffix.format;

    return format ? format->name : NULL;
}

const char *prvcut_convert_suffix(size_t i)
{
    for (size_t k = 0; prvcut_writers[k]; k++)
        if (k == i)
            return prvcut_writers[k]->format->suffix;
    return NULL;
}
