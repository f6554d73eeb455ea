#ifndef TESTS_FORMATS_OPENING_H
#define TESTS_FORMATS_OPENING_H

/* Lines of a small Paraver trace, handed over to who follows what is open (cut_open.c). */
#include "paraver/cut.h"
#include "paraver/paraver.h"

#include "runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 3u

/* Event types, ascending: an MPI call, which cannot be inside itself, and two that nest. */
enum { CALL = 50000001, INNER = 60000018, OUTER = 60000019, OTHER = 70000000 };
#define TYPES 3u

static const uint32_t types[TYPES] = { CALL, INNER, OUTER };

static uint32_t application_first[] = { 0, 1 };
static uint32_t task_first[] = { 0, THREADS };
static uint32_t thread_task[THREADS];
static struct prv_trace trace;
static struct prv_cutter cutter;

static inline void setup(void)
{
    memset(&trace, 0, sizeof trace);
    trace.header = (struct prv_header){ .unit_ns = 1,
                                        .objects = { .applications = 1,
                                                     .tasks = 1,
                                                     .threads = THREADS,
                                                     .application_first_task = application_first,
                                                     .task_first_thread = task_first,
                                                     .thread_task = thread_task } };
    cutter = (struct prv_cutter){ .trace = &trace };
    cutter.plan = (struct prv_parse_plan){ .header = &trace.header,
                                           .labels = &trace.labels,
                                           .nests = { false, true, true },
                                           .regions = TYPES,
                                           .max_tick = 1000000 };
    memcpy(cutter.plan.region_type, types, sizeof types);
    ck_assert_int_eq(prv_open_init(&cutter.open, THREADS, TYPES, NULL), PRVCUT_OK);
}

static inline void teardown(void)
{
    prv_open_fini(&cutter.open, THREADS);
    ck_assert_ptr_null(cutter.open.line);
}

static inline uint32_t below(uint32_t n)
{
    return (uint32_t)rand() % n;
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* A line of a thread; pairs: "TYPE:VALUE[:TYPE:VALUE...]". */
struct line {
    char text[160];
    uint64_t order; /* from 1 */
};

static inline struct line line_of(uint32_t thread, uint64_t time, const char *pairs)
{
    struct line l = { .order = 0 };

    snprintf(l.text, sizeof l.text, "2:1:1:1:%" PRIu32 ":%" PRIu64 ":%s", thread + 1, time, pairs);
    return l;
}

/* Hand it over; only: NULL, or what a snapshot tells of its block. */
static inline void take(struct line *line, const struct prv_open_only *only)
{
    struct prv_cut_line l = { .at = line->text, .end = line->text + strlen(line->text) };

    line->order = ++cutter.order;
    ck_assert_int_eq(prv_slow_line(&cutter.plan, l.at, l.end, &l.kind, &l.state, &l.event,
                                   &l.message, &l.pairs, NULL),
                     PRVCUT_OK);
    ck_assert_int_eq(only ? prv_open_only_event(&cutter, &l, only, NULL)
                          : prv_open_event(&cutter, &l, NULL),
                     PRVCUT_OK);
}

static inline bool has_text(size_t place, const char *text)
{
    const struct prv_open_line *line = &cutter.open.line[place];

    return line->count == strlen(text) && memcmp(line->text, text, line->count) == 0;
}

#endif
