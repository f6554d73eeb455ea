#include "paraver/index.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"
#include "model/stack.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status prv_index_init(struct prv_index *x, uint32_t threads, unsigned regions,
                                  struct prvcut_error *err)
{
    memset(x, 0, sizeof *x);
    x->regions = regions;
    x->stride = 1;
    x->opens = (size_t)threads * regions;
    x->called = (struct prvcut_table)PRVCUT_TABLE(struct prv_called, count, "collectives");
    x->open = prvcut_zeroed(x->opens + 1, sizeof *x->open, "blocks", err);
    if (!x->open)
        return PRVCUT_ENOMEM;
    return PRVCUT_OK;
}

static void index_snapshot_fini(struct prv_snapshot *s)
{
    free(s->run);
    free(s->called);
}

void prv_index_fini(struct prv_index *x)
{
    for (size_t i = 0; x->snapshot && i < x->snapshots; i++)
        index_snapshot_fini(&x->snapshot[i]);
    prvcut_table_fini(&x->called);
    free(x->block);
    free(x->open);
    free(x->node);
    free(x->snapshot);
    memset(x, 0, sizeof *x);
}

size_t prv_index_position(const struct prv_index *x, uint64_t number)
{
    return prvcut_index_u64(x->block, x->blocks, sizeof *x->block,
                            offsetof(struct prv_block, number), number);
}

/* --- What is open ---------------------------------------------------------------------------- */

static enum prvcut_status index_new_node(struct prv_index *x, uint32_t *node,
                                         struct prvcut_error *err)
{
    if (x->spare > 0) {
        *node = x->spare - 1;
        x->spare = x->node[*node].next;
    } else {
        if (prvcut_grow((void **)&x->node, &x->node_room, x->nodes + 1, sizeof *x->node, err) < 0)
            return PRVCUT_ENOMEM;
        *node = (uint32_t)x->nodes++;
    }
    x->runs++;
    return PRVCUT_OK;
}

enum prvcut_status prv_index_run(struct prv_index *x, const struct prv_run *run,
                                 struct prvcut_error *err)
{
    const struct prv_open_node *top =
        x->open[run->row] > 0 ? &x->node[x->open[run->row] - 1] : NULL;
    const uint32_t deep = top ? top->below + top->count : 0;
    uint32_t node;

    if (index_new_node(x, &node, err) < 0)
        return PRVCUT_ENOMEM;
    x->node[node] = (struct prv_open_node){
        .block = run->block, .count = run->count, .below = deep, .next = x->open[run->row]
    };
    x->open[run->row] = node + 1;
    return PRVCUT_OK;
}

/* So many more begin in a block. Where they are too deep to be followed, they are taken for some of
   the innermost: what never ends piles up. */
static enum prvcut_status index_begin(struct prv_index *x, uint64_t row, uint32_t block,
                                      uint32_t count, struct prvcut_error *err)
{
    struct prv_open_node *top = x->open[row] > 0 ? &x->node[x->open[row] - 1] : NULL;
    const uint64_t deep = top ? (uint64_t)top->below + top->count : 0;

    if (top && (top->block == block || deep + count > PRVCUT_STACK_DEEPEST)) {
        top->count += count;
        return PRVCUT_OK;
    }
    return prv_index_run(x, &(struct prv_run){ row, block, count }, err);
}

static void index_end(struct prv_index *x, uint64_t row, uint32_t count)
{
    while (count > 0 && x->open[row] > 0) {
        const uint32_t node = x->open[row] - 1;
        struct prv_open_node *top = &x->node[node];

        if (top->count > count) {
            top->count -= count;
            return;
        }
        count -= top->count;
        x->open[row] = top->next;
        top->next = x->spare;
        x->spare = node + 1;
        x->runs--;
    }
}

/* --- Snapshots ------------------------------------------------------------------------------- */

static size_t index_snapshot_bytes(size_t runs, size_t calleds)
{
    return sizeof(struct prv_snapshot) + runs * sizeof(struct prv_run) + calleds * sizeof(uint64_t);
}

/* Half as many snapshots, twice as far apart. */
static void index_thin_out(struct prv_index *x)
{
    for (size_t i = 1; i < x->snapshots; i++) {
        if (i % 2 == 1) {
            x->snapshot_bytes -= index_snapshot_bytes(x->snapshot[i].runs, x->snapshot[i].calleds);
            index_snapshot_fini(&x->snapshot[i]);
        } else {
            x->snapshot[i / 2] = x->snapshot[i];
        }
    }
    x->snapshots = (x->snapshots + 1) / 2;
    x->stride *= 2;
}

static void index_fill_snapshot(const struct prv_index *x, struct prv_snapshot *s)
{
    const struct prv_called *called = x->called.at;

    for (size_t row = 0; s->runs < x->runs && row < x->opens; row++)
        for (uint32_t node = x->open[row]; node > 0; node = x->node[node - 1].next)
            s->run[s->runs++] =
                (struct prv_run){ row, x->node[node - 1].block, x->node[node - 1].count };
    for (size_t i = 0; i < s->calleds; i++)
        s->called[i] = called[i].count;
}

/* Before the block behind all of them. */
static enum prvcut_status index_take_snapshot(struct prv_index *x, struct prvcut_error *err)
{
    struct prv_snapshot *s;

    if (x->opens == 0)
        return PRVCUT_OK;
    /* The first one says that nothing is open yet; it stays, whatever its size. */
    while (x->snapshots > 1 &&
           x->snapshot_bytes + index_snapshot_bytes(x->runs, x->called.count) > PRV_SNAPSHOT_BYTES)
        index_thin_out(x);
    if (x->before + x->blocks != x->snapshots * x->stride)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&x->snapshot, &x->snapshot_room, x->snapshots + 1, sizeof *x->snapshot,
                    err) < 0)
        return PRVCUT_ENOMEM;
    s = &x->snapshot[x->snapshots];
    *s = (struct prv_snapshot){
        prvcut_unset(x->runs + 1, sizeof *s->run, "an index", err), 0,
        prvcut_unset(x->called.count + 1, sizeof *s->called, "an index", err), x->called.count
    };
    if (!s->run || !s->called) {
        index_snapshot_fini(s);
        return PRVCUT_ENOMEM;
    }
    x->snapshots++;
    index_fill_snapshot(x, s);
    x->snapshot_bytes += index_snapshot_bytes(s->runs, s->calleds);
    return PRVCUT_OK;
}

static enum prvcut_status index_add_block(struct prv_index *x, const struct prv_block *b,
                                          struct prvcut_error *err)
{
    enum prvcut_status st = index_take_snapshot(x, err);

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
        enum prvcut_status st = index_add_block(x, &part->block[i], err);

        if (st < 0)
            return st;
    }
    for (size_t i = 0; i < part->regions; i++) {
        const struct prv_region_seen *seen = &part->region[i];
        const uint64_t row = prv_index_row(x->regions, seen->thread, seen->region);

        index_end(x, row, seen->ends);
        if (seen->open > 0 &&
            index_begin(x, row, (uint32_t)x->block[x->blocks - 1].number, seen->open, err) < 0)
            return PRVCUT_ENOMEM;
    }
    for (size_t i = 0; i < part->calleds; i++) {
        struct prv_called *row = prvcut_table_make(&x->called, &part->called[i], err);

        if (!row)
            return PRVCUT_ENOMEM;
        row->count += part->called[i].count;
    }
    return PRVCUT_OK;
}

size_t prv_index_find(const struct prv_index *x, size_t from, uint64_t start, uint64_t end)
{
    while (from < x->blocks && (x->block[from].first > end || x->block[from].last < start))
        from++;
    return from;
}

size_t prv_index_snapshot(const struct prv_index *x, size_t position,
                          const struct prv_snapshot **out)
{
    size_t n = position / x->stride;

    *out = NULL;
    if (x->snapshots == 0)
        return 0;
    if (n >= x->snapshots)
        n = x->snapshots - 1;
    *out = &x->snapshot[n];
    return n * x->stride;
}
