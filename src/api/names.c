#include "api/names.h"
#include "prvcut/signals.h"

#include "api/called.h"
#include "api/locate.h"
#include "api/opening.h"
#include "api/own_folder.h"
#include "api/suffix.h"
#include "base/bytes.h"
#include "base/journal.h"
#include "model/formats.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool nms_ends_in(const char *path, size_t length, const char *suffix)
{
    const size_t n = strlen(suffix);

    return length > n && strncmp(path + length - n, suffix, n) == 0;
}

/* *suffix stays where nothing is said. */
static enum prvcut_status nms_suffix_of(const struct prvcut_reader *reader, const char *compress,
                                        const char **suffix, struct prvcut_error *err)
{
    static const char *const known[][2] = { { "none", "" }, { "gz", ".gz" }, { "zst", ".zst" } };

    for (size_t i = 0; compress && i < sizeof known / sizeof *known; i++)
        if (strcmp(compress, known[i][0]) == 0) {
            *suffix = known[i][1];
            if (reader->format->packs || !**suffix)
                return PRVCUT_OK;
            return prvcut_fail(err, PRVCUT_EUSAGE,
                               "a trace in format %s is not compressed as a whole",
                               reader->format->name);
        }
    if (!compress)
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EUSAGE, "compression '%s' is none of: none gz zst", compress);
}

/* The trace's name where its folder takes no files: without the folder. */
static const char *nms_writable(const char *path)
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
static size_t nms_stem_of(const struct prvcut_reader *reader, const char *path, const char **packed)
{
    size_t stem = strlen(path);

    *packed = "";
    if (reader->format->packs && nms_ends_in(path, stem, ".zst"))
        *packed = ".zst";
    else if (reader->format->packs && nms_ends_in(path, stem, ".gz"))
        *packed = ".gz";
    stem -= strlen(*packed);
    return nms_ends_in(path, stem, reader->format->suffix) ? stem - strlen(reader->format->suffix)
                                                           : stem;
}

enum prvcut_status prvcut_output_sibling(char **out, const struct prvcut_reader *reader,
                                         const char *path, const char *tag, const char *compress,
                                         struct prvcut_error *err)
{
    const char *suffix;
    const size_t stem = nms_stem_of(reader, path, &suffix);
    struct prvcut_put p = { .err = err };

    p.st = nms_suffix_of(reader, compress, &suffix, err);
    prvcut_put_bytes(&p, path, stem);
    prvcut_put_printf(&p, ".%s%s%s", tag, reader->format->suffix, suffix);
    return prvcut_put_take(&p, out);
}

enum prvcut_status prvcut_output_name(char **out, const struct prvcut_reader *reader,
                                      const char *path, const char *tag, const char *compress,
                                      struct prvcut_error *err)
{
    const char *suffix = "";
    enum prvcut_status st = nms_suffix_of(reader, compress, &suffix, err);

    *out = NULL;
    if (st < 0)
        return st;
    if (!reader->format->packs)
        return prvcut_own_folder_name(out, reader, path, tag, err);
    return prvcut_output_sibling(out, reader, nms_writable(path), tag, compress, err);
}

enum prvcut_status prvcut_output_pattern(char **out, const struct prvcut_trace *t,
                                         struct prvcut_error *err)
{
    static const char place[] = { REPORT_TAG_PLACE, '\0' };

    *out = NULL;
    if (t->once || !t->reader->cut)
        return PRVCUT_OK;
    return prvcut_output_name(out, t->reader, prvcut_trace_shown(t), place, NULL, err);
}

/* --- What is refused ------------------------------------------------------------------------ */

/* What a trace in the reader's format is called. */
static struct prvcut_suffix nms_own_suffix(const struct prvcut_reader *reader)
{
    const struct prvcut_format *f = reader->format;
    struct prvcut_suffix own = {
        .suffix = f->suffix, .what = f->what, .format = f, .packs = f->packs
    };

    own.hint = "; 'prvcut convert' writes other formats";
    return own;
}

enum prvcut_status prvcut_output_spares(const struct prvcut_trace *t, const char *path,
                                        struct prvcut_error *err)
{
    if (!prvcut_trace_holds(t, path))
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EUSAGE, "not writing '%s': it is the trace that is read", path);
}

enum prvcut_status prvcut_output_named(char **out, const struct prvcut_trace *t, const char *path,
                                       const char *compress, struct prvcut_error *err)
{
    const struct prvcut_suffix own = nms_own_suffix(t->reader);
    const char *compression;
    enum prvcut_status st;

    (void)nms_stem_of(t->reader, prvcut_trace_shown(t), &compression);
    *out = NULL;
    st = prvcut_output_spares(t, path, err);
    if (st == PRVCUT_OK)
        st = nms_suffix_of(t->reader, compress, &compression, err);
    return st < 0 ? st : prvcut_suffix_settle(out, &own, path, compression, err);
}

enum prvcut_status prvcut_trace_file_name(char **out, const struct prvcut_trace *trace,
                                          const char *path, const char *compress,
                                          struct prvcut_error *err)
{
    return prvcut_output_named(out, trace, path, compress, err);
}

enum prvcut_status prvcut_output_companions_spare(const struct prvcut_trace *t, const char *path,
                                                  struct prvcut_error *err)
{
    const char *packed;
    const size_t stem = nms_stem_of(t->reader, path, &packed);
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < t->companions && st == PRVCUT_OK; i++) {
        struct prvcut_buffer beside = { 0 };

        st = prvcut_buffer_printf(&beside, err, "%.*s%s", (int)stem, path, t->companion[i].suffix);
        if (st == PRVCUT_OK && prvcut_trace_holds(t, beside.at))
            st = prvcut_fail(err, PRVCUT_EUSAGE,
                             "not writing '%s' beside '%s': it is the trace that is read",
                             beside.at, path);
        prvcut_buffer_fini(&beside);
    }
    return st;
}

enum prvcut_status prvcut_output_check(const struct prvcut_trace *t, const char *path,
                                       struct prvcut_error *err)
{
    const struct prvcut_suffix own = nms_own_suffix(t->reader);
    char *named = NULL;
    enum prvcut_status st = prvcut_output_spares(t, path, err);

    if (st == PRVCUT_OK)
        st = prvcut_suffix_settle(&named, &own, path, "", err);
    free(named);
    return st < 0 ? st : prvcut_output_companions_spare(t, path, err);
}

/* The folder in which a file appears takes it. */
static enum prvcut_status nms_folder_takes(const char *path, struct prvcut_error *err)
{
    const char *slash = strrchr(path, '/');
    struct prvcut_buffer folder = { 0 };
    struct stat s;
    enum prvcut_status st =
        prvcut_buffer_printf(&folder, err, "%.*s",
                             slash ? (int)(slash - path) + (slash == path) : 1, slash ? path : ".");

    if (st == PRVCUT_OK && (stat(folder.at, &s) != 0 || access(folder.at, W_OK | X_OK) != 0))
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be created", path);
    prvcut_buffer_fini(&folder);
    return st;
}

/* --- Outputs of one command ----------------------------------------------------------------- */

static bool nms_stat_folder(const char *path, struct stat *s)
{
    struct prvcut_buffer folder = { 0 };
    const bool known = prvcut_buffer_printf(&folder, NULL, "%.*s.", (int)prvcut_folder_length(path),
                                            path) == PRVCUT_OK &&
                       stat(folder.at, s) == 0;

    prvcut_buffer_fini(&folder);
    return known;
}

static bool nms_same_folder(const char *a, const char *b)
{
    struct stat s, t;

    return nms_stat_folder(a, &s) && nms_stat_folder(b, &t) && s.st_dev == t.st_dev &&
           s.st_ino == t.st_ino;
}

/* Do two names lead to one file, whether it is there or not? */
static bool nms_same_file(const char *a, const char *b)
{
    struct stat s, t;

    if (stat(a, &s) == 0 && stat(b, &t) == 0)
        return s.st_dev == t.st_dev && s.st_ino == t.st_ino;
    return strcmp(a + prvcut_folder_length(a), b + prvcut_folder_length(b)) == 0 &&
           nms_same_folder(a, b);
}

/* Is it the name of a file that an archive brings: NAME.1.events, NAME.def, the folder NAME? */
static bool nms_is_of_archive(const char *main, size_t stem, const char *path)
{
    const size_t own = stem - prvcut_folder_length(main);
    const char *name = path + prvcut_folder_length(path);

    if (strncmp(name, main + prvcut_folder_length(main), own) != 0 || !nms_same_folder(main, path))
        return false;
    return name[own] == '\0' || (name[own] == '.' && prvcut_trace_names_part(name));
}

enum prvcut_status prvcut_output_keeps_off(const struct prvcut_trace *t, const char *main,
                                           const char *path, struct prvcut_error *err)
{
    const char *packed;
    const size_t stem = nms_stem_of(t->reader, main, &packed);
    bool same = strcmp(main, "-") != 0 && strcmp(path, "-") != 0 &&
                (nms_same_file(main, path) ||
                 (!t->reader->format->packs && nms_is_of_archive(main, stem, path)));
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < t->companions && st == PRVCUT_OK && !same; i++) {
        struct prvcut_buffer beside = { 0 };

        st = prvcut_buffer_printf(&beside, err, "%.*s%s", (int)stem, main, t->companion[i].suffix);
        same = st == PRVCUT_OK && nms_same_file(beside.at, path);
        prvcut_buffer_fini(&beside);
    }
    if (st == PRVCUT_OK && same)
        st = prvcut_fail(err, PRVCUT_EUSAGE,
                         "'%s' is what the cut '%s' writes, too; give the report another name",
                         path, main);
    return st;
}

enum prvcut_status prvcut_output_is_free(const char *path, bool force, struct prvcut_error *err)
{
    struct prvcut_buffer place = { 0 };
    struct stat s;

    if (strcmp(path, "-") == 0)
        return PRVCUT_OK;
    /* What a killed process left half done is in nobody's way. */
    if (prvcut_buffer_printf(&place, NULL, "%.*s.", (int)prvcut_folder_length(path), path) ==
        PRVCUT_OK)
        prvcut_journal_recover(place.at);
    prvcut_buffer_fini(&place);
    if (lstat(path, &s) != 0)
        return errno == ENOENT ? nms_folder_takes(path, err)
                               : prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be created", path);
    if (stat(path, &s) != 0)
        return prvcut_fail_errno(err, force ? PRVCUT_EIO : PRVCUT_EEXIST,
                                 "%s: is a symbolic link that leads nowhere", path);
    if (S_ISDIR(s.st_mode))
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: is a folder, not a file", path);
    /* Devices and pipes are told of by whoever opens them. */
    if (!S_ISREG(s.st_mode))
        return PRVCUT_OK;
    if (!force)
        return prvcut_fail_exists(err, path);
    return nms_folder_takes(path, err);
}

/* A folder beside the main file of an archive of that name ("c" beside "c.otf2") is a part of it;
   then that file is what is named. */
static enum prvcut_status nms_main_of_folder(struct prvcut_buffer *main, const char *path,
                                             struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    struct stat s;

    if (stat(path, &s) != 0 || !S_ISDIR(s.st_mode))
        return prvcut_buffer_printf(main, err, "%s", path);
    for (size_t i = 0; prvcut_readers[i] && st == PRVCUT_OK; i++) {
        if (!prvcut_readers[i]->format->suffix || prvcut_readers[i]->format->packs)
            continue;
        main->count = 0;
        st = prvcut_buffer_printf(main, err, "%s%s", path, prvcut_readers[i]->format->suffix);
        if (st == PRVCUT_OK && stat(main->at, &s) == 0 && S_ISREG(s.st_mode))
            return PRVCUT_OK;
    }
    main->count = 0;
    return st < 0 ? st : prvcut_buffer_printf(main, err, "%s", path);
}

enum prvcut_status prvcut_file_free(const char *path, bool force, struct prvcut_error *err)
{
    struct prvcut_buffer main = { 0 };
    enum prvcut_status st = nms_main_of_folder(&main, path, err);

    if (st == PRVCUT_OK)
        st = prvcut_output_is_free(main.at, force, err);
    prvcut_buffer_fini(&main);
    return st;
}

/* One of the files that appear beside the main one. */
static enum prvcut_status nms_is_free_beside(const char *path, size_t stem, const char *suffix,
                                             bool force, struct prvcut_error *err)
{
    struct prvcut_buffer beside = { 0 };
    struct stat s = { .st_mode = 0 };
    enum prvcut_status st = prvcut_buffer_printf(&beside, err, "%.*s%s", (int)stem, path, suffix);

    if (st == PRVCUT_OK && lstat(beside.at, &s) == 0 && S_ISDIR(s.st_mode) &&
        access(path, F_OK) != 0)
        st = prvcut_fail(err, PRVCUT_EEXIST,
                         "%s: is a folder that belongs to no %s; it is not replaced", beside.at,
                         path);
    else if (st == PRVCUT_OK && s.st_mode != 0 && !force)
        st = prvcut_fail_exists(err, beside.at);
    prvcut_buffer_fini(&beside);
    return st;
}

enum prvcut_status prvcut_output_set_is_free(const char *path, const struct prvcut_trace *like,
                                             bool force, struct prvcut_error *err)
{
    const struct prvcut_named n = prvcut_suffix_of(path);
    enum prvcut_status st = prvcut_output_is_free(path, force, err);

    if (!n.suffix.format || prvcut_suffix_is_moot(path))
        return st;
    for (unsigned i = 0; i < 2 && n.suffix.format->beside[i] && st == PRVCUT_OK; i++)
        if (!like || i >= like->companions || like->companion[i].path)
            st = nms_is_free_beside(path, n.stem, n.suffix.format->beside[i], force, err);
    return st;
}

enum prvcut_status prvcut_output_cut_is_free(const char *path, const struct prvcut_trace *t,
                                             const struct prvcut_cut_options *o,
                                             struct prvcut_error *err)
{
    const struct prvcut_named n = prvcut_suffix_of(path);
    enum prvcut_status st;

    if (prvcut_own_folder_is_for(t, o))
        return prvcut_own_folder_is_free(path, o->force, err);
    st = prvcut_output_set_is_free(path, t, o->force, err);
    /* A configuration is no part of a trace, and stands beside it where it is asked for. */
    for (const struct prvcut_format_file *f = n.suffix.format ? n.suffix.format->file : NULL;
         f && f->part != PRVCUT_PART_END && o->view && st == PRVCUT_OK; f++)
        if (f->part == PRVCUT_PART_OTHER && !prvcut_suffix_is_moot(path))
            st = nms_is_free_beside(path, n.stem, f->suffix, o->force, err);
    return st;
}

enum prvcut_status prvcut_output_settle(char **out, const struct prvcut_trace *t,
                                        const struct prvcut_cut_options *o,
                                        enum report_tag_kind kind, struct prvcut_error *err)
{
    const struct report_tag tag = { .kind = kind };
    char text[64];
    enum prvcut_status st = o->path
                                ? prvcut_output_named(out, t, o->path, o->compress, err)
                                : prvcut_output_name(out, t->reader, prvcut_trace_shown(t),
                                                     report_tag_text(text, &tag), o->compress, err);

    if (st == PRVCUT_OK)
        st = prvcut_output_check(t, *out, err);
    return st < 0 ? st : prvcut_output_cut_is_free(*out, t, o, err);
}

enum prvcut_status prvcut_window_begins_within(uint64_t start, uint64_t end,
                                               struct prvcut_error *err)
{
    char from[32], to[32];

    if (start < end)
        return PRVCUT_OK;
    return prvcut_fail(
        err, PRVCUT_EUSAGE,
        "the window begins at %s (%" PRIu64 "ns), but the trace ends at %s (%" PRIu64 "ns)",
        prvcut_time_text(from, (double)start), start, prvcut_time_text(to, (double)end), end);
}
