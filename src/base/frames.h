#ifndef PRVCUT_BASE_FRAMES_H
#define PRVCUT_BASE_FRAMES_H

#include "base/error.h"

/*
 * The seekable format of zstd: independent frames, then a frame to skip with a table of their
 * sizes. Plain decoders read it from its start to its end like any other file.
 */

#define PRVCUT_FRAMES_MAGIC      UINT32_C(0x184D2A5E) /**< of the frame that holds the table */
#define PRVCUT_FRAMES_TAIL_MAGIC UINT32_C(0x8F92EAB1) /**< the file's last four bytes */
#define PRVCUT_FRAMES_TAIL       9 /**< bytes: number of frames, a descriptor, the magic number */

/** Bytes of text in a frame that is written. */
#define PRVCUT_FRAME ((size_t)2 << 20)

/** A file that can be read from anywhere. */
struct prvcut_frames;

/**
 * Look for a table at the end of a file.
 *
 * A table that is damaged, that does not add up to the file, that tells of no text where there is
 * some, or whose frames are larger than 64 MiB is passed over: the file can still be read in order.
 *
 * shape   size: of the file; fd is used with pread only and stays the caller's
 * owns    *out is the caller's, released with prvcut_frames_close; NULL where there is no table
 * errors  PRVCUT_EIO, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_frames_open(struct prvcut_frames **out, int fd, const char *path,
                                      uint64_t size, struct prvcut_error *err);

/**
 * Is the table at the end of a file sound, to the byte? It must be there where the first frame is as
 * prvcut writes them: with its size, up to PRVCUT_FRAME, and a checksum.
 *
 * errors  PRVCUT_EFORMAT: it is missing, or not what the frames say; PRVCUT_EIO, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_frames_check(int fd, const char *path, uint64_t size,
                                       struct prvcut_error *err);

/** Bytes of text. */
uint64_t prvcut_frames_size(const struct prvcut_frames *f);

/**
 * Read text at an offset, from several threads at once. Threads that want the same frame wait for
 * the one that unpacks it and unpack the next one meanwhile.
 *
 * shape   *got < want only at the end of the text
 * errors  PRVCUT_EFORMAT: a frame is damaged, or not what the table says; PRVCUT_EIO, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_frames_read_at(struct prvcut_frames *f, uint64_t offset, void *bytes,
                                         size_t want, size_t *got, struct prvcut_error *err);

/** Release; accepts NULL. */
void prvcut_frames_close(struct prvcut_frames *f);

#endif
