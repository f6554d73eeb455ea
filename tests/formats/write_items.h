#ifndef TESTS_FORMATS_WRITE_ITEMS_H
#define TESTS_FORMATS_WRITE_ITEMS_H

#include "model/calls.h"
#include "model/texts.h"
#include "tests/formats/item.h"

#include <sys/resource.h>

/*
 * A conversion worked out by hand, thread by thread: two tasks, the first with two threads, that do
 * what formats with nested regions find hard: types that overlap, values that replace each other,
 * ends without a begin, several lines at one time, messages of all kinds, states that overlap.
 */

static const struct prvcut_value_name write_p2p[] = {
    { 1, "MPI_Send", "", 0 },  { 2, "MPI_Recv", "", 0 }, { 3, "MPI_Isend", "", 0 },
    { 4, "MPI_Irecv", "", 0 }, { 5, "MPI_Wait", "", 0 },
};
static const struct prvcut_value_name write_collective[] = { { 10, "MPI_Allreduce", "", 0 } };
static const struct prvcut_value_name write_phase[] = { { 0, "End", "", 0 }, { 5, "five", "", 0 } };
static const struct prvcut_value_name write_omp[] = { { 7, "omp $ at \"x.c\"", "x.c", 12 } };
static const struct prvcut_value_name write_callers[] = { { 2, "main", "", 0 },
                                                          { 900000000, "far", "", 0 } };

static struct prvcut_type_name write_type[] = {
    { .number = 1000, .text = "phase", .value = write_phase, .values = 2 },
    { .number = 40000012, .role = PRVCUT_ROLE_TRACING, .text = "Tracing" },
    { .number = 42000050,
      .role = PRVCUT_ROLE_INSTRUCTIONS,
      .text = "PAPI_TOT_INS [Instr completed]",
      .group = "counter",
      .unit = "#" },
    { .number = 46500000, .gauge = true, .text = "heap", .unit = "bytes" },
    { .number = 50000001,
      .role = PRVCUT_ROLE_P2P,
      .region = true,
      .text = "MPI Point-to-point",
      .group = "MPI",
      .value = write_p2p,
      .values = 5 },
    { .number = 50000002,
      .role = PRVCUT_ROLE_COLLECTIVE,
      .region = true,
      .text = "MPI Collective Comm",
      .group = "MPI",
      .value = write_collective,
      .values = 1 },
    { .number = 50100001, .role = PRVCUT_ROLE_SIZE, .text = "Send Size in MPI Global OP" },
    { .number = 50100002, .role = PRVCUT_ROLE_SIZE, .text = "Recv Size in MPI Global OP" },
    { .number = 50100003, .role = PRVCUT_ROLE_ROOT, .text = "Root in MPI Global OP" },
    { .number = 50100004,
      .role = PRVCUT_ROLE_COMMUNICATOR,
      .text = "Communicator in MPI Global OP" },
    { .number = 60000018,
      .role = PRVCUT_ROLE_REGION,
      .region = true,
      .text = "Executed OpenMP parallel function",
      .group = "OpenMP",
      .value = write_omp,
      .values = 1 },
    { .number = 60000019, .role = PRVCUT_ROLE_REGION, .region = true, .text = "User function" },
    { .number = 70000001,
      .role = PRVCUT_ROLE_CALLER,
      .text = "Caller at level 1",
      .value = write_callers,
      .values = 2 },
};

static struct prvcut_state_name write_state[] = { { 1, "Running", 0x0000ff },
                                                  { 3, "Waiting a message", 0xff0000 },
                                                  { 13, "Group Communication", -1 } };

static uint32_t write_application_first_task[] = { 0, 2 };
static uint32_t write_task_first_thread[] = { 0, 2, 3 };
static uint32_t write_task_node[] = { 0, 1 };
static uint32_t write_node_cpus[] = { 2, 4 };
static uint32_t write_thread_task[] = { 0, 0, 1 };
static const char *write_node_name[] = { "north", "south" };
static uint32_t write_member[] = { 0, 1, 1 };
static struct prvcut_communicator write_communicator[] = { { 0, 1, 0, 2 }, { 0, 3, 2, 1 } };

static struct prvcut_objects write_objects = {
    .applications = 1,
    .tasks = 2,
    .threads = 3,
    .nodes = 2,
    .cpus = 6,
    .application_first_task = write_application_first_task,
    .task_first_thread = write_task_first_thread,
    .task_node = write_task_node,
    .node_cpus = write_node_cpus,
    .thread_task = write_thread_task,
    .communicator = write_communicator,
    .communicators = 2,
    .member = write_member,
    .members = 3,
};

static struct prvcut_dictionary write_dictionary = {
    .type = write_type,
    .types = sizeof write_type / sizeof *write_type,
    .state = write_state,
    .states = 3,
    .running = 1,
    .node = write_node_name,
};

static const struct prvcut_outline write_outline = {
    .objects = &write_objects,
    .dictionary = &write_dictionary,
    .end_ns = 9000,
    .source = "small.prv",
    .format = "paraver",
    .command = "prvcut convert small.prv",
    .wall_clock = 1700000000,
};

static const struct prvcut_item write_items[] = {
    /* A caller, counters, a blocking send whose transfer ends with the call. */
    ITEM_STATE(0, 0, 1000, 1),
    ITEM_EVENT(0, 0, PRVCUT_ROLE_OTHER, true, 1000, 5),
    ITEM_EVENT(0, 0, PRVCUT_ROLE_OTHER, false, 1001, -7),
    ITEM_EVENT(0, 0, PRVCUT_ROLE_OTHER, true, 1000, 6),
    ITEM_STATE(1000, 0, 1500, 3),
    ITEM_EVENT(1000, 0, PRVCUT_ROLE_P2P, true, 50000001, 1),
    ITEM_EVENT(1000, 0, PRVCUT_ROLE_INSTRUCTIONS, false, 42000050, 500),
    ITEM_EVENT(1000, 0, PRVCUT_ROLE_CALLER, false, 70000001, 900000000),
    ITEM_HALF(SEND, 1000, 0, 2, 1500, 4096, 7),
    /* One line after the other at one time; a reading of its own. */
    ITEM_STATE(1500, 0, 2000, 1),
    ITEM_EVENT(1500, 0, PRVCUT_ROLE_P2P, true, 50000001, 0),
    ITEM_EVENT(1500, 0, PRVCUT_ROLE_INSTRUCTIONS, true, 42000050, 20),
    /* A receive that is posted here and complete in the wait. */
    ITEM_EVENT(2100, 0, PRVCUT_ROLE_P2P, true, 50000001, 4),
    ITEM_EVENT(2200, 0, PRVCUT_ROLE_P2P, true, 50000001, 0),
    ITEM_EVENT(2300, 0, PRVCUT_ROLE_P2P, true, 50000001, 5),
    ITEM_HALF(RECEIVE, 2400, 0, 2, 2100, 16, 8),
    ITEM_EVENT(2400, 0, PRVCUT_ROLE_P2P, true, 50000001, 0),
    /* Another value without an end, then the end of both; an end without a begin. */
    ITEM_EVENT(2500, 0, PRVCUT_ROLE_P2P, true, 50000001, 1),
    ITEM_EVENT(2600, 0, PRVCUT_ROLE_P2P, true, 50000001, 2),
    ITEM_EVENT(2700, 0, PRVCUT_ROLE_P2P, true, 50000001, 0),
    ITEM_EVENT(2800, 0, PRVCUT_ROLE_P2P, true, 50000001, 0),
    /* Types that overlap. */
    ITEM_EVENT(3000, 0, PRVCUT_ROLE_REGION, true, 60000019, 1),
    ITEM_EVENT(3100, 0, PRVCUT_ROLE_REGION, true, 60000018, 7),
    ITEM_EVENT(3200, 0, PRVCUT_ROLE_REGION, true, 60000019, 0),
    ITEM_EVENT(3300, 0, PRVCUT_ROLE_REGION, true, 60000018, 0),
    /* Two begins and two ends in a line, named from the outside in, then from the inside out. */
    ITEM_EVENT(3400, 0, PRVCUT_ROLE_REGION, true, 60000018, 7),
    ITEM_EVENT(3400, 0, PRVCUT_ROLE_REGION, false, 60000019, 2),
    ITEM_EVENT(3500, 0, PRVCUT_ROLE_REGION, true, 60000018, 0),
    ITEM_EVENT(3500, 0, PRVCUT_ROLE_REGION, false, 60000019, 0),
    ITEM_EVENT(3600, 0, PRVCUT_ROLE_REGION, true, 60000018, 8),
    ITEM_EVENT(3600, 0, PRVCUT_ROLE_REGION, false, 60000019, 2),
    ITEM_EVENT(3700, 0, PRVCUT_ROLE_REGION, true, 60000019, 0),
    ITEM_EVENT(3700, 0, PRVCUT_ROLE_REGION, false, 60000018, 0),
    /* A collective with all its data. */
    ITEM_STATE(4000, 0, 4500, 13),
    ITEM_EVENT(4000, 0, PRVCUT_ROLE_COLLECTIVE, true, 50000002, 10),
    ITEM_EVENT(4000, 0, PRVCUT_ROLE_SIZE, false, 50100001, 8),
    ITEM_EVENT(4000, 0, PRVCUT_ROLE_SIZE, false, 50100002, 16),
    ITEM_EVENT(4000, 0, PRVCUT_ROLE_ROOT, false, 50100003, 1),
    ITEM_EVENT(4000, 0, PRVCUT_ROLE_COMMUNICATOR, false, 50100004, 1),
    ITEM_EVENT(4500, 0, PRVCUT_ROLE_COLLECTIVE, true, 50000002, 0),
    /* Measurement off and on, a level, an open region at the end. */
    ITEM_EVENT(5000, 0, PRVCUT_ROLE_TRACING, true, 40000012, 0),
    ITEM_EVENT(5100, 0, PRVCUT_ROLE_TRACING, true, 40000012, 1),
    ITEM_EVENT(5200, 0, PRVCUT_ROLE_OTHER, true, 46500000, -3),
    ITEM_EVENT(6000, 0, PRVCUT_ROLE_REGION, true, 60000019, 1),
    /* A thread of its own: states that overlap and one without length. */
    ITEM_STATE(100, 1, 900, 1),
    ITEM_STATE(200, 1, 300, 3),
    ITEM_STATE(900, 1, 900, 13),
    ITEM_STATE(900, 1, 1000, 1),
    /* The other ends; the second one is sent at once and transferred later. */
    ITEM_STATE(0, 2, 9000, 1),
    ITEM_EVENT(900, 2, PRVCUT_ROLE_P2P, true, 50000001, 2),
    ITEM_HALF(RECEIVE, 1600, 2, 0, 900, 4096, 7),
    ITEM_EVENT(1600, 2, PRVCUT_ROLE_P2P, true, 50000001, 0),
    ITEM_EVENT(1700, 2, PRVCUT_ROLE_P2P, true, 50000001, 3),
    ITEM_HALF(SEND, 1700, 2, 0, 2350, 16, 8),
    ITEM_EVENT(1800, 2, PRVCUT_ROLE_P2P, true, 50000001, 0),
    /* To a thread that is not the first of its task, with a tag that no record holds. */
    ITEM_HALF(SEND, 1900, 2, 1, 1900, 1, -5),
};
#define WRITE_ITEMS (sizeof write_items / sizeof *write_items)

static inline void write_small(const struct prvcut_writer *writer, const char *path, size_t piece,
                               struct made_convert_summary *sum)
{
    struct prvcut_error err;

    ck_assert_msg(item_write(writer, path, &write_outline, write_items, WRITE_ITEMS, piece, sum,
                             &err) == PRVCUT_OK,
                  "%s", err.text);
    ck_assert_uint_gt(sum->is.files, 0);
    ck_assert_str_eq(sum->is.file[0], path);
    prvcut_texts_free(sum->is.file, sum->is.files);
    prvcut_texts_free(sum->is.note, sum->is.notes);
}

/* What a command prints; free it. Fails the test where the command fails or complains. */
static inline char *write_output(const char *command)
{
    char line[512];
    size_t count = 0, room = 1 << 20, n;
    char *text = malloc(room);
    FILE *f;

    snprintf(line, sizeof line, "%s 2>complaints", command);
    f = popen(line, "r");
    ck_assert_ptr_nonnull(text);
    ck_assert_ptr_nonnull(f);
    while ((n = fread(text + count, 1, room - 1 - count, f)) > 0)
        count += n;
    text[count] = '\0';
    ck_assert_int_eq(pclose(f), 0);
    f = fopen("complaints", "r");
    ck_assert_ptr_nonnull(f);
    n = fread(line, 1, sizeof line - 1, f);
    line[n] = '\0';
    fclose(f);
    unlink("complaints");
    ck_assert_str_eq(line, "");
    return text;
}

/* Entries of the present folder. */
static inline unsigned write_entries(void)
{
    DIR *dir = opendir(".");
    unsigned count = 0;

    ck_assert_ptr_nonnull(dir);
    for (struct dirent *e = readdir(dir); e; e = readdir(dir))
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(dir);
    return count;
}

/* Many tasks of one thread each, which share everything else with the small conversion. */
struct write_many {
    struct prvcut_objects objects;
    struct prvcut_outline outline;
    struct prvcut_dictionary dictionary;
};

static inline void write_many_fini(struct write_many *m)
{
    free(m->objects.application_first_task);
    free(m->objects.task_first_thread);
    free(m->objects.task_node);
    free(m->objects.thread_task);
}

static inline void write_many_init(struct write_many *m, uint32_t tasks)
{
    static uint32_t node_cpus[1];

    node_cpus[0] = tasks;
    m->objects = (struct prvcut_objects){ .applications = 1,
                                          .tasks = tasks,
                                          .threads = tasks,
                                          .nodes = 1,
                                          .cpus = tasks,
                                          .node_cpus = node_cpus };
    m->objects.application_first_task = calloc(2, sizeof(uint32_t));
    m->objects.task_first_thread = calloc(tasks + 1, sizeof(uint32_t));
    m->objects.task_node = calloc(tasks, sizeof(uint32_t));
    m->objects.thread_task = calloc(tasks, sizeof(uint32_t));
    m->objects.application_first_task[1] = tasks;
    for (uint32_t i = 0; i < tasks; i++) {
        m->objects.task_first_thread[i + 1] = i + 1;
        m->objects.thread_task[i] = i;
    }
    m->outline = write_outline;
    m->outline.objects = &m->objects;
    m->dictionary = write_dictionary;
    m->dictionary.node = NULL;
    m->outline.dictionary = &m->dictionary;
}

#endif
