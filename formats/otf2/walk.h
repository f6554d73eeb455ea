#ifndef PRVCUT_OTF2_WALK_H
#define PRVCUT_OTF2_WALK_H

#include "otf2/ids.h"
#include "otf2/otf2.h"

/** What a pass over an archive delivers; shared by its workers. */
struct o2_plan {
    struct o2_trace *trace;
    const struct prvcut_consumer *consumer;
    struct o2_ids region_at; /**< place of a region */
    bool counting;           /**< messages are counted though nobody wants them */
    bool marking;            /**< leave marks behind */
    bool windowed;
    uint64_t from, to; /**< ns, of a window */
    /** Called every so many events; false: stop. */
    bool (*go_on)(void *ctx);
    void *ctx;
};

enum prvcut_status o2_plan_init(struct o2_plan *p, struct prvcut_error *err);
void o2_plan_fini(struct o2_plan *p);

/** What one location held. */
struct o2_walked {
    struct prvcut_counts counts;
    uint64_t unmatched; /**< leaves of regions that are not open */
    uint64_t undefined; /**< records that refer to what is not defined */
};

/** One worker's way through locations, one after the other. */
struct o2_walker;

enum prvcut_status o2_walker_new(struct o2_walker **out, const struct o2_plan *plan,
                                 unsigned worker, struct prvcut_error *err);
void o2_walker_free(struct o2_walker *w);

/**
 * Deliver a location's records, or those around the plan's window, to the consumer.
 *
 * shape   part: the consumer's state; *r: the worker's reader, opened here where it is needed
 * errors  PRVCUT_EFORMAT: damaged; with a lenient trace what follows is left out and counted once
 */
enum prvcut_status o2_walk(struct o2_walker *w, OTF2_Reader **r, uint32_t thread, void *part,
                           struct o2_walked *out, struct prvcut_error *err);

#endif
