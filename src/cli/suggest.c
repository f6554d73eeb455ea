#include "suggest.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#define WORD_LIMIT 63

static unsigned sug_min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Optimal string alignment: the table holds the edits between all pairs of heads. */
unsigned cli_edits(const char *a, const char *b)
{
    unsigned d[WORD_LIMIT + 1][WORD_LIMIT + 1];
    const size_t m = strlen(a), n = strlen(b);

    if (m > WORD_LIMIT || n > WORD_LIMIT)
        return UINT_MAX;
    for (size_t i = 0; i <= m; i++)
        d[i][0] = (unsigned)i;
    for (size_t j = 0; j <= n; j++)
        d[0][j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        for (size_t j = 1; j <= n; j++) {
            d[i][j] = sug_min(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                              sug_min(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = sug_min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[m][n];
}

unsigned cli_edits_allowed(const char *word)
{
    const size_t length = strlen(word);

    return length < 3 ? 0 : length < 6 ? 1 : 2;
}
