#ifndef PRVCUT_PARAVER_HELD_H
#define PRVCUT_PARAVER_HELD_H

#include "paraver/blocks.h"

/** Blocks that are held, of a mebibyte each. */
#define PRV_HELD 32

/**
 * The blocks of a stream that were read for windows last. A stream goes back by starting again: who
 * reads them once more, as a cut does what its borders were laid by, need not.
 */
struct prv_held {
    struct prv_text block[PRV_HELD];
    unsigned turn;
};

/** NULL: it is not held. */
struct prv_text *prv_held_find(struct prv_held *h, uint64_t number);

/** Hold a copy in place of the oldest; without memory for it nothing is held. */
void prv_held_keep(struct prv_held *h, const struct prv_text *t);

void prv_held_fini(struct prv_held *h);

#endif
