#include "base/memory.h"
#include "base/search.h"
#include "base/sorter_runs.h"

#include <stdlib.h>

static enum prvcut_status merge_refill(struct srt_merge *m, struct srt_run *r,
                                       struct prvcut_error *err)
{
    enum prvcut_status st;

    if (r->left == 0)
        return PRVCUT_OK;
    if (!r->buffer)
        r->buffer = prvcut_unset(m->block.records, m->block.size, "records of a run", err);
    if (!r->buffer)
        return PRVCUT_ENOMEM;
    st = srt_block_read(r, &m->block, &r->count, err);
    if (st == PRVCUT_OK && r->count > r->left)
        return prvcut_fail(err, PRVCUT_EIO, "%s: a temporary file was changed by another program",
                           r->file->folder);
    r->left -= r->count;
    r->at = r->buffer;
    return st;
}

static bool merge_less(const struct srt_merge *m, size_t a, size_t b)
{
    return srt_compare(&m->order, m->heap[a]->at, m->heap[b]->at) < 0;
}

static void merge_sift(struct srt_merge *m, size_t i)
{
    for (;;) {
        size_t least = i;
        struct srt_run *swap;

        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < m->count; child++)
            if (merge_less(m, child, least))
                least = child;
        if (least == i)
            return;
        swap = m->heap[i];
        m->heap[i] = m->heap[least];
        m->heap[least] = swap;
        i = least;
    }
}

enum prvcut_status srt_merge_init(struct srt_merge *m, const struct srt_order *o,
                                  struct srt_run *run, size_t runs, size_t block,
                                  struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    *m = (struct srt_merge){
        .order = *o, .run = run, .runs = runs, .block = { .size = o->size, .records = block }
    };
    m->heap = prvcut_zeroed(runs + 1, sizeof *m->heap, "runs", err);
    if (!m->heap)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < runs && st == PRVCUT_OK; i++) {
        if (run[i].file)
            st = merge_refill(m, &run[i], err);
        if (run[i].count > 0)
            m->heap[m->count++] = &run[i];
    }
    for (size_t i = m->count / 2; i-- > 0 && st == PRVCUT_OK;)
        merge_sift(m, i);
    return st;
}

struct bounded {
    const struct srt_order *order;
    const char *at, *bound;
};

static bool merge_is_behind(const void *ctx, size_t i)
{
    const struct bounded *b = ctx;

    return srt_compare(b->order, b->at + i * b->order->size, b->bound) > 0;
}

/* How many records of the first run stand before those of all others. */
static size_t merge_leading(const struct srt_merge *m, size_t most)
{
    const struct srt_run *r = m->heap[0];
    const size_t size = m->order.size, count = r->count < most ? r->count : most;
    const char *bound;
    struct bounded s;
    size_t low = 1, high = 2;

    if (m->count == 1)
        return count;
    bound = m->heap[m->count > 2 && merge_less(m, 2, 1) ? 2 : 1]->at;
    while (high <= count && srt_compare(&m->order, r->at + (high - 1) * size, bound) <= 0) {
        low = high;
        high *= 2;
    }
    if (high > count + 1)
        high = count + 1;
    /* [0, low) stand before the bound; record high - 1 does not, or is none. */
    s = (struct bounded){ &m->order, r->at, bound };
    return prvcut_first(low, high - 1, merge_is_behind, &s);
}

enum prvcut_status srt_merge_next(struct srt_merge *m, char *out, size_t room, size_t *got,
                                  struct prvcut_error *err)
{
    const size_t size = m->order.size;
    enum prvcut_status st = PRVCUT_OK;

    *got = 0;
    while (*got < room && m->count > 0 && st == PRVCUT_OK) {
        struct srt_run *r = m->heap[0];
        const size_t n = merge_leading(m, room - *got);

        srt_copy_some(out + *got * size, r->at, n, size);
        *got += n;
        r->at += n * size;
        r->count -= n;
        if (r->count == 0 && r->file)
            st = merge_refill(m, r, err);
        if (r->count == 0)
            m->heap[0] = m->heap[--m->count];
        merge_sift(m, 0);
    }
    return st;
}

void srt_merge_fini(struct srt_merge *m)
{
    for (size_t i = 0; i < m->runs && m->heap; i++) {
        free(m->run[i].buffer);
        free(m->run[i].packed);
        m->run[i].buffer = m->run[i].packed = NULL;
    }
    free(m->heap);
    *m = (struct srt_merge){ 0 };
}
