#include "otf2/otf2.h"

#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than the library asks for in one piece for names and values; little enough that the C
   library keeps it for the next call once it is given back. */
#define RESERVE ((size_t)96 << 10)

/*
 * The library reports what went wrong through one function for the whole process. The texts are
 * kept a thread apart, because workers fail independently; the first one names the cause, those
 * after it only the calls that it came through.
 */
static _Thread_local char said[512];

/* errno of the first failure of memory or the system since then, whatever was said before it. */
static _Thread_local int refused;

static int library_number_of(OTF2_ErrorCode code);

__attribute__((format(printf, 6, 0))) static OTF2_ErrorCode library_keep(
    void *user, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
    const char *format, va_list args)
{
    char text[384] = "";

    (void)user;
    (void)file;
    (void)line;
    (void)function;
    if (code == OTF2_WARNING || code == OTF2_DEPRECATED || code == OTF2_SUCCESS)
        return code;
    if (refused == 0)
        refused = library_number_of(code);
    if (said[0] != '\0')
        return code;
    if (format)
        vsnprintf(text, sizeof text, format, args);
    snprintf(said, sizeof said, "%s%s%s", OTF2_Error_GetDescription(code), text[0] ? ": " : "",
             text);
    return code;
}

static void library_start(void)
{
    OTF2_Error_RegisterCallback(library_keep, NULL);
}

void o2_library_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, library_start);
    o2_library_clear();
}

void o2_library_clear(void)
{
    said[0] = '\0';
    refused = 0;
}

const char *o2_library_said(void)
{
    return said;
}

/* What the system refused; a file that is missing, and all else, is damage. */
static const struct {
    OTF2_ErrorCode code;
    int number;
} system_codes[] = {
    { OTF2_ERROR_EIO, EIO },
    { OTF2_ERROR_EMFILE, EMFILE },
    { OTF2_ERROR_ENFILE, ENFILE },
    { OTF2_ERROR_EACCES, EACCES },
    { OTF2_ERROR_EPERM, EPERM },
    { OTF2_ERROR_ENOMEM, ENOMEM },
    { OTF2_ERROR_ENOSPC, ENOSPC },
    { OTF2_ERROR_EDQUOT, EDQUOT },
    { OTF2_ERROR_ENXIO, ENXIO },
    { OTF2_ERROR_ENODEV, ENODEV },
    { OTF2_ERROR_EINTR, EINTR },
    { OTF2_ERROR_EAGAIN, EAGAIN },
    { OTF2_ERROR_EBUSY, EBUSY },
    { OTF2_ERROR_ETIMEDOUT, ETIMEDOUT },
    { OTF2_ERROR_MEM_FAULT, ENOMEM },
    { OTF2_ERROR_MEM_ALLOC_FAILED, ENOMEM },
    { OTF2_ERROR_ESTALE, ESTALE },
    { OTF2_ERROR_EFBIG, EFBIG },
    { OTF2_ERROR_EOVERFLOW, EOVERFLOW },
    { OTF2_ERROR_ELOOP, ELOOP },
};

/* 0: it is not the system's fault. */
static int library_number_of(OTF2_ErrorCode code)
{
    for (size_t i = 0; i < sizeof system_codes / sizeof *system_codes; i++)
        if (system_codes[i].code == code)
            return system_codes[i].number;
    return 0;
}

bool o2_library_refused(void)
{
    return refused != 0;
}

/* Is the file not there? Behind its name may stand whose it is. */
static bool library_is_missing(const char *path)
{
    const char *whose = strstr(path, ": location \"");
    char file[640];

    snprintf(file, sizeof file, "%.*s", whose ? (int)(whose - path) : (int)sizeof file, path);
    return access(file, F_OK) != 0 && errno == ENOENT;
}

enum prvcut_status o2_fail_file(const char *path, OTF2_ErrorCode code, struct prvcut_error *err)
{
    const char *text = said[0] ? said : OTF2_Error_GetDescription(code);
    enum prvcut_status st = PRVCUT_EFORMAT;

    /* A code handed on may only tell that something failed. Of damage the library always says
       something; where it returns nothing and says nothing, it had no memory. */
    errno = refused != 0 ? refused : library_number_of(code);
    if (errno == 0 && code == OTF2_ERROR_INVALID && said[0] == '\0')
        errno = ENOMEM;
    if (errno != 0) {
        st = errno == ENOMEM ? PRVCUT_ENOMEM : PRVCUT_EIO;
        prvcut_fail_errno(err, st, "%.500s: cannot be read", path);
    } else if (library_is_missing(path)) {
        prvcut_fail(err, st,
                    "%.500s: is missing; an archive is its .otf2, its .def and their folder: copy "
                    "all of them",
                    path);
    } else {
        prvcut_fail(err, st, "%.500s: damaged, cut short or not yet written to its end (%.400s)",
                    path, text ? text : "not said why");
    }
    o2_library_clear();
    return st;
}

enum prvcut_status o2_library_failed(const char *path, struct prvcut_error *err)
{
    return refused != 0 ? o2_fail_file(path, OTF2_ERROR_INVALID, err) : PRVCUT_OK;
}

bool o2_library_room(void)
{
    void *room = prvcut_unset(1, RESERVE, "OTF2", NULL);
    const bool there = room != NULL;

    free(room);
    return there;
}

OTF2_ErrorCode o2_set_property(OTF2_Archive *archive, const char *name, const char *value)
{
    char *kept = NULL;
    OTF2_ErrorCode code = OTF2_ERROR_MEM_ALLOC_FAILED;

    if (value && o2_library_room())
        code = OTF2_Archive_SetProperty(archive, name, value, true);
    if (code != OTF2_SUCCESS || *value == '\0')
        return code;
    if (OTF2_Archive_GetProperty(archive, name, &kept) != OTF2_SUCCESS || !kept ||
        strcmp(kept, value) != 0)
        code = OTF2_ERROR_MEM_ALLOC_FAILED;
    free(kept);
    return code;
}
