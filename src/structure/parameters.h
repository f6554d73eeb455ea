#ifndef PRVCUT_STRUCTURE_PARAMETERS_H
#define PRVCUT_STRUCTURE_PARAMETERS_H

#include "prvcut/parameters.h"

/** What can be set, by the number of its row in the table (parameters.c). */
enum prvcut_set {
    /* The steps of the method, one by one. */
    PRVCUT_SET_LAMBDA,
    PRVCUT_SET_DELTA,
    PRVCUT_SET_SIGNIFICANT,
    PRVCUT_SET_WIDTH,
    PRVCUT_SET_SINES,
    PRVCUT_SET_RIVAL,
    /* The loop. */
    PRVCUT_SET_BINS,
    PRVCUT_SET_STRENGTH,
    PRVCUT_SET_SAME,
    PRVCUT_SET_HARMONIC,
    PRVCUT_SET_AROUND,
    PRVCUT_SET_AROUND_SHARE,
    PRVCUT_SET_CONFIDENCE,
    /* Levels. */
    PRVCUT_SET_LEVEL_BINS,
    PRVCUT_SET_LEVEL_SHARE,
    /* What is disturbed. */
    PRVCUT_SET_USEFUL,
    PRVCUT_SET_USUAL,
    PRVCUT_SET_FLUSH_WIDTH,
    PRVCUT_SET_SLOW,
    PRVCUT_SET_SLOW_WIDTH,
    PRVCUT_SET_CLOGGED_RATIO,
    PRVCUT_SET_CLOGGED_SPREAD,
    PRVCUT_SET_CLOGGED_WIDTH,
    PRVCUT_SET_JAM_RATIO,
    /* Iterations. */
    PRVCUT_SET_UNUSUAL,
    PRVCUT_SET_TYPICAL,
    PRVCUT_SET_NEAR_EQUAL,
    PRVCUT_SETS
};

struct prvcut_parameters {
    double value[PRVCUT_SETS];
    bool given[PRVCUT_SETS];
    char *text; /**< owned; "name=value,..." of what was given, in the order of the table */
};

/** The table: [PRVCUT_SETS]. */
extern const struct prvcut_parameter prvcut_parameter_table[PRVCUT_SETS];

/** Its value; p: NULL is as the table has it. */
static inline double prvcut_parameter_of(const struct prvcut_parameters *p, enum prvcut_set which)
{
    return p ? p->value[which] : prvcut_parameter_table[which].value;
}

/** A value as it can be typed, without an exponent; returns out. */
char *prvcut_parameter_number(char out[32], double x);

/** As prvcut_parameters_make, into *out, which is released with prvcut_parameters_fini. */
enum prvcut_status prvcut_parameters_init(struct prvcut_parameters *out, const char *set,
                                          struct prvcut_error *err);

void prvcut_parameters_fini(struct prvcut_parameters *p);

/**
 * What was set, for an answer: *out lasts as long as the process; NULL: nothing was.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_parameters_told(const char **out, const struct prvcut_parameters *p,
                                          struct prvcut_error *err);

#endif
