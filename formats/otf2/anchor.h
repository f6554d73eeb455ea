#ifndef PRVCUT_OTF2_ANCHOR_H
#define PRVCUT_OTF2_ANCHOR_H

#include "base/error.h"
#include "prvcut/trace.h"

#include <otf2/otf2.h>

/**
 * Look at an anchor's numbers before the library does: it believes them, and does not come back
 * from wrong ones for hours.
 *
 * shape   stem: path of the archive's other files, without suffix
 * errors  PRVCUT_EFORMAT, PRVCUT_EIO
 */
enum prvcut_status o2_anchor_check(const char *path, const char *stem, struct prvcut_error *err);

/**
 * The whole of an anchor, and the offset of the eight bytes that identify the archive.
 *
 * owns    *bytes is the caller's, from malloc
 * errors  PRVCUT_EFORMAT: it has no such bytes; PRVCUT_EIO
 */
enum prvcut_status o2_anchor_identifier(const char *path, char **bytes, size_t *count, size_t *at,
                                        struct prvcut_error *err);

/** What an anchor that is being written should say. */
struct o2_anchor_words {
    char *text[3]; /**< machine, creator, description; "" where there is none */
    uint32_t properties;
};

/** Ask an archive before it is closed: the library leaves out silently what it lacks memory for.
 *
 * owns    the texts, released with o2_anchor_words_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status o2_anchor_words(struct o2_anchor_words *out, OTF2_Archive *archive,
                                   struct prvcut_error *err);

void o2_anchor_words_fini(struct o2_anchor_words *words);

/** Does the anchor, as it stands in memory, say these words?
 *
 * errors  PRVCUT_ENOMEM: some are missing
 */
enum prvcut_status o2_anchor_says(const char *bytes, size_t count,
                                  const struct o2_anchor_words *words, struct prvcut_error *err);

/**
 * Give a finished archive a checksum of its content as its identifier, in place of the library's
 * random number: the same content is the same archive, bit for bit.
 *
 * shape   folder: what holds the anchor and nothing but the archive; run may be NULL
 * errors  PRVCUT_ENOMEM, also where the anchor does not say all of these words; PRVCUT_EIO
 */
enum prvcut_status o2_anchor_identify(const char *folder, const char *path,
                                      const struct o2_anchor_words *words,
                                      const struct prvcut_run *run, struct prvcut_error *err);

#endif
