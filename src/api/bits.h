#ifndef PRVCUT_API_BITS_H
#define PRVCUT_API_BITS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/** A word of an option's list, "call,rank", and the bit that it stands for. */
struct api_bit {
    const char *name;
    uint32_t bit;
};

/**
 * All words of a list, as bits; NULL has none.
 *
 * shape   of: [count]; what: "view"; all: what there is, for people
 * errors  PRVCUT_EUSAGE: a word that is none of them
 */
enum prvcut_status api_bits_read(const struct api_bit *of, size_t count, const char *text,
                                 const char *what, const char *all, uint32_t *bits,
                                 struct prvcut_error *err);

#endif
