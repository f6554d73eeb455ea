#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Longest reason that the operating system gives for an errno, cut beyond. */
#define REASON_ROOM 128

/*
 * How many bytes at text make one control character, 0 if what stands there is none. The C1
 * controls count in their UTF-8 form only: terminals obey those, and a lone byte >= 0x80 may be old
 * Latin text.
 */
static size_t error_control(const char *text, size_t length)
{
    const unsigned char first = (unsigned char)text[0];

    if (first < 0x20 || first == 0x7f)
        return 1;
    if (first == 0xc2 && length > 1 && (unsigned char)text[1] >= 0x80 &&
        (unsigned char)text[1] <= 0x9f)
        return 2;
    return 0;
}

static bool error_goes_on(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Without the character that the text is cut inside of; no character of UTF-8 has more bytes. */
static size_t error_whole(const char *out, size_t used)
{
    size_t kept = used;

    while (kept > 0 && used - kept < 3 && error_goes_on(out[kept - 1]))
        kept--;
    return kept > 0 && (unsigned char)out[kept - 1] >= 0xc0 ? kept - 1 : used;
}

char *prvcut_quote(char *out, size_t room, const char *text, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    size_t used = 0, i = 0;

    if (room == 0)
        return out;
    while (i < length) {
        const size_t control = error_control(text + i, length - i);
        const size_t bytes = control == 0 ? 1 : 4 * control;

        if (bytes >= room - used)
            break;
        if (control == 0)
            out[used++] = text[i++];
        for (size_t k = 0; k < control; k++, i++) {
            out[used++] = '\\';
            out[used++] = 'x';
            out[used++] = digits[(unsigned char)text[i] >> 4];
            out[used++] = digits[(unsigned char)text[i] & 15];
        }
    }
    if (i < length && error_goes_on(text[i]))
        used = error_whole(out, used);
    out[used] = '\0';
    return out;
}

/* A long path must not push the reason out of the text, so the reason's room is set aside first. */
__attribute__((format(printf, 3, 0))) static void error_fill(struct prvcut_error *err,
                                                             const char *reason, const char *format,
                                                             va_list args)
{
    char text[sizeof err->text];
    const size_t tail = strlen(reason);
    const int written = vsnprintf(text, sizeof text, format, args);

    if (written < 0)
        snprintf(text, sizeof text, "%s", "the message cannot be formatted");
    prvcut_quote(err->text, sizeof err->text - tail, text, strlen(text));
    memcpy(err->text + strlen(err->text), reason, tail + 1);
}

enum prvcut_status prvcut_fail(struct prvcut_error *err, enum prvcut_status status,
                               const char *format, ...)
{
    va_list args;

    if (!err || err->status != PRVCUT_OK)
        return status;
    va_start(args, format);
    error_fill(err, "", format, args);
    va_end(args);
    err->status = status;
    return status;
}

void prvcut_instead(struct prvcut_error *err, const char *format, ...)
{
    va_list args;

    if (!err || err->status != PRVCUT_OK)
        return;
    va_start(args, format);
    /* A part of it is nothing that works. */
    if (vsnprintf(err->instead, sizeof err->instead, format, args) >= (int)sizeof err->instead)
        err->instead[0] = '\0';
    va_end(args);
}

enum prvcut_status prvcut_fail_as(struct prvcut_error *err, enum prvcut_status status,
                                  const struct prvcut_error *why)
{
    if (!err || err->status != PRVCUT_OK)
        return status;
    *err = *why;
    err->status = status;
    return status;
}

enum prvcut_status prvcut_fail_exists(struct prvcut_error *err, const char *path)
{
    prvcut_instead(err, "--force");
    return prvcut_fail(err, PRVCUT_EEXIST, "%s exists: -f replaces it, another name keeps it",
                       path);
}

enum prvcut_status prvcut_fail_at(struct prvcut_error *err, enum prvcut_status status,
                                  uint64_t offset, const char *format, ...)
{
    va_list args;

    if (!err || err->status != PRVCUT_OK)
        return status;
    va_start(args, format);
    error_fill(err, "", format, args);
    va_end(args);
    err->status = status;
    err->offset = offset;
    return status;
}

enum prvcut_status prvcut_fail_errno(struct prvcut_error *err, enum prvcut_status status,
                                     const char *format, ...)
{
    const int number = errno;
    char reason[REASON_ROOM] = ": ";
    va_list args;

    if (!err || err->status != PRVCUT_OK)
        return status;
    if (strerror_r(number, reason + 2, sizeof reason - 2) != 0)
        snprintf(reason, sizeof reason, ": error %d", number);
    va_start(args, format);
    error_fill(err, reason, format, args);
    va_end(args);
    err->status = status;
    errno = number;
    return status;
}
