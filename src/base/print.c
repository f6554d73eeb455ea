#include "base/print.h"

#include <stdio.h>

#include <string.h>

/* Bytes that are held back at most. */
#define PIECE 65536u
/* Digits of the greatest number. */
#define DIGITS 20u

enum prvcut_status prvcut_print_open(struct prvcut_print *p, const char *path, bool force,
                                     struct prvcut_error *err)
{
    enum prvcut_status st;

    memset(p, 0, sizeof *p);
    st = prvcut_buffer_reserve(&p->buffer, PIECE, err);
    if (st == PRVCUT_OK)
        st = prvcut_output_open(&p->output, path, prvcut_codec_of_name(path), force, err);
    if (st < 0)
        prvcut_print_abandon(p);
    return st;
}

static void print_flush(struct prvcut_print *p)
{
    if (p->status == PRVCUT_OK && p->buffer.count > 0)
        p->status = prvcut_output_write(p->output, p->buffer.at, p->buffer.count, &p->error);
    p->buffer.count = 0;
}

/* Where `count` bytes, at most PIECE, may be written. */
static char *print_room(struct prvcut_print *p, size_t count)
{
    if (p->buffer.count + count > PIECE)
        print_flush(p);
    return p->buffer.at + p->buffer.count;
}

void prvcut_print_bytes(struct prvcut_print *p, const char *bytes, size_t count)
{
    while (count > 0) {
        const size_t now = count < PIECE ? count : PIECE;

        memcpy(print_room(p, now), bytes, now);
        p->buffer.count += now;
        bytes += now;
        count -= now;
    }
}

void prvcut_print_text(struct prvcut_print *p, const char *text)
{
    prvcut_print_bytes(p, text, strlen(text));
}

void prvcut_print_u64(struct prvcut_print *p, uint64_t value)
{
    char digit[DIGITS], *at = digit + DIGITS;

    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    prvcut_print_bytes(p, at, (size_t)(digit + DIGITS - at));
}

void prvcut_print_i64(struct prvcut_print *p, int64_t value)
{
    if (value < 0)
        prvcut_print_bytes(p, "-", 1);
    /* Also of INT64_MIN, which has no positive counterpart. */
    prvcut_print_u64(p, value < 0 ? UINT64_C(0) - (uint64_t)value : (uint64_t)value);
}

void prvcut_print_decimal(struct prvcut_print *p, uint64_t value, unsigned decimals)
{
    char digit[DIGITS + 1], *at = digit + sizeof digit;

    for (unsigned i = 0; i < decimals; i++, value /= 10)
        *--at = (char)('0' + value % 10);
    *--at = '.';
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    prvcut_print_bytes(p, at, (size_t)(digit + sizeof digit - at));
}

enum prvcut_status prvcut_print_state(const struct prvcut_print *p, struct prvcut_error *err)
{
    return p->status == PRVCUT_OK ? PRVCUT_OK : prvcut_fail(err, p->status, "%s", p->error.text);
}

enum prvcut_status prvcut_print_commit(struct prvcut_print *p, uint64_t *size,
                                       struct prvcut_error *err)
{
    enum prvcut_status st;

    print_flush(p);
    st = prvcut_print_state(p, err);
    if (st == PRVCUT_OK) {
        st = prvcut_output_commit(p->output, size, err);
        p->output = NULL;
    }
    prvcut_print_abandon(p);
    return st;
}

void prvcut_print_abandon(struct prvcut_print *p)
{
    prvcut_output_abandon(p->output);
    prvcut_buffer_fini(&p->buffer);
    p->output = NULL;
}

char *prvcut_count_text(char out[32], uint64_t n)
{
    char digits[24];
    const int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    char *to = out;

    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return out;
}
