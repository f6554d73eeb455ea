#include "base/buffer.h"
#include "signal/collect.h"
#include "structure/align.h"
#include "tests/support/built.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <stdlib.h>
#include <string.h>

/*
 * Real archives whose processes' clocks are apart: along the threads' own iterations, every message
 * that is recorded at both ends is whole, and every collective too.
 */
static const struct {
    const char *format, *name;
    bool receives; /* nearly all are recorded */
} archives[] = {
    { "otf2", "lu.S.4", true },   { "otf2", "bt.S.4", true },  { "otf2", "cg.S.16", true },
    { "otf2", "mg.W.4", true },   { "otf2", "is.W.4", false }, { "otf2", "lulesh.8", false },
    { "otf2", "ft.W.4", false },  { "otf", "lu.S.4", true },   { "otf", "cg.S.4", true },
    { "otf", "bt.W.16-z", true }, { "otf", "ft.A.16", false },
};

#define ARCHIVES ((int)(sizeof archives / sizeof *archives))

enum { KEPT = 2, WINDOWS = 5 };

static const struct prvcut_run one = { .threads = 1 };

/* One end of a message, or one call of a collective, in the window. */
struct item {
    uint32_t a, b; /* sender and receiver; communicator and thread */
    int64_t tag;
    int sum; /* 1 for a send or a call, -1 for a receive */
};

struct items {
    struct item *at;
    size_t count, room;
};

struct look {
    const struct prvcut_alignment *window;
    struct items messages, collectives;
};

static void put(struct items *list, struct item item)
{
    ck_assert_int_eq(
        prvcut_grow((void **)&list->at, &list->room, list->count + 1, sizeof *list->at, NULL),
        PRVCUT_OK);
    list->at[list->count++] = item;
}

static enum prvcut_status on_batch(void *ctx, unsigned worker, void *state,
                                   const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct look *l = ctx;
    const struct prvcut_alignment *w = l->window;

    (void)worker;
    (void)state;
    (void)err;
    for (size_t i = 0; i < b->halves; i++) {
        const struct prvcut_half *h = &b->half[i];

        if (h->time >= w->from[h->thread] && h->time < w->to[h->thread])
            put(&l->messages,
                (struct item){ h->receive ? h->peer : h->thread, h->receive ? h->thread : h->peer,
                               h->tag, h->receive ? -1 : 1 });
    }
    for (size_t i = 0; i < b->events; i++) {
        const struct prvcut_event *e = &b->event[i];

        if (e->role == PRVCUT_ROLE_COMMUNICATOR && e->time >= w->from[e->thread] &&
            e->time < w->to[e->thread])
            put(&l->collectives, (struct item){ (uint32_t)e->value, e->thread, 0, 1 });
    }
    return PRVCUT_OK;
}

static int by_channel(const void *x, const void *y)
{
    const struct item *a = x, *b = y;

    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    if (a->b != b->b)
        return a->b < b->b ? -1 : 1;
    return (a->tag > b->tag) - (a->tag < b->tag);
}

/* Sum up equal ones; in order. */
static void sum_up(struct items *list)
{
    size_t kept = 0;

    if (list->count > 0)
        qsort(list->at, list->count, sizeof *list->at, by_channel);
    for (size_t i = 0; i < list->count; i++)
        if (kept > 0 && by_channel(&list->at[kept - 1], &list->at[i]) == 0)
            list->at[kept - 1].sum += list->at[i].sum;
        else
            list->at[kept++] = list->at[i];
    list->count = kept;
}

static void check_window(struct prvcut_trace *t, const struct prvcut_alignment *window,
                         bool receives)
{
    struct look l = { .window = window };
    const struct prvcut_consumer k = { .ctx = &l,
                                       .roles = PRVCUT_ROLES_MPI |
                                                PRVCUT_ROLE_BIT(PRVCUT_ROLE_COMMUNICATOR),
                                       .messages = true,
                                       .batch = on_batch };
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(
        t->reader->scan_window(t, &one, window->hull.start, window->hull.end, &k, &err), PRVCUT_OK);
    sum_up(&l.messages);
    ck_assert(!receives || l.messages.count > 0);
    for (size_t i = 0; receives && i < l.messages.count; i++)
        ck_assert_int_eq(l.messages.at[i].sum, 0);
    sum_up(&l.collectives);
    for (size_t i = 1; i < l.collectives.count; i++)
        if (l.collectives.at[i].a == l.collectives.at[i - 1].a)
            ck_assert_int_eq(l.collectives.at[i].sum, l.collectives.at[i - 1].sum);
    free(l.messages.at);
    free(l.collectives.at);
}

static void check_windows(struct prvcut_trace *t, const struct prvcut_collection *data,
                          const struct prvcut_call_loop *calls, bool receives)
{
    size_t first = 0, step;

    while (!calls->border[first])
        first++;
    step = (calls->borders[first] - KEPT - 1) / WINDOWS + 1;
    for (size_t k = 0; k + KEPT < calls->borders[first]; k += step) {
        const struct prvcut_align_input in = {
            .calls = calls,
            .sequence = data->sequence,
            .window = { calls->border[first][k], calls->border[first][k + KEPT] },
            .iterations = KEPT,
        };
        struct prvcut_alignment window;
        struct prvcut_error err = { 0 };

        ck_assert_int_eq(prvcut_align(&window, t, &one, &in, &err), PRVCUT_OK);
        ck_assert_msg(window.found, "%s", prvcut_align_why_text(window.why));
        ck_assert_uint_eq(window.crossing, 0);
        ck_assert_uint_eq(window.split, 0);
        check_window(t, &window, receives);
        prvcut_alignment_fini(&window);
    }
}

START_TEST(test_align_archive_keeps_messages_and_collectives_whole)
{
    struct prvcut_wish wish = { .calls = true };
    struct prvcut_collection data;
    struct prvcut_call_loop calls;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;
    char path[4096];

    if (!traces_folder() || !test_reads(archives[_i].format) ||
        !traces_unpack_archive(archives[_i].format, archives[_i].name, path, sizeof path))
        return;
    ck_assert_msg(prvcut_trace_open(&t, path, NULL, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert(t->clocks.skewed);
    ck_assert_uint_eq(t->clocks.residual, 0);
    ck_assert_uint_eq(t->clocks.unknown, 0);
    wish.grid = prvcut_grid_fit(0, t->end_ns, 16);
    ck_assert_msg(prvcut_collect(t, &one, &wish, &data, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_int_eq(prvcut_call_loop_find(&calls, data.sequence, data.sequences, &err), PRVCUT_OK);
    ck_assert(calls.loop.found);
    check_windows(t, &data, &calls, archives[_i].receives);
    prvcut_call_loop_fini(&calls);
    prvcut_collection_fini(&data);
    prvcut_trace_close(t);
}
END_TEST

static Suite *align_traces_suite(void)
{
    Suite *s = suite_create("align_traces");
    TCase *t = tcase_create("align_traces");

    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, test_align_archive_keeps_messages_and_collectives_whole, 0, ARCHIVES);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(align_traces_suite());
}
