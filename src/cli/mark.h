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

/** Report that; CLI_NO_LOOP where there was nothing to mark. */
enum cli_exit cli_mark_report(struct cli_session *s, const struct prvcut_marking *m);

#endif
