#ifndef PRVCUT_OTF_WALK_H
#define PRVCUT_OTF_WALK_H

#include "base/room.h"
#include "model/stack.h"
#include "otf/lines.h"
#include "otf/otf.h"

#include <pthread.h>

/** What can be wrong with an event stream. */
enum otf_fault {
    OTF_FAULT_MISSING,    /**< no file */
    OTF_FAULT_PACKED,     /**< damaged zlib data */
    OTF_FAULT_CUT_SHORT,  /**< the last line has no end */
    OTF_FAULT_RECORD,     /**< a line that is no record */
    OTF_FAULT_NUMBER,     /**< beyond 64 bits, or beyond its field */
    OTF_FAULT_ORDER,      /**< time goes back */
    OTF_FAULT_NO_TIME,    /**< a record before the first time or process */
    OTF_FAULT_PROCESS,    /**< not one of the stream's */
    OTF_FAULT_FUNCTION,   /**< not defined */
    OTF_FAULT_COUNTER,    /**< not defined */
    OTF_FAULT_LEAVE,      /**< of what was not entered */
    OTF_FAULT_OVERLAP,    /**< of another function than the innermost one: no damage */
    OTF_FAULT_EMPTY,      /**< a stream of the master's without a record */
    OTF_FAULT_UNFINISHED, /**< a process that ends inside a function, or does not end */
    OTF_FAULTS
};

/** Which one a record leaves: the innermost with this id, 0: the innermost of all; false: none. */
static inline bool otf_open_find(const struct prvcut_stack *open, uint64_t id, size_t *at)
{
    *at = open->count - 1;
    return id == 0 ? open->count > 0 : prvcut_stack_find_value(open, 0, (int64_t)id, at);
}

struct otf_reading {
    uint64_t value;
    bool seen;
};

/** One process on the way through its stream. */
struct otf_track {
    uint32_t process; /**< its id */
    uint32_t thread;
    bool holder;
    uint64_t shift; /**< ns to be added to its times */
    uint64_t tick;  /**< of its latest record */
    uint64_t step;  /**< ns by which its record comes behind the first one of its tick */
    /** Functions. value: id; note: offset of its enter record, or of the key values that belong to
        it; role: as it is delivered, of an MPI call inside another one that of a user function. */
    struct prvcut_stack open;
    size_t call; /**< depth of the outermost MPI call; 0: in none */
    size_t held; /**< depth of the outermost region that is no computing; 0: in none */
    bool alive;
    uint32_t state;
    uint64_t since, last;        /**< ns: begin of the state; latest record */
    struct otf_reading *counter; /**< [counters of the trace]; NULL: none read yet */
    struct prvcut_event *line;   /**< pairs that wait for others of their line */
    size_t pairs, pair_room;
    bool waiting;         /**< the line ends with a collective's begin, whose data may follow */
    bool begun;           /**< there was a record of its begin, and none of its end */
    uint32_t collectives; /**< begun and not ended */
    uint64_t collective;  /**< offset of the one that is open */
};

/** Records that a batch holds at most. */
#define OTF_BATCH PRVCUT_ROOM((size_t)4096)

struct otf_counts {
    struct prvcut_counts base;
    uint64_t sends, receives;
};

/** Where faults go that are to be listed. */
struct otf_sink {
    void *ctx;
    enum prvcut_status (*note)(void *ctx, enum otf_fault fault, const struct otf_stream *s,
                               uint64_t line, const char *text, struct prvcut_error *err);
};

/** One worker's way through streams, one at a time. */
struct otf_walk {
    struct otf_trace *trace;
    const struct prvcut_consumer *consumer;
    const struct otf_sink *sink; /**< NULL: faults fail, or are skipped if lenient */
    unsigned worker;
    void *part; /**< the consumer's state */
    /** Called between chunks: bytes read from the disk; may stop the walk. */
    enum prvcut_status (*pause)(void *ctx, uint64_t bytes, struct prvcut_error *err);
    void *pause_ctx;
    bool windowed;
    uint64_t from, to; /**< ns */
    /* of the present stream */
    struct otf_stream *stream;
    struct otf_lines lines;
    struct otf_track *track; /**< [members] */
    struct otf_track *now;   /**< current process; NULL: none, or one that is passed over */
    bool chosen;             /**< there was a process line */
    bool timed, backward;    /**< a time was given; it lies before an earlier one */
    uint64_t tick, time;     /**< current one; ns as recorded */
    uint64_t stop;           /**< tick to stop at */
    uint64_t steps;          /**< ns that records of one tick may be spread over; 0: none */
    uint64_t line;
    uint64_t keys;   /**< offset + 1 of key values that wait for their record */
    uint64_t marked; /**< offset of the last mark */
    struct otf_counts counts;
    struct prvcut_event *event; /**< [OTF_BATCH] */
    struct prvcut_state *state;
    struct prvcut_half *half;
    size_t events, states, halves;
};

/** ns of the present record of the current thread, from the trace's start. */
static inline uint64_t otf_walk_time(const struct otf_walk *w, const struct otf_track *t)
{
    return w->time + t->shift + t->step;
}

enum prvcut_status otf_walk_init(struct otf_walk *w, struct prvcut_error *err);
void otf_walk_fini(struct otf_walk *w);

/** Zeroed tracks for w->stream; released with otf_walk_free_tracks. */
enum prvcut_status otf_walk_tracks(struct otf_walk *w, struct prvcut_error *err);
void otf_walk_free_tracks(struct otf_walk *w);

/** Go through one stream; w->counts is what it held. */
enum prvcut_status otf_walk_stream(struct otf_walk *w, struct otf_stream *s,
                                   struct prvcut_error *err);

/** The channel of a message's end or a collective; false: it has none (nobody at the other end). */
static inline bool otf_channel_key(const struct otf_trace *t, uint32_t process,
                                   const struct otf_record *r, struct otf_channel *key)
{
    const uint32_t peer = (uint32_t)r->number;

    if (r->kind == OTF_COLLECTIVE || r->kind == OTF_COLLECTIVE_BEGIN) {
        *key = (struct otf_channel){ .from = process, .comm = r->comm };
        return true;
    }
    *key = (struct otf_channel){ .from = r->kind == OTF_RECEIVE ? peer : process,
                                 .to = r->kind == OTF_RECEIVE ? process : peer,
                                 .comm = otf_channel_comm(t, r->comm),
                                 .tag = r->tag,
                                 .length = t->any_length ? 0 : r->length };
    return peer != 0 && r->number <= UINT32_MAX;
}

/* walk_records.c */

enum prvcut_status otf_walk_record(struct otf_walk *w, const struct otf_record *r, uint64_t offset,
                                   struct prvcut_error *err);
/** Deliver what waits. */
enum prvcut_status otf_walk_line(struct otf_walk *w, struct otf_track *t, struct prvcut_error *err);
/** The thread's present state ends. */
enum prvcut_status otf_walk_state(struct otf_walk *w, struct otf_track *t, uint64_t end,
                                  struct prvcut_error *err);
enum prvcut_status otf_walk_flush(struct otf_walk *w, struct prvcut_error *err);
enum prvcut_status otf_walk_fault(struct otf_walk *w, enum otf_fault fault,
                                  struct prvcut_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* marks.c */

/** Leave a mark at the text's present chunk, if one is due and nothing is half done. */
enum prvcut_status otf_mark_leave(struct otf_walk *w, uint64_t offset, struct prvcut_error *err);
/** The last mark before a tick; NULL: none. */
const struct otf_mark *otf_mark_before(const struct otf_stream *s, uint64_t tick);
/** Start from that mark; *offset 0: from the begin. */
enum prvcut_status otf_mark_enter(struct otf_walk *w, uint64_t tick, uint64_t *offset,
                                  struct prvcut_error *err);

#endif
