#include "base/memory.h"
#include "otf2/otf2.h"

#include <inttypes.h>
#include <stdio.h>

const char *o2_event_path(char *out, size_t room, const struct o2_trace *t, uint32_t thread)
{
    snprintf(out, room, "%s/%" PRIu64 ".evt", t->stem, t->defs.location[thread].id);
    return out;
}

enum prvcut_status o2_fail(const struct o2_trace *t, uint32_t thread, OTF2_ErrorCode code,
                           struct prvcut_error *err)
{
    const struct o2_location *l = &t->defs.location[thread];
    const bool first = err && err->status == PRVCUT_OK;
    char where[640];
    enum prvcut_status st;

    snprintf(where, sizeof where, "%.480s/%" PRIu64 ".evt: location \"%.80s\"", t->stem, l->id,
             l->name);
    st = o2_fail_file(where, code, err);
    /* What stands before the damage can be read. */
    if (first && st == PRVCUT_EFORMAT)
        snprintf(err->instead, sizeof err->instead, "--lenient");
    return st;
}

enum prvcut_status o2_reader_open(OTF2_Reader **out, const struct o2_trace *t,
                                  struct prvcut_error *err)
{
    enum prvcut_status st;
    OTF2_Reader *r;
    OTF2_ErrorCode code;

    *out = NULL;
    o2_library_start();
    if (!o2_library_room())
        return prvcut_no_memory(err, "an archive");
    r = OTF2_Reader_Open(t->base.path);
    if (!r)
        return o2_fail_file(t->base.path, OTF2_ERROR_INVALID, err);
    code = OTF2_Reader_SetSerialCollectiveCallbacks(r);
    for (uint32_t i = 0; i < t->defs.locations && code == OTF2_SUCCESS; i++)
        code = OTF2_Reader_SelectLocation(r, t->defs.location[i].id);
    if (code == OTF2_SUCCESS && t->defs.locations > 0)
        code = OTF2_Reader_OpenEvtFiles(r);
    if (code != OTF2_SUCCESS) {
        OTF2_Reader_Close(r);
        return o2_fail_file(t->base.path, code, err);
    }
    /* Without local definitions its readers are NULL, which is noticed where they are opened. */
    if (t->defs.locations > 0)
        OTF2_Reader_OpenDefFiles(r);
    st = o2_library_failed(t->base.path, err);
    if (st < 0) {
        OTF2_Reader_Close(r);
        return st;
    }
    o2_library_clear();
    *out = r;
    return PRVCUT_OK;
}

void o2_reader_close(OTF2_Reader *r)
{
    if (r)
        OTF2_Reader_Close(r);
}

/* Mapping tables and clock offsets; without the file ids and times are global ones. */
static enum prvcut_status open_load_definitions(OTF2_Reader *r, const struct o2_trace *t,
                                                uint32_t thread, struct prvcut_error *err)
{
    const OTF2_LocationRef id = t->defs.location[thread].id;
    OTF2_DefReader *d;
    OTF2_ErrorCode code;
    uint64_t count;
    char path[640];

    if (!t->mapped[thread])
        return PRVCUT_OK;
    d = OTF2_Reader_GetDefReader(r, id);
    if (!d) {
        const enum prvcut_status st = o2_library_failed(t->base.path, err);

        o2_library_clear();
        return st;
    }
    code = OTF2_Reader_ReadAllLocalDefinitions(r, d, &count);
    OTF2_Reader_CloseDefReader(r, d);
    if (code == OTF2_SUCCESS)
        return PRVCUT_OK;
    snprintf(path, sizeof path, "%.480s/%" PRIu64 ".def: location \"%.80s\"", t->stem, id,
             t->defs.location[thread].name);
    return o2_fail_file(path, code, err);
}

enum prvcut_status o2_location_open(OTF2_EvtReader **out, OTF2_Reader *r, const struct o2_trace *t,
                                    uint32_t thread, struct prvcut_error *err)
{
    const struct o2_location *l = &t->defs.location[thread];
    enum prvcut_status st;

    *out = NULL;
    if (t->size[thread] == UINT64_MAX) {
        if (l->promised == 0)
            return PRVCUT_END;
        prvcut_instead(err, "--lenient");
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%.500s/%" PRIu64 ".evt: the file of location \"%.80s\" is missing",
                           t->stem, l->id, l->name);
    }
    o2_library_clear();
    st = open_load_definitions(r, t, thread, err);
    if (st < 0)
        return st;
    *out = OTF2_Reader_GetEvtReader(r, l->id);
    return *out ? PRVCUT_OK : o2_fail(t, thread, OTF2_ERROR_INVALID, err);
}
