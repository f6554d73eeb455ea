#ifndef PRVCUT_API_LOCATE_H
#define PRVCUT_API_LOCATE_H

#include "base/error.h"

#include <sys/stat.h>

/**
 * The main file of what a user named as a trace: the file itself; of a folder the only main file of
 * a trace in it (or one folder below: EZTrace's PROGRAM_trace); of an archive's name without its
 * suffix, or of one of its parts (NAME.def, NAME/0.evt, NAME.1.events), the main file.
 *
 * In a folder, NAME.TAG.prv does not count where NAME.prv stands beside it, whatever the
 * compression of either (and so for .otf2 and .otf): cuts stand beside what they were cut from.
 *
 * A name that leads nowhere is handed back as it is: opening it will tell why.
 * owns    *out is the caller's, to be freed
 * errors  PRVCUT_ENOTRACE: a folder with no trace, a Pallas trace; PRVCUT_EUSAGE: a folder with
 *         several (the text lists them); PRVCUT_EIO; PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_trace_locate(char **out, const char *path, struct prvcut_error *err);

/** Does the name end as those of an archive's parts do (.def, .evt, .events.z)? */
bool prvcut_trace_names_part(const char *name);

/**
 * Go through the parts of the archive (OTF2, OTF) whose main file is `main`, but for that file, in
 * the order of the file system: its folder of locations, what is in that, its definitions. What is
 * no archive has none.
 *
 * take     gets a name and what the system tells of it; true: no further ones
 * returns  whether one was taken
 */
bool prvcut_trace_each_part(const char *main,
                            bool (*take)(void *ctx, const char *name, const struct stat *s),
                            void *ctx);

/**
 * Is that file, by device and inode, a part of the archive (OTF2, OTF) whose main file is `main`:
 * its definitions, its folder of locations or one of them? The main file itself is none.
 */
bool prvcut_trace_has_part(const char *main, const struct stat *what);

#endif
