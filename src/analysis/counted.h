#ifndef PRVCUT_ANALYSIS_COUNTED_H
#define PRVCUT_ANALYSIS_COUNTED_H

#include "base/bytes.h"
#include "base/rows.h"
#include "model/batch.h"
#include "model/roles.h"

/**
 * What counters counted, each time with the span that it was counted in: from the thread's reading
 * before it, of whatever counter, to its own. Followed in each part of the input by itself; the
 * first reading of a part is told where parts are joined in their order.
 */

/** One counter's reading. */
struct prvcut_counted {
    struct prvcut_span span; /**< ns */
    uint64_t value;
    uint32_t thread;
    uint32_t type; /**< of the event that it was read by */
    uint8_t role;
    bool first; /**< the thread's first: what it counts from is not known, and the span is from 0 */
    bool in_call; /**< as whoever follows it says: it was counted while the thread was in a call */
};

/** When a thread's counters were read, in a part or between parts. */
struct prvcut_counted_read {
    uint64_t last, before; /**< ns, the last instant, and the one before it */
    uint8_t reads;         /**< of these that are known: 0, 1 or 2 */
};

/** The counters of one thread within one part. */
struct prvcut_counted_seen {
    uint64_t first; /**< ns, the first instant at which they were read */
    struct prvcut_counted_read read;
    uint32_t thread;
};

/** A part, zeroed to begin with; its memory is used again. */
struct prvcut_counted_part {
    struct prvcut_counted_seen *seen; /**< [count], in order of first sight */
    size_t count, room;
    struct prvcut_counted *early; /**< [earlies]: of the part's first readings; without spans */
    size_t earlies, early_room;
};

/**
 * Follow an event of PRVCUT_ROLES_COUNTED; w: begun with the part; in_call: as it is to be told.
 *
 * returns PRVCUT_OK: *out is told; PRVCUT_END: it is told when the part is joined
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_counted_step(struct prvcut_rows *w, struct prvcut_counted_part *part,
                                       const struct prvcut_event *e, bool in_call,
                                       struct prvcut_counted *out, struct prvcut_error *err);

/** What the first readings of this part counted; parts come in order. shape: read: [threads] */
enum prvcut_status prvcut_counted_join(
    struct prvcut_counted_read *read, const struct prvcut_counted_part *part,
    enum prvcut_status (*told)(void *ctx, const struct prvcut_counted *c, struct prvcut_error *err),
    void *ctx, struct prvcut_error *err);

/** For another process, and what one sent in place of what was read. shape: read: [threads] */
void prvcut_counted_put(struct prvcut_put *p, const struct prvcut_counted_read *read,
                        uint32_t threads);
void prvcut_counted_get(struct prvcut_get *g, struct prvcut_counted_read *read, uint32_t threads);

void prvcut_counted_part_clear(struct prvcut_counted_part *part);
void prvcut_counted_part_fini(struct prvcut_counted_part *part);

#endif
