#ifndef PRVCUT_CONVERT_BORDER_H
#define PRVCUT_CONVERT_BORDER_H

#include "model/stack.h"
#include "model/writer.h"

/** A pair of a line of events that began a region. */
struct cnv_border_pair {
    int64_t value;
    uint32_t type;
    uint8_t role;
    bool head; /**< the first one of its line */
};

/** What is known of one thread at the borders of a window. */
struct cnv_border_thread {
    struct prvcut_stack open; /**< regions; note: where the line stands in pair that began it,
                                   UINT64_MAX: it is not kept */
    struct cnv_border_pair
        *pair; /**< [pairs], the innermost's line last, but for the present one */
    size_t pairs, pair_room;
    size_t line;       /**< where the present line stands in pair */
    bool first;        /**< nothing of it is there */
    uint32_t *counter; /**< [counters] types that were read inside the window */
    size_t counters, counter_room;
    bool begun; /**< the regions open at the start have been begun again */
};

/** The borders of a window, while all items pass in the writer's order. */
struct cnv_border {
    struct cnv_border_thread *thread; /**< [threads] */
    struct prvcut_item *again;        /**< a line that is begun again */
    size_t again_room;
    uint32_t threads;
    uint64_t length; /**< ns, where regions that stay open end */
    bool started;    /**< by time: the first item inside has passed */
};

/** Takes items that borders add. */
struct cnv_sink {
    void *ctx;
    enum prvcut_status (*put)(void *ctx, const struct prvcut_item *item, struct prvcut_error *err);
    /** What goes of a line that is begun again, as it was: [count], borrowed. It may change it, and
        returns how many there are then. NULL: all of it. */
    size_t (*again)(void *ctx, struct prvcut_item *line, size_t count);
};

enum prvcut_status cnv_border_init(struct cnv_border *b, uint32_t threads, uint64_t length,
                                   struct prvcut_error *err);
void cnv_border_fini(struct cnv_border *b);

/** An event from before the window: what its line tells goes with the regions that it begins. */
enum prvcut_status cnv_border_keep(struct cnv_border *b, const struct prvcut_item *e,
                                   struct prvcut_error *err);

/** An event of a region that does not go, whose line is not kept. */
enum prvcut_status cnv_border_before(struct cnv_border *b, const struct prvcut_item *e,
                                     struct prvcut_error *err);

/** Begin again what is open on a thread at the start; once. */
enum prvcut_status cnv_border_begin(struct cnv_border *b, uint32_t thread,
                                    const struct cnv_sink *sink, struct prvcut_error *err);

/** An event inside: follow regions; the first value of a counter had begun before. */
enum prvcut_status cnv_border_event(struct cnv_border *b, struct prvcut_item *e, bool from_start,
                                    struct prvcut_error *err);

/** End what is still open on a thread at the end. */
enum prvcut_status cnv_border_end(struct cnv_border *b, uint32_t thread,
                                  const struct cnv_sink *sink, struct prvcut_error *err);

/** Begin again what is open on a thread at a time in between; counters count anew from there. */
enum prvcut_status cnv_border_reopen(struct cnv_border *b, uint32_t thread, uint64_t time,
                                     const struct cnv_sink *sink, struct prvcut_error *err);

/** End what is open on a thread at a time in between; it stays known. */
enum prvcut_status cnv_border_close(struct cnv_border *b, uint32_t thread, uint64_t time,
                                    const struct cnv_sink *sink, struct prvcut_error *err);

#endif
