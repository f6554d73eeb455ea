#ifndef PRVCUT_INSPECT_H
#define PRVCUT_INSPECT_H

#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What is in a trace, as text for a person or as JSON (schema "prvcut-info", version 2): time
 * span, objects, record counts, event types with labels, counters, communicators, flushes.
 * Works on a pipe. Free *text.
 */
PRVCUT_API enum prvcut_status prvcut_info(struct prvcut_trace *trace, const struct prvcut_run *run,
                                          bool json, char **text, struct prvcut_error *err);

/**
 * Is a trace sound? Every kind of finding with its count and first lines, as text or as JSON
 * (schema "prvcut-check", version 2). Works on a pipe. Free *text.
 *
 * errors  PRVCUT_END: findings that mean damage, with options->strict any finding; *text tells
 */
PRVCUT_API enum prvcut_status prvcut_check(const char *path, const struct prvcut_run *run,
                                           const struct prvcut_open_options *options, bool json,
                                           char **text, struct prvcut_error *err);

/** "0.1.0"; and what is built in, a line each: "library NAME VERSION", "format NAME (what it is)",
    and "without NAME (why)" for what was left out. */
PRVCUT_API const char *prvcut_version(void);
PRVCUT_API const char *prvcut_built_with(void);

#ifdef __cplusplus
}
#endif

#endif
