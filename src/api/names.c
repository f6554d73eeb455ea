#include "api/names.h"

#include "base/buffer.h"

#include <string.h>
#include <unistd.h>

static bool ends_in(const char *path, size_t length, const char *suffix)
{
    const size_t n = strlen(suffix);

    return length > n && strncmp(path + length - n, suffix, n) == 0;
}

static enum prvcut_status suffix_of(const char *compress, const char **suffix,
                                    struct prvcut_error *err)
{
    static const char *const known[][2] = { { "none", "" }, { "gz", ".gz" }, { "zst", ".zst" } };

    for (size_t i = 0; compress && i < sizeof known / sizeof *known; i++)
        if (strcmp(compress, known[i][0]) == 0) {
            *suffix = known[i][1];
            return PRVCUT_OK;
        }
    if (!compress)
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EUSAGE, "compression '%s' is none of: none gz zst", compress);
}

/* The trace's name where its folder takes no files: without the folder. */
static const char *writable(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[4096];

    if (!slash || (size_t)(slash - path) >= sizeof folder)
        return path;
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = '\0';
    return access(slash == path ? "/" : folder, W_OK) == 0 ? path : slash + 1;
}

enum prvcut_status prvcut_output_sibling(char **out, const struct prvcut_reader *reader,
                                         const char *path, const char *tag, const char *compress,
                                         struct prvcut_error *err)
{
    const char *suffix = "";
    size_t stem;
    struct prvcut_buffer b = { 0 };
    enum prvcut_status st;

    *out = NULL;
    stem = strlen(path);
    if (reader->compressed && ends_in(path, stem, ".zst"))
        suffix = ".zst";
    else if (reader->compressed && ends_in(path, stem, ".gz"))
        suffix = ".gz";
    stem -= strlen(suffix);
    if (ends_in(path, stem, reader->suffix))
        stem -= strlen(reader->suffix);
    st = suffix_of(compress, &suffix, err);
    if (st == PRVCUT_OK && !reader->compressed && *suffix)
        st = prvcut_fail(err, PRVCUT_EUSAGE, "a trace in format %s is not compressed as a whole",
                         reader->name);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_append(&b, path, stem, err);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&b, err, ".%s%s%s", tag, reader->suffix, suffix);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_append(&b, "", 1, err);
    if (st < 0)
        prvcut_buffer_fini(&b);
    *out = b.at;
    return st;
}

enum prvcut_status prvcut_output_name(char **out, const struct prvcut_reader *reader,
                                      const char *path, const char *tag, const char *compress,
                                      struct prvcut_error *err)
{
    return prvcut_output_sibling(out, reader, writable(path), tag, compress, err);
}
