#include "paraver/filter_pass.h"

#include "base/memory.h"
#include "base/ordered.h"
#include "base/pool.h"

#include <pthread.h>
#include <stdlib.h>

/* A pass at work. */
struct pass {
    const struct prv_pass *wish;
    struct prv_blocks blocks;
    uint64_t next;           /* block of a seekable source */
    uint64_t lines;          /* joined so far, those of the header included */
    bool enough;             /* guarded by lock */
    struct prvcut_pool idle; /* pieces */
    pthread_mutex_t lock;
};

static struct prv_piece *fps_piece_get(struct pass *p, struct prvcut_error *err)
{
    struct prv_piece *piece = prvcut_pool_get(&p->idle);

    return piece ? piece : prvcut_zeroed(1, sizeof *piece, "a block", err);
}

static void fps_piece_free(void *ctx, void *thing)
{
    struct prv_piece *piece = thing;

    (void)ctx;
    prv_text_fini(&piece->text);
    prvcut_buffer_fini(&piece->out);
    free(piece->line);
    free(piece);
}

static bool fps_has_enough(struct pass *p)
{
    bool enough;

    pthread_mutex_lock(&p->lock);
    enough = p->enough;
    pthread_mutex_unlock(&p->lock);
    return enough;
}

/* Bytes on disk that so many of the text take. */
static uint64_t fps_share_of_file(const struct pass *p, uint64_t text)
{
    const uint64_t size = p->wish->trace->base.bytes;

    if (p->blocks.size == 0)
        return 0;
    text += p->blocks.body;
    if (text >= p->blocks.size)
        return size;
    return (uint64_t)((double)text / (double)p->blocks.size * (double)size);
}

static enum prvcut_status fps_take_next(struct pass *p, struct prv_piece *piece,
                                        struct prvcut_error *err)
{
    enum prvcut_status st;

    if (p->blocks.seekable) {
        piece->text.number = p->next++;
        piece->consumed = fps_share_of_file(p, p->next * PRV_BLOCK);
        return piece->text.number >= prv_blocks_count(&p->blocks) ? PRVCUT_END : PRVCUT_OK;
    }
    st = prv_blocks_next(&p->blocks, &piece->text, err);
    piece->consumed = prvcut_source_consumed(p->wish->trace->source);
    return st;
}

static enum prvcut_status fps_take(void *ctx, unsigned worker, void **item,
                                   struct prvcut_error *err)
{
    struct pass *p = ctx;
    const struct prvcut_run *run = p->wish->run;
    struct prv_piece *piece;
    enum prvcut_status st;

    (void)worker;
    if (run->stop && run->stop(run->ctx))
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    if (fps_has_enough(p))
        return PRVCUT_END;
    piece = fps_piece_get(p, err);
    if (!piece)
        return PRVCUT_ENOMEM;
    st = fps_take_next(p, piece, err);
    if (st == PRVCUT_OK)
        *item = piece;
    else
        prvcut_pool_put(&p->idle, piece);
    return st;
}

static enum prvcut_status fps_work(void *ctx, unsigned worker, void *item, struct prvcut_error *err)
{
    struct pass *p = ctx;
    struct prv_piece *piece = item;
    enum prvcut_status st = PRVCUT_OK;

    (void)worker;
    piece->out.count = 0;
    piece->lines = 0;
    piece->done = (struct prv_filtered){ 0 };
    if (p->blocks.seekable)
        st = prv_blocks_load(&p->blocks, piece->text.number, &piece->text, err);
    if (st == PRVCUT_OK)
        st = p->wish->work(p->wish->ctx, piece, err);
    if (st == PRVCUT_OK && piece->text.doubtful && p->wish->trace->lenient)
        piece->done.skipped++;
    else if (st == PRVCUT_OK && piece->text.doubtful)
        st = prv_text_doubt(&piece->text, piece->done.lines, err);
    return st;
}

static enum prvcut_status fps_join(void *ctx, void *item, enum prvcut_status failed,
                                   struct prvcut_error *err)
{
    struct pass *p = ctx;
    struct prv_piece *piece = item;
    const struct prvcut_run *run = p->wish->run;
    enum prvcut_status st;

    if (failed < 0)
        return prv_trace_locate(p->wish->trace, p->lines, &piece->text, failed, err);
    if (failed == PRVCUT_END || fps_has_enough(p))
        return PRVCUT_OK;
    p->lines += piece->done.lines;
    if (run->progress && p->wish->trace->base.bytes > 0)
        run->progress(run->ctx, p->wish->phase, piece->consumed, p->wish->trace->base.bytes);
    st = p->wish->join(p->wish->ctx, piece, err);
    if (st == PRVCUT_END) {
        pthread_mutex_lock(&p->lock);
        p->enough = true;
        pthread_mutex_unlock(&p->lock);
        return PRVCUT_OK;
    }
    return st;
}

static void fps_drop(void *ctx, void *item)
{
    struct pass *p = ctx;

    prvcut_pool_put(&p->idle, item);
}

static void fps_fini(struct pass *p)
{
    prvcut_pool_fini(&p->idle, fps_piece_free, NULL);
    prv_blocks_close(&p->blocks);
    pthread_mutex_destroy(&p->lock);
}

enum prvcut_status prv_pass_run(const struct prv_pass *pass, struct prvcut_error *err)
{
    struct pass p = { .wish = pass, .lines = pass->trace->header.lines };
    const struct prvcut_ordered work = {
        .ctx = &p, .take = fps_take, .work = fps_work, .join = fps_join, .drop = fps_drop
    };
    enum prvcut_status st;

    pthread_mutex_init(&p.lock, NULL);
    prvcut_pool_init(&p.idle);
    st = prv_trace_blocks(pass->trace, &p.blocks, err);
    if (st == PRVCUT_OK)
        st = prvcut_ordered_run(&work, prvcut_workers(pass->run->threads), err);
    fps_fini(&p);
    return st;
}
