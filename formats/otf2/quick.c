#include "otf2/quick.h"

#include "base/flow.h"
#include "base/io.h"
#include "base/memory.h"
#include "base/room.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A file is chunks of one size, each with a header that tells the numbers of its first and last
 * event, then records: a kind, a length, as many bytes. A record of kind 5, which has no length, is
 * the time of the events behind it. Numbers are a count of bytes and so many bytes, the least
 * significant one first; where a record is one number, its count is the record's length.
 */
#define CHUNK_HEADER 0x03
#define CHUNK_ORDER  0x42
#define HEADER_BYTES 18u
#define RECORD_FILL  0x00 /* from here on the chunk is empty */
#define RECORD_END   0x02
#define RECORD_TIME  0x05
#define TIME_BYTES   9u
#define RECORD_EVENT 10 /* kinds from here on are events */
#define END_BYTES    2u /* of the record of the file's end */

/* Longer records are left to the library; all others lie in the window as a whole. */
#define RECORD_MOST 254u
#define RECORD_ROOM (TIME_BYTES + 2u + RECORD_MOST + 16u)
#define WINDOW      PRVCUT_ROOM((size_t)256 * 1024)

#define ARGUMENTS   32u /* of a program */

struct o2_quick {
    unsigned char *bytes; /* the window; zeros behind what is valid */
    size_t at, count;     /* unused ones are [at, count) */
    size_t last;          /* of at: from here on the window is to be moved */
    uint64_t base;        /* offset in the file of bytes[0] */
    uint64_t size;        /* of the file */
    uint64_t chunk;       /* bytes of one */
    uint64_t begin;       /* offset of the present one */
    uint64_t chunk_last;  /* number of its last event */
    uint64_t time, events;
    OTF2_StringRef argument[ARGUMENTS];
    int fd;
    char path[1024];
};

enum prvcut_status o2_quick_new(struct o2_quick **out, struct prvcut_error *err)
{
    struct o2_quick *q = prvcut_zeroed(1, sizeof *q, "a window", NULL);

    *out = NULL;
    if (q)
        q->bytes = prvcut_unset(1, WINDOW + RECORD_ROOM, "a window", NULL);
    if (!q || !q->bytes) {
        free(q);
        return prvcut_no_memory(err, "a window");
    }
    q->fd = -1;
    *out = q;
    return PRVCUT_OK;
}

void o2_quick_close(struct o2_quick *q)
{
    if (q->fd >= 0)
        close(q->fd);
    q->fd = -1;
}

void o2_quick_free(struct o2_quick *q)
{
    if (!q)
        return;
    o2_quick_close(q);
    free(q->bytes);
    free(q);
}

/* The window begins at an offset; what is there already is kept. */
static bool quick_fill(struct o2_quick *q, uint64_t offset)
{
    size_t kept = 0, got = 0;

    if (offset >= q->base && offset < q->base + q->count) {
        kept = (size_t)(q->base + q->count - offset);
        memmove(q->bytes, q->bytes + (offset - q->base), kept);
    }
    q->base = offset;
    q->at = 0;
    q->count = kept;
    if (prvcut_flow_read_at(q->fd, q->path, offset + kept, (char *)q->bytes + kept, WINDOW - kept,
                            &got, NULL) < 0)
        return false;
    q->count += got;
    memset(q->bytes + q->count, 0, RECORD_ROOM);
    /* At the file's end the zeros end every record, and what they end is no event. */
    q->last = q->count < WINDOW ? q->count : WINDOW - RECORD_ROOM;
    return true;
}

static uint64_t quick_eight(const unsigned char *at)
{
    uint64_t n;

    memcpy(&n, at, sizeof n);
    return n;
}

/* Enter a chunk whose first event has that number; 0: any. */
static bool quick_enter_chunk(struct o2_quick *q, uint64_t offset, uint64_t first)
{
    const unsigned char *at;

    if (!quick_fill(q, offset) || q->count < HEADER_BYTES)
        return false;
    at = q->bytes;
    if (at[0] != CHUNK_HEADER || at[1] != CHUNK_ORDER ||
        (first != 0 && quick_eight(at + 2) != first) || quick_eight(at + 10) < quick_eight(at + 2))
        return false;
    q->begin = offset;
    q->chunk_last = quick_eight(at + 10);
    q->at = HEADER_BYTES;
    return true;
}

bool o2_quick_open(struct o2_quick *q, const struct o2_trace *t, uint32_t thread)
{
    o2_quick_close(q);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    return false;
#endif
    /* Mappings and clocks of the location's own are the library's business. */
    if (t->size[thread] == UINT64_MAX || t->mapped[thread] || t->event_chunk <= HEADER_BYTES)
        return false;
    q->fd = prvcut_io_open(o2_event_path(q->path, sizeof q->path, t, thread), O_RDONLY, 0);
    if (q->fd < 0)
        return false;
    q->size = t->size[thread];
    q->chunk = t->event_chunk;
    q->base = 0;
    q->count = 0;
    q->time = 0;
    q->events = 0;
    return quick_enter_chunk(q, 0, 1);
}

bool o2_quick_seek(struct o2_quick *q, const struct o2_mark *mark)
{
    if (mark->offset == 0 || !quick_enter_chunk(q, mark->offset / q->chunk * q->chunk, 0) ||
        mark->event > q->chunk_last || !quick_fill(q, mark->offset))
        return false;
    q->time = mark->time;
    q->events = mark->event - 1;
    return true;
}

uint64_t o2_quick_events(const struct o2_quick *q)
{
    return q->events;
}

uint64_t o2_quick_offset(const struct o2_quick *q)
{
    return q->base + q->at;
}

/* --- Records ------------------------------------------------------------------------------ */

/* A record's numbers, one after the other. */
struct fields {
    const unsigned char *at;
    bool bad;
};

static inline uint64_t quick_number(struct fields *f, unsigned most, uint64_t undefined)
{
    const unsigned bytes = f->at[0];
    uint64_t n;

    if (bytes > most) {
        f->bad = f->bad || bytes != 0xff;
        f->at++;
        return undefined;
    }
    n = bytes == 0 ? 0 : quick_eight(f->at + 1) & (UINT64_MAX >> (64 - 8 * bytes));
    f->at += bytes + 1;
    return n;
}

static inline uint32_t quick_number_32(struct fields *f)
{
    return (uint32_t)quick_number(f, 4, UINT32_MAX);
}

static inline uint64_t quick_number_64(struct fields *f)
{
    return quick_number(f, 8, UINT64_MAX);
}

/* A record that is one number: its length is the number's. */
static inline uint64_t quick_alone(const unsigned char *at)
{
    const unsigned bytes = at[1];

    return bytes == 0 ? 0 : quick_eight(at + 2) & (UINT64_MAX >> (64 - 8 * bytes));
}

static inline void quick_message(struct o2_event *e, struct fields *f, bool request)
{
    e->rank = quick_number_32(f);
    e->comm = quick_number_32(f);
    e->tag = quick_number_32(f);
    e->length = quick_number_64(f);
    if (request)
        e->request = quick_number_64(f);
}

static bool quick_program(struct o2_quick *q, struct o2_event *e, struct fields *f,
                          const unsigned char *next)
{
    e->name = quick_number_32(f);
    e->arguments = quick_number_32(f);
    e->argument = q->argument;
    if (e->arguments > ARGUMENTS)
        return false;
    for (uint32_t i = 0; i < e->arguments && f->at < next; i++)
        q->argument[i] = quick_number_32(f);
    return f->at == next;
}

/* Kinds of which there are few. */
static bool quick_other(struct o2_quick *q, struct o2_event *e, struct fields *f,
                        const unsigned char *at, const unsigned char *next)
{
    switch (at[0]) {
    case O2_EVENT_COLLECTIVE_END:
        e->op = at[2];
        f->at++;
        e->comm = quick_number_32(f);
        e->rank = quick_number_32(f);
        e->sent = quick_number_64(f);
        e->received = quick_number_64(f);
        return at[1] > 0;
    case O2_EVENT_PROGRAM_BEGIN:
        return quick_program(q, e, f, next);
    case O2_EVENT_PROGRAM_END:
        e->number = 0;
        return true;
    case O2_EVENT_THREAD_BEGIN:
    case O2_EVENT_THREAD_END:
        e->comm = quick_number_32(f);
        e->sequence = quick_number_64(f);
        return true;
    default:
        return false;
    }
}

/* What an event says; false: it is for the library. */
static inline bool quick_decode(struct o2_quick *q, struct o2_event *e, const unsigned char *at,
                                const unsigned char *next)
{
    struct fields f = { at + 2, false };

    switch (at[0]) {
    case O2_EVENT_ENTER:
    case O2_EVENT_LEAVE:
        if (at[1] > 4)
            return false;
        e->region = (OTF2_RegionRef)quick_alone(at);
        return true;
    case O2_EVENT_ISEND_COMPLETE:
    case O2_EVENT_RECEIVE_REQUEST:
        if (at[1] > 8)
            return false;
        e->request = quick_alone(at);
        return true;
    case O2_EVENT_COLLECTIVE_BEGIN:
        return true;
    case O2_EVENT_SEND:
    case O2_EVENT_RECEIVE:
        quick_message(e, &f, false);
        break;
    case O2_EVENT_ISEND:
    case O2_EVENT_IRECEIVE:
        quick_message(e, &f, true);
        break;
    default:
        if (!quick_other(q, e, &f, at, next))
            return false;
    }
    return !f.bad && f.at <= next;
}

/* What is done with a kind. */
enum way { WAY_STOP, WAY_PASS, WAY_TELL };

/* Records of the known kinds are looked at whoever wants them: they may be damaged. */
static void quick_ways_of(uint8_t way[O2_EVENT_KINDS], const struct o2_event_calls *c)
{
    static const uint8_t known[] = {
        O2_EVENT_ENTER,          O2_EVENT_LEAVE,          O2_EVENT_SEND,
        O2_EVENT_ISEND,          O2_EVENT_ISEND_COMPLETE, O2_EVENT_RECEIVE_REQUEST,
        O2_EVENT_RECEIVE,        O2_EVENT_IRECEIVE,       O2_EVENT_COLLECTIVE_BEGIN,
        O2_EVENT_COLLECTIVE_END, O2_EVENT_THREAD_BEGIN,   O2_EVENT_THREAD_END,
        O2_EVENT_PROGRAM_BEGIN,  O2_EVENT_PROGRAM_END,
    };

    for (unsigned i = 0; i < O2_EVENT_KINDS; i++)
        way[i] = i < RECORD_EVENT || c->stop[i] || c->at[i] ? WAY_STOP : WAY_PASS;
    for (size_t i = 0; i < sizeof known; i++)
        way[known[i]] = WAY_TELL;
}

/* The library is to decide, but where the file is over it would go round in circles. */
static enum o2_quick_end quick_stopped(const struct o2_quick *q, const unsigned char *next)
{
    return next > q->bytes + q->count && q->base + q->count >= q->size ? O2_QUICK_SHORT
                                                                       : O2_QUICK_STOPPED;
}

/* What is no event: the end of the chunk or of the file. */
static enum o2_quick_end quick_between(struct o2_quick *q)
{
    const unsigned char *at = q->bytes + q->at;

    if (q->events != q->chunk_last)
        return quick_stopped(q, at + 1);
    if (at[0] == RECORD_END && q->base + q->at + END_BYTES == q->size)
        return O2_QUICK_DONE;
    if (at[0] != RECORD_FILL && q->base + q->at != q->begin + q->chunk)
        return O2_QUICK_STOPPED;
    if (q->begin + q->chunk + HEADER_BYTES > q->size)
        return O2_QUICK_SHORT;
    return quick_enter_chunk(q, q->begin + q->chunk, q->events + 1) ? O2_QUICK_MORE
                                                                    : O2_QUICK_STOPPED;
}

/* It is the next event. */
static inline OTF2_CallbackCode quick_tell(struct o2_quick *q, const struct o2_event_calls *c,
                                           struct o2_event *e, unsigned char kind)
{
    e->time = q->time;
    e->position = ++q->events;
    return c->at[kind] ? c->at[kind](c->user, e) : OTF2_CALLBACK_SUCCESS;
}

enum o2_quick_end o2_quick_read(struct o2_quick *q, const struct o2_event_calls *calls,
                                uint64_t most, uint64_t *count)
{
    const uint64_t begin = q->events;
    enum o2_quick_end end = O2_QUICK_MORE;
    OTF2_CallbackCode told = OTF2_CALLBACK_SUCCESS;
    uint8_t way[O2_EVENT_KINDS];
    struct o2_event e = { 0 };

    quick_ways_of(way, calls);
    while (end == O2_QUICK_MORE && q->events - begin < most) {
        const unsigned char *at, *next;

        if (q->at > q->last && !quick_fill(q, q->base + q->at)) {
            end = O2_QUICK_STOPPED;
            break;
        }
        at = q->bytes + q->at;
        if (at[0] == RECORD_TIME) {
            q->time = quick_eight(at + 1);
            q->at += TIME_BYTES;
            at += TIME_BYTES;
        }
        if (at[0] < RECORD_EVENT) {
            end = quick_between(q);
            continue;
        }
        next = at + 2 + at[1];
        if (at[1] > RECORD_MOST || next > q->bytes + q->count || way[at[0]] == WAY_STOP)
            end = quick_stopped(q, next);
        else if (way[at[0]] == WAY_PASS)
            q->events++;
        else if (!quick_decode(q, &e, at, next))
            end = O2_QUICK_STOPPED;
        else
            told = quick_tell(q, calls, &e, at[0]);
        if (end == O2_QUICK_MORE)
            q->at = (size_t)(next - q->bytes);
        if (told != OTF2_CALLBACK_SUCCESS)
            end = O2_QUICK_INTERRUPTED;
    }
    *count = q->events - begin;
    return end;
}

OTF2_ErrorCode o2_quick_hand_over(OTF2_Reader *r, OTF2_EvtReader *e, uint64_t first,
                                  uint64_t events)
{
    OTF2_ErrorCode code = first > 1 ? OTF2_EvtReader_Seek(e, first) : OTF2_SUCCESS;
    uint64_t count;

    /* Not by going there: in damaged files the library may not find its way. */
    if (code == OTF2_SUCCESS && events >= first)
        code = OTF2_Reader_ReadLocalEvents(r, e, events - first + 1, &count);
    return code;
}
