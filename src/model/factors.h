#ifndef PRVCUT_MODEL_FACTORS_H
#define PRVCUT_MODEL_FACTORS_H

#include <stdbool.h>

/**
 * Rows of the table of factors that BSC's basicanalysis made the usual one ("modelfactors.csv"), in
 * their order: one column a run, ';' between; first PRVCUT_FACTORS_HEAD with the processes.
 */
enum prvcut_factors_row {
    PRVCUT_FACTORS_PARALLEL,
    PRVCUT_FACTORS_LOAD_BALANCE,
    PRVCUT_FACTORS_COMMUNICATION,
    PRVCUT_FACTORS_SERIALIZATION,
    PRVCUT_FACTORS_TRANSFER,
    PRVCUT_FACTORS_COMPUTATION,
    PRVCUT_FACTORS_GLOBAL,
    PRVCUT_FACTORS_IPC_SCALABILITY,
    PRVCUT_FACTORS_INSTRUCTION_SCALABILITY,
    PRVCUT_FACTORS_FREQUENCY_SCALABILITY,
    PRVCUT_FACTORS_SPEEDUP,
    PRVCUT_FACTORS_IPC,
    PRVCUT_FACTORS_FREQUENCY,
    PRVCUT_FACTORS_RUNTIME,
    PRVCUT_FACTORS_RUNTIME_IDEAL,
    PRVCUT_FACTORS_USEFUL_MEAN,
    PRVCUT_FACTORS_USEFUL_MOST,
    PRVCUT_FACTORS_USEFUL_TOTAL,
    PRVCUT_FACTORS_USEFUL_IDEAL_MOST,
    PRVCUT_FACTORS_INSTRUCTIONS,
    PRVCUT_FACTORS_CYCLES,
    PRVCUT_FACTORS_ROWS,
};

/** How a row is written. */
enum prvcut_factors_unit {
    PRVCUT_FACTORS_PERCENT, /**< "%.6f" */
    PRVCUT_FACTORS_PLAIN,   /**< "%.6f" */
    PRVCUT_FACTORS_US,      /**< "%.2f" */
    PRVCUT_FACTORS_COUNT,   /**< "%.2f" */
};

/** A row's name stands behind a '#' where it is in microseconds or a count; a line of "#" alone
    divides these from the rows above. */
struct prvcut_factors_line {
    const char *name;
    enum prvcut_factors_unit unit;
};

extern const struct prvcut_factors_line prvcut_factors_line[PRVCUT_FACTORS_ROWS];

#define PRVCUT_FACTORS_HEAD      "Number of processes"
#define PRVCUT_FACTORS_SEPARATOR ';'

/** A row behind all others, where columns are of several applications of a trace: the number of
    each, which are not runs of one program. */
#define PRVCUT_FACTORS_APPLICATION "Application"

/**
 * Is a run's work, so many times that of another one on so many times as many threads, beyond what
 * both strong and weak scaling let expect of the same program? Of instructions, or of computing.
 */
bool prvcut_factors_is_other(double times, double threads);

/** Work that changes by more than this part from one run to the next is not the same. */
#define PRVCUT_FACTORS_OTHER_WORK 0.2

/** Is so many times the work the same? Or, each, that of as many times the threads? */
bool prvcut_factors_is_same(double times, double threads, bool each);

/** The row of that name, which may begin with '#'; PRVCUT_FACTORS_ROWS: none. */
enum prvcut_factors_row prvcut_factors_find(const char *name);

#endif
