#include "otf2/whole.h"

#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file's last bytes: the end of its last chunk, its own end. */
static const unsigned char tail[2] = { 0x02, 0x01 };

/* A file without records: the head of a chunk and the tail. */
#define SIZE_LEAST 20

/* errno of what could not be done with the file; 0: *well is known. */
static int whole_look(const char *path, bool *well)
{
    const int fd = prvcut_io_open(path, O_RDONLY, 0);
    unsigned char last[sizeof tail] = { 0 };
    int number = 0;
    size_t got;
    struct stat s;

    *well = false;
    if (fd < 0)
        return errno;
    if (fstat(fd, &s) != 0)
        number = errno;
    else if (s.st_size >= SIZE_LEAST) {
        if (prvcut_io_read_at(fd, (uint64_t)s.st_size - sizeof last, last, sizeof last, &got) != 0)
            number = errno;
        *well = memcmp(last, tail, sizeof tail) == 0;
    }
    close(fd);
    return number;
}

enum prvcut_status o2_ends_well(const char *path, bool *well, struct prvcut_error *err)
{
    errno = whole_look(path, well);
    if (errno == 0 || errno == ENOENT)
        return PRVCUT_OK;
    return prvcut_fail_errno(err, PRVCUT_EIO, "%.800s: cannot be read", path);
}

enum prvcut_status o2_file_whole(const char *folder, const char *name, uint64_t id,
                                 const char *suffix, struct prvcut_error *err)
{
    enum prvcut_status st;
    char path[4096];
    bool well;
    int n;

    if (suffix)
        n = snprintf(path, sizeof path, "%s/%s/%" PRIu64 "%s", folder, name, id, suffix);
    else
        n = snprintf(path, sizeof path, "%s/%s.def", folder, name);
    if (n < 0 || (size_t)n >= sizeof path)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%.500s: the path is too long", folder);
    st = o2_ends_well(path, &well, err);
    if (st < 0 || well)
        return st;
    return prvcut_fail(err, PRVCUT_EIO,
                       "%.800s: could not be written to its end (is the disk full?)", path);
}
