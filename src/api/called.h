#ifndef PRVCUT_API_CALLED_H
#define PRVCUT_API_CALLED_H

#include "model/trace.h"

/**
 * Is it a name that a tracer gives to every trace (eztrace_log.otf2, traces.otf2)? Then the folder
 * tells the run.
 */
bool prvcut_path_is_generic(const char *path);

/** Bytes before the last name of a path, with the slash. */
size_t prvcut_folder_length(const char *path);

/** Length of an archive's file name without .tar.zst or the like. */
size_t prvcut_archive_stem(const char *name);

/**
 * The name of a trace as people call it: of an archive with a generic name its folder's, else the
 * file's: "lulesh2.0_trace", "lu.W.4.prv", "cuts.tar.zst:lu.prv"; "standard input".
 *
 * owns    *out, freed by the caller
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_trace_called(char **out, const struct prvcut_trace *t,
                                       struct prvcut_error *err);

/** The same of "ARCHIVE:MEMBER", whose first part has that many bytes: without the folders of the
 * archive, with those of the member. */
enum prvcut_status prvcut_member_called(char **out, const char *told, size_t archive,
                                        struct prvcut_error *err);

/** The same of a path alone. */
enum prvcut_status prvcut_path_called(char **out, const char *path, struct prvcut_error *err);

/** Does it come through a pipe? Then it is gone afterwards, though it may be kept elsewhere as long
    as a job lasts. */
bool prvcut_trace_is_piped(const struct prvcut_trace *t);

/**
 * What to type for the trace in a command: its path, the folder of an archive with a generic name,
 * "ARCHIVE:MEMBER"; quoted for a shell where that is needed.
 *
 * shape   *out NULL: a pipe, which cannot be read again; a name with control characters
 * owns    *out, freed by the caller
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_trace_typed(char **out, const struct prvcut_trace *t,
                                      struct prvcut_error *err);

#endif
