#include "base/word.h"

#include <string.h>
#include <strings.h>

static bool word_has(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

bool prvcut_has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = text; length > 0 && *at != '\0'; at++)
        if (strncasecmp(at, word, length) == 0 && (at == text || !word_has(at[-1])) &&
            !word_has(at[length]))
            return true;
    return false;
}
