#ifndef PRVCUT_CLI_MARK_H
#define PRVCUT_CLI_MARK_H

#include "session.h"

#include "prvcut/mark.h"

/**
 * Open the session's trace, mark its iterations.
 *
 * path      of the marked trace; NULL: beside the trace
 * timeline  path of a timeline that Paraver saved as text; NULL: none
 * owns      *out is released by the caller with prvcut_marking_free, whatever happened
 */
enum cli_exit cli_mark_trace(struct cli_session *s, const char *path, bool force,
                             const char *timeline, struct prvcut_marking **out);

/**
 * A copy with marks was to be written beside an answer: tell of it behind that answer.
 *
 * shape   st: of the writing; PRVCUT_NONE: there was nothing to mark, as `none` says
 * owns    releases m
 */
enum cli_exit cli_mark_beside(struct cli_session *s, enum prvcut_status st,
                              struct prvcut_marking *m, const char *none,
                              enum prvcut_status (*tell)(const struct prvcut_marking *m,
                                                         char **text, struct prvcut_error *err));

/** Report that; CLI_NO_LOOP where there was nothing to mark. */
enum cli_exit cli_mark_report(struct cli_session *s, const struct prvcut_marking *m);

#endif
