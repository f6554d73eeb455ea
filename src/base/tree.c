/* syscall is no part of POSIX; it is shown with everything else. */
#define _DEFAULT_SOURCE

#include "base/tree.h"
#include "base/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

bool prvcut_tree_is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static size_t tree_remove_entry(int folder, const char *name)
{
    return !prvcut_tree_is_dots(name) && prvcut_tree_remove(folder, name) == 0;
}

#ifdef __linux__

/* Where an entry tells its length and its name; before them stand a number and an offset. */
#define ENTRY_LENGTH 16
#define ENTRY_NAME   19

/* opendir would allocate. */
static size_t tree_remove_seen(int fd)
{
    char entries[2048];
    size_t removed = 0;
    long count;

    if (lseek(fd, 0, SEEK_SET) != 0)
        return 0;
    while ((count = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0) {
        unsigned short length;

        for (long at = 0; at + ENTRY_NAME < count; at += length) {
            memcpy(&length, entries + at + ENTRY_LENGTH, sizeof length);
            removed += tree_remove_entry(fd, entries + at + ENTRY_NAME);
        }
    }
    return removed;
}

#else

static size_t tree_remove_seen(int fd)
{
    const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
    const struct dirent *d;
    size_t removed = 0;

    if (!dir) {
        if (copy >= 0)
            close(copy);
        return 0;
    }
    rewinddir(dir);
    while ((d = readdir(dir)))
        removed += tree_remove_entry(fd, d->d_name);
    closedir(dir);
    return removed;
}

#endif

int prvcut_tree_remove(int parent, const char *name)
{
    int fd;

    if (unlinkat(parent, name, 0) == 0)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return -1;
    if (unlinkat(parent, name, AT_REMOVEDIR) == 0)
        return 0;
    fd = prvcut_io_open_at(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (fd < 0)
        return -1;
    /* Names that are removed while a folder is read may hide others: until nothing is found. */
    while (tree_remove_seen(fd) > 0)
        continue;
    close(fd);
    return unlinkat(parent, name, AT_REMOVEDIR);
}

struct tree_walk {
    struct prvcut_tree sum;
    bool sync;
};

static int tree_walk_at(int parent, const char *name, struct tree_walk *w);

static int tree_walk_entries(int fd, struct tree_walk *w)
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
    while (failed == 0 && (errno = 0, d = readdir(dir)))
        if (!prvcut_tree_is_dots(d->d_name))
            failed = tree_walk_at(fd, d->d_name, w);
    if (failed == 0 && errno != 0)
        failed = -1;
    closedir(dir);
    return failed;
}

static int tree_walk_at(int parent, const char *name, struct tree_walk *w)
{
    const int fd = prvcut_io_open_at(parent, name, O_RDONLY | O_NOFOLLOW);
    struct stat info;
    int failed = -1, number;

    if (fd < 0)
        return -1;
    if (fstat(fd, &info) == 0) {
        const bool is_folder = S_ISDIR(info.st_mode);

        failed = is_folder ? tree_walk_entries(fd, w) : 0;
        w->sum.files += !is_folder;
        w->sum.bytes += S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
        if (failed == 0 && w->sync)
            failed = prvcut_io_sync(fd, is_folder);
    }
    number = errno;
    close(fd);
    errno = number;
    return failed;
}

int prvcut_tree_walk(const char *path, bool sync, struct prvcut_tree *out)
{
    struct tree_walk w = { .sync = sync };
    const int failed = tree_walk_at(AT_FDCWD, path, &w);

    *out = w.sum;
    return failed;
}
