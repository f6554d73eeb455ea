#ifndef PRVCUT_BASE_ERROR_H
#define PRVCUT_BASE_ERROR_H

#include "prvcut/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Record a failure and return its status, so that callers can `return prvcut_fail(...)`.
 *
 * The text is kept only if err holds none yet; err may be NULL. Control characters that come from
 * the input are escaped (\xHH), so that the text is safe on a terminal.
 */
enum prvcut_status prvcut_fail(struct prvcut_error *err, enum prvcut_status status,
                               const char *format, ...) __attribute__((format(printf, 3, 4)));

/** As prvcut_fail; where this failure is the first, err->offset is that of the input. */
enum prvcut_status prvcut_fail_at(struct prvcut_error *err, enum prvcut_status status,
                                  uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** As prvcut_fail, with ": " and the text of errno (the value on entry) appended. */
enum prvcut_status prvcut_fail_errno(struct prvcut_error *err, enum prvcut_status status,
                                     const char *format, ...) __attribute__((format(printf, 3, 4)));

/**
 * Say what works in place of what the next prvcut_fail refuses (struct prvcut_error.instead); of an
 * error that holds a failure nothing changes, and what comes from the input does not belong here.
 */
void prvcut_instead(struct prvcut_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/**
 * Fail with what another error holds, whole: its text, place and what works instead.
 *
 * shape   status: of the failure, in place of why's own
 */
enum prvcut_status prvcut_fail_as(struct prvcut_error *err, enum prvcut_status status,
                                  const struct prvcut_error *why);

/** Fail because an output exists and may not be replaced. */
enum prvcut_status prvcut_fail_exists(struct prvcut_error *err, const char *path);

/** Copy at most room - 1 bytes of text, whole characters, control characters escaped; returns out.
 */
char *prvcut_quote(char *out, size_t room, const char *text, size_t length);

#endif
