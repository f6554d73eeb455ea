#include "structure/signal_candidates.h"

#include "base/checked.h"
#include "base/inner.h"
#include "base/memory.h"
#include "dsp/peaks.h"
#include "dsp/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* samples whose products are summed once and shared by all stretches */
    BLOCK = PRVCUT_VECTOR_BLOCK,
    LEAST_BLOCKS = 5, /* of a stretch: 2.5 to 5 periods */
    STRETCHES = 256,  /* of one length (without overlap): no shorter loop is asked for */
    WINDOW = 1 << 17, /* longer levels are searched where they are busiest only */
};

/* What noise reaches in n / 2 independent samples, in standard deviations, counts for nothing. */
static const double chance_deviations = 1;
/* Twice as long a period outweighs a loss of score of 7 %: the outermost loop is wanted. */
static const double outer_preference = 0.1;

static const double least_gain = 0.03;

/** One level, whitened, with the sums that any stretch of blocks is put together from. */
struct comb {
    const struct signal_scales *scales;
    size_t level, n, blocks;
    size_t offset;   /* of at in the level */
    float *at;       /* [n]; precise enough within a block, and twice as fast */
    double *white;   /* [n] */
    double *scratch; /* [n + 1]: running sums, at last of at squared */
    double *product; /* [blocks + 1][SIGNAL_LAGS]: sum of at[i] * at[i + lag], i before the block */
};

/** Start of the window of a long level in which most happens. */
static size_t sgc_busiest(const struct signal_scales *s, size_t level)
{
    const size_t n = s->bins[level];
    size_t best = 0;
    double most = -1;

    for (size_t from = 0; from + WINDOW <= n; from += WINDOW / 8) {
        const double share =
            prvcut_signal_scales_share(s, level, (double)from, (double)(from + WINDOW));

        if (share > most) {
            most = share;
            best = from;
        }
    }
    return best;
}

static void sgc_fill_comb(struct comb *c, const struct signal_scales *scales, size_t level)
{
    c->scales = scales;
    c->level = level;
    c->n = scales->bins[level] < WINDOW ? scales->bins[level] : WINDOW;
    c->offset = c->n < WINDOW ? 0 : sgc_busiest(scales, level);
    c->blocks = (c->n + BLOCK - 1) / BLOCK;
    prvcut_signal_whiten(c->white, scales->level[level] + c->offset, c->n, 2 * SIGNAL_BAND,
                         c->scratch);
    c->scratch[0] = 0;
    for (size_t i = 0; i < c->n; i++) {
        c->at[i] = (float)c->white[i];
        c->scratch[i + 1] = c->scratch[i] + c->white[i] * c->white[i];
    }
    prvcut_inner_reads(c->at, c->n * sizeof *c->at);
    prvcut_inner_reads(c->product, (c->blocks + 1) * SIGNAL_LAGS * sizeof *c->product);
    prvcut_vector_loops()->lags(c->product, c->at, c->n);
}

/** Correlation of a stretch of blocks with the samples lag later. */
static void sgc_correlate(double *r, const struct comb *c, size_t first, size_t last)
{
    const double *low = c->product + first * SIGNAL_LAGS, *high = c->product + last * SIGNAL_LAGS;
    const size_t from = first * BLOCK, to = last * BLOCK;
    const double hush = signal_hush * (double)(to - from);

    if (to + SIGNAL_LAGS <= c->n) {
        prvcut_inner_reads(low, SIGNAL_LAGS * sizeof *low);
        prvcut_inner_reads(high, SIGNAL_LAGS * sizeof *high);
        prvcut_inner_reads(c->scratch + from, SIGNAL_LAGS * sizeof *c->scratch);
        prvcut_inner_reads(c->scratch + to, SIGNAL_LAGS * sizeof *c->scratch);
        prvcut_vector_loops()->coefficients(r, low, high, c->scratch, from, to, hush);
        return;
    }
    for (size_t lag = 0; lag < SIGNAL_LAGS; lag++) {
        const size_t end = to + lag < c->n ? to : c->n > lag ? c->n - lag : 0;
        const double head = end > from ? c->scratch[end] - c->scratch[from] : 0;
        const double tail = end > from ? c->scratch[end + lag] - c->scratch[from + lag] : 0;

        r[lag] = (high[lag] - low[lag]) / sqrt((head + hush) * (tail + hush));
    }
}

/** Largest of r between the end of its central lobe and 0.8 of the lag. */
static double sgc_best_shorter(const double *r, size_t lag)
{
    size_t k = 1;
    double best = 0;

    while (k < lag && r[k] > 0 && r[k + 1] <= r[k])
        k++;
    for (; 5 * k <= 4 * lag; k++)
        best = fmax(best, r[k]);
    return best;
}

/** The same lag, a like stretch: only the better one is kept. */
static bool sgc_is_same(const struct signal_candidate *a, const struct signal_candidate *b)
{
    const double ratio = ldexp(a->lag, (int)a->level) / ldexp(b->lag, (int)b->level);

    return ratio > 0.93 && ratio < 1.07;
}

static void sgc_enlist(struct signal_shortlist *list, const struct signal_candidate *c)
{
    size_t place = 0;

    while (place < list->count && !sgc_is_same(&list->at[place], c))
        place++;
    if (place < list->count) {
        if (list->at[place].score >= c->score)
            return;
    } else if (list->count < SIGNAL_CANDIDATES) {
        list->count++;
    } else if (list->at[--place].score >= c->score) {
        return;
    }
    for (; place > 0 && list->at[place - 1].score < c->score; place--)
        list->at[place] = list->at[place - 1];
    list->at[place] = *c;
}

static void sgc_judge(struct signal_shortlist *list, const struct comb *c, const double *r,
                      const size_t stretch[2])
{
    for (size_t k = SIGNAL_BAND; k < 2 * SIGNAL_BAND + 2; k++) {
        struct signal_candidate found = { .level = c->level, .from = stretch[0], .to = stretch[1] };
        double periods, chance;

        if (!(r[k] > r[k - 1] && r[k] >= r[k + 1] && r[k] > 0.15))
            continue;
        prvcut_parabola(r[k - 1], r[k], r[k + 1], &found.lag, &found.likeness);
        found.lag += (double)k;
        found.gain = found.likeness - sgc_best_shorter(r, k);
        periods = (double)(stretch[1] - stretch[0]) / found.lag;
        chance = chance_deviations / sqrt(0.5 * (double)(stretch[1] - stretch[0]));
        if (found.likeness <= chance)
            continue;
        found.score = (found.likeness - chance) *
                      pow(ldexp(found.lag, (int)c->level), outer_preference) *
                      sqrt(prvcut_signal_scales_share(c->scales, c->level, (double)stretch[0],
                                                      (double)stretch[1]));
        if (found.gain > least_gain && periods >= 2.5)
            sgc_enlist(list, &found);
    }
}

/** All stretches of `length` blocks, each a quarter of that after the one before. */
static void sgc_scan(struct signal_shortlist *list, const struct comb *c, size_t length)
{
    const size_t step = length > 4 ? length / 4 : 1;
    double r[SIGNAL_LAGS];

    for (size_t first = 0; first + length <= c->blocks; first += step) {
        const size_t end = (first + length) * BLOCK;

        sgc_correlate(r, c, first, first + length);
        sgc_judge(list, c, r,
                  (size_t[2]){ c->offset + first * BLOCK, c->offset + (end < c->n ? end : c->n) });
    }
}

static void scan_level(struct signal_shortlist *list, const struct comb *c)
{
    size_t length = LEAST_BLOCKS;

    while (length < c->blocks / STRETCHES)
        length *= 2;
    for (; length < c->blocks; length *= 2)
        sgc_scan(list, c, length);
    sgc_scan(list, c, c->blocks);
}

enum prvcut_status prvcut_signal_candidates_find(struct signal_shortlist *out,
                                                 const struct signal_scales *scales,
                                                 struct prvcut_error *err)
{
    const size_t all = scales->levels > 0 ? scales->bins[0] : 0, n = all < WINDOW ? all : WINDOW;
    struct comb c = { 0 };
    enum prvcut_status st = PRVCUT_OK;

    out->count = 0;
    if (n == 0)
        return PRVCUT_OK;
    c.at = prvcut_unset(n, sizeof *c.at, "correlating a signal", err);
    c.white = prvcut_unset(n, sizeof *c.white, "correlating a signal", err);
    c.scratch = prvcut_unset(n + 1, sizeof *c.scratch, "correlating a signal", err);
    c.product =
        prvcut_unset((n / BLOCK + 2) * SIGNAL_LAGS, sizeof *c.product, "correlating a signal", err);
    if (!c.at || !c.white || !c.scratch || !c.product)
        st = PRVCUT_ENOMEM;
    for (size_t level = 0; st == PRVCUT_OK && level < scales->levels; level++) {
        sgc_fill_comb(&c, scales, level);
        scan_level(out, &c);
    }
    free(c.at);
    free(c.white);
    free(c.scratch);
    free(c.product);
    return st;
}
