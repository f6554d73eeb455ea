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

/** A message from its sending on. */
struct perfetto_flow {
    uint64_t number, size;
    int64_t tag;
    uint32_t sender, receiver, communicator;
};

struct perfetto_writing {
    struct prvcut_view view;
    struct perfetto_tally *tally; /**< [threads] */
    struct perfetto_flow *flow;   /**< [flow_room]; under way, or free; place: detail of an end */
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

/** ,"ts":... in microseconds. */
void perfetto_print_time(struct perfetto_writing *w, uint64_t time);

/** Name of a thread; returns out or a text of the dictionary. */
const char *perfetto_thread_text(char *out, size_t room, const struct prvcut_outline *o,
                                 uint32_t thread);

/** Everything that stands before the first item. */
void perfetto_write_head(struct perfetto_writing *w);

#endif
