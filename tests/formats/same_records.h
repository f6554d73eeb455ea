#ifndef TESTS_SAME_RECORDS_H
#define TESTS_SAME_RECORDS_H

#include "prvcut/convert.h"
#include "prvcut/records.h"

#include <check.h>
#include <stdlib.h>

/* Two traces hold the same records, whatever their order. */

static inline void must(enum prvcut_status st, const struct prvcut_error *err, const char *what)
{
    ck_assert_msg(st == PRVCUT_OK, "%s: %s", what, err->text);
}

static inline struct prvcut_trace *opened(const char *path)
{
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace;

    must(prvcut_trace_open(&trace, path, NULL, &err), &err, path);
    return trace;
}

static inline void convert(const char *from, const char *to)
{
    const struct prvcut_convert_options options = { .path = to, .force = true };
    struct prvcut_convert_summary *sum;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace = opened(from);

    must(prvcut_convert(trace, NULL, &options, &sum, &err), &err, from);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(trace);
}

struct records {
    struct prvcut_record *at;
    size_t count, room;
    bool ends;
};

static inline enum prvcut_status take(void *ctx, const struct prvcut_record *record, size_t count)
{
    struct records *r = ctx;

    for (size_t i = 0; i < count; i++) {
        if (!r->ends && record[i].kind == PRVCUT_RECORD_EVENT && record[i].value == 0)
            continue;
        if (r->count == r->room) {
            r->room = 2 * r->room + 1024;
            r->at = realloc(r->at, r->room * sizeof *r->at);
            ck_assert_ptr_nonnull(r->at);
        }
        r->at[r->count++] = record[i];
    }
    return PRVCUT_OK;
}

static inline int order(const void *a, const void *b)
{
    const struct prvcut_record *x = a, *y = b;
    const uint64_t key[][2] = {
        { (uint64_t)x->kind, (uint64_t)y->kind },
        { x->thread, y->thread },
        { x->begin, y->begin },
        { x->end, y->end },
        { x->peer, y->peer },
        { x->type, y->type },
        { (uint64_t)x->value, (uint64_t)y->value },
        { x->size, y->size },
    };

    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        if (key[i][0] != key[i][1])
            return key[i][0] < key[i][1] ? -1 : 1;
    return 0;
}

static inline void read_all(struct records *r, const char *path, unsigned kinds)
{
    const struct prvcut_records_wish wish = { .kinds = kinds, .ctx = r, .take = take };
    struct prvcut_trace *trace = opened(path);
    struct prvcut_error err = { 0 };

    must(prvcut_records_read(trace, NULL, &wish, &err), &err, path);
    prvcut_trace_close(trace);
    if (r->count > 0)
        qsort(r->at, r->count, sizeof *r->at, order);
}

/* How many there are; ends: values that are 0, too. */
static inline size_t compare_records(const char *name, const char *wanted, const char *made,
                                     unsigned kinds, bool ends)
{
    struct records want = { .ends = ends }, have = { .ends = ends };
    size_t count;

    read_all(&want, wanted, kinds);
    read_all(&have, made, kinds);
    count = want.count;
    for (size_t i = 0; i < count && i < have.count; i++)
        ck_assert_msg(order(&want.at[i], &have.at[i]) == 0,
                      "%s: record %zu: kind %d, thread %u, type %u, value %lld at %llu", name, i,
                      want.at[i].kind, want.at[i].thread, want.at[i].type,
                      (long long)want.at[i].value, (unsigned long long)want.at[i].begin);
    ck_assert_msg(have.count == count, "%s: %zu records, not %zu", name, have.count, count);
    free(want.at);
    free(have.at);
    return count;
}

#endif
