#include "quote.h"

#include <stdbool.h>
#include <string.h>

size_t cli_quote(char *out, const char *word)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-+=./,:%@^";
    const bool bare = *word != '\0' && word[strspn(word, safe)] == '\0';
    size_t n = 0;

    if (!bare)
        out[n++] = '\'';
    for (; *word; word++) {
        if (*word == '\'') {
            memcpy(out + n, "'\\'", 3);
            n += 3;
        }
        out[n++] = (unsigned char)*word < ' ' || *word == 127 ? '?' : *word;
    }
    if (!bare)
        out[n++] = '\'';
    return n;
}
