#ifndef TESTS_FORMATS_ITEMS_H
#define TESTS_FORMATS_ITEMS_H

#include "model/calls.h"
#include "model/texts.h"
#include "tests/formats/item.h"

/*
 * A small conversion worked out by hand, for writers that show a trace: two tasks, the first of two
 * threads; states, calls and functions, a collective, counters, single events and messages.
 */

static const struct prvcut_value_name items_p2p[] = {
    { 1, "MPI_Send", "", 0 },
    { 2, "MPI_Recv", "", 0 },
};
static const struct prvcut_value_name items_collective[] = { { 8, "MPI_Barrier", "", 0 } };
static const struct prvcut_value_name items_user[] = {
    { 1, "solve \"fast\"\n", "", 0 },
    { 2, "caf\xc3\xa9 \\ \x01", "", 0 },
    { 3, "latin \xe9", "", 0 },
};
static const struct prvcut_value_name items_other[] = { { 5, "five", "", 0 } };

static struct prvcut_type_name items_type[] = {
    { .number = 1000,
      .role = PRVCUT_ROLE_OTHER,
      .text = "phase",
      .value = items_other,
      .values = 1 },
    { .number = 42000050,
      .role = PRVCUT_ROLE_INSTRUCTIONS,
      .text = "PAPI_TOT_INS",
      .group = "counter",
      .unit = "#" },
    { .number = 50000001,
      .role = PRVCUT_ROLE_P2P,
      .region = true,
      .text = "MPI Point-to-point",
      .group = "MPI",
      .value = items_p2p,
      .values = 2 },
    { .number = 50000002,
      .role = PRVCUT_ROLE_COLLECTIVE,
      .region = true,
      .text = "MPI Collective Comm",
      .group = "MPI",
      .value = items_collective,
      .values = 1 },
    { .number = 60000019,
      .role = PRVCUT_ROLE_REGION,
      .region = true,
      .text = "User function",
      .group = "user",
      .value = items_user,
      .values = 3 },
};

static struct prvcut_state_name items_state[] = { { 1, "Running", 0x0000ff },
                                                  { 3, "Waiting a message", -1 } };

static uint32_t items_application_first_task[] = { 0, 2 };
static uint32_t items_task_first_thread[] = { 0, 2, 3 };
static uint32_t items_task_node[] = { 0, 0 };
static uint32_t items_node_cpus[] = { 4 };
static uint32_t items_thread_task[] = { 0, 0, 1 };
static const char *items_thread_name[] = { "first \"thread\"", NULL, NULL };

static struct prvcut_objects items_objects = {
    .applications = 1,
    .tasks = 2,
    .threads = 3,
    .nodes = 1,
    .cpus = 4,
    .application_first_task = items_application_first_task,
    .task_first_thread = items_task_first_thread,
    .task_node = items_task_node,
    .node_cpus = items_node_cpus,
    .thread_task = items_thread_task,
};

static struct prvcut_dictionary items_dictionary = {
    .type = items_type,
    .types = sizeof items_type / sizeof *items_type,
    .state = items_state,
    .states = 2,
    .running = 1,
    .thread = items_thread_name,
};

static const struct prvcut_outline items_outline = {
    .objects = &items_objects,
    .dictionary = &items_dictionary,
    .end_ns = 5000000000,
    .source = "folder/small.prv",
    .format = "paraver",
    .command = "prvcut convert small.prv",
    .wall_clock = INT64_MIN,
};

static const struct prvcut_item items_all[] = {
    ITEM_STATE(0, 0, 1000, 1),
    ITEM_STATE(0, 1, 5000000000, 1),
    ITEM_STATE(0, 2, 2000, 1),
    ITEM_EVENT(10, 0, PRVCUT_ROLE_REGION, true, 60000019, 1),
    ITEM_EVENT(10, 0, PRVCUT_ROLE_INSTRUCTIONS, false, 42000050, INT64_MAX),
    ITEM_EVENT(20, 1, PRVCUT_ROLE_OTHER, true, 1000, 5),
    ITEM_EVENT(20, 1, PRVCUT_ROLE_OTHER, true, 1001, -7),
    ITEM_MESSAGE(1000, 0, 2, 3001, 4096, -3, 1),
    ITEM_STATE(1000, 0, 1500, 3),
    ITEM_EVENT(1000, 0, PRVCUT_ROLE_P2P, true, 50000001, 1),
    ITEM_EVENT(1500, 0, PRVCUT_ROLE_P2P, true, 50000001, 0),
    ITEM_EVENT(1600, 0, PRVCUT_ROLE_REGION, true, 60000019, 3),
    ITEM_EVENT(2000, 2, PRVCUT_ROLE_P2P, true, 50000001, 2),
    ITEM_STATE(2000, 2, 3001, 3),
    ITEM_EVENT(3001, 2, PRVCUT_ROLE_P2P, true, 50000001, 0),
    /* Types that overlap: the function ends inside the barrier. */
    ITEM_EVENT(4000, 0, PRVCUT_ROLE_COLLECTIVE, true, 50000002, 8),
    ITEM_EVENT(4000, 0, PRVCUT_ROLE_SIZE, false, 50100001, 16),
    ITEM_EVENT(4000, 0, PRVCUT_ROLE_SIZE, false, 50100002, 32),
    ITEM_EVENT(4000, 0, PRVCUT_ROLE_COMMUNICATOR, false, 50100004, 1),
    ITEM_EVENT(4000, 0, PRVCUT_ROLE_ROOT, false, 50100003, 1),
    ITEM_EVENT(4500, 0, PRVCUT_ROLE_REGION, true, 60000019, 0),
    ITEM_EVENT(4600, 0, PRVCUT_ROLE_COLLECTIVE, true, 50000002, 0),
    /* Received before it was sent: a clock that is off. */
    ITEM_MESSAGE(4700, 2, 0, 4600, 1, 0, PRVCUT_NOBODY),
    ITEM_EVENT(4800, 2, PRVCUT_ROLE_COLLECTIVE, true, 50000002, 9),
    ITEM_EVENT(4800, 2, PRVCUT_ROLE_REGION, true, 60000019, 2),
};
#define ITEMS (sizeof items_all / sizeof *items_all)

/* Write the first items, `piece` at a time, to a file; what is counted comes back in sum. */
static inline enum prvcut_status items_write(const struct prvcut_writer *writer, const char *path,
                                             size_t count, size_t piece,
                                             struct made_convert_summary *sum)
{
    struct prvcut_error err;
    const enum prvcut_status st =
        item_write(writer, path, &items_outline, items_all, count, piece, sum, &err);

    ck_assert_msg(st == PRVCUT_OK, "%s", err.text);
    ck_assert_uint_eq(sum->is.files, 1);
    ck_assert_str_eq(sum->is.file[0], path);
    prvcut_texts_free(sum->is.file, sum->is.files);
    return st;
}

/* The whole of a small text file; free it. */
static inline char *items_slurp(const char *path)
{
    struct prvcut_error err = { 0 };
    char *text = NULL;
    size_t count;

    ck_assert_msg(prvcut_source_slurp(path, 1 << 24, &text, &count, &err) == PRVCUT_OK, "%s",
                  err.text);
    return text;
}

#endif
