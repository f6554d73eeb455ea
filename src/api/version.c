#include "prvcut/inspect.h"

#include "dsp/library.h"
#include "model/formats.h"

#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <zlib.h>
#include <zstd.h>

const char *prvcut_version(void)
{
    return PRVCUT_VERSION;
}

/* Written once, before its first reader sees it; constant from then on. */
static char built_with[1024];

static void write_built_with(void)
{
    const char *const library[][2] = { { "FFTW", prvcut_dsp_library() },
                                       { "zstd", ZSTD_versionString() },
                                       { "zlib", zlibVersion() },
                                       { "jansson", jansson_version_str() } };
    size_t used = 0;

    for (size_t i = 0; i < sizeof library / sizeof *library && used < sizeof built_with; i++)
        used += (size_t)snprintf(built_with + used, sizeof built_with - used, "%-8s %s\n",
                                 library[i][0], library[i][1]);
    for (size_t i = 0; prvcut_readers[i] && used < sizeof built_with; i++)
        used += (size_t)snprintf(built_with + used, sizeof built_with - used, "format   %s (%s)\n",
                                 prvcut_readers[i]->name, prvcut_readers[i]->summary);
}

const char *prvcut_built_with(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, write_built_with);
    return built_with;
}
