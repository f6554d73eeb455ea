#include "paraver/index.h"

#include "base/buffer.h"
#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status prv_index_init(struct prv_index *x, uint32_t threads, unsigned regions,
                                  struct prvcut_error *err)
{
    memset(x, 0, sizeof *x);
    x->regions = regions;
    x->opens = (size_t)threads * regions;
    if (x->opens == 0)
        return PRVCUT_OK;
    x->open = calloc(x->opens, sizeof *x->open);
    if (!x->open)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for the index of %u threads",
                           threads);
    return PRVCUT_OK;
}

void prv_index_fini(struct prv_index *x)
{
    free(x->block);
    free(x->open);
    memset(x, 0, sizeof *x);
}

static struct prv_block *find(struct prv_index *x, uint64_t number)
{
    size_t low = 0, high = x->blocks;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (x->block[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < x->blocks && x->block[low].number == number ? &x->block[low] : NULL;
}

static void reach(struct prv_index *x, uint64_t number, uint64_t time)
{
    struct prv_block *b = find(x, number);

    if (b && b->last < time)
        b->last = time;
}

static enum prvcut_status add_block(struct prv_index *x, const struct prv_block *b,
                                    struct prvcut_error *err)
{
    struct prv_block *last = x->blocks > 0 ? &x->block[x->blocks - 1] : NULL;

    if (last && last->number == b->number) {
        last->lines += b->lines;
        last->first = b->first < last->first ? b->first : last->first;
        last->last = b->last > last->last ? b->last : last->last;
        return PRVCUT_OK;
    }
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
        uint64_t *open = &x->open[(size_t)seen->thread * x->regions + seen->region];

        if (*open > 0)
            reach(x, *open - 1, seen->first);
        *open = seen->open ? seen->block + 1 : 0;
    }
    return PRVCUT_OK;
}

void prv_index_end(struct prv_index *x)
{
    for (size_t i = 0; i < x->opens; i++)
        if (x->open[i] > 0)
            reach(x, x->open[i] - 1, UINT64_MAX);
    free(x->open);
    x->open = NULL;
    x->opens = 0;
    x->complete = true;
}

size_t prv_index_find(const struct prv_index *x, size_t from, uint64_t start, uint64_t end)
{
    while (from < x->blocks && (x->block[from].first > end || x->block[from].last < start))
        from++;
    return from;
}

uint64_t prv_index_lines_before(const struct prv_index *x, size_t at)
{
    uint64_t lines = 0;

    for (size_t i = 0; i < at && i < x->blocks; i++)
        lines += x->block[i].lines;
    return lines;
}
