#ifndef PRVCUT_STRUCTURE_SIGNAL_SIGHTS_H
#define PRVCUT_STRUCTURE_SIGNAL_SIGHTS_H

#include "structure/loop.h"
#include "structure/parameters.h"

/** A repetition that was followed through one signal; whether it is the outermost is open. */
struct prvcut_signal_sight {
    double mean, median; /**< length of an iteration, ns; the mean leaves long pauses out */
    uint64_t start, end;
    double count;    /**< iterations */
    double strength; /**< 0..1: how well it explains the signal */
    double gain;     /**< how much more alike iterations are than any shorter stretches */
    double inner;    /**< mean length of shorter iterations, ns, whose departures repeat with this
                          one; 0: none */
    double inner_strength;
    bool by_changes;                     /**< followed from change to change instead of over time */
    struct prvcut_signal_borders border; /**< owned */
};

/* Followed candidates, on two axes, and a loop around each. */
enum { PRVCUT_SIGHTS = 40 };

/** All that was seen in one signal. */
struct prvcut_signal_sights {
    struct prvcut_signal_sight at[PRVCUT_SIGHTS];
    size_t count;
    bool thorough; /**< as was asked */
};

/**
 * Follow what repeats in a signal over time. thorough: again over what changes in it, and look for
 * loops around a followed one in the shapes of its iterations, too, which takes about twice as
 * long.
 *
 * owns    out is initialised here, released with prvcut_signal_sights_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_signal_sights_find(struct prvcut_signal_sights *out,
                                             const struct prvcut_signal *in,
                                             const struct prvcut_span *mask, size_t masks,
                                             bool thorough, struct prvcut_error *err);

void prvcut_signal_sights_fini(struct prvcut_signal_sights *s);

/**
 * The outermost loop that several signals show together, and what each says of it.
 *
 * shape   chosen: [signals] which of its sights each stands for: that of the common loop where it
 *         saw it well enough, else its own best; SIZE_MAX: none
 */
void prvcut_signal_sights_choose(size_t *chosen, const struct prvcut_signal_sights *s,
                                 size_t signals, const struct prvcut_parameters *set);

/** A sight as a loop. Borders move from the sight to *borders where that is not NULL. */
void prvcut_signal_sight_tell(struct prvcut_loop *out, struct prvcut_signal_borders *borders,
                              struct prvcut_signal_sights *s, size_t chosen);

#endif
