#include "otf2/write.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "model/texts.h"
#include "model/told_span.h"
#include "model/told_windows.h"
#include "otf2/anchor.h"
#include "otf2/otf2.h"
#include "otf2/own.h"
#include "otf2/whole.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that the library holds of a location, and of definitions; a group of processes is one
   definition and must fit. */
#define EVENT_CHUNK      ((uint64_t)1 << 20)
#define DEFINITION_CHUNK ((uint64_t)4 << 20)
#define LARGE_CHUNK      ((uint64_t)16 << 20)
#define MANY_TASKS       300000u
#define MOST_TASKS       2000000u

#define SUFFIX           ".otf2"

static OTF2_FlushType write_on_flush(void *ctx, OTF2_FileType type, OTF2_LocationRef location,
                                     void *caller, bool final)
{
    (void)ctx, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flushes = { .otf2_pre_flush = write_on_flush };

static void write_o2_release(struct o2w *w)
{
    if (w->archive)
        OTF2_Archive_Close(w->archive);
    if (w->attributes)
        OTF2_AttributeList_Delete(w->attributes);
    o2w_names_fini(&w->names);
    o2w_comms_fini(&w->comms);
    o2w_thread_fini(&w->at);
    o2w_bounds_fini(&w->bounds);
    free(w->events);
    prvcut_runs_fini(&w->runs);
    free(w->pair);
    free(w->path);
    free(w->name);
    free(w);
}

static enum prvcut_status write_set_windows(struct o2w *w, struct prvcut_error *err)
{
    const struct prvcut_outline *o = w->outline;
    struct prvcut_buffer list = { 0 };
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; o->own_window && i < o->objects->threads && st == PRVCUT_OK; i++)
        st = prvcut_told_windows_append(&list, i, o->own_window[i], err);
    if (st == PRVCUT_OK && list.count > 0)
        st = o2w_done(w, o2_set_property(w->archive, PRVCUT_WINDOWS_WORD, list.at), "a property",
                      err);
    prvcut_buffer_fini(&list);
    return st;
}

static enum prvcut_status write_set_properties(struct o2w *w, struct prvcut_error *err)
{
    const struct prvcut_outline *o = w->outline;
    char span[PRVCUT_SPAN_ROOM];
    const struct {
        const char *name, *value;
    } property[] = {
        { O2_OWN_PROPERTY, O2_OWN_VERSION },
        { "PRVCUT::SOURCE", o->source },
        { "PRVCUT::FORMAT", o->format },
        { "PRVCUT::COMMAND", o->command },
        { O2_OWN_CALLS, o->calls_nest ? O2_OWN_NEST : NULL },
        { PRVCUT_SPAN_WORD, o->span_told ? prvcut_span_told(span, 0, o->end_ns) : NULL },
    };
    enum prvcut_status st;

    st = o2w_done(w, OTF2_Archive_SetCreator(w->archive, "prvcut " PRVCUT_VERSION), "the creator",
                  err);
    if (st == PRVCUT_OK && o->source)
        st =
            o2w_done(w, OTF2_Archive_SetDescription(w->archive, o->source), "the description", err);
    for (size_t i = 0; i < sizeof property / sizeof *property && st == PRVCUT_OK; i++) {
        if (property[i].value)
            st = o2w_done(w, o2_set_property(w->archive, property[i].name, property[i].value),
                          "a property", err);
    }
    return st == PRVCUT_OK ? write_set_windows(w, err) : st;
}

static enum prvcut_status write_open_archive(struct o2w *w, struct prvcut_error *err)
{
    const uint32_t tasks = w->outline->objects->tasks;
    enum prvcut_status st;

    if (tasks > MOST_TASKS)
        return prvcut_fail(err, PRVCUT_ELIMIT, "%s: %u processes are more than the %u of a group",
                           w->path, tasks, MOST_TASKS);
    w->archive = OTF2_Archive_Open(prvcut_folder_path(w->folder), w->name, OTF2_FILEMODE_WRITE,
                                   EVENT_CHUNK, tasks > MANY_TASKS ? LARGE_CHUNK : DEFINITION_CHUNK,
                                   OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!w->archive)
        return prvcut_fail(err, PRVCUT_EIO, "%s: the archive cannot be made: %s", w->path,
                           o2_library_said());
    st =
        o2w_done(w, OTF2_Archive_SetFlushCallbacks(w->archive, &flushes, NULL), "the archive", err);
    if (st == PRVCUT_OK)
        st = o2w_done(w, OTF2_Archive_SetSerialCollectiveCallbacks(w->archive), "the archive", err);
    if (st == PRVCUT_OK)
        st = write_set_properties(w, err);
    return st == PRVCUT_OK ? o2w_done(w, OTF2_Archive_OpenEvtFiles(w->archive), "the events", err)
                           : st;
}

static enum prvcut_status write_prepare(struct o2w *w, const char *path, bool force,
                                        struct prvcut_error *err)
{
    const struct prvcut_outline *o = w->outline;
    enum prvcut_status st = prvcut_folder_stem(&w->name, path, SUFFIX,
                                               "the name of an OTF2 archive ends in " SUFFIX, err);

    w->path = prvcut_copied_text(path, "a name", err);
    if (st == PRVCUT_OK && !w->path)
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK) {
        char *definitions = prvcut_printed("a name", err, "%s.def", w->name);
        const char *const others[] = { definitions, w->name, NULL };

        st = definitions ? prvcut_folder_open(&w->folder, path, others, force, err) : PRVCUT_ENOMEM;
        free(definitions);
    }
    if (st == PRVCUT_OK)
        st = o2w_names_init(&w->names, o->dictionary, err);
    if (st == PRVCUT_OK)
        st = o2w_comms_init(&w->comms, o->objects, err);
    w->events = prvcut_zeroed((size_t)o->objects->threads + 1, sizeof *w->events, "events", err);
    w->attributes = OTF2_AttributeList_New();
    if (st == PRVCUT_OK && (!w->events || !w->attributes))
        st = prvcut_no_memory(err, "events");
    return st == PRVCUT_OK ? write_open_archive(w, err) : st;
}

static void write_abandon(struct prvcut_writing *writing)
{
    struct o2w *w = (struct o2w *)writing;
    struct prvcut_folder *folder;

    if (!w)
        return;
    folder = w->folder;
    write_o2_release(w);
    prvcut_folder_abandon(folder);
}

/* The library keeps silent about a full disk: its files tell. */
static enum prvcut_status write_verify(const struct o2w *w, uint64_t thread, const char *suffix,
                                       struct prvcut_error *err)
{
    struct prvcut_error why = { 0 };
    const enum prvcut_status st =
        o2_file_whole(prvcut_folder_path(w->folder), w->name, thread, suffix, &why);

    /* The file has a temporary place that means nothing to anybody. */
    return st == PRVCUT_OK ? st
                           : prvcut_fail(err, st,
                                         "%s: not all could be written, because the disk is full "
                                         "or a limit is reached",
                                         w->path);
}

static enum prvcut_status write_o2_close_thread(struct o2w *w, struct prvcut_error *err)
{
    struct o2w_thread *at = &w->at;
    enum prvcut_status st;

    if (!at->events)
        return PRVCUT_OK;
    st = o2w_bounds_end(w, err);
    if (st == PRVCUT_OK)
        st = o2w_done(w, OTF2_EvtWriter_GetNumberOfEvents(at->events, &w->events[at->thread]),
                      "the events", err);
    if (st == PRVCUT_OK)
        st = o2w_done(w, OTF2_Archive_CloseEvtWriter(w->archive, at->events), "the events", err);
    at->events = NULL;
    return st == PRVCUT_OK && w->events[at->thread] > 0 ? write_verify(w, at->thread, ".evt", err)
                                                        : st;
}

/* Asked at each thread: the library takes ever longer for one, the more there are. */
static enum prvcut_status write_unless_stopped(const struct o2w *w, struct prvcut_error *err)
{
    const struct prvcut_run *run = w->outline->run;

    return run && run->stop && run->stop(run->ctx)
               ? prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted")
               : PRVCUT_OK;
}

static enum prvcut_status write_o2_open_thread(struct o2w *w, uint32_t thread,
                                               struct prvcut_error *err)
{
    struct o2w_thread *at = &w->at;
    enum prvcut_status st = write_o2_close_thread(w, err);

    if (st == PRVCUT_OK)
        st = write_unless_stopped(w, err);
    if (st < 0)
        return st;
    at->events = OTF2_Archive_GetEvtWriter(w->archive, thread);
    if (!at->events)
        return prvcut_fail(err, PRVCUT_EIO, "%s: thread %u: the events cannot be written: %s",
                           w->path, thread + 1, o2_library_said());
    at->thread = thread;
    at->task = w->outline->objects->thread_task[thread];
    at->last = 0;
    at->line = UINT64_MAX;
    prvcut_nesting_start(&at->nest, thread);
    at->state_open = false;
    at->posted_first = at->posted_count = 0;
    at->requests = 0;
    o2w_bounds_begin(w);
    return PRVCUT_OK;
}

static enum prvcut_status write_o2_run(struct prvcut_writing *writing,
                                       const struct prvcut_item *item, size_t count,
                                       struct made_convert_summary *sum, struct prvcut_error *err)
{
    struct o2w *w = (struct o2w *)writing;

    if (!w->at.events || w->at.thread != item->thread) {
        const enum prvcut_status st = write_o2_open_thread(w, item->thread, err);

        if (st < 0)
            return st;
    }
    return o2w_bounds_run(w, item, count, sum, err);
}

static enum prvcut_status write_open(struct prvcut_writing **out, const char *path,
                                     const struct prvcut_outline *outline,
                                     const struct prvcut_convert_options *options,
                                     struct prvcut_error *err)
{
    struct o2w *w = prvcut_zeroed(1, sizeof *w, "an archive", err);
    enum prvcut_status st;

    *out = NULL;
    o2_library_start();
    if (!w)
        return PRVCUT_ENOMEM;
    w->base.writer = &prvcut_otf2_writer;
    w->outline = outline;
    w->runs.write = write_o2_run;
    w->at.nest.format = &o2w_nesting;
    w->at.nest.writer = w;
    w->at.nest.calls_nest = outline->calls_nest;
    w->bounds.wanted = options && options->for_scalasca;
    st = write_prepare(w, path, options && options->force, err);
    if (st < 0) {
        write_abandon(&w->base);
        return st;
    }
    *out = &w->base;
    return PRVCUT_OK;
}

static enum prvcut_status write_put(struct prvcut_writing *writing, const struct prvcut_item *item,
                                    size_t count, struct made_convert_summary *sum,
                                    struct prvcut_error *err)
{
    return prvcut_runs_put(&((struct o2w *)writing)->runs, writing, item, count, sum, err);
}

/* Threads without a record have their files, too: readers look for them. */
static enum prvcut_status write_empty(struct o2w *w, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < w->outline->objects->threads && st == PRVCUT_OK; i++) {
        if (w->events[i] == 0)
            st = write_o2_open_thread(w, i, err);
    }
    if (st == PRVCUT_OK)
        st = write_o2_close_thread(w, err);
    return st == PRVCUT_OK ? o2w_done(w, OTF2_Archive_CloseEvtFiles(w->archive), "the events", err)
                           : st;
}

static enum prvcut_status write_local(struct o2w *w, struct prvcut_error *err)
{
    enum prvcut_status st =
        o2w_done(w, OTF2_Archive_OpenDefFiles(w->archive), "the definitions", err);

    for (uint32_t i = 0; i < w->outline->objects->threads && st == PRVCUT_OK; i++) {
        OTF2_DefWriter *local;

        if ((st = write_unless_stopped(w, err)) < 0)
            return st;
        local = OTF2_Archive_GetDefWriter(w->archive, i);
        if (!local)
            return prvcut_fail(err, PRVCUT_EIO, "%s: thread %u: the definitions cannot be written",
                               w->path, i + 1);
        st = o2w_done(w, OTF2_Archive_CloseDefWriter(w->archive, local), "the definitions", err);
        if (st == PRVCUT_OK)
            st = write_verify(w, i, ".def", err);
    }
    return st == PRVCUT_OK
               ? o2w_done(w, OTF2_Archive_CloseDefFiles(w->archive), "the definitions", err)
               : st;
}

static enum prvcut_status write_verify_anchor(const struct o2w *w,
                                              const struct o2_anchor_words *words,
                                              struct prvcut_error *err)
{
    const char *folder = prvcut_folder_path(w->folder);
    const size_t room = strlen(folder) + strlen(w->name) + sizeof SUFFIX + 1;
    char *path = prvcut_unset(1, room, "a name", err);
    enum prvcut_status st;
    OTF2_Reader *r;

    if (!path)
        return PRVCUT_ENOMEM;
    snprintf(path, room, "%s/%s%s", folder, w->name, SUFFIX);
    st = o2_anchor_identify(folder, path, words, w->outline->run, err);
    r = st == PRVCUT_OK ? OTF2_Reader_Open(path) : NULL;
    free(path);
    if (st < 0)
        return st;
    if (!r)
        return prvcut_fail(err, PRVCUT_EIO, "%s: could not be written: %s", w->path,
                           o2_library_said());
    OTF2_Reader_SetSerialCollectiveCallbacks(r);
    OTF2_Reader_Close(r);
    return PRVCUT_OK;
}

static enum prvcut_status write_o2_finish(struct o2w *w, struct made_convert_summary *sum,
                                          struct prvcut_error *err)
{
    struct o2_anchor_words words;
    OTF2_Archive *archive;
    OTF2_ErrorCode code;
    enum prvcut_status st = prvcut_runs_end(&w->runs, &w->base, sum, err);

    if (st == PRVCUT_OK)
        st = write_o2_close_thread(w, err);
    sum->is.unpaired += w->unpaired;
    if (st == PRVCUT_OK)
        st = write_empty(w, err);
    if (st == PRVCUT_OK)
        st = write_local(w, err);
    if (st == PRVCUT_OK)
        st = o2w_definitions(w, err);
    if (st < 0)
        return st;
    st = o2_anchor_words(&words, w->archive, err);
    archive = w->archive;
    w->archive = NULL;
    code = OTF2_Archive_Close(archive);
    if (st == PRVCUT_OK)
        st = o2w_done(w, code, "the archive", err);
    if (st == PRVCUT_OK)
        st = write_verify(w, 0, NULL, err);
    if (st == PRVCUT_OK)
        st = write_verify_anchor(w, &words, err);
    o2_anchor_words_fini(&words);
    return st;
}

/* Names of what appears: the anchor, the definitions, the folder with the events. */
static enum prvcut_status write_o2_name_files(const struct o2w *w, struct made_convert_summary *sum,
                                              struct prvcut_error *err)
{
    static const char *const suffix[] = { SUFFIX, ".def", "" };
    const size_t stem = strlen(w->path) - strlen(SUFFIX);
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < 3 && st == PRVCUT_OK; i++) {
        char *name = prvcut_printed("a name", err, "%.*s%s", (int)stem, w->path, suffix[i]);

        st = prvcut_texts_take(&sum->is.file, &sum->is.files, name, err);
    }
    return st;
}

static enum prvcut_status write_commit(struct prvcut_writing *writing,
                                       struct made_convert_summary *sum, struct prvcut_error *err)
{
    struct o2w *w = (struct o2w *)writing;
    struct prvcut_folder *folder;
    enum prvcut_status st = write_o2_finish(w, sum, err);

    if (st == PRVCUT_OK)
        st = write_o2_name_files(w, sum, err);
    if (st == PRVCUT_OK)
        st = o2w_bounds_tell(w, sum, err);
    if (st < 0) {
        write_abandon(writing);
        return st;
    }
    folder = w->folder;
    write_o2_release(w);
    return prvcut_folder_commit(folder, &sum->is.bytes, err);
}

const struct prvcut_writer prvcut_otf2_writer = {
    .format = &prvcut_otf2_format,
    .summary = "OTF2 archive (Score-P, EZTrace, Vampir)",
    .carries = PRVCUT_CARRY_BIT(PRVCUT_CARRIES) - 1,
    .wants_roots = true,
    .adds_calls = true,
    .order = PRVCUT_BY_THREAD,
    .whole_messages = false,
    .open = write_open,
    .put = write_put,
    .commit = write_commit,
    .abandon = write_abandon,
};
