#ifndef PRVCUT_BASE_PLACE_H
#define PRVCUT_BASE_PLACE_H

#include "base/commit.h"

/** Where an output is written until its set lets it appear. */
struct prvcut_place {
    int fd;
    char *path;                /**< as given, for messages */
    char *name;                /**< of the file that appears; a symbolic link is followed */
    char *temp;                /**< the file that fd writes; NULL: written directly */
    struct prvcut_commit *set; /**< borrowed */
    struct prvcut_work *work;  /**< the set's */
    bool force;
};

/**
 * Create the file to write, in a working folder of the set.
 *
 * shape   "-" is standard output; a device or FIFO is written directly
 * owns    *p is released with prvcut_place_drop, also after a failure
 * errors  PRVCUT_EEXIST: there is a file and force is false; PRVCUT_EIO
 */
enum prvcut_status prvcut_place_open(struct prvcut_place *p, struct prvcut_commit *set,
                                     const char *path, bool force, struct prvcut_error *err);

/** Sync and close; the file joins the set. */
enum prvcut_status prvcut_place_settle(struct prvcut_place *p, struct prvcut_error *err);

/** Close and release all; a file that has not joined is removed with the set's folder. */
void prvcut_place_drop(struct prvcut_place *p);

#endif
