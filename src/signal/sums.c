#include "signal/sums.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status prvcut_sums_init(struct prvcut_sums *s, const struct prvcut_grid *grid,
                                    uint32_t sums, uint32_t wides, struct prvcut_error *err)
{
    bool ok = true;

    memset(s, 0, sizeof *s);
    s->grid = *grid;
    for (unsigned i = 0; i < PRVCUT_SUMS && ok; i++)
        if (sums >> i & 1)
            ok = (s->at[i] = calloc(grid->bins + 2, sizeof *s->at[i])) != NULL;
    for (unsigned i = 0; i < PRVCUT_WIDES && ok; i++)
        if (wides >> i & 1)
            ok = (s->wide[i] = calloc(grid->bins + 2, sizeof *s->wide[i])) != NULL;
    if (ok)
        return PRVCUT_OK;
    prvcut_sums_fini(s);
    return prvcut_no_memory(err, "signals");
}

void prvcut_sums_fini(struct prvcut_sums *s)
{
    for (unsigned i = 0; i < PRVCUT_SUMS; i++)
        free(s->at[i]);
    for (unsigned i = 0; i < PRVCUT_WIDES; i++)
        free(s->wide[i]);
    memset(s, 0, sizeof *s);
}

void prvcut_sums_merge(struct prvcut_sums *s, const struct prvcut_sums *more)
{
    const size_t n = s->grid.bins + 2;

    s->sends += more->sends;
    s->receives += more->receives;
    for (unsigned i = 0; i < PRVCUT_SUMS; i++) {
        s->count[i] += more->count[i];
        /* An untouched array stays untouched: its pages were never given memory. */
        for (size_t k = 0; s->at[i] && more->count[i] > 0 && k < n; k++)
            s->at[i][k] += more->at[i][k];
    }
    for (unsigned i = 0; i < PRVCUT_WIDES; i++) {
        s->wide_count[i] += more->wide_count[i];
        for (size_t k = 0; s->wide[i] && more->wide_count[i] > 0 && k < n; k++)
            s->wide[i][k] += more->wide[i][k];
    }
}

void prvcut_sums_finish(struct prvcut_sums *s)
{
    for (unsigned i = 0; i < PRVCUT_SUMS; i++)
        for (size_t k = 1; s->at[i] && s->count[i] > 0 && k < s->grid.bins; k++)
            s->at[i][k] += s->at[i][k - 1];
    for (unsigned i = 0; i < PRVCUT_WIDES; i++)
        for (size_t k = 1; s->wide[i] && s->wide_count[i] > 0 && k < s->grid.bins; k++)
            s->wide[i][k] += s->wide[i][k - 1];
}

uint64_t prvcut_rate(uint64_t value, uint64_t begin, uint64_t end)
{
    prvcut_wide rate;

    if (end <= begin)
        return 0;
    /* Most values are small: then 64 bits do, and their division is quick. */
    if (value >> (63 - PRVCUT_FRACTION) == 0)
        return ((value << PRVCUT_FRACTION) + (end - begin) / 2) / (end - begin);
    rate = (((prvcut_wide)value << PRVCUT_FRACTION) + (end - begin) / 2) / (end - begin);
    return rate > UINT64_MAX ? UINT64_MAX : (uint64_t)rate;
}
