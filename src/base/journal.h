#ifndef PRVCUT_BASE_JOURNAL_H
#define PRVCUT_BASE_JOURNAL_H

#include "base/work.h"

/*
 * What a set changes, written down before the first change and removed after the last one: texts,
 * each ended by a zero byte,
 *
 *   "prvcut set 1", then for each entry "entry", whether something stood there (0 or 1), by what
 *   the new one is known, its folder and working folder where these are others than the journal's
 *   own (else empty), its name; "end"
 *
 * or, in the working folder of each other place, "prvcut part 1", the path of the working folder
 * that has the journal, "end".
 */

/** By what a file or folder is known again under another name; a folder's content may change. */
struct prvcut_known {
    char text[128];
};

struct prvcut_known prvcut_known_of(const struct stat *s);

/** One entry of a set. */
struct prvcut_journal_entry {
    const char *name;
    const struct prvcut_work *work; /**< where it is made */
    struct prvcut_known known;      /**< what comes; "": nothing */
    bool stood;                     /**< something is to be set aside */
};

/**
 * Write the journal of a set into its first working folder, and the way to it into the others.
 *
 * shape   work[0]: of the main file; entries in the order in which they come
 */
enum prvcut_status prvcut_journal_write(struct prvcut_work *const *work, size_t works,
                                        const struct prvcut_journal_entry *entry, size_t entries,
                                        struct prvcut_error *err);

/**
 * Put right what processes that live no more left in a folder: a set that was not finished goes,
 * what it was to replace stands there again, and what was under way is removed. What cannot be put
 * right now is left for the next time.
 */
void prvcut_journal_recover(const char *place);

#endif
