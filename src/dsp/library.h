#ifndef PRVCUT_DSP_LIBRARY_H
#define PRVCUT_DSP_LIBRARY_H

/** The FFT library and its version, as it calls itself: "fftw-3.3.10-sse2-avx". */
const char *prvcut_dsp_library(void);

#endif
