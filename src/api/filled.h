#ifndef PRVCUT_API_FILLED_H
#define PRVCUT_API_FILLED_H

#include "prvcut/status.h"

#include <stddef.h>

/*
 * Structs that a program fills in begin with the size that they had when it was compiled
 * (CONTRIBUTING: The public headers can grow).
 */

/** Size of a struct whose last field is that one: what `first` is once the struct has grown. */
#define PRVCUT_FILLED_UP_TO(type, last)                                                            \
    (offsetof(struct type, last) + sizeof(((struct type *)0)->last))

/** Size of the whole struct while that was its last field: the distance of items of an array. */
#define PRVCUT_FILLED_SIZE(type, last)                                                             \
    ((PRVCUT_FILLED_UP_TO(type, last) + _Alignof(struct type) - 1) / _Alignof(struct type) *       \
     _Alignof(struct type))

/**
 * What a program filled in, as this library knows it: fields that the program does not have are
 * zeroed.
 *
 * shape   out, known: the struct and its size here; first: what a size of 0 stands for; given: NULL
 *         is all zeroed; name: for the message, "prvcut_run"
 * errors  PRVCUT_EUSAGE: a size below that of the first fields, or something is filled in that this
 *         library does not know; out is zeroed
 */
enum prvcut_status prvcut_filled_take(void *out, size_t known, size_t first, const void *given,
                                      const char *name, struct prvcut_error *err);

#endif
