#ifndef PRVCUT_API_OWN_FOLDER_H
#define PRVCUT_API_OWN_FOLDER_H

#include "base/folder.h"
#include "model/trace.h"

/*
 * A cut of an archive of many files that nobody named has a folder of its own, NAME.TAG, beside
 * that of the archive, with an archive of the original's name in it. It appears as a whole.
 */

/** Is a cut with these options one of that kind? */
bool prvcut_own_folder_is_for(const struct prvcut_trace *t, const struct prvcut_cut_options *o);

/**
 * Where it goes: PLACE/NAME.TAG/MAIN for the trace's path; in the present folder where PLACE takes
 * no files.
 *
 * owns    *out, freed by the caller
 */
enum prvcut_status prvcut_own_folder_name(char **out, const struct prvcut_reader *reader,
                                          const char *path, const char *tag,
                                          struct prvcut_error *err);

/**
 * Refuse a folder that exists; with force, only one that holds more than an archive's files, which
 * would go, too.
 *
 * shape   path: PLACE/NAME.TAG/MAIN
 * errors  PRVCUT_EEXIST, PRVCUT_EIO, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_own_folder_is_free(const char *path, bool force,
                                             struct prvcut_error *err);

/** Refuse another output in such a folder. errors: PRVCUT_EUSAGE */
enum prvcut_status prvcut_own_folder_keeps_off(const char *path, const char *other,
                                               struct prvcut_error *err);

/**
 * Begin a set of such folders, which appear with prvcut_folder_commit; those of all paths stand in
 * one place.
 *
 * owns    *out is the caller's
 */
enum prvcut_status prvcut_own_folder_open(struct prvcut_folder **out, const char *const *path,
                                          size_t paths, bool force, struct prvcut_error *err);

/**
 * Make a folder of the set, and tell where its main file is to be written.
 *
 * owns    *inside, freed by the caller
 */
enum prvcut_status prvcut_own_folder_make(char **inside, const struct prvcut_folder *f,
                                          const char *path, struct prvcut_error *err);

/** One such folder while its archive is written. */
struct prvcut_own_folder {
    struct prvcut_folder *set;
    const char *path; /**< PLACE/NAME.TAG/MAIN; borrowed */
    char *inside;     /**< where the main file is to be written until then */
};

enum prvcut_status prvcut_own_folder_begin(struct prvcut_own_folder *f, const char *path,
                                           bool force, struct prvcut_error *err);

/**
 * Have it appear, where the writing came to PRVCUT_OK, or throw it away; returns what both came to.
 * The files are told by their names in it.
 */
enum prvcut_status prvcut_own_folder_end(struct prvcut_own_folder *f, enum prvcut_status written,
                                         char **file, size_t files, struct prvcut_error *err);

/**
 * Files that were written elsewhere are told where they will stand: behind the first `length` bytes
 * of `before`.
 */
enum prvcut_status prvcut_own_folder_tell(struct prvcut_cut_summary *sum, const char *before,
                                          size_t length, struct prvcut_error *err);

#endif
