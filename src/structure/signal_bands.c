#include "structure/signal_bands.h"

#include "base/inner.h"
#include "base/memory.h"
#include "dsp/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A loop repeats at least three times in 16 samples each. */
enum { LEAST_BINS = 3 * SIGNAL_BAND };

/** Quieter than this share of the whole signal's variation is not amplified any further. */
static const double loudness_floor = 0.1;

/** A signal that varies by less than this share of itself is still. */
static const double still = 2e-3;

/** Mean square over squared mean of what is not zero, from which values span decades. */
static const double decades = 3;

/** First bin that starts at or after a time; bins of the signal at most. */
static size_t sgb_bin_after(const struct prvcut_signal *in, uint64_t time)
{
    const uint64_t since = time > in->start ? time - in->start : 0;
    const uint64_t bin = since / in->width + (since % in->width != 0);

    return bin < in->bins ? (size_t)bin : in->bins;
}

/** Values that span decades are compressed twice: a long burst is not to outweigh all others. */
static bool sgb_spans_decades(const struct prvcut_signal *in)
{
    double count = 0, sum = 0, square = 0;

    for (size_t i = 0; i < in->bins; i++)
        if (in->at[i] > 0) {
            const double x = in->at[i] < 1e60 ? in->at[i] : 1e60;

            count++;
            sum += x;
            square += x * x;
        }
    return count * square > decades * sum * sum;
}

/** Copy what no mask touches, note what was left out; returns the number of samples kept. */
static size_t sgb_keep(struct signal_scales *out, const struct prvcut_signal *in,
                       const struct prvcut_span *mask, size_t masks)
{
    const bool twice = sgb_spans_decades(in);
    size_t count = 0, from = 0;

    for (size_t m = 0; m <= masks; m++) {
        size_t to = in->bins;

        if (m < masks) {
            to = sgb_bin_after(in, mask[m].start);
            to -= to > 0 && to * in->width + in->start > mask[m].start;
        }
        if (to > from || m == 0) {
            out->kept[2 * out->pieces] = count;
            out->kept[2 * out->pieces++ + 1] = from - count;
        }
        if (from < to) {
            prvcut_vector_loops()->roots(out->level[0] + count, in->at + from, to - from, twice);
            count += to - from;
            from = to;
        }
        if (m < masks && sgb_bin_after(in, mask[m].end) > from)
            from = sgb_bin_after(in, mask[m].end);
    }
    return count;
}

/** The finest Haar details that are not zero: the wavelet's answer to where something happens. */
static void sgb_count_edges(struct signal_scales *s)
{
    const double *at = s->level[0];

    s->edges[0] = 0;
    for (size_t i = 0; i < s->bins[0] / 2; i++) {
        const double *pair = at + 2 * i;

        s->edges[i + 1] = s->edges[i] + (fabs(pair[0] - pair[1]) > 1e-9 * pair[0]) +
                          (2 * i + 2 < s->bins[0] && fabs(pair[1] - pair[2]) > 1e-9 * pair[1]);
    }
}

static enum prvcut_status sgb_make_room(struct signal_scales *out, size_t bins, size_t masks,
                                        struct prvcut_error *err)
{
    out->level = prvcut_zeroed(sizeof bins * 8, sizeof *out->level, "scales of a signal", err);
    out->bins = prvcut_zeroed(sizeof bins * 8, sizeof *out->bins, "scales of a signal", err);
    out->kept = prvcut_zeroed(masks + 1, 2 * sizeof *out->kept, "scales of a signal", err);
    out->edges = prvcut_unset(bins / 2 + 1, sizeof *out->edges, "scales of a signal", err);
    /* All levels in one block: each is half of the one before. */
    if (out->level)
        out->level[0] = prvcut_unset(bins, 2 * sizeof **out->level, "bins", err);
    return out->level && out->level[0] && out->bins && out->kept && out->edges ? PRVCUT_OK
                                                                               : PRVCUT_ENOMEM;
}

/** Leave out what is like the bin before it, and remember where the others were. */
static enum prvcut_status sgb_keep_changes(struct signal_scales *out, struct prvcut_error *err)
{
    double *at = out->level[0], last = -1;
    size_t count = 0;

    out->bin = prvcut_unset(out->bins[0] + 1, sizeof *out->bin, "changes", err);
    if (!out->bin)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < out->bins[0]; i++) {
        if (fabs(at[i] - last) <= 1e-9 * at[i])
            continue;
        last = at[i];
        out->bin[count] = (uint32_t)i;
        at[count++] = at[i];
    }
    out->bin[count] = (uint32_t)out->bins[0];
    out->bins[0] = count;
    return PRVCUT_OK;
}

PRVCUT_INNER static void bands_halve(double *restrict out, const double *restrict in, size_t half)
{
    for (size_t i = 0; i < half; i++)
        out[i] = 0.5 * (in[2 * i] + in[2 * i + 1]);
}

static void sgb_average_down(struct signal_scales *out)
{
    for (out->levels = 0; out->bins[out->levels] >= LEAST_BINS; out->levels++) {
        const size_t l = out->levels, half = out->bins[l] / 2;

        out->level[l + 1] = out->level[l] + out->bins[l];
        out->bins[l + 1] = half;
        prvcut_inner_reads(out->level[l], 2 * half * sizeof **out->level);
        prvcut_inner_reads(out->level[l + 1], half * sizeof **out->level);
        bands_halve(out->level[l + 1], out->level[l], half);
    }
}

static enum prvcut_status sgb_scales_init(struct signal_scales *out, const struct prvcut_signal *in,
                                          const struct prvcut_span *mask, size_t masks,
                                          bool changes, struct prvcut_error *err)
{
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    out->start = in->start;
    out->width = in->width;
    if (!in->at || in->bins < LEAST_BINS || in->width == 0)
        return PRVCUT_OK;
    st = sgb_make_room(out, in->bins, masks, err);
    if (st == PRVCUT_OK)
        out->bins[0] = sgb_keep(out, in, mask, masks);
    if (st == PRVCUT_OK && changes)
        st = sgb_keep_changes(out, err);
    if (st != PRVCUT_OK) {
        prvcut_signal_scales_fini(out);
        return st;
    }
    sgb_count_edges(out);
    sgb_average_down(out);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_signal_scales_init(struct signal_scales *out,
                                             const struct prvcut_signal *in,
                                             const struct prvcut_span *mask, size_t masks,
                                             struct prvcut_error *err)
{
    return sgb_scales_init(out, in, mask, masks, false, err);
}

enum prvcut_status prvcut_signal_scales_of_changes(struct signal_scales *out,
                                                   const struct prvcut_signal *in,
                                                   const struct prvcut_span *mask, size_t masks,
                                                   struct prvcut_error *err)
{
    return sgb_scales_init(out, in, mask, masks, true, err);
}

/** Pseudorandom, the same in every run: multiplier and increment of Knuth's MMIX. */
static size_t sgb_draw(uint64_t *seed, size_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((*seed >> 33) % below);
}

void prvcut_signal_scales_shuffle(struct signal_scales *s, uint64_t seed)
{
    const size_t pairs = s->levels > 0 ? s->bins[0] / 2 : 0;
    double *at = s->levels > 0 ? s->level[0] : NULL;

    for (size_t i = pairs; i > 1; i--) {
        const size_t k = sgb_draw(&seed, i);
        const double pair[2] = { at[2 * k], at[2 * k + 1] };

        memcpy(at + 2 * k, at + 2 * (i - 1), sizeof pair);
        memcpy(at + 2 * (i - 1), pair, sizeof pair);
    }
    if (pairs > 0)
        sgb_average_down(s);
}

void prvcut_signal_scales_fini(struct signal_scales *s)
{
    if (s->level)
        free(s->level[0]);
    free(s->level);
    free(s->bins);
    free(s->kept);
    free(s->edges);
    free(s->bin);
    memset(s, 0, sizeof *s);
}

double prvcut_signal_scales_share(const struct signal_scales *s, size_t level, double from,
                                  double to)
{
    const size_t pairs = s->bins[0] / 2;
    const double all = (double)s->edges[pairs], last = (double)pairs;
    const size_t low = (size_t)fmin(last, fmax(0, ldexp(from, (int)level - 1)));
    const size_t high = (size_t)fmin(last, fmax(0, ldexp(to, (int)level - 1)));

    return all > 0 && high > low ? (double)(s->edges[high] - s->edges[low]) / all : 0;
}

/** Place among the kept bins. */
static double sgb_kept_bin(const struct signal_scales *s, size_t level, double place)
{
    const double sample = fmax(0, ldexp(place, (int)level)), last = (double)s->bins[0];
    size_t i;

    if (!s->bin)
        return sample;
    i = (size_t)fmin(sample, last);
    if (i >= s->bins[0])
        return (double)s->bin[s->bins[0]];
    return (double)s->bin[i] + (sample - (double)i) * (double)(s->bin[i + 1] - s->bin[i]);
}

double prvcut_signal_scales_elapsed(const struct signal_scales *s, size_t level, double place)
{
    return sgb_kept_bin(s, level, place) * (double)s->width;
}

uint64_t prvcut_signal_scales_time(const struct signal_scales *s, size_t level, double place)
{
    double bin = sgb_kept_bin(s, level, place);
    size_t p = s->pieces;

    while (p > 1 && (double)s->kept[2 * (p - 1)] > bin)
        p--;
    if (p > 0)
        bin += (double)s->kept[2 * (p - 1) + 1];
    return s->start + (uint64_t)(bin * (double)s->width);
}

void prvcut_signal_whiten(double *out, const double *in, size_t n, size_t reach, double *scratch)
{
    prvcut_inner_reads(in, n * sizeof *in);
    prvcut_inner_reads(out, n * sizeof *out);
    prvcut_inner_reads(scratch, (n + 1) * sizeof *scratch);
    prvcut_vector_loops()->whiten(out, in, n, reach, scratch, still, loudness_floor);
}
