#ifndef PRVCUT_CONVERT_HOLES_H
#define PRVCUT_CONVERT_HOLES_H

#include "convert/border.h"
#include "model/batch.h"
#include "prvcut/trace.h"
#include "stream/stream.h"

/**
 * Stretches of each thread that are kept of a trace; what lies between them goes. What is
 * open at a border is ended there, and begun again where the next stretch begins; a message stays
 * if both its ends are kept.
 */
struct cnv_holes {
    const struct prvcut_span *span; /**< [first[threads]] thread by thread, ascending, apart */
    const size_t *first;            /**< [threads + 1] */
    uint32_t threads;
};

/** How its items come. */
struct cnv_holes_plan {
    const struct cnv_holes *holes;
    bool by_thread;  /**< thread by thread, else by time */
    uint64_t length; /**< ns: no item lies behind it */
};

/** Which messages stay; h is borrowed. An end alone stays where its own time is kept. */
struct prvcut_stream_choice cnv_holes_choice(const struct cnv_holes *h);

/** The items on their way to the writer, messages as they were chosen. */
struct cnv_holes_walk;

/** owns: *out is released with cnv_holes_walk_free; its holes are borrowed until then */
enum prvcut_status cnv_holes_walk_new(struct cnv_holes_walk **out,
                                      const struct cnv_holes_plan *plan, struct prvcut_error *err);
void cnv_holes_walk_free(struct cnv_holes_walk *w);

/** What items become, in their order: *out is the walk's until the next call. */
enum prvcut_status cnv_holes_items(struct cnv_holes_walk *w, const struct prvcut_item *item,
                                   size_t count, struct prvcut_item **out, size_t *kept,
                                   struct prvcut_error *err);

/** There are no more: the borders that are left. */
enum prvcut_status cnv_holes_end(struct cnv_holes_walk *w, struct prvcut_item **out, size_t *kept,
                                 struct prvcut_error *err);

#endif
