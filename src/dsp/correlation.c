#include "dsp/correlation.h"

#include "base/inner.h"
#include "base/memory.h"
#include "dsp/vector.h"

#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* FFTW plans through one hidden global state of its own; this lock is its guard, and ours only
 * because FFTW offers none without its thread library. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static const double two_pi = 6.283185307179586476925;

void prvcut_detrend(double *at, size_t n)
{
    const double middle = n > 0 ? ((double)n - 1) / 2 : 0;
    double mean = 0, slope = 0, square = 0;

    for (size_t i = 0; i < n; i++)
        mean += at[i];
    mean /= n > 0 ? (double)n : 1;
    for (size_t i = 0; i < n; i++) {
        const double x = (double)i - middle;

        slope += x * (at[i] - mean);
        square += x * x;
    }
    slope = square > 0 ? slope / square : 0;
    for (size_t i = 0; i < n; i++)
        at[i] -= mean + slope * ((double)i - middle);
}

/* Below this many samples planning takes longer than transforming, and a power of two is planned
 * nine times as fast as what has other factors. */
static const size_t planned_long = (size_t)1 << 20;

/** Smallest 2^a 3^b 5^c that is even and >= n, or power of two: sizes at which the FFT is fast. */
static size_t corr_fast_size(size_t n)
{
    size_t best = 2;

    while (best < n)
        best *= 2;
    if (best <= planned_long)
        return best;
    for (size_t five = 1; five < best; five *= 5)
        for (size_t three = five; three < best; three *= 3) {
            size_t m = 2 * three;

            while (m < n)
                m *= 2;
            if (m < best)
                best = m;
        }
    return best;
}

/* Up to this many products summing them is faster than planning and transforming. */
static const size_t summed_most = (size_t)1 << 21;

/** out[k] = sum of x[i] * x[i + k]; x: n samples, then at least lags zeros. */
static void correlation_sum(double *out, size_t lags, const double *x, size_t n)
{
    prvcut_inner_reads(x, (n + lags - 1) * sizeof *x);
    prvcut_inner_reads(out, lags * sizeof *out);
    prvcut_vector_loops()->match(out, lags, x, x, n);
}

/** In place: real at[size + 2] becomes its circular autocorrelation, times size. */
static bool corr_square_spectrum(double *at, size_t size)
{
    fftw_complex *spectrum = (fftw_complex *)at;
    fftw_plan there, back;

    pthread_mutex_lock(&planner);
    there = fftw_plan_dft_r2c_1d((int)size, at, spectrum, FFTW_ESTIMATE);
    back = fftw_plan_dft_c2r_1d((int)size, spectrum, at, FFTW_ESTIMATE);
    pthread_mutex_unlock(&planner);
    if (there && back) {
        fftw_execute(there);
        for (size_t i = 0; i <= size / 2; i++)
            spectrum[i] = creal(spectrum[i] * conj(spectrum[i]));
        fftw_execute(back);
    }
    pthread_mutex_lock(&planner);
    fftw_destroy_plan(there);
    fftw_destroy_plan(back);
    pthread_mutex_unlock(&planner);
    return there && back;
}

/** Divide by the energies of the two overlapping parts; x is the detrended signal. */
static void corr_normalise(double *out, size_t lags, const double *x, size_t n, const double *sum)
{
    double all = 0, head, tail, floor;

    for (size_t i = 0; i < n; i++)
        all += x[i] * x[i];
    floor = all * 1e-12; /* what rounding leaves of an overlap without variance */
    head = tail = all;
    for (size_t k = 0; k < lags; k++) {
        const double scale = head > floor && tail > floor ? sqrt(head) * sqrt(tail) : 0;

        out[k] = scale > 0 ? fmin(1, fmax(-1, sum[k] / scale)) : 0;
        head -= x[n - 1 - k] * x[n - 1 - k];
        tail -= x[k] * x[k];
    }
}

/** True when the variance is nothing but rounding. */
static bool corr_is_flat(const double *x, const double *in, size_t n)
{
    double left = 0, all = 0;

    for (size_t i = 0; i < n; i++) {
        left += x[i] * x[i];
        all += in[i] * in[i];
    }
    return left <= all * 1e-24 || left <= 0;
}

enum prvcut_status prvcut_autocorrelate(double *out, size_t lags, const double *in, size_t n,
                                        struct prvcut_error *err)
{
    double *x, *sum;
    size_t size;
    bool done = true, summed;

    if (lags > n || n > (size_t)1 << 29)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%zu lags of %zu samples", lags, n);
    if (lags == 0)
        return PRVCUT_OK;
    summed = lags <= summed_most / n;
    size = summed ? n + lags : corr_fast_size(n + lags);
    x = prvcut_unset(n, sizeof *x, "correlating samples", NULL);
    sum = fftw_malloc((size + 2) * sizeof *sum);
    if (x && sum) {
        memcpy(x, in, n * sizeof *x);
        prvcut_detrend(x, n);
        memset(out, 0, lags * sizeof *out);
        if (!corr_is_flat(x, in, n)) {
            memcpy(sum, x, n * sizeof *x);
            memset(sum + n, 0, (size + 2 - n) * sizeof *sum);
            if (summed) {
                correlation_sum(out, lags, sum, n);
                memcpy(sum, out, lags * sizeof *sum);
            } else {
                done = corr_square_spectrum(sum, size);
                for (size_t k = 0; k < lags; k++)
                    sum[k] /= (double)size;
            }
            corr_normalise(out, lags, x, n, sum);
        }
    }
    done = done && x && sum;
    free(x);
    fftw_free(sum);
    return done ? PRVCUT_OK : prvcut_no_memory(err, "correlating samples");
}

/** Running sums of x, x^2 and x times a turning unit vector, of the samples before i. */
struct running {
    double sum, square, sine, cosine;
};

static void corr_running_sums(struct running *run, const double *in, size_t n, double turn)
{
    double mean = 0;

    for (size_t i = 0; i < n; i++)
        mean += in[i] / (double)n;
    run[0] = (struct running){ 0 };
    for (size_t i = 0; i < n; i++) {
        const double x = in[i] - mean, angle = turn * (double)i;

        run[i + 1] =
            (struct running){ run[i].sum + x, run[i].square + x * x, run[i].sine + x * sin(angle),
                              run[i].cosine + x * cos(angle) };
    }
}

/** Sum and sum of squares of sin(turn * j), j < length. */
static void corr_sine_sums(double out[2], double turn, size_t length)
{
    out[0] = out[1] = 0;
    for (size_t j = 0; j < length; j++) {
        const double s = sin(turn * (double)j);

        out[0] += s;
        out[1] += s * s;
    }
}

enum prvcut_status prvcut_sine_match(double *out, size_t *count, const double *in, size_t n,
                                     double period, unsigned periods, struct prvcut_error *err)
{
    const double exact = floor(period * periods + 0.5), turn = two_pi / period;
    struct running *run;
    double wave[2], floor_square;
    size_t length;

    *count = 0;
    if (!(period >= 2) || periods == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%u sine periods of %g samples", periods, period);
    if (exact > (double)n)
        return PRVCUT_OK;
    length = (size_t)exact;
    run = prvcut_unset(n + 1, sizeof *run, "samples to correlate", err);
    if (!run)
        return PRVCUT_ENOMEM;
    corr_running_sums(run, in, n, turn);
    corr_sine_sums(wave, turn, length);
    floor_square = run[n].square * 1e-12;
    *count = n - length + 1;
    for (size_t t = 0; t < *count; t++) {
        const struct running *a = run + t, *b = run + t + length;
        const double angle = turn * (double)t, mean = (b->sum - a->sum) / (double)length;
        const double square = b->square - a->square - mean * (b->sum - a->sum);
        const double product = (b->sine - a->sine) * cos(angle) -
                               (b->cosine - a->cosine) * sin(angle) - mean * wave[0];
        const double energy = wave[1] - wave[0] * wave[0] / (double)length;

        out[t] = square > floor_square && square > 0
                     ? fmin(1, fmax(-1, product / sqrt(square * energy)))
                     : 0;
    }
    free(run);
    return PRVCUT_OK;
}
