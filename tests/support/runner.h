#ifndef TEST_RUNNER_H
#define TEST_RUNNER_H

#include <check.h>

/** Run one suite, each test in its own process; returns what main returns. */
int run_suite(Suite *suite);

#endif
