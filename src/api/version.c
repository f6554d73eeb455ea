#include "prvcut/inspect.h"

#include "database/database.h"
#include "dsp/library.h"
#include "model/formats.h"

#include <archive.h>
#include <jansson.h>
#include <libxml/xmlversion.h>
#include <nettle/version.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

const char *prvcut_version(void)
{
    return PRVCUT_VERSION;
}

/* Written once, before its first reader sees it; constant from then on. */
static char built_with[2048];

__attribute__((format(printf, 1, 2))) static void ver_add(const char *format, ...)
{
    const size_t used = strlen(built_with);
    va_list args;

    va_start(args, format);
    vsnprintf(built_with + used, sizeof built_with - used, format, args);
    va_end(args);
}

static void ver_libraries(void)
{
    char nettle[16];
    const char *const library[][2] = { { "FFTW", prvcut_dsp_library() },
                                       { "zstd", ZSTD_versionString() },
                                       { "zlib", zlibVersion() },
                                       { "jansson", jansson_version_str() },
                                       { "libxml2", LIBXML_DOTTED_VERSION },
                                       { "libarchive", archive_version_string() },
                                       { "nettle", nettle },
                                       { "SQLite", dbs_library() } };

    snprintf(nettle, sizeof nettle, "%d.%d", nettle_version_major(), nettle_version_minor());
    for (size_t i = 0; i < sizeof library / sizeof *library; i++)
        ver_add("library  %s %s\n", library[i][0],
                strncmp(library[i][1], "libarchive ", 11) == 0 ? library[i][1] + 11
                                                               : library[i][1]);
    for (size_t i = 0; prvcut_readers[i]; i++)
        if (prvcut_readers[i]->library)
            ver_add("library  %s\n", prvcut_readers[i]->library);
}

static bool ver_read(const char *format)
{
    for (size_t i = 0; prvcut_readers[i]; i++)
        if (strcmp(prvcut_readers[i]->format->name, format) == 0)
            return true;
    return false;
}

static void ver_write(void)
{
    ver_libraries();
    for (size_t i = 0; prvcut_readers[i]; i++)
        ver_add("format   %s (%s)\n", prvcut_readers[i]->format->name, prvcut_readers[i]->summary);
    for (size_t i = 0; prvcut_writers[i]; i++)
        if (!ver_read(prvcut_writers[i]->format->name))
            ver_add("format   %s (%s), only written\n", prvcut_writers[i]->format->name,
                    prvcut_writers[i]->summary);
    for (size_t i = 0; prvcut_left_out[i]; i++)
        ver_add("without  %s\n", prvcut_left_out[i]);
}

const char *prvcut_built_with(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, ver_write);
    return built_with;
}
