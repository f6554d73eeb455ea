#include "paraver/roles.h"

#include <string.h>
#include <strings.h>

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

/* Event types that Extrae numbers itself; where a .pcf lists a number, its label decides. */
const struct prv_known_type prv_known_types[] = {
    { 40000001, PRVCUT_ROLE_OTHER, false, "Application" },
    { 40000002, PRVCUT_ROLE_REGION, true, "Trace initialization" },
    { 40000003, PRVCUT_ROLE_FLUSH, true, "Flushing Traces" },
    { 40000012, PRVCUT_ROLE_TRACING, false, "Tracing" },
    { 40000018, PRVCUT_ROLE_OTHER, false, "Tracing mode" },
    { 42000050, PRVCUT_ROLE_INSTRUCTIONS, false, "PAPI_TOT_INS [Instr completed]" },
    { 42000059, PRVCUT_ROLE_CYCLES, false, "PAPI_TOT_CYC [Total cycles]" },
    { 50000001, PRVCUT_ROLE_P2P, true, "MPI Point-to-point" },
    { 50000002, PRVCUT_ROLE_COLLECTIVE, true, "MPI Collective Comm" },
    { 50000003, PRVCUT_ROLE_MPI_OTHER, true, "MPI Other" },
    { 50000004, PRVCUT_ROLE_MPI_OTHER, true, "MPI One-sided" },
    { 50000005, PRVCUT_ROLE_MPI_OTHER, true, "MPI I/O" },
    { 50100001, PRVCUT_ROLE_SIZE, false, "Send Size in MPI Global OP" },
    { 50100002, PRVCUT_ROLE_SIZE, false, "Recv Size in MPI Global OP" },
    { 50100003, PRVCUT_ROLE_ROOT, false, "Root in MPI Global OP" },
    { 50100004, PRVCUT_ROLE_COMMUNICATOR, false, "Communicator in MPI Global OP" },
    { 60000001, PRVCUT_ROLE_REGION, true, "Parallel (OMP)" },
    { 60000005, PRVCUT_ROLE_REGION, true, "OpenMP barrier" },
    /* Values that follow each other: asked for, had, given back; only the last one is 0. */
    { 60000006, PRVCUT_ROLE_OTHER, false, "OpenMP named-Lock" },
    { 60000007, PRVCUT_ROLE_OTHER, false, "OpenMP unnamed-Lock" },
    { 60000018, PRVCUT_ROLE_REGION, true, "Executed OpenMP parallel function" },
    { 60000023, PRVCUT_ROLE_REGION, true, "Executed OpenMP task function" },
    { 60000118, PRVCUT_ROLE_REGION, true, "Executed OpenMP parallel function line and file" },
    { 60000123, PRVCUT_ROLE_REGION, true, "Executed OpenMP task function line and file" },
    { 0, PRVCUT_ROLE_OTHER, false, NULL },
};

/* Numbers that mean the same whatever the label says; [first, last]. */
static const struct {
    uint32_t first, last;
    enum prvcut_role role;
} extrae_ranges[] = {
    { 30000000, 30000199, PRVCUT_ROLE_SAMPLE },
    { 42000000, 44999999, PRVCUT_ROLE_COUNTER },
    /* 45..46 million: resource use and memory use of the process, read a few times a run. */
    { 45000000, 46999999, PRVCUT_ROLE_OTHER },
    { 47000000, 49999999, PRVCUT_ROLE_COUNTER },
    { 50100001, 50100002, PRVCUT_ROLE_SIZE },
    { 50100003, 50100003, PRVCUT_ROLE_ROOT },
    { 50100004, 50100004, PRVCUT_ROLE_COMMUNICATOR },
    { 70000000, 70000099, PRVCUT_ROLE_CALLER },
    { 80000000, 80000099, PRVCUT_ROLE_CALLER_LINE },
};

enum match { MATCH_WHOLE, MATCH_START, MATCH_WORD };

/*
 * Labels that say what a type is. Of the lines of one role that have a rank, only those with
 * the highest rank that the trace lists count: the same thing counted twice would count double.
 */
static const struct {
    const char *text;
    enum match match;
    enum prvcut_role role;
    int rank;
} label_rules[] = {
    { "MPI Point-to-point", MATCH_WHOLE, PRVCUT_ROLE_P2P, 0 },
    { "MPI Collective Comm", MATCH_START, PRVCUT_ROLE_COLLECTIVE, 0 },
    { "MPI Collective", MATCH_WHOLE, PRVCUT_ROLE_COLLECTIVE, 0 },
    { "MPI Other", MATCH_WHOLE, PRVCUT_ROLE_MPI_OTHER, 0 },
    { "MPI One-sided", MATCH_WHOLE, PRVCUT_ROLE_MPI_OTHER, 0 },
    { "MPI RMA", MATCH_WHOLE, PRVCUT_ROLE_MPI_OTHER, 0 },
    { "MPI I/O", MATCH_WHOLE, PRVCUT_ROLE_MPI_OTHER, 0 },
    { "MPI IO", MATCH_WHOLE, PRVCUT_ROLE_MPI_OTHER, 0 },
    { "Flushing Traces", MATCH_WHOLE, PRVCUT_ROLE_FLUSH, 0 },
    { "Tracing", MATCH_WHOLE, PRVCUT_ROLE_TRACING, 0 },
    { "Sampled ", MATCH_START, PRVCUT_ROLE_SAMPLE, 0 },
    { "Caller at level", MATCH_START, PRVCUT_ROLE_CALLER, 0 },
    { "Caller line at level", MATCH_START, PRVCUT_ROLE_CALLER_LINE, 0 },
    { "Send Size in MPI Global OP", MATCH_WHOLE, PRVCUT_ROLE_SIZE, 0 },
    { "Recv Size in MPI Global OP", MATCH_WHOLE, PRVCUT_ROLE_SIZE, 0 },
    { "Root in MPI Global OP", MATCH_WHOLE, PRVCUT_ROLE_ROOT, 0 },
    { "Communicator in MPI Global OP", MATCH_WHOLE, PRVCUT_ROLE_COMMUNICATOR, 0 },
    { "PAPI_TOT_INS", MATCH_WORD, PRVCUT_ROLE_INSTRUCTIONS, 3 },
    { "perf::INSTRUCTIONS", MATCH_WORD, PRVCUT_ROLE_INSTRUCTIONS, 2 },
    { "INSTRUCTION_RETIRED", MATCH_WORD, PRVCUT_ROLE_INSTRUCTIONS, 1 },
    { "INST_RETIRED", MATCH_WORD, PRVCUT_ROLE_INSTRUCTIONS, 1 },
    { "PAPI_TOT_CYC", MATCH_WORD, PRVCUT_ROLE_CYCLES, 3 },
    { "perf::CPU-CYCLES", MATCH_WORD, PRVCUT_ROLE_CYCLES, 2 },
    { "perf::CYCLES", MATCH_WORD, PRVCUT_ROLE_CYCLES, 2 },
    { "UNHALTED_CORE_CYCLES", MATCH_WORD, PRVCUT_ROLE_CYCLES, 1 },
    { "PAPI_FP_OPS", MATCH_WORD, PRVCUT_ROLE_FLOPS, 3 },
    { "PAPI_DP_OPS", MATCH_WORD, PRVCUT_ROLE_FLOPS, 2 },
    { "PAPI_SP_OPS", MATCH_WORD, PRVCUT_ROLE_FLOPS, 2 },
    { "PAPI_FP_INS", MATCH_WORD, PRVCUT_ROLE_FLOPS, 1 },
};

/* Labels of types that hold a value, though not that of a region that ends with 0. */
static const char *const no_region_labels[] = { "Application", "Tracing", "Tracing mode" };

/* States as Extrae numbers them, for traces without a .pcf. */
const char *const prv_known_states[] = {
    "Idle",
    "Running",
    "Not created",
    "Waiting a message",
    "Blocking Send",
    "Synchronization",
    "Test/Probe",
    "Scheduling and Fork/Join",
    "Wait/WaitAll",
    "Blocked",
    "Immediate Send",
    "Immediate Receive",
    "I/O",
    "Group Communication",
    "Tracing Disabled",
    "Others",
    "Send Receive",
    NULL,
};

static bool roles_is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool roles_has_word(const char *text, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        if ((at == text || !roles_is_word_char(at[-1])) && !roles_is_word_char(at[length]))
            return true;
    }
    return false;
}

static bool roles_matches(const char *text, const char *pattern, enum match match)
{
    switch (match) {
    case MATCH_WHOLE:
        return strcasecmp(text, pattern) == 0;
    case MATCH_START:
        return strncasecmp(text, pattern, strlen(pattern)) == 0;
    case MATCH_WORD:
        return roles_has_word(text, pattern);
    }
    return false;
}

enum prvcut_role prv_role_of_label(const char *text, int *rank)
{
    for (size_t i = 0; i < COUNT_OF(label_rules); i++) {
        if (roles_matches(text, label_rules[i].text, label_rules[i].match)) {
            *rank = label_rules[i].rank;
            return label_rules[i].role;
        }
    }
    *rank = 0;
    return PRVCUT_ROLE_OTHER;
}

/* PRVCUT_ROLE_OTHER where the number says nothing. */
enum prvcut_role prv_role_of_number(uint32_t number)
{
    for (size_t i = 0; i < COUNT_OF(extrae_ranges); i++) {
        if (number >= extrae_ranges[i].first && number <= extrae_ranges[i].last)
            return extrae_ranges[i].role;
    }
    return PRVCUT_ROLE_OTHER;
}

/* A type that no label rule knows: by its number, else by its values. */
enum prvcut_role prv_role_of_values(const struct prv_type *t)
{
    enum prvcut_role role = prv_role_of_number(t->label.number);

    if (role != PRVCUT_ROLE_OTHER)
        return role;
    for (size_t i = 0; i < COUNT_OF(no_region_labels); i++) {
        if (strcasecmp(t->label.text, no_region_labels[i]) == 0)
            return PRVCUT_ROLE_OTHER;
    }
    for (const struct prv_known_type *k = prv_known_types; k->text; k++) {
        if (k->number != t->label.number)
            continue;
        /* An empty label says nothing. */
        if (t->listed && t->label.text[0] == '\0')
            return k->role;
        if (!k->region)
            return PRVCUT_ROLE_OTHER;
        if (!t->listed)
            return PRVCUT_ROLE_REGION;
    }
    return prv_type_value(t, 0) ? PRVCUT_ROLE_REGION : PRVCUT_ROLE_OTHER;
}
