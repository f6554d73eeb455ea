#ifndef PRVCUT_STRUCTURE_DIVIDE_H
#define PRVCUT_STRUCTURE_DIVIDE_H

#include "model/made.h"
#include "structure/known.h"
#include "structure/mask.h"

/** What is to be divided: the run, or one iteration. */
struct prvcut_divide_input {
    struct prvcut_search_input where; /**< its masks are those of the division, too */
    const struct prvcut_masks *masks; /**< tell the causes */
    struct prvcut_trace *trace;       /**< calls that were cut short are followed there; or NULL */
    unsigned level;                   /**< of the regions */
    uint64_t useful; /**< iterations in a row that are wanted; masks that leave fewer everywhere
                          do not divide a loop */
};

/** The pieces in order of time. Zeroed is empty. */
struct prvcut_division {
    struct made_region *region; /**< [regions]; owned, with what is theirs */
    size_t *loop;               /**< [regions]: index into the known loops; SIZE_MAX; owned */
    size_t regions, room, loop_room;
    struct prvcut_stretch *stretch; /**< [stretches]; owned, with what is theirs */
    size_t stretches, stretch_room;
};

/**
 * Divide a stretch, given its main loop: regions of that loop between masks, then the stretches
 * before, between and after searched again.
 *
 * A periodic region holds whole iterations that no mask touches. What is left of the iterations
 * that a mask touches belongs to the masked region, and so do pieces of less than an iteration
 * between two masks. Where a loop's period changes for good, both sides are searched again by
 * themselves, and make regions of their own. Regions whose calls are the same (or whose periods,
 * where the calls do not tell), at periods not too far apart, are one loop with one number. Of what
 * is neither periodic nor masked, the pieces before the first periodic region are
 * "initialisation", those after the last "end", others "aperiodic"; two pieces in a row are never
 * both of one of these kinds, nor both masked. Work is bounded: a stretch is
 * searched again where it is at least 3 % of the whole, or 6 periods of the loop beside it; at most
 * 24 searches altogether.
 *
 * shape   first: the search of the whole stretch; what is found is added to known; loops: numbers
 *         given so far, counted on. number, parent and vote of the regions are left to the caller
 * owns    out is initialised here, released with prvcut_division_fini, also after a failure;
 *         first's calls and borders are moved
 * errors  PRVCUT_ENOMEM, PRVCUT_EINTERRUPTED
 * source  Casas 3.6: phases, periodic regions, the same phase found again after a flush
 */
enum prvcut_status prvcut_divide(struct prvcut_division *out, struct prvcut_known_loops *known,
                                 const struct prvcut_divide_input *in, struct prvcut_search *first,
                                 const struct prvcut_run *run, struct prvcut_error *err);

void prvcut_division_fini(struct prvcut_division *d);

/**
 * Is a loop that was found beside others, or inside an iteration, to be believed? It must have this
 * share of the time searched; where it takes little of that, it must be surer than one of the whole
 * run. Neighbouring iterations must be about equally long, unless all that is known of their calls
 * repeats. Where threads make calls that do not repeat, signals alone must be surer still.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_search_believe(bool *believed, const struct prvcut_search *s,
                                         const struct prvcut_search_input *in, double share,
                                         struct prvcut_error *err);

/** Release what a region owns. */
void prvcut_region_fini(struct made_region *r);

/** Release stretches, with what is theirs. */
void prvcut_stretches_free(struct prvcut_stretch *stretch, size_t stretches);

#endif
