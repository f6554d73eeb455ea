#ifndef TESTS_REPLAY_H
#define TESTS_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What replaying a cut found; all counts of faults are 0 where it can be replayed. */
struct replay_verdict {
    size_t calls, messages, collectives; /**< that were replayed; collectives: calls of them */
    size_t torn;                         /**< calls that begin before the cut or do not end in it */
    size_t unmatched; /**< calls that lack the message they have in the original (or, without an
                           original, that lack any); messages of which an end is in no call */
    size_t unequal;   /**< collectives that are not the same call on all members, or not on all */
    size_t stuck;     /**< threads that never come to their end */
    size_t left;      /**< messages that nobody takes */
    size_t excused;   /**< of the above kinds, that the original has, too, and messages that seem to
                           arrive before they are sent */
    char first[256];  /**< the first fault in words; "" none */
};

/**
 * Replay a Paraver trace by MPI's rules: the k-th message from one task to another with one tag is
 * taken by the k-th receive that is posted for it; the k-th collective of each member of a
 * communicator is the same one; receives wait for their messages, collectives for all members,
 * sends for nobody. Messages of Paraver do not tell their communicator.
 *
 * shape   cut, original: plain .prv files; original NULL: there is none to compare with. Where the
 *         cut begins in the original is told by its comment, or (a cut that was converted) found
 *         by its calls.
 * errors  false: a file cannot be read; first tells
 */
bool replay_judge(const char *cut, const char *original, struct replay_verdict *out);

/** Is there no fault? */
bool replay_is_whole(const struct replay_verdict *v);

#endif
