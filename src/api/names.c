#include "api/names.h"

#include "api/locate.h"
#include "base/buffer.h"
#include "base/journal.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names that tell what a file is, before the suffix of a compression. */
static const struct {
    const char *suffix;
    const char *name;  /* "out.prv is the name of ..." */
    const char *trace; /* "a cut of ... trace is", NULL: no format that is cut */
    const char *is;
} kinds[] = {
    { ".prv", "a Paraver trace", "a Paraver", "Paraver" },
    { ".otf2", "an OTF2 archive", "an OTF2", "OTF2" },
    { ".otf", "an OTF trace", "an OTF", "OTF" },
    { ".paje", "a Paje trace", NULL, NULL },
    { ".trace", "a Paje trace", NULL, NULL },
    { ".json", "a JSON file", NULL, NULL },
    { ".html", "a page (HTML)", NULL, NULL },
    { ".csv", "a table (CSV)", NULL, NULL },
    { ".svg", "a drawing (SVG)", NULL, NULL },
};

#define KINDS (sizeof kinds / sizeof *kinds)

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

/* Length of a path without what a format puts behind it; *packed: the suffix of a compression. */
static size_t stem_of(const struct prvcut_reader *reader, const char *path, const char **packed)
{
    size_t stem = strlen(path);

    *packed = "";
    if (reader->compressed && ends_in(path, stem, ".zst"))
        *packed = ".zst";
    else if (reader->compressed && ends_in(path, stem, ".gz"))
        *packed = ".gz";
    stem -= strlen(*packed);
    return ends_in(path, stem, reader->suffix) ? stem - strlen(reader->suffix) : stem;
}

enum prvcut_status prvcut_output_sibling(char **out, const struct prvcut_reader *reader,
                                         const char *path, const char *tag, const char *compress,
                                         struct prvcut_error *err)
{
    const char *suffix;
    const size_t stem = stem_of(reader, path, &suffix);
    struct prvcut_buffer b = { 0 };
    enum prvcut_status st;

    *out = NULL;
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

/* --- What is refused ------------------------------------------------------------------------ */

/* The kind that a name tells, whatever it is compressed with; KINDS: none. */
static size_t kind_of(const char *path)
{
    size_t length = strlen(path), i = 0;

    if (ends_in(path, length, ".zst"))
        length -= strlen(".zst");
    else if (ends_in(path, length, ".gz"))
        length -= strlen(".gz");
    while (i < KINDS && !ends_in(path, length, kinds[i].suffix))
        i++;
    return i;
}

static enum prvcut_status is_own_kind(const struct prvcut_reader *reader, const char *path,
                                      struct prvcut_error *err)
{
    const size_t kind = kind_of(path);
    size_t own = 0;

    while (own < KINDS && strcmp(kinds[own].suffix, reader->suffix) != 0)
        own++;
    if (kind == KINDS || kind == own || own == KINDS || !kinds[own].trace)
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "%s is the name of %s, and a cut of %s trace is %s: 'prvcut convert' writes "
                       "other formats",
                       path, kinds[kind].name, kinds[own].trace, kinds[own].is);
}

enum prvcut_status prvcut_output_spares(const struct prvcut_trace *t, const char *path,
                                        struct prvcut_error *err)
{
    if (!prvcut_trace_holds(t, path))
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EUSAGE, "%s is part of the trace itself", path);
}

enum prvcut_status prvcut_output_companions_spare(const struct prvcut_trace *t, const char *path,
                                                  struct prvcut_error *err)
{
    const char *packed;
    const size_t stem = stem_of(t->reader, path, &packed);
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < t->companions && st == PRVCUT_OK; i++) {
        struct prvcut_buffer beside = { 0 };

        st = prvcut_buffer_printf(&beside, err, "%.*s%s", (int)stem, path, t->companion[i].suffix);
        if (st == PRVCUT_OK && prvcut_trace_holds(t, beside.at))
            st = prvcut_fail(err, PRVCUT_EUSAGE,
                             "%s would stand beside %s, and is part of the trace itself", beside.at,
                             path);
        prvcut_buffer_fini(&beside);
    }
    return st;
}

enum prvcut_status prvcut_output_check(const struct prvcut_trace *t, const char *path,
                                       struct prvcut_error *err)
{
    enum prvcut_status st = is_own_kind(t->reader, path, err);

    if (st == PRVCUT_OK)
        st = prvcut_output_spares(t, path, err);
    return st < 0 ? st : prvcut_output_companions_spare(t, path, err);
}

/* --- Outputs of one command ----------------------------------------------------------------- */

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

static bool stat_folder(const char *path, struct stat *s)
{
    struct prvcut_buffer folder = { 0 };
    const bool known =
        prvcut_buffer_printf(&folder, NULL, "%.*s.", (int)folder_length(path), path) == PRVCUT_OK &&
        stat(folder.at, s) == 0;

    prvcut_buffer_fini(&folder);
    return known;
}

static bool same_folder(const char *a, const char *b)
{
    struct stat s, t;

    return stat_folder(a, &s) && stat_folder(b, &t) && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
}

/* Do two names lead to one file, whether it is there or not? */
static bool same_file(const char *a, const char *b)
{
    struct stat s, t;

    if (stat(a, &s) == 0 && stat(b, &t) == 0)
        return s.st_dev == t.st_dev && s.st_ino == t.st_ino;
    return strcmp(a + folder_length(a), b + folder_length(b)) == 0 && same_folder(a, b);
}

/* Is it the name of a file that an archive brings: NAME.1.events, NAME.def, the folder NAME? */
static bool is_of_archive(const char *main, size_t stem, const char *path)
{
    const size_t own = stem - folder_length(main);
    const char *name = path + folder_length(path);

    if (strncmp(name, main + folder_length(main), own) != 0 || !same_folder(main, path))
        return false;
    return name[own] == '\0' || (name[own] == '.' && prvcut_trace_names_part(name));
}

enum prvcut_status prvcut_output_keeps_off(const struct prvcut_trace *t, const char *main,
                                           const char *path, struct prvcut_error *err)
{
    const char *packed;
    const size_t stem = stem_of(t->reader, main, &packed);
    bool same =
        strcmp(main, "-") != 0 && strcmp(path, "-") != 0 &&
        (same_file(main, path) || (!t->reader->compressed && is_of_archive(main, stem, path)));
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < t->companions && st == PRVCUT_OK && !same; i++) {
        struct prvcut_buffer beside = { 0 };

        st = prvcut_buffer_printf(&beside, err, "%.*s%s", (int)stem, main, t->companion[i].suffix);
        same = st == PRVCUT_OK && same_file(beside.at, path);
        prvcut_buffer_fini(&beside);
    }
    if (st == PRVCUT_OK && same)
        st = prvcut_fail(err, PRVCUT_EUSAGE, "%s: the report and the cut %s need different names",
                         path, main);
    return st;
}

enum prvcut_status prvcut_output_is_free(const char *path, bool force, struct prvcut_error *err)
{
    struct prvcut_buffer place = { 0 };
    struct stat s;

    /* What a killed process left half done is in nobody's way. */
    if (strcmp(path, "-") != 0 &&
        prvcut_buffer_printf(&place, NULL, "%.*s.", (int)folder_length(path), path) == PRVCUT_OK)
        prvcut_journal_recover(place.at);
    prvcut_buffer_fini(&place);
    /* What is no file is told of by whoever opens it. */
    if (force || strcmp(path, "-") == 0 || stat(path, &s) != 0 || !S_ISREG(s.st_mode))
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EEXIST, "%s: exists; it is replaced only with --force", path);
}

enum prvcut_status prvcut_window_begins_within(uint64_t start, uint64_t end,
                                               struct prvcut_error *err)
{
    char from[32], to[32];

    if (start < end)
        return PRVCUT_OK;
    return prvcut_fail(
        err, PRVCUT_EUSAGE,
        "the window begins at %s (%" PRIu64 " ns), but the trace ends at %s (%" PRIu64 " ns)",
        prvcut_time_text(from, (double)start), start, prvcut_time_text(to, (double)end), end);
}
