#include "quote.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Longest word that is looked for. */
#define QUO_WORD 1024

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

void cli_put_typed(char *out, size_t room, const char *typed, const char *word, const char *other)
{
    char old[4 * QUO_WORD + 4], new[4 * QUO_WORD + 4];
    size_t length;

    if (strlen(word) >= QUO_WORD || strlen(other) >= QUO_WORD)
        return;
    length = cli_quote(old, word);
    old[length] = '\0';
    new[cli_quote(new, other)] = '\0';
    for (const char *at = strstr(typed, old); at; at = strstr(at + 1, old)) {
        const bool begins = at > typed && strchr(" =", at[-1]);

        if (begins && (at[length] == ' ' || at[length] == '\0') &&
            strlen(typed) + strlen(new) < room) {
            snprintf(out, room, "%.*s%s%s", (int)(at - typed), typed, new, at + length);
            return;
        }
    }
}
