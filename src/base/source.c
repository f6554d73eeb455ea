#include "base/source.h"
#include "base/buffer.h"
#include "base/codec.h"
#include "base/frames.h"
#include "base/io.h"
#include "base/memory.h"
#include "base/room.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PEEK_ROOM  65536
#define SLURP_ROOM PRVCUT_ROOM(65536)

struct prvcut_source {
    struct prvcut_inflow in;
    char *path;
    const struct prvcut_codec_kind *kind;
    void *decoder;
    enum prvcut_codec codec;
    bool regular; /* a file that can be read again and anywhere */
    uint64_t size;
    char *head; /* decoded for peek, not read yet: [head_at, head_count) */
    size_t head_at, head_count;
    enum prvcut_status after;     /* what follows the bytes decoded so far */
    struct prvcut_error failure;  /* with after < 0 */
    struct prvcut_frames *frames; /* of a seekable zstd file; NULL: it is none */
};

static const struct {
    enum prvcut_codec codec;
    const struct prvcut_codec_kind *kind;
} source_codecs[] = {
    { PRVCUT_GZIP, &prvcut_codec_gzip },
    { PRVCUT_ZSTD, &prvcut_codec_zstd },
    { PRVCUT_PLAIN, &prvcut_codec_plain }, /* takes all that is left */
};

static bool source_is_stdin(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Find out what fd is; standard input counts as a stream, whatever stands behind it. */
static enum prvcut_status source_inspect(struct prvcut_source *s, struct prvcut_error *err)
{
    struct stat info;
    off_t start = 0;

    if (fstat(s->in.fd, &info) != 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be examined", s->path);
    if (S_ISDIR(info.st_mode))
        return prvcut_fail(err, PRVCUT_EIO, "%s: is a folder, not a file", s->path);
    if (!S_ISREG(info.st_mode))
        return PRVCUT_OK;
    s->regular = !source_is_stdin(s->path);
    if (!s->regular)
        start = lseek(s->in.fd, 0, SEEK_CUR);
    if (start >= 0 && info.st_size > start)
        s->size = (uint64_t)(info.st_size - start);
    /* Only advice: that it cannot be followed is no failure. */
    (void)posix_fadvise(s->in.fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return PRVCUT_OK;
}

/* Tell the codec from the first bytes, which stay in the window. */
static enum prvcut_status source_sniff(struct prvcut_source *s, struct prvcut_error *err)
{
    const enum prvcut_status st =
        prvcut_inflow_need(&s->in, PRVCUT_CODEC_HEAD, PRVCUT_CODEC_HEAD, err);
    size_t i = 0;

    if (st != PRVCUT_OK)
        return st;
    /* Files of a size of 0 that hold bytes all the same (/proc) give them only in order. */
    if (s->size == 0 && prvcut_inflow_ready(&s->in) > 0)
        s->regular = false;
    while (!source_codecs[i].kind->probe(s->in.bytes, prvcut_inflow_ready(&s->in)))
        i++;
    s->codec = source_codecs[i].codec;
    s->kind = source_codecs[i].kind;
    if (s->codec == PRVCUT_ZSTD && s->regular) {
        const enum prvcut_status found =
            prvcut_frames_open(&s->frames, s->in.fd, s->path, s->size, err);

        if (found != PRVCUT_OK)
            return found;
    }
    return s->kind->decoder_new(&s->decoder, err);
}

static enum prvcut_status source_start(struct prvcut_source *s, const char *path,
                                       struct prvcut_error *err)
{
    enum prvcut_status st;

    s->in.fd = -1;
    s->path = prvcut_copied_text(path, "a file name", err);
    s->in.path = s->path;
    if (!s->path)
        return PRVCUT_ENOMEM;
    s->in.fd = source_is_stdin(path) ? STDIN_FILENO
                                     : prvcut_io_open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);
    if (s->in.fd < 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be opened", path);
    st = source_inspect(s, err);
    s->in.waits = !s->regular;
    if (st == PRVCUT_OK)
        st = prvcut_inflow_init(&s->in, err);
    return st == PRVCUT_OK ? source_sniff(s, err) : st;
}

enum prvcut_status prvcut_source_open(struct prvcut_source **out, const char *path,
                                      struct prvcut_error *err)
{
    struct prvcut_source *s = prvcut_zeroed(1, sizeof *s, "a source", err);
    enum prvcut_status st;

    *out = NULL;
    if (!s)
        return PRVCUT_ENOMEM;
    st = source_start(s, path, err);
    if (st != PRVCUT_OK) {
        prvcut_source_close(s);
        return st;
    }
    *out = s;
    return PRVCUT_OK;
}

void prvcut_source_watch(struct prvcut_source *s, bool (*stop)(void *ctx), void *ctx)
{
    s->in.stop = stop;
    s->in.stop_ctx = ctx;
}

void prvcut_source_close(struct prvcut_source *s)
{
    if (!s)
        return;
    if (s->in.fd >= 0 && !source_is_stdin(s->path))
        close(s->in.fd);
    /* kind is set before its decoder is there. */
    if (s->kind && (s->decoder || s->codec == PRVCUT_PLAIN))
        s->kind->decoder_free(s->decoder);
    prvcut_frames_close(s->frames);
    prvcut_inflow_fini(&s->in);
    free(s->head);
    free(s->path);
    free(s);
}

bool prvcut_source_is_seekable(const struct prvcut_source *s)
{
    return s->regular && (s->codec == PRVCUT_PLAIN || s->frames);
}

uint64_t prvcut_source_text_size(const struct prvcut_source *s)
{
    if (s->frames)
        return prvcut_frames_size(s->frames);
    return prvcut_source_is_seekable(s) ? s->size : 0;
}

enum prvcut_codec prvcut_source_codec(const struct prvcut_source *s)
{
    return s->codec;
}

uint64_t prvcut_source_size(const struct prvcut_source *s)
{
    return s->size;
}

uint64_t prvcut_source_consumed(const struct prvcut_source *s)
{
    const uint64_t offset = prvcut_inflow_offset(&s->in);

    return s->codec == PRVCUT_PLAIN ? offset - (s->head_count - s->head_at) : offset;
}

enum prvcut_status prvcut_source_limit(struct prvcut_source *s, uint64_t bytes,
                                       struct prvcut_error *err)
{
    if (!s->regular || s->codec != PRVCUT_PLAIN)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: of a pipe or a compressed file no beginning can be taken", s->path);
    if (bytes < s->size)
        s->size = bytes;
    return PRVCUT_OK;
}

const char *prvcut_source_path(const struct prvcut_source *s)
{
    return s->path;
}

/* Decode on, past the peeked bytes; how it went is kept in s->after for when all are delivered. */
static size_t source_pull(struct prvcut_source *s, char *out, size_t room)
{
    size_t got = 0;

    if (room > 0 && s->after == PRVCUT_OK)
        s->after = s->kind->decode(s->decoder, &s->in, out, room, &got, &s->failure);
    return got;
}

static enum prvcut_status source_outcome(const struct prvcut_source *s, struct prvcut_error *err)
{
    return s->after < 0 ? prvcut_fail_at(err, s->after, s->failure.offset, "%s", s->failure.text)
                        : s->after;
}

enum prvcut_status prvcut_source_peek(struct prvcut_source *s, size_t want, const char **bytes,
                                      size_t *got, struct prvcut_error *err)
{
    size_t ready = s->head_count - s->head_at;

    *bytes = "";
    *got = 0;
    if (want > PEEK_ROOM)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: peek of %zu bytes, limit %d", s->path, want,
                           PEEK_ROOM);
    if (want == 0)
        return PRVCUT_OK;
    if (!s->head && !(s->head = prvcut_unset(1, PEEK_ROOM, "the beginning of a file", err)))
        return PRVCUT_ENOMEM;
    if (ready < want) {
        memmove(s->head, s->head + s->head_at, ready);
        s->head_at = 0;
        ready += source_pull(s, s->head + ready, want - ready);
        s->head_count = ready;
    }
    *bytes = s->head + s->head_at;
    *got = ready < want ? ready : want;
    /* Damage may follow what is sound; what the system did not give tells nothing of the file. */
    if (*got < want && s->after < 0 && (*got == 0 || s->after != PRVCUT_EFORMAT))
        return source_outcome(s, err);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_source_read(struct prvcut_source *s, void *bytes, size_t room,
                                      size_t *got, struct prvcut_error *err)
{
    const size_t ready = s->head_count - s->head_at;
    const size_t first = ready < room ? ready : room;

    if (first > 0)
        memcpy(bytes, s->head + s->head_at, first);
    s->head_at += first;
    *got = first + source_pull(s, (char *)bytes + first, room - first);
    return *got > 0 || room == 0 ? PRVCUT_OK : source_outcome(s, err);
}

enum prvcut_status prvcut_source_read_at(struct prvcut_source *s, uint64_t offset, void *bytes,
                                         size_t want, size_t *got, struct prvcut_error *err)
{
    enum prvcut_status st;

    *got = 0;
    if (!prvcut_source_is_seekable(s))
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: can only be read from its start to its end",
                           s->path);
    if (s->frames)
        return prvcut_frames_read_at(s->frames, offset, bytes, want, got, err);
    /* What was appended meanwhile is not part of what was opened. */
    if (offset >= s->size)
        return PRVCUT_OK;
    if (want > s->size - offset)
        want = (size_t)(s->size - offset);
    st = prvcut_flow_read_at(s->in.fd, s->path, offset, bytes, want, got, err);
    if (st == PRVCUT_OK && *got < want)
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%s: got shorter while it was read: %llu bytes, after %llu", s->path,
                           (unsigned long long)(offset + *got), (unsigned long long)s->size);
    return st;
}

enum prvcut_status prvcut_source_ends(const struct prvcut_source *s, struct prvcut_error *err)
{
    if (!s->regular || s->codec != PRVCUT_ZSTD)
        return PRVCUT_OK;
    return prvcut_frames_check(s->in.fd, s->path, s->size, err);
}

enum prvcut_status prvcut_source_rewind(struct prvcut_source *s, struct prvcut_error *err)
{
    if (!s->regular)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: is a pipe, which is read only once; save it to a file first",
                           s->path);
    if (lseek(s->in.fd, 0, SEEK_SET) != 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read again", s->path);
    s->in.at = s->in.count = 0;
    s->in.taken = 0;
    s->in.ended = false;
    s->head_at = s->head_count = 0;
    s->after = PRVCUT_OK;
    s->failure = (struct prvcut_error){ 0 };
    s->kind->decoder_reset(s->decoder);
    return PRVCUT_OK;
}

/* Is a line of it too long? *begin: where the last one begins; from: what is new. */
static bool source_runs_on(const struct prvcut_buffer *b, size_t from, size_t *begin)
{
    for (size_t at = from; at < b->count; at++) {
        if (b->at[at] == '\n')
            *begin = at + 1;
        else if (at - *begin >= PRVCUT_LINE_MOST)
            return true;
    }
    return false;
}

/* Read all into b; what is beyond limit is not kept, but its presence is a failure. */
static enum prvcut_status source_gather(struct prvcut_source *s, size_t limit, bool text,
                                        struct prvcut_buffer *b, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t line = 0;

    while (st == PRVCUT_OK && b->count <= limit) {
        size_t got, room;

        st = prvcut_buffer_reserve(b, SLURP_ROOM, err);
        if (st != PRVCUT_OK)
            break;
        room = b->room - b->count;
        room = room <= limit - b->count ? room : limit - b->count + 1;
        if (text && room > PRVCUT_LINE_MOST)
            room = PRVCUT_LINE_MOST;
        st = prvcut_source_read(s, b->at + b->count, room, &got, err);
        b->count += got;
        if (text && source_runs_on(b, b->count - got, &line))
            return prvcut_fail(err, PRVCUT_ELIMIT, "%s: a line has more than %zu bytes, the limit",
                               s->path, PRVCUT_LINE_MOST);
    }
    if (b->count > limit)
        return prvcut_fail(err, PRVCUT_ELIMIT, "%s: holds more than %zu bytes, the limit", s->path,
                           limit);
    return st == PRVCUT_END ? prvcut_buffer_append(b, "", 1, err) : st;
}

static enum prvcut_status source_slurp(const char *path, size_t limit, bool text, char **bytes,
                                       size_t *count, struct prvcut_error *err)
{
    struct prvcut_buffer b = { 0 };
    struct prvcut_source *s;
    enum prvcut_status st = prvcut_source_open(&s, path, err);

    *bytes = NULL;
    *count = 0;
    if (st != PRVCUT_OK)
        return st;
    st = source_gather(s, limit, text, &b, err);
    prvcut_source_close(s);
    if (st != PRVCUT_OK) {
        prvcut_buffer_fini(&b);
        return st;
    }
    *bytes = b.at;
    *count = b.count - 1;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_source_slurp(const char *path, size_t limit, char **bytes, size_t *count,
                                       struct prvcut_error *err)
{
    return source_slurp(path, limit, false, bytes, count, err);
}

enum prvcut_status prvcut_source_slurp_text(const char *path, size_t limit, char **bytes,
                                            size_t *count, struct prvcut_error *err)
{
    return source_slurp(path, limit, true, bytes, count, err);
}
