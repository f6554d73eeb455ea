#include "dsp/vector.h"

const struct prvcut_vector *prvcut_vector_loops(void)
{
#if defined(__x86_64__) && defined(PRVCUT_AVX2)
    if (__builtin_cpu_supports("avx2"))
        return &prvcut_vector_avx2;
#endif
    return &prvcut_vector_any;
}
