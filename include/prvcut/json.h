#ifndef PRVCUT_JSON_H
#define PRVCUT_JSON_H

#include "prvcut/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Every JSON that the library prints is an object that begins with schema (which one it is),
 * version, program, and command: what was typed, null where nobody told.
 */

/** Of all schemas; it grows when a field changes its meaning or goes. */
#define PRVCUT_JSON_VERSION 2

/**
 * Say in a JSON of this library which command asked for it.
 *
 * owns    *text is replaced; after a failure it is as it was
 * errors  PRVCUT_ENOMEM; a text without room for a command stays as it is
 */
PRVCUT_API enum prvcut_status prvcut_json_command(char **text, const char *command,
                                                  struct prvcut_error *err);

/** *text, the help of a command ("" is the job), becomes JSON (schema "prvcut-help") with it.
    owns: *text is replaced; after a failure it is as it was */
PRVCUT_API enum prvcut_status prvcut_help_json(const char *command, char **text,
                                               struct prvcut_error *err);

/** A command that failed. */
struct prvcut_failure {
    int status;       /**< exit status */
    const char *text; /**< why */
    const char *file; /**< that it is about; NULL: none */
    uint64_t line;    /**< of that file, from 1; 0: unknown */
    uint64_t offset;  /**< bytes in that file; 0: unknown */
};

/** As JSON (schema "prvcut-failure"). Free *text. */
PRVCUT_API enum prvcut_status prvcut_failure_json(const struct prvcut_failure *f, char **text,
                                                  struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
