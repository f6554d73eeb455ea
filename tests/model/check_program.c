#include "runner.h"

#include "model/program.h"

#include <stdlib.h>
#include <string.h>

/* A run: calls by name, so many times on all tasks together; functions that make them. */
struct run {
    uint32_t tasks;
    struct {
        const char *call;
        uint64_t made;
    } made[8];
    const char *function[8];
};

static void make(struct prvcut_program *p, const struct run *r)
{
    static struct prvcut_program_tally tally;
    const struct prvcut_program_tally *const all[] = { NULL, &tally };
    struct prvcut_value_name value[8] = { { .text = "End" } };
    struct prvcut_type_name type = { .number = PRVCUT_TYPE_CALLER, .value = value, .values = 1 };
    const struct prvcut_dictionary names = { .type = &type, .types = 1 };
    struct prvcut_error err;

    memset(&tally, 0, sizeof tally);
    for (size_t i = 0; i < 8 && r->made[i].call; i++) {
        const struct prvcut_mpi_call *c = prvcut_mpi_call_of(r->made[i].call, NULL);

        ck_assert_ptr_nonnull(c);
        tally.made[prvcut_program_slot(c->type, c->value)] = r->made[i].made;
    }
    for (size_t i = 0; i < 7 && r->function[i]; i++)
        value[type.values++] =
            (struct prvcut_value_name){ .value = (int64_t)i + 1, .text = r->function[i] };
    ck_assert_int_eq(prvcut_program_of(p, all, 2, r->tasks, &names, true, &err), PRVCUT_OK);
}

/* *why of a, whose base is b; freed by the caller. */
static char *other(const struct run *a, const struct run *b)
{
    struct prvcut_program of_a, of_b;
    struct prvcut_error err;
    char *why = NULL;

    make(&of_a, a);
    make(&of_b, b);
    ck_assert_int_eq(prvcut_program_other(&of_a, &of_b, "base.prv", &why, &err), PRVCUT_OK);
    prvcut_program_fini(&of_a);
    prvcut_program_fini(&of_b);
    return why;
}

static void assert_same(const struct run *a, const struct run *b)
{
    ck_assert_ptr_null(other(a, b));
    ck_assert_ptr_null(other(b, a));
}

static void assert_other(const struct run *a, const struct run *b, const char *says)
{
    char *why = other(a, b), *back = other(b, a);

    ck_assert_ptr_nonnull(why);
    ck_assert_ptr_nonnull(back);
    ck_assert_msg(strstr(why, says), "'%s' says nothing of '%s'", why, says);
    free(why);
    free(back);
}

/* NAS CG and MG on 8 ranks, as they were traced. */
static const struct run cg = {
    .tasks = 8,
    .made = { { "MPI_Bcast", 8 },
              { "MPI_Reduce", 8 },
              { "MPI_Irecv", 23552 },
              { "MPI_Send", 23552 },
              { "MPI_Wait", 23552 },
              { "MPI_Barrier", 8 } },
};
static const struct run mg = {
    .tasks = 8,
    .made = { { "MPI_Bcast", 56 },
              { "MPI_Reduce", 8 },
              { "MPI_Irecv", 4992 },
              { "MPI_Send", 4992 },
              { "MPI_Wait", 4992 },
              { "MPI_Allreduce", 704 } },
};

START_TEST(test_tell_programs_apart_by_a_collective_that_one_never_calls)
{
    assert_other(&mg, &cg, "calls MPI_Allreduce 88 times here and never in base.prv");
    assert_other(&cg, &mg, "never calls MPI_Allreduce here and 88 times in base.prv");
}
END_TEST

START_TEST(test_tell_programs_apart_not_by_neighbours_iterations_or_one_task)
{
    const struct run more = { .tasks = 2,
                              .made = { { "MPI_Bcast", 2 },
                                        { "MPI_Reduce", 2 },
                                        { "MPI_Irecv", 800 },
                                        { "MPI_Send", 800 },
                                        { "MPI_Wait", 800 } } };
    const struct run alone = { .tasks = 1, .made = { { "MPI_Bcast", 1 }, { "MPI_Reduce", 1 } } };
    /* EPOCH: on four ranks particles are sent otherwise, too. */
    const struct run two = {
        .tasks = 2,
        .made = { { "MPI_Allreduce", 22 }, { "MPI_Bcast", 872 }, { "MPI_Sendrecv", 2568 } }
    };
    const struct run four = { .tasks = 4,
                              .made = { { "MPI_Allreduce", 64 },
                                        { "MPI_Bcast", 1744 },
                                        { "MPI_Sendrecv", 5472 },
                                        { "MPI_Send", 84 },
                                        { "MPI_Recv", 84 } } };
    const struct run none = { .tasks = 4 };

    assert_same(&cg, &more);
    assert_same(&cg, &alone);
    assert_same(&two, &four);
    assert_same(&cg, &none);
}
END_TEST

START_TEST(test_tell_programs_apart_by_partners_that_one_never_calls)
{
    struct run other = cg;

    other.made[3].call = "MPI_Isend";
    assert_other(&other, &cg, "MPI_Isend 2944 times here");
    /* Fewer than a tenth. */
    other = cg;
    other.made[5].call = "MPI_Sendrecv";
    other.made[5].made = 5600;
    assert_same(&other, &cg);
    /* Of a run with more tasks, up to a quarter. */
    other.tasks = 16;
    other.made[5].made = 22000;
    assert_same(&other, &cg);
    other.tasks = 8;
    assert_other(&other, &cg, "MPI_Sendrecv");
}
END_TEST

START_TEST(test_tell_programs_apart_by_the_functions_that_call)
{
    struct run a = { .tasks = 4,
                     .made = { { "MPI_Send", 400 }, { "MPI_Recv", 400 } },
                     .function = { "main", "conj_grad_ ", "init_mpi_", "?? " } };
    struct run b = { .tasks = 8,
                     .made = { { "MPI_Send", 400 }, { "MPI_Recv", 400 } },
                     .function = { "main", "zran3_", "ready_ [mg.f:12]", "give3_", "norm2u3_" } };

    assert_other(&a, &b, "no function that calls MPI here does so in base.prv");
    b.function[1] = "__solver_MOD_conj_grad";
    assert_same(&a, &b);
    /* Another compiler's names: the same collectives. */
    b.function[1] = "zran3_";
    a.made[2].call = b.made[2].call = "MPI_Allreduce";
    a.made[2].made = 400;
    b.made[2].made = 800;
    assert_same(&a, &b);
    b.made[2].made = 1600;
    assert_other(&a, &b, "no function");
    /* One name alone tells nothing. */
    a.function[2] = NULL;
    assert_same(&a, &b);
}
END_TEST

/* As often, more often, or is it another loop? Both ways round. */
static enum prvcut_loops loops(const struct run *a, struct prvcut_program_loop of_a,
                               const struct run *b, struct prvcut_program_loop of_b)
{
    struct prvcut_program x, y;
    enum prvcut_loops is;

    make(&x, a);
    make(&y, b);
    x.loop = of_a;
    y.loop = of_b;
    is = prvcut_program_loops(&x, &y);
    ck_assert_int_eq(prvcut_program_loops(&y, &x), is);
    prvcut_program_fini(&x);
    prvcut_program_fini(&y);
    return is;
}

START_TEST(test_tell_loops_apart_by_calls_of_an_iteration_and_in_all)
{
    struct run a = {
        .tasks = 2, .made = { { "MPI_Allreduce", 200 }, { "MPI_Send", 200 }, { "MPI_Recv", 200 } }
    };
    struct run b = { .tasks = 8,
                     .made = {
                         { "MPI_Allreduce", 1600 }, { "MPI_Send", 1600 }, { "MPI_Recv", 1600 } } };

    /* 100 and 200 times with three calls each; all but one or two, or nobody looked. */
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 100, 3 }, &b,
                           (struct prvcut_program_loop){ 200, 3 }),
                     PRVCUT_LOOPS_OTHERWISE);
    ck_assert_int_eq(
        loops(&a, (struct prvcut_program_loop){ 4, 3 }, &b, (struct prvcut_program_loop){ 6, 3 }),
        PRVCUT_LOOPS_AS_OFTEN);
    ck_assert_int_eq(
        loops(&a, (struct prvcut_program_loop){ 100, 3 }, &b, (struct prvcut_program_loop){ 0, 0 }),
        PRVCUT_LOOPS_AS_OFTEN);
    /* Calls do not tell the loop. */
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 100, 0 }, &b,
                           (struct prvcut_program_loop){ 200, 3 }),
                     PRVCUT_LOOPS_OTHERWISE);
    /* Two steps are found as one iteration. */
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 50, 6 }, &b,
                           (struct prvcut_program_loop){ 200, 3 }),
                     PRVCUT_LOOPS_UNLIKE);
    /* More neighbours, and as many collectives in an iteration. */
    b.made[1].made = b.made[2].made = 4800;
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 100, 3 }, &b,
                           (struct prvcut_program_loop){ 200, 7 }),
                     PRVCUT_LOOPS_OTHERWISE);
    /* Some of these come before the loop; or there are others. */
    a.made[0].made = 240;
    b.made[0].made = 1680;
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 100, 3 }, &b,
                           (struct prvcut_program_loop){ 200, 7 }),
                     PRVCUT_LOOPS_OTHERWISE);
    a.made[0].made = 200;
    b.made[0].made = 1920;
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 100, 3 }, &b,
                           (struct prvcut_program_loop){ 200, 7 }),
                     PRVCUT_LOOPS_UNLIKE);
    /* As often, with three times as many. */
    b.made[0].made = 2880;
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 100, 3 }, &b,
                           (struct prvcut_program_loop){ 100, 7 }),
                     PRVCUT_LOOPS_UNLIKE);
    b.made[0].made = 1600;
    a.made[0].call = b.made[0].call = "MPI_Bsend";
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 100, 3 }, &b,
                           (struct prvcut_program_loop){ 200, 7 }),
                     PRVCUT_LOOPS_UNLIKE);
    /* Calls in all that do not go with the iterations: neither too few nor too many. */
    a.made[0].call = b.made[0].call = "MPI_Allreduce";
    b.made[1].made = b.made[2].made = 1600;
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 100, 3 }, &b,
                           (struct prvcut_program_loop){ 160, 3 }),
                     PRVCUT_LOOPS_UNLIKE);
    /* As many calls, but of other kinds: none of the collectives more are in the loop of one. */
    b.made[0].made = 3840;
    b.made[1].made = b.made[2].made = 480;
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 100, 3 }, &b,
                           (struct prvcut_program_loop){ 200, 3 }),
                     PRVCUT_LOOPS_UNLIKE);
    b.made[0].made = b.made[1].made = b.made[2].made = 1600;
    /* As many calls in all: of half of the loop nothing was found. */
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 100, 3 }, &a,
                           (struct prvcut_program_loop){ 50, 3 }),
                     PRVCUT_LOOPS_UNLIKE);
}
END_TEST

/* A few iterations more are an error of the search, unless their calls were made. */
START_TEST(test_few_iterations_more_are_told_by_their_calls)
{
    struct run a = {
        .tasks = 2, .made = { { "MPI_Allreduce", 280 }, { "MPI_Send", 280 }, { "MPI_Recv", 280 } }
    };
    struct run b = {
        .tasks = 4, .made = { { "MPI_Allreduce", 600 }, { "MPI_Send", 600 }, { "MPI_Recv", 600 } }
    };
    const struct prvcut_program_loop fewer = { 140, 3 }, more = { 150, 3 };

    ck_assert_int_eq(loops(&a, fewer, &b, more), PRVCUT_LOOPS_OTHERWISE);
    /* An iteration was taken for another piece of it in one run: collectives tell. */
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 140, 2 }, &b, more),
                     PRVCUT_LOOPS_OTHERWISE);
    /* Sends alone tell where iterations have as many. */
    a.made[0].call = b.made[0].call = "MPI_Bsend";
    ck_assert_int_eq(loops(&a, fewer, &b, more), PRVCUT_LOOPS_OTHERWISE);
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 140, 2 }, &b, more),
                     PRVCUT_LOOPS_AS_OFTEN);
    /* As many calls in all. */
    a.made[0].made = a.made[1].made = a.made[2].made = 300;
    ck_assert_int_eq(loops(&a, fewer, &b, more), PRVCUT_LOOPS_AS_OFTEN);
    /* So are collectives, also where little is missing. */
    a.made[0].call = b.made[0].call = "MPI_Allreduce";
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 147, 2 }, &b, more),
                     PRVCUT_LOOPS_AS_OFTEN);
    /* Three steps and five, and the same of which the calls do not say so. */
    a.made[0].made = a.made[1].made = a.made[2].made = 600;
    b.made[0].made = b.made[1].made = b.made[2].made = 2000;
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 3, 300 }, &b,
                           (struct prvcut_program_loop){ 5, 300 }),
                     PRVCUT_LOOPS_OTHERWISE);
    ck_assert_int_eq(loops(&a, (struct prvcut_program_loop){ 5, 300 }, &a,
                           (struct prvcut_program_loop){ 3, 300 }),
                     PRVCUT_LOOPS_AS_OFTEN);
}
END_TEST

static Suite *program_suite(void)
{
    Suite *suite = suite_create("program");
    TCase *c = tcase_create("program");

    tcase_add_test(c, test_tell_loops_apart_by_calls_of_an_iteration_and_in_all);
    tcase_add_test(c, test_few_iterations_more_are_told_by_their_calls);
    tcase_add_test(c, test_tell_programs_apart_by_a_collective_that_one_never_calls);
    tcase_add_test(c, test_tell_programs_apart_not_by_neighbours_iterations_or_one_task);
    tcase_add_test(c, test_tell_programs_apart_by_partners_that_one_never_calls);
    tcase_add_test(c, test_tell_programs_apart_by_the_functions_that_call);
    suite_add_tcase(suite, c);
    return suite;
}

int main(void)
{
    return run_suite(program_suite());
}
