#include "otf2/whole.h"

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

bool o2_ends_well(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    unsigned char last[sizeof tail] = { 0 };
    struct stat s;
    bool well;

    if (fd < 0)
        return false;
    well = fstat(fd, &s) == 0 && s.st_size >= SIZE_LEAST &&
           pread(fd, last, sizeof last, s.st_size - (off_t)sizeof last) == (ssize_t)sizeof last &&
           memcmp(last, tail, sizeof tail) == 0;
    close(fd);
    return well;
}

enum prvcut_status o2_file_whole(const char *folder, const char *name, uint64_t id,
                                 const char *suffix, struct prvcut_error *err)
{
    char path[4096];
    int n;

    if (suffix)
        n = snprintf(path, sizeof path, "%s/%s/%" PRIu64 "%s", folder, name, id, suffix);
    else
        n = snprintf(path, sizeof path, "%s/%s.def", folder, name);
    if (n < 0 || (size_t)n >= sizeof path)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%.500s: the path is too long", folder);
    if (o2_ends_well(path))
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EIO,
                       "%.800s: could not be written to its end (is the disk full?)", path);
}
