/* A window that is read alone tells what all of the trace tells of it. */
#include "cutting.h"
#include "prvcut/convert.h"

#include "otf2/otf2.h"

#include "built.h"
#include "runner.h"

#define WINDOWS 12

/** Sums over all that happens in a window; each record counts by what it says. */
struct seen {
    uint64_t from, to;
    uint64_t events, halves, states; /* states by the time that they have in the window */
};

/** What one part adds: a scan may have several at once. */
struct seen_part {
    struct seen sum;
};

static uint64_t mixed(uint64_t sum, uint64_t word)
{
    return ((sum ^ sum >> 29) + word) * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

static enum prvcut_status seen_begin(void *ctx, unsigned worker, uint64_t number, void **state,
                                     struct prvcut_error *err)
{
    const struct seen *s = ctx;
    struct seen_part *p = calloc(1, sizeof *p);

    (void)worker, (void)number, (void)err;
    ck_assert_ptr_nonnull(p);
    p->sum.from = s->from;
    p->sum.to = s->to;
    *state = p;
    return PRVCUT_OK;
}

static void see_event(struct seen *s, const struct prvcut_event *e)
{
    if (e->time < s->from || e->time >= s->to)
        return;
    s->events +=
        mixed(mixed(mixed(mixed(e->time, e->thread), e->type), (uint64_t)e->value), e->role);
}

static void see_half(struct seen *s, const struct prvcut_half *h)
{
    if (h->time < s->from || h->time >= s->to)
        return;
    s->halves +=
        mixed(mixed(mixed(mixed(mixed(h->time, h->thread), h->peer), (uint64_t)h->tag), h->size),
              h->receive + 2 * h->other);
}

static void see_state(struct seen *s, const struct prvcut_state *x)
{
    const uint64_t begin = x->begin > s->from ? x->begin : s->from;
    const uint64_t end = x->end < s->to ? x->end : s->to;

    if (begin < end)
        s->states += mixed(x->number, x->thread) * (end - begin);
}

static enum prvcut_status seen_batch(void *ctx, unsigned worker, void *state,
                                     const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct seen_part *p = state;

    (void)ctx, (void)worker, (void)err;
    for (size_t i = 0; i < b->events; i++)
        see_event(&p->sum, &b->event[i]);
    for (size_t i = 0; i < b->halves; i++)
        see_half(&p->sum, &b->half[i]);
    for (size_t i = 0; i < b->states; i++)
        see_state(&p->sum, &b->state[i]);
    return PRVCUT_OK;
}

static enum prvcut_status seen_join(void *ctx, void *state, struct prvcut_error *err)
{
    const struct seen_part *p = state;
    struct seen *s = ctx;

    (void)err;
    s->events += p->sum.events;
    s->halves += p->sum.halves;
    s->states += p->sum.states;
    return PRVCUT_OK;
}

static void seen_discard(void *ctx, void *state)
{
    (void)ctx;
    free(state);
}

static struct seen see(struct prvcut_trace *t, uint64_t from, uint64_t to, bool alone, int threads)
{
    const struct prvcut_run run = { .threads = threads };
    struct seen s = { .from = from, .to = to };
    const struct prvcut_consumer consumer = { .roles = UINT32_MAX,
                                              .states = true,
                                              .messages = true,
                                              .ctx = &s,
                                              .begin = seen_begin,
                                              .batch = seen_batch,
                                              .join = seen_join,
                                              .discard = seen_discard };
    const enum prvcut_status st = alone
                                      ? t->reader->scan_window(t, &run, from, to, &consumer, &error)
                                      : t->reader->scan(t, &run, &consumer, NULL, &error);

    ck_assert_msg(st == PRVCUT_OK, "%s", error.text);
    return s;
}

static uint64_t draw_long(uint64_t *seed, uint64_t below)
{
    const uint64_t high = scratch_random(seed) << 31;

    return (high + scratch_random(seed)) % below;
}

/* Just behind a mark of some thread, where what was kept with it matters most; else anywhere. */
static uint64_t draw_begin(const struct prvcut_trace *t, uint64_t *seed)
{
    const struct o2_trace *archive = (const struct o2_trace *)t;
    const struct o2_marks *m;

    if (strcmp(t->reader->format->name, "otf2") != 0 || scratch_random(seed) % 4 == 0)
        return draw_long(seed, t->end_ns);
    m = &archive->marks[draw_long(seed, t->objects.threads)];
    ck_assert_uint_gt(m->count, 3);
    return m->at[draw_long(seed, m->count)].time + 1;
}

static void compare_windows(const char *path, bool states)
{
    struct prvcut_trace *t = open_scanned(path);
    uint64_t seed = 7, found = 0;

    for (int i = 0; i < WINDOWS; i++) {
        const uint64_t from = draw_begin(t, &seed);
        const uint64_t to = from + 1 + draw_long(&seed, t->end_ns / 15 + 1);
        const struct seen all = see(t, from, to, false, 2),
                          alone = see(t, from, to, true, 1 + i % 2);

        ck_assert_msg(all.events == alone.events && all.halves == alone.halves, "%s: %llu to %llu",
                      path, (unsigned long long)from, (unsigned long long)to);
        ck_assert_msg(!states || all.states == alone.states, "%s: states from %llu to %llu", path,
                      (unsigned long long)from, (unsigned long long)to);
        found += all.events != 0;
    }
    ck_assert_uint_gt(found, WINDOWS / 2);
    prvcut_trace_close(t);
}

/* Long enough for marks in each thread's part. */
START_TEST(test_read_windows_of_conversions)
{
    static const char *const formats[] = { "paraver", "otf2", "otf" };
    static const char *const paths[] = { "g.prv", "g.otf2", "g.otf" };
    const struct prvcut_convert_options options = { .path = paths[_i] };
    struct prvcut_convert_summary *sum;
    struct prvcut_trace *t;

    if (!test_reads(formats[_i]))
        return;
    ck_assert(shell(PRVGEN " --tasks 3 --iterations 1500 --counters --flush-every 2000 g"));
    if (_i > 0) {
        t = open_scanned("g.prv");
        ck_assert(prvcut_convert(t, NULL, &options, &sum, &error) == PRVCUT_OK);
        prvcut_convert_summary_free(sum);
        prvcut_trace_close(t);
    }
    compare_windows(paths[_i], _i < 2);
}
END_TEST

static Suite *windows_suite(void)
{
    Suite *s = suite_create("otf2_window");
    TCase *t = tcase_create("windows");

    scratch_fixtures(t);
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, test_read_windows_of_conversions, 0, 3);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(windows_suite());
}
