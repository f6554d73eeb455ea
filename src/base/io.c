#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

/* Most bytes of one system call: read and write leave larger counts to the implementation. */
#define CALL_MAX ((size_t)1 << 30)

static size_t io_least(size_t count)
{
    return count < CALL_MAX ? count : CALL_MAX;
}

/* After a failed call: true if it is to be made again, at once or when fd is ready. */
static bool io_again(int fd, short events)
{
    struct pollfd ready = { .fd = fd, .events = events };

    if (errno == EINTR)
        return true;
    /* Standard input and output may have been made non-blocking by whoever shares them. */
    return (errno == EAGAIN || errno == EWOULDBLOCK) &&
           (poll(&ready, 1, -1) >= 0 || errno == EINTR);
}

ssize_t prvcut_io_read(int fd, void *out, size_t room)
{
    ssize_t got;

    do
        got = read(fd, out, io_least(room));
    while (got < 0 && io_again(fd, POLLIN));
    return got;
}

int prvcut_io_read_at(int fd, uint64_t offset, void *out, size_t want, size_t *got)
{
    *got = 0;
    /* No file reaches beyond the largest off_t, so there is nothing to read there. */
    while (*got < want && offset <= (uint64_t)INT64_MAX - *got) {
        const ssize_t result =
            pread(fd, (char *)out + *got, io_least(want - *got), (off_t)(offset + *got));

        if (result < 0 && errno == EINTR)
            continue;
        if (result < 0)
            return -1;
        if (result == 0)
            break;
        *got += (size_t)result;
    }
    return 0;
}

/* What a call took of the bytes; 0 is no failure by itself, but would be tried for ever. */
static bool io_took(ssize_t result, const char **at, size_t *count)
{
    if (result == 0)
        errno = EIO;
    if (result <= 0)
        return false;
    *at += result;
    *count -= (size_t)result;
    return true;
}

int prvcut_io_write(int fd, const void *bytes, size_t count, uint64_t *written)
{
    const char *at = bytes;

    while (count > 0) {
        const ssize_t result = write(fd, at, io_least(count));

        if (result < 0 && io_again(fd, POLLOUT))
            continue;
        if (!io_took(result, &at, &count))
            return -1;
        if (written)
            *written += (uint64_t)result;
    }
    return 0;
}

int prvcut_io_write_at(int fd, uint64_t offset, const void *bytes, size_t count)
{
    const char *at = bytes;

    while (count > 0) {
        const ssize_t result = pwrite(fd, at, io_least(count), (off_t)offset);

        if (result < 0 && errno == EINTR)
            continue;
        if (!io_took(result, &at, &count))
            return -1;
        offset += (uint64_t)result;
    }
    return 0;
}

/* What a file system says that cannot sync folders, or forbids it. */
static bool io_cannot_sync_folders(int number)
{
    return number == EINVAL || number == EBADF || number == ENOSYS || number == ENOTSUP ||
           number == EOPNOTSUPP || number == EROFS || number == EACCES || number == EPERM;
}

int prvcut_io_sync(int fd, bool folder)
{
    while (fsync(fd) != 0)
        if (errno != EINTR)
            return folder && io_cannot_sync_folders(errno) ? 0 : -1;
    return 0;
}

/* Opening a pipe waits for its other end, for ever if need be: whoever interrupts that means it. */
static bool io_open_again(const char *path)
{
    struct stat s;

    return errno == EINTR && (stat(path, &s) != 0 || !S_ISFIFO(s.st_mode));
}

int prvcut_io_open(const char *path, int flags, mode_t mode)
{
    int fd;

    do
        fd = open(path, flags | O_CLOEXEC, mode);
    while (fd < 0 && io_open_again(path));
    return fd;
}

int prvcut_io_open_at(int folder, const char *name, int flags)
{
    int fd;

    do
        fd = openat(folder, name, flags | O_CLOEXEC);
    while (fd < 0 && errno == EINTR);
    return fd;
}
