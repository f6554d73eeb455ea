/* gethostname is of POSIX.1-2008, flock of 4.4BSD. */
#define _DEFAULT_SOURCE

#include "base/work.h"
#include "base/io.h"
#include "base/memory.h"
#include "base/tree.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Most bytes of the file's name within the folder's: with the rest far below the usual 255. */
#define NAME_MOST 120

/* Longest name of the present folder, with the final zero: Linux takes no longer one. */
#define PRESENT 4096

/* Another process may take a folder, while it is made, for one that was left: then a new one. */
#define TRIES 100

#define MARK  ".prvcut-"
#define TAIL  (sizeof MARK - 1 + 6)

/* The lock's name: a lock says nothing about processes of another host, whose folders are theirs.
 */
struct lock_name {
    char text[80];
};

static struct lock_name work_lock_name(void)
{
    struct lock_name n = { "lock@" };
    const size_t head = strlen(n.text);

    (void)gethostname(n.text + head, sizeof n.text - head - 1);
    for (char *at = n.text; *at; at++)
        if (*at == '/')
            *at = '_';
    return n;
}

char *prvcut_path_join(const char *folder, const char *name)
{
    return prvcut_printed("a file name", NULL, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder,
                          name);
}

char *prvcut_path_folder(const char *path, struct prvcut_error *err)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return prvcut_copied_text(".", "a file name", err);
    return prvcut_copied(path, slash == path ? 1 : (size_t)(slash - path), "a file name", err);
}

enum prvcut_status prvcut_work_link(const char *from, const char *to, struct prvcut_error *err)
{
    char here[PRESENT], *whole;
    enum prvcut_status st = PRVCUT_OK;

    if (from[0] != '/' && !getcwd(here, sizeof here))
        return prvcut_fail_errno(err, PRVCUT_EIO, "the present folder has no name");
    whole = from[0] == '/' ? prvcut_copied_text(from, "a file name", err)
                           : prvcut_path_join(here, from);
    if (!whole)
        return prvcut_no_memory(err, "a file name");
    if (symlink(whole, to) != 0)
        st = prvcut_fail_errno(err, errno == EEXIST ? PRVCUT_EEXIST : PRVCUT_EIO, "%s", to);
    free(whole);
    return st;
}

bool prvcut_work_is_name(const char *name)
{
    const size_t length = strlen(name);

    if (name[0] != '.' || length < TAIL ||
        strncmp(name + length - TAIL, MARK, sizeof MARK - 1) != 0)
        return false;
    for (size_t i = length - 6; i < length; i++)
        if (!isalnum((unsigned char)name[i]))
            return false;
    return true;
}

static bool work_begins_name(const char *text, const char *at)
{
    return at == text || strchr(" ':", at[-1]);
}

/* Where the name begins that a mark belongs to, with the "./" of the present folder; NULL: it is
   none of ours. */
static char *work_name_before(char *text, char *mark)
{
    char *at = mark;

    while (at > text && at[-1] != '/')
        at--;
    for (char *name = mark; *at != '.' && name > at; name--)
        if (*name == '.' && work_begins_name(text, name))
            return name;
    if (at - text >= 2 && at[-2] == '.' && work_begins_name(text, at - 2))
        return at - 2;
    return *at == '.' ? at : NULL;
}

void prvcut_work_forget(char *text)
{
    static const char *const inner[] = { "/" PRVCUT_WORK_NEW "/", "/" PRVCUT_WORK_SET "/" };

    for (char *mark = strstr(text, MARK); mark; mark = strstr(mark + 1, MARK)) {
        char *name = work_name_before(text, mark), *end = mark + TAIL;

        for (size_t i = 0; name && i < sizeof inner / sizeof *inner; i++) {
            const size_t length = strlen(inner[i]);

            if (strlen(mark) > TAIL && strncmp(end, inner[i], length) == 0) {
                memmove(name, end + length, strlen(end + length) + 1);
                mark = name;
                break;
            }
        }
        if (*mark == '\0')
            return;
    }
}

/* --- Locks -------------------------------------------------------------------------------- */

static int work_flock(int fd)
{
    int failed;

    do
        failed = flock(fd, LOCK_EX | LOCK_NB);
    while (failed != 0 && errno == EINTR);
    return failed;
}

/* 0: the lock is ours, or the file system knows none; 1: another process has the folder; -1. */
static int work_lock(int fd)
{
    struct stat s;

    if (work_flock(fd) != 0 && errno == EWOULDBLOCK)
        return 1;
    if (fstat(fd, &s) != 0)
        return -1;
    return s.st_nlink == 0;
}

int prvcut_work_take(const char *path)
{
    char *lock = prvcut_path_join(path, work_lock_name().text);
    const int fd =
        lock ? prvcut_io_open(lock, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0) : -1;
    const int number = errno;
    struct stat s;

    free(lock);
    if (fd >= 0) {
        if (fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && work_flock(fd) == 0 && fstat(fd, &s) == 0 &&
            s.st_nlink > 0)
            return fd;
        close(fd);
        errno = EBUSY;
        return -1;
    }
    /* One that is being made: whoever makes it sees that it is gone. */
    if (number == ENOENT)
        (void)rmdir(path);
    errno = number == ENOENT && access(path, F_OK) == 0 ? EBUSY : number;
    return -1;
}

/* The lock goes last: what is left of the folder, if the process dies or a call fails, is still
   known as such. */
static void work_empty(const char *path)
{
    static const char *const names[] = { PRVCUT_WORK_JOURNAL, PRVCUT_WORK_NEW, PRVCUT_WORK_SET,
                                         PRVCUT_WORK_OLD };
    bool all = true;
    const int fd = prvcut_io_open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);

    for (size_t i = 0; fd >= 0 && i < sizeof names / sizeof *names; i++)
        all = (prvcut_tree_remove(fd, names[i]) == 0 || errno == ENOENT) && all;
    if (fd >= 0 && all)
        (void)prvcut_tree_remove(fd, work_lock_name().text);
    if (fd >= 0)
        close(fd);
}

/* Once more where a call failed: the system may have been short of something for a moment. */
void prvcut_work_remove(const char *path)
{
    work_empty(path);
    if (rmdir(path) != 0 && (errno == ENOTEMPTY || errno == EEXIST)) {
        work_empty(path);
        (void)rmdir(path);
    }
}

/* --- Making ------------------------------------------------------------------------------- */

static void work_free(struct prvcut_work *w)
{
    if (w->lock_fd >= 0)
        close(w->lock_fd);
    if (w->place_fd >= 0)
        close(w->place_fd);
    free(w->place);
    free(w->path);
    free(w->lock);
    free(w->fresh);
    free(w->set);
    free(w->old);
    free(w->journal);
    free(w);
}

/* All names, so that nothing needs memory once there is a folder to be removed. */
static bool work_name(struct prvcut_work *w, const char *place, const char *name)
{
    char own[NAME_MOST + TAIL + 2];

    snprintf(own, sizeof own, ".%.*s" MARK "XXXXXX", NAME_MOST, name);
    w->place = prvcut_copied_text(place, "a file name", NULL);
    w->path = prvcut_path_join(place, own);
    if (!w->place || !w->path)
        return false;
    w->lock = prvcut_path_join(w->path, work_lock_name().text);
    w->fresh = prvcut_path_join(w->path, PRVCUT_WORK_NEW);
    w->set = prvcut_path_join(w->path, PRVCUT_WORK_SET);
    w->old = prvcut_path_join(w->path, PRVCUT_WORK_OLD);
    w->journal = prvcut_path_join(w->path, PRVCUT_WORK_JOURNAL);
    return w->lock && w->fresh && w->set && w->old && w->journal;
}

/* The folder's name, once it is known, stands in all the others. */
static void work_rename(struct prvcut_work *w)
{
    char *const inner[] = { w->lock, w->fresh, w->set, w->old, w->journal };
    const size_t length = strlen(w->path);

    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++)
        memcpy(inner[i], w->path, length);
}

/* 0: made; 1: another process took it away; -1: errno. */
static int work_try(struct prvcut_work *w)
{
    int outcome;

    memcpy(w->path + strlen(w->path) - 6, "XXXXXX", 6);
    if (!mkdtemp(w->path))
        return -1;
    work_rename(w);
    w->lock_fd = prvcut_io_open(w->lock, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    outcome = w->lock_fd >= 0 ? work_lock(w->lock_fd) : errno == ENOENT ? 1 : -1;
    if (outcome == 0 && mkdir(w->fresh, S_IRWXU) != 0)
        outcome = errno == ENOENT ? 1 : -1;
    if (outcome != 0) {
        const int number = errno;

        prvcut_work_remove(w->path);
        if (w->lock_fd >= 0)
            close(w->lock_fd);
        w->lock_fd = -1;
        errno = number;
    }
    return outcome;
}

/* A place that may be written but not read is worked in all the same. */
static int work_place(struct prvcut_work *w)
{
    struct stat s;

    w->place_fd = prvcut_io_open(w->place, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (w->place_fd < 0 && errno != EACCES)
        return -1;
    if ((w->place_fd >= 0 ? fstat(w->place_fd, &s) : stat(w->place, &s)) != 0)
        return -1;
    w->device = s.st_dev;
    w->inode = s.st_ino;
    return 0;
}

enum prvcut_status prvcut_work_open(struct prvcut_work **out, const char *place, const char *name,
                                    const char *shown, struct prvcut_error *err)
{
    struct prvcut_work *w = prvcut_zeroed(1, sizeof *w, "a working folder", err);
    int outcome = 1;

    *out = NULL;
    if (!w)
        return PRVCUT_ENOMEM;
    w->place_fd = w->lock_fd = -1;
    if (!work_name(w, place, name)) {
        work_free(w);
        return prvcut_no_memory(err, "a file name");
    }
    if (work_place(w) != 0)
        outcome = -1;
    for (unsigned i = 0; i < TRIES && outcome > 0; i++)
        outcome = work_try(w);
    if (outcome == 0) {
        *out = w;
        return PRVCUT_OK;
    }
    if (outcome > 0)
        errno = EBUSY;
    prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be created", shown);
    work_free(w);
    return PRVCUT_EIO;
}

void prvcut_work_leave(struct prvcut_work *w)
{
    if (w)
        work_free(w);
}

void prvcut_work_close(struct prvcut_work *w)
{
    if (!w)
        return;
    prvcut_work_remove(w->path);
    work_free(w);
}
