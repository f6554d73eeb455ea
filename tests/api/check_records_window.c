/* Records of a window of real traces: those of the whole that touch it, whether all was read. */
#include "prvcut/records.h"

#include "built.h"
#include "runner.h"
#include "traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct real {
    const char *format, *name;
} real[] = {
    { "paraver", "lu.S.4" },
    { "otf2", "lu.S.4" },
    { "otf2", "mpikinds.4" },
    { "otf", "lu.S.4" },
};
#define REAL ((int)(sizeof real / sizeof *real))

struct kept {
    struct prvcut_record *at;
    size_t count, room;
};

/* NULL: it is not here. */
static struct prvcut_trace *open_real(int i)
{
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t = NULL;
    char path[4096];

    if (!traces_folder() || !test_reads(real[i].format) ||
        !(strcmp(real[i].format, "paraver") == 0
              ? traces_unpack(real[i].name, path, sizeof path)
              : traces_unpack_archive(real[i].format, real[i].name, path, sizeof path))) {
        test_leaves_out("a real trace");
        return NULL;
    }
    ck_assert_msg(prvcut_trace_open(&t, path, NULL, &err) == PRVCUT_OK, "%s", err.text);
    return t;
}

static enum prvcut_status keep(void *ctx, const struct prvcut_record *record, size_t count)
{
    struct kept *k = ctx;

    if (k->count + count > k->room) {
        k->room = 2 * k->room + count;
        k->at = realloc(k->at, k->room * sizeof *k->at);
        ck_assert_ptr_nonnull(k->at);
    }
    memcpy(k->at + k->count, record, count * sizeof *record);
    k->count += count;
    return PRVCUT_OK;
}

static int by_all(const void *a, const void *b)
{
    const struct prvcut_record *x = a, *y = b;
    const uint64_t p[] = { x->begin,           x->thread, x->kind, x->type,
                           (uint64_t)x->value, x->end,    x->peer, x->size };
    const uint64_t q[] = { y->begin,           y->thread, y->kind, y->type,
                           (uint64_t)y->value, y->end,    y->peer, y->size };

    for (size_t i = 0; i < sizeof p / sizeof *p; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

/* What touches the window, whatever was delivered. */
static struct kept read_window(struct prvcut_trace *t, unsigned kinds, struct prvcut_span only,
                               struct prvcut_span asked)
{
    struct kept k = { .at = NULL };
    const struct prvcut_records_wish wish = {
        .size = sizeof wish, .kinds = kinds, .only = asked, .ctx = &k, .take = keep
    };
    struct prvcut_error err = { 0 };
    size_t n = 0;

    ck_assert_msg(prvcut_records_read(t, NULL, &wish, &err) == PRVCUT_OK, "%s", err.text);
    for (size_t i = 0; i < k.count; i++) {
        const struct prvcut_record *r = &k.at[i];

        if (r->begin < only.end &&
            (r->end > r->begin ? r->end > only.start : r->begin >= only.start))
            k.at[n++] = *r;
        else
            continue;
        /* A state may be told up to the window's end only. */
        if (r->kind == PRVCUT_RECORD_STATE && r->end > only.end)
            k.at[n - 1].end = only.end;
    }
    if (asked.end > 0)
        ck_assert_uint_eq(n, k.count);
    k.count = n;
    if (n > 0)
        qsort(k.at, n, sizeof *k.at, by_all);
    return k;
}

static void expect_same(const struct kept *a, const struct kept *b)
{
    ck_assert_uint_eq(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        ck_assert_msg(by_all(&a->at[i], &b->at[i]) == 0,
                      "kind %d thread %" PRIu32 " %" PRIu64 "-%" PRIu64 " and kind %d thread "
                      "%" PRIu32 " %" PRIu64 "-%" PRIu64,
                      a->at[i].kind, a->at[i].thread, a->at[i].begin, a->at[i].end, b->at[i].kind,
                      b->at[i].thread, b->at[i].begin, b->at[i].end);
}

/* Before anything was read, and behind it, when a window reads just its blocks. */
START_TEST(test_records_of_a_window_are_those_of_the_whole)
{
    static const unsigned kinds[] = { PRVCUT_RECORD_EVENT, PRVCUT_RECORD_STATE,
                                      PRVCUT_RECORD_MESSAGE | PRVCUT_RECORD_SEND |
                                          PRVCUT_RECORD_RECEIVE,
                                      0 };
    const unsigned wanted = kinds[_i % 4];
    struct prvcut_trace *t = open_real(_i / 4);
    const uint64_t end = t ? prvcut_trace_end(t) : 0;
    size_t all = 0;
    const struct prvcut_span window[] = { { 0, end / 7 },
                                          { end / 3, end / 3 + end / 20 },
                                          { end / 5 * 4, end } };

    for (size_t i = 0; t && i < sizeof window / sizeof *window; i++) {
        struct kept part = read_window(t, wanted, window[i], window[i]);
        struct kept whole = read_window(t, wanted, window[i], (struct prvcut_span){ 0 });
        struct kept again = read_window(t, wanted, window[i], window[i]);

        expect_same(&part, &whole);
        expect_same(&again, &whole);
        all += whole.count;
        free(part.at);
        free(whole.at);
        free(again.at);
    }
    ck_assert(!t || all > 0 || kinds[_i % 4] == kinds[2]);
    prvcut_trace_close(t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("records_window");
    TCase *c = tcase_create("real");

    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, test_records_of_a_window_are_those_of_the_whole, 0, 4 * REAL);
    suite_add_tcase(s, c);
    return run_suite(s);
}
