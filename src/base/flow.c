#include "base/flow.h"
#include "base/io.h"
#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* Between two looks at the caller's stop while nothing comes: ms. */
#define PATIENCE 50

static size_t flow_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Wait until there is something to read, or the end; false: the caller wants to stop. */
static bool flow_wait(const struct prvcut_inflow *in)
{
    struct pollfd ready = { .fd = in->fd, .events = POLLIN };

    while (in->waits && in->stop) {
        if (in->stop(in->stop_ctx))
            return false;
        if (poll(&ready, 1, PATIENCE) != 0 && errno != EINTR)
            break;
        if (ready.revents)
            break;
    }
    return true;
}

static ssize_t flow_read(const struct prvcut_inflow *in, void *out, size_t room)
{
    if (flow_wait(in))
        return prvcut_io_read(in->fd, out, room);
    errno = ECANCELED;
    return -1;
}

enum prvcut_status prvcut_inflow_init(struct prvcut_inflow *in, struct prvcut_error *err)
{
    in->at = in->count = 0;
    in->taken = 0;
    in->ended = false;
    in->bytes = prvcut_unset(1, PRVCUT_INFLOW_ROOM, "compressed bytes", err);
    if (!in->bytes)
        return PRVCUT_ENOMEM;
    return PRVCUT_OK;
}

void prvcut_inflow_fini(struct prvcut_inflow *in)
{
    free(in->bytes);
    in->bytes = NULL;
}

size_t prvcut_inflow_ready(const struct prvcut_inflow *in)
{
    return in->count - in->at;
}

uint64_t prvcut_inflow_offset(const struct prvcut_inflow *in)
{
    return in->taken - prvcut_inflow_ready(in);
}

/* Count what a read gave; *got is 0 at the end of the file. */
static enum prvcut_status flow_inflow_account(struct prvcut_inflow *in, ssize_t result, size_t *got,
                                              struct prvcut_error *err)
{
    *got = 0;
    if (result < 0 && errno == ECANCELED)
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    if (result < 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read", in->path);
    in->ended = result == 0;
    in->taken += (uint64_t)result;
    *got = (size_t)result;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_inflow_need(struct prvcut_inflow *in, size_t want, size_t room,
                                      struct prvcut_error *err)
{
    assert(want <= room && room <= PRVCUT_INFLOW_ROOM);
    if (prvcut_inflow_ready(in) >= want)
        return PRVCUT_OK;
    memmove(in->bytes, in->bytes + in->at, prvcut_inflow_ready(in));
    in->count -= in->at;
    in->at = 0;
    while (in->count < want && !in->ended) {
        const ssize_t result = flow_read(in, in->bytes + in->count, room - in->count);
        size_t got;
        const enum prvcut_status st = flow_inflow_account(in, result, &got, err);

        if (st != PRVCUT_OK)
            return st;
        in->count += got;
    }
    return PRVCUT_OK;
}

enum prvcut_status prvcut_inflow_take(struct prvcut_inflow *in, char *out, size_t room, size_t *got,
                                      struct prvcut_error *err)
{
    *got = flow_least(room, prvcut_inflow_ready(in));
    if (*got > 0)
        memcpy(out, in->bytes + in->at, *got);
    in->at += *got;
    while (*got < room && !in->ended) {
        const ssize_t result = flow_read(in, out + *got, room - *got);
        size_t more;
        const enum prvcut_status st = flow_inflow_account(in, result, &more, err);

        if (st != PRVCUT_OK)
            return st;
        *got += more;
    }
    return PRVCUT_OK;
}

enum prvcut_status prvcut_flow_read_at(int fd, const char *path, uint64_t offset, char *out,
                                       size_t want, size_t *got, struct prvcut_error *err)
{
    if (prvcut_io_read_at(fd, offset, out, want, got) == 0)
        return PRVCUT_OK;
    return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be read at offset %llu", path,
                             (unsigned long long)(offset + *got));
}

enum prvcut_status prvcut_outflow_init(struct prvcut_outflow *out, struct prvcut_error *err)
{
    out->count = 0;
    out->written = 0;
    out->bytes = prvcut_unset(1, PRVCUT_OUTFLOW_ROOM, "compressed bytes", err);
    if (!out->bytes)
        return PRVCUT_ENOMEM;
    return PRVCUT_OK;
}

void prvcut_outflow_fini(struct prvcut_outflow *out)
{
    free(out->bytes);
    out->bytes = NULL;
}

static enum prvcut_status flow_outflow_write(struct prvcut_outflow *out, const unsigned char *bytes,
                                             size_t count, struct prvcut_error *err)
{
    if (prvcut_io_write(out->fd, bytes, count, &out->written) == 0)
        return PRVCUT_OK;
    return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be written after %llu bytes", out->path,
                             (unsigned long long)out->written);
}

enum prvcut_status prvcut_outflow_flush(struct prvcut_outflow *out, struct prvcut_error *err)
{
    const size_t count = out->count;

    out->count = 0;
    return flow_outflow_write(out, out->bytes, count, err);
}

enum prvcut_status prvcut_outflow_put(struct prvcut_outflow *out, const void *bytes, size_t count,
                                      struct prvcut_error *err)
{
    if (count > PRVCUT_OUTFLOW_ROOM - out->count) {
        const enum prvcut_status st = prvcut_outflow_flush(out, err);

        if (st != PRVCUT_OK)
            return st;
    }
    if (count >= PRVCUT_OUTFLOW_ROOM)
        return flow_outflow_write(out, bytes, count, err);
    if (count > 0)
        memcpy(out->bytes + out->count, bytes, count);
    out->count += count;
    return PRVCUT_OK;
}
