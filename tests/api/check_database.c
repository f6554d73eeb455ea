/* Databases of real traces of all formats: rows and sums of random windows are those of the stream.
 */
#include "prvcut/database.h"
#include "prvcut/objects.h"
#include "prvcut/profile.h"
#include "prvcut/stream.h"

#include "built.h"
#include "runner.h"
#include "traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct real {
    const char *format, *name;
} real[] = {
    { NULL, "lu.S.8.prv.zst" }, { "paraver", "lu.S.4" }, { "otf2", "lu.S.4" },
    { "otf2", "mpikinds.4" },   { "otf", "cg.S.4" },
};
#define REAL ((int)(sizeof real / sizeof *real))

/* What a window holds; each has a question that gives the same. */
enum { CALLS, CALLS_NS, MESSAGES, BYTES, COLLECTIVES, MEMBERS, STATES, SINGLE, VALUES, SUMS };

static const char values_of_all[] =
    "SELECT sum(value % 1000) FROM (SELECT 0 AS value UNION ALL SELECT value FROM events"
    " UNION ALL SELECT value FROM counters)";

static const char *const question[SUMS] = {
    [CALLS] = "SELECT count(*) FROM calls",
    [CALLS_NS] = "SELECT ifnull(sum(duration_ns), 0) FROM calls",
    [MESSAGES] = "SELECT count(*) FROM messages",
    [BYTES] = "SELECT ifnull(sum(bytes), 0) FROM messages",
    [COLLECTIVES] = "SELECT count(*) FROM collectives",
    [MEMBERS] = "SELECT count(*) FROM collective_members",
    [STATES] = "SELECT count(*) FROM states",
    [SINGLE] = "SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM counters)",
    [VALUES] = values_of_all,
};

static enum prvcut_status add_call(void *ctx, const struct prvcut_stream_call *c, bool begins)
{
    int64_t *sum = ctx;

    /* Of what began before the trace nobody knows what it is. */
    if (c->no_begin && c->value == 0)
        return PRVCUT_OK;
    sum[CALLS] += !begins;
    sum[CALLS_NS] += begins ? 0 : (int64_t)(c->span.end - c->span.start);
    return PRVCUT_OK;
}

static enum prvcut_status add_message(void *ctx, const struct prvcut_stream_message *m, bool begins)
{
    int64_t *sum = ctx;

    sum[MESSAGES] += !begins;
    sum[BYTES] += begins ? 0 : (int64_t)m->size;
    return PRVCUT_OK;
}

static enum prvcut_status add_collective(void *ctx, const struct prvcut_stream_collective *c,
                                         bool begins)
{
    int64_t *sum = ctx;

    sum[COLLECTIVES] += !begins;
    sum[MEMBERS] += begins ? 0 : c->members;
    return PRVCUT_OK;
}

static enum prvcut_status add_records(void *ctx, const struct prvcut_record *r, size_t count)
{
    int64_t *sum = ctx;

    for (size_t i = 0; i < count; i++) {
        sum[STATES] += r[i].kind == PRVCUT_RECORD_STATE;
        sum[SINGLE] += r[i].kind == PRVCUT_RECORD_EVENT;
        sum[VALUES] += r[i].kind == PRVCUT_RECORD_EVENT ? r[i].value % 1000 : 0;
    }
    return PRVCUT_OK;
}

static void count_stream(int64_t sum[SUMS], struct prvcut_trace *t, struct prvcut_span only)
{
    const struct prvcut_stream_options o = {
        .size = sizeof o,
        .only = only,
        .calls = PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION),
    };
    const struct prvcut_stream_taker taker = { .size = sizeof taker,
                                               .ctx = sum,
                                               .call = add_call,
                                               .message = add_message,
                                               .collective = add_collective,
                                               .records = add_records };
    struct prvcut_error err = { 0 };

    memset(sum, 0, SUMS * sizeof *sum);
    ck_assert_msg(prvcut_stream_run(t, NULL, &o, &taker, &err) == PRVCUT_OK, "%s", err.text);
}

static int64_t ask(const char *path, const char *sql)
{
    const struct prvcut_query_options o = { .size = sizeof o, .sql = sql };
    struct prvcut_error err = { 0 };
    struct prvcut_query *q;
    int64_t answer;

    ck_assert_msg(prvcut_query_database(path, NULL, &o, &q, &err) == PRVCUT_OK, "%s: %s", sql,
                  err.text);
    ck_assert_uint_eq(q->rows, 1);
    ck_assert_uint_eq(prvcut_query_cell(q, 0, 0)->kind, PRVCUT_CELL_INTEGER);
    answer = prvcut_query_cell(q, 0, 0)->integer;
    prvcut_query_free(q);
    return answer;
}

static void compare_window(struct prvcut_trace *t, const char *name, const char *path,
                           struct prvcut_span only)
{
    const struct prvcut_database_options o = { .size = sizeof o, .only = only };
    struct prvcut_error err = { 0 };
    struct prvcut_database *made;
    int64_t sum[SUMS];

    count_stream(sum, t, only);
    ck_assert_msg(prvcut_database_make(t, NULL, &o, path, true, &made, &err) == PRVCUT_OK, "%s: %s",
                  name, err.text);
    prvcut_database_free(made);
    for (int i = 0; i < SUMS; i++)
        ck_assert_msg(ask(path, question[i]) == sum[i],
                      "%s [%" PRIu64 ", %" PRIu64 "): %s: %" PRId64 ", not %" PRId64, name,
                      only.start, only.end, question[i], ask(path, question[i]), sum[i]);
}

/* NULL: it is not here. */
static struct prvcut_trace *open_real(const struct real *r)
{
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t = NULL;
    char path[4096];

    if (!r->format)
        snprintf(path, sizeof path, "%s/%s", SAMPLE_FILES, r->name);
    else if (!traces_folder() || !test_reads(r->format) ||
             !(strcmp(r->format, "paraver") == 0
                   ? traces_unpack(r->name, path, sizeof path)
                   : traces_unpack_archive(r->format, r->name, path, sizeof path))) {
        test_leaves_out("a real trace");
        return NULL;
    }
    ck_assert_msg(prvcut_trace_open(&t, path, NULL, &err) == PRVCUT_OK, "%s", err.text);
    return t;
}

START_TEST(test_windows_hold_what_the_stream_tells)
{
    struct prvcut_trace *t = open_real(&real[_i]);
    char path[64];
    uint64_t end;

    if (!t)
        return;
    snprintf(path, sizeof path, "check-%ld-%d.sqlite", (long)getpid(), _i);
    compare_window(t, real[_i].name, path, (struct prvcut_span){ 0, 0 });
    end = prvcut_trace_end(t);
    for (int k = 0; k < (traces_take() == TRACES_LEAST ? 1 : 3); k++) {
        const uint64_t a = (uint64_t)rand() % end, b = (uint64_t)rand() % end;

        if (a != b)
            compare_window(t, real[_i].name, path,
                           (struct prvcut_span){ a < b ? a : b, a < b ? b : a });
    }
    remove(path);
    prvcut_trace_close(t);
}
END_TEST

/* When the run ends OTF2 tells only where its clocks were brought together. */
START_TEST(test_a_trace_ends_as_its_database_does)
{
    static const struct real bent = { "otf2", "scorep-ping-pong-otf2-papi" };
    static const char *const asked[] = { "SELECT value FROM meta WHERE key = 'end_ns'",
                                         "SELECT max(end_ns) FROM threads" };
    const struct prvcut_database_options all = { .size = sizeof all };
    struct prvcut_error err = { 0 };

    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const struct prvcut_query_options o = { .size = sizeof o, .sql = asked[i], .of = &all };
        struct prvcut_trace *t = open_real(&bent);
        struct prvcut_database *made;
        struct prvcut_query *q;
        char path[64];

        if (!t)
            return;
        snprintf(path, sizeof path, "check-%ld-end.sqlite", (long)getpid());
        ck_assert_int_eq(prvcut_query_make(t, NULL, &o, &q, &err), PRVCUT_OK);
        ck_assert_int_eq(prvcut_database_make(t, NULL, &all, path, true, &made, &err), PRVCUT_OK);
        ck_assert_int_eq(prvcut_query_cell(q, 0, 0)->integer, ask(path, asked[i]));
        ck_assert_int_eq(prvcut_query_cell(q, 0, 0)->integer, (int64_t)prvcut_trace_end(t));
        prvcut_query_free(q);
        prvcut_database_free(made);
        remove(path);
        prvcut_trace_close(t);
    }
}
END_TEST

/* Also of threads that are not in the region's loop. */
START_TEST(test_a_region_is_as_long_as_in_the_profile)
{
    const struct prvcut_database_options of = { .size = sizeof of, .region = "1.6" };
    const struct prvcut_profile_options as = { .size = sizeof as,
                                               .by = PRVCUT_PROFILE_BY_THREAD,
                                               .region = "1.6" };
    const struct prvcut_query_options o = {
        .size = sizeof o, .sql = "SELECT end_ns - begin_ns FROM threads ORDER BY thread", .of = &of
    };
    struct prvcut_error err = { 0 };
    struct prvcut_profile *p;
    struct prvcut_trace *t;
    struct prvcut_query *q;
    char path[4096];

    if (!traces_folder())
        return;
    ck_assert(traces_unpack_file("apps", "paraver/q.couple-free.4/q.couple-free.4.prv.zst", path,
                                 sizeof path));
    ck_assert_int_eq(prvcut_trace_open(&t, path, NULL, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_query_make(t, NULL, &o, &q, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_profile_make(t, NULL, &as, &p, &err), PRVCUT_OK);
    ck_assert_uint_eq(q->rows, 4);
    ck_assert_uint_eq(p->rows, 4);
    for (size_t i = 0; i < p->rows; i++)
        ck_assert_int_eq(prvcut_query_cell(q, i, 0)->integer,
                         (int64_t)prvcut_profile_row(p, i)->window_ns);
    prvcut_profile_free(p);
    prvcut_query_free(q);
    prvcut_trace_close(t);
}
END_TEST

/* A disturbed iteration between two regions has none, which is not told by an empty text. */
START_TEST(test_an_iteration_of_no_region_tells_none)
{
    static const char *const asked[] = {
        "SELECT count(*) FROM iterations WHERE region = ''",
        "SELECT count(*) FROM iterations WHERE region IS NULL AND NOT disturbed",
        "SELECT count(*) FROM iterations WHERE region IS NULL",
        "SELECT count(*) FROM iterations WHERE region IS NOT NULL",
    };
    const struct prvcut_database_options of = { .size = sizeof of };
    int64_t count[4];
    char path[4096];

    if (!traces_folder() || !traces_unpack("bt.W.9.flush", path, sizeof path))
        return;
    for (size_t i = 0; i < 4; i++) {
        const struct prvcut_query_options o = { .size = sizeof o, .sql = asked[i], .of = &of };
        struct prvcut_error err = { 0 };
        struct prvcut_trace *t;
        struct prvcut_query *q;

        ck_assert_int_eq(prvcut_trace_open(&t, path, NULL, &err), PRVCUT_OK);
        ck_assert_int_eq(prvcut_query_make(t, NULL, &o, &q, &err), PRVCUT_OK);
        count[i] = prvcut_query_cell(q, 0, 0)->integer;
        prvcut_query_free(q);
        prvcut_trace_close(t);
    }
    ck_assert_int_eq(count[0], 0);
    ck_assert_int_eq(count[1], 0);
    ck_assert_int_ge(count[2], 1);
    ck_assert_int_ge(count[3], 100);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("database");
    TCase *c = tcase_create("real");
    const unsigned seed = (unsigned)time(NULL);

    /* Told, so that what fails can be run again. */
    printf("seed %u\n", getenv("SEED") ? (unsigned)strtoul(getenv("SEED"), NULL, 10) : seed);
    srand(getenv("SEED") ? (unsigned)strtoul(getenv("SEED"), NULL, 10) : seed);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, test_windows_hold_what_the_stream_tells, 0, REAL);
    tcase_add_test(c, test_a_trace_ends_as_its_database_does);
    tcase_add_test(c, test_a_region_is_as_long_as_in_the_profile);
    tcase_add_test(c, test_an_iteration_of_no_region_tells_none);
    suite_add_tcase(s, c);
    return run_suite(s);
}
