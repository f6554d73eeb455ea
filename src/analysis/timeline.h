#ifndef PRVCUT_ANALYSIS_TIMELINE_H
#define PRVCUT_ANALYSIS_TIMELINE_H

#include "pass/pass.h"

/** A state (or a call) as the timeline shows it. */
struct prvcut_timeline_state {
    char *name; /**< owned */
    int32_t
        colour;  /**< 0xRRGGBB: the trace's own, else that of Extrae, else one of a fixed table */
    uint64_t ns; /**< over all threads in the window */
};

struct prvcut_timeline_message {
    uint32_t from, to;      /**< rows */
    uint64_t send, receive; /**< ns, the trace's time */
    uint64_t size;          /**< bytes */
};

#define PRVCUT_TIMELINE_FULL 254

/** What threads did in a window, drawn on a grid. */
struct prvcut_timeline {
    struct prvcut_span span; /**< the hull of the window */
    uint32_t rows, columns;
    /** [rows] dense 0-based; where there are more threads than rows, a fair sample; owned */
    uint32_t *thread;
    char **name;           /**< [rows] as the trace names them, else "1.4.1"; owned */
    uint32_t (*object)[4]; /**< [rows] application, task and thread, from 1; rank, from 0, dense
                                over all applications; owned */
    uint32_t threads;      /**< of the trace */
    /** [rows * columns], row by row: 1 + index of the state that took most of that piece of time
        among states, however little that is; 0: nothing was recorded there, or it lies outside of
        the thread's own window. */
    uint8_t *cell; /**< NULL where rows or columns are 0 */
    /** [rows * columns] how much of that piece of time any state took, PRVCUT_TIMELINE_FULL is all
       of it; owned. Below half of that nothing took most of it: the cell's state is drawn as a
       part. */
    uint8_t *part;
    /** [rows * columns] bit i: in that piece of time state[i] begins; owned. Cells beside each
        other that are of one state are one stretch of it, if it begins in none but the first. */
    uint32_t *begins;
    struct prvcut_timeline_state *state; /**< [states], the longest first; at most 32, the last one
                                            may be "others" */
    size_t states;
    uint64_t *ns; /**< [rows * states] of each row in each state; owned; exact unless a column is
                       longer than 0.26 s */
    struct prvcut_timeline_message *message; /**< [messages] between rows that are shown, by time;
                                                  owned */
    size_t messages;
    uint64_t messages_seen; /**< beyond the room a fair sample is kept */
};

struct prvcut_timeline_room {
    uint32_t rows, columns; /**< at most; >= 1 */
    size_t messages;        /**< at most */
    bool calls;             /**< draw calls, states only where there are none; not the other way */
};

/**
 * Read what happened in a window; only the blocks that can touch it (needs an earlier scan). The
 * result is the same for any number of workers.
 *
 * Where the trace records no states, or calls are wanted, calls are drawn: the innermost call or
 * region that is open, and "outside calls" between them. Where there are more threads than rows,
 * the first thread of every task is shown and as many others as have room, evenly spread; where
 * there are more tasks than rows, the first threads of evenly spread tasks. Messages lie with both
 * ends in the windows of their threads; those that are told in halves are paired as MPI orders
 * them.
 *
 * shape   window: one span a thread; columns are fewer than the room where the window has fewer ns,
 *         none where it is empty. Memory: 140 bytes x rows x columns at most, the messages, and of
 *         those told in halves 48 MiB at most (beyond, whole channels are left out)
 * owns    out is initialised here, released with prvcut_timeline_fini, also after a failure
 * errors  those of the reader, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_timeline_read(struct prvcut_timeline *out, struct prvcut_trace *t,
                                        const struct prvcut_run *run,
                                        const struct prvcut_window *window,
                                        const struct prvcut_timeline_room *room,
                                        struct prvcut_error *err);

void prvcut_timeline_fini(struct prvcut_timeline *t);

/** What is to be drawn; run and the window's borders are borrowed until it is drawn. */
struct prvcut_timeline_wish {
    const struct prvcut_run *run; /**< of the reading that it listens to: the number of workers */
    struct prvcut_window window;
    struct prvcut_timeline_room room;
};

struct prvcut_timeline_reading;

/**
 * The same while the trace is read for others, too: make it, let its listeners listen to a reading
 * of all of the trace or of what can touch the window, draw it.
 *
 * owns    *out is released with prvcut_timeline_free; timeline is initialised here and the
 * caller's, also after a failure
 */
enum prvcut_status prvcut_timeline_new(struct prvcut_timeline_reading **out,
                                       struct prvcut_timeline *timeline, struct prvcut_trace *t,
                                       const struct prvcut_timeline_wish *wish,
                                       struct prvcut_error *err);

/** Who is to listen: at most two; borrowed until it is drawn. */
size_t prvcut_timeline_listeners(const struct prvcut_timeline_reading *r,
                                 const struct prvcut_listener *const **listener);

/** heard: its listeners were; else, and where one reading does not do, it reads by itself */
enum prvcut_status prvcut_timeline_draw(struct prvcut_timeline_reading *r,
                                        const struct prvcut_run *run, bool heard,
                                        struct prvcut_error *err);

void prvcut_timeline_free(struct prvcut_timeline_reading *r);

#endif
