/* Who is at the root of a collective, told by the root's own line and wanted at every member's. */
#include "convert/roots.h"

#include "model/calls.h"
#include "runner.h"

#include <stdlib.h>

/* Two applications of four and two tasks; the second task has two threads. */
#define THREADS 7u

enum { BCAST = 7, BARRIER = 8, REDUCE = 9, ALLREDUCE = 10, SCATTER = 15 };

static uint32_t application_first[] = { 0, 4, 6 };
static uint32_t task_first[] = { 0, 1, 3, 4, 5, 6, 7 };
static uint32_t task_node[] = { 0, 0, 0, 0, 0, 0 };
static uint32_t thread_task[] = { 0, 1, 1, 2, 3, 4, 5 };
static uint32_t member[] = { 0, 1, 2, 3, 4, 5, 1, 2 };
static struct prvcut_communicator communicator[] = {
    { .application = 0, .id = 1, .first = 0, .count = 4 },
    { .application = 1, .id = 1, .first = 4, .count = 2 },
    { .application = 0, .id = 2, .first = 6, .count = 2 },
};
static const struct prvcut_objects objects = { .applications = 2,
                                               .tasks = 6,
                                               .threads = THREADS,
                                               .application_first_task = application_first,
                                               .task_first_thread = task_first,
                                               .task_node = task_node,
                                               .thread_task = thread_task,
                                               .communicator = communicator,
                                               .communicators = 3,
                                               .member = member,
                                               .members = 8 };

/* A collective of a thread, or another line; id 0: without a communicator. */
struct call {
    uint32_t thread;
    uint64_t time;
    int64_t value, id;
    bool root;
    uint32_t told; /* root that it is to be told + 1 */
};

#define MOST 512u

static struct call call[MOST];
static size_t count;
static struct cnv_roots roots;
static struct cnv_rooted_list list;
static struct cnv_selection selection;

static void setup(void)
{
    roots = (struct cnv_roots){ 0 };
    list = (struct cnv_rooted_list){ 0 };
    selection = (struct cnv_selection){ .all = true };
    count = 0;
    ck_assert_int_eq(cnv_roots_init(&roots, &objects, NULL), PRVCUT_OK);
}

static void teardown(void)
{
    cnv_rooted_fini(&list);
    cnv_roots_fini(&roots);
    cnv_selection_fini(&selection);
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)rand() % n;
}

static struct call *add(uint32_t thread, uint64_t time, int64_t value, int64_t id)
{
    ck_assert_uint_lt(count, MOST);
    call[count] = (struct call){ .thread = thread, .time = time, .value = value, .id = id };
    return &call[count++];
}

/* One of each of an application's four tasks at about that time. */
static void add_all(uint64_t time, int64_t value, uint32_t root)
{
    static const uint32_t thread[] = { 0, 1, 3, 4 };

    for (uint32_t t = 0; t < 4; t++) {
        struct call *c = add(thread[t], time + t, value, 1);

        c->root = t == root;
        c->told = root + 1;
    }
}

/* The pairs of a line, beginning with any of them; returns how many. */
static size_t pairs_of(const struct call *c, struct prvcut_event e[4], size_t first)
{
    const struct prvcut_event all[] = {
        { .type = PRVCUT_TYPE_MPI_COLLECTIVE, .role = PRVCUT_ROLE_COLLECTIVE, .value = c->value },
        { .type = PRVCUT_TYPE_SIZE_SENT, .role = PRVCUT_ROLE_SIZE, .value = 1 },
        { .type = PRVCUT_TYPE_ROOT, .role = PRVCUT_ROLE_ROOT, .value = c->root },
        { .type = PRVCUT_TYPE_COMMUNICATOR, .role = PRVCUT_ROLE_COMMUNICATOR, .value = c->id },
    };
    size_t n = 0;

    for (size_t i = first; i < first + 4; i++) {
        if (all[i % 4].role == PRVCUT_ROLE_COMMUNICATOR && c->id == 0)
            continue;
        e[n] = all[i % 4];
        e[n].time = c->time;
        e[n].thread = c->thread & PRVCUT_THREADS_MAX;
        e[n].head = n == 0;
        n++;
    }
    return n;
}

static void note(struct prvcut_event *e, size_t n)
{
    const struct prvcut_batch b = { .event = e, .events = n };

    ck_assert_int_eq(cnv_rooted_note(&list, &b, NULL, NULL), PRVCUT_OK);
}

static void end_part(uint64_t from)
{
    ck_assert_int_eq(cnv_roots_add(&roots, &list, from, NULL), PRVCUT_OK);
    cnv_rooted_fini(&list);
}

/* The trace is read; any: parts end between any two lines, batches between any two pairs. */
static void read_all(uint64_t from, bool any)
{
    for (size_t i = 0; i < count; i++) {
        struct prvcut_event e[4];
        const size_t n = pairs_of(&call[i], e, any ? below(4) : 0), half = any ? below(4) % n : n;

        note(e, half);
        note(e + half, n - half);
        if (any && below(5) == 0)
            end_part(from);
    }
    end_part(from);
}

static void settle(const char *tasks)
{
    ck_assert_int_eq(cnv_selection_init(&selection, &objects, tasks, NULL), PRVCUT_OK);
    ck_assert_int_eq(cnv_roots_settle(&roots, &selection, NULL), PRVCUT_OK);
}

/* A line as items, with something behind it that is no event; returns how many. */
static size_t items_of(size_t line, struct prvcut_item *item)
{
    const uint32_t thread = cnv_selected(&selection, call[line].thread);
    struct prvcut_event e[4];
    const size_t n = pairs_of(&call[line], e, line % 4);

    for (size_t k = 0; k < n; k++)
        item[k] = (struct prvcut_item){ .kind = PRVCUT_ITEM_EVENT,
                                        .thread = thread,
                                        .role = e[k].role,
                                        .head = e[k].head,
                                        .event = { .type = e[k].type, .value = e[k].value } };
    item[n] = (struct prvcut_item){ .kind = PRVCUT_ITEM_STATE,
                                    .thread = thread,
                                    .role = PRVCUT_ROLE_COMMUNICATOR };
    return n + 1;
}

/* Some lines at a time; each communicator has the root that it is to tell, and nothing else has. */
static void tell(const size_t *line, size_t lines)
{
    struct prvcut_item item[4 * 5];
    size_t end[4], n = 0;

    for (size_t i = 0; i < lines; i++)
        end[i] = n += items_of(line[i], item + n);
    cnv_roots_tell(&roots, item, n);
    for (size_t i = 0, k = 0; i < lines; i++)
        for (; k < end[i]; k++)
            if (item[k].kind == PRVCUT_ITEM_EVENT)
                ck_assert_msg(
                    item[k].event.root ==
                        (item[k].role == PRVCUT_ROLE_COMMUNICATOR ? call[line[i]].told : 0),
                    "line %zu: %u, not %u", line[i], item[k].event.root, call[line[i]].told);
}

static void write_from(uint64_t from)
{
    size_t line[4], lines = 0;

    for (size_t i = 0; i < count; i++) {
        if (call[i].time < from || cnv_selected(&selection, call[i].thread) == PRVCUT_NOBODY)
            continue;
        line[lines++] = i;
        if (lines < 1 + i % 4)
            continue;
        tell(line, lines);
        lines = 0;
    }
    tell(line, lines);
}

static void expect_told(uint64_t from)
{
    read_all(from, false);
    settle(NULL);
    write_from(from);
}

START_TEST(test_roots_of_nothing)
{
    expect_told(0);
}
END_TEST

START_TEST(test_root_is_told_to_all_members)
{
    add_all(100, BCAST, 2);
    add_all(200, REDUCE, 0);
    add_all(300, REDUCE, 0);
    add_all(400, SCATTER, 3);
    expect_told(0);
    /* Those of one root, one after the other, are kept as one. */
    ck_assert_uint_eq(roots.known.runs, 3);
}
END_TEST

/* They have none, and none of those beside them is counted otherwise. */
START_TEST(test_root_of_others_is_none)
{
    add_all(100, BCAST, 2);
    for (unsigned i = 0; i < 3; i++) {
        add(0, 120 + i, BARRIER, 1);
        add(i, 130 + i, ALLREDUCE, 1)->root = true;
        add(0, 140 + i, 0, 1);
        add(1, 150 + i, BCAST, 0);
        add(1, 160 + i, REDUCE, 7);
        add(3, 170 + i, BCAST, -1);
        add(3, 180 + i, BCAST, INT64_C(0x100000001))->root = true;
        add(5, 190 + i, BCAST, 2);
    }
    add_all(200, BCAST, 1);
    expect_told(0);
}
END_TEST

/* Of one number in two applications, and of tasks that are in two. */
START_TEST(test_roots_of_communicators_are_apart)
{
    struct call *c;

    add_all(100, BCAST, 3);
    for (uint32_t t = 5; t < 7; t++) {
        c = add(t, 110 + t, BCAST, 1);
        c->root = t == 6;
        c->told = 5 + 1;
    }
    add_all(200, BCAST, 0);
    for (uint32_t t = 2; t < 4; t++) {
        c = add(t, 210 + t, REDUCE, 2);
        c->root = t == 2;
        c->told = 1 + 1;
    }
    expect_told(0);
}
END_TEST

/* Threads of one task make the task's collectives between them. */
START_TEST(test_root_is_a_task_with_all_its_threads)
{
    for (uint64_t k = 0; k < 6; k++) {
        struct call *c = add(k % 2 == 0 ? 1 : 2, 100 * k, BCAST, 2);

        c->root = true;
        c->told = 1 + 1;
        add(3, 100 * k + 50, BCAST, 2)->told = 1 + 1;
    }
    expect_told(0);
}
END_TEST

/* A root that does not say so is not known; those around are. */
START_TEST(test_root_that_nobody_tells_is_not_known)
{
    add_all(100, BCAST, 1);
    add_all(200, BCAST, 1);
    add_all(300, BCAST, 1);
    for (size_t i = 4; i < 8; i++)
        call[i].root = false, call[i].told = 0;
    expect_told(0);
}
END_TEST

/* Whoever lacks one may lack any: nobody's k-th is known. */
START_TEST(test_roots_of_unequal_members_are_not_known)
{
    add_all(100, BCAST, 1);
    add_all(200, BCAST, 1);
    count--;
    for (size_t i = 0; i < count; i++)
        call[i].told = 0;
    add(5, 300, BCAST, 1)->root = true;
    add(6, 300, BCAST, 1);
    call[count - 1].told = call[count - 2].told = 4 + 1;
    expect_told(0);
}
END_TEST

START_TEST(test_two_roots_of_one_are_not_known)
{
    add_all(100, BCAST, 1);
    add_all(200, BCAST, 1);
    call[7].root = true;
    for (size_t i = 0; i < count; i++)
        call[i].told = 0;
    expect_told(0);
}
END_TEST

/* The task's number may be another one in what is written; a root may not be among them. The window
   begins where some have made one more than others. */
START_TEST(test_roots_among_chosen_tasks)
{
    const uint64_t from = _i == 0 ? 0 : 202;

    add_all(100, BCAST, 1);
    add_all(200, BCAST, 3);
    add_all(300, BCAST, 0);
    for (size_t i = 0; i < count; i++)
        call[i].told = i < 4 ? 1 : i < 8 ? 2 : 0;
    read_all(from, false);
    settle("2,4");
    write_from(from);
}
END_TEST

static int by_time(const void *a, const void *b)
{
    const struct call *x = a, *y = b;

    return x->time != y->time ? (x->time > y->time) - (x->time < y->time)
                              : (x->thread > y->thread) - (x->thread < y->thread);
}

/* Members come to each in any order, some a collective ahead of others; whatever the parts are, and
   from whichever time on it is written. */
START_TEST(test_roots_whatever_the_parts_and_the_window)
{
    static const uint32_t of[3][4] = { { 0, 1, 3, 4 }, { 5, 6 }, { 2, 3 } };
    static const int64_t values[] = { BCAST, REDUCE, SCATTER };
    uint64_t from;

    srand((unsigned)_i + 1);
    for (uint64_t k = 0; k < 40; k++) {
        const uint32_t c = below(3), root = below(communicator[c].count);
        const bool told = below(8) > 0;

        for (uint32_t m = 0; m < communicator[c].count; m++) {
            struct call *one =
                add(of[c][m], 100 * k + below(100), values[below(3)], (int64_t)communicator[c].id);

            one->root = told && m == root;
            one->told = told ? member[communicator[c].first + root] + 1 : 0;
        }
        add(below(THREADS), 100 * k + below(100), ALLREDUCE, 1);
    }
    qsort(call, count, sizeof *call, by_time);
    from = below(4000);
    read_all(from, true);
    settle(NULL);
    write_from(from);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("roots");
    TCase *t = tcase_create("roots");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_roots_of_nothing);
    tcase_add_test(t, test_root_is_told_to_all_members);
    tcase_add_test(t, test_root_of_others_is_none);
    tcase_add_test(t, test_roots_of_communicators_are_apart);
    tcase_add_test(t, test_root_is_a_task_with_all_its_threads);
    tcase_add_test(t, test_root_that_nobody_tells_is_not_known);
    tcase_add_test(t, test_roots_of_unequal_members_are_not_known);
    tcase_add_test(t, test_two_roots_of_one_are_not_known);
    tcase_add_loop_test(t, test_roots_among_chosen_tasks, 0, 2);
    tcase_add_loop_test(t, test_roots_whatever_the_parts_and_the_window, 0, 20);
    suite_add_tcase(s, t);
    return run_suite(s);
}
