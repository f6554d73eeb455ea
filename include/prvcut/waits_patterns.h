#ifndef PRVCUT_WAITS_PATTERNS_H
#define PRVCUT_WAITS_PATTERNS_H

#include "prvcut/waits.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Patterns of one's own: what a program finds among calls, messages and collectives beside what
 * this library finds, in metrics of its own. A pattern listens to an event, refines what it is
 * told, and either books what a call lost or publishes an event that others refine.
 */

/** What patterns listen to. Numbered once and for ever; own ones from PRVCUT_WAITS_ON_OWN. */
enum prvcut_waits_event {
    PRVCUT_WAITS_ON_RECEIVED = 0, /**< a message, when its receiver has it; each receiver's in the
                                       order of its time */
    PRVCUT_WAITS_ON_CALL = 1,     /**< a call has ended, and all that it received was told */
    PRVCUT_WAITS_ON_SENT = 2,     /**< a message, on its sender's thread, by a call that waits or
                                       that another one completes */
    PRVCUT_WAITS_ON_LATE_SENDER = 3, /**< compound: call `receive` of a message waited ns */
    PRVCUT_WAITS_ON_COLLECTIVE = 4,  /**< all members are known */
    PRVCUT_WAITS_ON_INIT = 5,        /**< MPI_Init of all ranks */
    PRVCUT_WAITS_ON_FINALIZE = 6,
    PRVCUT_WAITS_ON_LATE_RECEIVER = 7, /**< compound: call `done` of a message waited ns */
    PRVCUT_WAITS_ON_OWN = 1000
};

/** A call. Plain: to be copied and kept; it stays as it is. */
struct prvcut_waits_call {
    struct prvcut_span span; /**< ns */
    uint32_t rank, thread;   /**< both from 0 */
    const char *name;        /**< "MPI_Waitall"; NULL: the trace gives none; valid for the run */
    bool known;              /**< else it is not recorded, and the rest is 0 */
};

/** A message. Plain: to be copied and kept; it stays as it is. */
struct prvcut_waits_message {
    struct prvcut_waits_call send, done;    /**< starts it, completes the send */
    struct prvcut_waits_call post, receive; /**< asks for it, has it */
    uint64_t sent_ns, received_ns;          /**< of the records */
    uint32_t from, to;                      /**< ranks */
};

/** A rank in a collective. A view, which grows at its end; they are reached one by one. */
struct prvcut_waits_member {
    struct prvcut_waits_call call, done; /**< done: completes one that does not block */
    int64_t sent, received;              /**< bytes; -1: not told */
    bool root;
};

/** What a listener is told. A view, which grows at its end; valid during the call. */
struct prvcut_waits_told {
    const struct prvcut_waits_message *message;      /**< NULL: it is about something else */
    const struct prvcut_waits_call *call;            /**< that ended, or that waited; NULL: none */
    const struct prvcut_waits_member *const *member; /**< [members] in the order of their ranks in
                                                         the communicator of a scan, else of all */
    size_t members;
    uint64_t ns;     /**< lost, of a compound event */
    const void *own; /**< of an event of one's own: what who publishes it hands on */
};

struct prvcut_waits_patterns;
struct prvcut_waits_teller; /**< of one run; valid during the listener's call */

/**
 * Told of an event. Everything is told on one thread of the program; what is of one thread of the
 * trace comes in one piece, but that collectives, Init and Finalize come anywhere.
 *
 * errors  what it returns ends the run, if it is below 0; what it writes into err is the run's
 */
typedef enum prvcut_status (*prvcut_waits_listener)(void *ctx, struct prvcut_waits_teller *teller,
                                                    const struct prvcut_waits_told *told,
                                                    struct prvcut_error *err);

/** owns: *out is the caller's, released with prvcut_waits_patterns_free; NULL after a failure. */
PRVCUT_API enum prvcut_status prvcut_waits_patterns_new(struct prvcut_waits_patterns **out,
                                                        struct prvcut_error *err);
/** Release; accepts NULL. No answer that was made with it needs it. */
PRVCUT_API void prvcut_waits_patterns_free(struct prvcut_waits_patterns *p);

/**
 * A metric of one's own. The first one is PRVCUT_WAIT_OWN, the others follow.
 *
 * shape   name: at most 40 small letters, digits and _, none that there is, for JSON and CSV;
 * title: for people; of: a metric that this one is a part of, so that sums leave it out; -1: of
 * none; *out: NULL is valid owns    both texts are copied errors  PRVCUT_EUSAGE: no such name or
 * metric; PRVCUT_ENOMEM
 */
PRVCUT_API enum prvcut_status prvcut_waits_patterns_metric(struct prvcut_waits_patterns *p,
                                                           const char *name, const char *title,
                                                           int of, enum prvcut_wait *out,
                                                           struct prvcut_error *err);

/**
 * Listen to an event, this library's or one's own; after this library's patterns and those that
 * listened before.
 *
 * shape   event: enum prvcut_waits_event, or a number from PRVCUT_WAITS_ON_OWN on
 * errors  PRVCUT_EUSAGE: no such event; PRVCUT_ENOMEM
 */
PRVCUT_API enum prvcut_status prvcut_waits_listen(struct prvcut_waits_patterns *p, int event,
                                                  prvcut_waits_listener listener, void *ctx,
                                                  struct prvcut_error *err);

/**
 * From a listener: tell an event of one's own to all who listen to it, at once: all that the
 * listener was told, with an `own` of its own.
 *
 * shape   own: whatever both know; borrowed for the call
 * errors  PRVCUT_EUSAGE: not an event of one's own; PRVCUT_ELIMIT: events that publish events,
 *         endlessly; the listeners'
 */
PRVCUT_API enum prvcut_status prvcut_waits_publish(struct prvcut_waits_teller *teller, int event,
                                                   const void *own, struct prvcut_error *err);

/**
 * From a listener: a call lost time. What is 0 ns is nothing.
 *
 * shape   call: one that was told, also before; cause: whom it waited for; NULL: nobody alone
 * errors  PRVCUT_EUSAGE: not a metric of one's own, not a call of the trace, more than the call's
 *         time; PRVCUT_EIO
 */
PRVCUT_API enum prvcut_status prvcut_waits_book(struct prvcut_waits_teller *teller,
                                                enum prvcut_wait metric,
                                                const struct prvcut_waits_call *call, uint64_t ns,
                                                const struct prvcut_waits_call *cause,
                                                struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
