#ifndef PRVCUT_BASE_IO_H
#define PRVCUT_BASE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Bytes to and from the operating system. What was interrupted is tried again, what was done in
 * part is done to its end; -1: errno tells why not. Nobody else calls read, write and the like
 * (tests/layers.sh looks).
 */

/** At most `room` bytes, as many as come at once; 0: the end. */
ssize_t prvcut_io_read(int fd, void *out, size_t room);

/** All of [offset, offset + want) that the file holds; *got may be less only at its end, or at -1.
 */
int prvcut_io_read_at(int fd, uint64_t offset, void *out, size_t want, size_t *got);

/** Write all; *written, which may be NULL, grows by what was taken, also at -1. */
int prvcut_io_write(int fd, const void *bytes, size_t count, uint64_t *written);

int prvcut_io_write_at(int fd, uint64_t offset, const void *bytes, size_t count);

/** Only what the device tells counts for a folder: many file systems cannot sync one. */
int prvcut_io_sync(int fd, bool folder);

/** Open a file, as open does, closed on exec; what a signal interrupted is tried again, but for a
 * pipe. */
int prvcut_io_open(const char *path, int flags, mode_t mode);

/** In a folder, as openat does. */
int prvcut_io_open_at(int folder, const char *name, int flags);

#endif
