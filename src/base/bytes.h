#ifndef PRVCUT_BASE_BYTES_H
#define PRVCUT_BASE_BYTES_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes put one behind the other: numbers little endian, or lines of text. Zeroed but for err is
    empty; the first failure stays, and all later calls do nothing, so that only the end of what
    belongs together needs to look at st. */
struct prvcut_put {
    struct prvcut_buffer b;
    struct prvcut_error *err;
    enum prvcut_status st;
};

void prvcut_put_bytes(struct prvcut_put *p, const void *bytes, size_t count);
/** Text as it is to be read: one that ends with '\0', one between two pointers, one as of printf.
 */
void prvcut_put_string(struct prvcut_put *p, const char *text);
void prvcut_put_between(struct prvcut_put *p, const char *at, const char *end);
void prvcut_put_printf(struct prvcut_put *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void prvcut_put_u32(struct prvcut_put *p, uint32_t value);
void prvcut_put_u64(struct prvcut_put *p, uint64_t value);
void prvcut_put_f64(struct prvcut_put *p, double value);
/** A text of less than 2^31 bytes, or NULL, with its length: prvcut_get_text takes it back. */
void prvcut_put_text(struct prvcut_put *p, const char *text);
void prvcut_put_span(struct prvcut_put *p, uint64_t start, uint64_t end);
void prvcut_put_u32s(struct prvcut_put *p, const uint32_t *value, size_t count);
void prvcut_put_u64s(struct prvcut_put *p, const uint64_t *value, size_t count);
void prvcut_put_f64s(struct prvcut_put *p, const double *value, size_t count);
/**
 * What was put, as a text that ends with '\0'; p is empty then.
 *
 * owns    *out is the caller's, from malloc; NULL after a failure
 * returns p->st
 */
enum prvcut_status prvcut_put_take(struct prvcut_put *p, char **out);
/** What was found, behind what was asked: any number of times, one behind the other. */
void prvcut_put_answer(struct prvcut_put *p, const struct prvcut_put *asked,
                       const struct prvcut_put *found);

/** The same taken back. Bytes that end too early, or are not what was put, set bad; all later
    calls then give 0, "" or nothing. */
struct prvcut_get {
    const char *at;
    size_t left;
    bool bad;
};

uint32_t prvcut_get_u32(struct prvcut_get *g);
uint64_t prvcut_get_u64(struct prvcut_get *g);
double prvcut_get_f64(struct prvcut_get *g);
bool prvcut_get_bool(struct prvcut_get *g);
/** owns: the text stands in the bytes that are read */
const char *prvcut_get_text(struct prvcut_get *g);
void prvcut_get_u32s(struct prvcut_get *g, uint32_t *value, size_t count);
void prvcut_get_u64s(struct prvcut_get *g, uint64_t *value, size_t count);
void prvcut_get_f64s(struct prvcut_get *g, double *value, size_t count);

/** A number of items of which each takes at least so many bytes here; 0 and bad where they cannot
    be there. */
size_t prvcut_get_count(struct prvcut_get *g, size_t bytes);

/**
 * Zeroed room for count items of `size` bytes, and one more.
 *
 * owns    from malloc; NULL and bad where there is no memory
 */
void *prvcut_get_room(struct prvcut_get *g, size_t count, size_t size);

/** What was put behind just this question; false: nothing was, or the bytes are not sound. owns:
 *found borrows what g does */
bool prvcut_get_answer(struct prvcut_get *g, const struct prvcut_put *asked,
                       struct prvcut_get *found);

/** Say that something is not as it must be. */
void prvcut_get_check(struct prvcut_get *g, bool sound);

#endif
