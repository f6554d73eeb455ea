#ifndef PRVCUT_OTF2_WHOLE_H
#define PRVCUT_OTF2_WHOLE_H

#include "base/error.h"

/**
 * Does the file end as files of an archive do that are not compressed? One that is not there does
 * not.
 *
 * errors  PRVCUT_EIO: it cannot be read
 */
enum prvcut_status o2_ends_well(const char *path, bool *well, struct prvcut_error *err);

/**
 * Was a file of an archive written to its end? The library does not tell when a disk is full: what
 * it could not write is missing, and all its calls succeed.
 *
 * shape   folder, name, id, suffix: FOLDER/NAME/ID.evt of one location, or, where suffix is NULL,
 *         FOLDER/NAME.def
 * errors  PRVCUT_EIO: the file is missing or does not end as files do
 */
enum prvcut_status o2_file_whole(const char *folder, const char *name, uint64_t id,
                                 const char *suffix, struct prvcut_error *err);

#endif
