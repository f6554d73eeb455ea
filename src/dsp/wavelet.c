#include "dsp/wavelet.h"

#include "base/memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static enum prvcut_status wavelet_room(double **out, size_t n, unsigned levels,
                                       struct prvcut_error *err)
{
    *out = NULL;
    if (levels >= sizeof n * 8 || n % ((size_t)1 << levels) != 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%zu samples cannot be halved %u times", n, levels);
    *out = prvcut_unset(n, sizeof **out, "samples of a wavelet", err);
    return *out ? PRVCUT_OK : PRVCUT_ENOMEM;
}

enum prvcut_status prvcut_haar(double *at, size_t n, unsigned levels, struct prvcut_error *err)
{
    const double half = sqrt(0.5);
    double *scratch;
    enum prvcut_status st = wavelet_room(&scratch, n, levels, err);

    if (st != PRVCUT_OK)
        return st;
    for (size_t m = n / 2; levels > 0; levels--, m /= 2) {
        for (size_t i = 0; i < m; i++) {
            scratch[i] = (at[2 * i] + at[2 * i + 1]) * half;
            scratch[m + i] = (at[2 * i] - at[2 * i + 1]) * half;
        }
        memcpy(at, scratch, 2 * m * sizeof *at);
    }
    free(scratch);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_haar_inverse(double *at, size_t n, unsigned levels,
                                       struct prvcut_error *err)
{
    const double half = sqrt(0.5);
    double *scratch;
    enum prvcut_status st = wavelet_room(&scratch, n, levels, err);

    if (st != PRVCUT_OK)
        return st;
    for (unsigned level = levels; level > 0; level--) {
        const size_t m = n >> level;

        for (size_t i = 0; i < m; i++) {
            scratch[2 * i] = (at[i] + at[m + i]) * half;
            scratch[2 * i + 1] = (at[i] - at[m + i]) * half;
        }
        memcpy(at, scratch, 2 * m * sizeof *at);
    }
    free(scratch);
    return PRVCUT_OK;
}
