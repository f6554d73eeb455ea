#ifndef PRVCUT_API_ARCHIVE_PLACE_H
#define PRVCUT_API_ARCHIVE_PLACE_H

#include "base/buffer.h"
#include "base/work.h"

/**
 * The name of the folder in an archive: the archive's own without its suffix.
 *
 * owns    *name is the caller's; it ends with a zero byte
 * errors  PRVCUT_EUSAGE: a path without a name; PRVCUT_ENOMEM
 */
enum prvcut_status archive_place_name(struct prvcut_buffer *name, const char *path,
                                      struct prvcut_error *err);

/**
 * A working folder beside an archive, whose fresh/ holds what will be in it; what a process that
 * was killed left there goes first.
 *
 * owns    *work, closed by the caller
 * errors  PRVCUT_EIO, PRVCUT_ENOMEM
 */
enum prvcut_status archive_place_open(struct prvcut_work **work, const char *path,
                                      struct prvcut_error *err);

#endif
