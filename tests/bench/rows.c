/* What folding, repeats and search take by themselves, without reading: rows of symbols that are
   made here, and those of the first threads of traces.

       prvrows [TRACE NAME]...     NAME: call, partner, size

   prints a table: what, symbols, CPU seconds of the best of three, million symbols a second, steps
   a symbol. */
#include "analysis/patterns/approx.h"
#include "analysis/patterns/choose.h"
#include "analysis/patterns/nest.h"
#include "analysis/patterns/repeats.h"
#include "api/opening.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static void tell(const char *what, size_t count, double best, uint64_t steps)
{
    printf("| %s | %zu | %.3f | %.1f | %.1f |\n", what, count, best,
           best > 0 ? (double)count / best / 1e6 : 0, (double)steps / (double)count);
    fflush(stdout);
}

static void fold(const char *what, const struct row *r)
{
    double best = 1e9;
    uint64_t steps = 0;

    for (int i = 0; i < TIMES; i++) {
        const double from = seconds();
        struct pat_nest n;

        pat_nest_init(&n);
        need(pat_nest_make(&n, r->at, r->count, &err) == PRVCUT_OK);
        best = seconds() - from < best ? seconds() - from : best;
        steps = n.steps;
        pat_nest_fini(&n);
    }
    tell(what, r->count, best, steps);
}

static void repeats(const char *what, const struct row *r)
{
    double best = 1e9;
    uint64_t steps = 0;

    for (int i = 0; i < TIMES; i++) {
        const double from = seconds();
        struct pat_repeats found;

        need(pat_repeats_make(&found, r->at, r->count, r->different, 2, &err) == PRVCUT_OK);
        best = seconds() - from < best ? seconds() - from : best;
        steps = found.steps + found.suffix.steps;
        pat_repeats_fini(&found);
    }
    tell(what, r->count, best, steps);
}

/* Of a stretch of the row itself; the longest row of the text has the search's numbers alone. */
static void seek(const char *what, const struct row *r, size_t first, size_t count)
{
    double best = 1e9;
    uint32_t *edits = malloc(r->count * sizeof *edits);

    need(edits != NULL);
    for (int i = 0; i < TIMES; i++) {
        struct pat_query q;
        double from;

        need(pat_query_init(&q, r->at + first, count, r->different, &err) == PRVCUT_OK);
        from = seconds();
        pat_query_edits(&q, r->at, r->count, edits);
        best = seconds() - from < best ? seconds() - from : best;
        pat_query_fini(&q);
    }
    tell(what, r->count, best, r->count * ((count + 63) / 64));
    free(edits);
}

/* --- Rows ------------------------------------------------------------------------------------- */

static uint64_t state;

static uint32_t below(uint32_t most)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % most;
}

static void random_rows(size_t count, uint32_t different)
{
    struct row r = { .at = NULL };
    char what[64];

    state = 42;
    while (r.count < count)
        put(&r, below(different));
    snprintf(what, sizeof what, "fold: random of %u", different);
    fold(what, &r);
    if (count <= 1000000) {
        snprintf(what, sizeof what, "repeats: random of %u", different);
        repeats(what, &r);
    }
    free(r.at);
}

static void ping_pong(size_t times)
{
    struct row r = { .at = NULL };

    for (size_t i = 0; i < 2 * times; i++)
        put(&r, i % 2);
    fold("fold: ping-pong", &r);
    free(r.at);
}

/* --- Traces ----------------------------------------------------------------------------------- */

struct taken {
    enum pat_alphabet alphabet;
    struct row first, all; /* of the first thread, so often; of all threads, each after a symbol of
                              its own */
    double best;
    uint64_t steps;
};

static enum prvcut_status take(void *ctx, struct pat_thread *t, struct prvcut_error *e)
{
    struct taken *to = ctx;
    struct row r = { .at = NULL };
    double best = 1e9;

    (void)e;
    for (size_t i = 0; i < t->calls; i++)
        put(&r, pat_symbol_of(t, i, to->alphabet));
    for (int i = 0; i < TIMES && r.count > 0; i++) {
        const double from = seconds();
        struct pat_nest n;

        pat_nest_init(&n);
        need(pat_nest_make(&n, r.at, r.count, &err) == PRVCUT_OK);
        best = seconds() - from < best ? seconds() - from : best;
        to->steps += i == 0 ? n.steps : 0;
        pat_nest_fini(&n);
    }
    to->best += r.count > 0 ? best : 0;
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
    tell(what, to.all.count, to.best, to.steps);
    for (uint32_t k = 0; many.count < 1000000 && to.first.count > 0; k++) {
        for (size_t i = 0; i < to.first.count; i++)
            put(&many, to.first.at[i]);
        put(&many, to.first.different + k);
    }
    snprintf(what, sizeof what, "repeats: its first thread %zu times",
             many.count / (to.first.count + 1));
    repeats(what, &many);
    while (many.count < 1500000)
        put(&many, many.at[many.count - to.first.count - 1]);
    if (to.first.count > 200)
        seek("search: 62 of its calls", &many, to.first.count / 2, 62);
    free(many.at);
    free(to.first.at);
}

int main(int argc, char **argv)
{
    printf("| what | symbols | CPU, s | million/s | steps a symbol |\n|---|--:|--:|--:|--:|\n");
    ping_pong(1000000);
    ping_pong(10000000);
    random_rows(1000000, 10);
    random_rows(10000000, 10);
    random_rows(1000000, 1000);
    random_rows(10000000, 1000);
    for (int i = 1; i + 1 < argc; i += 2)
        trace(argv[i], argv[i + 1]);
    return 0;
}
