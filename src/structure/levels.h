#ifndef PRVCUT_STRUCTURE_LEVELS_H
#define PRVCUT_STRUCTURE_LEVELS_H

#include "structure/divide.h"

/** Levels that are looked for at most. */
#define PRVCUT_LEVELS_MOST 8

/** Where deeper levels are looked for. All is borrowed. */
struct prvcut_levels_input {
    struct prvcut_trace *trace; /**< was scanned */
    const struct prvcut_run *run;
    const struct prvcut_divide_input *top; /**< how the run was divided */
    unsigned levels;                       /**< stop there; 0: where nothing repeats any more */
};

/**
 * Put the regions of a run into order, and divide one iteration of each distinct loop, and so on.
 *
 * The example is an iteration of the loop's longest region: of those with the usual calls and
 * without a mask, the one whose length is nearest to the median. Its calls are known from the first
 * pass, each thread's own iteration; its signals are binned again where the first pass has few bins
 * in it and the trace can be read anywhere.
 *
 * shape   top: moved, and left empty; out: region, regions, levels, loops are set, all else is
 *         left; known: of_region is set, deeper loops are added
 * owns    out->region is released by the caller with the structure, also after a failure
 * errors  those of the reader, PRVCUT_ENOMEM, PRVCUT_EINTERRUPTED
 * source  Casas 3.6: levels by searching inside one iteration again
 */
enum prvcut_status prvcut_levels_find(struct made_structure *out, struct prvcut_known_loops *known,
                                      struct prvcut_division *top,
                                      const struct prvcut_levels_input *in,
                                      struct prvcut_error *err);

#endif
