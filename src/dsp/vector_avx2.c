/* vector.c once more, compiled for processors with AVX2 (see CMakeLists.txt). */
#ifdef __AVX2__
#define VECTOR_LOOPS prvcut_vector_avx2
#include "dsp/vector.c"
#else
#include "dsp/vector.h"
#endif
