#ifndef PRVCUT_ANALYSIS_PATTERNS_WITNESS_H
#define PRVCUT_ANALYSIS_PATTERNS_WITNESS_H

#include "analysis/patterns/given.h"
#include "analysis/patterns/see.h"
#include "analysis/patterns/tolerant.h"

/** What a thread's tolerant loop is to the iterations that the structure tells. */
enum pat_stand {
    PAT_STAND_ALONE,   /**< the structure tells none */
    PAT_STAND_AGREES,  /**< about as many iterations */
    PAT_STAND_INNER,   /**< the structure's are those inside of its ramps */
    PAT_STAND_COARSER, /**< each of its iterations is the same number of the structure's */
    PAT_STAND_DIFFERS
};

/** errors: PRVCUT_ENOMEM. loop: one that was found, or that was none but ramps */
enum prvcut_status pat_stand_of(enum pat_stand *out, const struct pat_tolerant *loop,
                                const struct pat_given *given, const struct pat_thread *t,
                                struct prvcut_error *err);

/** Does an exact loop hold so many of a thread's calls that nobody need be asked? */
bool pat_fit_is_strong(const struct pat_fit *exact);

/** Are the structure's iterations of a thread others than its exact loop's, and do they hold
   clearly more of its calls? errors: PRVCUT_ENOMEM */
enum prvcut_status pat_given_holds_more(bool *out, const struct pat_fit *exact,
                                        const struct pat_given *given, const struct pat_thread *t,
                                        struct prvcut_error *err);

/** What the threads that choose came to. Zeroed: none has been heard. */
struct pat_witnesses {
    size_t heard;    /**< threads */
    size_t tolerant; /**< that show a tolerant loop */
    size_t agree, coarser;
    size_t inner; /**< whose loop shows that the structure's is an inner one */
    size_t given; /**< that the structure tells iterations of */
};

/**
 * Where no exact nest shows an outermost loop: is it the tolerant one, the structure's, or none?
 *
 * A tolerant loop may be an inner one, several iterations at a time, or chance. So the structure's
 * stands against it where that is sure; where neither is, it stands if most threads show it, and
 * each of the two confirms the other where one is several of the other, whose iteration it is then.
 *
 * returns PAT_EXACT: none
 */
enum pat_source pat_witnesses_say(const struct pat_witnesses *w, bool asked, bool sure);

#endif
