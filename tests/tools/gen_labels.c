#include "gen_run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

struct out {
    FILE *f;
    const char *eol;
};

static void line(const struct out *o, const char *text)
{
    fprintf(o->f, "%s%s", text, o->eol);
}

static struct out open_beside(const struct gen *g, const char *suffix)
{
    char path[4096];
    struct out o = { .eol = g->o->crlf ? "\r\n" : "\n" };

    snprintf(path, sizeof path, "%s.%s", g->o->name, suffix);
    o.f = fopen(path, "w");
    if (o.f == NULL)
        gen_die(path);
    return o;
}

static void close_out(const struct out *o)
{
    if (ferror(o->f) || fclose(o->f) != 0)
        gen_die("labels");
}

static const char *const head[] = {
    "DEFAULT_OPTIONS",
    "",
    "LEVEL               THREAD",
    "UNITS               NANOSEC",
    "LOOK_BACK           100",
    "SPEED               1",
    "FLAG_ICONS          ENABLED",
    "NUM_OF_STATE_COLORS 1000",
    "YMAX_SCALE          37",
    "",
    "",
    "DEFAULT_SEMANTIC",
    "",
    "THREAD_FUNC          State As Is",
    "",
    "",
    "STATES",
    "0    Idle",
    "1    Running",
    "2    Not created",
    "3    Waiting a message",
    "4    Blocking Send",
    "5    Synchronization",
    "6    Test/Probe",
    "7    Scheduling and Fork/Join",
    "8    Wait/WaitAll",
    "9    Blocked",
    "10    Immediate Send",
    "11    Immediate Receive",
    "12    I/O",
    "13    Group Communication",
    "14    Tracing Disabled",
    "15    Others",
    "16    Send Receive",
    "",
    "",
    "STATES_COLOR",
    "0    {117,195,255}",
    "1    {0,0,255}",
    "2    {255,255,255}",
    "3    {255,0,0}",
    "4    {255,0,174}",
    "5    {179,0,0}",
    "6    {0,255,0}",
    "7    {255,255,0}",
    "8    {235,0,0}",
    "9    {0,162,0}",
    "10    {255,0,255}",
    "11    {100,100,177}",
    "12    {172,174,41}",
    "13    {255,144,26}",
    "14    {2,255,177}",
    "15    {192,224,0}",
    "16    {66,66,66}",
    "",
    "",
    "EVENT_TYPE",
    "9   50000001    MPI Point-to-point",
    "VALUES",
    "4   MPI_Irecv",
    "3   MPI_Isend",
    "2   MPI_Recv",
    "1   MPI_Send",
    "41   MPI_Sendrecv",
    "6   MPI_Waitall",
    "0   Outside MPI",
    "",
    "",
    "EVENT_TYPE",
    "9   50000002    MPI Collective Comm",
    "VALUES",
    "10   MPI_Allreduce",
    "8   MPI_Barrier",
    "7   MPI_Bcast",
    "9   MPI_Reduce",
    "0   Outside MPI",
    "",
    "",
    "EVENT_TYPE",
    "9   50000003    MPI Other",
    "VALUES",
    "19   MPI_Comm_rank",
    "20   MPI_Comm_size",
    "32   MPI_Finalize",
    "31   MPI_Init",
    "0   Outside MPI",
    "",
    "",
    "EVENT_TYPE",
    "1    50100001    Send Size in MPI Global OP",
    "1    50100002    Recv Size in MPI Global OP",
    "1    50100003    Root in MPI Global OP",
    "1    50100004    Communicator in MPI Global OP",
    "",
    "",
    "EVENT_TYPE",
    "6    40000033    Executing CPU",
    "6    40000133    CPU-Event sampling interval",
    "",
    "",
    "EVENT_TYPE",
    "6    40000001    Application",
    "VALUES",
    "0      End",
    "1      Begin",
    "",
    "",
    "EVENT_TYPE",
    "6    40000050    RAW clock() value from system",
    "",
    "",
    "EVENT_TYPE",
    "6    40000003    Flushing Traces",
    "VALUES",
    "0      End",
    "1      Begin",
    "",
    "",
    "EVENT_TYPE",
    "6    40000036    Process IDentifier",
    "6    40000037    Parent Process IDentifier",
    "6    40000038    fork() depth",
    "",
    "",
    "EVENT_TYPE",
    "9    40000018    Tracing mode",
    "VALUES",
    "1      Detailed",
    "2      CPU Bursts",
    "",
    "",
};

static const char *const counters[] = {
    "EVENT_TYPE",
    "7  42000050 PAPI_TOT_INS [Instr completed]",
    "7  42000059 PAPI_TOT_CYC [Total cycles]",
    "7  41999999 Active hardware counter set",
    "",
    "",
};

static const char *const bursts[] = {
    "EVENT_TYPE", "0    54000000    Number of P2P MPI calls",       "", "",
    "EVENT_TYPE", "0    54000009    Elapsed time in MPI",           "", "",
    "EVENT_TYPE", "0    54000015    Elapsed time in P2P MPI calls", "", "",
};

static const char *const openmp[] = {
    "EVENT_TYPE",
    "0 60000001  Parallel (OMP)",
    "VALUES",
    "0 close",
    "1 DO (open)",
    "2 SECTIONS (open)",
    "3 REGION (open)",
    "",
    "EVENT_TYPE",
    "0    60000018    Executed OpenMP parallel function",
    "VALUES",
    "0 End",
    "1 ?? ",
    "2 solve_ ",
    "",
    "EVENT_TYPE",
    "0    60000118    Executed OpenMP parallel function line and file",
    "VALUES",
    "0 End",
    "1 ??:0 [??:0, ??]",
    "2 solve.f:17 [solve.f:17, solve]",
    "",
    "EVENT_TYPE",
    "0 60000005 OpenMP barrier",
    "VALUES",
    "0 End",
    "1 Begin",
    "",
};

static void lines(const struct out *o, const char *const *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        line(o, text[i]);
}

static void caller_types(const struct out *o, uint64_t levels, uint64_t type, const char *what)
{
    line(o, "EVENT_TYPE");
    for (uint64_t i = 0; i < levels; i++)
        fprintf(o->f, "0    %" PRIu64 "    %s at level %" PRIu64 "%s", type + i, what, i + 1,
                o->eol);
    line(o, "VALUES");
    line(o, "0 End");
}

static void write_callers(const struct gen *g, const struct out *o)
{
    uint64_t levels = g->o->callers, each = GEN_SITES * 5 / 4 + levels;

    if (levels == 0)
        return;
    caller_types(o, levels, TYPE_CALLER, "Caller");
    fprintf(o->f, "1 ?? %s", o->eol);
    for (uint64_t i = 0; i < GEN_SITES / 4 + levels; i++)
        fprintf(o->f, "%" PRIu64 " routine_%" PRIu64 "_ %s", i + 2, i + 1, o->eol);
    fprintf(o->f, "%s%s", o->eol, o->eol);
    caller_types(o, levels, TYPE_CALLER_LINE, "Caller line");
    fprintf(o->f, "1 ??:0 [??:0, ??]%s", o->eol);
    for (uint64_t i = 0; i < each * gen_options_all_tasks(g->o); i++)
        fprintf(o->f, "%" PRIu64 " solve.f:%" PRIu64 " [solve.f:%" PRIu64 ", solve]%s", i + 2,
                i % each + 10, i % each + 10, o->eol);
    fprintf(o->f, "%s%s", o->eol, o->eol);
}

static void write_pcf(const struct gen *g)
{
    struct out o = open_beside(g, "pcf");

    lines(&o, head, COUNT(head));
    if (g->o->counters)
        lines(&o, counters, COUNT(counters));
    if (g->o->burst_mode)
        lines(&o, bursts, COUNT(bursts));
    if (g->o->threads > 1)
        lines(&o, openmp, COUNT(openmp));
    write_callers(g, &o);
    close_out(&o);
}

static uint64_t threads_of(const struct gen *g)
{
    return g->o->applications * gen_options_all_tasks(g->o) * g->o->threads;
}

/* Node (from 0) of a task, counted over all applications: blocks of equal size. */
static uint64_t node_of(const struct gen *g, uint64_t task)
{
    return task * g->o->nodes / (g->o->applications * gen_options_all_tasks(g->o));
}

static void write_row(const struct gen *g)
{
    struct out o = open_beside(g, "row");
    uint64_t n = threads_of(g), tasks = gen_options_all_tasks(g->o);
    int width = 1;

    for (uint64_t i = n; i >= 10; i /= 10)
        width++;
    fprintf(o.f, "LEVEL CPU SIZE %" PRIu64 "%s", n, o.eol);
    for (uint64_t i = 0; i < n; i++)
        fprintf(o.f, "%0*" PRIu64 ".node%02" PRIu64 "%s", width, i + 1,
                node_of(g, i / g->o->threads) + 1, o.eol);
    fprintf(o.f, "%sLEVEL NODE SIZE %" PRIu64 "%s", o.eol, g->o->nodes, o.eol);
    for (uint64_t i = 0; i < g->o->nodes; i++)
        fprintf(o.f, "node%02" PRIu64 "%s", i + 1, o.eol);
    fprintf(o.f, "%sLEVEL THREAD SIZE %" PRIu64 "%s", o.eol, n, o.eol);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t task = i / g->o->threads;

        fprintf(o.f, "THREAD %" PRIu64 ".%" PRIu64 ".%" PRIu64 "%s", task / tasks + 1,
                task % tasks + 1, i % g->o->threads + 1, o.eol);
    }
    close_out(&o);
}

void gen_labels_write(const struct gen *g)
{
    write_pcf(g);
    write_row(g);
}

struct text {
    char *at;
    size_t count, room;
};

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *format, ...)
{
    va_list arguments;

    if (t->room - t->count < 256) {
        t->room = t->room * 2 + 4096;
        t->at = gen_room(t->at, t->room, 1);
    }
    va_start(arguments, format);
    t->count += (size_t)vsnprintf(t->at + t->count, t->room - t->count, format, arguments);
    va_end(arguments);
}

static void add_nodes(const struct gen *g, struct text *t)
{
    uint64_t tasks = g->o->applications * gen_options_all_tasks(g->o), next = 0;

    add(t, "%" PRIu64 "(", g->o->nodes);
    for (uint64_t node = 0; node < g->o->nodes; node++) {
        uint64_t count = 0;

        for (; next < tasks && node_of(g, next) == node; next++)
            count += g->o->threads;
        add(t, "%s%" PRIu64, node > 0 ? "," : "", count);
    }
    add(t, "):%" PRIu64, g->o->applications);
}

static void add_communicators(const struct gen *g, struct text *t, const char *eol)
{
    uint64_t tasks = gen_options_all_tasks(g->o);

    for (uint64_t a = 0; a < g->o->applications; a++) {
        add(t, "c:%" PRIu64 ":1:%" PRIu64, a + 1, g->o->tasks);
        for (uint64_t i = 0; i < g->o->tasks; i++)
            add(t, ":%" PRIu64, i + 1);
        add(t, "%s", eol);
        for (uint64_t i = 0; i < tasks; i++)
            add(t, "c:%" PRIu64 ":%" PRIu64 ":1:%" PRIu64 "%s", a + 1, i + 2, i + 1, eol);
    }
}

struct gen_header gen_header_make(const struct gen *g)
{
    struct text t = { 0 };
    const char *eol = g->o->crlf ? "\r\n" : "\n";
    uint64_t tasks = gen_options_all_tasks(g->o);
    size_t at;

    add(&t, "#Paraver (20/11/%s at 11:58):", g->o->microseconds ? "26" : "2026");
    at = t.count;
    add(&t, "%s:", g->o->microseconds ? "" : "_ns");
    add_nodes(g, &t);
    for (uint64_t a = 0; a < g->o->applications; a++) {
        add(&t, ":%" PRIu64 "(", tasks);
        for (uint64_t i = 0; i < tasks; i++)
            add(&t, "%s%" PRIu64 ":%" PRIu64, i > 0 ? "," : "", g->o->threads,
                node_of(g, a * tasks + i) + 1);
        add(&t, ")");
    }
    add(&t, ",%" PRIu64 "%s", g->o->applications * (tasks + 1), eol);
    add_communicators(g, &t, eol);
    return (struct gen_header){ t.at, t.count, at };
}
