#include "dsp/library.h"

#include <fftw3.h>

const char *prvcut_dsp_library(void)
{
    return fftw_version;
}
