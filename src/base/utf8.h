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

#endif
