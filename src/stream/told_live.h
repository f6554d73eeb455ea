#ifndef PRVCUT_STREAM_TOLD_LIVE_H
#define PRVCUT_STREAM_TOLD_LIVE_H

#include "model/pending.h"
#include "stream/flow.h"
#include "stream/told.h"

/* What a reading that is told while it goes on knows of threads and messages (told_live.c). */

/* Parts that are read before the events of the first one are walked, for a message may stand behind
   what its ends are in: Extrae writes it where the last of both calls has ended. (In lu.A.16, with
   0.13 s a part, up to 0.33 s behind.) */
#define LIVE_AHEAD 8

/* What waits to be told. */
enum live_kind { LIVE_BEGIN, LIVE_END, LIVE_ITEM, LIVE_SENT, LIVE_RECEIVED };
struct live_told {
    uint32_t kind;
    uint32_t slot; /* of a message */
    union {
        struct prvcut_stream_call call;
        struct prvcut_item item;
    };
};

/* A message that was read. */
struct live_message {
    struct prvcut_message is;
    uint64_t order;      /* stm_order */
    uint32_t under_way;  /* place of the rest, once an end of it is known */
    uint8_t known, told; /* ends of both */
};

/* One of which an end is known. */
struct live_under_way {
    struct told_end end;
    struct told_message whole;
};

/* Things that come and go: places that are free are used again. */
struct live_places {
    uint32_t *idle; /* [idles] */
    size_t idles, room;
    size_t made;
};

/* Events of a part. */
struct live_part {
    struct stm_small *small; /* [count]; owned */
    size_t count;
};

/* An end of a message. */
struct live_coming {
    uint64_t time;
    uint32_t slot; /* of the message */
    bool receive;
};

struct live_queue {
    struct live_coming *at; /* [count] from `first` on */
    size_t first, count, room;
};

/* A thread, as far as it was read. */
struct live_thread {
    struct told_walk *walk;
    uint64_t time;                   /* ns, of what is at hand */
    struct prvcut_item *now;         /* [nows] at hand, all of that time */
    struct live_queue coming;        /* ends of messages, the earliest first */
    struct prvcut_pending late;      /* those that come before many that were read before */
    struct live_told *row;           /* [rows] from `first` on: what waits to be told */
    struct prvcut_stream_call *past; /* [room_past] the last `ended` ones, in turn */
    uint64_t ended;
    size_t nows, now_room, first, rows, row_room;
};

struct told_live {
    struct told *told;
    struct live_thread *thread; /* [threads] */
    uint32_t threads;
    struct live_thread *at; /* the one that is walked */
    size_t past;            /* calls that are kept of each */
    struct live_message *message;
    struct live_under_way *under_way;
    struct live_places messages, under_ways;
    size_t message_room, under_way_room;
    size_t waiting;                     /* in all rows */
    struct live_part ahead[LIVE_AHEAD]; /* in turn */
    uint64_t parts;
    struct prvcut_item *spare;
    size_t spare_room;
    bool given_up;
};

static inline uint32_t live_place(struct live_places *p)
{
    return p->idles > 0 ? p->idle[--p->idles] : (uint32_t)p->made++;
}

/** Tell all of a thread that does not wait for another one (told_live_rows.c). */
enum prvcut_status live_go_on(struct told_live *l, struct live_thread *t, struct prvcut_error *err);

/* Ends of messages that a thread has not come to (told_live_ends.c). */
enum prvcut_status live_await(struct told_live *l, struct live_thread *t,
                              const struct live_coming *c, struct prvcut_error *err);
/** When the next one comes; PRVCUT_NEVER: there is none. */
uint64_t live_when(const struct live_thread *t);
/** Take it; there is one. */
struct live_coming live_next(struct told_live *l, struct live_thread *t);

#endif
