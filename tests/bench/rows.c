/* What folding, repeats and search take by themselves, without reading: rows of symbols that are
   made here, and those of the first threads of traces.

       prvrows [TRACE NAME]...     NAME: call, partner, size

   prints a table: what, symbols, CPU seconds of the best of three, million symbols a second, steps
   a symbol, MiB of memory at most, beyond the row. */
#define _DEFAULT_SOURCE
#include "analysis/patterns/approx.h"
#include "analysis/patterns/choose.h"
#include "analysis/patterns/nest.h"
#include "analysis/patterns/repeats.h"
#include "api/opening.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define TIMES 3

struct row {
    uint32_t *at;
    size_t count, room;
    uint32_t different;
};

static struct prvcut_error err;

static void need(bool good)
{
    if (good)
        return;
    fprintf(stderr, "prvrows: %s\n", err.text[0] ? err.text : "no memory");
    exit(1);
}

static void put(struct row *r, uint32_t symbol)
{
    if (r->count == r->room) {
        r->room = r->room > 0 ? 2 * r->room : 1024;
        r->at = realloc(r->at, r->room * sizeof *r->at);
        need(r->at != NULL);
    }
    r->at[r->count++] = symbol;
    r->different = symbol >= r->different ? symbol + 1 : r->different;
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* What one thing costs: the best of TIMES, and the most memory beyond the row. */
struct cost {
    double seconds;
    uint64_t steps;
    long kib;
};

struct asked {
    const struct row *row;
    size_t first, count; /* of a search: the stretch of the row that is looked for */
};

typedef double (*timed)(const struct asked *a, uint64_t *steps);

static long memory_kib(void)
{
    struct rusage used;

    need(getrusage(RUSAGE_SELF, &used) == 0);
    return used.ru_maxrss;
}

/* In a process of its own: there the most memory is that of this alone. */
static struct cost child_cost(timed what, const struct asked *a)
{
    const long before = memory_kib();
    struct cost c = { .seconds = 1e9 };

    for (int i = 0; i < TIMES; i++) {
        const double took = what(a, &c.steps);

        c.seconds = took < c.seconds ? took : c.seconds;
        c.kib = i == 0 ? memory_kib() - before : c.kib;
    }
    return c;
}

static struct cost cost_of(timed what, const struct asked *a)
{
    struct cost c = { .seconds = 0 };
    int ends[2], status = 0;
    pid_t child;

    fflush(stdout);
    need(pipe(ends) == 0);
    child = fork();
    need(child >= 0);
    if (child == 0) {
        c = child_cost(what, a);
        _exit(write(ends[1], &c, sizeof c) == (ssize_t)sizeof c ? 0 : 1);
    }
    close(ends[1]);
    need(read(ends[0], &c, sizeof c) == (ssize_t)sizeof c);
    close(ends[0]);
    need(waitpid(child, &status, 0) == child && status == 0);
    return c;
}

static void tell(const char *what, size_t count, struct cost c)
{
    printf("| %s | %zu | %.3f | %.1f | %.1f | %.1f |\n", what, count, c.seconds,
           c.seconds > 0 ? (double)count / c.seconds / 1e6 : 0, (double)c.steps / (double)count,
           (double)c.kib / 1024);
    fflush(stdout);
}

static double fold(const struct asked *a, uint64_t *steps)
{
    const double from = seconds();
    struct pat_nest n;
    double took;

    pat_nest_init(&n);
    need(pat_nest_make(&n, a->row->at, a->row->count, &err) == PRVCUT_OK);
    took = seconds() - from;
    *steps = n.steps;
    pat_nest_fini(&n);
    return took;
}

static double repeats(const struct asked *a, uint64_t *steps)
{
    const double from = seconds();
    struct pat_repeats found;
    double took;

    need(pat_repeats_make(&found, a->row->at, a->row->count, a->row->different, 2, &err) ==
         PRVCUT_OK);
    took = seconds() - from;
    *steps = found.steps + found.suffix.steps;
    pat_repeats_fini(&found);
    return took;
}

static double runs(const struct asked *a, uint64_t *steps)
{
    const double from = seconds();
    struct pat_run *run;
    size_t count;

    need(pat_runs_make(&run, &count, a->row->at, a->row->count, a->row->different, steps, &err) ==
         PRVCUT_OK);
    free(run);
    return seconds() - from;
}

/* Of a stretch of the row itself; the longest row of the text has the search's numbers alone. */
static double seek(const struct asked *a, uint64_t *steps)
{
    uint32_t *edits = malloc(a->row->count * sizeof *edits);
    struct pat_query q;
    double from, took;

    need(edits != NULL);
    need(pat_query_init(&q, a->row->at + a->first, a->count, a->row->different, &err) == PRVCUT_OK);
    from = seconds();
    pat_query_edits(&q, a->row->at, a->row->count, edits);
    took = seconds() - from;
    *steps = a->row->count * ((a->count + 63) / 64);
    pat_query_fini(&q);
    free(edits);
    return took;
}

static void measure(const char *what, timed f, const struct row *r)
{
    tell(what, r->count, cost_of(f, &(struct asked){ .row = r }));
}

/* --- Rows ------------------------------------------------------------------------------------- */

static uint64_t state;

static uint32_t below(uint32_t most)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % most;
}

/* A period of 50 in which one call in a hundred is one too many. */
static void disturbed(size_t count)
{
    struct row r = { .at = NULL };

    state = 42;
    for (uint32_t i = 0; r.count < count; i++) {
        put(&r, i % 50);
        if (below(100) == 0)
            put(&r, 50);
    }
    measure("fold: a loop of 50, disturbed", fold, &r);
    free(r.at);
}

static void random_rows(size_t count, uint32_t different)
{
    struct row r = { .at = NULL };
    char what[64];

    state = 42;
    while (r.count < count)
        put(&r, below(different));
    snprintf(what, sizeof what, "fold: random of %u", different);
    measure(what, fold, &r);
    if (count <= 1000000) {
        snprintf(what, sizeof what, "repeats: random of %u", different);
        measure(what, repeats, &r);
        snprintf(what, sizeof what, "runs: random of %u", different);
        measure(what, runs, &r);
    }
    free(r.at);
}

static void ping_pong(size_t times)
{
    struct row r = { .at = NULL };

    for (size_t i = 0; i < 2 * times; i++)
        put(&r, i % 2);
    measure("fold: ping-pong", fold, &r);
    free(r.at);
}

/* --- Traces ----------------------------------------------------------------------------------- */

struct taken {
    enum pat_alphabet alphabet;
    struct row first, all; /* of the first thread, so often; of all threads, each after a symbol of
                              its own */
    struct cost cost;      /* of all threads; memory: most of one */
};

static enum prvcut_status take(void *ctx, struct pat_thread *t, struct prvcut_error *e)
{
    struct taken *to = ctx;
    struct row r = { .at = NULL };

    (void)e;
    for (size_t i = 0; i < t->calls; i++)
        put(&r, pat_symbol_of(t, i, to->alphabet));
    if (r.count > 0) {
        const struct cost c = cost_of(fold, &(struct asked){ .row = &r });

        to->cost.seconds += c.seconds;
        to->cost.steps += c.steps;
        to->cost.kib = c.kib > to->cost.kib ? c.kib : to->cost.kib;
    }
    to->all.count += r.count;
    if (t->thread == 0) {
        to->first = r;
        return PRVCUT_OK;
    }
    free(r.at);
    return PRVCUT_OK;
}

/* All threads folded; repeats and search in the first one's calls, again and again. */
static void trace(const char *path, const char *alphabet)
{
    const struct prvcut_run run = { .size = sizeof run, .threads = 1 };
    const struct pat_sequences_options o = { .of = 0 };
    struct taken to = { .alphabet = PAT_CALL };
    const char *slash = strrchr(path, '/');
    struct prvcut_dictionary names;
    struct prvcut_trace *t = NULL;
    struct row many = { .at = NULL };
    char what[200];

    while (to.alphabet < PAT_ALL && strcmp(pat_alphabet_text(to.alphabet), alphabet) != 0)
        to.alphabet++;
    need(prvcut_trace_open(&t, path, NULL, &err) >= 0);
    need(t->reader->describe(t, &names, &err) == PRVCUT_OK);
    need(pat_sequences_read(t, &run, &names, &o, take, &to, &err) == PRVCUT_OK);
    prvcut_dictionary_fini(&names);
    prvcut_trace_close(t);
    snprintf(what, sizeof what, "fold: %s, all threads", slash ? slash + 1 : path);
    tell(what, to.all.count, to.cost);
    for (uint32_t k = 0; many.count < 1000000 && to.first.count > 0; k++) {
        for (size_t i = 0; i < to.first.count; i++)
            put(&many, to.first.at[i]);
        put(&many, to.first.different + k);
    }
    snprintf(what, sizeof what, "repeats: its first thread %zu times",
             many.count / (to.first.count + 1));
    measure(what, repeats, &many);
    snprintf(what, sizeof what, "runs: its first thread %zu times",
             many.count / (to.first.count + 1));
    measure(what, runs, &many);
    while (many.count < 1500000)
        put(&many, many.at[many.count - to.first.count - 1]);
    if (to.first.count > 200)
        tell("search: 62 of its calls", many.count,
             cost_of(seek, &(struct asked){ &many, to.first.count / 2, 62 }));
    free(many.at);
    free(to.first.at);
}

int main(int argc, char **argv)
{
    /* What is released is given back, so that each measure begins with the same. */
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 16);
#endif
    printf("| what | symbols | CPU, s | million/s | steps a symbol | MiB |\n"
           "|---|--:|--:|--:|--:|--:|\n");
    ping_pong(1000000);
    ping_pong(10000000);
    disturbed(1000000);
    disturbed(10000000);
    random_rows(100000, 10);
    random_rows(1000000, 10);
    random_rows(10000000, 10);
    random_rows(1000000, 1000);
    random_rows(10000000, 1000);
    for (int i = 1; i + 1 < argc; i += 2)
        trace(argv[i], argv[i + 1]);
    return 0;
}
