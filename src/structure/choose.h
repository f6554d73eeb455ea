#ifndef PRVCUT_STRUCTURE_CHOOSE_H
#define PRVCUT_STRUCTURE_CHOOSE_H

#include "model/trace.h"
#include "structure/loop.h"
#include "structure/parameters.h"

/** What the choice of representative iterations starts from. */
struct prvcut_choice_input {
    const struct prvcut_loop *loop; /**< the period and its span */
    const struct prvcut_call_loop
        *calls; /**< where iterations begin; NULL: the calls did not tell */
    /** Where a signal's iterations begin; asked where the calls did not tell; may be empty. */
    struct prvcut_signal_borders borders;
    const struct prvcut_signal *signal; /**< to be compared with sine periods; may be absent */
    const struct prvcut_span *mask;     /**< ascending, disjoint */
    size_t masks;
    bool exact; /**< the period was given, and nothing but it tells the borders: they stay near */
    unsigned iterations;       /**< wanted */
    struct prvcut_span within; /**< only iterations that lie there for the most part; end 0:
                                    anywhere in the loop */
    const struct prvcut_parameters *set; /**< NULL: as usual */
};

/** Other places that refinement offers for a border. */
#define PRVCUT_TRIES 6

/** A border's other places: the cheapest of each piece of its freedom, in order of time. */
struct prvcut_tries {
    uint64_t at[PRVCUT_TRIES]; /**< ns */
    unsigned count;
};

/** Some consecutive iterations, and how free their borders are. */
struct prvcut_choice {
    bool found;
    bool clear; /**< no mask falls into the window, on any thread; false where borders are given */
    enum prvcut_chop_why why;                    /**< how it was chosen */
    struct prvcut_span window;                   /**< ns */
    struct prvcut_span left, right;              /**< where each border may be moved without harm */
    struct prvcut_tries other_left, other_right; /**< set by prvcut_choice_refine */
    bool collectives;  /**< refinement saw collective calls around a border */
    double similarity; /**< normalised cross-correlation with that many sine periods; 0..1 */
};

/**
 * Choose representative iterations: in the longest stretch without masks on any
 * thread, else from one first border to another, else anywhere, those most like sine
 * periods and, among near-equals, those whose length is nearest to the median.
 *
 * errors  PRVCUT_ENOMEM; nothing fits is PRVCUT_OK with out->found false
 * source  Casas 3.6.2, equation 3.4
 */
enum prvcut_status prvcut_choose(struct prvcut_choice *out, const struct prvcut_choice_input *in,
                                 struct prvcut_error *err);

/**
 * Take one window as it is given, with the freedom that its borders have; the loop's own borders
 * next to it are taken where they are less than half an iteration away.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_choose_given(struct prvcut_choice *out,
                                       const struct prvcut_choice_input *in,
                                       struct prvcut_span window, struct prvcut_error *err);

/**
 * Move the window's borders, within their freedom, to where they cut the fewest open calls and
 * messages; reads the blocks around both (needs an earlier scan).
 */
enum prvcut_status prvcut_choice_refine(struct prvcut_choice *choice, struct prvcut_trace *t,
                                        const struct prvcut_run *run, struct prvcut_error *err);

#endif
