#ifndef PRVCUT_API_VIEW_PLACE_H
#define PRVCUT_API_VIEW_PLACE_H

#include "model/trace.h"

/** Bytes of a key and its end. */
#define VIEW_KEY 65

/**
 * Where the page of a trace goes: FOLDER/NAME.0123456789abcdef.html, by its path on disk; the
 * folder is made. folder: NULL: the user's cache folder.
 *
 * owns    *out, freed by the caller; NULL after a failure
 * errors  PRVCUT_EUSAGE: there is no cache folder, or a folder is in its place; PRVCUT_EIO,
 * PRVCUT_ENOMEM
 */
enum prvcut_status view_place(char **out, const struct prvcut_trace *t, const char *folder,
                              struct prvcut_error *err);

/**
 * What decides what the page tells: the trace's files, by size and time of last change, the
 * options, and the version.
 *
 * errors  PRVCUT_EIO, PRVCUT_ENOMEM
 */
enum prvcut_status view_key(char out[VIEW_KEY], const struct prvcut_trace *t,
                            const struct prvcut_run *run, struct prvcut_error *err);

/** The mark in the head of a page (report/page.h) into out; false: it has none, or was cut short.
 */
bool view_mark(char *out, size_t room, const char *path, uint64_t *bytes);

/** Remove the oldest pages of the folder that this one is in, but for the newest VIEW_PAGES. */
void view_prune(const char *path);

#endif
