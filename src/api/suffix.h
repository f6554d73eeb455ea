#ifndef PRVCUT_API_SUFFIX_H
#define PRVCUT_API_SUFFIX_H

#include "base/error.h"
#include "model/format.h"

#include <stdbool.h>
#include <stddef.h>

/** Of an index, which is no format's. */
#define INDEX_SUFFIX ".prvx"

/** What a name says that a file is. */
struct prvcut_suffix {
    const char *suffix; /**< ".prv", before that of a compression; NULL: none that is known */
    const char *what;   /**< "a Paraver trace" */
    const struct prvcut_format *format; /**< whose main files are called so; NULL: it is none */
    bool packs;                         /**< may have .gz or .zst behind it */
    const char *hint;                   /**< to whoever names another trace's format; NULL: none */
};

/** A name taken apart. */
struct prvcut_named {
    struct prvcut_suffix suffix;
    size_t stem;        /**< bytes before it */
    const char *packed; /**< ".gz", ".zst" or "" behind it; points into the name */
};

struct prvcut_named prvcut_suffix_of(const char *path);

/** The one with these letters. */
struct prvcut_suffix prvcut_suffix_find(const char *suffix);

/** "-", a device, a pipe, a folder: a name that is taken as it is. */
bool prvcut_suffix_is_moot(const char *path);

/**
 * A path with the suffix that it must have: added where it has none that is known.
 *
 * shape   compression: ".gz", ".zst" or "", for a suffix that is added
 * owns    *out, freed by the caller
 * errors  PRVCUT_EUSAGE: another suffix; PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_suffix_settle(char **out, const struct prvcut_suffix *wanted,
                                        const char *path, const char *compression,
                                        struct prvcut_error *err);

#endif
