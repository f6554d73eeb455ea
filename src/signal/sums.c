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
    s->room = UINT64_MAX;
    for (unsigned i = 0; i < PRVCUT_SUMS && ok; i++)
        if (sums >> i & 1)
            ok = (s->at[i] = prvcut_zeroed(grid->bins + 2, sizeof *s->at[i], "bins", NULL)) != NULL;
    for (unsigned i = 0; i < PRVCUT_WIDES && ok; i++)
        if (wides >> i & 1)
            ok = (s->wide[i] = prvcut_zeroed(grid->bins + 2, sizeof *s->wide[i], "bins", NULL)) !=
                 NULL;
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

/* --- A worker's ------------------------------------------------------------------------------- */

enum prvcut_status prvcut_sums_of_all_init(struct prvcut_sums_of_all *a,
                                           const struct prvcut_grid *grid, uint32_t sums,
                                           uint32_t wides, struct prvcut_error *err)
{
    pthread_mutex_init(&a->lock, NULL);
    return prvcut_sums_init(&a->sums, grid, sums, wides, err);
}

void prvcut_sums_of_all_fini(struct prvcut_sums_of_all *a)
{
    prvcut_sums_fini(&a->sums);
    pthread_mutex_destroy(&a->lock);
}

/* Bins of a window: with all arrays it is in the cache. So many times as many are worth one. */
#define NEAR  ((size_t)1 << 13)
#define WORTH 2

/* From a bin on; times before the whole grid belong to its first bin, those behind it to its last.
 */
static void sums_lay(struct prvcut_sums *s, size_t first)
{
    const struct prvcut_grid *all = &s->all->sums.grid;
    const size_t most = all->bins - s->grid.bins;

    s->first = first < most ? first : most;
    s->grid.start = all->start + s->first * all->width;
    s->from = s->first > 0 ? s->grid.start : 0;
    s->room = s->first < most ? prvcut_grid_end(&s->grid) - s->from : UINT64_MAX - s->from;
    s->turn = s->first < most ? s->grid.start + s->grid.bins / 4 * 3 * s->grid.width : UINT64_MAX;
}

enum prvcut_status prvcut_sums_init_near(struct prvcut_sums *s, struct prvcut_sums_of_all *all,
                                         uint32_t sums, uint32_t wides, struct prvcut_error *err)
{
    struct prvcut_grid grid = all->sums.grid;
    enum prvcut_status st;

    if (grid.bins < WORTH * NEAR)
        return prvcut_sums_init(s, &grid, sums, wides, err);
    grid.bins = NEAR;
    st = prvcut_sums_init(s, &grid, sums, wides, err);
    if (st < 0)
        return st;
    s->all = all;
    sums_lay(s, 0);
    return PRVCUT_OK;
}

static void sums_move(struct prvcut_sums *s)
{
    struct prvcut_sums *to = &s->all->sums;
    const size_t bins = s->grid.bins + 2;

    for (unsigned i = 0; i < PRVCUT_SUMS; i++) {
        if (!s->at[i] || s->count[i] == 0)
            continue;
        for (size_t k = 0; k < bins; k++)
            to->at[i][s->first + k] += s->at[i][k];
        memset(s->at[i], 0, bins * sizeof *s->at[i]);
    }
    for (unsigned i = 0; i < PRVCUT_WIDES; i++) {
        if (!s->wide[i] || s->wide_count[i] == 0)
            continue;
        for (size_t k = 0; k < bins; k++)
            to->wide[i][s->first + k] += s->wide[i][k];
        memset(s->wide[i], 0, bins * sizeof *s->wide[i]);
    }
}

void prvcut_sums_turn(struct prvcut_sums *s, uint64_t time)
{
    uint64_t offset;
    const size_t bin = prvcut_grid_locate(&s->all->sums.grid, time, &offset),
                 before = s->grid.bins / 4, first = bin > before ? bin - before : 0;
    const size_t most = s->all->sums.grid.bins - s->grid.bins;

    if (s->first == (first < most ? first : most))
        return;
    pthread_mutex_lock(&s->all->lock);
    sums_move(s);
    pthread_mutex_unlock(&s->all->lock);
    sums_lay(s, first);
}

void prvcut_sums_add_far(struct prvcut_sums *s, enum prvcut_sum which, uint64_t begin, uint64_t end)
{
    struct prvcut_sums *to = &s->all->sums;

    pthread_mutex_lock(&s->all->lock);
    prvcut_grid_add(&to->grid, to->at[which], begin, end);
    pthread_mutex_unlock(&s->all->lock);
}

void prvcut_sums_half_far(struct prvcut_sums *s, uint64_t time, bool receive)
{
    struct prvcut_sums *to = &s->all->sums;

    pthread_mutex_lock(&s->all->lock);
    prvcut_grid_step(&to->grid, to->at[PRVCUT_SUM_INFLIGHT], time, receive ? -1 : 1);
    pthread_mutex_unlock(&s->all->lock);
}

void prvcut_sums_add_wide_far(struct prvcut_sums *s, enum prvcut_wide_sum which, uint64_t begin,
                              uint64_t end, uint64_t weight)
{
    struct prvcut_sums *to = &s->all->sums;

    pthread_mutex_lock(&s->all->lock);
    prvcut_grid_add_wide(&to->grid, to->wide[which], begin, end, weight);
    pthread_mutex_unlock(&s->all->lock);
}

/* --- Together --------------------------------------------------------------------------------- */

/* An untouched array stays untouched, since its pages were never given memory: what is the first to
   be merged changes places with it. */

static void sums_merge_one(struct prvcut_sums *s, struct prvcut_sums *more, unsigned i)
{
    int64_t *const old = s->at[i];

    if (s->count[i] == 0) {
        s->at[i] = more->at[i];
        more->at[i] = old;
        return;
    }
    for (size_t k = 0; k < s->grid.bins + 2; k++)
        s->at[i][k] += more->at[i][k];
}

static void sums_merge_wide(struct prvcut_sums *s, struct prvcut_sums *more, unsigned i)
{
    prvcut_wide *const old = s->wide[i];

    if (s->wide_count[i] == 0) {
        s->wide[i] = more->wide[i];
        more->wide[i] = old;
        return;
    }
    for (size_t k = 0; k < s->grid.bins + 2; k++)
        s->wide[i][k] += more->wide[i][k];
}

void prvcut_sums_merge(struct prvcut_sums *s, struct prvcut_sums *more)
{
    s->sends += more->sends;
    s->receives += more->receives;
    if (more->all)
        sums_move(more);
    for (unsigned i = 0; i < PRVCUT_SUMS; i++) {
        if (s->at[i] && more->count[i] > 0 && !more->all)
            sums_merge_one(s, more, i);
        s->count[i] += more->count[i];
    }
    for (unsigned i = 0; i < PRVCUT_WIDES; i++) {
        if (s->wide[i] && more->wide_count[i] > 0 && !more->all)
            sums_merge_wide(s, more, i);
        s->wide_count[i] += more->wide_count[i];
    }
}

/* --- Between processes ------------------------------------------------------------------------ */

void prvcut_sums_put(struct prvcut_put *p, const struct prvcut_sums *s)
{
    const uint64_t ends[] = { s->sends, s->receives, s->met, s->no_room };
    const size_t bins = s->grid.bins + 2;

    prvcut_put_u64(p, bins);
    prvcut_put_u64s(p, ends, 4);
    prvcut_put_u64s(p, s->count, PRVCUT_SUMS);
    prvcut_put_u64s(p, s->wide_count, PRVCUT_WIDES);
    for (unsigned i = 0; i < PRVCUT_SUMS; i++)
        for (size_t k = 0; s->at[i] && s->count[i] > 0 && k < bins; k++)
            prvcut_put_u64(p, (uint64_t)s->at[i][k]);
    for (unsigned i = 0; i < PRVCUT_WIDES; i++)
        for (size_t k = 0; s->wide[i] && s->wide_count[i] > 0 && k < bins; k++) {
            prvcut_put_u64(p, (uint64_t)s->wide[i][k]);
            prvcut_put_u64(p, (uint64_t)(s->wide[i][k] >> 64));
        }
}

static prvcut_wide sums_get_wide(struct prvcut_get *g)
{
    const uint64_t low = prvcut_get_u64(g);

    return (prvcut_wide)(int64_t)prvcut_get_u64(g) * ((prvcut_wide)1 << 64) + low;
}

void prvcut_sums_get(struct prvcut_get *g, struct prvcut_sums *s)
{
    uint64_t ends[4] = { 0 }, count[PRVCUT_SUMS] = { 0 }, wide[PRVCUT_WIDES] = { 0 };
    const size_t bins = s->grid.bins + 2;

    prvcut_get_check(g, prvcut_get_u64(g) == bins);
    prvcut_get_u64s(g, ends, 4);
    prvcut_get_u64s(g, count, PRVCUT_SUMS);
    prvcut_get_u64s(g, wide, PRVCUT_WIDES);
    s->sends += ends[0];
    s->receives += ends[1];
    s->met += ends[2];
    s->no_room |= ends[3] > 0;
    for (unsigned i = 0; i < PRVCUT_SUMS && !g->bad; i++) {
        s->count[i] += count[i];
        for (size_t k = 0; s->at[i] && count[i] > 0 && k < bins; k++)
            s->at[i][k] += (int64_t)prvcut_get_u64(g);
    }
    for (unsigned i = 0; i < PRVCUT_WIDES && !g->bad; i++) {
        s->wide_count[i] += wide[i];
        for (size_t k = 0; s->wide[i] && wide[i] > 0 && k < bins; k++)
            s->wide[i][k] += sums_get_wide(g);
    }
}

void prvcut_sums_clear(struct prvcut_sums *s)
{
    const size_t bins = s->grid.bins + 2;

    s->sends = s->receives = s->met = 0;
    s->no_room = false;
    for (unsigned i = 0; i < PRVCUT_SUMS; i++)
        if (s->at[i] && s->count[i] > 0)
            memset(s->at[i], 0, bins * sizeof *s->at[i]);
    for (unsigned i = 0; i < PRVCUT_WIDES; i++)
        if (s->wide[i] && s->wide_count[i] > 0)
            memset(s->wide[i], 0, bins * sizeof *s->wide[i]);
    memset(s->count, 0, sizeof s->count);
    memset(s->wide_count, 0, sizeof s->wide_count);
}

/* Ends that are recorded apart tell what is in flight only if nearly all of both are recorded. */
#define HALVES_MISSING 0.1

bool prvcut_sums_lack_ends(const struct prvcut_sums *s)
{
    const double sends = (double)s->sends, receives = (double)s->receives;

    return receives < (1 - HALVES_MISSING) * sends || receives > (1 + HALVES_MISSING) * sends;
}

void prvcut_sums_flights(struct prvcut_sums *s, struct prvcut_sums *whole)
{
    int64_t *const halves = s->at[PRVCUT_SUM_INFLIGHT];
    prvcut_wide *const none = s->wide[PRVCUT_WIDE_BYTES];

    s->met = whole->met;
    s->at[PRVCUT_SUM_INFLIGHT] = whole->at[PRVCUT_SUM_INFLIGHT];
    s->count[PRVCUT_SUM_INFLIGHT] = whole->count[PRVCUT_SUM_INFLIGHT];
    s->wide[PRVCUT_WIDE_BYTES] = whole->wide[PRVCUT_WIDE_BYTES];
    s->wide_count[PRVCUT_WIDE_BYTES] = whole->wide_count[PRVCUT_WIDE_BYTES];
    whole->at[PRVCUT_SUM_INFLIGHT] = halves;
    whole->wide[PRVCUT_WIDE_BYTES] = none;
}

/* Integrals of bins that are so many times as wide. */
static void sums_widen(struct prvcut_sums *s, size_t times)
{
    for (unsigned i = 0; i < PRVCUT_SUMS; i++)
        for (size_t k = 1; s->at[i] && s->count[i] > 0 && k < s->grid.bins; k++)
            if (k % times > 0)
                s->at[i][k / times] += s->at[i][k];
            else
                s->at[i][k / times] = s->at[i][k];
    for (unsigned i = 0; i < PRVCUT_WIDES; i++)
        for (size_t k = 1; s->wide[i] && s->wide_count[i] > 0 && k < s->grid.bins; k++)
            if (k % times > 0)
                s->wide[i][k / times] += s->wide[i][k];
            else
                s->wide[i][k / times] = s->wide[i][k];
}

void prvcut_sums_finish(struct prvcut_sums *s, const struct prvcut_grid *grid)
{
    for (unsigned i = 0; i < PRVCUT_SUMS; i++)
        for (size_t k = 1; s->at[i] && s->count[i] > 0 && k < s->grid.bins; k++)
            s->at[i][k] += s->at[i][k - 1];
    for (unsigned i = 0; i < PRVCUT_WIDES; i++)
        for (size_t k = 1; s->wide[i] && s->wide_count[i] > 0 && k < s->grid.bins; k++)
            s->wide[i][k] += s->wide[i][k - 1];
    if (grid->width > s->grid.width)
        sums_widen(s, (size_t)(grid->width / s->grid.width));
    s->grid = *grid;
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
