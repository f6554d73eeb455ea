#ifndef PRVCUT_BASE_FLOW_H
#define PRVCUT_BASE_FLOW_H

#include "base/error.h"
#include "base/room.h"

/** Bytes as they stand on disk, on their way in from a file descriptor through a window. */
struct prvcut_inflow {
    int fd;
    const char *path;     /**< for messages; borrowed */
    unsigned char *bytes; /**< the window; those at [at, count) are not used yet */
    size_t at, count;
    uint64_t taken;          /**< bytes read from fd so far */
    bool ended;              /**< fd has no more */
    bool waits;              /**< fd may have nothing yet: a pipe, a terminal */
    bool (*stop)(void *ctx); /**< asked while waiting; true: PRVCUT_EINTERRUPTED; may be NULL */
    void *stop_ctx;
};

/** Bytes of the window: large, because each refill is a system call. */
#define PRVCUT_INFLOW_ROOM PRVCUT_ROOM((size_t)256 * 1024)

/** Allocate the window; fd and path are the caller's to fill in before and to release. */
enum prvcut_status prvcut_inflow_init(struct prvcut_inflow *in, struct prvcut_error *err);

void prvcut_inflow_fini(struct prvcut_inflow *in);

/**
 * Have at least `want` unused bytes in the window, fewer only at the end of the file.
 *
 * shape   want <= room; read from fd up to room - kept bytes, room <= PRVCUT_INFLOW_ROOM
 * errors  PRVCUT_EIO
 */
enum prvcut_status prvcut_inflow_need(struct prvcut_inflow *in, size_t want, size_t room,
                                      struct prvcut_error *err);

/** Take `room` bytes, fewer only at the end of the file (then in->ended); large reads bypass. */
enum prvcut_status prvcut_inflow_take(struct prvcut_inflow *in, char *out, size_t room, size_t *got,
                                      struct prvcut_error *err);

/** Unused bytes in the window. */
size_t prvcut_inflow_ready(const struct prvcut_inflow *in);

/** Offset in the file of the next unused byte. */
uint64_t prvcut_inflow_offset(const struct prvcut_inflow *in);

/** Read all of [offset, offset + want) that the file holds; touches no state of its own. */
enum prvcut_status prvcut_flow_read_at(int fd, const char *path, uint64_t offset, char *out,
                                       size_t want, size_t *got, struct prvcut_error *err);

/** Bytes on their way out to a file descriptor, gathered into few large writes. */
struct prvcut_outflow {
    int fd;
    const char *path; /**< for messages; borrowed */
    unsigned char *bytes;
    size_t count;     /**< bytes gathered */
    uint64_t written; /**< bytes that fd has taken */
};

#define PRVCUT_OUTFLOW_ROOM PRVCUT_ROOM((size_t)1024 * 1024)

enum prvcut_status prvcut_outflow_init(struct prvcut_outflow *out, struct prvcut_error *err);

void prvcut_outflow_fini(struct prvcut_outflow *out);

enum prvcut_status prvcut_outflow_put(struct prvcut_outflow *out, const void *bytes, size_t count,
                                      struct prvcut_error *err);

/** Hand all gathered bytes to the operating system. */
enum prvcut_status prvcut_outflow_flush(struct prvcut_outflow *out, struct prvcut_error *err);

#endif
