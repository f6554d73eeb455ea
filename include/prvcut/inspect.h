#ifndef PRVCUT_INSPECT_H
#define PRVCUT_INSPECT_H

#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How an answer is told. Numbered once and for ever. */
enum prvcut_form {
    PRVCUT_TEXT = 0,      /**< for a person, the answer first, at most ten lines */
    PRVCUT_JSON = 1,      /**< for a program: all of it */
    PRVCUT_FULL_TEXT = 2, /**< for a person: all of it */
    PRVCUT_CSV = 3,       /**< rows of values */
};

/**
 * What is in a trace, as text or as JSON (schema "prvcut-info", version 2): size, time span,
 * objects, records, where the time goes, flushes, clocks; in full also event types with labels,
 * counters, communicators. An OTF2 or OTF trace is told in its own names: functions with calls
 * and time, locations and their groups, metrics. Works on a pipe. Free *text.
 */
PRVCUT_API enum prvcut_status prvcut_info(struct prvcut_trace *trace, const struct prvcut_run *run,
                                          enum prvcut_form form, char **text,
                                          struct prvcut_error *err);

/**
 * Is a trace sound? The verdict, and every kind of finding with its count; in full also the first
 * lines of each; JSON has schema "prvcut-check", version 2. Works on a pipe. Free *text.
 *
 * errors  PRVCUT_UNSOUND: findings that mean damage, with options->strict any finding; *text tells
 */
PRVCUT_API enum prvcut_status prvcut_check(const char *path, const struct prvcut_run *run,
                                           const struct prvcut_open_options *options,
                                           enum prvcut_form form, char **text,
                                           struct prvcut_error *err);

/** "1.0.0"; and what is built in, a line each: "library NAME VERSION", "format NAME (what it is)",
    and "without NAME (why)" for what was left out. */
PRVCUT_API const char *prvcut_version(void);
PRVCUT_API const char *prvcut_built_with(void);

/** The version and what is built in, the metrics, the parameters, what files are called: for a
   person, as JSON (schemas "prvcut-version", "prvcut-metrics", "prvcut-parameters", "prvcut-files")
   or as CSV. Free *text. */
PRVCUT_API enum prvcut_status prvcut_version_tell(enum prvcut_form form, char **text,
                                                  struct prvcut_error *err);
PRVCUT_API enum prvcut_status prvcut_metrics_tell(enum prvcut_form form, char **text,
                                                  struct prvcut_error *err);
PRVCUT_API enum prvcut_status prvcut_parameters_tell(enum prvcut_form form, char **text,
                                                     struct prvcut_error *err);
PRVCUT_API enum prvcut_status prvcut_names_tell(enum prvcut_form form, char **text,
                                                struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
