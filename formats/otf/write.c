#include "otf/write.h"

#include "base/buffer.h"
#include "base/checked.h"
#include "base/memory.h"
#include "model/texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".otf"

/* Bytes of the longest suffix of a stream's file, ".ffffffff.events". */
#define SUFFIX_MOST 24

static void write_release(struct otfw *w)
{
    otf_out_close(&w->at.out);
    otfw_names_fini(&w->names);
    prvcut_table_fini(&w->sites);
    free(w->at.nest.at);
    free(w->written);
    free(w->world);
    prvcut_runs_fini(&w->runs);
    free(w->path);
    free(w->stem);
    free(w);
}

/* All files but the master stand beside it: none of them may be there already. */
static enum prvcut_status write_open_folder(struct otfw *w, bool force, struct prvcut_error *err)
{
    const size_t streams = w->outline->objects->threads;
    const size_t one = strlen(w->stem) + SUFFIX_MOST;
    const char **name;
    char *text;
    size_t bytes;
    enum prvcut_status st = PRVCUT_ENOMEM;

    if (!prvcut_ckd_mul_size(&bytes, streams + 1, one))
        return prvcut_no_memory(err, "names");
    text = prvcut_unset(1, bytes, "names", err);
    name = prvcut_zeroed(streams + 2, sizeof *name, "names", err);
    if (text && name) {
        for (size_t i = 0; i <= streams; i++) {
            name[i] = text + i * one;
            if (i == 0)
                snprintf(text, one, "%s.0.def", w->stem);
            else
                snprintf(text + i * one, one, "%s.%zx.events", w->stem, i);
        }
        st = prvcut_folder_open(&w->folder, w->path, name, force, err);
    } else {
        prvcut_no_memory(err, "names");
    }
    free(text);
    free(name);
    return st;
}

/* The first communicator that has all tasks of its application. */
static enum prvcut_status write_find_worlds(struct otfw *w, struct prvcut_error *err)
{
    const struct prvcut_objects *o = w->outline->objects;

    w->world = prvcut_zeroed((size_t)o->applications + 1, sizeof *w->world, "streams", err);
    w->written = prvcut_zeroed((size_t)o->threads + 1, sizeof *w->written, "streams", err);
    if (!w->world || !w->written)
        return PRVCUT_ENOMEM;
    for (uint32_t a = 0; a < o->applications; a++)
        w->world[a] = UINT32_MAX;
    for (uint32_t i = o->communicators; i > 0; i--) {
        const struct prvcut_communicator *c = &o->communicator[i - 1];
        const uint32_t a = c->application;

        if (c->count == o->application_first_task[a + 1] - o->application_first_task[a])
            w->world[a] = i - 1;
    }
    return PRVCUT_OK;
}

static void write_otfw_abandon(struct prvcut_writing *writing)
{
    struct otfw *w = (struct otfw *)writing;
    struct prvcut_folder *folder;

    if (!w)
        return;
    folder = w->folder;
    write_release(w);
    prvcut_folder_abandon(folder);
}

static enum prvcut_status write_close_thread(struct otfw *w, struct prvcut_error *err)
{
    struct otfw_thread *at = &w->at;
    enum prvcut_status st;

    if (!at->open)
        return PRVCUT_OK;
    at->open = false;
    at->out.err = err;
    otfw_leave_all(w);
    st = otf_out_finish(&at->out);
    otf_out_close(&at->out);
    return st;
}

static enum prvcut_status write_open_thread(struct otfw *w, uint32_t thread, uint64_t time,
                                            struct prvcut_error *err)
{
    const struct prvcut_objects *o = w->outline->objects;
    struct otfw_thread *at = &w->at;
    char suffix[SUFFIX_MOST], *path;
    enum prvcut_status st = write_close_thread(w, err);

    if (st < 0)
        return st;
    snprintf(suffix, sizeof suffix, ".%" PRIx32 ".events", thread + 1);
    path = otfw_file(w, suffix, err);
    st = path ? otf_out_open(&at->out, path, false, err) : PRVCUT_ENOMEM;
    if (st < 0)
        return st;
    w->written[thread] = 1;
    at->open = true;
    at->thread = thread;
    at->task = o->thread_task[thread];
    at->application = prvcut_objects_application(o, at->task);
    at->time = UINT64_MAX;
    prvcut_nesting_start(&at->nest, thread);
    at->matches = 0;
    otfw_begin(w, time);
    return at->out.st;
}

static enum prvcut_status write_otf_run(struct prvcut_writing *writing,
                                        const struct prvcut_item *item, size_t count,
                                        struct made_convert_summary *sum, struct prvcut_error *err)
{
    struct otfw *w = (struct otfw *)writing;
    enum prvcut_status st = PRVCUT_OK;

    if (!w->at.open || w->at.thread != item->thread)
        st = write_open_thread(w, item->thread, item->time, err);
    if (st < 0)
        return st;
    w->at.out.err = err;
    otfw_run(w, item, count, sum);
    return w->at.out.st;
}

static enum prvcut_status write_otfw_open(struct prvcut_writing **out, const char *path,
                                          const struct prvcut_outline *outline,
                                          const struct prvcut_convert_options *options,
                                          struct prvcut_error *err)
{
    struct otfw *w = prvcut_zeroed(1, sizeof *w, "a trace", err);
    enum prvcut_status st;

    *out = NULL;
    if (!w)
        return PRVCUT_ENOMEM;
    w->base.writer = &prvcut_otf_writer;
    w->outline = outline;
    w->runs.write = write_otf_run;
    w->at.nest.format = &otfw_nesting;
    w->at.nest.writer = w;
    w->at.nest.calls_nest = outline->calls_nest;
    w->at.out.fd = -1;
    w->sites = (struct prvcut_table)OTFW_SITES;
    st =
        prvcut_folder_stem(&w->stem, path, SUFFIX, "the name of an OTF trace ends in " SUFFIX, err);
    w->path = prvcut_copied_text(path, "a name", err);
    if (st == PRVCUT_OK && !w->path)
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        st = write_find_worlds(w, err);
    if (st == PRVCUT_OK)
        st = otfw_names_init(&w->names, outline->dictionary, err);
    if (st == PRVCUT_OK)
        st = write_open_folder(w, options && options->force, err);
    if (st < 0) {
        write_otfw_abandon(&w->base);
        return st;
    }
    *out = &w->base;
    return PRVCUT_OK;
}

static enum prvcut_status write_otfw_put(struct prvcut_writing *writing,
                                         const struct prvcut_item *item, size_t count,
                                         struct made_convert_summary *sum, struct prvcut_error *err)
{
    return prvcut_runs_put(&((struct otfw *)writing)->runs, writing, item, count, sum, err);
}

static enum prvcut_status write_finish(struct otfw *w, struct made_convert_summary *sum,
                                       struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_runs_end(&w->runs, &w->base, sum, err);

    /* Threads without a record have their files, too: readers look for them. */
    for (uint32_t i = 0; i < w->outline->objects->threads && st == PRVCUT_OK; i++) {
        if (!w->written[i])
            st = write_open_thread(w, i, 0, err);
    }
    if (st == PRVCUT_OK)
        st = write_close_thread(w, err);
    return st == PRVCUT_OK ? otfw_definitions(w, err) : st;
}

static enum prvcut_status write_name_files(const struct otfw *w, struct made_convert_summary *sum,
                                           struct prvcut_error *err)
{
    const size_t stem = strlen(w->path) - strlen(SUFFIX);
    static const char *const suffix[] = { SUFFIX, ".0.def", ".*.events" };
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < 3 && st == PRVCUT_OK; i++) {
        char *name = prvcut_printed("a name", err, "%.*s%s", (int)stem, w->path, suffix[i]);

        st = prvcut_texts_take(&sum->is.file, &sum->is.files, name, err);
    }
    return st;
}

static enum prvcut_status write_otfw_commit(struct prvcut_writing *writing,
                                            struct made_convert_summary *sum,
                                            struct prvcut_error *err)
{
    struct otfw *w = (struct otfw *)writing;
    struct prvcut_folder *folder;
    enum prvcut_status st = write_finish(w, sum, err);

    if (st == PRVCUT_OK)
        st = write_name_files(w, sum, err);
    if (st < 0) {
        write_otfw_abandon(writing);
        return st;
    }
    folder = w->folder;
    write_release(w);
    return prvcut_folder_commit(folder, &sum->is.bytes, err);
}

const struct prvcut_writer prvcut_otf_writer = {
    .format = &prvcut_otf_format,
    .summary = "OTF trace (VampirTrace, Vampir, ViTE)",
    .carries = PRVCUT_CARRY_BIT(PRVCUT_CARRY_REGIONS) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_EVENTS) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_COUNTERS) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_MESSAGES) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_TAGS) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_COLLECTIVES) |
               PRVCUT_CARRY_BIT(PRVCUT_CARRY_COMMUNICATORS),
    .drops_callers = true,
    .wants_roots = true,
    .order = PRVCUT_BY_THREAD,
    .whole_messages = false,
    .open = write_otfw_open,
    .put = write_otfw_put,
    .commit = write_otfw_commit,
    .abandon = write_otfw_abandon,
};
