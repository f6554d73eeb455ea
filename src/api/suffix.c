#include "api/suffix.h"

#include "base/bytes.h"
#include "model/formats.h"
#include "prvcut/signals.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* What is no format's; those of formats are theirs (model/format.h). */
static const struct prvcut_suffix others[] = {
    { ".html", "a page (HTML)", NULL, true, NULL },
    { ".htm", "a page (HTML)", NULL, true, NULL },
    { ".csv", "a table (CSV)", NULL, true, NULL },
    { ".svg", "a drawing (SVG)", NULL, true, NULL },
    { ".txt", "a text", NULL, true, NULL },
    { ".tar.zst", "an archive (tar, zstd)", NULL, false, NULL },
    { ".tzst", "an archive (tar, zstd)", NULL, false, NULL },
    /* What is not written, but would be taken for what the name says. */
    { ".tar.gz", "an archive (tar, gzip)", NULL, false, NULL },
    { ".tgz", "an archive (tar, gzip)", NULL, false, NULL },
    { ".tar", "an archive (tar)", NULL, false, NULL },
    { ".zip", "an archive (zip)", NULL, false, NULL },
    { ".7z", "an archive (7z)", NULL, false, NULL },
    { ".bz2", "a bzip2 file", NULL, false, NULL },
    { ".xz", "an xz file", NULL, false, NULL },
    { ".lz4", "an lz4 file", NULL, false, NULL },
    { INDEX_SUFFIX, "an index", NULL, false, NULL },
    { ".xml", "an XML file", NULL, true, NULL },
    { ".png", "a drawing (PNG)", NULL, false, NULL },
    { ".pdf", "a document (PDF)", NULL, false, NULL },
    { ".jpg", "a drawing (JPEG)", NULL, false, NULL },
    { ".jpeg", "a drawing (JPEG)", NULL, false, NULL },
    { ".gif", "a drawing (GIF)", NULL, false, NULL },
    { ".eps", "a drawing (PostScript)", NULL, false, NULL },
    { ".ps", "a drawing (PostScript)", NULL, false, NULL },
    { ".tsv", "a table (TSV)", NULL, true, NULL },
    { ".log", "a log", NULL, true, NULL },
    { ".md", "a text (Markdown)", NULL, true, NULL },
    { ".sqlite", "a database", NULL, false, NULL },
    { ".cubex", "a report for CUBE 4", NULL, false, NULL },
    { ".cube", "a report for CUBE 3", NULL, false, NULL },
};

static const char *const packed_as[] = { ".gz", ".zst" };

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

static bool suf_ends_in(const char *path, size_t length, const char *suffix)
{
    const size_t n = strlen(suffix);

    return length > n && memcmp(path + length - n, suffix, n) == 0;
}

/* Of a format, and of other files: main files first, then those that belong to one. */
static struct prvcut_suffix suf_of_format(const struct prvcut_format *f, size_t i)
{
    const char *const own[] = { f->suffix, f->also };
    const struct prvcut_format_file *file = f->file;

    for (size_t k = 0; k < COUNT_OF(own); k++)
        if (own[k] && i-- == 0)
            return (struct prvcut_suffix){ own[k], f->what, f, f->packs, NULL };
    for (; file && file->part != PRVCUT_PART_END; file++)
        if (file->what && i-- == 0)
            return (struct prvcut_suffix){ file->suffix, file->what, NULL,
                                           file->part == PRVCUT_PART_COMPANION, NULL };
    return (struct prvcut_suffix){ .suffix = NULL };
}

/* The one of which `is` is true; .suffix is NULL where it is none that is known. */
static struct prvcut_suffix suffix_with(bool (*is)(const void *ctx, const char *suffix),
                                        const void *ctx)
{
    struct prvcut_suffix s;

    for (size_t k = 0; prvcut_formats[k]; k++)
        for (size_t i = 0; (s = suf_of_format(prvcut_formats[k], i)).suffix; i++)
            if (is(ctx, s.suffix))
                return s;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (is(ctx, others[i].suffix))
            return others[i];
    return (struct prvcut_suffix){ .suffix = NULL };
}

struct ending {
    const char *path;
    size_t length;
};

static bool suf_is_ending(const void *ctx, const char *suffix)
{
    const struct ending *e = ctx;

    return suf_ends_in(e->path, e->length, suffix);
}

struct prvcut_named prvcut_suffix_of(const char *path)
{
    const size_t length = strlen(path);
    struct prvcut_named n = { suffix_with(suf_is_ending, &(struct ending){ path, length }), length,
                              path + length };

    for (size_t i = 0; i < COUNT_OF(packed_as) && !n.suffix.suffix; i++)
        if (suf_ends_in(path, length, packed_as[i])) {
            n.stem = length - strlen(packed_as[i]);
            n.packed = path + n.stem;
            n.suffix = suffix_with(suf_is_ending, &(struct ending){ path, n.stem });
        }
    if (n.suffix.suffix)
        n.stem -= strlen(n.suffix.suffix);
    return n;
}

static bool suf_is_same(const void *ctx, const char *suffix)
{
    return strcmp(ctx, suffix) == 0;
}

struct prvcut_suffix prvcut_suffix_find(const char *suffix)
{
    return suffix_with(suf_is_same, suffix);
}

bool prvcut_suffix_is_moot(const char *path)
{
    const size_t length = strlen(path);
    struct stat s;

    /* Where /dev/stdout leads is a file now and then, and no less what was named. */
    return strcmp(path, "-") == 0 || length == 0 || path[length - 1] == '/' ||
           strncmp(path, "/dev/", 5) == 0 || (stat(path, &s) == 0 && !S_ISREG(s.st_mode));
}

static bool suf_is_wanted(const struct prvcut_named *n, const struct prvcut_suffix *wanted)
{
    return n->suffix.suffix && strcmp(n->suffix.what, wanted->what) == 0 &&
           (wanted->packs || *n->packed == '\0');
}

static enum prvcut_status suf_refuse(const struct prvcut_named *n,
                                     const struct prvcut_suffix *wanted, const char *path,
                                     struct prvcut_error *err)
{
    /* "a.tar" of a.tar.xz is no name for anything, and "a.prv" of a.prv.xz has what it needs. */
    const char *packed = wanted->packs ? n->packed : "";
    const size_t tar = suf_ends_in(path, n->stem, ".tar")           ? strlen(".tar")
                       : suf_ends_in(path, n->stem, wanted->suffix) ? strlen(wanted->suffix)
                                                                    : 0;
    const int stem = (int)(n->stem - tar);

    prvcut_instead(err, "=%.*s%s%s", stem, path, wanted->suffix, packed);
    if (n->suffix.suffix && strcmp(n->suffix.what, wanted->what) == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: %s is not compressed as a whole: call it %.*s%s", path,
                           wanted->what, stem, path, wanted->suffix);
    if (!n->suffix.suffix)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s does not say that it is %s: call it %.*s%s%s",
                           path, wanted->what, stem, path, wanted->suffix, packed);
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "%s is the name of %s, but %s is written: call it %.*s%s%s%s", path,
                       n->suffix.what, wanted->what, stem, path, wanted->suffix, packed,
                       n->suffix.format && wanted->hint ? wanted->hint : "");
}

/* Is it the folder of an archive, whose main file stands beside it ("c" of "c.otf2")? */
static bool suf_is_part(const char *path, const struct prvcut_suffix *wanted)
{
    struct prvcut_buffer main = { 0 };
    struct stat s;
    const bool part =
        !wanted->packs && wanted->format && stat(path, &s) == 0 && S_ISDIR(s.st_mode) &&
        path[strlen(path) - 1] != '/' &&
        prvcut_buffer_printf(&main, NULL, "%s%s", path, wanted->suffix) == PRVCUT_OK &&
        stat(main.at, &s) == 0 && S_ISREG(s.st_mode);

    prvcut_buffer_fini(&main);
    return part;
}

enum prvcut_status prvcut_suffix_settle(char **out, const struct prvcut_suffix *wanted,
                                        const char *path, const char *compression,
                                        struct prvcut_error *err)
{
    const struct prvcut_named n = prvcut_suffix_of(path);
    const bool whole =
        (prvcut_suffix_is_moot(path) && !suf_is_part(path, wanted)) || suf_is_wanted(&n, wanted);
    struct prvcut_put p = { .err = err };

    *out = NULL;
    if (!whole && (n.suffix.suffix || *n.packed))
        return suf_refuse(&n, wanted, path, err);
    prvcut_put_printf(&p, "%s%s%s", path, whole ? "" : wanted->suffix, whole ? "" : compression);
    return prvcut_put_take(&p, out);
}

/* --- Files beside traces -------------------------------------------------------------------- */

static struct prvcut_suffix suffix_of_file(enum prvcut_file kind)
{
    static const char *const known[] = {
        [PRVCUT_FILE_TEXT] = ".txt",      [PRVCUT_FILE_JSON] = ".json",
        [PRVCUT_FILE_CSV] = ".csv",       [PRVCUT_FILE_SVG] = ".svg",
        [PRVCUT_FILE_HTML] = ".html",     [PRVCUT_FILE_ARCHIVE] = ".tar.zst",
        [PRVCUT_FILE_CUBEX] = ".cubex",   [PRVCUT_FILE_CUBE] = ".cube",
        [PRVCUT_FILE_SQLITE] = ".sqlite",
    };

    return prvcut_suffix_find(known[kind]);
}

enum prvcut_status prvcut_file_name(char **out, enum prvcut_file kind, const char *path,
                                    struct prvcut_error *err)
{
    const struct prvcut_suffix wanted = suffix_of_file(kind);

    return prvcut_suffix_settle(out, &wanted, path, "", err);
}

bool prvcut_file_is(enum prvcut_file kind, const char *path)
{
    const struct prvcut_suffix wanted = suffix_of_file(kind);
    const struct prvcut_named n = prvcut_suffix_of(path);

    return suf_is_wanted(&n, &wanted);
}

/* --- What can be opened --------------------------------------------------------------------- */

const char *prvcut_role_name(size_t i)
{
    for (size_t k = 0; prvcut_readers[k]; k++)
        if (prvcut_readers[k]->role_name)
            return prvcut_readers[k]->role_name(i);
    return NULL;
}

/* The suffix itself, or of those that may be packed one with ".gz" or ".zst" behind it; *i counts
   down to the one that is meant. */
static char *suf_trace_suffix(char out[16], const char *suffix, bool packs, size_t *i)
{
    for (size_t k = 0; k <= (packs ? COUNT_OF(packed_as) : 0); k++) {
        if (*i == 0) {
            snprintf(out, 16, "%s%s", suffix, k > 0 ? packed_as[k - 1] : "");
            return out;
        }
        --*i;
    }
    return NULL;
}

char *prvcut_trace_suffix(char out[16], size_t i)
{
    static const char archive[] = "an archive (tar";
    char *found = NULL;

    for (size_t k = 0; prvcut_readers[k] && !found; k++)
        if (prvcut_readers[k]->format->suffix)
            found = suf_trace_suffix(out, prvcut_readers[k]->format->suffix,
                                     prvcut_readers[k]->format->packs, &i);
    for (size_t k = 0; k < COUNT_OF(others) && !found; k++)
        if (strncmp(others[k].what, archive, strlen(archive)) == 0)
            found = suf_trace_suffix(out, others[k].suffix, false, &i);
    return found;
}
