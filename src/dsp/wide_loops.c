#include "dsp/wide.h"

const struct prvcut_wide *prvcut_wide_loops(void)
{
#if defined(__x86_64__) && defined(PRVCUT_AVX2)
    if (__builtin_cpu_supports("avx2"))
        return &prvcut_wide_avx2;
#endif
    return &prvcut_wide_any;
}
