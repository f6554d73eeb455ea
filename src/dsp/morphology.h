#ifndef PRVCUT_DSP_MORPHOLOGY_H
#define PRVCUT_DSP_MORPHOLOGY_H

#include "base/error.h"

/**
 * Flat morphological filters; time O(n) whatever the width.
 *
 * shape   in, out: n samples, any n (also 0); width >= 1 samples. Erosion takes the least of the
 *         width samples from i - width / 2 on; dilation the largest of the mirrored window. Samples
 *         outside [0, n) do not exist, so erosion and dilation are adjoint at the borders too.
 * owns    out is the caller's room; it may be in
 * errors  PRVCUT_EUSAGE: width is 0; PRVCUT_ENOMEM
 * source  mathematical morphology as in Casas 3.5.1; sliding extremum by a monotonic queue
 */
enum prvcut_status prvcut_erode(double *out, const double *in, size_t n, size_t width,
                                struct prvcut_error *err);
enum prvcut_status prvcut_dilate(double *out, const double *in, size_t n, size_t width,
                                 struct prvcut_error *err);

/** Erosion, then dilation: removes what is higher but shorter than width. As prvcut_erode. */
enum prvcut_status prvcut_opening(double *out, const double *in, size_t n, size_t width,
                                  struct prvcut_error *err);

/** Dilation, then erosion: fills what is lower but shorter than width. As prvcut_erode. */
enum prvcut_status prvcut_closing(double *out, const double *in, size_t n, size_t width,
                                  struct prvcut_error *err);

#endif
