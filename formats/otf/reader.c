#include "otf/mark.h"
#include "otf/sieve.h"

#include "base/kept.h"
#include "base/memory.h"
#include "model/formats.h"
#include "model/told_windows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Largest master file. */
#define MASTER_MOST ((size_t)64 << 20)

void otf_close(struct prvcut_trace *t)
{
    struct otf_trace *o = (struct otf_trace *)t;

    if (!o)
        return;
    for (uint32_t i = 0; i < o->streams; i++) {
        struct otf_stream *s = &o->stream[i];

        otf_marks_fini(s);
        if (s->names)
            otf_names_fini(s->names);
        free(s->names);
        free(s->path);
        free(s->definitions);
    }
    free(o->stream);
    free(o->process);
    free(o->member);
    free(o->by_thread);
    free(o->direct);
    otf_names_fini(&o->names);
    otf_words_free(o->words);
    free(o->made_up);
    free(o->prefix);
    free(o->definitions);
    prvcut_objects_fini(&o->base.objects);
    prvcut_clocks_fini(&o->base.clocks);
    free(o->base.type);
    free(o->base.state);
    free(o->base.path);
    free(o->base.own_window);
    prvcut_buffer_fini(&o->windows);
    free(o);
}

/* PREFIX.ID.KIND or PREFIX.ID.KIND.z, whichever there is; *path NULL: neither. */
static enum prvcut_status reader_find_file(struct otf_trace *t, uint32_t id, const char *kind,
                                           char **path, bool *packed, uint64_t *size,
                                           struct prvcut_error *err)
{
    const size_t room = strlen(t->prefix) + strlen(kind) + 16;
    char *name = prvcut_unset(1, room, "a trace", err);
    struct prvcut_identity found;
    struct stat sb;

    *path = NULL;
    if (!name)
        return PRVCUT_ENOMEM;
    for (unsigned z = 0; z < 2; z++) {
        snprintf(name, room, "%s.%" PRIx32 ".%s%s", t->prefix, id, kind, z ? ".z" : "");
        errno = 0;
        if (stat(name, &sb) == 0 && S_ISREG(sb.st_mode)) {
            *path = name;
            *packed = z == 1;
            *size = (uint64_t)sb.st_size;
            found = prvcut_identity_of(&sb);
            t->base.files_sum = prvcut_identity_sum(t->base.files_sum, &found);
            return PRVCUT_OK;
        }
        if (errno != 0 && errno != ENOENT && errno != ENOTDIR) {
            prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read", name);
            free(name);
            return PRVCUT_EIO;
        }
    }
    free(name);
    return PRVCUT_OK;
}

static enum prvcut_status reader_find_files(struct otf_trace *t, struct prvcut_error *err)
{
    uint64_t size = 0;
    bool local = false, packed;
    enum prvcut_status st =
        reader_find_file(t, 0, "def", &t->definitions, &t->definitions_packed, &size, err);

    t->base.bytes = size;
    t->base.seekable = true;
    for (uint32_t i = 0; i < t->streams && st == PRVCUT_OK; i++) {
        struct otf_stream *s = &t->stream[i];

        st = reader_find_file(t, s->id, "events", &s->path, &s->packed, &s->size, err);
        if (st == PRVCUT_OK && s->id != 0)
            st = reader_find_file(t, s->id, "def", &s->definitions, &packed, &size, err);
        local = local || s->definitions;
        t->base.bytes += s->size;
        if (s->packed) {
            t->base.seekable = false;
            t->base.codec = PRVCUT_GZIP;
        }
    }
    if (st == PRVCUT_OK && !t->definitions && !local)
        st = prvcut_fail(err, PRVCUT_EFORMAT,
                         "%s: there is no %s.0.def with its definitions (nor %s.0.def.z)",
                         t->base.path, t->prefix, t->prefix);
    return st;
}

static enum prvcut_status reader_set_paths(struct otf_trace *t, const char *path,
                                           struct prvcut_error *err)
{
    const size_t length = strlen(path);

    if (strcmp(path, "-") == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "an OTF trace is several files, a pipe is one; name its .otf file");
    t->base.path = prvcut_copied_text(path, "a trace", err);
    t->prefix = prvcut_copied_text(path, "a trace", err);
    if (!t->base.path || !t->prefix)
        return PRVCUT_ENOMEM;
    if (length > 4 && strcmp(path + length - 4, ".otf") == 0)
        t->prefix[length - 4] = '\0';
    return PRVCUT_OK;
}

/* The latest end of any stream, with the clocks brought together. */
static void reader_set_end(struct otf_trace *t)
{
    for (uint32_t i = 0; i < t->streams; i++) {
        const struct otf_stream *s = &t->stream[i];
        const uint64_t last = s->last > 0 ? s->last : t->range_max;

        for (uint32_t k = 0; k < s->members && !s->empty; k++) {
            const uint64_t end = otf_time(t, last) + otf_shift(t, t->process[s->member[k]].thread) +
                                 (otf_steps(t) > 0 ? otf_steps(t) - 1 : 0);

            t->base.end_ns = end > t->base.end_ns ? end : t->base.end_ns;
        }
    }
    t->base.end_told = t->told_end > 0;
    if (t->base.end_told)
        t->base.end_ns = t->told_end;
}

/* The windows that a cut tells; the clocks are together. */
static enum prvcut_status reader_take_windows(struct otf_trace *t, struct prvcut_error *err)
{
    const char *at = t->windows.at;
    struct prvcut_span ticks;
    uint64_t id = UINT64_MAX;
    enum prvcut_status st = PRVCUT_OK;

    while (at && st == PRVCUT_OK && prvcut_told_windows_take(&at, &id, &ticks)) {
        const uint32_t thread = otf_thread_of(t, id);

        if (thread != PRVCUT_NOBODY)
            st = prvcut_told_windows_set(
                &t->base, thread,
                (struct prvcut_span){ otf_time(t, ticks.start) + otf_shift(t, thread),
                                      otf_time(t, ticks.end) + otf_shift(t, thread) },
                err);
    }
    prvcut_told_windows_settle(&t->base);
    return st;
}

static enum prvcut_status read_trace(struct otf_trace *t, const char *path,
                                     const struct prvcut_open_options *options,
                                     struct prvcut_error *err)
{
    char *text = NULL;
    size_t count = 0;
    enum prvcut_status st = reader_set_paths(t, path, err);

    t->lenient = options && options->lenient;
    if (st == PRVCUT_OK)
        st = otf_words_new(&t->words, err);
    if (st == PRVCUT_OK)
        st = prvcut_source_slurp(path, MASTER_MOST, &text, &count, err);
    if (st == PRVCUT_OK)
        st = otf_master_read(t, text, count, err);
    free(text);
    if (st == PRVCUT_OK)
        st = reader_find_files(t, err);
    if (st == PRVCUT_OK)
        st = otf_definitions_read(t, err);
    if (st == PRVCUT_OK)
        st = otf_times_find(t, err);
    if (st == PRVCUT_OK)
        st = otf_comms_find(t, err);
    if (st == PRVCUT_OK && !(options && options->raw_clocks))
        st = otf_clocks_find(t, err);
    if (st < 0)
        return st;
    t->base.unit_ns = UINT64_C(1000000000) / t->resolution;
    t->base.unit_ns = t->base.unit_ns > 0 ? t->base.unit_ns : 1;
    reader_set_end(t);
    t->base.bytes += count;
    t->base.companion[0] = (struct prvcut_companion){ ".def", t->definitions, t->first_damaged };
    t->base.companions = 1;
    return reader_take_windows(t, err);
}

enum prvcut_status otf_open_path(struct otf_trace **out, const char *path,
                                 const struct prvcut_open_options *options,
                                 struct prvcut_error *err)
{
    struct otf_trace *t = prvcut_zeroed(1, sizeof *t, "a trace", err);
    enum prvcut_status st;

    *out = NULL;
    if (!t)
        return PRVCUT_ENOMEM;
    t->base.reader = &prvcut_otf_reader;
    t->base.wall_clock = INT64_MIN;
    st = read_trace(t, path, options, err);
    if (st < 0) {
        otf_close(&t->base);
        return st;
    }
    *out = t;
    return PRVCUT_OK;
}

static enum prvcut_status reader_open_source(struct prvcut_trace **out,
                                             struct prvcut_source *source,
                                             const struct prvcut_open_options *options,
                                             struct prvcut_error *err)
{
    struct otf_trace *t = NULL;
    enum prvcut_status st = otf_open_path(&t, prvcut_source_path(source), options, err);

    prvcut_source_close(source);
    *out = t ? &t->base : NULL;
    return st;
}

const struct prvcut_reader prvcut_otf_reader = {
    .format = &prvcut_otf_format,
    .summary = "OTF 1 trace (VampirTrace, EZTrace 1): .otf with its .def and .events",
    .halves = true,
    .by_thread = true,
    .calls_nest = true,
    .probe = otf_probe,
    .open = reader_open_source,
    .scan = otf_scan,
    .scan_window = otf_scan_window,
    .cut = otf_cut,
    .filter_check = otf_filter_check,
    .filter = otf_filter,
    .mark = otf_mark_trace,
    .check = otf_check,
    .describe = otf_describe,
    .close = otf_close,
};
