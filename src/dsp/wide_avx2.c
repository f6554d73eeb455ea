/* wide.c once more, compiled for processors with AVX2 (see CMakeLists.txt). */
#ifdef __AVX2__
#define WIDE_LOOPS prvcut_wide_avx2
#include "dsp/wide.c"
#else
#include "dsp/wide.h"
#endif
