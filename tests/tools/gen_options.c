#include "gen_options.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { KIND_COUNT, KIND_REAL, KIND_FLAG, KIND_LIST };

struct option {
    const char *name, *argument, *help;
    enum kind kind;
    size_t offset;
    double least, most;
};

#define AT(field) offsetof(struct gen_options, field)

static const struct option options[] = {
    { "applications", "N", "applications, each with its own tasks [1]", KIND_COUNT,
      AT(applications), 1, GEN_APPLICATIONS },
    { "application-periods", "NS,NS[,...]",
      "an application each, with that period; they run for about the same time", KIND_LIST,
      AT(application_period), 1000, 1e15 },
    { "tasks", "N", "tasks of an application [16; 64 when realistic]", KIND_COUNT, AT(tasks), 1,
      1 << 20 },
    { "threads-per-task", "N", "threads of a task, OpenMP like [1]", KIND_COUNT, AT(threads), 1,
      1024 },
    { "short-lived", "N",
      "N further tasks, outside the loop, whose threads begin late or end early [0]", KIND_COUNT,
      AT(short_lived), 0, 1 << 20 },
    { "silent", "N", "N further tasks that make no MPI call [0]", KIND_COUNT, AT(silent), 0,
      1 << 20 },
    { "nodes", "N", "nodes that the threads are spread over [1]", KIND_COUNT, AT(nodes), 1, 65536 },
    { "iterations", "N", "iterations of the outermost loop [100]", KIND_COUNT, AT(iterations), 1,
      1e15 },
    { "size", "BYTES", "go on until the .prv has about that size, not by --iterations", KIND_COUNT,
      AT(size), 1, 1e15 },
    { "inner", "N[,N...]", "nested loops inside an iteration, outer ones first, at most 4",
      KIND_LIST, AT(inner), 1, 1e9 },
    { "period-ns", "NS", "wanted length of an iteration; the real one is in the truth [20000000]",
      KIND_COUNT, AT(period_ns), 1000, 1e15 },
    { "jitter", "X", "relative standard deviation of each burst [0.03]", KIND_REAL, AT(jitter), 0,
      0.28 },
    { "drift", "X", "relative growth of the bursts over the run [0]", KIND_REAL, AT(drift), -0.9,
      100 },
    { "imbalance", "X", "tasks compute up to 1 + X times as long as the quickest [0.05]", KIND_REAL,
      AT(imbalance), 0, 100 },
    { "skew-ns", "NS", "each task enters an iteration that much after its predecessor [0]",
      KIND_COUNT, AT(skew_ns), 0, 1e12 },
    { "pipeline", NULL, "sweeps through the tasks, forth and back, instead of exchanges (as LU)",
      KIND_FLAG, AT(pipeline), 0, 0 },
    { "lean", NULL, "an iteration is a burst and a collective, for very many of them", KIND_FLAG,
      AT(lean), 0, 0 },
    { "init-ns", "NS", "initialisation: irregular bursts, broadcasts, file reading [100000000]",
      KIND_COUNT, AT(init_ns), 0, 1e15 },
    { "end-ns", "NS", "irregular work after the loop [20000000]", KIND_COUNT, AT(end_ns), 0, 1e15 },
    { "flush-every", "N", "a task's buffer is flushed after N lines of its first thread [0: never]",
      KIND_COUNT, AT(flush_every), 0, 1e15 },
    { "flush-ns", "NS", "length of a flush [50000000]", KIND_COUNT, AT(flush_ns), 1000, 1e12 },
    { "counters", NULL, "TOT_INS and TOT_CYC on call lines", KIND_FLAG, AT(counters), 0, 0 },
    { "preempt", "N", "N intervals of 3 periods in which one task has a quarter of its cpu",
      KIND_COUNT, AT(preempt), 0, 1e6 },
    { "clog", "N", "N intervals of 4 periods in which messages are slow", KIND_COUNT, AT(clog), 0,
      1e6 },
    { "clog-factor", "X", "how much slower [50]", KIND_REAL, AT(clog_factor), 1, 1e9 },
    { "aperiodic", NULL, "random calls, bursts and partners for --iterations periods; no loop",
      KIND_FLAG, AT(aperiodic), 0, 0 },
    { "change-at", "X", "another loop, with other calls, from this fraction of the loop on",
      KIND_REAL, AT(change_at), 0, 1 },
    { "change-period", "NS", "its period [0.6 of the first]", KIND_COUNT, AT(change_period_ns),
      1000, 1e15 },
    { "every-k", "K", "one iteration in K does extra work and a reduction [0: none]", KIND_COUNT,
      AT(every_k), 0, 1e9 },
    { "callers", "N", "caller levels on call lines [3]", KIND_COUNT, AT(callers), 0, 9 },
    { "no-states", NULL, "no state lines", KIND_FLAG, AT(no_states), 0, 0 },
    { "no-calls", NULL, "states only", KIND_FLAG, AT(no_calls), 0, 0 },
    { "burst-mode", NULL, "as Extrae's CPU Bursts mode: long bursts with statistics, no calls",
      KIND_FLAG, AT(burst_mode), 0, 0 },
    { "microseconds", NULL, "old header: no unit, two-digit year, times in microseconds", KIND_FLAG,
      AT(microseconds), 0, 0 },
    { "crlf", NULL, "lines end as on DOS", KIND_FLAG, AT(crlf), 0, 0 },
    { "realistic", NULL,
      "as real traces: 64 tasks, inner 3, 2 s of initialisation; later options win", KIND_FLAG,
      AT(realistic), 0, 0 },
    { "seed", "N", "same seed, same options: same bytes [1]", KIND_COUNT, AT(seed), 0, 9e15 },
};

/* Where the length of a list stands, and its room. */
static const struct list {
    size_t offset, count_offset, room;
} lists[] = {
    { AT(inner), AT(levels), GEN_LEVELS },
    { AT(application_period), AT(application_periods), GEN_APPLICATIONS },
};

#define OPTIONS (sizeof options / sizeof options[0])

static const char usage[] =
    "usage: prvgen [OPTIONS] NAME\n"
    "Write NAME.prv, NAME.pcf, NAME.row, a Paraver trace as Extrae writes it, and\n"
    "NAME.truth.json, what is true of it.\n\n";

static const char truth[] =
    "\nNAME.truth.json, one object, times in ns of trace time:\n"
    "  seed, options        as given\n"
    "  duration_ns, bytes, lines, records.{states,events,communications}\n"
    "  loop.{start_ns,end_ns}  first start of the loop on any task, last end on any task\n"
    "  period_ns.{mean,median} of the first application's first task; null without a loop.\n"
    "                       Over a change of loop: of all iterations; see phases\n"
    "  iterations           number of iterations (0 without a loop)\n"
    "  starts_ns            [first task to arrive, last task to arrive, task 1] of every\n"
    "                       iteration; the first 100000\n"
    "  phases               one per loop: start_ns, end_ns, iterations, period_ns, inner_ns: of\n"
    "                       each nested loop the mean length of an iteration\n"
    "  levels               one per nested loop: level, count, period_ns of one inner iteration\n"
    "  inner_starts_ns      of every iteration {at}: where task 1 begins each iteration of the "
    "loop\n"
    "                       right inside it, and where the last one ends; 100000 times in all\n"
    "  departures           null, or first (iteration, from 0), every, count: with extra work\n"
    "  applications         one each: start_ns, end_ns, iterations, period_ns.mean\n"
    "  bystanders           thread, kind (silent, short-lived), start_ns, end_ns of the tasks\n"
    "                       that take no part in the loop\n"
    "  masked               cause (flush, preemption, clog), start_ns, end_ns, thread as\n"
    "                       application.task.thread or \"all\"; the first 100000\n"
    "  change_points_ns     where another loop begins\n";

static void help(FILE *f)
{
    fputs(usage, f);
    for (size_t i = 0; i < OPTIONS; i++) {
        char left[64];

        snprintf(left, sizeof left, "--%s %s", options[i].name,
                 options[i].argument != NULL ? options[i].argument : "");
        fprintf(f, "  %-24s %s\n", left, options[i].help);
    }
    fputs("  --help                   this text\n", f);
    fputs(truth, f);
}

static void set_defaults(struct gen_options *o)
{
    *o = (struct gen_options){ .applications = 1, .tasks = 16, .threads = 1, .nodes = 1 };
    o->iterations = 100;
    o->period_ns = 20000000;
    o->jitter = 0.03;
    o->imbalance = 0.05;
    o->init_ns = 100000000;
    o->end_ns = 20000000;
    o->flush_ns = 50000000;
    o->clog_factor = 50;
    o->callers = 3;
    o->seed = 1;
}

static void set_realistic(struct gen_options *o)
{
    o->tasks = 64;
    o->inner[0] = 3;
    o->levels = 1;
    o->jitter = 0.05;
    o->imbalance = 0.1;
    o->init_ns = 2000000000;
    o->end_ns = 200000000;
}

static bool read_number(const struct option *o, const char *text, double *real, uint64_t *count)
{
    char *end;

    errno = 0;
    if (o->kind == KIND_REAL) {
        *real = strtod(text, &end);
    } else {
        *count = strtoull(text, &end, 10);
        *real = (double)*count;
    }
    return end != text && *end == '\0' && errno == 0 && text[0] != '-' && *real >= o->least &&
           *real <= o->most;
}

static bool read_list(struct gen_options *out, const struct option *o, const char *text)
{
    const struct list *l = o->offset == lists[0].offset ? &lists[0] : &lists[1];
    char part[32];

    for (uint64_t count = 0; count < l->room;) {
        size_t n = strcspn(text, ",");
        double real;
        uint64_t value;

        if (n >= sizeof part)
            return false;
        memcpy(part, text, n);
        part[n] = '\0';
        if (!read_number(o, part, &real, &value))
            return false;
        memcpy((char *)out + l->offset + count++ * sizeof value, &value, sizeof value);
        if (text[n] == '\0') {
            memcpy((char *)out + l->count_offset, &count, sizeof count);
            return true;
        }
        text += n + 1;
    }
    return false;
}

static bool set(struct gen_options *out, const struct option *o, const char *text)
{
    char *field = (char *)out + o->offset;
    double real = 0;
    uint64_t count = 0;

    if (o->kind == KIND_FLAG) {
        memcpy(field, &(bool){ true }, sizeof(bool));
        if (out->realistic && o->offset == AT(realistic))
            set_realistic(out);
        return true;
    }
    if (o->kind == KIND_LIST)
        return read_list(out, o, text);
    if (!read_number(o, text, &real, &count))
        return false;
    if (o->kind == KIND_REAL)
        memcpy(field, &real, sizeof real);
    else
        memcpy(field, &count, sizeof count);
    return true;
}

static const struct option *find(const char *word)
{
    for (size_t i = 0; i < OPTIONS; i++)
        if (strcmp(options[i].name, word) == 0)
            return &options[i];
    return NULL;
}

static int mistake(const char *what, const char *word)
{
    fprintf(stderr, "prvgen: %s: %s (--help lists the options)\n", what, word);
    return 2;
}

static int check(const struct gen_options *o)
{
    if (o->name == NULL)
        return mistake("no output name", "NAME");
    if (o->applications * gen_options_all_tasks(o) * o->threads > 1 << 22)
        return mistake("more than 4194304 threads", "--tasks");
    if (o->burst_mode && (o->no_calls || o->no_states))
        return mistake("does not go with --no-calls or --no-states", "--burst-mode");
    if (o->lean && (o->levels > 0 || o->pipeline || o->skew_ns > 0))
        return mistake("does not go with --inner, --pipeline or --skew-ns", "--lean");
    if (o->no_calls && o->no_states)
        return mistake("would leave nothing", "--no-calls --no-states");
    return -1;
}

uint64_t gen_options_all_tasks(const struct gen_options *o)
{
    return o->tasks + o->short_lived + o->silent;
}

uint64_t gen_options_period(const struct gen_options *o, uint64_t application)
{
    return application < o->application_periods ? o->application_period[application] : o->period_ns;
}

int gen_options_read(struct gen_options *out, int argc, char **argv)
{
    set_defaults(out);
    for (int i = 1; i < argc; i++) {
        const struct option *o;

        if (strcmp(argv[i], "--help") == 0) {
            help(stdout);
            return 0;
        }
        if (strncmp(argv[i], "--", 2) != 0) {
            if (out->name != NULL)
                return mistake("one name is enough", argv[i]);
            out->name = argv[i];
            continue;
        }
        o = find(argv[i] + 2);
        if (o == NULL)
            return mistake("unknown option", argv[i]);
        if (o->kind != KIND_FLAG && i + 1 == argc)
            return mistake("needs a value", argv[i]);
        if (!set(out, o, o->kind == KIND_FLAG ? NULL : argv[i + 1]))
            return mistake("bad value", argv[i + 1]);
        i += o->kind != KIND_FLAG;
    }
    if (out->applications < out->application_periods)
        out->applications = out->application_periods;
    if (out->change_period_ns == 0)
        out->change_period_ns = gen_options_period(out, 0) * 6 / 10;
    return check(out);
}
