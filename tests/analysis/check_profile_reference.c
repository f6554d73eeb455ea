/* Profiles of real traces as other programs tell them: Paraver's kernel, and a prototype of its
 * own. */
#include "prvcut/profile.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct prvcut_error error;

static struct prvcut_profile *make(struct prvcut_trace *t, uint32_t by, struct prvcut_span only,
                                   int threads)
{
    const struct prvcut_profile_options o = { .size = sizeof o, .by = by, .only = only };
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_profile *p;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_profile_make(t, &run, &o, &p, &error) == PRVCUT_OK, "%s", error.text);
    return p;
}

/* One number of a row, as the reference has it. */
struct line {
    const char *line, *trace;
    uint32_t by;
    struct prvcut_span only;
    const char *call;                  /* or state; NULL: all of a rank */
    int64_t who;                       /* rank; -1: all */
    uint64_t entered, ns, least, most; /* or computing, in calls, rest; 0: not told */
};

#define C PRVCUT_PROFILE_BY_CALL
#define S PRVCUT_PROFILE_BY_STATE
#define R PRVCUT_PROFILE_BY_RANK

static const struct line lines[] = {
    { "R1", "epoch.2", C, { 0, 0 }, "MPI_Sendrecv", -1, 2568, 109978311, 4135, 43974819 },
    { "R1", "epoch.2", C, { 0, 0 }, "MPI_Bcast", -1, 872, 14081903, 0, 0 },
    { "R1", "epoch.2", C, { 0, 0 }, "MPI_Barrier", -1, 8, 5719155, 0, 0 },
    { "R1", "epoch.2", C, { 0, 0 }, "MPI_Allreduce", -1, 22, 4641084, 0, 0 },
    { "R1", "epoch.2", C, { 0, 0 }, "MPI_Cart_create", -1, 2, 0, 0, 0 },
    { "R1", "epoch.2", R, { 0, 0 }, NULL, 0, 11429241023, 95819270, 3313272, 0 },
    { "R1", "epoch.2", R, { 0, 0 }, NULL, 1, 11484151344, 41847611, 2083159, 0 },
    { "R2", "lu.S.4", S, { 0, 0 }, "Running", -1, 0, 1690510528, 0, 0 },
    { "R2", "lu.S.4", S, { 0, 0 }, "Not created", -1, 0, 547514070, 0, 0 },
    { "R2", "lu.S.4", S, { 0, 0 }, "Waiting a message", -1, 0, 743476600, 0, 0 },
    { "R2", "lu.S.4", S, { 0, 0 }, "Blocking Send", -1, 0, 806261055, 0, 0 },
    { "R2", "lu.S.4", S, { 0, 0 }, "Wait/WaitAll", -1, 0, 287716871, 0, 0 },
    { "R2", "lu.S.4", S, { 0, 0 }, "Immediate Receive", -1, 0, 3066550, 0, 0 },
    { "R2", "lu.S.4", S, { 0, 0 }, "I/O", -1, 0, 2380985, 0, 0 },
    { "R2", "lu.S.4", S, { 0, 0 }, "Group Communication", -1, 0, 96632677, 0, 0 },
    { "R2", "lu.S.4", S, { 0, 0 }, "Others", -1, 0, 49525144, 0, 0 },
    { "R2", "lu.S.4", C, { 0, 0 }, "MPI_Send", -1, 4520, 806261055, 0, 0 },
    { "R2", "lu.S.4", C, { 0, 0 }, "MPI_Recv", -1, 4080, 743476600, 0, 0 },
    { "R2", "lu.S.4", C, { 0, 0 }, "MPI_Irecv", -1, 440, 3066550, 0, 0 },
    { "R2", "lu.S.4", C, { 0, 0 }, "MPI_Wait", -1, 440, 287716871, 0, 0 },
    { "R2", "lu.S.4", C, { 0, 0 }, "MPI_Bcast", -1, 40, 671885, 0, 0 },
    { "R2", "lu.S.4", C, { 0, 0 }, "MPI_Barrier", -1, 8, 9123356, 0, 0 },
    { "R2", "lu.S.4", C, { 0, 0 }, "MPI_Allreduce", -1, 40, 86837436, 0, 0 },
    { "R2", "lu.S.4", C, { 0, 0 }, "MPI_Init", -1, 4, 48239355, 0, 0 },
    { "R3", "lu.S.4", C | R, { 0, 0 }, "MPI_Recv", 0, 1020, 306452833, 0, 0 },
    { "R3", "lu.S.4", C | R, { 0, 0 }, "MPI_Recv", 1, 1020, 157161614, 0, 0 },
    { "R3", "lu.S.4", C | R, { 0, 0 }, "MPI_Recv", 2, 1020, 205409754, 0, 0 },
    { "R3", "lu.S.4", C | R, { 0, 0 }, "MPI_Recv", 3, 1020, 74452399, 0, 0 },
    { "R4", "lu.W.4", S, { 1789964744, 1804071339 }, "Running", -1, 0, 21725080, 0, 0 },
    { "R4", "lu.W.4", C, { 1789964744, 1804071339 }, "MPI_Recv", -1, 0, 16562347, 0, 0 },
    { "R4", "lu.W.4", C, { 1789964744, 1804071339 }, "MPI_Send", -1, 0, 16957353, 0, 0 },
    { "R4", "lu.W.4", C, { 1789964744, 1804071339 }, "MPI_Wait", -1, 0, 989524, 0, 0 },
    { "R4", "lu.W.4", C, { 1789964744, 1804071339 }, "MPI_Irecv", -1, 0, 192076, 0, 0 },
    { "R4", "lu.S.4", C, { 869210098, 878140415 }, "MPI_Send", -1, 176, 1383975, 0, 139418 },
    { "R4", "lu.S.4", C, { 869210098, 878140415 }, "MPI_Recv", -1, 160, 17198745, 0, 0 },
    { "R4", "lu.S.4", C, { 869210098, 878140415 }, "MPI_Irecv", -1, 17, 87139, 0, 0 },
    { "R4", "lu.S.4", C, { 869210098, 878140415 }, "MPI_Wait", -1, 16, 16193661, 0, 0 },
    { "R6", "hpcc.4", C, { 0, 0 }, "MPI_Waitall", -1, 6364, 744528893, 0, 0 },
    { "R6", "hpcc.4", C, { 0, 0 }, "MPI_Isend", -1, 14301, 66530747, 0, 0 },
    { "R6", "hpcc.4", C, { 0, 0 }, "MPI_Testany", -1, 1547, 6204552, 0, 0 },
    { "R6", "hpcc.4", C, { 0, 0 }, "MPI_Iprobe", -1, 10, 25460, 0, 0 },
    { "R6", "hpcc.4", C, { 0, 0 }, "MPI_Cancel", -1, 16, 99883, 0, 0 },
};

static bool open_real(struct prvcut_trace **t, const char *name)
{
    char path[4096];

    memset(&error, 0, sizeof error);
    if (strncmp(name, "epoch", 5) != 0) {
        ck_assert(traces_unpack(name, path, sizeof path));
    } else {
        snprintf(path, sizeof path, "%s/more/%s/%s.prv.zst", traces_folder(), name, name);
        if (!traces_shell("test -e '%s'", path))
            return false;
    }
    ck_assert_msg(prvcut_trace_open(t, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    return true;
}

static const struct prvcut_profile_row *line_row(const struct prvcut_profile *p,
                                                 const struct line *l)
{
    for (size_t i = 0; i < p->rows; i++) {
        const struct prvcut_profile_row *r = prvcut_profile_row(p, i);

        if ((!l->call || strcmp(r->name, l->call) == 0) &&
            (l->who < 0 || r->rank == (uint32_t)l->who))
            return r;
    }
    return NULL;
}

/* Is it as wanted, where anything is? */
static bool agrees(uint64_t got, uint64_t want)
{
    return want == 0 || got == want;
}

static bool check_line(const struct prvcut_profile_row *r, const struct line *l)
{
    const uint64_t got[4] = { l->call ? r->entered : r->computing_ns, l->call ? r->ns : r->calls_ns,
                              l->call ? r->least_ns : r->rest_ns, l->call ? r->most_ns : 0 };
    const bool good = agrees(got[0], l->entered) && got[1] == l->ns && agrees(got[2], l->least) &&
                      agrees(got[3], l->most);

    printf("%s  %-8s %-20s %3" PRId64, l->line, l->trace, l->call ? l->call : "rank", l->who);
    for (size_t i = 0; i < sizeof got / sizeof *got; i++)
        printf(" %12" PRId64, (int64_t)got[i]);
    printf("  %s\n", good ? "as the reference" : "WRONG");
    return good;
}

START_TEST(test_profile_real_traces_as_reference)
{
    bool good = true;

    if (!traces_folder())
        return;
    printf("\nline trace    what                rank      entered           ns        least        "
           " most"
           "\n                                       (of a rank: computing, in calls, rest)\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct prvcut_trace *t;
        struct prvcut_profile *p;
        const struct prvcut_profile_row *r;

        if (!open_real(&t, lines[i].trace))
            continue;
        p = make(t, lines[i].by, lines[i].only, 2);
        r = line_row(p, &lines[i]);
        good &= r && check_line(r, &lines[i]);
        prvcut_profile_free(p);
        prvcut_trace_close(t);
    }
    ck_assert(good);
}
END_TEST

static Suite *profile_suite(void)
{
    Suite *s = suite_create("profile_reference");
    TCase *tests = tcase_create("tests");

    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, test_profile_real_traces_as_reference);
    suite_add_tcase(s, tests);
    return s;
}

int main(void)
{
    if (!traces_folder())
        test_leaves_out("real traces");
    return run_suite(profile_suite());
}
