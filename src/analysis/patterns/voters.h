#ifndef PRVCUT_ANALYSIS_PATTERNS_VOTERS_H
#define PRVCUT_ANALYSIS_PATTERNS_VOTERS_H

#include "analysis/patterns/sequences.h"

/** Most threads that choose what makes calls equal. */
#define PAT_VOTERS 3

/** Which threads choose: the first, the middle and the last of those that make MPI calls, or of all
    where none does. Zeroed: none are known. */
struct pat_voters {
    uint32_t *busy; /**< [busies] threads with calls, ascending; owned */
    size_t busies, room;
    bool mpi; /**< they make MPI calls: those that make none are not among them */
};

/** Note a thread; in the order of their numbers. errors: PRVCUT_ENOMEM */
enum prvcut_status pat_voters_note(struct pat_voters *v, const struct pat_thread *t,
                                   struct prvcut_error *err);
/** Once all are noted: is it one of them? */
bool pat_voters_has(const struct pat_voters *v, uint32_t thread);
void pat_voters_fini(struct pat_voters *v);

#endif
