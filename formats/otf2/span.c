#include "otf2/otf2.h"

#include "base/checked.h"
#include "base/flow.h"
#include "base/io.h"
#include "base/kept.h"
#include "base/memory.h"
#include "base/room.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * First and last time of a location, from the bytes of its file: chunks of one size, each with a
 * header that tells the numbers of its first and last event, then records: a kind, a length and as
 * many bytes. A record of kind 5 is the time of the events behind it. Only the last bytes are gone
 * through, or where these are not clear the last chunk; the number of its events confirms it.
 */
#define CHUNK_HEADER  0x03
#define HEADER_BYTES  18u
#define RECORD_TIME   0x05
#define RECORD_EVENT  10 /* kinds from here on are events */
#define RECORD_END    0x02
#define RECORD_MOST   10u /* bytes of a record that must be seen to know its length */
#define LENGTH_BEHIND 0xff
#define WINDOW        PRVCUT_ROOM((size_t)256 * 1024)
#define END_BYTES     2u /* of the record of the file's end */
#define TAIL_BYTES    ((uint64_t)16 * 1024)
#define TAIL_TRIES    256u
#define TAIL_TIMES    64u

/* Bytes of a file that holds a header and the record of its end. */
#define NO_DEFINITIONS 20

/* A stretch of a file in memory. */
struct window {
    int fd;
    const char *path;
    unsigned char *at;
    uint64_t from; /* offset in the file of at[0] */
    size_t count;
    bool little;
    int refused; /* errno of a read that failed; 0: none did */
};

/* The bytes at an offset, at least `want` of them; NULL at the end of the file. */
static const unsigned char *span_see(struct window *w, uint64_t offset, size_t want)
{
    if (offset < w->from || offset + want > w->from + w->count) {
        if (prvcut_io_read_at(w->fd, offset, w->at, WINDOW, &w->count) != 0) {
            w->refused = errno;
            w->count = 0;
        }
        w->from = offset;
    }
    return w->count >= want && offset + want <= w->from + w->count ? w->at + (offset - w->from)
                                                                   : NULL;
}

static uint64_t span_number(const struct window *w, const unsigned char *at)
{
    uint64_t n = 0;

    for (unsigned i = 0; i < 8; i++)
        n |= (uint64_t)at[w->little ? i : 7 - i] << 8 * i;
    return n;
}

/* Numbers of the first and last event of a chunk; also tells the order of bytes. */
static bool span_header(struct window *w, uint64_t offset, uint64_t *first, uint64_t *last)
{
    const unsigned char *at = span_see(w, offset, HEADER_BYTES);

    if (!at || at[0] != CHUNK_HEADER)
        return false;
    w->little = true;
    *first = span_number(w, at + 2);
    *last = span_number(w, at + 10);
    w->little = false;
    /* The order in which they are small: the mark of it differs between the library's versions. */
    if (span_number(w, at + 2) < *first) {
        *first = span_number(w, at + 2);
        *last = span_number(w, at + 10);
    } else {
        w->little = true;
    }
    return *first > 0 && *first <= *last;
}

/* What records from an offset on come to. */
struct passed {
    uint64_t events, times;
    uint64_t last;   /* time */
    uint64_t offset; /* of the record of the file's end, or of what is no record */
    bool rising;     /* the times are in order */
};

/* Go from record to record; false: one reaches beyond the file. Stops after `most` events. */
static bool span_pass(struct window *w, uint64_t offset, uint64_t most, struct passed *p)
{
    *p = (struct passed){ .rising = true };
    for (;;) {
        const unsigned char *at = span_see(w, offset, 2);
        uint64_t length;

        p->offset = offset;
        if (!at || at[0] == RECORD_END || (at[0] < RECORD_EVENT && p->events == most))
            return at != NULL;
        length = at[1];
        if (at[0] == RECORD_TIME) {
            at = span_see(w, offset, RECORD_MOST - 1);
            if (!at)
                return false;
            p->rising = p->rising && span_number(w, at + 1) >= p->last;
            p->last = span_number(w, at + 1);
            p->times++;
            offset += 9;
            continue;
        }
        p->events += at[0] >= RECORD_EVENT;
        offset += 2;
        if (length == LENGTH_BEHIND) {
            at = span_see(w, offset, 8);
            if (!at)
                return false;
            length = span_number(w, at);
            offset += 8;
        }
        if (!prvcut_ckd_add_u64(&offset, offset, length))
            return false;
    }
}

/*
 * The last time of a file, from its last bytes: records entered at the wrong byte soon fall into
 * step with the true ones, and what ends at the file's end after many rising times is in step.
 */
static bool span_tail_time(struct window *w, uint64_t size, uint64_t *out)
{
    for (uint64_t shift = 0; shift < TAIL_TRIES; shift++) {
        struct passed p;

        if (span_pass(w, size - TAIL_BYTES + shift, UINT64_MAX, &p) &&
            p.offset + END_BYTES == size && p.rising && p.times >= TAIL_TIMES) {
            *out = p.last;
            return true;
        }
    }
    return false;
}

/* The same from the whole of the last chunk; false where its events do not add up. */
static bool span_last_time(struct window *w, uint64_t chunk, uint64_t size, uint64_t *out)
{
    const uint64_t offset = (size - 1) / chunk * chunk;
    uint64_t first, last;
    struct passed p;

    if (!span_header(w, offset, &first, &last))
        return false;
    if (size - offset > 2 * TAIL_BYTES && span_tail_time(w, size, out))
        return true;
    if (!span_pass(w, offset + HEADER_BYTES, last - first + 1, &p) || p.events != last - first + 1)
        return false;
    *out = p.last;
    return true;
}

static bool span_first_time(struct window *w, uint64_t *out)
{
    const unsigned char *at;
    uint64_t first, last;

    if (!span_header(w, 0, &first, &last))
        return false;
    at = span_see(w, HEADER_BYTES, RECORD_MOST - 1);
    if (!at || at[0] != RECORD_TIME)
        return false;
    *out = span_number(w, at + 1);
    return true;
}

/*
 * A file of local definitions that holds none, which is what EZTrace writes for each location, need
 * not be opened: for each one the library would make a buffer as large as a chunk.
 */
static enum prvcut_status span_has_definitions(bool *has, const struct o2_trace *t, uint32_t thread,
                                               struct prvcut_error *err)
{
    char path[1024];
    struct stat s;

    snprintf(path, sizeof path, "%.1000s/%" PRIu64 ".def", t->stem, t->defs.location[thread].id);
    *has = stat(path, &s) == 0 && s.st_size > NO_DEFINITIONS;
    if (*has || errno == ENOENT || errno == ENOTDIR || errno == 0)
        return PRVCUT_OK;
    return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read", path);
}

/* A file of the archive, of events with the times that it begins and ends with. */
static void span_saw(struct o2_trace *t, const struct stat *s, const struct o2_marks *m)
{
    struct prvcut_identity id = prvcut_identity_of(s);

    id.first = m ? (uint32_t)m->first : 0;
    id.last = m ? (uint32_t)m->last : 0;
    t->base.files_sum = prvcut_identity_sum(t->base.files_sum, &id);
    t->base.bytes += id.size;
}

static void span_look_into(struct o2_trace *t, struct o2_marks *m, struct window *w, uint64_t size)
{
    uint64_t first = 0, last = 0;

    w->count = 0;
    if (size > HEADER_BYTES && t->event_chunk > 0 && span_first_time(w, &first) &&
        span_last_time(w, t->event_chunk, size, &last) && first <= last) {
        m->first = first;
        m->last = last;
    }
}

/* A file that is not there keeps its size unknown; what cannot be read is not taken for that. */
static enum prvcut_status span_look(struct o2_trace *t, uint32_t thread, struct window *w,
                                    struct prvcut_error *err)
{
    struct o2_marks *m = &t->marks[thread];
    char path[1024];
    struct stat s;
    enum prvcut_status st;

    m->first = UINT64_MAX;
    m->last = 0;
    t->size[thread] = UINT64_MAX;
    errno = 0;
    st = span_has_definitions(&t->mapped[thread], t, thread, err);
    if (st < 0)
        return st;
    w->path = o2_event_path(path, sizeof path, t, thread);
    w->fd = prvcut_io_open(path, O_RDONLY, 0);
    if (w->fd < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? PRVCUT_OK
                   : prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be opened", path);
    if (fstat(w->fd, &s) != 0) {
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be examined", path);
    } else {
        t->size[thread] = (uint64_t)s.st_size;
        span_look_into(t, m, w, t->size[thread]);
        span_saw(t, &s, m);
        errno = w->refused;
        if (w->refused != 0)
            st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read", path);
    }
    close(w->fd);
    return st;
}

static void span_add_file(struct o2_trace *t, const char *path)
{
    struct stat s;

    if (stat(path, &s) == 0 && s.st_size > 0)
        span_saw(t, &s, NULL);
}

enum prvcut_status o2_span(struct o2_trace *t, struct prvcut_error *err)
{
    struct window w = { .at = prvcut_unset(1, WINDOW, "a trace", err) };
    uint64_t first = UINT64_MAX, last = 0;
    enum prvcut_status st = PRVCUT_OK;
    char path[1024];

    if (!w.at)
        return PRVCUT_ENOMEM;
    snprintf(path, sizeof path, "%.1000s.def", t->stem);
    t->base.bytes = 0;
    t->base.files_sum = 0;
    span_add_file(t, t->base.path);
    span_add_file(t, path);
    for (uint32_t i = 0; i < t->defs.locations && st == PRVCUT_OK; i++) {
        st = span_look(t, i, &w, err);
        snprintf(path, sizeof path, "%.900s/%" PRIu64 ".def", t->stem, t->defs.location[i].id);
        span_add_file(t, path);
        if (t->marks[i].first < first)
            first = t->marks[i].first;
        if (t->marks[i].last > last)
            last = t->marks[i].last;
    }
    free(w.at);
    if (st < 0)
        return st;
    t->promised_offset = t->defs.offset;
    /* A clock that counts from long before the trace, or from a time in it. */
    if (first <= last &&
        (!t->defs.clocked || first < t->defs.offset || first - t->defs.offset > last - first))
        t->defs.offset = first;
    return PRVCUT_OK;
}

void o2_span_end(struct o2_trace *t)
{
    uint64_t end = 0;

    for (uint32_t i = 0; i < t->defs.locations; i++) {
        const uint64_t last =
            t->marks[i].first <= t->marks[i].last ? o2_time(t, i, t->marks[i].last) : 0;

        if (last > end)
            end = last;
    }
    /* Where no file could be gone through, definitions have to do. */
    if (end == 0 && t->defs.clocked)
        end = o2_ns(&t->scale, t->defs.length);
    if (end > t->base.end_ns)
        t->base.end_ns = end;
}
