#ifndef PRVCUT_API_LOCATE_H
#define PRVCUT_API_LOCATE_H

#include "base/error.h"

/**
 * The main file of what a user named as a trace: the file itself; of a folder the only main file of
 * a trace in it (or one folder below: EZTrace's PROGRAM_trace); of an archive's name without its
 * suffix, or of one of its parts (NAME.def, NAME/0.evt, NAME.1.events), the main file.
 *
 * A name that leads nowhere is handed back as it is: opening it will tell why.
 * owns    *out is the caller's, to be freed
 * errors  PRVCUT_ENOTRACE: a folder with no trace or with several (the text lists them), a Pallas
 *         trace; PRVCUT_EIO; PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_trace_locate(char **out, const char *path, struct prvcut_error *err);

#endif
