#ifndef TEST_RUNNER_H
#define TEST_RUNNER_H

#include <check.h>
#include <stdbool.h>

/** Exit status of a test that could not do all that it is for; ctest says "Skipped". */
#define TEST_SKIPPED 77

/**
 * Run one suite, each test in its own process; returns what main returns: TEST_SKIPPED where a test
 * left something out, which is a failure where PRVCUT_TESTS_COMPLETE=1 asks for all.
 */
int run_suite(Suite *suite);

/** Tell that something is left out, because of what is missing here; may be told by any process. */
void test_leaves_out(const char *what);

/** What a program returns that is not run by run_suite. */
int test_status(bool good);

#endif
