#include "api/own_folder.h"

#include "api/called.h"
#include "api/locate.h"
#include "api/mains.h"
#include "base/buffer.h"
#include "base/journal.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool prvcut_own_folder_is_for(const struct prvcut_trace *t, const struct prvcut_cut_options *o)
{
    return !o->path && !t->reader->format->packs;
}

/* --- Names ---------------------------------------------------------------------------------- */

/* PLACE/NAME.TAG/MAIN taken apart. */
struct parts {
    int place;        /* bytes of PLACE, with its slash */
    const char *name; /* NAME.TAG */
    int name_length;
    const char *main;
};

static struct parts own_parts_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash : path;

    while (name > path && name[-1] != '/')
        name--;
    return (struct parts){ .place = (int)(name - path),
                           .name = name,
                           .name_length = slash ? (int)(slash - name) : 0,
                           .main = slash ? slash + 1 : path };
}

/* Is the folder that the main file is in the archive's: does it have the name that the file has, or
   ought to have? */
static bool own_is_archives_folder(const struct parts *p)
{
    const size_t stem = prvcut_main_stem(p->main);

    return prvcut_path_is_generic(p->main) ||
           (stem > 0 && stem == (size_t)p->name_length && memcmp(p->name, p->main, stem) == 0);
}

/* The folder in which a cut's own one stands, as a prefix: "", "a/", "a/../". */
static enum prvcut_status own_place_of(struct prvcut_buffer *out, const char *path,
                                       struct prvcut_error *err)
{
    const struct parts p = own_parts_of(path);
    const bool dots = p.name_length == 0 || (p.name_length == 1 && p.name[0] == '.') ||
                      (p.name_length == 2 && strncmp(p.name, "..", 2) == 0);
    const int whole = (int)(p.main - path);

    if (!own_is_archives_folder(&p))
        return prvcut_buffer_printf(out, err, "%.*s", whole, path);
    if (dots)
        return prvcut_buffer_printf(out, err, "%.*s../", whole, path);
    return prvcut_buffer_printf(out, err, "%.*s", p.place, path);
}

enum prvcut_status prvcut_own_folder_name(char **out, const struct prvcut_reader *reader,
                                          const char *path, const char *tag,
                                          struct prvcut_error *err)
{
    const char *main = own_parts_of(path).main;
    const size_t n = strlen(reader->format->suffix);
    struct prvcut_buffer place = { 0 }, full = { 0 };
    char *called = NULL;
    size_t stem;
    enum prvcut_status st = prvcut_path_called(&called, path, err);

    *out = NULL;
    if (st == PRVCUT_OK)
        st = own_place_of(&place, path, err);
    if (st == PRVCUT_OK) {
        const bool takes = access(place.count > 0 ? place.at : ".", W_OK) == 0;

        stem = strlen(called);
        if (stem > n && strcmp(called + stem - n, reader->format->suffix) == 0)
            stem -= n;
        st = prvcut_buffer_printf(&full, err, "%s%.*s.%s/%s", takes && place.at ? place.at : "",
                                  (int)stem, called, tag, main);
    }
    prvcut_buffer_fini(&place);
    free(called);
    *out = full.at;
    return st;
}

/* --- What is refused ------------------------------------------------------------------------ */

/* A file of an archive with that main file. */
static bool own_belongs(const char *main, const char *name)
{
    const size_t stem = prvcut_main_stem(main);

    if (name[0] == '.' || strcmp(name, main) == 0)
        return true;
    return strncmp(name, main, stem) == 0 &&
           (name[stem] == '\0' || (name[stem] == '.' && prvcut_trace_names_part(name)));
}

static enum prvcut_status own_holds_only_archive(const char *folder, const char *main,
                                                 struct prvcut_error *err)
{
    DIR *dir = opendir(folder);
    const struct dirent *d;
    enum prvcut_status st = PRVCUT_OK;

    if (!dir)
        return prvcut_fail_errno(err, errno == ENOTDIR ? PRVCUT_EEXIST : PRVCUT_EIO,
                                 "%s: cannot be replaced", folder);
    while (st == PRVCUT_OK && (d = readdir(dir)))
        if (!own_belongs(main, d->d_name))
            st = prvcut_fail(err, PRVCUT_EEXIST,
                             "%s: holds more than a cut (%.200s); it is not replaced", folder,
                             d->d_name);
    closedir(dir);
    return st;
}

enum prvcut_status prvcut_own_folder_is_free(const char *path, bool force, struct prvcut_error *err)
{
    const struct parts p = own_parts_of(path);
    struct prvcut_buffer place = { 0 }, folder = { 0 };
    struct stat s;
    enum prvcut_status st = prvcut_buffer_printf(&place, err, "%.*s.", p.place, path);

    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&folder, err, "%.*s", p.place + p.name_length, path);
    if (st == PRVCUT_OK) {
        prvcut_journal_recover(place.at);
        if (lstat(folder.at, &s) == 0)
            st = force ? own_holds_only_archive(folder.at, p.main, err)
                       : prvcut_fail_exists(err, folder.at);
        else if (errno != ENOENT || access(place.at, W_OK | X_OK) != 0)
            st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be created", folder.at);
    }
    prvcut_buffer_fini(&place);
    prvcut_buffer_fini(&folder);
    return st;
}

enum prvcut_status prvcut_own_folder_keeps_off(const char *path, const char *other,
                                               struct prvcut_error *err)
{
    const struct parts p = own_parts_of(path);
    const size_t folder = (size_t)(p.place + p.name_length);

    if (strncmp(path, other, folder) != 0 || other[folder] != '/')
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EUSAGE, "%s: the folder %.*s holds the cut and nothing else",
                       other, (int)folder, path);
}

/* --- Writing -------------------------------------------------------------------------------- */

static char *own_copy(const char *text, size_t length, const char *behind)
{
    struct prvcut_buffer b = { 0 };

    if (prvcut_buffer_printf(&b, NULL, "%.*s%s", (int)length, text, behind) < 0)
        prvcut_buffer_fini(&b);
    return b.at;
}

enum prvcut_status prvcut_own_folder_open(struct prvcut_folder **out, const char *const *path,
                                          size_t paths, bool force, struct prvcut_error *err)
{
    const struct parts first = own_parts_of(path[0]);
    char *main = own_copy(path[0], (size_t)(first.place + first.name_length), "");
    char **others = prvcut_zeroed(paths + 1, sizeof *others, "file names", NULL);
    bool all = main && others;
    enum prvcut_status st;

    *out = NULL;
    for (size_t i = 1; i < paths && all; i++) {
        const struct parts p = own_parts_of(path[i]);

        others[i - 1] = own_copy(p.name, (size_t)p.name_length, "");
        all = others[i - 1] != NULL;
    }
    st = all ? prvcut_folder_open_whole(out, main, (const char *const *)others, force, err)
             : prvcut_no_memory(err, "a file name");
    for (size_t i = 0; others && i < paths; i++)
        free(others[i]);
    free(others);
    free(main);
    return st;
}

enum prvcut_status prvcut_own_folder_make(char **inside, const struct prvcut_folder *f,
                                          const char *path, struct prvcut_error *err)
{
    const struct parts p = own_parts_of(path);
    struct prvcut_buffer b = { 0 };
    enum prvcut_status st =
        prvcut_buffer_printf(&b, err, "%s/%.*s", prvcut_folder_path(f), p.name_length, p.name);

    if (st == PRVCUT_OK && mkdir(b.at, S_IRWXU | S_IRWXG | S_IRWXO) != 0)
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%.*s: cannot be created", p.place + p.name_length,
                               path);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&b, err, "/%s", p.main);
    if (st < 0)
        prvcut_buffer_fini(&b);
    *inside = b.at;
    return st;
}

enum prvcut_status prvcut_own_folder_begin(struct prvcut_own_folder *f, const char *path,
                                           bool force, struct prvcut_error *err)
{
    enum prvcut_status st;

    *f = (struct prvcut_own_folder){ .path = path };
    st = prvcut_own_folder_open(&f->set, &path, 1, force, err);
    return st < 0 ? st : prvcut_own_folder_make(&f->inside, f->set, path, err);
}

enum prvcut_status prvcut_own_folder_end(struct prvcut_own_folder *f, enum prvcut_status written,
                                         char **file, size_t files, struct prvcut_error *err)
{
    struct prvcut_cut_summary sum = { .file = file, .files = files };
    enum prvcut_status st = written;

    if (st == PRVCUT_OK)
        st = prvcut_own_folder_tell(&sum, f->path, (size_t)(strrchr(f->path, '/') + 1 - f->path),
                                    err);
    if (st == PRVCUT_OK)
        st = prvcut_folder_commit(f->set, NULL, err);
    else
        prvcut_folder_abandon(f->set);
    free(f->inside);
    return st;
}

enum prvcut_status prvcut_own_folder_tell(struct prvcut_cut_summary *sum, const char *before,
                                          size_t length, struct prvcut_error *err)
{
    for (size_t i = 0; i < sum->files; i++) {
        const char *name = sum->file[i] + prvcut_folder_length(sum->file[i]);
        char *out = prvcut_unset(1, length + strlen(name) + 1, "a name", err);

        if (!out)
            return PRVCUT_ENOMEM;
        memcpy(out, before, length);
        strcpy(out + length, name);
        free(sum->file[i]);
        sum->file[i] = out;
    }
    return PRVCUT_OK;
}
