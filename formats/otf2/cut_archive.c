#include "base/memory.h"
#include "model/texts.h"
#include "model/told_span.h"
#include "model/told_windows.h"
#include "otf2/anchor.h"
#include "otf2/cut.h"

#include <otf2/OTF2_Pthread_Locks.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the library takes for chunks. */
#define CHUNK_LEAST   ((uint64_t)1 << 18)
#define CHUNK_MOST    ((uint64_t)1 << 24)

#define SUFFIX        ".otf2"
#define SUFFIX_LENGTH (sizeof SUFFIX - 1)

/* Archive properties of the cut's own. */
#define COMMAND_PROPERTY "PRVCUT::COMMAND"
#define UNKNOWN_PROPERTY "PRVCUT::UNKNOWN_RECORDS"

/* --- Opening ------------------------------------------------------------------------------ */

static enum prvcut_status arch_open_folder(struct o2_cutter *c, struct prvcut_error *err)
{
    char *def = prvcut_printed("a file name", err, "%s.def", c->name);
    char *marker = prvcut_printed("a file name", err, "%s.marker", c->name);
    const char *others[] = { def, marker, c->name, NULL };
    enum prvcut_status st = PRVCUT_ENOMEM;

    if (def && marker)
        st = prvcut_folder_open(&c->folder, c->options->path, others, c->options->force, err);
    free(def);
    free(marker);
    return st;
}

/* Without a second callback: the flushes of this writer are no events of the trace. */
static OTF2_FlushType arch_pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
                                     void *caller, bool final)
{
    (void)user;
    (void)type;
    (void)location;
    (void)caller;
    (void) final;
    return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flushing = { .otf2_pre_flush = arch_pre_flush };

static uint64_t arch_chunk(uint64_t size)
{
    return size < CHUNK_LEAST ? CHUNK_LEAST : size > CHUNK_MOST ? CHUNK_MOST : size;
}

enum prvcut_status o2_archive_prepare(struct o2_cutter *c, struct prvcut_error *err)
{
    const enum prvcut_status st =
        prvcut_folder_stem(&c->name, c->options->path, SUFFIX,
                           "the main file of an OTF2 archive is called NAME" SUFFIX, err);

    return st < 0 ? st : arch_open_folder(c, err);
}

enum prvcut_status o2_archive_open(struct o2_cutter *c, struct prvcut_error *err)
{
    OTF2_ErrorCode code;

    o2_library_start();
    c->archive =
        OTF2_Archive_Open(prvcut_folder_path(c->folder), c->name, OTF2_FILEMODE_WRITE,
                          arch_chunk(c->trace->event_chunk), arch_chunk(c->trace->definition_chunk),
                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!c->archive)
        return o2_write_fail(c, OTF2_ERROR_INVALID, err);
    code = OTF2_Archive_SetFlushCallbacks(c->archive, &flushing, NULL);
    /* Before anything is opened, because this makes the library's locks. */
    if (code == OTF2_SUCCESS)
        code = OTF2_Pthread_Archive_SetLockingCallbacks(c->archive, NULL);
    if (code == OTF2_SUCCESS)
        code = OTF2_Archive_SetSerialCollectiveCallbacks(c->archive);
    if (code == OTF2_SUCCESS)
        code = OTF2_Archive_OpenEvtFiles(c->archive);
    return code == OTF2_SUCCESS ? PRVCUT_OK : o2_write_fail(c, code, err);
}

/* --- What the archive says of itself ------------------------------------------------------ */

static bool arch_ends_with(const char *text, const char *end)
{
    const size_t a = strlen(text), b = strlen(end);

    return a >= b && strcmp(text + a - b, end) == 0;
}

/* That all records of a kind are there does not hold where some were left out. */
static bool arch_incomplete(const struct o2_cutter *c, const char *property)
{
    return arch_ends_with(property, "_COMPLETE") &&
           (c->sum->dropped_messages > 0 || c->sum->kept_messages > 0 ||
            c->sum->split_collectives > 0);
}

static OTF2_ErrorCode arch_copy_property(struct o2_cutter *c, OTF2_Reader *r, const char *name)
{
    char *value = NULL;
    OTF2_ErrorCode code = OTF2_Reader_GetProperty(r, name, &value);

    if (code == OTF2_SUCCESS && strcmp(name, PRVCUT_SPAN_WORD) != 0 &&
        (c->copies || strcmp(name, PRVCUT_WINDOWS_WORD) != 0))
        code = o2_set_property(c->archive, name, arch_incomplete(c, name) ? "false" : value);
    free(value);
    return code;
}

static OTF2_ErrorCode arch_copy_properties(struct o2_cutter *c, OTF2_Reader *r)
{
    char **names = NULL;
    uint32_t count = 0;
    OTF2_ErrorCode code = OTF2_Reader_GetPropertyNames(r, &count, &names);

    for (uint32_t i = 0; i < count && code == OTF2_SUCCESS; i++)
        code = arch_copy_property(c, r, names[i]);
    free(names);
    return code;
}

/* Where the original of a copy begins and ends, though nothing may be left there; of a cut, where
   its window does. */
static OTF2_ErrorCode arch_span_property(struct o2_cutter *c)
{
    const uint64_t offset = c->trace->defs.offset;
    uint64_t end = c->trace->base.end_ns;
    char text[PRVCUT_SPAN_ROOM];

    if (!c->copies && c->whole && !c->trace->base.end_told)
        return OTF2_SUCCESS;
    if (!c->copies && !c->whole)
        return o2_set_property(
            c->archive, PRVCUT_SPAN_WORD,
            prvcut_span_told(text, c->offset, o2_ns(&c->trace->scale, c->length)));
    for (uint32_t i = 0; c->copies && i < c->locations; i++) {
        const uint64_t reached = c->place[i].reached;
        const uint64_t ns = reached > offset ? o2_ns(&c->trace->scale, reached - offset) : 0;

        end = ns > end ? ns : end;
    }
    return o2_set_property(c->archive, PRVCUT_SPAN_WORD, prvcut_span_told(text, offset, end));
}

/* Each location's own window, in ticks as written. */
static OTF2_ErrorCode arch_windows_property(struct o2_cutter *c)
{
    const uint64_t end = c->offset + c->length;
    struct prvcut_buffer b = { 0 };
    struct prvcut_error err = { 0 };
    enum prvcut_status st = PRVCUT_OK;
    OTF2_ErrorCode code = OTF2_ERROR_MEM_ALLOC_FAILED;

    if (c->copies || (!c->window->thread_from && !c->window->thread_to))
        return OTF2_SUCCESS;
    for (uint32_t i = 0; i < c->locations && st == PRVCUT_OK; i++) {
        const struct o2_place *p = &c->place[i];
        const uint64_t from = p->from > 0 ? p->from + p->shift : c->offset;
        const uint64_t to = p->to < UINT64_MAX ? p->to + p->shift : end;

        st = prvcut_told_windows_append(&b, c->trace->defs.location[i].id,
                                        (struct prvcut_span){ from, to > from ? to : from }, &err);
    }
    if (st == PRVCUT_OK && b.at)
        code = o2_set_property(c->archive, PRVCUT_WINDOWS_WORD, b.at);
    prvcut_buffer_fini(&b);
    return code;
}

static OTF2_ErrorCode arch_own_properties(struct o2_cutter *c)
{
    OTF2_ErrorCode code = arch_span_property(c);
    char number[32];

    if (code == OTF2_SUCCESS)
        code = arch_windows_property(c);
    if (code == OTF2_SUCCESS && c->options->command)
        code = o2_set_property(c->archive, COMMAND_PROPERTY, c->options->command);
    if (c->unknown == 0 || code != OTF2_SUCCESS)
        return code;
    snprintf(number, sizeof number, "%" PRIu64, c->unknown);
    return o2_set_property(c->archive, UNKNOWN_PROPERTY, number);
}

/* Copy a text, if there is one. */
static OTF2_ErrorCode arch_copy_text(struct o2_cutter *c, OTF2_Reader *r,
                                     OTF2_ErrorCode (*get)(OTF2_Reader *, char **),
                                     OTF2_ErrorCode (*set)(OTF2_Archive *, const char *))
{
    char *text = NULL;
    OTF2_ErrorCode code = get(r, &text);

    if (code == OTF2_SUCCESS && text)
        code = set(c->archive, text);
    free(text);
    return code;
}

static enum prvcut_status arch_copy_anchor(struct o2_cutter *c, OTF2_Reader *r,
                                           struct prvcut_error *err)
{
    OTF2_ErrorCode code =
        arch_copy_text(c, r, OTF2_Reader_GetMachineName, OTF2_Archive_SetMachineName);

    if (code == OTF2_SUCCESS)
        code = arch_copy_text(c, r, OTF2_Reader_GetCreator, OTF2_Archive_SetCreator);
    if (code == OTF2_SUCCESS)
        code = arch_copy_text(c, r, OTF2_Reader_GetDescription, OTF2_Archive_SetDescription);
    if (code == OTF2_SUCCESS)
        code = arch_copy_properties(c, r);
    if (code == OTF2_SUCCESS)
        code = arch_own_properties(c);
    return code == OTF2_SUCCESS ? PRVCUT_OK : o2_write_fail(c, code, err);
}

/* --- Markers ------------------------------------------------------------------------------ */

struct markers {
    struct o2_cutter *cutter;
    OTF2_MarkerWriter *writer;
    uint64_t from, to; /* ticks, of all locations */
    OTF2_ErrorCode written;
};

static OTF2_CallbackCode arch_define_marker(void *user, OTF2_MarkerRef ref, const char *group,
                                            const char *category, OTF2_MarkerSeverity severity)
{
    struct markers *m = user;

    m->written = OTF2_MarkerWriter_WriteDefMarker(m->writer, ref, group, category, severity);
    return m->written == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

/* A marker of one location has that location's time; others stand within the whole cut. */
static OTF2_CallbackCode arch_copy_marker(void *user, OTF2_TimeStamp time, OTF2_TimeStamp duration,
                                          OTF2_MarkerRef marker, OTF2_MarkerScope scope,
                                          uint64_t of, const char *text)
{
    struct markers *m = user;
    const struct o2_cutter *c = m->cutter;
    uint64_t from = m->from, to = m->to, shift = 0;

    if (scope == OTF2_MARKER_SCOPE_LOCATION) {
        const uint32_t thread = o2_thread_of(&c->trace->defs, of);

        if (thread < c->locations) {
            from = c->place[thread].from;
            to = c->place[thread].to;
            shift = c->place[thread].shift;
        }
    }
    if (time < from || time >= to)
        return OTF2_CALLBACK_SUCCESS;
    m->written =
        OTF2_MarkerWriter_WriteMarker(m->writer, time + shift, duration, marker, scope, of, text);
    return m->written == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_ErrorCode arch_read_markers(struct markers *m, OTF2_Reader *r, OTF2_MarkerReader *in)
{
    OTF2_MarkerReaderCallbacks *to = OTF2_MarkerReaderCallbacks_New();
    OTF2_ErrorCode code;
    uint64_t count;

    if (!to)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    OTF2_MarkerReaderCallbacks_SetDefMarkerCallback(to, arch_define_marker);
    OTF2_MarkerReaderCallbacks_SetMarkerCallback(to, arch_copy_marker);
    code = OTF2_Reader_RegisterMarkerCallbacks(r, in, to, m);
    OTF2_MarkerReaderCallbacks_Delete(to);
    return code == OTF2_SUCCESS ? OTF2_Reader_ReadAllMarkers(r, in, &count) : code;
}

static bool arch_has_markers(const struct o2_trace *t)
{
    char *path = prvcut_printed("a file name", NULL, "%s.marker", t->stem);
    const bool there = path && access(path, R_OK) == 0;

    free(path);
    return there;
}

static enum prvcut_status arch_copy_markers(struct o2_cutter *c, OTF2_Reader *r,
                                            struct prvcut_error *err)
{
    struct markers m = { .cutter = c, .from = UINT64_MAX };
    OTF2_MarkerReader *in;
    OTF2_ErrorCode code = OTF2_ERROR_INVALID, closed = OTF2_SUCCESS;

    if (!arch_has_markers(c->trace))
        return PRVCUT_OK;
    for (uint32_t i = 0; i < c->locations; i++) {
        m.from = c->place[i].from < m.from ? c->place[i].from : m.from;
        m.to = c->place[i].to > m.to ? c->place[i].to : m.to;
    }
    o2_library_clear();
    in = OTF2_Reader_GetMarkerReader(r);
    if (!in)
        return o2_fail_file(c->trace->base.path, OTF2_ERROR_INVALID, err);
    m.writer = OTF2_Archive_GetMarkerWriter(c->archive);
    if (m.writer) {
        code = arch_read_markers(&m, r, in);
        closed = o2_written(OTF2_Archive_CloseMarkerWriter(c->archive, m.writer));
    }
    OTF2_Reader_CloseMarkerReader(r, in);
    if (!m.writer || m.written != OTF2_SUCCESS || closed != OTF2_SUCCESS)
        return o2_write_fail(c, m.written != OTF2_SUCCESS ? m.written : closed, err);
    return code == OTF2_SUCCESS ? PRVCUT_OK : o2_fail_file(c->trace->base.path, code, err);
}

/* --- Finishing ---------------------------------------------------------------------------- */

/* Mappings and clock offsets are applied to the events: applied once more, they would be wrong. */
static enum prvcut_status arch_empty_definitions(struct o2_cutter *c, struct prvcut_error *err)
{
    OTF2_ErrorCode code;

    o2_library_clear();
    code = OTF2_Archive_OpenDefFiles(c->archive);

    for (uint32_t i = 0; i < c->locations && code == OTF2_SUCCESS; i++) {
        OTF2_DefWriter *w = OTF2_Archive_GetDefWriter(c->archive, c->trace->defs.location[i].id);

        code = w ? o2_written(OTF2_Archive_CloseDefWriter(c->archive, w)) : OTF2_ERROR_INVALID;
    }
    if (code == OTF2_SUCCESS)
        code = OTF2_Archive_CloseDefFiles(c->archive);
    return code == OTF2_SUCCESS ? PRVCUT_OK : o2_write_fail(c, code, err);
}

/* Path within the temporary folder; NULL when out of memory. */
static char *arch_inside(const struct o2_cutter *c, const char *suffix)
{
    return prvcut_printed("a file name", NULL, "%s/%s%s", prvcut_folder_path(c->folder), c->name,
                          suffix);
}

static enum prvcut_status arch_count_bytes(struct o2_cutter *c, struct prvcut_error *err)
{
    for (uint32_t i = 0; i < c->locations; i++) {
        char file[40], *path;
        struct stat info;

        snprintf(file, sizeof file, "/%" PRIu64 ".evt", c->trace->defs.location[i].id);
        path = arch_inside(c, file);
        if (!path)
            return prvcut_no_memory(err, "a file name");
        if (stat(path, &info) == 0)
            c->sum->bytes += (uint64_t)info.st_size;
        free(path);
    }
    return PRVCUT_OK;
}

static enum prvcut_status arch_name_files(struct o2_cutter *c, struct prvcut_error *err)
{
    static const char *const suffixes[] = { SUFFIX, ".def", "" };
    const size_t stem = strlen(c->options->path) - SUFFIX_LENGTH;
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < 3 && st == PRVCUT_OK; i++) {
        char *path =
            prvcut_printed("a file name", err, "%.*s%s", (int)stem, c->options->path, suffixes[i]);

        st = prvcut_texts_take(&c->sum->file, &c->sum->files, path, err);
    }
    return st;
}

static enum prvcut_status arch_identify(const struct o2_cutter *c,
                                        const struct o2_anchor_words *words,
                                        struct prvcut_error *err)
{
    char *path = arch_inside(c, SUFFIX);
    enum prvcut_status st;

    if (!path)
        return prvcut_no_memory(err, "a file name");
    st = o2_anchor_identify(prvcut_folder_path(c->folder), path, words, c->run, err);
    free(path);
    return st;
}

static enum prvcut_status arch_close_archive(struct o2_cutter *c, struct prvcut_error *err)
{
    struct o2_anchor_words words;
    OTF2_ErrorCode code;
    enum prvcut_status st = o2_anchor_words(&words, c->archive, err);

    o2_library_clear();
    code = o2_written(OTF2_Archive_Close(c->archive));
    c->archive = NULL;
    if (st == PRVCUT_OK && code != OTF2_SUCCESS)
        st = o2_write_fail(c, code, err);
    if (st == PRVCUT_OK)
        st = arch_identify(c, &words, err);
    o2_anchor_words_fini(&words);
    return st;
}

enum prvcut_status o2_archive_finish(struct o2_cutter *c, struct prvcut_error *err)
{
    OTF2_ErrorCode code = OTF2_Archive_CloseEvtFiles(c->archive);
    enum prvcut_status st = code == OTF2_SUCCESS ? PRVCUT_OK : o2_write_fail(c, code, err);
    OTF2_Reader *r = NULL;

    if (st == PRVCUT_OK)
        st = arch_empty_definitions(c, err);
    if (st == PRVCUT_OK)
        st = o2_cut_definitions(c, err);
    if (st == PRVCUT_OK)
        st = o2_reader_open(&r, c->trace, err);
    if (st == PRVCUT_OK)
        st = arch_copy_markers(c, r, err);
    if (st == PRVCUT_OK)
        st = arch_copy_anchor(c, r, err);
    if (r)
        o2_reader_close(r);
    if (st < 0)
        return st;
    st = arch_close_archive(c, err);
    if (st == PRVCUT_OK)
        st = arch_count_bytes(c, err);
    return st < 0 ? st : arch_name_files(c, err);
}

enum prvcut_status o2_archive_commit(struct o2_cutter *c, struct prvcut_error *err)
{
    struct prvcut_folder *folder = c->folder;
    enum prvcut_status st;

    c->folder = NULL;
    st = prvcut_folder_commit(folder, &c->sum->size, err);
    c->sum->disk = c->sum->size;
    return st;
}

void o2_archive_drop(struct o2_cutter *c)
{
    if (c->archive)
        OTF2_Archive_Close(c->archive);
    c->archive = NULL;
    prvcut_folder_abandon(c->folder);
    c->folder = NULL;
    free(c->name);
    c->name = NULL;
    o2_library_clear();
}
