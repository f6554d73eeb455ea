#ifndef TESTS_FAULTS_CASES_H
#define TESTS_FAULTS_CASES_H

#include <stddef.h>

/** A command that faults are tried on. */
struct fault_case {
    const char *name;
    const char *input;     /**< folder of inputs.sh that it runs in a copy of */
    const char *arguments; /**< words, a blank between each two */
    const char *trace;     /**< in that folder */
};

extern const struct fault_case fault_cases[];
extern const size_t fault_case_count;

/** A call that fails, and how. */
struct fault_kind {
    const char *call; /**< of preload.c; "time": at a random moment */
    const char *how;
};

extern const struct fault_kind fault_kinds[];
extern const size_t fault_kind_count;

#endif
