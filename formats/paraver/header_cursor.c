#include "paraver/header_cursor.h"

#include "base/buffer.h"
#include "base/checked.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum prvcut_status prv_cursor_fail(struct prv_cursor *c, enum prvcut_status status,
                                   const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (c->err && c->err->status == PRVCUT_OK) {
        c->err->line = c->line;
        c->err->offset = c->offset + (uint64_t)(c->at - c->line_at);
    }
    return prvcut_fail(c->err, status, "%s:%" PRIu64 ": %s", c->path, c->line, text);
}

const char *prv_cursor_word(const struct prv_cursor *c, char *word, size_t room)
{
    size_t length = 0;

    while (c->at + length < c->end && length < 40 && !strchr(":,()", c->at[length]))
        length++;
    if (length == 0 && c->at < c->end)
        length = 1;
    return prvcut_quote(word, room, c->at, length);
}

enum prvcut_status prv_cursor_number(struct prv_cursor *c, const struct prv_field *f, uint64_t *out)
{
    const char *start;
    uint64_t value = 0;
    bool fits = true;
    char word[256];

    while (prv_cursor_peek(c) == ' ')
        c->at++;
    start = c->at;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        fits = fits && prvcut_ckd_mul_u64(&value, value, 10) &&
               prvcut_ckd_add_u64(&value, value, (uint64_t)(*c->at - '0'));
    }
    if (c->at == start) {
        if (c->at == c->end)
            return prv_cursor_fail(c, PRVCUT_EFORMAT, "the line ends where %s is due", f->what);
        return prv_cursor_fail(c, PRVCUT_EFORMAT, "%s: '%s' is not a number of at least %" PRIu64,
                               f->what, prv_cursor_word(c, word, sizeof word), f->least);
    }
    if (!fits || value > f->most) {
        size_t length = (size_t)(c->at - start);

        c->at = start;
        return prv_cursor_fail(c, f->beyond, "%s: %.*s is beyond the limit of %" PRIu64, f->what,
                               (int)(length < 40 ? length : 40), start, f->most);
    }
    if (value < f->least)
        return prv_cursor_fail(c, PRVCUT_EFORMAT, "%s: %" PRIu64 " is less than %" PRIu64, f->what,
                               value, f->least);
    *out = value;
    return PRVCUT_OK;
}

enum prvcut_status prv_cursor_separator(struct prv_cursor *c, char wanted, const char *after)
{
    char word[256];

    while (prv_cursor_peek(c) == ' ')
        c->at++;
    if (prv_cursor_take(c, wanted))
        return PRVCUT_OK;
    if (c->at == c->end)
        return prv_cursor_fail(c, PRVCUT_EFORMAT, "the line ends where '%c' is due after %s",
                               wanted, after);
    return prv_cursor_fail(c, PRVCUT_EFORMAT, "'%s' stands where '%c' is due after %s",
                           prv_cursor_word(c, word, sizeof word), wanted, after);
}

enum prvcut_status prv_cursor_append(uint32_t **at, size_t *room, uint32_t count, uint32_t value,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_grow((void **)at, room, (size_t)count + 1, sizeof **at, err);

    if (st == PRVCUT_OK)
        (*at)[count] = value;
    return st;
}
