#include "base/sorter.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "base/sorter_runs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MEMORY ((size_t)64 << 20)
/* Fewer records than that in memory would be all overhead. */
#define LEAST_ROOM 64
/* Bytes that a feed takes first. */
#define FIRST_ROOM ((size_t)64 << 10)
/* Runs that are merged at once; more are merged in rounds. */
#define FAN         256
#define LEAST_BLOCK ((size_t)4096)
#define MOST_BLOCK  ((size_t)1 << 20)
/* Files beyond that are closed side by side: what the system has of them in memory takes a while.
 */
#define LARGE ((uint64_t)64 << 20)

/* Who adds: records in memory, and sorted runs of earlier ones in a file. */
struct feed {
    char *at, *aux; /* [room], [aux_room]; aux: for sorting */
    size_t count, room, aux_room;
    uint64_t added;
    uint32_t *start; /* [groups + 1]; NULL: groups are only compared */
    struct srt_pairs pairs;
    struct srt_file file;
    struct srt_run *run;
    size_t runs, run_room;
    pthread_t closer;
    bool closing; /* closer is at work */
};

struct prvcut_sorter {
    struct prvcut_sorter_options o;
    struct srt_order order;
    size_t room;  /* records of a feed, at most */
    size_t block; /* records of a block in the files: one of each run is in memory while merging */
    struct feed *feed;
    char *scratch;
    struct srt_run *run; /* of all feeds, once finished */
    size_t runs;
    struct srt_file merged; /* of the last round */
    struct srt_merge merge;
};

static size_t sorter_block_records(size_t memory, size_t size)
{
    size_t bytes = memory / FAN;

    if (bytes > MOST_BLOCK)
        bytes = MOST_BLOCK;
    return (bytes < LEAST_BLOCK ? LEAST_BLOCK : bytes) / size + 1;
}

enum prvcut_status prvcut_sorter_new(struct prvcut_sorter **out,
                                     const struct prvcut_sorter_options *options,
                                     struct prvcut_error *err)
{
    struct prvcut_sorter *s = prvcut_zeroed(1, sizeof *s, "sorting", err);
    const size_t memory = options->memory > 0 ? options->memory : DEFAULT_MEMORY;

    *out = NULL;
    if (!s)
        return PRVCUT_ENOMEM;
    s->o = *options;
    s->order = (struct srt_order){ options->size, options->compare, options->group };
    s->merged.fd = -1;
    s->o.memory = memory;
    s->room = memory / options->feeds / 2 / options->size;
    if (s->room < LEAST_ROOM)
        s->room = LEAST_ROOM;
    if (s->room > UINT32_MAX)
        s->room = UINT32_MAX;
    s->block = sorter_block_records(memory, options->size);
    s->feed = prvcut_zeroed(options->feeds, sizeof *s->feed, "sorting", NULL);
    for (unsigned i = 0; s->feed && i < options->feeds; i++)
        s->feed[i].file.fd = -1;
    s->scratch = srt_folder(options->scratch);
    if (!s->feed || !s->scratch) {
        prvcut_sorter_free(s);
        return prvcut_no_memory(err, "sorting");
    }
    *out = s;
    return PRVCUT_OK;
}

static void sorter_feed_release(struct feed *f)
{
    free(f->at);
    free(f->aux);
    free(f->start);
    srt_pairs_fini(&f->pairs);
    f->at = f->aux = NULL;
    f->room = f->aux_room = 0;
    f->start = NULL;
}

static void *sorter_close_file(void *file)
{
    srt_file_close(file);
    return NULL;
}

static void sorter_close_files(struct prvcut_sorter *s)
{
    for (unsigned i = 0; s->feed && i < s->o.feeds; i++) {
        struct feed *f = &s->feed[i];

        f->closing = f->file.end > LARGE &&
                     pthread_create(&f->closer, NULL, sorter_close_file, &f->file) == 0;
        if (!f->closing)
            srt_file_close(&f->file);
    }
    srt_file_close(&s->merged);
    for (unsigned i = 0; s->feed && i < s->o.feeds; i++) {
        if (s->feed[i].closing)
            pthread_join(s->feed[i].closer, NULL);
        s->feed[i].closing = false;
    }
}

void prvcut_sorter_free(struct prvcut_sorter *s)
{
    if (!s)
        return;
    srt_merge_fini(&s->merge);
    sorter_close_files(s);
    for (unsigned i = 0; s->feed && i < s->o.feeds; i++) {
        sorter_feed_release(&s->feed[i]);
        free(s->feed[i].run);
    }
    free(s->feed);
    free(s->run);
    free(s->scratch);
    free(s);
}

/* Room for more records, at most those of a feed. It grows with what comes: most traces have few.
 */
static enum prvcut_status sorter_feed_grow(struct prvcut_sorter *s, struct feed *f, size_t more,
                                           struct prvcut_error *err)
{
    const size_t most = s->room - f->count, want = f->count + (more < most ? more : most);
    size_t items = 2 * f->room;
    char *moved;

    if (want <= f->room)
        return PRVCUT_OK;
    if (items < FIRST_ROOM / s->o.size)
        items = FIRST_ROOM / s->o.size;
    if (items < want)
        items = want;
    if (items > s->room)
        items = s->room;
    moved = prvcut_resized(f->at, items, s->o.size, "sorting", err);
    if (!moved)
        return PRVCUT_ENOMEM;
    f->at = moved;
    f->room = items;
    return PRVCUT_OK;
}

/* What sorting needs beside the records. */
static enum prvcut_status sorter_feed_prepare(struct prvcut_sorter *s, struct feed *f,
                                              struct prvcut_error *err)
{
    /* Where there are as many groups as records, there is nothing to gain from them. */
    const bool grouped = s->o.group && s->o.groups <= s->room / 4;

    if (f->aux_room < f->count) {
        free(f->aux);
        f->aux = prvcut_unset(f->room, s->o.size, "sorting", err);
        f->aux_room = f->aux ? f->room : 0;
    }
    if (grouped && !f->start)
        f->start = prvcut_unset((size_t)s->o.groups + 1, sizeof *f->start, "groups", err);
    return f->aux && (!grouped || f->start) ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* By group first, keeping the order inside each; *start of a group is then where it ends. */
static void sorter_feed_distribute(struct prvcut_sorter *s, struct feed *f)
{
    const size_t size = s->o.size, room = f->room;
    uint32_t sum = 0;
    char *swap = f->at;

    memset(f->start, 0, ((size_t)s->o.groups + 1) * sizeof *f->start);
    for (size_t i = 0; i < f->count; i++)
        f->start[s->o.group(f->at + i * size)]++;
    for (uint32_t g = 0; g <= s->o.groups; g++) {
        const uint32_t count = f->start[g];

        f->start[g] = sum;
        sum += count;
    }
    for (size_t i = 0; i < f->count; i++) {
        const char *record = f->at + i * size;

        srt_copy(f->aux + (size_t)f->start[s->o.group(record)]++ * size, record, size);
    }
    f->at = f->aux;
    f->room = f->aux_room;
    f->aux = swap;
    f->aux_room = room;
}

static enum prvcut_status sorter_feed_sort(struct prvcut_sorter *s, struct feed *f,
                                           struct prvcut_error *err)
{
    const struct srt_order inside = { s->o.size, s->o.compare, NULL };
    enum prvcut_status st = sorter_feed_prepare(s, f, err);
    size_t begin = 0;

    if (st == PRVCUT_OK && !f->start)
        return srt_sort(&s->order, f->at, f->count, f->aux, &f->pairs, err);
    if (st == PRVCUT_OK)
        sorter_feed_distribute(s, f);
    for (uint32_t g = 0; g < s->o.groups && st == PRVCUT_OK; g++) {
        st = srt_sort(&inside, f->at + begin * s->o.size, f->start[g] - begin, f->aux, &f->pairs,
                      err);
        begin = f->start[g];
    }
    return st;
}

static enum prvcut_status sorter_feed_spill(struct prvcut_sorter *s, struct feed *f,
                                            struct prvcut_error *err)
{
    enum prvcut_status st = sorter_feed_sort(s, f, err);

    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&f->run, &f->run_room, f->runs + 1, sizeof *f->run, err);
    if (st == PRVCUT_OK && f->file.fd < 0)
        st = srt_file_open(&f->file, s->scratch, err);
    if (st < 0)
        return st;
    f->run[f->runs++] =
        (struct srt_run){ .file = &f->file, .offset = f->file.end, .left = f->count };
    st = srt_blocks_write(&f->file, f->at, f->count, s->o.size, s->block, err);
    f->count = 0;
    return st;
}

enum prvcut_status prvcut_sorter_add(struct prvcut_sorter *s, unsigned feed, const void *record,
                                     size_t count, struct prvcut_error *err)
{
    struct feed *f = &s->feed[feed];
    const char *from = record;
    enum prvcut_status st = PRVCUT_OK;

    f->added += count;
    while (count > 0) {
        const size_t room = s->room - f->count, n = count < room ? count : room;

        st = sorter_feed_grow(s, f, n, err);
        if (st < 0)
            return st;
        srt_copy_some(f->at + f->count * s->o.size, from, n, s->o.size);
        f->count += n;
        from += n * s->o.size;
        count -= n;
        if (f->count == s->room)
            st = sorter_feed_spill(s, f, err);
        if (st < 0)
            return st;
    }
    return st;
}

uint64_t prvcut_sorter_count(const struct prvcut_sorter *s)
{
    uint64_t count = 0;

    for (unsigned i = 0; i < s->o.feeds; i++)
        count += s->feed[i].added;
    return count;
}

/* Take all runs together; what is still in memory stays there where no feed had to spill. */
static enum prvcut_status sorter_collect(struct prvcut_sorter *s, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t runs = 0;
    bool spilt = false;

    for (unsigned i = 0; i < s->o.feeds; i++)
        spilt = spilt || s->feed[i].runs > 0;
    for (unsigned i = 0; i < s->o.feeds && st == PRVCUT_OK; i++) {
        struct feed *f = &s->feed[i];

        if (f->count > 0)
            st = spilt ? sorter_feed_spill(s, f, err) : sorter_feed_sort(s, f, err);
        runs += f->runs + (f->count > 0);
        free(f->aux);
        f->aux = NULL;
        f->aux_room = 0;
        if (spilt)
            sorter_feed_release(f);
    }
    s->run = prvcut_zeroed(runs + 1, sizeof *s->run, "runs", err);
    if (st == PRVCUT_OK && !s->run)
        return PRVCUT_ENOMEM;
    for (unsigned i = 0; i < s->o.feeds && st == PRVCUT_OK; i++) {
        struct feed *f = &s->feed[i];

        if (f->runs > 0)
            memcpy(s->run + s->runs, f->run, f->runs * sizeof *f->run);
        s->runs += f->runs;
        if (f->count > 0)
            s->run[s->runs++] = (struct srt_run){ .at = f->at, .count = f->count };
    }
    return st;
}

static enum prvcut_status sorter_next_unless_stopped(struct prvcut_sorter *s, struct srt_merge *m,
                                                     char *out, size_t room, size_t *got,
                                                     struct prvcut_error *err)
{
    *got = 0;
    if (s->o.stop && s->o.stop(s->o.stop_ctx))
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    return srt_merge_next(m, out, room, got, err);
}

/* Merge runs[0 .. n) to the end of a file. */
static enum prvcut_status sorter_merge_some(struct prvcut_sorter *s, struct srt_run *run, size_t n,
                                            struct srt_file *to, struct prvcut_error *err)
{
    const size_t room = s->block * (MOST_BLOCK / (s->block * s->o.size) + 1);
    char *out = prvcut_unset(1, room * s->o.size, "sorting", err);
    struct srt_merge m = { 0 };
    size_t got = 1;
    enum prvcut_status st = out ? PRVCUT_OK : PRVCUT_ENOMEM;

    if (st == PRVCUT_OK)
        st = srt_merge_init(&m, &s->order, run, n, s->block, err);
    while (st == PRVCUT_OK && got > 0) {
        st = sorter_next_unless_stopped(s, &m, out, room, &got, err);
        if (st == PRVCUT_OK && got > 0)
            st = srt_blocks_write(to, out, got, s->o.size, s->block, err);
    }
    srt_merge_fini(&m);
    free(out);
    return st;
}

/* One round: every FAN runs become one, in a new file; the old files go. */
static enum prvcut_status sorter_merge_round(struct prvcut_sorter *s, struct prvcut_error *err)
{
    struct srt_file to = { .fd = -1 };
    enum prvcut_status st = srt_file_open(&to, s->scratch, err);
    size_t made = 0;

    for (size_t i = 0; i < s->runs && st == PRVCUT_OK; i += FAN) {
        const size_t n = s->runs - i < FAN ? s->runs - i : FAN;
        const uint64_t begin = to.end;
        size_t records = 0;

        for (size_t k = i; k < i + n; k++)
            records += s->run[k].left;
        st = sorter_merge_some(s, s->run + i, n, &to, err);
        s->run[made++] = (struct srt_run){ .offset = begin, .left = records };
    }
    sorter_close_files(s);
    s->merged = to;
    s->runs = made;
    for (size_t i = 0; i < made; i++)
        s->run[i].file = &s->merged;
    return st;
}

enum prvcut_status prvcut_sorter_finish(struct prvcut_sorter *s, struct prvcut_error *err)
{
    enum prvcut_status st = sorter_collect(s, err);

    while (st == PRVCUT_OK && s->runs > FAN)
        st = sorter_merge_round(s, err);
    return st < 0 ? st : srt_merge_init(&s->merge, &s->order, s->run, s->runs, s->block, err);
}

enum prvcut_status prvcut_sorter_next(struct prvcut_sorter *s, void *out, size_t room, size_t *got,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = sorter_next_unless_stopped(s, &s->merge, out, room, got, err);

    return st == PRVCUT_OK && *got == 0 ? PRVCUT_END : st;
}
