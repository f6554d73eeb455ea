#ifndef PRVCUT_API_MAINS_H
#define PRVCUT_API_MAINS_H

#include "base/error.h"

struct prvcut_format;

/** Bytes of the longest suffix, and a NUL. */
#define PRVCUT_MAIN_SUFFIX 16

/** The i-th of all suffixes that main files have, those of compressions with them, and whose it is:
    .otf2, .otf, .prv, .prv.gz ...; NULL beyond the last. */
const struct prvcut_format *prvcut_main_suffix(char out[PRVCUT_MAIN_SUFFIX], size_t i);

/** What main files are called, to be told: ".otf2, .otf, .prv"; returns out. */
char *prvcut_main_names(char *out, size_t room);

/** What a main file's name says that it is, and the length of its name without the suffix; NULL and
    0: it is none. */
const struct prvcut_format *prvcut_main_format(const char *name, size_t *stem);

/** Length of a main file's name without its suffix; 0: it is none. */
size_t prvcut_main_stem(const char *name);

/** Where names are looked up: on disk, or in an archive. */
struct prvcut_names {
    bool (*has)(const void *ctx, const char *name);
    const void *ctx;
};

/**
 * Is a main file a cut that stands beside what it was cut from: NAME.TAG.prv where there is
 * NAME.prv? Whatever the compression of either.
 *
 * name    with its folder
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_main_is_cut(bool *cut, const char *name, const struct prvcut_names *names,
                                      struct prvcut_error *err);

/** Is there a main file of that stem? The text has room for a suffix behind it, and is changed. */
bool prvcut_main_of_stem(char *text, size_t stem, const struct prvcut_names *names);

#endif
