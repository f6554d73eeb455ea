#ifndef PRVCUT_STREAM_TOLD_WALK_H
#define PRVCUT_STREAM_TOLD_WALK_H

#include "follow/part.h"
#include "stream/told.h"

/* What the walk over all records, thread by thread, knows (told_walk.c, told_started.c). */

/* When a receive that is under way was posted. */
struct walk_post {
    uint64_t number; /* of the message: the key */
    struct told_in_call call;
};

/* A send that was started, while it is not known to be complete. */
struct walk_send {
    uint64_t time; /* with the rest up to `end`: the key */
    int64_t tag;
    uint32_t peer, communicator;
    uint64_t nth; /* of several alike */
    struct told_end end;
};

/* A collective that was started, while it is not known to be complete. */
struct walk_started {
    uint64_t request; /* the key */
    struct told_part part;
};

/* What of one is complete in the present call. */
struct walk_completed {
    uint64_t request;
    int64_t sent, received, communicator;
    bool root;
};

/* A type that was open on the present thread. */
struct walk_seen {
    uint64_t type;
};

/* An MPI call inside one of its type, where a type has one value at a time: it ends with that. */
struct walk_inner {
    uint64_t order;
    struct prvcut_stream_call call;
};

struct told_walk {
    struct told *told;
    uint64_t order;
    struct prvcut_follow_thread now; /* the present one; thread PRVCUT_NOBODY before the first;
                                        notes: where each began, in the order of the walk */
    uint32_t role;                   /* of the event that is followed */
    uint64_t last;                   /* ns, of the thread's last record so far */
    struct prvcut_table seen;        /* of walk_seen */
    /* The outermost MPI call, and what waits for its end. */
    bool in_call, before; /* before: it may have begun before the first record */
    bool heard;           /* the thread has begun or ended one */
    struct told_in_call call;
    uint64_t call_begin, call_order; /* ns, also outside the window */
    struct told_part part;           /* of a collective; communicator PRVCUT_NOBODY: not told */
    struct told_end *waiting;        /* [ends] */
    size_t ends, ends_room;
    struct prvcut_table posts;   /* of walk_post */
    struct prvcut_table sends;   /* of walk_send */
    struct prvcut_table started; /* of walk_started */
    bool starts;                 /* the present call does: a request */
    uint64_t request;
    struct walk_completed *completed; /* [completeds] in the present call */
    size_t completeds, completed_room;
    struct walk_inner *inner; /* [inners]; none unless they are wanted */
    size_t inners, inner_room;
};

/** Calls that are inside one of their type (told_inner.c): one begins; what it is in has ended, as
    c says. */
enum prvcut_status told_inner_begins(struct told_walk *w, const struct prvcut_item *i,
                                     struct prvcut_error *err);
enum prvcut_status told_inner_ends(struct told_walk *w, const struct prvcut_stream_call *c,
                                   struct prvcut_error *err);
/** A call is known, and told as far as it is inside; order: where it begins and ends. */
enum prvcut_status told_tell_call(struct told *t, struct prvcut_stream_call c,
                                  const uint64_t order[2], struct prvcut_error *err);

/** Collectives that do not block: the present call starts one; what is complete in it, which has
    ended; what the thread leaves behind. */
enum prvcut_status told_hold_part(struct told_walk *w, struct prvcut_error *err);
enum prvcut_status told_complete_parts(struct told_walk *w, struct prvcut_error *err);
enum prvcut_status told_leave_parts(struct told_walk *w, struct prvcut_error *err);
/** What records tell of them (prvcut_consumer.completions). */
bool told_is_completion(uint32_t type);
enum prvcut_status told_completion(struct told_walk *w, const struct prvcut_item *i,
                                   struct prvcut_error *err);

#endif
