#ifndef PRVCUT_BASE_UTF8_H
#define PRVCUT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Bytes of the well-formed character of UTF-8 at a text that ends with NUL; 0: it is none
 * (overlong, a surrogate, too great, cut). code: where it goes; may be NULL.
 */
size_t prvcut_utf8_bytes(const char *text, uint32_t *code);

/** Is all of it? */
bool prvcut_utf8_is_whole(const char *text);

/** Most bytes of UTF-8 that a byte of Latin 1 takes. */
#define PRVCUT_UTF8_OF_LATIN 2
/**
 * A text that is no UTF-8, whose bytes are taken for Latin 1, as UTF-8: as many whole characters as
 * there is room for, and the end. returns: bytes without the end
 */
size_t prvcut_utf8_of_latin(char *out, size_t room, const char *text);

#endif
