#include "paraver/index_file.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a block as it is kept. */
#define BLOCK_BYTES 40
/* Of what is open. */
#define RUN_BYTES 16
/* Of a task's collectives on a communicator. */
#define CALLED_BYTES 16
/* Of how all this is kept: what was kept in another way is not taken. */
#define LAYOUT 3

/* What a number means shapes all that is read: the .pcf and the roles that were given. */
static void index_file_put_labels(const struct prv_labels *l, struct prvcut_put *out)
{
    prvcut_put_u64(out, l->types);
    for (size_t i = 0; i < l->types; i++) {
        const struct prvcut_label *label = &l->type[i].label;

        prvcut_put_u32(out, label->number);
        prvcut_put_u32(out, (uint32_t)label->role);
        prvcut_put_u32(out, label->region);
        prvcut_put_u32(out, l->type[i].listed);
    }
    prvcut_put_u32(out, l->running);
    prvcut_put_u64(out, l->states);
    for (size_t i = 0; i < l->states; i++) {
        prvcut_put_u32(out, l->state[i].number);
        prvcut_put_u32(out, (uint32_t)l->state[i].role);
    }
}

void prv_index_shape(const struct prvcut_trace *t, struct prvcut_put *out)
{
    const struct prv_trace *trace = (const struct prv_trace *)t;

    prvcut_put_u32(out, LAYOUT);
    prvcut_put_u32(out, PRVCUT_BENTS);
    prvcut_put_u32(out, trace->lenient);
    prvcut_put_u64(out, t->unit_ns);
    prvcut_put_u64(out, t->end_ns);
    prvcut_put_u32(out, t->objects.threads);
    prvcut_put_u32(out, trace->labels.pcf_path != NULL);
    index_file_put_labels(&trace->labels, out);
}

static void index_file_put_snapshot(struct prvcut_put *out, const struct prv_snapshot *s)
{
    prvcut_put_u64(out, s->runs);
    for (size_t i = 0; i < s->runs; i++) {
        prvcut_put_u64(out, s->run[i].row);
        prvcut_put_u32(out, s->run[i].block);
        prvcut_put_u32(out, s->run[i].count);
    }
    prvcut_put_u64(out, s->calleds);
    prvcut_put_u64s(out, s->called, s->calleds);
}

static void index_file_put_called(struct prvcut_put *out, const struct prv_index *x)
{
    const struct prv_called *called = x->called.at;

    prvcut_put_u64(out, x->called.count);
    for (size_t i = 0; i < x->called.count; i++) {
        prvcut_put_u32(out, called[i].task);
        prvcut_put_u32(out, called[i].communicator);
        prvcut_put_u64(out, called[i].count);
    }
}

void prv_index_put_blocks(const struct prv_index *x, struct prvcut_put *out)
{
    prvcut_put_u64(out, x->blocks);
    for (size_t i = 0; i < x->blocks; i++) {
        const struct prv_block *b = &x->block[i];
        const uint64_t all[] = { b->number, b->lines, b->key, b->first, b->last };

        prvcut_put_u64s(out, all, sizeof all / sizeof *all);
    }
}

static void index_file_put_snapshots(struct prvcut_put *out, const struct prv_index *x)
{
    prvcut_put_u64(out, x->stride);
    prvcut_put_u64(out, x->snapshots);
    for (size_t i = 0; i < x->snapshots; i++)
        index_file_put_snapshot(out, &x->snapshot[i]);
}

enum prvcut_status prv_index_keep(const struct prvcut_trace *t, struct prvcut_put *out)
{
    const struct prv_trace *trace = (const struct prv_trace *)t;
    const struct prv_index *x = &trace->index;

    prvcut_put_u64(out, trace->unsorted);
    prvcut_put_u32(out, trace->no_last_newline);
    for (unsigned i = 0; i < PRVCUT_BENTS; i++) {
        prvcut_put_u64(out, t->bent[i].count);
        prvcut_put_u64(out, t->bent[i].line);
    }
    prvcut_put_u32(out, x->regions);
    prv_index_put_blocks(x, out);
    index_file_put_called(out, x);
    index_file_put_snapshots(out, x);
    return out->st;
}

void prv_index_add_blocks(struct prv_index *x, struct prvcut_get *in)
{
    const size_t count = prvcut_get_count(in, BLOCK_BYTES);

    prvcut_get_check(in, prvcut_grow((void **)&x->block, &x->room, x->blocks + count + 1,
                                     sizeof *x->block, NULL) == PRVCUT_OK);
    for (size_t i = 0; !in->bad && i < count; i++) {
        uint64_t all[5] = { 0 };

        prvcut_get_u64s(in, all, 5);
        prvcut_get_check(in, x->blocks == 0 || all[0] > x->block[x->blocks - 1].number);
        x->block[x->blocks++] = (struct prv_block){ all[0], all[1], all[2], all[3], all[4] };
    }
}

/* Whoever follows a snapshot goes to the blocks that it names. */
static void index_file_get_snapshot(struct prv_snapshot *s, const struct prv_index *x,
                                    struct prvcut_get *in)
{
    s->runs = prvcut_get_count(in, RUN_BYTES);
    s->run = prvcut_get_room(in, s->runs, sizeof *s->run);
    if (!s->run)
        s->runs = 0;
    for (size_t i = 0; i < s->runs; i++) {
        struct prv_run *r = &s->run[i];

        r->row = prvcut_get_u64(in);
        r->block = prvcut_get_u32(in);
        r->count = prvcut_get_u32(in);
        prvcut_get_check(in, r->row < x->opens && r->count > 0 &&
                                 (x->before > 0 || prv_index_position(x, r->block) < x->blocks));
    }
    s->calleds = prvcut_get_count(in, sizeof *s->called);
    s->called = prvcut_get_room(in, s->calleds, sizeof *s->called);
    prvcut_get_check(in, s->calleds <= x->called.count);
    if (!s->called)
        s->calleds = 0;
    prvcut_get_u64s(in, s->called, s->calleds);
}

static void index_file_get_called(struct prv_index *x, const struct prvcut_objects *o,
                                  struct prvcut_get *in)
{
    const size_t count = prvcut_get_count(in, CALLED_BYTES);

    x->called = (struct prvcut_table)PRVCUT_TABLE(struct prv_called, count, "collectives");
    for (size_t i = 0; i < count && !in->bad; i++) {
        struct prv_called key = { 0 }, *row;

        key.task = prvcut_get_u32(in);
        key.communicator = prvcut_get_u32(in);
        row = prvcut_table_make(&x->called, &key, NULL);
        prvcut_get_check(in, key.task < o->tasks && row && x->called.count == i + 1);
        if (row)
            row->count = prvcut_get_u64(in);
    }
}

static void index_file_get_snapshots(struct prv_index *x, struct prvcut_get *in)
{
    size_t count;

    x->stride = (size_t)prvcut_get_u64(in);
    count = prvcut_get_count(in, 8);
    prvcut_get_check(in, x->stride > 0 &&
                             count <= (x->before + x->blocks) / (x->stride + !x->stride) + 1);
    x->snapshot = prvcut_get_room(in, in->bad ? 0 : count, sizeof *x->snapshot);
    if (!x->snapshot)
        return;
    x->snapshots = x->snapshot_room = count;
    for (size_t i = 0; i < count; i++)
        index_file_get_snapshot(&x->snapshot[i], x, in);
}

bool prv_index_recall(struct prvcut_trace *t, struct prvcut_get *in)
{
    struct prv_trace *trace = (struct prv_trace *)t;
    struct prv_index x = { .complete = true };
    struct prv_parse_plan plan;
    uint64_t unsorted;
    bool no_last_newline;
    struct prvcut_bent_count bent[PRVCUT_BENTS];

    if (trace->index.complete)
        return true;
    prv_trace_plan(trace, &plan);
    unsorted = prvcut_get_u64(in);
    no_last_newline = prvcut_get_bool(in);
    for (unsigned i = 0; i < PRVCUT_BENTS; i++) {
        bent[i].count = prvcut_get_u64(in);
        bent[i].line = prvcut_get_u64(in);
    }
    x.regions = prvcut_get_u32(in);
    prvcut_get_check(in, x.regions == plan.regions);
    x.opens = (size_t)t->objects.threads * plan.regions;
    prv_index_add_blocks(&x, in);
    if (!in->bad)
        index_file_get_called(&x, &t->objects, in);
    if (!in->bad)
        index_file_get_snapshots(&x, in);
    if (in->bad || in->left > 0) {
        prv_index_fini(&x);
        return false;
    }
    prv_index_fini(&trace->index);
    trace->index = x;
    trace->unsorted = unsorted;
    trace->no_last_newline = no_last_newline;
    memcpy(t->bent, bent, sizeof t->bent);
    return true;
}

/* --- For another process ---------------------------------------------------------------------- */

/* What is open: rows one by one, the innermost run of each first. */
static void index_file_put_open(struct prvcut_put *out, const struct prv_index *x)
{
    prvcut_put_u64(out, x->runs);
    for (size_t row = 0; row < x->opens; row++)
        for (uint32_t node = x->open[row]; node > 0; node = x->node[node - 1].next) {
            prvcut_put_u64(out, row);
            prvcut_put_u32(out, x->node[node - 1].block);
            prvcut_put_u32(out, x->node[node - 1].count);
        }
}

void prv_index_put(const struct prv_index *x, struct prvcut_put *out)
{
    prvcut_put_u64(out, x->before + x->blocks);
    index_file_put_called(out, x);
    index_file_put_snapshots(out, x);
    prvcut_put_u64(out, x->snapshot_bytes);
    index_file_put_open(out, x);
}

static void index_file_get_open(struct prv_index *x, struct prvcut_get *in)
{
    const size_t count = prvcut_get_count(in, RUN_BYTES);
    struct prv_run *run = prvcut_get_room(in, count, sizeof *run);

    x->open = prvcut_get_room(in, x->opens, sizeof *x->open);
    for (size_t i = 0; run && i < count; i++) {
        run[i].row = prvcut_get_u64(in);
        run[i].block = prvcut_get_u32(in);
        run[i].count = prvcut_get_u32(in);
        prvcut_get_check(in, run[i].row < x->opens);
    }
    /* The outermost of each row first. */
    for (size_t i = count; !in->bad && i-- > 0;)
        prvcut_get_check(in, prv_index_run(x, &run[i], NULL) == PRVCUT_OK);
    free(run);
}

/* The blocks stay: none where this process's are not joined yet, its own where all are. */
void prv_index_get(struct prv_index *x, const struct prvcut_objects *o, struct prvcut_get *in)
{
    struct prv_index to = { .regions = x->regions, .opens = x->opens };

    to.before = (size_t)prvcut_get_u64(in);
    index_file_get_called(&to, o, in);
    if (!in->bad)
        index_file_get_snapshots(&to, in);
    to.snapshot_bytes = (size_t)prvcut_get_u64(in);
    if (!in->bad)
        index_file_get_open(&to, in);
    to.block = x->block;
    to.blocks = x->blocks;
    to.room = x->room;
    x->block = NULL;
    prv_index_fini(x);
    *x = to;
}
