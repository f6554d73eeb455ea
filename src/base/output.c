#include "base/output.h"
#include "base/codec.h"
#include "base/memory.h"
#include "base/place.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct prvcut_output {
    struct prvcut_place place;
    struct prvcut_commit *own; /* the set of this file alone; NULL: it is one of several */
    struct prvcut_outflow out;
    const struct prvcut_codec_kind *kind; /* NULL until its encoder is there */
    void *encoder;
    enum prvcut_status state;    /* < 0: a write failed, and the file can no longer be whole */
    struct prvcut_error failure; /* with state < 0 */
};

static const struct {
    const char *suffix;
    enum prvcut_codec codec;
    const struct prvcut_codec_kind *kind;
} output_codecs[] = {
    { ".gz", PRVCUT_GZIP, &prvcut_codec_gzip },
    { ".zst", PRVCUT_ZSTD, &prvcut_codec_zstd },
    { "", PRVCUT_PLAIN, &prvcut_codec_plain }, /* takes all that is left */
};

enum prvcut_codec prvcut_codec_of_name(const char *path)
{
    const size_t length = strlen(path);

    for (size_t i = 0;; i++) {
        const size_t tail = strlen(output_codecs[i].suffix);

        if (tail <= length && strcmp(path + length - tail, output_codecs[i].suffix) == 0)
            return output_codecs[i].codec;
    }
}

static const struct prvcut_codec_kind *output_kind(enum prvcut_codec codec)
{
    size_t i = 0;

    while (output_codecs[i].codec != codec && output_codecs[i].codec != PRVCUT_PLAIN)
        i++;
    return output_codecs[i].kind;
}

/* The encoder comes before the file, so that running out of memory leaves no trace. */
static enum prvcut_status output_start(struct prvcut_output *o, struct prvcut_commit *set,
                                       const struct prvcut_output_file *file,
                                       struct prvcut_error *err)
{
    const struct prvcut_codec_kind *kind = output_kind(file->codec);
    enum prvcut_status st = kind->encoder_new(&o->encoder, err);

    if (st != PRVCUT_OK)
        return st;
    o->kind = kind;
    st = prvcut_outflow_init(&o->out, err);
    if (st == PRVCUT_OK && !set) {
        st = prvcut_commit_new(&o->own, err);
        set = o->own;
    }
    if (st == PRVCUT_OK)
        st = prvcut_place_open(&o->place, set, file->path, file->force, err);
    o->out.fd = o->place.fd;
    o->out.path = o->place.path;
    return st;
}

enum prvcut_status prvcut_output_join(struct prvcut_output **out, struct prvcut_commit *set,
                                      const struct prvcut_output_file *file,
                                      struct prvcut_error *err)
{
    struct prvcut_output *o = prvcut_zeroed(1, sizeof *o, "an output", err);
    enum prvcut_status st;

    *out = NULL;
    if (!o)
        return PRVCUT_ENOMEM;
    o->place.fd = -1;
    st = output_start(o, set, file, err);
    if (st != PRVCUT_OK) {
        prvcut_output_abandon(o);
        return st;
    }
    *out = o;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_output_open(struct prvcut_output **out, const char *path,
                                      enum prvcut_codec codec, bool force, struct prvcut_error *err)
{
    return prvcut_output_join(out, NULL, &(struct prvcut_output_file){ path, codec, force }, err);
}

void prvcut_output_workers(struct prvcut_output *o, unsigned workers)
{
    if (o->kind->encoder_workers)
        o->kind->encoder_workers(o->encoder, workers);
}

static enum prvcut_status output_outcome(const struct prvcut_output *o, struct prvcut_error *err)
{
    return o->state < 0 ? prvcut_fail(err, o->state, "%s", o->failure.text) : PRVCUT_OK;
}

enum prvcut_status prvcut_output_write(struct prvcut_output *o, const void *bytes, size_t count,
                                       struct prvcut_error *err)
{
    if (o->state == PRVCUT_OK && count > 0)
        o->state = o->kind->encode(o->encoder, &o->out, bytes, count, &o->failure);
    return output_outcome(o, err);
}

/* Whole and on disk, and one of its set. */
static enum prvcut_status output_end(struct prvcut_output *o, uint64_t *size,
                                     struct prvcut_error *err)
{
    if (o->state == PRVCUT_OK)
        o->state = o->kind->finish(o->encoder, &o->out, &o->failure);
    if (o->state == PRVCUT_OK)
        o->state = prvcut_outflow_flush(&o->out, &o->failure);
    if (o->state == PRVCUT_OK)
        o->state = prvcut_place_settle(&o->place, &o->failure);
    if (size)
        *size = o->out.written;
    return output_outcome(o, err);
}

enum prvcut_status prvcut_output_finish(struct prvcut_output *o, uint64_t *size,
                                        struct prvcut_error *err)
{
    const enum prvcut_status st = output_end(o, size, err);

    assert(!o->own);
    prvcut_output_abandon(o);
    return st;
}

enum prvcut_status prvcut_output_commit(struct prvcut_output *o, uint64_t *size,
                                        struct prvcut_error *err)
{
    enum prvcut_status st = output_end(o, size, err);

    assert(o->own);
    if (st == PRVCUT_OK) {
        st = prvcut_commit_all(o->own, err);
        o->own = NULL;
    }
    prvcut_output_abandon(o);
    return st;
}

void prvcut_output_abandon(struct prvcut_output *o)
{
    if (!o)
        return;
    prvcut_place_drop(&o->place);
    prvcut_commit_abandon(o->own);
    prvcut_outflow_fini(&o->out);
    if (o->kind)
        o->kind->encoder_free(o->encoder);
    free(o);
}

enum prvcut_status prvcut_output_text(struct prvcut_commit *set, const char *path, const char *text,
                                      bool force, struct prvcut_error *err)
{
    const struct prvcut_output_file file = { path, prvcut_codec_of_name(path), force };
    struct prvcut_output *o;
    enum prvcut_status st = prvcut_output_join(&o, set, &file, err);

    if (st < 0)
        return st;
    st = prvcut_output_write(o, text, strlen(text), err);
    if (st == PRVCUT_OK)
        return set ? prvcut_output_finish(o, NULL, err) : prvcut_output_commit(o, NULL, err);
    prvcut_output_abandon(o);
    return st;
}
