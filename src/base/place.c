/* realpath is of POSIX.1-2008, but glibc shows it only with the XSI extensions. */
#define _XOPEN_SOURCE 700

#include "base/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A temporary name is tried anew while it is taken, but not for ever. */
#define TEMP_TRIES 1000

/* Most bytes of the final name within the temporary one: with the rest below the usual 255. */
#define TEMP_NAME 200

/* All may read and write, less what the process's umask takes away. */
#define FILE_MODE (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH)

static bool place_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

static enum prvcut_status place_nomem(struct prvcut_error *err)
{
    return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory: a file name");
}

/* Devices and pipes hold no old content that could be lost, and must not be renamed over. */
static enum prvcut_status place_direct(struct prvcut_place *p, struct prvcut_error *err)
{
    p->fd = open(p->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (p->fd < 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be opened for writing", p->path);
    return PRVCUT_OK;
}

/*
 * Decide about the file itself. A symbolic link is followed, as every program does that opens its
 * output: the file it points to is replaced and the link stays.
 */
static enum prvcut_status place_resolve(struct prvcut_place *p, bool *direct,
                                        struct prvcut_error *err)
{
    struct stat info, link;

    *direct = false;
    if (lstat(p->path, &link) != 0) {
        if (errno != ENOENT)
            return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be written", p->path);
        p->final = strdup(p->path);
        return p->final ? PRVCUT_OK : place_nomem(err);
    }
    if (stat(p->path, &info) != 0)
        return prvcut_fail_errno(err, p->force ? PRVCUT_EIO : PRVCUT_EEXIST,
                                 "%s: is a symbolic link that leads nowhere", p->path);
    if (S_ISDIR(info.st_mode))
        return prvcut_fail(err, PRVCUT_EIO, "%s: is a folder, not a file", p->path);
    *direct = S_ISCHR(info.st_mode) || S_ISFIFO(info.st_mode);
    if (*direct)
        return PRVCUT_OK;
    if (!S_ISREG(info.st_mode))
        return prvcut_fail(err, PRVCUT_EIO, "%s: is not a regular file", p->path);
    if (!p->force)
        return prvcut_fail(err, PRVCUT_EEXIST, "%s: exists; it is replaced only with --force",
                           p->path);
    p->final = S_ISLNK(link.st_mode) ? realpath(p->path, NULL) : strdup(p->path);
    return p->final ? PRVCUT_OK
                    : prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be found", p->path);
}

/* Split final into its folder and its name within; both without the slash between. */
static enum prvcut_status place_split(struct prvcut_place *p, const char **name,
                                      struct prvcut_error *err)
{
    const char *slash = strrchr(p->final, '/');
    const size_t length = slash ? (size_t)(slash - p->final) : 0;

    *name = slash ? slash + 1 : p->final;
    if (**name == '\0')
        return prvcut_fail(err, PRVCUT_EIO, "%s: is not the name of a file", p->path);
    p->folder = slash ? strndup(p->final, length > 0 ? length : 1) : strdup(".");
    return p->folder ? PRVCUT_OK : place_nomem(err);
}

/* Six letters or digits that another process, thread or moment is unlikely to choose too. */
static void place_letters(char letters[7], const void *salt, unsigned attempt)
{
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";
    struct timespec now = { 0 };
    uint64_t mix;

    clock_gettime(CLOCK_REALTIME, &now);
    mix = (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 30 ^ (uint64_t)getpid() << 40 ^
          (uint64_t)(uintptr_t)salt ^ attempt;
    mix = (mix ^ mix >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < 6; i++)
        letters[i] = alphabet[mix >> (34 + 5 * i) & 31];
    letters[6] = '\0';
}

/*
 * mkstemp would give mode 0600, and the umask cannot be asked for without being changed for all
 * threads; open applies it, and with O_EXCL neither follows nor reuses what is there.
 */
static enum prvcut_status place_create(struct prvcut_place *p, const char *name,
                                       struct prvcut_error *err)
{
    const size_t room = strlen(p->folder) + TEMP_NAME + sizeof "/..xxxxxx";

    p->temp = malloc(room);
    if (!p->temp)
        return place_nomem(err);
    for (unsigned i = 0; i < TEMP_TRIES && p->fd < 0; i++) {
        char letters[7];

        place_letters(letters, p, i);
        snprintf(p->temp, room, "%s/.%.*s.%s", p->folder, TEMP_NAME, name, letters);
        p->fd = open(p->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
        if (p->fd < 0 && errno != EEXIST && errno != EINTR)
            break;
    }
    if (p->fd >= 0)
        return PRVCUT_OK;
    prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be created", p->path);
    free(p->temp);
    p->temp = NULL;
    return PRVCUT_EIO;
}

enum prvcut_status prvcut_place_open(struct prvcut_place *p, const char *path, bool force,
                                     struct prvcut_error *err)
{
    enum prvcut_status st;
    const char *name;
    bool direct;

    *p = (struct prvcut_place){ .fd = -1, .force = force };
    p->path = strdup(path);
    if (!p->path)
        return place_nomem(err);
    if (place_is_stdout(path)) {
        p->fd = STDOUT_FILENO;
        return PRVCUT_OK;
    }
    st = place_resolve(p, &direct, err);
    if (st == PRVCUT_OK && direct)
        return place_direct(p, err);
    if (st == PRVCUT_OK)
        st = place_split(p, &name, err);
    return st == PRVCUT_OK ? place_create(p, name, err) : st;
}

static int place_close(struct prvcut_place *p)
{
    const int fd = p->fd;

    p->fd = -1;
    /* On EINTR the descriptor is gone all the same, and fsync has reported what matters. */
    return fd < 0 || place_is_stdout(p->path) || close(fd) == 0 || errno == EINTR ? 0 : -1;
}

/* Give the file its name if that is free, on file systems that have no hard links. */
static int place_claim(const struct prvcut_place *p)
{
    const int claim = open(p->final, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
    int number;

    if (claim < 0)
        return -1;
    close(claim);
    if (rename(p->temp, p->final) == 0)
        return 0;
    number = errno;
    unlink(p->final);
    errno = number;
    return -1;
}

/* rename replaces what is there, link never does: without force nothing can be lost, in any race.
 */
static int place_name(const struct prvcut_place *p)
{
    if (p->force)
        return rename(p->temp, p->final);
    if (link(p->temp, p->final) == 0) {
        (void)unlink(p->temp);
        return 0;
    }
    if (errno == EPERM || errno == ENOTSUP || errno == EOPNOTSUPP || errno == ENOSYS ||
        errno == EMLINK)
        return place_claim(p);
    return -1;
}

/* Only a failure of the device counts: many file systems cannot sync a folder, or forbid it. */
static enum prvcut_status place_sync_folder(const struct prvcut_place *p, struct prvcut_error *err)
{
    const int fd = open(p->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool failed = fd >= 0 && fsync(fd) != 0 && errno == EIO;

    if (failed)
        prvcut_fail_errno(err, PRVCUT_EIO, "%s: its folder cannot be synced", p->path);
    if (fd >= 0)
        close(fd);
    return failed ? PRVCUT_EIO : PRVCUT_OK;
}

static enum prvcut_status place_refused(const struct prvcut_place *p, struct prvcut_error *err)
{
    if (errno == EEXIST && !p->force)
        return prvcut_fail(err, PRVCUT_EEXIST,
                           "%s: has appeared meanwhile; it is replaced only with --force", p->path);
    return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be given its name", p->path);
}

enum prvcut_status prvcut_place_settle(struct prvcut_place *p, struct prvcut_error *err)
{
    if (!p->temp)
        return place_close(p) == 0
                   ? PRVCUT_OK
                   : prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be closed", p->path);
    while (fsync(p->fd) != 0)
        if (errno != EINTR)
            return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be synced", p->path);
    if (place_close(p) != 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be closed", p->path);
    if (place_name(p) != 0)
        return place_refused(p, err);
    free(p->temp);
    p->temp = NULL;
    return place_sync_folder(p, err);
}

void prvcut_place_drop(struct prvcut_place *p)
{
    (void)place_close(p);
    if (p->temp)
        unlink(p->temp);
    free(p->temp);
    free(p->folder);
    free(p->final);
    free(p->path);
    *p = (struct prvcut_place){ .fd = -1 };
}
