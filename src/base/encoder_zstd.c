#include "base/encoder_zstd.h"
#include "base/bytes.h"
#include "base/frames.h"
#include "base/memory.h"
#include "base/ordered.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#define LEVEL   3
#define WORKERS 64

/* One frame on its way. */
struct frame {
    char *text, *packed;
    size_t text_count, packed_count;
    ZSTD_CCtx *z;
};

struct encoder {
    struct frame
        frame[WORKERS]; /* those before `full` hold text to compress, that one is filling */
    unsigned workers, full;
    struct prvcut_put table; /* entries of the frames written */
    uint32_t frames;
    unsigned taken; /* of the present round */
    struct prvcut_outflow *out;
};

enum prvcut_status prvcut_encoder_zstd_new(void **state, struct prvcut_error *err)
{
    struct encoder *e = prvcut_zeroed(1, sizeof *e, "zstd", err);

    if (!e)
        return PRVCUT_ENOMEM;
    e->workers = 1;
    *state = e;
    return PRVCUT_OK;
}

void prvcut_encoder_zstd_workers(void *state, unsigned workers)
{
    struct encoder *e = state;

    e->workers = workers < 1 ? 1 : workers > WORKERS ? WORKERS : workers;
}

void prvcut_encoder_zstd_free(void *state)
{
    struct encoder *e = state;

    for (unsigned i = 0; i < WORKERS; i++) {
        ZSTD_freeCCtx(e->frame[i].z);
        free(e->frame[i].text);
        free(e->frame[i].packed);
    }
    prvcut_buffer_fini(&e->table.b);
    free(e);
}

static enum prvcut_status encoder_zstd_frame_room(struct frame *f, struct prvcut_error *err)
{
    if (f->z)
        return PRVCUT_OK;
    f->text = prvcut_unset(1, PRVCUT_FRAME, "zstd", err);
    f->packed = prvcut_unset(1, ZSTD_compressBound(PRVCUT_FRAME), "zstd", err);
    f->z = ZSTD_createCCtx();
    if (!f->text || !f->packed || !f->z)
        return prvcut_no_memory(err, "zstd");
    ZSTD_CCtx_setParameter(f->z, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(f->z, ZSTD_c_checksumFlag, 1);
    return PRVCUT_OK;
}

static enum prvcut_status encoder_zstd_round_take(void *ctx, unsigned worker, void **item,
                                                  struct prvcut_error *err)
{
    struct encoder *e = ctx;

    (void)worker;
    (void)err;
    if (e->taken == e->full)
        return PRVCUT_END;
    *item = &e->frame[e->taken++];
    return PRVCUT_OK;
}

static enum prvcut_status encoder_zstd_round_work(void *ctx, unsigned worker, void *item,
                                                  struct prvcut_error *err)
{
    struct encoder *e = ctx;
    struct frame *f = item;
    const size_t got =
        ZSTD_compress2(f->z, f->packed, ZSTD_compressBound(PRVCUT_FRAME), f->text, f->text_count);

    (void)worker;
    if (ZSTD_isError(got))
        return ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation
                   ? prvcut_no_memory(err, "zstd")
                   : prvcut_fail(err, PRVCUT_EUSAGE, "%s: zstd: %s", e->out->path,
                                 ZSTD_getErrorName(got));
    f->packed_count = got;
    return PRVCUT_OK;
}

static enum prvcut_status encoder_zstd_round_join(void *ctx, void *item, enum prvcut_status failed,
                                                  struct prvcut_error *err)
{
    struct encoder *e = ctx;
    struct frame *f = item;
    enum prvcut_status st = failed;

    if (st == PRVCUT_OK) {
        e->table.err = err;
        prvcut_put_u32(&e->table, (uint32_t)f->packed_count);
        prvcut_put_u32(&e->table, (uint32_t)f->text_count);
        st = e->table.st;
    }
    if (st == PRVCUT_OK)
        st = prvcut_outflow_put(e->out, f->packed, f->packed_count, err);
    e->frames++;
    return st;
}

static void encoder_zstd_round_drop(void *ctx, void *item)
{
    struct frame *f = item;

    (void)ctx;
    f->text_count = 0;
}

/* Compress and write all that is full. */
static enum prvcut_status encoder_round(struct encoder *e, struct prvcut_outflow *out,
                                        struct prvcut_error *err)
{
    const struct prvcut_ordered work = { .ctx = e,
                                         .take = encoder_zstd_round_take,
                                         .work = encoder_zstd_round_work,
                                         .join = encoder_zstd_round_join,
                                         .drop = encoder_zstd_round_drop };
    enum prvcut_status st;

    e->taken = 0;
    e->out = out;
    st = prvcut_ordered_run(&work, e->full < e->workers ? e->full : e->workers, err);
    e->full = 0;
    return st;
}

enum prvcut_status prvcut_encoder_zstd_encode(void *state, struct prvcut_outflow *out,
                                              const void *bytes, size_t count,
                                              struct prvcut_error *err)
{
    struct encoder *e = state;
    const char *at = bytes;
    enum prvcut_status st = PRVCUT_OK;

    while (count > 0 && st == PRVCUT_OK) {
        struct frame *f = &e->frame[e->full];
        size_t take;

        st = encoder_zstd_frame_room(f, err);
        if (st != PRVCUT_OK)
            break;
        take = PRVCUT_FRAME - f->text_count;
        take = take < count ? take : count;
        memcpy(f->text + f->text_count, at, take);
        f->text_count += take;
        at += take;
        count -= take;
        if (f->text_count == PRVCUT_FRAME && ++e->full == e->workers)
            st = encoder_round(e, out, err);
    }
    return st;
}

/* The table of all frames, as a frame that decoders skip. */
static enum prvcut_status encoder_table(struct encoder *e, struct prvcut_outflow *out,
                                        struct prvcut_error *err)
{
    struct prvcut_put p = { .err = err };

    prvcut_put_u32(&p, PRVCUT_FRAMES_MAGIC);
    prvcut_put_u32(&p, (uint32_t)(e->table.b.count + PRVCUT_FRAMES_TAIL));
    prvcut_put_bytes(&p, e->table.b.at, e->table.b.count);
    prvcut_put_u32(&p, e->frames);
    prvcut_put_bytes(&p, "", 1);
    prvcut_put_u32(&p, PRVCUT_FRAMES_TAIL_MAGIC);
    if (p.st == PRVCUT_OK)
        p.st = prvcut_outflow_put(out, p.b.at, p.b.count, err);
    prvcut_buffer_fini(&p.b);
    return p.st;
}

enum prvcut_status prvcut_encoder_zstd_finish(void *state, struct prvcut_outflow *out,
                                              struct prvcut_error *err)
{
    struct encoder *e = state;
    enum prvcut_status st = encoder_zstd_frame_room(&e->frame[e->full], err);

    if (st != PRVCUT_OK)
        return st;
    /* Nothing at all is an empty frame: the file must be known as zstd. */
    if (e->frame[e->full].text_count > 0 || (e->full == 0 && e->frames == 0))
        e->full++;
    if (e->full > 0)
        st = encoder_round(e, out, err);
    return st == PRVCUT_OK ? encoder_table(e, out, err) : st;
}
