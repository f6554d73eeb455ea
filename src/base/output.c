/* realpath is of POSIX.1-2008, but only with the XSI extensions. */
#define _XOPEN_SOURCE 700

#include "base/output.h"
#include "base/codec.h"
#include "base/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct prvcut_output {
    struct prvcut_place place;
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
static enum prvcut_status output_start(struct prvcut_output *o, const char *path,
                                       enum prvcut_codec codec, bool force,
                                       struct prvcut_error *err)
{
    const struct prvcut_codec_kind *kind = output_kind(codec);
    enum prvcut_status st = kind->encoder_new(&o->encoder, err);

    if (st != PRVCUT_OK)
        return st;
    o->kind = kind;
    st = prvcut_outflow_init(&o->out, err);
    if (st == PRVCUT_OK)
        st = prvcut_place_open(&o->place, path, force, err);
    o->out.fd = o->place.fd;
    o->out.path = o->place.path;
    return st;
}

enum prvcut_status prvcut_output_open(struct prvcut_output **out, const char *path,
                                      enum prvcut_codec codec, bool force, struct prvcut_error *err)
{
    struct prvcut_output *o = calloc(1, sizeof *o);
    enum prvcut_status st;

    *out = NULL;
    if (!o)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory: %zu bytes", sizeof *o);
    o->place.fd = -1;
    st = output_start(o, path, codec, force, err);
    if (st != PRVCUT_OK) {
        prvcut_output_abandon(o);
        return st;
    }
    *out = o;
    return PRVCUT_OK;
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

enum prvcut_status prvcut_output_commit(struct prvcut_output *o, uint64_t *size,
                                        struct prvcut_error *err)
{
    enum prvcut_status st;

    if (o->state == PRVCUT_OK)
        o->state = o->kind->finish(o->encoder, &o->out, &o->failure);
    if (o->state == PRVCUT_OK)
        o->state = prvcut_outflow_flush(&o->out, &o->failure);
    if (o->state == PRVCUT_OK)
        o->state = prvcut_place_settle(&o->place, &o->failure);
    if (size)
        *size = o->out.written;
    st = output_outcome(o, err);
    prvcut_output_abandon(o);
    return st;
}

void prvcut_output_abandon(struct prvcut_output *o)
{
    if (!o)
        return;
    prvcut_place_drop(&o->place);
    prvcut_outflow_fini(&o->out);
    if (o->kind)
        o->kind->encoder_free(o->encoder);
    free(o);
}

/* --- Undoing ------------------------------------------------------------------------------- */

/* Most bytes of the file's name within that of its copy; tries for one that is free. */
#define COPY_NAME  200
#define COPY_TRIES 100

static enum prvcut_status backup_nomem(struct prvcut_backup *b, struct prvcut_error *err)
{
    prvcut_backup_drop(b);
    return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory: a file name");
}

/* Beside the file, so that it can be given its name again; b->copy stays NULL where there is none.
 */
static enum prvcut_status backup_link(struct prvcut_backup *b, struct prvcut_error *err)
{
    const char *slash = strrchr(b->final, '/'), *name = slash ? slash + 1 : b->final;
    const size_t room = (size_t)(name - b->final) + COPY_NAME + 64;
    int failed = -1;

    b->copy = malloc(room);
    if (!b->copy)
        return backup_nomem(b, err);
    for (unsigned i = 0; i < COPY_TRIES && failed != 0; i++) {
        snprintf(b->copy, room, "%.*s.%.*s.%ld-%u.old", (int)(name - b->final), b->final, COPY_NAME,
                 name, (long)getpid(), i);
        failed = link(b->final, b->copy);
        if (failed != 0 && errno != EEXIST)
            break;
    }
    if (failed != 0) {
        free(b->copy);
        b->copy = NULL;
    }
    return PRVCUT_OK;
}

enum prvcut_status prvcut_backup_take(struct prvcut_backup *b, const char *path,
                                      struct prvcut_error *err)
{
    struct stat info;

    *b = (struct prvcut_backup){ NULL, NULL };
    if (strcmp(path, "-") == 0)
        return PRVCUT_OK;
    if (stat(path, &info) != 0) {
        b->final = strdup(path);
        return b->final ? PRVCUT_OK : backup_nomem(b, err);
    }
    if (!S_ISREG(info.st_mode))
        return PRVCUT_OK;
    b->final = realpath(path, NULL);
    return b->final ? backup_link(b, err) : backup_nomem(b, err);
}

void prvcut_backup_drop(struct prvcut_backup *b)
{
    if (b->copy)
        (void)unlink(b->copy);
    free(b->copy);
    free(b->final);
    *b = (struct prvcut_backup){ NULL, NULL };
}

void prvcut_backup_undo(struct prvcut_backup *b)
{
    /* Two links to one file stay both: then nothing had been replaced yet. */
    if (b->copy)
        (void)rename(b->copy, b->final);
    else if (b->final)
        (void)unlink(b->final);
    prvcut_backup_drop(b);
}
