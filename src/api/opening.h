#ifndef PRVCUT_API_OPENING_H
#define PRVCUT_API_OPENING_H

#include "model/trace.h"

/**
 * Open a file and find out its format by content.
 *
 * owns    *source is the caller's; NULL after a failure
 * errors  PRVCUT_ENOTRACE: no built-in format knows it; those of prvcut_source_open
 */
enum prvcut_status prvcut_source_recognise(struct prvcut_source **source,
                                           const struct prvcut_reader **reader, const char *path,
                                           struct prvcut_error *err);

#endif
