#include "base/memory.h"
#include "base/search.h"
#include "otf2/otf2.h"
#include "otf2/own.h"

#include "model/formats.h"
#include "otf2/anchor.h"

#include <stdlib.h>
#include <string.h>

#define SUFFIX ".otf2"

static const char magic[] = { 0x03, 0x42, 'O', 'T', 'F', '2' };
static const char magic_little[] = { 0x03, 0x23, 'O', 'T', 'F', '2' };

static int reader_o2_probe(const char *head, size_t count)
{
    if (count < sizeof magic)
        return 0;
    return memcmp(head, magic, sizeof magic) == 0 || memcmp(head, magic_little, sizeof magic) == 0
               ? 8 * (int)sizeof magic
               : 0;
}

void o2_forget_marks(struct o2_trace *t)
{
    for (uint32_t i = 0; i < t->defs.locations; i++) {
        t->marks[i].count = 0;
        t->marks[i].state.count = 0;
        t->marks[i].read = false;
    }
}

static void reader_close(struct prvcut_trace *base)
{
    struct o2_trace *t = (struct o2_trace *)base;

    if (!t)
        return;
    for (uint32_t i = 0; t->marks && i < t->defs.locations; i++) {
        free(t->marks[i].at);
        prvcut_buffer_fini(&t->marks[i].state);
    }
    free(t->marks);
    free(t->size);
    free(t->mapped);
    free(t->stem);
    free(t->windows);
    o2_definitions_fini(&t->defs);
    o2_own_free(t->own);
    prvcut_objects_fini(&t->base.objects);
    prvcut_clocks_fini(&t->base.clocks);
    free(t->base.type);
    free(t->base.state);
    free(t->base.path);
    free(t->base.own_window);
    free(t);
}

/* The anchor names nothing: its own name leads to the other files. */
static enum prvcut_status reader_take_name(struct o2_trace *t, const struct prvcut_source *source,
                                           struct prvcut_error *err)
{
    const char *path = prvcut_source_path(source);
    const size_t count = strlen(path), suffix = strlen(SUFFIX);

    if (strcmp(path, "-") == 0 || !prvcut_source_is_seekable(source))
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "an OTF2 archive is many files: give the name of its anchor, NAME%s, "
                           "neither packed nor through a pipe",
                           SUFFIX);
    if (count <= suffix || strcmp(path + count - suffix, SUFFIX) != 0)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: an OTF2 anchor must be called NAME%s, because that leads to the "
                           "archive's other files",
                           path, SUFFIX);
    t->base.path = prvcut_copied_text(path, "a trace", err);
    t->stem = prvcut_copied_text(path, "a trace", err);
    if (!t->base.path || !t->stem)
        return PRVCUT_ENOMEM;
    t->stem[count - suffix] = '\0';
    return PRVCUT_OK;
}

static void reader_take_scale(struct o2_trace *t)
{
    const uint64_t second = UINT64_C(1000000000), resolution = t->defs.resolution;
    const uint64_t rest = second % resolution;

    t->scale.whole = second / resolution;
    /* Rounded up, so that whole numbers of ns come out whole. */
    t->scale.part =
        rest == 0 ? 0
                  : (uint64_t)(((__extension__(unsigned __int128) rest << 64) / resolution)) + 1;
}

static enum prvcut_status reader_take_anchor(struct o2_trace *t, OTF2_Reader *r,
                                             struct prvcut_error *err)
{
    OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_POSIX;
    OTF2_ErrorCode code = OTF2_Reader_GetChunkSize(r, &t->event_chunk, &t->definition_chunk);

    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_GetFileSubstrate(r, &substrate);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_GetNumberOfLocations(r, &t->promised_locations);
    if (code != OTF2_SUCCESS)
        return o2_fail_file(t->base.path, code, err);
    if (substrate != OTF2_SUBSTRATE_POSIX)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "%s: the archive keeps its events in SION files, which cannot be read",
                           t->base.path);
    return PRVCUT_OK;
}

static enum prvcut_status read_definitions(struct o2_trace *t, struct prvcut_error *err)
{
    OTF2_Reader *r = NULL;
    enum prvcut_status st = o2_anchor_check(t->base.path, t->stem, err);

    if (st == PRVCUT_OK)
        st = o2_reader_open(&r, t, err);
    if (st == PRVCUT_OK)
        st = reader_take_anchor(t, r, err);
    if (st == PRVCUT_OK)
        st = o2_definitions_read(t, r, err);
    o2_reader_close(r);
    if (st == PRVCUT_OK)
        reader_take_scale(t);
    return st;
}

/* The definitions' stamp is for the first tick that they give; foreign ones write 0 for none. */
static int64_t reader_wall_clock(const struct o2_trace *t)
{
    const uint64_t realtime = t->defs.realtime;
    const int64_t seconds = (int64_t)(realtime / 1000000000);
    const uint64_t from = t->promised_offset, to = t->defs.offset;

    if (realtime == OTF2_UNDEFINED_TIMESTAMP || (realtime == 0 && !t->own))
        return INT64_MIN;
    return to >= from ? seconds + (int64_t)(o2_ns(&t->scale, to - from) / 1000000000)
                      : seconds - (int64_t)(o2_ns(&t->scale, from - to) / 1000000000);
}

static enum prvcut_status reader_o2_read_all(struct o2_trace *t, const struct prvcut_source *source,
                                             struct prvcut_error *err)
{
    enum prvcut_status st = reader_take_name(t, source, err);

    if (st == PRVCUT_OK)
        st = read_definitions(t, err);
    if (st != PRVCUT_OK)
        return st;
    t->marks = prvcut_zeroed(t->defs.locations, sizeof *t->marks, "locations", err);
    t->size = prvcut_zeroed(t->defs.locations, sizeof *t->size, "locations", err);
    t->mapped = prvcut_zeroed(t->defs.locations, sizeof *t->mapped, "locations", err);
    if (!t->marks || !t->size || !t->mapped)
        return PRVCUT_ENOMEM;
    st = o2_span(t, err);
    if (st == PRVCUT_OK)
        st = o2_own_read(t, err);
    t->base.wall_clock = reader_wall_clock(t);
    if (st == PRVCUT_OK && !t->own && !t->raw_clocks && t->base.objects.tasks > 1)
        st = o2_clocks(t, err);
    if (st == PRVCUT_OK && !t->own)
        st = o2_labels(t, err);
    o2_span_end(t);
    return st == PRVCUT_OK ? o2_windows_told(t, err) : st;
}

static enum prvcut_status reader_open(struct prvcut_trace **out, struct prvcut_source *source,
                                      const struct prvcut_open_options *options,
                                      struct prvcut_error *err)
{
    struct o2_trace *t = prvcut_zeroed(1, sizeof *t, "a trace", err);
    enum prvcut_status st;

    *out = NULL;
    if (!t) {
        prvcut_source_close(source);
        return PRVCUT_ENOMEM;
    }
    t->base.reader = &prvcut_otf2_reader;
    t->base.seekable = true;
    t->base.unit_ns = 1;
    t->lenient = options && options->lenient;
    t->raw_clocks = options && options->raw_clocks;
    st = reader_o2_read_all(t, source, err);
    prvcut_source_close(source);
    if (st < 0) {
        reader_close(&t->base);
        return st;
    }
    *out = &t->base;
    return PRVCUT_OK;
}

const struct prvcut_reader prvcut_otf2_reader = {
    .format = &prvcut_otf2_format,
    .summary = "OTF2 archive (Score-P, EZTrace 2)",
    .library = "OTF2 " OTF2_VERSION,
    .halves = true,
    .by_thread = true,
    .calls_nest = true,
    .probe = reader_o2_probe,
    .open = reader_open,
    .scan = o2_scan,
    .scan_window = o2_scan_window,
    .cut = o2_cut,
    .filter_check = o2_filter_check,
    .filter = o2_filter,
    .mark = o2_mark_trace,
    .check = o2_check,
    .describe = o2_describe,
    .close = reader_close,
};
