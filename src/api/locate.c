#include "api/locate.h"

#include "api/mains.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "model/format.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names told of a folder with several traces. */
#define NAMES_TOLD 4

static bool loc_ends_in(const char *path, const char *suffix)
{
    const size_t length = strlen(path), n = strlen(suffix);

    return length > n && strcmp(path + length - n, suffix) == 0;
}

static bool loc_is_file(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && !S_ISDIR(s.st_mode);
}

static bool loc_is_folder(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static enum prvcut_status loc_join(char **out, const char *a, size_t length, const char *b,
                                   struct prvcut_error *err)
{
    struct prvcut_buffer text = { 0 };
    enum prvcut_status st = prvcut_buffer_append(&text, a, length, err);

    if (st == PRVCUT_OK)
        st = prvcut_buffer_append(&text, b, strlen(b) + 1, err);
    if (st < 0)
        prvcut_buffer_fini(&text);
    *out = text.at;
    return st;
}

/* What is told of a trace that formats know and do not read; NULL: it is none. */
static const char *locate_unread(const char *path)
{
    for (size_t i = 0; prvcut_formats[i]; i++)
        for (const struct prvcut_format_file *f = prvcut_formats[i]->file;
             f && f->part != PRVCUT_PART_END; f++)
            if (f->part == PRVCUT_PART_UNREAD && loc_ends_in(path, f->suffix))
                return f->holds;
    return NULL;
}

/* What a folder holds. */
struct contents {
    char *found; /* path of the first main file in the alphabet */
    unsigned count;
    const char *unread; /* what is told of one that is not read */
    struct prvcut_buffer names;
};

static int loc_visible(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

static bool loc_is_on_disk(const void *ctx, const char *path)
{
    (void)ctx;
    return loc_is_file(path);
}

static const struct prvcut_names on_disk = { .has = loc_is_on_disk };

static enum prvcut_status loc_look_at(struct contents *c, const char *folder, size_t length,
                                      const char *name, struct prvcut_error *err)
{
    char *path = NULL;
    enum prvcut_status st;
    bool cut = false;

    if (locate_unread(name))
        c->unread = locate_unread(name);
    if (prvcut_main_stem(name) == 0)
        return PRVCUT_OK;
    st = loc_join(&path, folder, length, name, err);
    if (st == PRVCUT_OK)
        st = prvcut_main_is_cut(&cut, path, &on_disk, err);
    if (st < 0 || cut || !loc_is_file(path)) {
        free(path);
        return st;
    }
    if (c->count++ < NAMES_TOLD)
        st = prvcut_buffer_printf(&c->names, err, "%s%s", c->count > 1 ? ", " : "", name);
    if (c->found)
        free(path);
    else
        c->found = path;
    return st;
}

/* The folder of a cut, NAME.TAG, beside the folder NAME that it was cut from? */
static bool loc_is_cut_folder(const char *base, const char *name)
{
    struct prvcut_buffer original = { 0 };
    bool cut = false;

    for (size_t stem = strlen(name); stem-- > 1 && !cut;) {
        original.count = 0;
        cut = name[stem] == '.' &&
              prvcut_buffer_printf(&original, NULL, "%s%.*s", base, (int)stem, name) == PRVCUT_OK &&
              loc_is_folder(original.at);
    }
    prvcut_buffer_fini(&original);
    return cut;
}

/* Main files in a folder; `only`: its one folder but for cuts, where it holds nothing else of
   ours. */
static enum prvcut_status loc_look_into(struct contents *c, const char *folder, char **only,
                                        struct prvcut_error *err)
{
    struct prvcut_buffer base = { 0 };
    struct dirent **entry = NULL;
    const int count = scandir(folder, &entry, loc_visible, alphasort);
    unsigned folders = 0;
    enum prvcut_status st;

    if (count < 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s", folder);
    st = prvcut_buffer_printf(&base, err, "%s%s", folder, loc_ends_in(folder, "/") ? "" : "/");
    for (int i = 0; i < count; i++) {
        char *path = NULL;

        if (st == PRVCUT_OK)
            st = loc_look_at(c, base.at, base.count, entry[i]->d_name, err);
        if (st == PRVCUT_OK && only &&
            loc_join(&path, base.at, base.count, entry[i]->d_name, err) == 0 &&
            loc_is_folder(path) && !loc_is_cut_folder(base.at, entry[i]->d_name) &&
            folders++ == 0) {
            *only = path;
            path = NULL;
        }
        free(path);
        free(entry[i]);
    }
    free(entry);
    prvcut_buffer_fini(&base);
    if (only && (folders != 1 || st < 0)) {
        free(*only);
        *only = NULL;
    }
    return st;
}

static enum prvcut_status loc_several(const struct contents *c, const char *folder,
                                      struct prvcut_error *err)
{
    /* Nothing that a shell would not take as it is. */
    if (!strpbrk(c->found, " \t\n\"'\\$`!*?[](){}<>|&;~#"))
        prvcut_instead(err, "prvcut info %s", c->found);
    return prvcut_fail(err, PRVCUT_EUSAGE, "%s: holds %u traces (%s%s); name one", folder, c->count,
                       c->names.at, c->count > NAMES_TOLD ? ", ..." : "");
}

static enum prvcut_status loc_without_trace(const char *folder, struct prvcut_error *err)
{
    char known[100];

    /* Such a folder tells its names, but not what is called so. */
    if (access(folder, X_OK) != 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be entered", folder);
    return prvcut_fail(err, PRVCUT_ENOTRACE, "%s: is a folder without a trace (%s)", folder,
                       prvcut_main_names(known, sizeof known));
}

static enum prvcut_status loc_in_folder(char **out, const char *folder, struct prvcut_error *err)
{
    struct contents c = { .found = NULL };
    char *only = NULL;
    enum prvcut_status st = loc_look_into(&c, folder, &only, err);

    if (st == PRVCUT_OK && c.count == 0 && only)
        st = loc_look_into(&c, only, NULL, err);
    free(only);
    if (st == PRVCUT_OK && c.count != 1) {
        if (c.count > 1)
            st = loc_several(&c, folder, err);
        else if (c.unread)
            st = prvcut_fail(err, PRVCUT_ENOTRACE, "%s: %s", folder, c.unread);
        else
            st = loc_without_trace(folder, err);
    }
    prvcut_buffer_fini(&c.names);
    if (st == PRVCUT_OK)
        *out = c.found;
    else
        free(c.found);
    return st;
}

/* NAME.otf2 or NAME.otf for a stem of a path, where there is one. */
static enum prvcut_status loc_main_of(char **out, const char *path, size_t stem,
                                      struct prvcut_error *err)
{
    char suffix[PRVCUT_MAIN_SUFFIX];

    for (size_t i = 0; !*out && prvcut_main_suffix(suffix, i); i++) {
        enum prvcut_status st = loc_join(out, path, stem, suffix, err);

        if (st < 0)
            return st;
        if (!loc_is_file(*out)) {
            free(*out);
            *out = NULL;
        }
    }
    return PRVCUT_OK;
}

/* Length of a part's name without its suffix; 0: it is none. */
static size_t loc_stem_of_part(const char *path)
{
    for (size_t i = 0; prvcut_formats[i]; i++)
        for (const struct prvcut_format_file *f = prvcut_formats[i]->file;
             f && f->part != PRVCUT_PART_END; f++)
            if (f->part == PRVCUT_PART_OF_ARCHIVE && loc_ends_in(path, f->suffix))
                return strlen(path) - strlen(f->suffix);
    return 0;
}

/* The archive that a part belongs to: NAME.def, NAME/0.evt, NAME.1.events.z, NAME.0.def. */
static enum prvcut_status loc_main_of_part(char **out, const char *path, struct prvcut_error *err)
{
    size_t stem = loc_stem_of_part(path);
    enum prvcut_status st;

    if (stem == 0)
        return PRVCUT_OK;
    st = loc_main_of(out, path, stem, err);
    /* One word less: the stream's number, or the folder of the locations. */
    while (st == PRVCUT_OK && !*out && stem > 0 && path[stem - 1] != '.' && path[stem - 1] != '/')
        stem--;
    return st < 0 || *out || stem < 2 ? st : loc_main_of(out, path, stem - 1, err);
}

enum prvcut_status prvcut_trace_locate(char **out, const char *path, struct prvcut_error *err)
{
    const bool folder = loc_is_folder(path);
    size_t length = strlen(path);
    enum prvcut_status st = PRVCUT_OK;

    *out = NULL;
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (locate_unread(path) && loc_is_file(path))
        return prvcut_fail(err, PRVCUT_ENOTRACE, "%s: %s", path, locate_unread(path));
    /* An archive's folder of locations stands beside its main file. */
    if (strcmp(path, "-") != 0 && (folder || !loc_is_file(path)))
        st = loc_main_of(out, path, length, err);
    if (st == PRVCUT_OK && !*out && folder)
        return loc_in_folder(out, path, err);
    if (st == PRVCUT_OK && !*out && length > 1 && prvcut_main_stem(path) == 0)
        st = loc_main_of_part(out, path, err);
    if (st < 0 || *out)
        return st;
    *out = prvcut_copied_text(path, "a file name", err);
    return *out ? PRVCUT_OK : PRVCUT_ENOMEM;
}

bool prvcut_trace_names_part(const char *name)
{
    return loc_stem_of_part(name) > 0;
}

/* --- Parts ---------------------------------------------------------------------------------- */

static bool loc_is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* A folder's own entries, up to one that is taken. */
static bool lct_each_within(const char *folder,
                            bool (*take)(void *ctx, const char *name, const struct stat *s),
                            void *ctx)
{
    DIR *dir = opendir(folder);
    const struct dirent *d;
    bool found = false;

    while (dir && !found && (d = readdir(dir))) {
        struct stat s;

        found = strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0 &&
                fstatat(dirfd(dir), d->d_name, &s, 0) == 0 && take(ctx, d->d_name, &s);
    }
    if (dir)
        closedir(dir);
    return found;
}

/* Is the file `name` beside `main`, in the folder of that length, a part of main's archive? */
static bool loc_is_part_of(const char *main, size_t folder, const char *name)
{
    char *path = NULL, *found = NULL;
    bool part = false;

    if (loc_stem_of_part(name) > 0 && loc_join(&path, main, folder, name, NULL) == PRVCUT_OK &&
        loc_main_of_part(&found, path, NULL) == PRVCUT_OK)
        part = found && strcmp(found, main) == 0;
    free(found);
    free(path);
    return part;
}

/* The folder of the locations, without the slash; NULL where main is no archive's. */
static char *loc_locations_of(const char *main)
{
    size_t stem;
    const struct prvcut_format *format = prvcut_main_format(main, &stem);

    return format && format->archive ? prvcut_copied(main, stem, "a name", NULL) : NULL;
}

bool prvcut_trace_each_part(const char *main,
                            bool (*take)(void *ctx, const char *name, const struct stat *s),
                            void *ctx)
{
    const char *slash = strrchr(main, '/');
    const size_t folder = slash ? (size_t)(slash - main) + 1 : 0;
    char *locations = loc_locations_of(main), *place = NULL;
    const struct dirent *d;
    struct stat s;
    DIR *dir = NULL;
    bool found = false;

    if (locations) {
        found = stat(locations, &s) == 0 && S_ISDIR(s.st_mode) &&
                (take(ctx, locations + folder, &s) || lct_each_within(locations, take, ctx));
        place = folder > 0 ? prvcut_copied(main, folder, "a name", NULL)
                           : prvcut_copied_text(".", "a name", NULL);
        dir = place ? opendir(place) : NULL;
    }
    while (dir && !found && (d = readdir(dir)))
        found = strncmp(d->d_name, locations + folder, strlen(locations + folder)) == 0 &&
                fstatat(dirfd(dir), d->d_name, &s, 0) == 0 &&
                loc_is_part_of(main, folder, d->d_name) && take(ctx, d->d_name, &s);
    if (dir)
        closedir(dir);
    free(place);
    free(locations);
    return found;
}

static bool lct_same(void *ctx, const char *name, const struct stat *s)
{
    (void)name;
    return loc_is_same(s, ctx);
}

bool prvcut_trace_has_part(const char *main, const struct stat *what)
{
    struct stat sought = *what;

    return prvcut_trace_each_part(main, lct_same, &sought);
}
