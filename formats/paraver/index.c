#include "paraver/index.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status prv_index_init(struct prv_index *x, uint32_t threads, unsigned regions,
                                  struct prvcut_error *err)
{
    memset(x, 0, sizeof *x);
    x->regions = regions;
    x->stride = 1;
    x->opens = (size_t)threads * regions;
    x->open = calloc(x->opens + 1, sizeof *x->open);
    if (!x->open)
        return prvcut_no_memory(err, "an index");
    return PRVCUT_OK;
}

void prv_index_fini(struct prv_index *x)
{
    free(x->block);
    free(x->open);
    free(x->snapshot);
    memset(x, 0, sizeof *x);
}

size_t prv_index_position(const struct prv_index *x, uint64_t number)
{
    return prvcut_index_u64(x->block, x->blocks, sizeof *x->block,
                            offsetof(struct prv_block, number), number);
}

/* Half as many snapshots, twice as far apart. */
static void thin_out(struct prv_index *x)
{
    const size_t size = x->opens * sizeof *x->snapshot;

    for (size_t i = 2; i < x->snapshots; i += 2)
        memcpy(x->snapshot + i / 2 * x->opens, x->snapshot + i * x->opens, size);
    x->snapshots = (x->snapshots + 1) / 2;
    x->stride *= 2;
}

/* Before the block at position x->blocks. */
static enum prvcut_status take_snapshot(struct prv_index *x, struct prvcut_error *err)
{
    if (x->opens == 0)
        return PRVCUT_OK;
    /* The first one says that nothing is open yet; it stays, whatever its size. */
    while (x->snapshots > 1 &&
           (x->snapshots + 1) * x->opens * sizeof *x->snapshot > PRV_SNAPSHOT_BYTES)
        thin_out(x);
    if (x->blocks != x->snapshots * x->stride)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&x->snapshot, &x->snapshot_room, (x->snapshots + 1) * x->opens,
                    sizeof *x->snapshot, err) < 0)
        return PRVCUT_ENOMEM;
    memcpy(x->snapshot + x->snapshots++ * x->opens, x->open, x->opens * sizeof *x->open);
    return PRVCUT_OK;
}

static enum prvcut_status add_block(struct prv_index *x, const struct prv_block *b,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = take_snapshot(x, err);

    if (st < 0)
        return st;
    if (prvcut_grow((void **)&x->block, &x->room, x->blocks + 1, sizeof *x->block, err) < 0)
        return PRVCUT_ENOMEM;
    x->block[x->blocks++] = *b;
    return PRVCUT_OK;
}

enum prvcut_status prv_index_join(struct prv_index *x, const struct prv_part *part,
                                  struct prvcut_error *err)
{
    for (size_t i = 0; i < part->blocks; i++) {
        enum prvcut_status st = add_block(x, &part->block[i], err);

        if (st < 0)
            return st;
    }
    for (size_t i = 0; i < part->regions; i++) {
        const struct prv_region_seen *seen = &part->region[i];

        x->open[(size_t)seen->thread * x->regions + seen->region] =
            seen->open ? (uint32_t)(seen->block + 1) : 0;
    }
    return PRVCUT_OK;
}

size_t prv_index_find(const struct prv_index *x, size_t from, uint64_t start, uint64_t end)
{
    while (from < x->blocks && (x->block[from].first > end || x->block[from].last < start))
        from++;
    return from;
}

size_t prv_index_snapshot(const struct prv_index *x, size_t position, const uint32_t **open)
{
    size_t n = position / x->stride;

    *open = NULL;
    if (x->snapshots == 0)
        return 0;
    if (n >= x->snapshots)
        n = x->snapshots - 1;
    *open = x->snapshot + n * x->opens;
    return n * x->stride;
}
