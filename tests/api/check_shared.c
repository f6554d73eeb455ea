/* Ranks that share the reading of a trace have the answer of one process alone, byte for byte. Here
   they are threads of one process; tests/mpi does it by MPI. */
#include "prvcut/exchange.h"
#include "prvcut/reduce.h"
#include "prvcut/signals.h"

#include "runner.h"
#include "traces.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define RANKS 7

static char folder[200];

static void make_folder(void)
{
    const char *base = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%s/prvcut-shared.XXXXXX", base && *base ? base : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert(
        traces_shell("for s in prv pcf; do zstd -qdf '%s/lu.S.8.'$s.zst -o '%s/app.'$s; done &&"
                     " cp '%s/lu.S.8.row' '%s/app.row'",
                     SAMPLE_FILES, folder, SAMPLE_FILES, folder));
    ck_assert(
        traces_shell("for k in eztrace otf; do tar -C '%s' -I zstd -xf '%s/lu.S.4-'$k.tar.zst;"
                     " done",
                     folder, SAMPLE_FILES));
}

static void remove_folder(void)
{
    ck_assert(traces_shell("rm -rf '%s'", folder));
}

/* --- Ranks that are threads ------------------------------------------------------------------ */

/* A place for one message from a rank to another. */
struct slot {
    const char *bytes;
    size_t count;
    bool full;
};

struct world {
    pthread_mutex_t lock;
    pthread_cond_t turn;
    struct slot slot[RANKS][RANKS]; /* [from][to] */
    char text[RANKS][1024];
    unsigned ranks, here, ended, meeting;
    uint64_t handed; /* bytes */
    bool unlike;
};

struct rank {
    struct world *world;
    struct prvcut_exchange exchange;
    pthread_t thread;
    const char *trace;
    int threads;
    void (*work)(struct rank *r, char own);
    enum prvcut_status status;
    struct prvcut_error error;
    char *json; /* or another text that is to be the same */
};

static struct rank *rank_of(void *ctx)
{
    return ctx;
}

/* All are here, or one has ended: then nobody waits any longer. */
static void settle(struct world *w)
{
    if (w->here + w->ended < w->ranks)
        return;
    w->unlike = w->ended > 0;
    for (unsigned i = 0; i < w->ranks; i++)
        w->unlike = w->unlike || strcmp(w->text[i], w->text[0]) != 0;
    w->here = 0;
    w->meeting++;
    pthread_cond_broadcast(&w->turn);
}

static enum prvcut_status rank_meet(void *ctx, const char *text, struct prvcut_error *err)
{
    struct rank *r = rank_of(ctx);
    struct world *w = r->world;
    unsigned meeting;
    bool unlike;

    pthread_mutex_lock(&w->lock);
    snprintf(w->text[r->exchange.rank], sizeof w->text[0], "%s", text);
    meeting = w->meeting;
    w->here++;
    settle(w);
    while (w->meeting == meeting)
        pthread_cond_wait(&w->turn, &w->lock);
    unlike = w->unlike;
    pthread_mutex_unlock(&w->lock);
    if (!unlike)
        return PRVCUT_OK;
    err->status = PRVCUT_EIO;
    snprintf(err->text, sizeof err->text, "unlike");
    return PRVCUT_EIO;
}

static enum prvcut_status rank_send(void *ctx, unsigned to, const void *bytes, size_t count,
                                    struct prvcut_error *err)
{
    struct rank *r = rank_of(ctx);
    struct slot *s = &r->world->slot[r->exchange.rank][to];

    (void)err;
    pthread_mutex_lock(&r->world->lock);
    r->world->handed += count;
    *s = (struct slot){ bytes, count, true };
    pthread_cond_broadcast(&r->world->turn);
    while (s->full)
        pthread_cond_wait(&r->world->turn, &r->world->lock);
    pthread_mutex_unlock(&r->world->lock);
    return PRVCUT_OK;
}

static enum prvcut_status rank_receive(void *ctx, unsigned from, void *bytes, size_t count,
                                       struct prvcut_error *err)
{
    struct rank *r = rank_of(ctx);
    struct slot *s = &r->world->slot[from][r->exchange.rank];

    (void)err;
    pthread_mutex_lock(&r->world->lock);
    while (!s->full)
        pthread_cond_wait(&r->world->turn, &r->world->lock);
    ck_assert_uint_eq(s->count, count);
    memcpy(bytes, s->bytes, count);
    s->full = false;
    pthread_cond_broadcast(&r->world->turn);
    pthread_mutex_unlock(&r->world->lock);
    return PRVCUT_OK;
}

/* Cut into a folder of one's own, so that the indexes of all ranks are tried. */
static void job(struct rank *r, char own)
{
    char path[300];
    const struct prvcut_cut_options cut = { .size = sizeof cut, .path = path };
    const struct prvcut_reduce_options options = {
        .size = sizeof options, .iterations = 2, .cheap_proof = true, .cut = &cut
    };
    const struct prvcut_run run = { .size = sizeof run,
                                    .threads = r->threads,
                                    .exchange = r->world ? &r->exchange : NULL };
    struct prvcut_trace *trace = NULL;
    struct prvcut_reduction *found = NULL;

    snprintf(path, sizeof path, "%s/%c", folder, own);
    mkdir(path, 0755);
    snprintf(path, sizeof path, "%s/%c/cut%s", folder, own, strrchr(r->trace, '.'));
    r->status = prvcut_trace_open(&trace, r->trace, NULL, &r->error);
    if (r->status == PRVCUT_OK)
        r->status = prvcut_reduce(trace, &run, &options, &found, &r->error);
    if (r->status == PRVCUT_OK)
        r->status = prvcut_reduction_json(found, &r->json, &r->error);
    prvcut_reduction_free(found);
    prvcut_trace_close(trace);
    for (char *at = r->json; at && (at = strstr(at, "/cut")) != NULL; at++)
        at[-1] = '?';
    if (r->json)
        *strstr(r->json, "\"elapsed_s\"") = '\0';
}

/* Bytes under way need both ends of a message, which two ranks may have read. */
static void signals(struct rank *r, char own)
{
    const struct prvcut_run run = { .size = sizeof run,
                                    .threads = r->threads,
                                    .exchange = r->world ? &r->exchange : NULL };
    const struct prvcut_span whole = { 0, 0 };
    struct prvcut_trace *trace = NULL;
    struct prvcut_signals *found = NULL;
    size_t size;
    FILE *out = open_memstream(&r->json, &size);

    (void)own;
    r->status = prvcut_trace_open(&trace, r->trace, NULL, &r->error);
    if (r->status == PRVCUT_OK)
        r->status = prvcut_signals_compute(trace, &run, "inflight,clogged,bursts", &whole, 100,
                                           &found, &r->error);
    for (size_t i = 0; r->status == PRVCUT_OK && i < 3; i++) {
        const struct prvcut_signal *s = prvcut_signals_at(found, i);

        fprintf(out, "%s %s", s->name, s->absent ? s->absent : "");
        for (size_t k = 0; k < s->bins; k++)
            fprintf(out, " %a", s->at[k]);
    }
    prvcut_signals_free(found);
    prvcut_trace_close(trace);
    fclose(out);
}

static void *rank_run(void *ctx)
{
    struct rank *r = ctx;

    r->work(r, (char)('0' + r->exchange.rank));
    pthread_mutex_lock(&r->world->lock);
    r->world->ended++;
    settle(r->world);
    pthread_mutex_unlock(&r->world->lock);
    return NULL;
}

/* The same work by so many ranks; rank i reads trace[i]. */
static void together(struct rank rank[RANKS], struct world *w, unsigned ranks, int threads,
                     const char *const trace[RANKS], void (*work)(struct rank *r, char own))
{
    *w = (struct world){ .ranks = ranks };
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->turn, NULL);
    for (unsigned i = 0; i < ranks; i++) {
        rank[i] = (struct rank){ .world = w, .trace = trace[i], .threads = threads, .work = work };
        rank[i].exchange =
            (struct prvcut_exchange){ &rank[i], i, ranks, rank_meet, rank_send, rank_receive };
    }
    for (unsigned i = 0; i < ranks; i++)
        ck_assert_int_eq(pthread_create(&rank[i].thread, NULL, rank_run, &rank[i]), 0);
    for (unsigned i = 0; i < ranks; i++)
        pthread_join(rank[i].thread, NULL);
    pthread_cond_destroy(&w->turn);
    pthread_mutex_destroy(&w->lock);
}

/* --- Tests ------------------------------------------------------------------------------------ */

/* Ranks and the threads of each. */
static const struct {
    unsigned ranks;
    int threads;
} teams[] = { { 2, 2 }, { 7, 1 } };

#define TEAMS (sizeof teams / sizeof *teams)

static const char *const traces[] = { "app.prv", "lu.S.4_trace/eztrace_log.otf2",
                                      "lu.S.4_otf/lu.S.4.otf" };

#define TRACES (sizeof traces / sizeof *traces)

static void try_job(const char *path, size_t tried)
{
    const char *trace[RANKS];
    struct rank alone = { .threads = 1 }, rank[RANKS];
    struct world w;

    for (unsigned i = 0; i < RANKS; i++)
        trace[i] = path;
    alone.trace = path;
    job(&alone, 'a');
    ck_assert_msg(alone.status == PRVCUT_OK, "%s", alone.error.text);
    for (size_t k = 0; k < tried; k++) {
        together(rank, &w, teams[k].ranks, teams[k].threads, trace, job);
        ck_assert_uint_gt(w.handed, 0);
        for (unsigned i = 0; i < teams[k].ranks; i++) {
            ck_assert_msg(rank[i].status == PRVCUT_OK, "rank %u: %s", i, rank[i].error.text);
            ck_assert(strcmp(rank[i].json, alone.json) == 0);
            ck_assert(traces_shell("cd '%s' && diff -r a %u && rm -r %u", folder, i, i));
            free(rank[i].json);
        }
    }
    free(alone.json);
    ck_assert(traces_shell("rm -r '%s/a'", folder));
}

START_TEST(test_share_job_gives_what_one_process_gives)
{
    char path[300];

    snprintf(path, sizeof path, "%s/%s", folder, traces[_i]);
    try_job(path, traces_take() > TRACES_LEAST ? TEAMS : 1);
}
END_TEST

/* So many events a location that windows are read from the middle: each rank has to know from where
   on the others' locations can be read. */
START_TEST(test_share_job_reads_windows_of_long_locations)
{
    char path[4096];

    if (traces_take() == TRACES_LEAST ||
        !traces_unpack_archive("otf2", "hpcg.4", path, sizeof path))
        test_leaves_out("the trace otf2/hpcg.4");
    else
        try_job(path, 1);
}
END_TEST

START_TEST(test_share_signals_are_those_of_one_process)
{
    char path[300];
    const char *trace[RANKS];
    struct rank alone = { .threads = 1 }, rank[RANKS];
    struct world w;

    snprintf(path, sizeof path, "%s/%s", folder, traces[_i]);
    for (unsigned i = 0; i < RANKS; i++)
        trace[i] = path;
    alone.trace = path;
    signals(&alone, 'a');
    ck_assert_msg(alone.status == PRVCUT_OK, "%s", alone.error.text);
    ck_assert_ptr_nonnull(strstr(alone.json, "inflight  0x"));
    together(rank, &w, 3, 2, trace, signals);
    ck_assert_uint_gt(w.handed, 0);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_msg(rank[i].status == PRVCUT_OK, "rank %u: %s", i, rank[i].error.text);
        ck_assert_str_eq(rank[i].json, alone.json);
        free(rank[i].json);
    }
    free(alone.json);
}
END_TEST

/* The first in the order of the file is everybody's, with its line, whoever meets it. */
START_TEST(test_share_damage_is_told_as_by_one_process)
{
    char path[300];
    const char *trace[RANKS];
    struct rank alone = { .threads = 1 }, rank[RANKS];
    struct world w;

    snprintf(path, sizeof path, "%s/bad.prv", folder);
    ck_assert(traces_shell("awk 'NR == 60000 || NR == 90000 { print \"2:1:1:x\"; next } 1' "
                           "'%s/app.prv' >'%s'",
                           folder, path));
    for (unsigned i = 0; i < RANKS; i++)
        trace[i] = path;
    alone.trace = path;
    job(&alone, 'a');
    ck_assert_int_eq(alone.status, PRVCUT_EFORMAT);
    ck_assert_uint_eq(alone.error.line, 60000);
    together(rank, &w, 4, 1, trace, job);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_int_eq(rank[i].status, alone.status);
        ck_assert_uint_eq(rank[i].error.line, alone.error.line);
        ck_assert_uint_eq(rank[i].error.offset, alone.error.offset);
        ck_assert_str_eq(rank[i].error.text, alone.error.text);
    }
}
END_TEST

/* Another file, or none: nobody waits for ever, and nothing is written. */
START_TEST(test_share_other_file_is_refused)
{
    char path[300], other[300];
    const char *trace[RANKS];
    struct rank rank[RANKS];
    struct world w;

    snprintf(path, sizeof path, "%s/app.prv", folder);
    snprintf(other, sizeof other, "%s/%s", folder, _i == 0 ? "other.prv" : "none.prv");
    ck_assert(traces_shell("cp '%s' '%s/other.prv' && touch -d 2020-01-01 '%s/other.prv'", path,
                           folder, folder));
    for (unsigned i = 0; i < RANKS; i++)
        trace[i] = i == 2 ? other : path;
    together(rank, &w, 4, 1, trace, job);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_int_lt(rank[i].status, 0);
        ck_assert(traces_shell("cd '%s/%u' && [ -z \"$(ls -A)\" ]", folder, i));
    }
}
END_TEST

static Suite *shared_suite(void)
{
    Suite *s = suite_create("shared");
    TCase *tc = tcase_create("ranks");

    tcase_add_checked_fixture(tc, make_folder, remove_folder);
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, test_share_job_gives_what_one_process_gives, 0, TRACES);
    tcase_add_test(tc, test_share_job_reads_windows_of_long_locations);
    tcase_add_loop_test(tc, test_share_signals_are_those_of_one_process, 0, TRACES);
    tcase_add_test(tc, test_share_damage_is_told_as_by_one_process);
    tcase_add_loop_test(tc, test_share_other_file_is_refused, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return run_suite(shared_suite());
}
