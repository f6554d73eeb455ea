#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_LINES_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_LINES_H

#include "analysis/profile/profile.h"
#include "prvcut/profile.h"

/** All that a thread did in a stretch. */
struct prvcut_profile_line {
    uint64_t running, calls, entered, open;
    uint64_t waits;           /**< ns in the state of waiting, those calls included that are it */
    uint64_t calls_that_wait; /**< ns */
    uint64_t parts, least, most; /**< of calls, as of prvcut_profile_cell */
    uint64_t sent, sent_bytes, received, received_bytes;
    uint64_t waiting; /**< ns, as of prvcut_profile_met */
};

/** The lines of all threads in all stretches. */
struct prvcut_profile_lines {
    const struct prvcut_profile_found *found;
    struct prvcut_profile_line *at; /**< [slots][each]; owned */
    uint32_t each;                  /**< threads; 1: they are not told apart */
    struct prvcut_proof_key *key;   /**< [counters], instructions and cycles first; owned */
    size_t counters;
    uint64_t *count; /**< [slots][each][counters]; owned */
    uint32_t *state; /**< [states_seen] numbers of those that the rest is in, ascending; owned */
    size_t states_seen;
    uint64_t *rest; /**< [slots][each][states_seen] ns; owned */
    bool states;    /**< states that are recorded tell when threads run */
    bool overlap;   /**< set where a row's states and calls are longer than what was recorded */
};

/** owns: *l is initialised here, released with prvcut_profile_lines_fini, also after a failure */
enum prvcut_status prvcut_profile_lines_init(struct prvcut_profile_lines *l,
                                             const struct prvcut_profile_found *f,
                                             struct prvcut_error *err);
void prvcut_profile_lines_fini(struct prvcut_profile_lines *l);

/** Some threads in a stretch; all of them where they are not told apart. */
struct prvcut_profile_who {
    uint32_t slot, first, end; /**< threads, half open */
};

/** How long their windows are. */
uint64_t prvcut_profile_window(const struct prvcut_profile_found *f, struct prvcut_profile_who who);

/** What their rest is: [states_seen + 1], the last one is in no state; false: not told. */
bool prvcut_profile_line_rest(const struct prvcut_profile_lines *l, struct prvcut_profile_who who,
                              uint64_t rest_ns, uint64_t *out);

/** Their row; it names nobody. shape: count: [counters], borrowed by the row */
void prvcut_profile_line_row(struct prvcut_profile_lines *l, struct prvcut_profile_who who,
                             struct prvcut_profile_row *out, uint64_t *count);

#endif
