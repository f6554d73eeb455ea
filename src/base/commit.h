#ifndef PRVCUT_BASE_COMMIT_H
#define PRVCUT_BASE_COMMIT_H

#include "base/work.h"

/**
 * Files and folders that appear together or not at all, wherever they lie.
 *
 * All are made in working folders (base/work.h) and are whole and on disk before the first one
 * takes its place. What stood there is set aside and brought back if anything fails. The entry that
 * joined last, the main one, is the first to go and the last to come: whoever sees it sees all.
 */
struct prvcut_commit;

/** *out is the caller's, released by prvcut_commit_all or _abandon; NULL after a failure. */
enum prvcut_status prvcut_commit_new(struct prvcut_commit **out, struct prvcut_error *err);

/** prvcut_journal_recover, once for each place. */
void prvcut_commit_recover(const struct prvcut_commit *c, const char *place);

/**
 * The working folder of a place; made for the first entry of it.
 *
 * shape   name, shown: as for prvcut_work_open
 * owns    *out is c's
 */
enum prvcut_status prvcut_commit_work(struct prvcut_commit *c, const char *place, const char *name,
                                      const char *shown, struct prvcut_work **out,
                                      struct prvcut_error *err);

/** What joins a set; all is copied. */
struct prvcut_joining {
    struct prvcut_work *work;
    const char *name;  /**< in the work's place */
    const char *shown; /**< for messages */
    const char *fresh; /**< what comes, on disk as a whole; NULL: nothing, what stands there goes */
    bool force;        /**< replace what stands there */
};

/** PRVCUT_EUSAGE: the set has an entry of that name already. */
enum prvcut_status prvcut_commit_join(struct prvcut_commit *c, const struct prvcut_joining *joining,
                                      struct prvcut_error *err);

/**
 * Let all entries take their places.
 *
 * owns    releases c whatever happens; after a failure nothing of the set is left, and what stood
 *         there before stands there again; where that failed, too, the message tells where it is
 * errors  PRVCUT_EEXIST: without force, something has come to stand there; PRVCUT_EIO
 */
enum prvcut_status prvcut_commit_all(struct prvcut_commit *c, struct prvcut_error *err);

/** Remove all that was made; releases c; needs no memory; accepts NULL. */
void prvcut_commit_abandon(struct prvcut_commit *c);

#endif
