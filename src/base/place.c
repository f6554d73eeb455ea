/* realpath is of POSIX.1-2008, but glibc shows it only with the XSI extensions. */
#define _XOPEN_SOURCE 700

#include "base/place.h"

#include "base/io.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* All may read and write, less what the process's umask takes away. */
#define FILE_MODE (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH)

static bool place_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

static enum prvcut_status place_nomem(struct prvcut_error *err)
{
    return prvcut_no_memory(err, "a file name");
}

/* Devices and pipes hold no old content that could be lost, and must not be renamed over. */
static enum prvcut_status place_direct(struct prvcut_place *p, struct prvcut_error *err)
{
    p->fd = prvcut_io_open(p->path, O_WRONLY | O_CLOEXEC | O_NOCTTY, 0);
    if (p->fd < 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be opened for writing", p->path);
    return PRVCUT_OK;
}

/*
 * Decide about the file itself. A symbolic link is followed, as every program does that opens its
 * output: the file it points to is replaced and the link stays.
 */
static enum prvcut_status place_resolve(struct prvcut_place *p, char **final, bool *direct,
                                        struct prvcut_error *err)
{
    struct stat info, link;

    *direct = false;
    *final = NULL;
    if (lstat(p->path, &link) != 0) {
        if (errno != ENOENT)
            return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be written", p->path);
        *final = prvcut_copied_text(p->path, "a file name", err);
        return *final ? PRVCUT_OK : PRVCUT_ENOMEM;
    }
    if (stat(p->path, &info) != 0)
        return prvcut_fail_errno(err, p->force ? PRVCUT_EIO : PRVCUT_EEXIST,
                                 "%s: is a symbolic link that leads nowhere", p->path);
    if (S_ISDIR(info.st_mode))
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: is a folder, not a file", p->path);
    *direct = S_ISCHR(info.st_mode) || S_ISFIFO(info.st_mode);
    if (*direct)
        return PRVCUT_OK;
    if (!S_ISREG(info.st_mode))
        return prvcut_fail(err, PRVCUT_EIO, "%s: is not a regular file", p->path);
    if (!p->force)
        return prvcut_fail_exists(err, p->path);
    *final = S_ISLNK(link.st_mode) ? realpath(p->path, NULL)
                                   : prvcut_copied_text(p->path, "a file name", err);
    return *final ? PRVCUT_OK : prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be found", p->path);
}

/* Split a path into its folder, which is owned, and its name within. */
static enum prvcut_status place_split(const char *final, char **folder, const char **name,
                                      const char *shown, struct prvcut_error *err)
{
    const char *slash = strrchr(final, '/');

    *folder = NULL;
    *name = slash ? slash + 1 : final;
    if (**name == '\0')
        return prvcut_fail(err, PRVCUT_EIO, "%s: is not the name of a file", shown);
    *folder = prvcut_path_folder(final, err);
    return *folder ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* What a killed process left in the folder is put right before anything is looked for in it. */
static void place_recover(const struct prvcut_place *p)
{
    const char *name;
    char *folder;

    if (place_split(p->path, &folder, &name, p->path, NULL) == PRVCUT_OK)
        prvcut_commit_recover(p->set, folder);
    free(folder);
}

/*
 * mkstemp would give mode 0600, and the umask cannot be asked for without being changed for all
 * threads; open applies it.
 */
static enum prvcut_status place_create(struct prvcut_place *p, struct prvcut_error *err)
{
    p->temp = prvcut_path_join(p->work->fresh, p->name);
    if (!p->temp)
        return place_nomem(err);
    do
        p->fd = prvcut_io_open(p->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
    while (p->fd < 0 && errno == EINTR);
    if (p->fd >= 0)
        return PRVCUT_OK;
    free(p->temp);
    p->temp = NULL;
    if (errno == EEXIST)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: two outputs have this name", p->path);
    return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be created", p->path);
}

static enum prvcut_status place_make(struct prvcut_place *p, const char *final,
                                     struct prvcut_error *err)
{
    const char *name;
    char *folder;
    enum prvcut_status st = place_split(final, &folder, &name, p->path, err);

    if (st == PRVCUT_OK) {
        p->name = prvcut_copied_text(name, "a file name", err);
        st = p->name ? prvcut_commit_work(p->set, folder, name, p->path, &p->work, err)
                     : PRVCUT_ENOMEM;
    }
    free(folder);
    return st == PRVCUT_OK ? place_create(p, err) : st;
}

enum prvcut_status prvcut_place_open(struct prvcut_place *p, struct prvcut_commit *set,
                                     const char *path, bool force, struct prvcut_error *err)
{
    enum prvcut_status st;
    char *final;
    bool direct;

    *p = (struct prvcut_place){ .fd = -1, .set = set, .force = force };
    p->path = prvcut_copied_text(path, "a file name", err);
    if (!p->path)
        return PRVCUT_ENOMEM;
    if (place_is_stdout(path)) {
        p->fd = STDOUT_FILENO;
        return PRVCUT_OK;
    }
    place_recover(p);
    st = place_resolve(p, &final, &direct, err);
    if (st == PRVCUT_OK)
        st = direct ? place_direct(p, err) : place_make(p, final, err);
    free(final);
    return st;
}

static int place_close(struct prvcut_place *p)
{
    const int fd = p->fd;

    p->fd = -1;
    /* On EINTR the descriptor is gone all the same, and fsync has reported what matters. */
    return fd < 0 || place_is_stdout(p->path) || close(fd) == 0 || errno == EINTR ? 0 : -1;
}

enum prvcut_status prvcut_place_settle(struct prvcut_place *p, struct prvcut_error *err)
{
    const struct prvcut_joining joining = {
        .work = p->work, .name = p->name, .shown = p->path, .fresh = p->temp, .force = p->force
    };

    if (p->temp && prvcut_io_sync(p->fd, false) != 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be flushed to disk", p->path);
    if (place_close(p) != 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be closed", p->path);
    if (!p->temp)
        return PRVCUT_OK;
    /* It is the set's now. */
    return prvcut_commit_join(p->set, &joining, err);
}

void prvcut_place_drop(struct prvcut_place *p)
{
    (void)place_close(p);
    free(p->temp);
    free(p->name);
    free(p->path);
    *p = (struct prvcut_place){ .fd = -1 };
}
