#include "api/mains.h"

#include <stdlib.h>
#include <string.h>

const char *const prvcut_mains[] = { ".otf2", ".otf", ".prv", ".prv.gz", ".prv.zst", NULL };

static bool same_format(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || (strncmp(a, ".prv", 4) == 0 && strncmp(b, ".prv", 4) == 0);
}

size_t prvcut_main_stem(const char *name)
{
    const size_t length = strlen(name);

    for (size_t i = 0; prvcut_mains[i]; i++) {
        const size_t n = strlen(prvcut_mains[i]);

        if (length > n && strcmp(name + length - n, prvcut_mains[i]) == 0)
            return length - n;
    }
    return 0;
}

/* suffix: only of its format; NULL: of any. */
static bool has_main(char *text, size_t stem, const char *suffix, const struct prvcut_names *names)
{
    for (size_t i = 0; prvcut_mains[i]; i++) {
        if (suffix && !same_format(prvcut_mains[i], suffix))
            continue;
        strcpy(text + stem, prvcut_mains[i]);
        if (names->has(names->ctx, text))
            return true;
    }
    return false;
}

bool prvcut_main_of_stem(char *text, size_t stem, const struct prvcut_names *names)
{
    return has_main(text, stem, NULL, names);
}

enum prvcut_status prvcut_main_is_cut(bool *cut, const char *name, const struct prvcut_names *names,
                                      struct prvcut_error *err)
{
    const size_t whole = prvcut_main_stem(name);
    const char *slash = strrchr(name, '/');
    const size_t folder = slash ? (size_t)(slash - name) + 1 : 0;
    char *text;

    *cut = false;
    if (whole == 0)
        return PRVCUT_OK;
    text = malloc(strlen(name) + PRVCUT_MAIN_SUFFIX);
    if (!text)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory: a name");
    for (size_t stem = whole; stem-- > folder + 1 && !*cut;) {
        if (name[stem] != '.')
            continue;
        memcpy(text, name, stem);
        *cut = has_main(text, stem, name + whole, names);
    }
    free(text);
    return PRVCUT_OK;
}
