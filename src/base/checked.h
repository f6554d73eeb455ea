#ifndef PRVCUT_BASE_CHECKED_H
#define PRVCUT_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Sum into *out; false when it does not fit (then *out is not to be used). */
static inline bool prvcut_ckd_add_size(size_t *out, size_t a, size_t b)
{
    return !__builtin_add_overflow(a, b, out);
}

/** Product into *out; false when it does not fit. */
static inline bool prvcut_ckd_mul_size(size_t *out, size_t a, size_t b)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline bool prvcut_ckd_add_u64(uint64_t *out, uint64_t a, uint64_t b)
{
    return !__builtin_add_overflow(a, b, out);
}

static inline bool prvcut_ckd_mul_u64(uint64_t *out, uint64_t a, uint64_t b)
{
    return !__builtin_mul_overflow(a, b, out);
}

/** Add to a sum, which stays at UINT64_MAX where more does not fit. */
static inline void prvcut_add_most(uint64_t *sum, uint64_t more)
{
    if (!prvcut_ckd_add_u64(sum, *sum, more))
        *sum = UINT64_MAX;
}

#endif
