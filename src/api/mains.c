#include "api/mains.h"

#include "base/memory.h"
#include "model/format.h"
#include "prvcut/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Only what is read has main files to look for. */
static bool mains_is_read(const struct prvcut_format *f)
{
    return f->suffix && f->known_by;
}

const struct prvcut_format *prvcut_main_suffix(char out[PRVCUT_MAIN_SUFFIX], size_t i)
{
    static const char *const packed[] = { "", ".gz", ".zst" };

    for (size_t k = 0; prvcut_formats[k]; k++) {
        const struct prvcut_format *f = prvcut_formats[k];
        const size_t names = !mains_is_read(f) ? 0 : f->packs ? 3 : 1;

        if (i < names) {
            snprintf(out, PRVCUT_MAIN_SUFFIX, "%s%s", f->suffix, packed[i]);
            return f;
        }
        i -= names;
    }
    return NULL;
}

char *prvcut_main_names(char *out, size_t room)
{
    size_t used = 0;

    *out = '\0';
    for (size_t i = 0; prvcut_formats[i]; i++)
        if (mains_is_read(prvcut_formats[i]) && used < room)
            used += (size_t)snprintf(out + used, room - used, "%s%s", used > 0 ? ", " : "",
                                     prvcut_formats[i]->suffix);
    return out;
}

const struct prvcut_format *prvcut_main_format(const char *name, size_t *stem)
{
    const size_t length = strlen(name);
    char suffix[PRVCUT_MAIN_SUFFIX];
    const struct prvcut_format *f;

    for (size_t i = 0; (f = prvcut_main_suffix(suffix, i)); i++) {
        const size_t n = strlen(suffix);

        if (length > n && strcmp(name + length - n, suffix) == 0) {
            *stem = length - n;
            return f;
        }
    }
    *stem = 0;
    return NULL;
}

size_t prvcut_main_stem(const char *name)
{
    size_t stem;

    prvcut_main_format(name, &stem);
    return stem;
}

/* only: of this format; NULL: of any. */
static bool mains_has_main(char *text, size_t stem, const struct prvcut_format *only,
                           const struct prvcut_names *names)
{
    char suffix[PRVCUT_MAIN_SUFFIX];
    const struct prvcut_format *f;

    for (size_t i = 0; (f = prvcut_main_suffix(suffix, i)); i++) {
        if (only && f != only)
            continue;
        strcpy(text + stem, suffix);
        if (names->has(names->ctx, text))
            return true;
    }
    return false;
}

bool prvcut_main_of_stem(char *text, size_t stem, const struct prvcut_names *names)
{
    return mains_has_main(text, stem, NULL, names);
}

enum prvcut_status prvcut_main_is_cut(bool *cut, const char *name, const struct prvcut_names *names,
                                      struct prvcut_error *err)
{
    size_t whole;
    const struct prvcut_format *format = prvcut_main_format(name, &whole);
    const char *slash = strrchr(name, '/');
    const size_t folder = slash ? (size_t)(slash - name) + 1 : 0;
    char *text;

    *cut = false;
    if (whole == 0)
        return PRVCUT_OK;
    text = prvcut_unset(1, strlen(name) + PRVCUT_MAIN_SUFFIX, "a name", err);
    if (!text)
        return PRVCUT_ENOMEM;
    for (size_t stem = whole; stem-- > folder + 1 && !*cut;) {
        if (name[stem] != '.')
            continue;
        memcpy(text, name, stem);
        *cut = mains_has_main(text, stem, format, names);
    }
    free(text);
    return PRVCUT_OK;
}

const char *prvcut_trace_compression(const char *path)
{
    static const char *const codecs[] = { "gz", "zst" };
    const char *dot = strrchr(path, '.');
    const struct prvcut_format *format;
    size_t stem;

    for (size_t i = 0; dot && i < sizeof codecs / sizeof *codecs; i++)
        if (strcmp(dot + 1, codecs[i]) == 0)
            return codecs[i];
    format = prvcut_main_format(path, &stem);
    return format && format->packs ? "none" : NULL;
}
