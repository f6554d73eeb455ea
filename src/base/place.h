#ifndef PRVCUT_BASE_PLACE_H
#define PRVCUT_BASE_PLACE_H

#include "base/error.h"

/** Where an output is written, and where it stands once it is whole. */
struct prvcut_place {
    int fd;
    char *path;   /**< as given, for messages */
    char *final;  /**< the file that appears; a symbolic link is followed; NULL: written directly */
    char *folder; /**< of final */
    char *temp;   /**< the file that fd writes; NULL when there is none (any more) */
    bool force;
};

/**
 * Create the file to write.
 *
 * shape   "-" is standard output; a device or FIFO is written directly
 * owns    *p is released with prvcut_place_settle or prvcut_place_drop, also after a failure
 * errors  PRVCUT_EEXIST: there is a file and force is false; PRVCUT_EIO
 */
enum prvcut_status prvcut_place_open(struct prvcut_place *p, const char *path, bool force,
                                     struct prvcut_error *err);

/** Sync, close, and give the file its name; on failure the temporary file is left to drop. */
enum prvcut_status prvcut_place_settle(struct prvcut_place *p, struct prvcut_error *err);

/** Remove the temporary file, if there still is one, and release all. */
void prvcut_place_drop(struct prvcut_place *p);

#endif
