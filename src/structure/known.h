#ifndef PRVCUT_STRUCTURE_KNOWN_H
#define PRVCUT_STRUCTURE_KNOWN_H

#include "prvcut/structure.h"
#include "structure/search.h"

/** What is known of a loop beyond its region: what cutting it needs. One a search that found one,
    or one a part of it where its period changes. */
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
    unsigned number;                      /**< of the loop: the same one is known by one number */
    double confidence;                    /**< NAN: the period was given */
    uint64_t counted_ns;                  /**< iterations behind it are estimated; 0: none are */
    struct prvcut_rounds rounds;          /**< of a loop inside */
    enum prvcut_found_by found_by;
    const char *metric;                                /**< constant: of a signal; else "" */
    uint32_t examined;                                 /**< sequences that hold calls */
    struct prvcut_witness witness[PRVCUT_SIGNALS + 1]; /**< [witnesses]: what was said of it */
    size_t witnesses;
    uint32_t absent; /**< bits of metrics that the trace does not hold */
    bool told;       /**< a region has its votes */
};

/** All of a structure. Zeroed is empty. */
struct prvcut_known_loops {
    struct prvcut_known_loop *at; /**< [count]; owned */
    size_t count, room;
    size_t *of_region; /**< [structure.regions]: index in at; SIZE_MAX: not periodic; owned */
};

/**
 * Add what a search found.
 *
 * owns    the search's calls and borders are moved
 * errors  PRVCUT_ENOMEM, nothing was added
 */
enum prvcut_status prvcut_known_loops_add(struct prvcut_known_loops *k, struct prvcut_search *found,
                                          const struct prvcut_search_input *in,
                                          struct prvcut_error *err);

/**
 * Split a loop in two at an iteration of its leading thread; the second one comes last, with a
 * number of its own still 0. Does nothing where the borders are not known.
 *
 * shape   0 < at < iterations
 */
enum prvcut_status prvcut_known_loops_split(struct prvcut_known_loops *k, size_t which, size_t at,
                                            struct prvcut_error *err);

/**
 * The parts of a loop that follow each other, as one: a cut may reach from one pace into the next.
 * Threads that do not follow all of them have no borders. The median stays that of `of`.
 *
 * shape   of: one of k
 * owns    *out is initialised here, released with prvcut_known_loop_fini, also after a failure; it
 *         borrows sequences and signal from k
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_known_loops_join(struct prvcut_known_loop *out,
                                           const struct prvcut_known_loops *k,
                                           const struct prvcut_known_loop *of,
                                           struct prvcut_error *err);

/** The borders on the thread that leads: of the calls, else of the signal; *borders 0: unknown. */
const uint64_t *prvcut_known_loop_borders(const struct prvcut_known_loop *f, size_t *borders);

/** The sequence that leads: the first that follows the loop; calls.sequences: none. */
size_t prvcut_known_loop_leader(const struct prvcut_known_loop *f);

/** Is it there because its period was given, and by nothing that was seen? */
bool prvcut_known_loop_is_laid(const struct prvcut_known_loop *f);

/**
 * What the witnesses said, for the report: the period is the mean over the span.
 *
 * owns    *vote: allocated here, freed by the caller
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_votes_tell(struct prvcut_vote **vote, size_t *votes,
                                     const struct prvcut_witness *witness, size_t witnesses,
                                     uint32_t absent, struct prvcut_error *err);

/**
 * Let those agree that saw the median length of an iteration, too: a few long iterations move the
 * mean away from what nearly all of them take. It changes what is told, and nothing that was
 * chosen.
 *
 * units   median_ns: of the iterations that no mask touches
 */
void prvcut_votes_agree(struct prvcut_vote *vote, size_t votes, double median_ns,
                        const struct prvcut_parameters *set);

/** The signal that was chosen saw what the loop turned out to be: so many iterations in a span. */
void prvcut_votes_settle(struct prvcut_vote *vote, size_t votes, const struct prvcut_span *span,
                         double iterations);

/** The metrics among those asked that the trace does not hold, as bits; PRVCUT_SIGNALS: the calls.
 */
uint32_t prvcut_search_absent(const struct prvcut_search_input *in);

void prvcut_known_loop_fini(struct prvcut_known_loop *f);
void prvcut_known_loops_fini(struct prvcut_known_loops *f);

#endif
