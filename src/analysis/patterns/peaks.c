#include "analysis/patterns/peaks.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define BELOW 0.9
#define ABOVE 1.1

static int pks_compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The fullest window: where it begins, and how many it holds. */
static size_t pks_fullest(const uint64_t *left, size_t count, size_t *first)
{
    size_t best = 0, to = 0;

    for (size_t i = 0; i < count; i++) {
        while (to < count && (double)left[to] * BELOW <= (double)left[i] * ABOVE)
            to++;
        if (to - i > best) {
            best = to - i;
            *first = i;
        }
    }
    return best;
}

/* Take those out that lie in a peak; how many. */
static size_t pks_take(uint64_t *left, size_t *count, const struct pat_peak *p)
{
    size_t from = 0, to;

    while (from < *count && (double)left[from] < p->low)
        from++;
    for (to = from; to < *count && (double)left[to] <= p->high; to++)
        ;
    if (to - from < 2)
        return to - from;
    memmove(left + from, left + to, (*count - to) * sizeof *left);
    *count -= to - from;
    return to - from;
}

static enum prvcut_status pks_all(struct pat_peaks *out, uint64_t *left, size_t count,
                                  struct prvcut_error *err)
{
    size_t room = 0;

    while (count > 0) {
        size_t first = 0;
        const size_t full = pks_fullest(left, count, &first);
        const uint64_t centre = left[first + full / 2];
        struct pat_peak p = { .low = (double)centre * BELOW,
                              .high = (double)centre * ABOVE,
                              .centre = centre,
                              .first = UINT64_MAX };

        p.count = pks_take(left, &count, &p);
        if (p.count < 2)
            break;
        if (prvcut_grow((void **)&out->at, &room, out->count + 1, sizeof *out->at, err) < 0)
            return PRVCUT_ENOMEM;
        out->at[out->count++] = p;
    }
    out->outside = count;
    return PRVCUT_OK;
}

enum prvcut_status pat_peaks_find(struct pat_peaks *out, const uint64_t *length, size_t count,
                                  struct prvcut_error *err)
{
    uint64_t *left = prvcut_copied(length, count * sizeof *left, "lengths", err);
    enum prvcut_status st;

    *out = (struct pat_peaks){ .at = NULL };
    if (!left)
        return PRVCUT_ENOMEM;
    qsort(left, count, sizeof *left, pks_compare);
    out->median = count > 0 ? left[count / 2] : 0;
    st = pks_all(out, left, count, err);
    free(left);
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        const size_t at = pat_peaks_of(out, length[i]);

        if (at != SIZE_MAX && out->at[at].first == UINT64_MAX)
            out->at[at].first = i;
    }
    return st;
}

void pat_peaks_fini(struct pat_peaks *p)
{
    free(p->at);
    *p = (struct pat_peaks){ .at = NULL };
}

size_t pat_peaks_of(const struct pat_peaks *p, uint64_t length)
{
    for (size_t i = 0; i < p->count; i++)
        if ((double)length >= p->at[i].low && (double)length <= p->at[i].high)
            return i;
    return SIZE_MAX;
}
