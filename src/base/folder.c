/* sync is of POSIX.1-2008, but only with the XSI extensions. */
#define _XOPEN_SOURCE 700

#include "base/folder.h"
#include "base/buffer.h"
#include "base/journal.h"
#include "base/memory.h"
#include "base/tree.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Most files that are synced one by one. */
#define SYNC_EACH 64

/* A name in the set's place. */
struct entry {
    char *name;
    bool ours; /* the set brings it */
};

struct prvcut_folder {
    char *path;  /* of the main file, as given, for messages */
    int before;  /* bytes of it before the name, with the slash: for the others' names */
    char *place; /* folder of the main file */
    struct prvcut_commit *set;
    struct prvcut_work *work; /* the set's; the entries stand in it until commit */
    bool force;
    bool whole;          /* the main entry is a folder, and so are the others */
    struct entry *entry; /* the main file's is the first */
    size_t entries, room;
};

static enum prvcut_status folder_nomem(struct prvcut_error *err)
{
    return prvcut_no_memory(err, "a file name");
}

enum prvcut_status prvcut_folder_stem(char **out, const char *path, const char *suffix,
                                      const char *otherwise, struct prvcut_error *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const size_t length = strlen(name), end = strlen(suffix);

    if (length <= end || strcmp(name + length - end, suffix) != 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: %s", path, otherwise);
    *out = prvcut_copied(name, length - end, "a file name", err);
    return *out ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* --- Opening ------------------------------------------------------------------------------ */

static struct entry *folder_find(struct prvcut_folder *f, const char *name)
{
    for (size_t i = 0; i < f->entries; i++)
        if (strcmp(f->entry[i].name, name) == 0)
            return &f->entry[i];
    return NULL;
}

static enum prvcut_status folder_add(struct prvcut_folder *f, const char *name, bool ours,
                                     struct prvcut_error *err)
{
    struct entry *e = folder_find(f, name);

    if (e) {
        e->ours = e->ours || ours;
        return PRVCUT_OK;
    }
    if (f->entries == f->room) {
        const enum prvcut_status st =
            prvcut_grow((void **)&f->entry, &f->room, f->entries + 1, sizeof *f->entry, err);

        if (st < 0)
            return st;
    }
    e = &f->entry[f->entries];
    *e = (struct entry){ .name = prvcut_copied_text(name, "a file name", err), .ours = ours };
    if (!e->name)
        return PRVCUT_ENOMEM;
    f->entries++;
    return PRVCUT_OK;
}

static enum prvcut_status folder_split(struct prvcut_folder *f, struct prvcut_error *err)
{
    const char *slash = strrchr(f->path, '/');
    const char *name = slash ? slash + 1 : f->path;

    f->before = (int)(name - f->path);
    if (strcmp(f->path, "-") == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "'-': several files cannot go to standard output; name a file");
    if (*name == '\0' || prvcut_tree_is_dots(name))
        return prvcut_fail(err, PRVCUT_EIO, "%s: is not the name of a file", f->path);
    f->place = prvcut_path_folder(f->path, err);
    return f->place ? folder_add(f, name, false, err) : PRVCUT_ENOMEM;
}

/* What stands at an entry's place: 0 nothing, 1 a file or link, 2 a folder; -1: errno. */
static int folder_stands(const struct prvcut_folder *f, const struct entry *e)
{
    char *path = prvcut_path_join(f->place, e->name);
    struct stat info;
    int kind = -1;

    if (!path)
        errno = ENOMEM;
    else if (lstat(path, &info) == 0)
        kind = S_ISDIR(info.st_mode) ? 2 : 1;
    else if (errno == ENOENT)
        kind = 0;
    free(path);
    return kind;
}

static enum prvcut_status folder_exists(const struct prvcut_folder *f, const struct entry *e,
                                        struct prvcut_error *err)
{
    char path[sizeof err->text];

    snprintf(path, sizeof path, "%.*s%s", f->before, f->path, e->name);
    return prvcut_fail_exists(err, path);
}

/*
 * A folder goes only with the main file it belongs to: one that merely has the name may hold
 * anything.
 */
static enum prvcut_status folder_check(const struct prvcut_folder *f, struct prvcut_error *err)
{
    const int main = folder_stands(f, &f->entry[0]);

    if (main == 2 && !f->whole)
        return prvcut_fail(err, PRVCUT_EIO, "%s: is a folder, not a file", f->path);
    for (size_t i = 0; i < f->entries; i++) {
        const struct entry *e = &f->entry[i];
        const int kind = folder_stands(f, e);

        if (kind < 0)
            return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be written", f->path);
        if (kind == 1 && f->whole && f->force)
            return prvcut_fail(err, PRVCUT_EIO, "%.*s%s: is a file, not a folder", f->before,
                               f->path, e->name);
        if (kind == 2 && main == 0 && !f->whole)
            return prvcut_fail(err, PRVCUT_EEXIST,
                               "%.*s%s: is a folder that belongs to no %s; it is not replaced",
                               f->before, f->path, e->name, f->entry[0].name);
        if (kind > 0 && !f->force)
            return folder_exists(f, e, err);
    }
    return PRVCUT_OK;
}

static enum prvcut_status folder_make(struct prvcut_folder *f, struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_commit_new(&f->set, err);

    if (st == PRVCUT_OK)
        st = prvcut_commit_work(f->set, f->place, f->entry[0].name, f->path, &f->work, err);
    if (st == PRVCUT_OK && mkdir(f->work->set, S_IRWXU) != 0)
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be created", f->path);
    return st;
}

static void folder_free(struct prvcut_folder *f)
{
    for (size_t i = 0; i < f->entries; i++)
        free(f->entry[i].name);
    free(f->entry);
    free(f->place);
    free(f->path);
    free(f);
}

static enum prvcut_status folder_open(struct prvcut_folder **out, const char *main_path,
                                      const char *const *others, bool whole, bool force,
                                      struct prvcut_error *err)
{
    struct prvcut_folder *f = prvcut_zeroed(1, sizeof *f, "a folder", err);
    enum prvcut_status st;

    *out = NULL;
    if (!f)
        return PRVCUT_ENOMEM;
    f->force = force;
    f->path = prvcut_copied_text(main_path, "a file name", err);
    f->whole = whole;
    st = f->path ? folder_split(f, err) : PRVCUT_ENOMEM;
    for (size_t i = 0; st == PRVCUT_OK && others && others[i]; i++)
        st = folder_add(f, others[i], false, err);
    if (st == PRVCUT_OK) {
        prvcut_journal_recover(f->place);
        st = folder_check(f, err);
    }
    if (st == PRVCUT_OK)
        st = folder_make(f, err);
    if (st < 0) {
        prvcut_folder_abandon(f);
        return st;
    }
    *out = f;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_folder_open(struct prvcut_folder **out, const char *main_path,
                                      const char *const *others, bool force,
                                      struct prvcut_error *err)
{
    return folder_open(out, main_path, others, false, force, err);
}

enum prvcut_status prvcut_folder_open_whole(struct prvcut_folder **out, const char *main_path,
                                            const char *const *others, bool force,
                                            struct prvcut_error *err)
{
    return folder_open(out, main_path, others, true, force, err);
}

const char *prvcut_folder_path(const struct prvcut_folder *f)
{
    return f->work->set;
}

struct prvcut_commit *prvcut_folder_set(const struct prvcut_folder *f)
{
    return f->set;
}

/* --- Commit ------------------------------------------------------------------------------- */

/* Every name in the temporary folder is an entry. */
static enum prvcut_status folder_list(struct prvcut_folder *f, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    DIR *dir = opendir(f->work->set);
    const struct dirent *d;

    if (!dir)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read", f->path);
    while (st == PRVCUT_OK && (errno = 0, d = readdir(dir)))
        if (!prvcut_tree_is_dots(d->d_name))
            st = folder_add(f, d->d_name, true, err);
    if (st == PRVCUT_OK && errno != 0)
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read", f->path);
    closedir(dir);
    if (st == PRVCUT_OK && !f->entry[0].ours)
        return prvcut_fail(err, PRVCUT_EIO, "%s: was not written", f->path);
    return st;
}

static enum prvcut_status folder_join_one(const struct prvcut_folder *f, const struct entry *e,
                                          struct prvcut_error *err)
{
    struct prvcut_buffer shown = { 0 };
    char *fresh = e->ours ? prvcut_path_join(f->work->set, e->name) : NULL;
    struct prvcut_joining joining = {
        .work = f->work, .name = e->name, .fresh = fresh, .force = f->force
    };
    enum prvcut_status st = prvcut_buffer_append(&shown, f->path, (size_t)f->before, err);

    if (st == PRVCUT_OK)
        st = prvcut_buffer_append(&shown, e->name, strlen(e->name) + 1, err);
    if (st == PRVCUT_OK && e->ours && !fresh)
        st = folder_nomem(err);
    joining.shown = shown.at;
    if (st == PRVCUT_OK)
        st = prvcut_commit_join(f->set, &joining, err);
    prvcut_buffer_fini(&shown);
    free(fresh);
    return st;
}

/* The main file last. With force, what the set does not bring goes all the same. */
static enum prvcut_status folder_join_all(const struct prvcut_folder *f, struct prvcut_error *err)
{
    enum prvcut_status st = f->force ? folder_check(f, err) : PRVCUT_OK;

    for (size_t i = f->entries; i-- > 0 && st == PRVCUT_OK;)
        if (f->entry[i].ours || f->force)
            st = folder_join_one(f, &f->entry[i], err);
    return st;
}

/*
 * Each fsync waits for the disk: thousands of them take minutes where one sync of everything takes
 * a second. It cannot tell of a failure, so few files are synced one by one.
 */
static enum prvcut_status folder_sync(const struct prvcut_folder *f, uint64_t *size,
                                      struct prvcut_error *err)
{
    struct prvcut_tree all;
    int failed = prvcut_tree_walk(f->work->set, false, &all);

    *size = all.bytes;
    if (failed == 0 && all.files > SYNC_EACH)
        sync();
    else if (failed == 0)
        failed = prvcut_tree_walk(f->work->set, true, &all);
    if (failed == 0)
        return PRVCUT_OK;
    return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be flushed to disk", f->path);
}

enum prvcut_status prvcut_folder_commit(struct prvcut_folder *f, uint64_t *size,
                                        struct prvcut_error *err)
{
    uint64_t bytes = 0;
    enum prvcut_status st = folder_list(f, err);

    if (st == PRVCUT_OK)
        st = folder_sync(f, &bytes, err);
    if (st == PRVCUT_OK)
        st = folder_join_all(f, err);
    if (st == PRVCUT_OK) {
        st = prvcut_commit_all(f->set, err);
        f->set = NULL;
    }
    if (st == PRVCUT_OK && size)
        *size = bytes;
    prvcut_folder_abandon(f);
    return st;
}

void prvcut_folder_abandon(struct prvcut_folder *f)
{
    if (!f)
        return;
    prvcut_commit_abandon(f->set);
    folder_free(f);
}
