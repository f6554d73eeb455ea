#ifndef PRVCUT_STRUCTURE_CALL_WALK_H
#define PRVCUT_STRUCTURE_CALL_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Two iterations of one sequence compared symbol by symbol, at x and y; differences are leapt. */
struct call_walk {
    const uint32_t *kind; /**< [count]: the symbols */
    size_t count;
    size_t x, y;  /**< next symbols to compare; going down, those before x and y */
    bool down;    /**< from the end towards the start */
    size_t reach; /**< symbols left out or put in, after which the two may meet again */

    size_t matched, leaps; /**< out */
};

/** Walk on until x gets to `end`, y leaves the sequence, or a difference is too large to leap. */
void prvcut_call_walk(struct call_walk *w, size_t end);

#endif
