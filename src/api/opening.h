#ifndef PRVCUT_API_OPENING_H
#define PRVCUT_API_OPENING_H

#include "model/trace.h"

/**
 * Open a file and find out its format by content; one archive (prvcut/archive.h) is unpacked.
 *
 * owns    *source is the caller's; NULL after a failure. *unpacked is the caller's, to be given to
 *         pack_remove once the source is closed; NULL where nothing was unpacked
 * errors  PRVCUT_ENOTRACE: no built-in format knows it; those of prvcut_source_open, pack_unpack
 */
enum prvcut_status prvcut_source_recognise(struct prvcut_source **source,
                                           const struct prvcut_reader **reader, char **unpacked,
                                           const char *path, struct prvcut_error *err);

/** What outputs made of a trace are named after. */
static inline const char *prvcut_trace_shown(const struct prvcut_trace *t)
{
    return t->shown ? t->shown : t->path;
}

#endif
