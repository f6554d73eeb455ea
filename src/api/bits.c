#include "api/bits.h"

#include <string.h>

/* Of a word that is none so much is shown. */
#define WORD_SHOWN 40

static uint32_t bit_of(const struct api_bit *of, size_t count, const char *word, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(of[i].name) == length && memcmp(of[i].name, word, length) == 0)
            return of[i].bit;
    return 0;
}

enum prvcut_status api_bits_read(const struct api_bit *of, size_t count, const char *text,
                                 const char *what, const char *all, uint32_t *bits,
                                 struct prvcut_error *err)
{
    *bits = 0;
    if (!text)
        return PRVCUT_OK;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        const uint32_t bit = bit_of(of, count, at, length);

        if (bit == 0)
            return prvcut_fail(err, PRVCUT_EUSAGE, "unknown %s '%.*s'; there are %s", what,
                               length < WORD_SHOWN ? (int)length : WORD_SHOWN, at, all);
        *bits |= bit;
        at += length;
        if (*at == '\0')
            return PRVCUT_OK;
    }
}
