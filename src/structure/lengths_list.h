#ifndef PRVCUT_STRUCTURE_LENGTHS_LIST_H
#define PRVCUT_STRUCTURE_LENGTHS_LIST_H

#include "structure/lengths.h"

/** Lengths of the iterations that no mask touches. */
struct lengths_list {
    double *at;        /**< [count] ns; owned */
    size_t *iteration; /**< [count]: which; owned */
    size_t count;
};

/** owns out is initialised here, released with prvcut_lengths_drop. errors PRVCUT_ENOMEM */
enum prvcut_status prvcut_lengths_take(struct lengths_list *out, const uint64_t *border,
                                       size_t borders, const struct prvcut_span *mask, size_t masks,
                                       struct prvcut_error *err);

void prvcut_lengths_drop(struct lengths_list *l);

#endif
