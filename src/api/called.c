/* realpath is of POSIX.1-2008, but only with the XSI extensions. */
#define _XOPEN_SOURCE 700

#include "api/called.h"

#include "api/locate.h"
#include "api/mains.h"
#include "api/opening.h"
#include "base/bytes.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

size_t prvcut_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

bool prvcut_path_is_generic(const char *path)
{
    const char *name = path + prvcut_folder_length(path);
    size_t stem;
    const struct prvcut_format *format = prvcut_main_format(name, &stem);

    for (size_t i = 0; format && format->generic && format->generic[i]; i++)
        if (strlen(format->generic[i]) == stem && memcmp(format->generic[i], name, stem) == 0)
            return true;
    return false;
}

size_t prvcut_archive_stem(const char *name)
{
    static const char *const suffix[] = { ".zst", ".tar", ".tzst" };
    size_t stem = strlen(name);

    for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++) {
        const size_t n = strlen(suffix[i]);

        if (stem > n && strncmp(name + stem - n, suffix[i], n) == 0)
            stem -= n;
    }
    return stem;
}

static enum prvcut_status cld_copy(char **out, const char *text, size_t length,
                                   struct prvcut_error *err)
{
    *out = prvcut_copied(text, length, "a name", err);
    return *out ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* The path of the folder that a path is in, without a slash behind it; "." where it has none. */
static enum prvcut_status cld_folder_of(char **out, const char *path, struct prvcut_error *err)
{
    size_t length = prvcut_folder_length(path);

    while (length > 1 && path[length - 1] == '/')
        length--;
    return cld_copy(out, length > 0 ? path : ".", length > 0 ? length : 1, err);
}

/* A folder's own name; "", ".", ".." tell none, so the file system is asked. */
static enum prvcut_status cld_folder_called(char **out, const char *folder,
                                            struct prvcut_error *err)
{
    const char *name = folder + prvcut_folder_length(folder);
    char *real = NULL;
    enum prvcut_status st = PRVCUT_OK;

    if (*name == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        real = realpath(folder, NULL);
        name = real ? real + prvcut_folder_length(real) : "";
    }
    *out = NULL;
    if (*name)
        st = cld_copy(out, name, strlen(name), err);
    free(real);
    return st;
}

enum prvcut_status prvcut_member_called(char **out, const char *told, size_t archive,
                                        struct prvcut_error *err)
{
    while (archive > 0 && told[archive - 1] != '/')
        archive--;
    return cld_copy(out, told + archive, strlen(told + archive), err);
}

enum prvcut_status prvcut_path_called(char **out, const char *path, struct prvcut_error *err)
{
    const char *name = path + prvcut_folder_length(path);
    char *folder = NULL;
    enum prvcut_status st = PRVCUT_OK;

    *out = NULL;
    if (strcmp(path, "-") == 0)
        return cld_copy(out, "standard input", strlen("standard input"), err);
    if (prvcut_path_is_generic(path)) {
        st = cld_folder_of(&folder, path, err);
        if (st == PRVCUT_OK)
            st = cld_folder_called(out, folder, err);
        free(folder);
    }
    return st < 0 || *out ? st
                          : cld_copy(out, *name ? name : path, strlen(*name ? name : path), err);
}

enum prvcut_status prvcut_trace_called(char **out, const struct prvcut_trace *t,
                                       struct prvcut_error *err)
{
    const char *shown = prvcut_trace_shown(t);

    if (prvcut_path_is_generic(shown))
        return prvcut_path_called(out, shown, err);
    return t->unpacked && t->told ? prvcut_member_called(out, t->told, prvcut_told_archive(t), err)
                                  : prvcut_path_called(out, prvcut_trace_told(t), err);
}

/* Nobody types these, and a terminal must not get them. */
static bool cld_has_controls(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            return true;
    return false;
}

/* In single quotes, where a shell would not take it as it is. */
static enum prvcut_status cld_quoted(char **out, const char *text, struct prvcut_error *err)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "_./:,+=@%-";
    struct prvcut_put p = { .err = err };

    if (*text && *text != '-' && text[strspn(text, plain)] == '\0')
        return cld_copy(out, text, strlen(text), err);
    prvcut_put_string(&p, *text == '-' ? "./'" : "'");
    for (; *text; text++)
        if (*text == '\'')
            prvcut_put_string(&p, "'\\''");
        else
            prvcut_put_bytes(&p, text, 1);
    prvcut_put_string(&p, "'");
    return prvcut_put_take(&p, out);
}

bool prvcut_trace_is_piped(const struct prvcut_trace *t)
{
    const char *told = prvcut_trace_told(t);
    struct stat st;

    return strcmp(told, "-") == 0 || (stat(told, &st) == 0 && S_ISFIFO(st.st_mode));
}

enum prvcut_status prvcut_trace_typed(char **out, const struct prvcut_trace *t,
                                      struct prvcut_error *err)
{
    char *folder = NULL, *found = NULL;
    enum prvcut_status st = PRVCUT_OK;
    bool enough = false;

    *out = NULL;
    if (t->once || t->series || prvcut_trace_is_piped(t))
        return PRVCUT_OK;
    if (!t->told && prvcut_path_is_generic(t->path))
        st = cld_folder_of(&folder, t->path, err);
    /* A folder with another trace in it does not tell which. */
    if (folder)
        enough = prvcut_trace_locate(&found, folder, NULL) == PRVCUT_OK;
    if (st == PRVCUT_OK && !cld_has_controls(prvcut_trace_told(t)))
        st = cld_quoted(out, enough ? folder : prvcut_trace_told(t), err);
    free(found);
    free(folder);
    return st;
}
