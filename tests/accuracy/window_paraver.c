#include "window_trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALL_FIRST   50000001 /* point-to-point, collective, other, one-sided, I/O */
#define CALL_LAST    50000005
#define INSTRUCTIONS 42000050
#define RUNNING      1
#define LINE         65536 /* longer ones are communicators or events beyond our interest */
#define APPLICATIONS 64
#define THREADS      4096 /* of a task */
#define VALUES       256  /* of a call that have a kind of their own */

/* Where the threads of each task begin; of application 1, 2, ... */
struct reader {
    struct window_trace *t;
    uint32_t task_of_application[APPLICATIONS];
    size_t *first; /* [tasks + 1] lane of each task's first thread */
    size_t tasks, applications;
    uint32_t kind[CALL_LAST - CALL_FIRST + 1][VALUES]; /* 0: not yet, else number + 1 */
};

/* The next number of a line; what ends it is skipped. */
static double next(const char **at)
{
    double value = 0;
    const bool minus = **at == '-';

    *at += minus;
    for (; **at >= '0' && **at <= '9'; ++*at)
        value = 10 * value + (**at - '0');
    *at += **at != '\0' && **at != '\n';
    return minus ? -value : value;
}

static bool add_task(struct reader *r, unsigned threads)
{
    size_t *more = realloc(r->first, (r->tasks + 2) * sizeof *more);
    char name[32];

    if (!more)
        return false;
    r->first = more;
    r->first[r->tasks] = r->t->lanes;
    for (unsigned i = 0; i < threads; i++) {
        snprintf(name, sizeof name, "%zu.%u", r->tasks + 1, i + 1);
        if (!window_lane_add(r->t, name, (uint32_t)r->tasks))
            return false;
    }
    r->first[++r->tasks] = r->t->lanes;
    return true;
}

/* "#Paraver (date):end_ns:nodes(...):1:4(1:1,1:1,1:1,1:1),5" */
static bool read_header(struct reader *r, const char *line)
{
    const char *at = strstr(line, "):");
    size_t applications;

    if (strncmp(line, "#Paraver", 8) != 0 || !at || !(at = strchr(at + 2, ':')))
        return false;
    at++;
    at += strcspn(at, "(:");
    if (*at == '(')
        at += strcspn(at, ")") + 1;
    at++;
    applications = (size_t)next(&at);
    for (; r->applications < applications && r->applications < APPLICATIONS; r->applications++) {
        r->task_of_application[r->applications] = (uint32_t)r->tasks;
        for (double tasks = next(&at); tasks > 0; tasks--) {
            const unsigned threads = (unsigned)next(&at);

            next(&at);
            if (threads > THREADS || !add_task(r, threads))
                return false;
        }
        at += strcspn(at, ":\n");
        at += *at == ':';
    }
    return r->tasks > 0;
}

/* "cpu:application:task:thread:" */
static struct window_lane *lane_of(struct reader *r, const char **at)
{
    size_t application, task, thread;

    next(at);
    application = (size_t)next(at) - 1;
    task = (size_t)next(at) - 1;
    thread = (size_t)next(at) - 1;
    if (application >= r->applications)
        return NULL;
    task += r->task_of_application[application];
    if (task >= r->tasks || r->first[task] + thread >= r->first[task + 1])
        return NULL;
    return &r->t->lane[r->first[task] + thread];
}

static uint32_t kind_of(struct reader *r, unsigned type, unsigned value)
{
    char name[48];
    uint32_t *known = &r->kind[type - CALL_FIRST][value % VALUES];

    if (*known == 0) {
        snprintf(name, sizeof name, "%u:%u", type, value);
        *known = window_kind(r->t, name) + 1;
    }
    return *known - 1;
}

/* What an MPI call does not end is ended by the next. */
static void read_call(struct reader *r, struct window_lane *l, double type, double value, double at)
{
    window_leave(r->t, l, at);
    if (value > 0)
        window_enter(r->t, l, kind_of(r, (unsigned)type, (unsigned)value), at);
}

static void read_event(struct reader *r, const char *at)
{
    struct window_lane *l = lane_of(r, &at);
    const double time = next(&at);

    while (l && *at >= '0' && *at <= '9') {
        const double type = next(&at), value = next(&at);

        if (type >= CALL_FIRST && type <= CALL_LAST)
            read_call(r, l, type, value, time);
        if (type != INSTRUCTIONS)
            continue;
        if (!isnan(l->read))
            window_amounts_add(r->t, &l->counted, l->read, time, value, 0);
        l->read = time;
    }
}

static void read_state(struct reader *r, const char *at)
{
    struct window_lane *l = lane_of(r, &at);
    const double begin = next(&at), end = next(&at);

    if (l && next(&at) == RUNNING)
        window_amounts_add(r->t, &l->running, begin, end, 0, 0);
}

static void read_message(struct reader *r, const char *at)
{
    struct window_lane *l = lane_of(r, &at), *to;
    const double time = next(&at);

    next(&at);
    to = lane_of(r, &at);
    next(&at);
    next(&at);
    if (l)
        window_amounts_add(r->t, &l->sent, time, time, next(&at), to ? to->rank : UINT32_MAX);
}

static bool read_all(struct reader *r, FILE *file, char *line)
{
    if (!fgets(line, LINE, file) || !read_header(r, line))
        return false;
    while (fgets(line, LINE, file)) {
        if (strncmp(line, "1:", 2) == 0)
            read_state(r, line + 2);
        else if (strncmp(line, "2:", 2) == 0)
            read_event(r, line + 2);
        else if (strncmp(line, "3:", 2) == 0)
            read_message(r, line + 2);
    }
    return !r->t->failed;
}

bool window_read_paraver(struct window_trace *t, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = malloc(LINE);
    struct reader *r = calloc(1, sizeof *r);
    bool good = false;

    *t = (struct window_trace){ .lanes = 0 };
    if (file && line && r) {
        r->t = t;
        good = read_all(r, file, line);
        free(r->first);
    }
    if (file)
        fclose(file);
    free(line);
    free(r);
    window_trace_settle(t);
    return good;
}
