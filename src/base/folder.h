#ifndef PRVCUT_BASE_FOLDER_H
#define PRVCUT_BASE_FOLDER_H

#include "base/commit.h"

/**
 * Several files (and folders of files) of one place that appear together or not at all
 * (base/commit.h). They are made in a folder with a temporary name beside their place, synced, and
 * moved to their places by commit, the main file last.
 */
struct prvcut_folder;

/**
 * The name of a set's main file without its suffix, of which others of the set are made.
 *
 * owns    *out is the caller's
 * errors  PRVCUT_EUSAGE: it has another one, told by `otherwise`; PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_folder_stem(char **out, const char *path, const char *suffix,
                                      const char *otherwise, struct prvcut_error *err);

/**
 * Begin a set whose main file will be `main_path` (its folder must exist).
 *
 * A symbolic link is not followed, as the other entries would not follow it: with force the link is
 * replaced, not what it leads to.
 *
 * shape   others: names in the main file's folder that the set may also bring, NULL-ended (files or
 *         folders), or NULL: checked here, so that nothing is done in vain
 * owns    *out is the caller's, released by commit or abandon; NULL after a failure
 * errors  PRVCUT_EEXIST: one of them exists and force is false, or a folder exists that no main
 *         file claims, which force does not remove; PRVCUT_EIO; PRVCUT_EUSAGE: "-"
 */
enum prvcut_status prvcut_folder_open(struct prvcut_folder **out, const char *main_path,
                                      const char *const *others, bool force,
                                      struct prvcut_error *err);

/**
 * The same for a set of folders, the main one too: they appear as a whole, and with force replace
 * folders of their names, whatever these hold.
 */
enum prvcut_status prvcut_folder_open_whole(struct prvcut_folder **out, const char *main_path,
                                            const char *const *others, bool force,
                                            struct prvcut_error *err);

/** The temporary folder to write into; the set's entries have their final names in it. */
const char *prvcut_folder_path(const struct prvcut_folder *f);

/** The set, for outputs that shall appear with it, wherever they lie; f's until commit. */
struct prvcut_commit *prvcut_folder_set(const struct prvcut_folder *f);

/**
 * Sync all, move all entries to their places; with force, what stood there (also under those of the
 * names given to open that the set does not bring) goes, but only once the new entries are in
 * place.
 *
 * owns    releases f whatever happens; after a failure nothing of the set is left, and what stood
 *         there before stands there again
 * shape   *size: bytes of all files; size may be NULL
 * errors  PRVCUT_EEXIST: without force, an entry has come to exist since open; PRVCUT_EIO
 */
enum prvcut_status prvcut_folder_commit(struct prvcut_folder *f, uint64_t *size,
                                        struct prvcut_error *err);

/** Remove everything; releases f; accepts NULL. */
void prvcut_folder_abandon(struct prvcut_folder *f);

#endif
