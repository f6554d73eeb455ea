#ifndef PRVCUT_STRUCTURE_KNOWN_H
#define PRVCUT_STRUCTURE_KNOWN_H

#include "prvcut/structure.h"
#include "structure/loop.h"

/** What is known of a loop beyond its region: what cutting it needs. One a search that found one.
 */
struct prvcut_known_loop {
    struct prvcut_loop loop;
    /** Where the iterations begin on the examined threads; calls.sequences == 0: the calls did not
        tell. */
    struct prvcut_call_loop calls;
    const struct prvcut_call_sequence *sequence; /**< [calls.sequences]; borrowed from `own` or from
                                                    the first pass */
    struct prvcut_call_sequence *own;            /**< [owned]; NULL; owned with their calls */
    size_t owned;
    struct prvcut_signal signal; /**< the leading metric around the loop; at NULL: none; at is owned
                                      where `own_signal` */
    bool own_signal;
    struct prvcut_signal_borders borders; /**< of a signal, where the calls did not tell; owned */
};

/** All of a structure. Zeroed is empty. */
struct prvcut_known_loops {
    struct prvcut_known_loop *at; /**< [count]; owned */
    size_t count, room;
    size_t *of_region; /**< [structure.regions]: index in at; SIZE_MAX: not periodic; owned */
};

void prvcut_known_loops_fini(struct prvcut_known_loops *f);

#endif
