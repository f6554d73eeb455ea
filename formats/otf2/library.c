#include "otf2/otf2.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than the library asks for in one piece for names and values; little enough that the C
   library keeps it for the next call once it is given back. */
#define RESERVE ((size_t)96 << 10)

/*
 * The library reports what went wrong through one function for the whole process. The texts are
 * kept a thread apart, because workers fail independently; the first one names the cause, those
 * after it only the calls that it came through.
 */
static _Thread_local char said[512];

/* < 0: memory or the system failed since then, whatever was said first. */
static _Thread_local enum prvcut_status failed;

static enum prvcut_status status_of(OTF2_ErrorCode code);

__attribute__((format(printf, 6, 0))) static OTF2_ErrorCode keep(void *user, const char *file,
                                                                 uint64_t line,
                                                                 const char *function,
                                                                 OTF2_ErrorCode code,
                                                                 const char *format, va_list args)
{
    char text[384] = "";

    (void)user;
    (void)file;
    (void)line;
    (void)function;
    if (code == OTF2_WARNING || code == OTF2_DEPRECATED || code == OTF2_SUCCESS)
        return code;
    if (failed == PRVCUT_OK && status_of(code) != PRVCUT_EFORMAT)
        failed = status_of(code);
    if (said[0] != '\0')
        return code;
    if (format)
        vsnprintf(text, sizeof text, format, args);
    snprintf(said, sizeof said, "%s%s%s", OTF2_Error_GetDescription(code), text[0] ? ": " : "",
             text);
    return code;
}

static void start(void)
{
    OTF2_Error_RegisterCallback(keep, NULL);
}

void o2_library_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, start);
    o2_library_clear();
}

void o2_library_clear(void)
{
    said[0] = '\0';
    failed = PRVCUT_OK;
}

const char *o2_library_said(void)
{
    return said;
}

/* Whose fault it is: memory, the system, or the file's. A file that is missing is damage. */
static enum prvcut_status status_of(OTF2_ErrorCode code)
{
    switch ((int)code) {
    case OTF2_ERROR_MEM_FAULT:
    case OTF2_ERROR_MEM_ALLOC_FAILED:
    case OTF2_ERROR_ENOMEM:
        return PRVCUT_ENOMEM;
    case OTF2_ERROR_EACCES:
    case OTF2_ERROR_EMFILE:
    case OTF2_ERROR_ENFILE:
    case OTF2_ERROR_EIO:
    case OTF2_ERROR_EPERM:
        return PRVCUT_EIO;
    default:
        return PRVCUT_EFORMAT;
    }
}

enum prvcut_status o2_fail_file(const char *path, OTF2_ErrorCode code, struct prvcut_error *err)
{
    const char *text = said[0] ? said : OTF2_Error_GetDescription(code);
    const enum prvcut_status st = failed < 0 ? failed : status_of(code);

    prvcut_fail(err, st, "%.500s: %s%.400s%s", path,
                st == PRVCUT_EFORMAT ? "damaged, cut short or not yet written to its end (" : "",
                text ? text : "not said why", st == PRVCUT_EFORMAT ? ")" : "");

    o2_library_clear();
    return st;
}

enum prvcut_status o2_library_failed(const char *path, struct prvcut_error *err)
{
    return failed < 0 ? o2_fail_file(path, OTF2_ERROR_INVALID, err) : PRVCUT_OK;
}

bool o2_library_room(void)
{
    void *room = malloc(RESERVE);
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
