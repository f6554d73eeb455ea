#ifndef PRVCUT_PARAVER_DIGITS_H
#define PRVCUT_PARAVER_DIGITS_H

#include <stdint.h>
#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

/*
 * Fields of decimal digits, eight bytes at a time. All of this reads up to PRV_PAD bytes beyond and
 * 16 bytes before the place it is given: buffers carry that much padding.
 */
#define PRV_PAD 128

/** Which of the 64 bytes from p are ':', and which are neither ':' nor a digit. Bit i: byte i. */
struct prv_marks {
    uint64_t colon, other;
};

#ifdef __AVX2__
static inline struct prv_marks prv_mark(const char *p)
{
    const __m256i colon = _mm256_set1_epi8(':');
    const __m256i lift = _mm256_set1_epi8((char)(128 - '0'));
    const __m256i nine = _mm256_set1_epi8((char)(-128 + 9));
    struct prv_marks m = { 0, 0 };

    for (unsigned i = 0; i < 2; i++) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32 * i));
        __m256i no_digit = _mm256_cmpgt_epi8(_mm256_add_epi8(v, lift), nine);
        uint64_t c = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, colon));
        uint64_t n = (uint32_t)_mm256_movemask_epi8(no_digit);

        m.colon |= c << (32 * i);
        m.other |= (n & ~c) << (32 * i);
    }
    return m;
}
#elif defined(__SSE2__)
static inline struct prv_marks prv_mark(const char *p)
{
    const __m128i colon = _mm_set1_epi8(':');
    const __m128i lift = _mm_set1_epi8((char)(128 - '0'));
    const __m128i nine = _mm_set1_epi8((char)(-128 + 9));
    struct prv_marks m = { 0, 0 };

    for (unsigned i = 0; i < 4; i++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        /* Signed comparison of byte - '0' shifted into the signed range: above 9 is no digit. */
        __m128i no_digit = _mm_cmpgt_epi8(_mm_add_epi8(v, lift), nine);
        uint64_t c = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, colon));
        uint64_t n = (uint32_t)_mm_movemask_epi8(no_digit);

        m.colon |= c << (16 * i);
        m.other |= (n & ~c) << (16 * i);
    }
    return m;
}
#else
static inline struct prv_marks prv_mark(const char *p)
{
    struct prv_marks m = { 0, 0 };

    for (unsigned i = 0; i < 64; i++) {
        m.colon |= (uint64_t)(p[i] == ':') << i;
        m.other |= (uint64_t)(p[i] != ':' && (unsigned char)(p[i] - '0') > 9) << i;
    }
    return m;
}
#endif

static inline uint64_t prv_load8(const char *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/** Value of eight digits, first one in the lowest byte; bytes of 0 count as the digit 0. */
static inline uint64_t prv_eight(uint64_t v)
{
    v &= UINT64_C(0x0f0f0f0f0f0f0f0f);
    v = (v * 2561) >> 8;
    v = ((v & UINT64_C(0x00ff00ff00ff00ff)) * 6553601) >> 16;
    return ((v & UINT64_C(0x0000ffff0000ffff)) * UINT64_C(42949672960001)) >> 32;
}

/** Value of the 1 to 16 digits that end before `end`. */
static inline uint64_t prv_number(const char *end, uint64_t digits)
{
    if (digits <= 8)
        return prv_eight(prv_load8(end - 8) & (UINT64_MAX << (64 - 8 * digits)));
    return prv_eight(prv_load8(end - 16) & (UINT64_MAX << (128 - 8 * digits))) * 100000000 +
           prv_eight(prv_load8(end - 8));
}

#endif
