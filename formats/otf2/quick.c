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
    OTF2_LocationRef location;
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
    q->location = t->defs.location[thread].id;
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

/* What the callback of an event said; anything but these two: it was not called. */
#define TOLD_ON   OTF2_CALLBACK_SUCCESS
#define TOLD_STOP OTF2_CALLBACK_INTERRUPT

/* Is what was read a whole record? If so it is the next event. */
static inline bool quick_whole(struct o2_quick *q, const struct fields *f,
                               const unsigned char *next)
{
    if (f->bad || f->at > next)
        return false;
    q->events++;
    return true;
}

/* An event of a kind that is handed over; false: not a record as it should be. */
#define TELL(callback, ...)                                                                        \
    (quick_whole(q, &f, next) &&                                                                   \
     ((*told = c->callback                                                                         \
                   ? c->callback(q->location, q->time, q->events, c->user, NULL, __VA_ARGS__)      \
                   : TOLD_ON),                                                                     \
      true))

static bool quick_tell_message(struct o2_quick *q, const struct o2_event_calls *c,
                               const unsigned char *at, const unsigned char *next,
                               OTF2_CallbackCode *told)
{
    struct fields f = { at + 2, false };
    const uint32_t rank = quick_number_32(&f), comm = quick_number_32(&f),
                   tag = quick_number_32(&f);
    const uint64_t size = quick_number_64(&f);
    uint64_t request;

    if (at[0] == O2_BYTE_SEND)
        return TELL(send, rank, comm, tag, size);
    if (at[0] == O2_BYTE_RECEIVE)
        return TELL(receive, rank, comm, tag, size);
    request = quick_number_64(&f);
    if (at[0] == O2_BYTE_ISEND)
        return TELL(isend, rank, comm, tag, size, request);
    return TELL(ireceive, rank, comm, tag, size, request);
}

static bool quick_tell_collective(struct o2_quick *q, const struct o2_event_calls *c,
                                  const unsigned char *at, const unsigned char *next,
                                  OTF2_CallbackCode *told)
{
    struct fields f = { at + 3, false };
    const uint32_t comm = quick_number_32(&f), root = quick_number_32(&f);
    const uint64_t sent = quick_number_64(&f), received = quick_number_64(&f);

    return TELL(collective_end, at[2], comm, root, sent, received);
}

static bool quick_tell_program(struct o2_quick *q, const struct o2_event_calls *c,
                               const unsigned char *at, const unsigned char *next,
                               OTF2_CallbackCode *told)
{
    OTF2_StringRef argument[ARGUMENTS];
    struct fields f = { at + 2, false };
    const uint32_t name = quick_number_32(&f), count = quick_number_32(&f);

    if (count > ARGUMENTS)
        return false;
    for (uint32_t i = 0; i < count && f.at < next; i++)
        argument[i] = quick_number_32(&f);
    return f.at == next && TELL(program_begin, name, count, argument);
}

/* Kinds of which there are few. */
static bool quick_tell_other(struct o2_quick *q, const struct o2_event_calls *c,
                             const unsigned char *at, const unsigned char *next,
                             OTF2_CallbackCode *told)
{
    struct fields f = { at + 2, false };
    uint32_t contingent;
    uint64_t sequence;

    switch (at[0]) {
    case O2_BYTE_PROGRAM_BEGIN:
        return quick_tell_program(q, c, at, next, told);
    case O2_BYTE_PROGRAM_END:
        return TELL(program_end, 0);
    case O2_BYTE_THREAD_BEGIN:
    case O2_BYTE_THREAD_END:
        contingent = quick_number_32(&f);
        sequence = quick_number_64(&f);
        return at[0] == O2_BYTE_THREAD_BEGIN ? TELL(thread_begin, contingent, sequence)
                                             : TELL(thread_end, contingent, sequence);
    default:
        return false;
    }
}

/* A record that is one number: its length is the number's. */
static inline uint64_t quick_alone(const unsigned char *at)
{
    const unsigned bytes = at[1];

    return bytes == 0 ? 0 : quick_eight(at + 2) & (UINT64_MAX >> (64 - 8 * bytes));
}

/* Tell of an event; false: it is for the library. */
static inline bool quick_tell(struct o2_quick *q, const struct o2_event_calls *c,
                              const unsigned char *at, const unsigned char *next,
                              OTF2_CallbackCode *told)
{
    const struct fields f = { next, false };

    switch (at[0]) {
    case O2_BYTE_ENTER:
        return at[1] <= 4 && TELL(enter, (OTF2_RegionRef)quick_alone(at));
    case O2_BYTE_LEAVE:
        return at[1] <= 4 && TELL(leave, (OTF2_RegionRef)quick_alone(at));
    case O2_BYTE_ISEND_COMPLETE:
        return at[1] <= 8 && TELL(isend_complete, quick_alone(at));
    case O2_BYTE_RECEIVE_REQUEST:
        return at[1] <= 8 && TELL(receive_request, quick_alone(at));
    case O2_BYTE_COLLECTIVE_BEGIN:
        q->events++;
        if (c->collective_begin)
            *told = c->collective_begin(q->location, q->time, q->events, c->user, NULL);
        return true;
    case O2_BYTE_SEND:
    case O2_BYTE_ISEND:
    case O2_BYTE_RECEIVE:
    case O2_BYTE_IRECEIVE:
        return quick_tell_message(q, c, at, next, told);
    case O2_BYTE_COLLECTIVE_END:
        return at[1] > 0 && quick_tell_collective(q, c, at, next, told);
    default:
        return quick_tell_other(q, c, at, next, told);
    }
}

/* What is done with a kind. */
enum way { WAY_STOP, WAY_PASS, WAY_TELL };

/* Records of the known kinds are looked at whoever wants them: they may be damaged. */
static void quick_ways_of(uint8_t way[256], const struct o2_event_calls *c)
{
    static const uint8_t known[] = {
        O2_BYTE_ENTER,          O2_BYTE_LEAVE,          O2_BYTE_SEND,
        O2_BYTE_ISEND,          O2_BYTE_ISEND_COMPLETE, O2_BYTE_RECEIVE_REQUEST,
        O2_BYTE_RECEIVE,        O2_BYTE_IRECEIVE,       O2_BYTE_COLLECTIVE_BEGIN,
        O2_BYTE_COLLECTIVE_END, O2_BYTE_THREAD_BEGIN,   O2_BYTE_THREAD_END,
        O2_BYTE_PROGRAM_BEGIN,  O2_BYTE_PROGRAM_END,
    };

    const bool library[256] = {
        [O2_BYTE_FLUSH] = c->flush != NULL,
        [O2_BYTE_ON_OFF] = c->on_off != NULL,
        [O2_BYTE_METRIC] = c->metric != NULL,
        [O2_BYTE_PARAMETER_TEXT] = c->parameter_text != NULL,
        [O2_BYTE_PARAMETER_NUMBER] = c->parameter_number != NULL,
        [O2_BYTE_PARAMETER_UNSIGNED] = c->parameter_unsigned != NULL,
        [O2_BYTE_CONTEXT_ENTER] = c->context_enter != NULL,
        [O2_BYTE_CONTEXT_LEAVE] = c->context_leave != NULL,
        [O2_BYTE_COLLECTIVE_STARTED] = c->collective_started != NULL,
        [O2_BYTE_COLLECTIVE_COMPLETED] = c->collective_completed != NULL,
    };

    for (unsigned i = 0; i < 256; i++)
        way[i] = i < RECORD_EVENT || c->stop[i] || library[i] ? WAY_STOP : WAY_PASS;
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

enum o2_quick_end o2_quick_read(struct o2_quick *q, const struct o2_event_calls *calls,
                                uint64_t most, uint64_t *count)
{
    const uint64_t begin = q->events;
    enum o2_quick_end end = O2_QUICK_MORE;
    OTF2_CallbackCode told = TOLD_ON;
    uint8_t way[256];

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
        else if (!quick_tell(q, calls, at, next, &told))
            end = O2_QUICK_STOPPED;
        if (end == O2_QUICK_MORE)
            q->at = (size_t)(next - q->bytes);
        if (told != TOLD_ON)
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
