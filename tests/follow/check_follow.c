#include "runner.h"

#include "base/memory.h"
#include "follow/follow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A trace that is a list of events, in parts of any lengths. Parts are decoded by workers in turn,
   joined late, and a part's batches hold few events. */
struct listed {
    struct prvcut_trace base;
    const struct prvcut_event *event;
    size_t events;
    size_t part;               /* events in each; 0: random ones, up to 20 */
    size_t skip_from, skip_to; /* parts that are left out */
};

#define THREADS 3
#define LATE    8

struct decoded {
    void *state;
    bool used;
};

/* A check that holds costs nothing. */
static void must(bool good)
{
    if (!good)
        ck_abort_msg("a call failed, or something else was told");
}

static void listed_join(const struct prvcut_consumer *c, struct decoded *d)
{
    struct prvcut_error err = { 0 };

    if (d->used) {
        must(c->join(c->ctx, d->state, &err) == PRVCUT_OK);
        c->discard(c->ctx, d->state);
    }
    d->used = false;
}

static void listed_part(const struct listed *l, const struct prvcut_consumer *c, unsigned worker,
                        struct decoded *d, const size_t range[2])
{
    struct prvcut_error err = { 0 };

    for (size_t i = range[0]; i < range[1]; i += 5) {
        struct prvcut_event copy[5];
        const struct prvcut_batch b = { .event = copy,
                                        .events = range[1] - i < 5 ? range[1] - i : 5 };

        memcpy(copy, l->event + i, b.events * sizeof *copy);
        must(c->batch(c->ctx, worker, d->state, &b, &err) == PRVCUT_OK);
    }
}

static enum prvcut_status listed_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                                      const struct prvcut_consumer *c, struct prvcut_counts *counts,
                                      struct prvcut_error *err)
{
    const struct listed *l = (const struct listed *)t;
    struct decoded late[LATE] = { 0 };
    uint64_t number = 0;

    for (size_t i = 0; i < l->events; number++) {
        const size_t want = l->part > 0 ? l->part : (size_t)(rand() % 20);
        const size_t to = want < l->events - i ? i + want : l->events;
        const unsigned worker = (unsigned)number % (unsigned)run->threads;
        struct decoded *d = &late[number % LATE];

        listed_join(c, d);
        if (number < l->skip_from || number >= l->skip_to) {
            must(c->begin(c->ctx, worker, number, &d->state, err) == PRVCUT_OK);
            d->used = true;
            listed_part(l, c, worker, d, (const size_t[]){ i, to });
        }
        i = to;
    }
    for (size_t i = 0; i < LATE; i++)
        listed_join(c, &late[(number + i) % LATE]);
    memset(counts, 0, sizeof *counts);
    return PRVCUT_OK;
}

/* --- What is told ----------------------------------------------------------------------------- */

struct told {
    struct prvcut_followed *at;
    size_t count, room;
};

static enum prvcut_status told_add(struct told *t, const struct prvcut_followed *f,
                                   struct prvcut_error *err)
{
    if (prvcut_grow((void **)&t->at, &t->room, t->count + 1, sizeof *t->at, err) < 0)
        return PRVCUT_ENOMEM;
    /* Compared byte by byte. */
    memset(&t->at[t->count], 0, sizeof *t->at);
    t->at[t->count].thread = f->thread;
    t->at[t->count].type = f->type;
    t->at[t->count].value = f->value;
    t->at[t->count].span = f->span;
    t->at[t->count].own = f->own;
    t->at[t->count].depth = f->depth;
    t->at[t->count].role = f->role;
    t->at[t->count].no_begin = f->no_begin;
    t->at[t->count++].no_end = f->no_end;
    return PRVCUT_OK;
}

static enum prvcut_status told_closed(void *ctx, void *worker, const struct prvcut_followed *f,
                                      struct prvcut_error *err)
{
    (void)ctx;
    return told_add(worker, f, err);
}

static enum prvcut_status told_merge(void *ctx, void *worker, struct prvcut_error *err)
{
    const struct told *w = worker;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < w->count && st == PRVCUT_OK; i++)
        st = told_add(ctx, &w->at[i], err);
    return st;
}

static void told_fini(void *room)
{
    free(((struct told *)room)->at);
}

/* Any order that leaves no two apart which are the same. */
static int told_order(const void *a, const void *b)
{
    const struct prvcut_followed *x = a, *y = b;
    const uint64_t fields[][2] = {
        { x->thread, y->thread },
        { x->type, y->type },
        { (uint64_t)x->value, (uint64_t)y->value },
        { x->span.start, y->span.start },
        { x->span.end, y->span.end },
        { x->own, y->own },
        { x->depth, y->depth },
        { x->role, y->role },
        { x->no_begin, y->no_begin },
        { x->no_end, y->no_end },
    };

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i][0] != fields[i][1])
            return fields[i][0] < fields[i][1] ? -1 : 1;
    return 0;
}

static const struct prvcut_run runs[] = { { .threads = 1 }, { .threads = 3 } };

static void follow(struct told *out, struct listed *l, const struct prvcut_run *run,
                   struct prvcut_follow_options o)
{
    static const struct prvcut_reader reader = { .scan = listed_scan };
    struct prvcut_error err = { 0 };
    struct prvcut_follow *f;

    memset(out, 0, sizeof *out);
    l->base.reader = &reader;
    l->base.objects.threads = THREADS;
    o.roles = PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION);
    o.worker = (struct prvcut_pass_room){ sizeof(struct told), "workers", NULL, told_fini };
    o.closed = told_closed;
    o.merge = told_merge;
    o.ctx = out;
    ck_assert_int_eq(prvcut_follow_new(&f, &l->base, &o, &err), PRVCUT_OK);
    ck_assert_int_eq(
        prvcut_pass_run(&l->base, run, NULL,
                        (const struct prvcut_listener *[]){ prvcut_follow_listener(f) }, 1, NULL,
                        &err),
        PRVCUT_OK);
    prvcut_follow_free(f);
    if (out->count > 0)
        qsort(out->at, out->count, sizeof *out->at, told_order);
}

/* --- The same, as slowly and plainly as it can be said ---------------------------------------- */

#define PLAIN_MOST 4096

struct plain {
    struct prvcut_followed open[PLAIN_MOST]; /* of all threads, in the order of their begins */
    size_t count;
    uint64_t since[THREADS];
    bool begun[THREADS];
};

static struct prvcut_followed *plain_innermost(struct plain *p, uint32_t thread,
                                               const uint32_t *type)
{
    for (size_t i = p->count; i-- > 0;)
        if (p->open[i].thread == thread && (!type || p->open[i].type == *type))
            return &p->open[i];
    return NULL;
}

static uint32_t plain_depth(const struct plain *p, uint32_t thread)
{
    uint32_t depth = 0;

    for (size_t i = 0; i < p->count; i++)
        depth += p->open[i].thread == thread;
    return depth;
}

static void plain_spend(struct plain *p, uint32_t thread, uint64_t time)
{
    struct prvcut_followed *in = plain_innermost(p, thread, NULL);

    if (in && p->begun[thread])
        in->own += time - p->since[thread];
    p->since[thread] = time;
    p->begun[thread] = true;
}

static void plain_close(struct told *out, struct plain *p, struct prvcut_followed *f, uint64_t end)
{
    struct prvcut_error err = { 0 };

    f->span.end = end;
    must(told_add(out, f, &err) == PRVCUT_OK);
    memmove(f, f + 1, (size_t)(p->open + p->count - f - 1) * sizeof *f);
    p->count--;
}

static void plain_event(struct told *out, struct plain *p, const struct prvcut_event *e,
                        enum prvcut_follow_how how)
{
    const uint32_t type = e->type;
    struct prvcut_error err = { 0 };
    struct prvcut_followed *f;

    plain_spend(p, e->thread, e->time);
    if (how != PRVCUT_FOLLOW_NESTED || e->value == 0) {
        f = plain_innermost(p, e->thread, how == PRVCUT_FOLLOW_SINGLE ? NULL : &type);
        /* In one thing at a time the end of another one ends nothing. */
        if (f && (e->value != 0 || f->type == type))
            plain_close(out, p, f, e->time);
        else if (e->value == 0)
            told_add(out,
                     &(struct prvcut_followed){ .thread = e->thread,
                                                .type = e->type,
                                                .span = { e->time, e->time },
                                                .depth = plain_depth(p, e->thread),
                                                .no_begin = true },
                     &err);
    }
    if (e->value == 0)
        return;
    must(p->count < PLAIN_MOST);
    p->open[p->count] = (struct prvcut_followed){ .thread = e->thread,
                                                  .type = e->type,
                                                  .value = e->value,
                                                  .span = { e->time, 0 },
                                                  .depth = plain_depth(p, e->thread),
                                                  .role = e->role };
    p->count++;
}

static void plain_follow(struct told *out, const struct listed *l, enum prvcut_follow_how how)
{
    static struct plain p;

    memset(&p, 0, sizeof p);
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < l->events; i++)
        plain_event(out, &p, &l->event[i], how);
    for (uint32_t t = 0; t < THREADS; t++) {
        plain_spend(&p, t, l->base.end_ns);
        for (struct prvcut_followed *f; (f = plain_innermost(&p, t, NULL)) != NULL;) {
            f->no_end = true;
            plain_close(out, &p, f, l->base.end_ns);
        }
    }
    if (out->count > 0)
        qsort(out->at, out->count, sizeof *out->at, told_order);
}

/* --- Laws ------------------------------------------------------------------------------------- */

/* Whether a part, a worker or a way of telling is asked: the same calls are told. */
static void ck_same(const struct told *a, const struct told *b, bool own, bool depth,
                    bool outermost)
{
    size_t k = 0;

    for (size_t i = 0; i < b->count; i++) {
        struct prvcut_followed want = b->at[i];

        if (outermost && want.depth > 0)
            continue;
        want.own = own ? want.own : 0;
        want.depth = depth ? want.depth : 0;
        must(k < a->count && told_order(&a->at[k++], &want) == 0);
    }
    ck_assert_uint_eq(k, a->count);
}

/* Sorted anew, without what is not compared. */
static struct told without(const struct told *t, bool own, bool depth)
{
    struct told out = { 0 };
    struct prvcut_error err = { 0 };

    for (size_t i = 0; i < t->count; i++) {
        struct prvcut_followed f = t->at[i];

        f.own = own ? f.own : 0;
        f.depth = depth ? f.depth : 0;
        told_add(&out, &f, &err);
    }
    if (out.count > 0)
        qsort(out.at, out.count, sizeof *out.at, told_order);
    return out;
}

static void ck_parts(struct listed *l, const struct told *want,
                     const struct prvcut_follow_options *o)
{
    static const size_t parts[] = { 1, 2, 7, 0, 0, 100000000 };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
            struct told got;

            l->part = parts[i];
            follow(&got, l, &runs[k], *o);
            ck_same(&got, want, o->own, o->in_order || o->outermost, o->outermost);
            told_fini(&got);
        }
}

static void ck_law(struct listed *l, enum prvcut_follow_how how)
{
    struct told plain;

    plain_follow(&plain, l, how);
    for (int own = 0; own < 2; own++) {
        struct told shown = without(&plain, own, false);
        struct told deep = without(&plain, own, true);

        ck_parts(l, &shown, &(struct prvcut_follow_options){ .how = how, .own = own });
        ck_parts(l, &deep,
                 &(struct prvcut_follow_options){ .how = how, .own = own, .in_order = true });
        ck_parts(l, &deep,
                 &(struct prvcut_follow_options){ .how = how, .own = own, .outermost = true });
        told_fini(&shown);
        told_fini(&deep);
    }
    told_fini(&plain);
}

#define RANDOM 300

/* ends: of 16 events, so many end something; more ends than begins leave some without one. */
static void random_events(struct prvcut_event *at, int ends)
{
    uint64_t time = 50;

    for (size_t i = 0; i < RANDOM; i++) {
        time += (uint64_t)(rand() % 4);
        at[i] = (struct prvcut_event){ .time = time,
                                       .value = rand() % 16 < ends ? 0 : 1 + rand() % 3,
                                       .type = 1 + (uint32_t)(rand() % 3),
                                       .thread = (uint32_t)(rand() % THREADS) & 0xffffff,
                                       .role = PRVCUT_ROLE_REGION };
    }
}

START_TEST(test_parts_tell_what_the_whole_tells)
{
    struct prvcut_event event[RANDOM];
    struct listed l = { .base.end_ns = 5000, .event = event, .events = RANDOM };

    srand((unsigned)_i);
    random_events(event, 2 + 3 * (_i % 5));
    ck_law(&l, PRVCUT_FOLLOW_NESTED);
    ck_law(&l, PRVCUT_FOLLOW_VALUES);
    ck_law(&l, PRVCUT_FOLLOW_SINGLE);
}
END_TEST

/* So many begins, then as many ends of the same type, a ns apart. */
static struct prvcut_event *nest(size_t deep)
{
    struct prvcut_event *at = calloc(2 * deep, sizeof *at);

    for (size_t i = 0; i < 2 * deep; i++)
        at[i] = (struct prvcut_event){ .time = i,
                                       .value = i < deep ? (int64_t)i + 1 : 0,
                                       .type = 60000019,
                                       .role = PRVCUT_ROLE_REGION };
    return at;
}

START_TEST(test_nests_of_any_depth_are_followed)
{
    static const size_t depths[] = { 1, 40, 300 };
    const size_t deep = depths[_i];
    struct prvcut_event *event = nest(deep);
    struct listed l = { .base.end_ns = 2 * deep, .event = event, .events = 2 * deep };

    ck_law(&l, PRVCUT_FOLLOW_NESTED);
    free(event);
}
END_TEST

/* Beyond the deepest, ends are counted, so that those of what is followed are their own. */
START_TEST(test_too_deep_a_nest_is_followed_as_far_as_the_deepest)
{
    static const size_t parts[] = { 1, 1000, 100000000 };
    const size_t deep = 70000;
    struct prvcut_event *event = nest(deep);
    struct listed l = {
        .base.end_ns = 2 * deep, .event = event, .events = 2 * deep, .part = parts[_i]
    };
    struct told got;

    follow(&got, &l, &runs[1], (struct prvcut_follow_options){ .own = true });
    ck_assert_uint_eq(got.count, PRVCUT_STACK_DEEPEST);
    for (size_t i = 0; i < got.count; i++) {
        const struct prvcut_followed *f = &got.at[i];
        const uint64_t begin = f->span.start, end = 2 * deep - 1 - begin;

        must(begin < PRVCUT_STACK_DEEPEST && f->span.end == end);
        must(f->own == (begin + 1 == PRVCUT_STACK_DEEPEST ? end - begin : 2));
        must(!f->no_begin && !f->no_end);
    }
    told_fini(&got);
    free(event);
}
END_TEST

#define EVENT(at, of, is)                                                                          \
    {                                                                                              \
        .time = at, .value = is, .type = of, .role = PRVCUT_ROLE_REGION                            \
    }

/* A, in it B; A ends before B. */
START_TEST(test_end_of_outer_leaves_inner_open)
{
    const struct prvcut_event event[] = { EVENT(10, 1, 5), EVENT(30, 2, 6), EVENT(50, 1, 0),
                                          EVENT(90, 2, 0) };
    struct listed l = { .base.end_ns = 100, .event = event, .events = 4, .part = 1 };
    struct told got;

    follow(&got, &l, &runs[0], (struct prvcut_follow_options){ .own = true, .in_order = true });
    ck_assert_uint_eq(got.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct prvcut_followed *f = &got.at[i];

        ck_assert_uint_eq(f->span.start, f->type == 1 ? 10 : 30);
        ck_assert_uint_eq(f->span.end, f->type == 1 ? 50 : 90);
        ck_assert_uint_eq(f->own, f->type == 1 ? 20 : 60);
        ck_assert_uint_eq(f->depth, f->type - 1);
    }
    told_fini(&got);
}
END_TEST

/* --- Spans ------------------------------------------------------------------------------------ */

/* As text, one after the other. */
static enum prvcut_status write_spent(void *ctx, void *worker, uint32_t thread,
                                      const struct prvcut_frame *in, struct prvcut_span span,
                                      struct prvcut_error *err)
{
    char *text = *(char **)ctx, *end = text + strlen(text);

    (void)worker, (void)err;
    ck_assert_uint_eq(thread, 0);
    snprintf(end, 512 - (size_t)(end - text), " %u.%d:%u-%u", in ? in->type : 0,
             in ? (int)in->value : 0, (unsigned)span.start, (unsigned)span.end);
    return PRVCUT_OK;
}

static void ck_spent(struct listed *l, const char *want)
{
    static const struct prvcut_reader reader = { .scan = listed_scan };
    char text[512] = "", *at = text;
    const struct prvcut_follow_options o = { .roles = PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION),
                                             .ctx = &at,
                                             .spent = write_spent };
    struct prvcut_error err = { 0 };
    struct prvcut_follow *f;

    l->base.reader = &reader;
    l->base.objects.threads = 1;
    ck_assert_int_eq(prvcut_follow_new(&f, &l->base, &o, &err), PRVCUT_OK);
    ck_assert_int_eq(
        prvcut_pass_run(&l->base, &runs[1], NULL,
                        (const struct prvcut_listener *[]){ prvcut_follow_listener(f) }, 1, NULL,
                        &err),
        PRVCUT_OK);
    prvcut_follow_free(f);
    ck_assert_str_eq(text, want);
}

START_TEST(test_spans_tell_innermost_one_after_the_other)
{
    const struct prvcut_event event[] = { EVENT(10, 1, 5), EVENT(30, 2, 6), EVENT(30, 2, 0),
                                          EVENT(50, 3, 7), EVENT(60, 1, 0), EVENT(90, 3, 0) };
    struct listed l = { .base.end_ns = 100, .event = event, .events = 6, .part = 1 };

    ck_spent(&l, " 1.5:10-30 1.5:30-50 3.7:50-60 3.7:60-90 0.0:90-100");
}
END_TEST

/* Parts 1 and 2 are left out: an end tells what was open before it, a begin that nothing was. */
START_TEST(test_what_was_open_before_a_gap_is_forgotten)
{
    const struct prvcut_event event[] = { EVENT(10, 1, 5), EVENT(20, 1, 0), EVENT(30, 1, 6),
                                          EVENT(40, 1, 0), EVENT(50, 2, 1) };
    struct listed l = {
        .base.end_ns = 60, .event = event, .events = 5, .part = 1, .skip_from = 1, .skip_to = 3
    };

    ck_spent(&l, " 1.0:0-40 0.0:40-50 2.1:50-60");
    l.skip_to = 4;
    ck_spent(&l, " 0.0:0-50 2.1:50-60");
}
END_TEST

static Suite *follow_suite(void)
{
    Suite *s = suite_create("follow");
    TCase *tests = tcase_create("tests");

    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, test_parts_tell_what_the_whole_tells, 0, 20);
    tcase_add_loop_test(tests, test_nests_of_any_depth_are_followed, 0, 3);
    tcase_add_loop_test(tests, test_too_deep_a_nest_is_followed_as_far_as_the_deepest, 0, 3);
    tcase_add_test(tests, test_end_of_outer_leaves_inner_open);
    tcase_add_test(tests, test_spans_tell_innermost_one_after_the_other);
    tcase_add_test(tests, test_what_was_open_before_a_gap_is_forgotten);
    suite_add_tcase(s, tests);
    return s;
}

int main(void)
{
    return run_suite(follow_suite());
}
