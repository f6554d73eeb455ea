#ifndef PRVCUT_CONVERT_OUTER_H
#define PRVCUT_CONVERT_OUTER_H

#include "convert/border.h"
#include "stream/stream.h"

/** A thread's end on the clock of a replay. */
struct cnv_outer_end {
    uint64_t time; /**< ns */
    uint32_t thread;
};

/**
 * Calls and regions as a replay knows them, between the stream and the writer: of MPI calls and
 * flushes of one type that begin inside each other only the first goes on, an end that ends nothing
 * does not, and what is open when its thread ends is ended there.
 */
struct cnv_outer {
    uint64_t *open;            /**< [threads] bits of roles; owned */
    bool headless;             /**< the pair that began the line under way is left out */
    struct cnv_border border;  /**< what is open */
    struct cnv_outer_end *end; /**< [threads] by time; owned; NULL: what is open stays so */
    uint32_t threads, ended;   /**< so many have ended */
    struct prvcut_item *item;  /**< [items]; owned; what went on last */
    size_t items, room;
};

/**
 * clock   when threads end; borrowed for the call
 * owns    o is initialised here, released with cnv_outer_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status cnv_outer_init(struct cnv_outer *o, uint32_t threads,
                                  const struct prvcut_stream_clock *clock,
                                  struct prvcut_error *err);
void cnv_outer_fini(struct cnv_outer *o);

/** Items come by time: what goes on of them is in o->item until the next call. They may be
    changed. errors: PRVCUT_ENOMEM */
enum prvcut_status cnv_outer_items(struct cnv_outer *o, struct prvcut_item *item, size_t count,
                                   struct prvcut_error *err);

/** There are no more: the ends that are left are in o->item. errors: PRVCUT_ENOMEM */
enum prvcut_status cnv_outer_rest(struct cnv_outer *o, struct prvcut_error *err);

#endif
