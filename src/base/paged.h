#ifndef PRVCUT_BASE_PAGED_H
#define PRVCUT_BASE_PAGED_H

#include "base/error.h"

/**
 * An array of records of one size that grows at its end and is read and changed anywhere, in
 * bounded memory: pages that do not fit go to a temporary file without a name, and come back when
 * they are wanted. Fast where what is wanted lies near what was wanted before.
 *
 * A failure of the file stays: from then on every record is zeroed, and nothing is kept;
 * prvcut_paged_status tells of it.
 */
struct prvcut_paged;

struct prvcut_paged_options {
    size_t size;         /**< bytes of a record, at most 4096 */
    size_t memory;       /**< bytes for pages; 0: 64 MiB; at least four pages are kept */
    const char *scratch; /**< folder of the temporary file; NULL: $TMPDIR, else /tmp */
    const char *what;    /**< a plural noun, for messages; constant */
};

/** owns: *out is the caller's, released with prvcut_paged_free. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_paged_new(struct prvcut_paged **out,
                                    const struct prvcut_paged_options *options,
                                    struct prvcut_error *err);
/** Release; accepts NULL. */
void prvcut_paged_free(struct prvcut_paged *p);

size_t prvcut_paged_count(const struct prvcut_paged *p);

/** errors: PRVCUT_ENOMEM, PRVCUT_EIO */
enum prvcut_status prvcut_paged_add(struct prvcut_paged *p, const void *record,
                                    struct prvcut_error *err);

/** Record i < count; valid until the next call with this array, whatever that is. */
const void *prvcut_paged_at(struct prvcut_paged *p, size_t i);
/** The same to be changed. */
void *prvcut_paged_change(struct prvcut_paged *p, size_t i);

/** Has all been well so far? errors: PRVCUT_ENOMEM, PRVCUT_EIO */
enum prvcut_status prvcut_paged_status(const struct prvcut_paged *p, struct prvcut_error *err);

#endif
