#include "otf2/otf2.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

/*
 * The library reports what went wrong through one function for the whole process. The texts are
 * kept a thread apart, because workers fail independently; the first one names the cause, those
 * after it only the calls that it came through.
 */
static _Thread_local char said[512];

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
    if (code == OTF2_WARNING || code == OTF2_DEPRECATED || code == OTF2_SUCCESS || said[0] != '\0')
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
    const enum prvcut_status st = status_of(code);

    prvcut_fail(err, st, "%.500s: %s%.400s%s", path,
                st == PRVCUT_EFORMAT ? "damaged, cut short or not yet written to its end (" : "",
                text ? text : "not said why", st == PRVCUT_EFORMAT ? ")" : "");

    o2_library_clear();
    return st;
}
