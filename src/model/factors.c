#include "model/factors.h"

#include <math.h>
#include <string.h>

/* So many times more, or less, instructions or computing than by any scaling a run of the same
   program may have. Set by hand, not fitted: two unlike programs were 13 times off in computing;
   work that is replicated, or other caches, may cost a few times as much. */
#define OTHER_MOST 8.0

const struct prvcut_factors_line prvcut_factors_line[PRVCUT_FACTORS_ROWS] = {
    [PRVCUT_FACTORS_PARALLEL] = { "Parallel efficiency", PRVCUT_FACTORS_PERCENT },
    [PRVCUT_FACTORS_LOAD_BALANCE] = { "Load balance", PRVCUT_FACTORS_PERCENT },
    [PRVCUT_FACTORS_COMMUNICATION] = { "Communication efficiency", PRVCUT_FACTORS_PERCENT },
    [PRVCUT_FACTORS_SERIALIZATION] = { "Serialization efficiency", PRVCUT_FACTORS_PERCENT },
    [PRVCUT_FACTORS_TRANSFER] = { "Transfer efficiency", PRVCUT_FACTORS_PERCENT },
    [PRVCUT_FACTORS_COMPUTATION] = { "Computation scalability", PRVCUT_FACTORS_PERCENT },
    [PRVCUT_FACTORS_GLOBAL] = { "Global efficiency", PRVCUT_FACTORS_PERCENT },
    [PRVCUT_FACTORS_IPC_SCALABILITY] = { "IPC scalability", PRVCUT_FACTORS_PERCENT },
    [PRVCUT_FACTORS_INSTRUCTION_SCALABILITY] = { "Instruction scalability",
                                                 PRVCUT_FACTORS_PERCENT },
    [PRVCUT_FACTORS_FREQUENCY_SCALABILITY] = { "Frequency scalability", PRVCUT_FACTORS_PERCENT },
    [PRVCUT_FACTORS_SPEEDUP] = { "Speedup", PRVCUT_FACTORS_PLAIN },
    [PRVCUT_FACTORS_IPC] = { "Average IPC", PRVCUT_FACTORS_PLAIN },
    [PRVCUT_FACTORS_FREQUENCY] = { "Average frequency (GHz)", PRVCUT_FACTORS_PLAIN },
    [PRVCUT_FACTORS_RUNTIME] = { "Runtime (us)", PRVCUT_FACTORS_US },
    [PRVCUT_FACTORS_RUNTIME_IDEAL] = { "Runtime (ideal)", PRVCUT_FACTORS_US },
    [PRVCUT_FACTORS_USEFUL_MEAN] = { "Useful duration (average)", PRVCUT_FACTORS_US },
    [PRVCUT_FACTORS_USEFUL_MOST] = { "Useful duration (maximum)", PRVCUT_FACTORS_US },
    [PRVCUT_FACTORS_USEFUL_TOTAL] = { "Useful duration (total)", PRVCUT_FACTORS_US },
    [PRVCUT_FACTORS_USEFUL_IDEAL_MOST] = { "Useful duration (ideal, max)", PRVCUT_FACTORS_US },
    [PRVCUT_FACTORS_INSTRUCTIONS] = { "Useful instructions (total)", PRVCUT_FACTORS_COUNT },
    [PRVCUT_FACTORS_CYCLES] = { "Useful cycles (total)", PRVCUT_FACTORS_COUNT },
};

enum prvcut_factors_row prvcut_factors_find(const char *name)
{
    size_t i = 0;

    name += *name == '#';
    while (i < PRVCUT_FACTORS_ROWS && strcmp(prvcut_factors_line[i].name, name) != 0)
        i++;
    return (enum prvcut_factors_row)i;
}

bool prvcut_factors_is_other(double times, double threads)
{
    return times > OTHER_MOST * (threads > 1 ? threads : 1) ||
           times * OTHER_MOST < (threads < 1 ? threads : 1);
}

bool prvcut_factors_is_same(double times, double threads, bool each)
{
    return fabs(times - 1) <= PRVCUT_FACTORS_OTHER_WORK ||
           (each && fabs(times / threads - 1) <= PRVCUT_FACTORS_OTHER_WORK);
}
