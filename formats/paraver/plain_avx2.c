/* plain.c once more, compiled for processors with AVX2 and BMI2 (see CMakeLists.txt). */
#ifdef __AVX2__
#define prv_plain_lines prv_plain_lines_avx2
#include "paraver/plain.c"
#else
#include "paraver/plain.h"
#endif
