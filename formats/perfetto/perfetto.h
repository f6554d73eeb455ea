#ifndef PERFETTO_PERFETTO_H
#define PERFETTO_PERFETTO_H

#include "model/view.h"

/** Messages since the innermost region began. */
struct perfetto_tally {
    uint64_t sent, received; /**< messages */
    uint64_t sent_bytes, received_bytes;
    int64_t tag;   /**< of the latest one */
    uint32_t peer; /**< thread of the latest one */
};

/** A function on the way to a call, or its line. */
struct perfetto_caller {
    int64_t value;
    uint32_t type;
    bool line;
};

/** digits / 10^decimals */
struct perfetto_number {
    uint64_t digits;
    unsigned decimals;
};

/**
 * A complete event and its place on a track, in microseconds. Readers (speedscope) take a track's
 * first time off all of its times and add the length to that, all of it in doubles: by a rounding
 * error, what ends as the next one begins would overlap with it, and a call would end behind the
 * one around it. So times may have decimals, far below a nanosecond, with which they meet for such
 * readers, too.
 */
struct perfetto_slice {
    struct perfetto_number begin, length;
    uint64_t time; /**< of its begin, ns */
    double from;   /**< where readers have that */
};

/** Slices one after the other and inside each other. */
struct perfetto_track {
    uint64_t first; /**< when the first one began, ns; UINT64_MAX: none yet */
    double past;    /**< where readers have the latest end so far */
};

/** A region that a thread is in; or that has ended, but is not yet written. */
struct perfetto_frame {
    struct prvcut_held_call call;
    struct perfetto_slice slice;
    uint64_t end;
    struct perfetto_tally tally; /**< once it has ended */
    size_t callers;              /**< of the thread, that belong to those around it */
};

/** What a thread is in. */
struct perfetto_thread {
    struct perfetto_frame *frame; /**< [frames]: the outermost first */
    size_t open;                  /**< the others have ended, all at one time */
    size_t frames, frame_room;
    struct perfetto_caller *caller; /**< [callers]: of the frames, one after the other */
    size_t callers, caller_room;
    struct perfetto_tally tally;
    struct perfetto_track calls, states;
    struct perfetto_slice slice; /**< of the state */
    uint32_t state;              /**< its number in the trace */
};

/** A message from its sending on. */
struct perfetto_flow {
    uint64_t number, size;
    int64_t tag;
    uint32_t sender, receiver, communicator;
};

struct perfetto_writing {
    struct prvcut_view view;
    struct perfetto_thread *thread; /**< [threads] */
    struct perfetto_flow *flow;     /**< [flow_room]; under way, or free; place: detail of an end */
    size_t flow_room, flows;
    uint64_t *vacant; /**< [vacants]: free places in `flow` */
    size_t vacants, vacant_room;
    uint64_t *sending; /**< [sendings]: places of those sent at `now`, not yet written */
    size_t sendings, sending_room;
    uint64_t now;
    uint64_t messages;    /**< so far */
    uint64_t first_track; /**< number of the first thread's first track */
    bool any;             /**< an event has been written */
};

/** Text as a JSON string with its quotes; bytes that are no UTF-8 are taken for Latin 1. */
void perfetto_print_string(struct prvcut_print *p, const char *text);

/** Begin an event: its kind, and all the same for `task`. */
void perfetto_print_event(struct perfetto_writing *w, const char *kind, uint32_t task);

/** ,"tid":... of a thread's calls, or of its states. */
void perfetto_print_track(struct perfetto_writing *w, uint32_t thread, bool states);

/** Kind, task, track and time of an event of a thread. */
void perfetto_print_at(struct perfetto_writing *w, const char *kind, uint32_t thread, bool states,
                       uint64_t time);

/** ,"name":...,"cat":... */
void perfetto_print_name(struct perfetto_writing *w, const char *name, const char *category);

/** "key":value of an args object, behind what has to stand between it and the one before. */
void perfetto_print_arg(struct perfetto_writing *w, const char **between, const char *key,
                        int64_t value);

/** Name of a thread; returns out or a text of the dictionary. */
const char *perfetto_thread_text(char *out, size_t room, const struct prvcut_outline *o,
                                 uint32_t thread);

/** Name a track: the calls of a thread, or its states. */
void perfetto_describe_thread(struct perfetto_writing *w, uint32_t thread, bool states);

/** Everything that stands before the first item. */
void perfetto_write_head(struct perfetto_writing *w);

/** Everything that stands behind the last one. */
void perfetto_write_tail(struct perfetto_writing *w);

/* Complete events (slice.c). */

void perfetto_slice_begin(struct perfetto_track *t, struct perfetto_slice *s, uint64_t time);

/** Slices end in the order of their ends, the inner one first. */
void perfetto_slice_end(struct perfetto_track *t, struct perfetto_slice *s, uint64_t time);

/** Begin the event. */
void perfetto_print_slice(struct perfetto_writing *w, uint32_t thread, bool states,
                          const struct perfetto_slice *s);

/* Calls and functions (calls.c). */

/** A region begins; without memory the print fails. */
void perfetto_calls_begin(struct perfetto_writing *w, const struct prvcut_held_call *call);

/** Does the event tell who called the region that begins at its time? Then it is kept for that. */
bool perfetto_calls_take(struct perfetto_writing *w, const struct prvcut_item *i);

/** The innermost region of a thread ends. */
void perfetto_calls_leave(struct perfetto_writing *w, uint64_t time, uint32_t thread);

/** Write what has ended. */
void perfetto_calls_flush(struct perfetto_writing *w, uint32_t thread);

/** What a region's type belongs to. */
const char *perfetto_category(const struct perfetto_writing *w, uint32_t type);

#endif
