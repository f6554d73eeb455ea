/* sync is of POSIX.1-2008, but only with the XSI extensions. */
#define _XOPEN_SOURCE 700

#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Most bytes of the main file's name within a temporary one: with the rest below the usual 255. */
#define TEMP_NAME 200

/* Most files that are synced one by one. */
#define SYNC_EACH 64

/* A name in the set's place, and what has been done about it. */
struct entry {
    char *name;
    bool ours;  /* the set brings it */
    bool aside; /* what stood there is in the folder of old entries */
    bool moved; /* the set's own stands there */
};

struct prvcut_folder {
    char *path;  /* of the main file, as given, for messages */
    int before;  /* bytes of it before the name, with the slash: for the others' names */
    char *place; /* folder of the main file */
    char *temp;  /* the set's entries until commit */
    char *old;   /* what they replace; NULL until there is something */
    bool force;
    struct entry *entry; /* the main file's is the first */
    size_t entries, room;
};

static enum prvcut_status folder_nomem(struct prvcut_error *err)
{
    return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory: a file name");
}

/* folder/name; NULL when out of memory. */
static char *folder_join(const char *folder, const char *name)
{
    const size_t room = strlen(folder) + strlen(name) + 2;
    char *path = malloc(room);

    if (path)
        snprintf(path, room, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name);
    return path;
}

/* --- Whole trees ------------------------------------------------------------------------- */

static bool folder_is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int folder_remove_at(int parent, const char *name);

/* Names that are removed while a folder is read may hide others: until nothing more is found. */
static void folder_empty(DIR *dir)
{
    size_t removed;

    do {
        const struct dirent *d;

        removed = 0;
        rewinddir(dir);
        while ((d = readdir(dir)))
            removed += !folder_is_dots(d->d_name) && folder_remove_at(dirfd(dir), d->d_name) == 0;
    } while (removed > 0);
}

/* A file, a link (not what it leads to), or a folder with all that is in it. */
static int folder_remove_at(int parent, const char *name)
{
    DIR *dir;
    int fd;

    if (unlinkat(parent, name, 0) == 0)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return -1;
    fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    dir = fdopendir(fd);
    if (!dir) {
        close(fd);
        return -1;
    }
    folder_empty(dir);
    closedir(dir);
    return unlinkat(parent, name, AT_REMOVEDIR);
}

/* Only a failure of the device counts for a folder: many file systems cannot sync one. */
static int folder_sync_fd(int fd, bool is_folder)
{
    while (fsync(fd) != 0)
        if (errno != EINTR)
            return is_folder && errno != EIO ? 0 : -1;
    return 0;
}

/* A walk through a tree. */
struct walk {
    uint64_t size; /* bytes of its files */
    size_t files;
    bool sync; /* sync each file and folder */
};

static int folder_walk_at(int parent, const char *name, struct walk *w);

static int folder_walk_entries(int fd, struct walk *w)
{
    const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
    const struct dirent *d;
    int failed = 0;

    if (!dir) {
        if (copy >= 0)
            close(copy);
        return -1;
    }
    /* The copy shares its place in the folder with whoever read it before. */
    rewinddir(dir);
    while (failed == 0 && (d = readdir(dir)))
        if (!folder_is_dots(d->d_name))
            failed = folder_walk_at(fd, d->d_name, w);
    closedir(dir);
    return failed;
}

static int folder_walk_at(int parent, const char *name, struct walk *w)
{
    const int fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct stat info;
    int failed = -1, number;

    if (fd < 0)
        return -1;
    if (fstat(fd, &info) == 0) {
        const bool is_folder = S_ISDIR(info.st_mode);

        failed = is_folder ? folder_walk_entries(fd, w) : 0;
        w->files += !is_folder;
        w->size += S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
        if (failed == 0 && w->sync)
            failed = folder_sync_fd(fd, is_folder);
    }
    number = errno;
    close(fd);
    errno = number;
    return failed;
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
        const size_t room = f->room * 2 + 8;
        struct entry *more = realloc(f->entry, room * sizeof *more);

        if (!more)
            return folder_nomem(err);
        f->entry = more;
        f->room = room;
    }
    e = &f->entry[f->entries];
    *e = (struct entry){ .name = strdup(name), .ours = ours };
    if (!e->name)
        return folder_nomem(err);
    f->entries++;
    return PRVCUT_OK;
}

static enum prvcut_status folder_split(struct prvcut_folder *f, struct prvcut_error *err)
{
    const char *slash = strrchr(f->path, '/');
    const char *name = slash ? slash + 1 : f->path;
    const size_t length = slash ? (size_t)(slash - f->path) : 0;

    f->before = (int)(name - f->path);
    if (strcmp(f->path, "-") == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "several files cannot go to standard output");
    if (*name == '\0' || folder_is_dots(name))
        return prvcut_fail(err, PRVCUT_EIO, "%s: is not the name of a file", f->path);
    f->place = slash ? strndup(f->path, length > 0 ? length : 1) : strdup(".");
    return f->place ? folder_add(f, name, false, err) : folder_nomem(err);
}

/* What stands at an entry's place: 0 nothing, 1 a file or link, 2 a folder; -1: errno. */
static int folder_stands(const struct prvcut_folder *f, const struct entry *e)
{
    char *path = folder_join(f->place, e->name);
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

/*
 * A folder goes only with the main file it belongs to: one that merely has the name may hold
 * anything.
 */
static enum prvcut_status folder_check(const struct prvcut_folder *f, struct prvcut_error *err)
{
    const int main = folder_stands(f, &f->entry[0]);

    if (main == 2)
        return prvcut_fail(err, PRVCUT_EIO, "%s: is a folder, not a file", f->path);
    for (size_t i = 0; i < f->entries; i++) {
        const struct entry *e = &f->entry[i];
        const int kind = folder_stands(f, e);

        if (kind < 0)
            return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be written", f->path);
        if (kind > 0 && !f->force)
            return prvcut_fail(err, PRVCUT_EEXIST,
                               "%.*s%s: exists; it is replaced only with --force", f->before,
                               f->path, e->name);
        if (kind == 2 && main == 0)
            return prvcut_fail(err, PRVCUT_EEXIST,
                               "%.*s%s: is a folder that belongs to no %s; it is not replaced",
                               f->before, f->path, e->name, f->entry[0].name);
    }
    return PRVCUT_OK;
}

/* mkdtemp's mode 0700 does no harm: the entries, which have their own, leave the folder. */
static enum prvcut_status folder_make(const struct prvcut_folder *f, char **temp,
                                      struct prvcut_error *err)
{
    char name[TEMP_NAME + sizeof "..XXXXXX"];

    snprintf(name, sizeof name, ".%.*s.XXXXXX", TEMP_NAME, f->entry[0].name);
    *temp = folder_join(f->place, name);
    if (!*temp)
        return folder_nomem(err);
    if (mkdtemp(*temp))
        return PRVCUT_OK;
    prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be created", f->path);
    free(*temp);
    *temp = NULL;
    return PRVCUT_EIO;
}

static void folder_free(struct prvcut_folder *f)
{
    for (size_t i = 0; i < f->entries; i++)
        free(f->entry[i].name);
    free(f->entry);
    free(f->old);
    free(f->temp);
    free(f->place);
    free(f->path);
    free(f);
}

enum prvcut_status prvcut_folder_open(struct prvcut_folder **out, const char *main_path,
                                      const char *const *others, bool force,
                                      struct prvcut_error *err)
{
    struct prvcut_folder *f = calloc(1, sizeof *f);
    enum prvcut_status st;

    *out = NULL;
    if (!f)
        return folder_nomem(err);
    f->force = force;
    f->path = strdup(main_path);
    st = f->path ? folder_split(f, err) : folder_nomem(err);
    for (size_t i = 0; st == PRVCUT_OK && others && others[i]; i++)
        st = folder_add(f, others[i], false, err);
    if (st == PRVCUT_OK)
        st = folder_check(f, err);
    if (st == PRVCUT_OK)
        st = folder_make(f, &f->temp, err);
    if (st < 0) {
        folder_free(f);
        return st;
    }
    *out = f;
    return PRVCUT_OK;
}

const char *prvcut_folder_path(const struct prvcut_folder *f)
{
    return f->temp;
}

/* --- Moving ------------------------------------------------------------------------------- */

/* Every name in the temporary folder is an entry. */
static enum prvcut_status folder_list(struct prvcut_folder *f, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    DIR *dir = opendir(f->temp);
    const struct dirent *d;

    if (!dir)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read", f->temp);
    while (st == PRVCUT_OK && (d = readdir(dir)))
        if (!folder_is_dots(d->d_name))
            st = folder_add(f, d->d_name, true, err);
    closedir(dir);
    if (st == PRVCUT_OK && !f->entry[0].ours)
        return prvcut_fail(err, PRVCUT_EIO, "%s: was not written", f->path);
    return st;
}

/*
 * rename replaces what is there, link never does: without force nothing can be lost, in any race.
 * Folders have no second link, but rename replaces none that holds something.
 */
static int folder_place_one(const char *from, const char *to, bool replace)
{
    struct stat info;

    if (replace || lstat(from, &info) != 0 || S_ISDIR(info.st_mode))
        return rename(from, to);
    if (link(from, to) == 0) {
        (void)unlink(from);
        return 0;
    }
    if (errno == EEXIST)
        return -1;
    /* No hard links on this file system. */
    if (lstat(to, &info) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(from, to);
}

static int folder_rename(const char *from, const char *to, const char *name, bool replace)
{
    char *a = folder_join(from, name), *b = folder_join(to, name);
    int failed = -1;

    if (a && b)
        failed = folder_place_one(a, b, replace);
    else
        errno = ENOMEM;
    free(a);
    free(b);
    return failed;
}

/* With force, the main file goes first: while the entries change, nobody takes them for a set. */
static enum prvcut_status folder_set_aside(struct prvcut_folder *f, struct prvcut_error *err)
{
    enum prvcut_status st = f->force ? folder_check(f, err) : PRVCUT_OK;

    for (size_t i = 0; i < f->entries && f->force && st == PRVCUT_OK; i++) {
        struct entry *e = &f->entry[i];

        if (folder_stands(f, e) <= 0)
            continue;
        if (!f->old)
            st = folder_make(f, &f->old, err);
        if (st < 0)
            return st;
        if (folder_rename(f->place, f->old, e->name, true) != 0)
            return prvcut_fail_errno(err, PRVCUT_EIO, "%.*s%s: cannot be replaced", f->before,
                                     f->path, e->name);
        e->aside = true;
    }
    return st;
}

static enum prvcut_status folder_refused(const struct prvcut_folder *f, const struct entry *e,
                                         struct prvcut_error *err)
{
    if (!f->force && (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR))
        return prvcut_fail(err, PRVCUT_EEXIST,
                           "%.*s%s: has appeared meanwhile; it is replaced only with --force",
                           f->before, f->path, e->name);
    return prvcut_fail_errno(err, PRVCUT_EIO, "%.*s%s: cannot be given its name", f->before,
                             f->path, e->name);
}

/* The main file last. */
static enum prvcut_status folder_move(struct prvcut_folder *f, struct prvcut_error *err)
{
    for (size_t i = f->entries; i-- > 0;) {
        struct entry *e = &f->entry[i];

        if (!e->ours)
            continue;
        if (folder_rename(f->temp, f->place, e->name, f->force) != 0)
            return folder_refused(f, e, err);
        e->moved = true;
    }
    return PRVCUT_OK;
}

/*
 * Give the places back, the main file's first on the way out and last on the way in. What cannot
 * be put back stays in its folder with the temporary name.
 */
static void folder_undo(struct prvcut_folder *f)
{
    bool all = true;

    for (size_t i = 0; i < f->entries; i++)
        if (f->entry[i].moved)
            (void)folder_rename(f->place, f->temp, f->entry[i].name, true);
    for (size_t i = f->entries; i-- > 0;)
        if (f->entry[i].aside)
            all = folder_rename(f->old, f->place, f->entry[i].name, true) == 0 && all;
    if (!all) {
        free(f->old);
        f->old = NULL;
    }
}

/*
 * Each fsync waits for the disk: thousands of them take minutes where one sync of everything takes
 * a second. It cannot tell of a failure, so few files are synced one by one.
 */
static enum prvcut_status folder_sync(const struct prvcut_folder *f, uint64_t *size,
                                      struct prvcut_error *err)
{
    struct walk w = { .sync = false };
    int failed = folder_walk_at(AT_FDCWD, f->temp, &w);

    *size = w.size;
    w.sync = true;
    if (failed == 0 && w.files > SYNC_EACH)
        sync();
    else if (failed == 0)
        failed = folder_walk_at(AT_FDCWD, f->temp, &w);
    if (failed == 0)
        return PRVCUT_OK;
    return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be synced", f->path);
}

static enum prvcut_status folder_sync_place(const struct prvcut_folder *f, struct prvcut_error *err)
{
    const int fd = open(f->place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int failed = fd >= 0 ? folder_sync_fd(fd, true) : 0;

    if (failed != 0)
        prvcut_fail_errno(err, PRVCUT_EIO, "%s: its folder cannot be synced", f->path);
    if (fd >= 0)
        close(fd);
    return failed == 0 ? PRVCUT_OK : PRVCUT_EIO;
}

enum prvcut_status prvcut_folder_commit(struct prvcut_folder *f, uint64_t *size,
                                        struct prvcut_error *err)
{
    uint64_t bytes = 0;
    enum prvcut_status st = folder_list(f, err);

    if (st == PRVCUT_OK)
        st = folder_sync(f, &bytes, err);
    if (st == PRVCUT_OK)
        st = folder_set_aside(f, err);
    if (st == PRVCUT_OK)
        st = folder_move(f, err);
    if (st == PRVCUT_OK)
        st = folder_sync_place(f, err);
    if (st < 0)
        folder_undo(f);
    else if (size)
        *size = bytes;
    prvcut_folder_abandon(f);
    return st;
}

void prvcut_folder_abandon(struct prvcut_folder *f)
{
    if (!f)
        return;
    (void)folder_remove_at(AT_FDCWD, f->temp);
    if (f->old)
        (void)folder_remove_at(AT_FDCWD, f->old);
    folder_free(f);
}
