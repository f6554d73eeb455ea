#include "base/buffer.h"
#include "base/search.h"
#include "base/sorter_runs.h"

#include <stdlib.h>

/* Runs shorter than that are made longer by insertion. */
#define SHORT_RUN 8

void srt_pairs_fini(struct srt_pairs *p)
{
    free(p->at);
    *p = (struct srt_pairs){ 0 };
}

/* Records in order, and one that is looked for among them. */
struct sought {
    const struct srt_order *o;
    const char *at, *key;
};

static bool sorter_memory_stands_behind(const void *ctx, size_t i)
{
    const struct sought *s = ctx;

    return srt_compare(s->o, s->at + i * s->o->size, s->key) > 0;
}

static bool sorter_memory_not_before(const void *ctx, size_t i)
{
    const struct sought *s = ctx;

    return srt_compare(s->o, s->at + i * s->o->size, s->key) >= 0;
}

/* Put record `end` in its place among the sorted [begin, end); aux: room for one. */
static void sorter_memory_insert(const struct srt_order *o, char *at, size_t begin, size_t end,
                                 char *aux)
{
    const size_t size = o->size;
    const struct sought s = { o, at, at + end * size };
    const size_t low = prvcut_first(begin, end, sorter_memory_stands_behind, &s);

    if (low == end)
        return;
    srt_copy(aux, at + end * size, size);
    memmove(at + (low + 1) * size, at + low * size, (end - low) * size);
    srt_copy(at + low * size, aux, size);
}

/* End of the run that begins there. */
static size_t sorter_memory_run_end(const struct srt_order *o, char *at, size_t begin, size_t count,
                                    char *aux)
{
    size_t end = begin + 1;

    while (end < count && srt_compare(o, at + (end - 1) * o->size, at + end * o->size) <= 0)
        end++;
    for (; end < count && end - begin < SHORT_RUN; end++)
        sorter_memory_insert(o, at, begin, end, aux);
    return end;
}

static enum prvcut_status sorter_memory_find_runs(const struct srt_order *o, char *at, size_t count,
                                                  char *aux, struct srt_pairs *p,
                                                  struct prvcut_error *err)
{
    p->count = 0;
    for (size_t begin = 0; begin < count;) {
        const enum prvcut_status st =
            prvcut_grow((void **)&p->at, &p->room, p->count + 2, sizeof *p->at, err);

        if (st < 0)
            return st;
        p->at[p->count++] = begin;
        begin = sorter_memory_run_end(o, at, begin, count, aux);
    }
    return PRVCUT_OK;
}

/* How many of the sorted records at [0, count) stand before key (or are equal to it: `equal`). */
static size_t sorter_memory_before(const struct srt_order *o, const char *at, size_t count,
                                   const char *key, bool equal)
{
    const struct sought s = { o, at, key };

    return prvcut_first(0, count, equal ? sorter_memory_stands_behind : sorter_memory_not_before,
                        &s);
}

/* Merge [begin, middle) and [middle, end), touching only where they overlap. */
static void sorter_memory_merge_runs(const struct srt_order *o, char *at, const size_t bound[3],
                                     char *aux)
{
    const size_t size = o->size;
    char *a, *b, *end, *left, *left_end, *to;

    if (srt_compare(o, at + (bound[1] - 1) * size, at + bound[1] * size) <= 0)
        return;
    a = at + bound[0] * size;
    b = at + bound[1] * size;
    a += sorter_memory_before(o, a, bound[1] - bound[0], b, true) * size;
    end = b + sorter_memory_before(o, b, bound[2] - bound[1], b - size, false) * size;
    left = aux;
    left_end = aux + (b - a);
    memcpy(aux, a, (size_t)(b - a));
    for (to = a; left < left_end && b < end; to += size) {
        if (srt_compare(o, b, left) < 0) {
            srt_copy(to, b, size);
            b += size;
        } else {
            srt_copy(to, left, size);
            left += size;
        }
    }
    memcpy(to, left, (size_t)(left_end - left));
}

enum prvcut_status srt_sort(const struct srt_order *o, char *at, size_t count, char *aux,
                            struct srt_pairs *p, struct prvcut_error *err)
{
    enum prvcut_status st;

    if (count < 2)
        return PRVCUT_OK;
    st = sorter_memory_find_runs(o, at, count, aux, p, err);
    if (st < 0)
        return st;
    while (p->count > 1) {
        size_t kept = 0;

        p->at[p->count] = count;
        for (size_t i = 0; i < p->count; i += 2) {
            if (i + 1 < p->count)
                sorter_memory_merge_runs(o, at, p->at + i, aux);
            p->at[kept++] = p->at[i];
        }
        p->count = kept;
    }
    return PRVCUT_OK;
}
