#ifndef PRVCUT_CONVERT_OUTER_H
#define PRVCUT_CONVERT_OUTER_H

#include "base/error.h"
#include "model/writer.h"

/**
 * MPI calls and flushes as a replay knows them, between the stream and the writer: of those of one
 * type that begin inside each other only the first goes on, and an end that ends nothing does not.
 */
struct cnv_outer {
    uint64_t *open; /**< [threads] bits of roles; owned */
    bool headless;  /**< the pair that began the line under way is left out */
};

/** owns: released with cnv_outer_fini. errors: PRVCUT_ENOMEM */
enum prvcut_status cnv_outer_init(struct cnv_outer *o, uint32_t threads, struct prvcut_error *err);
void cnv_outer_fini(struct cnv_outer *o);

/** Leave those that go on at the front, in their order; how many they are. Items come by time. */
size_t cnv_outer_items(struct cnv_outer *o, struct prvcut_item *item, size_t count);

#endif
