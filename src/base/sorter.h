#ifndef PRVCUT_BASE_SORTER_H
#define PRVCUT_BASE_SORTER_H

#include "base/error.h"

/**
 * Sorts any number of records of one size in bounded memory; what does not fit goes to temporary
 * files that have no name (removed as soon as they are made).
 */
struct prvcut_sorter;

struct prvcut_sorter_options {
    size_t size; /**< bytes of a record */
    /** < 0, 0, > 0; a total order, so that the outcome does not depend on who adds what when */
    int (*compare)(const void *a, const void *b);
    /** Optional: records of a lower group come before all of a higher one, whatever compare says;
        saves comparisons where threads are interleaved. < groups */
    uint32_t (*group)(const void *record);
    uint32_t groups;
    size_t memory;       /**< bytes, for all feeds together; 0 = 64 MiB */
    const char *scratch; /**< folder of the temporary files; NULL: $TMPDIR, else /tmp */
    unsigned feeds;      /**< that add at the same time, each its own, >= 1 */
    /** Asked before each block that is merged or handed out; true: PRVCUT_EINTERRUPTED. May be
     * NULL. */
    bool (*stop)(void *ctx);
    void *stop_ctx;
};

/** owns: *out is the caller's, released with prvcut_sorter_free. */
enum prvcut_status prvcut_sorter_new(struct prvcut_sorter **out,
                                     const struct prvcut_sorter_options *options,
                                     struct prvcut_error *err);

void prvcut_sorter_free(struct prvcut_sorter *s);

/** Add records; from several threads at once, each with a feed of its own (< feeds). */
enum prvcut_status prvcut_sorter_add(struct prvcut_sorter *s, unsigned feed, const void *record,
                                     size_t count, struct prvcut_error *err);

/** Records that were added; once all of them were. */
uint64_t prvcut_sorter_count(const struct prvcut_sorter *s);

/**
 * All has been added.
 *
 * errors  PRVCUT_EINTERRUPTED where the caller's stop says so; PRVCUT_EIO, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_sorter_finish(struct prvcut_sorter *s, struct prvcut_error *err);

/**
 * The next records in order.
 *
 * shape   out holds room records; *got > 0
 * errors  PRVCUT_END with *got == 0 when all are through; PRVCUT_EINTERRUPTED; PRVCUT_EIO
 */
enum prvcut_status prvcut_sorter_next(struct prvcut_sorter *s, void *out, size_t room, size_t *got,
                                      struct prvcut_error *err);

#endif
