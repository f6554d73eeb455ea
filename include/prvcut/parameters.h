#ifndef PRVCUT_PARAMETERS_H
#define PRVCUT_PARAMETERS_H

#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A parameter of the search for structure: a view, which grows at its end. */
struct prvcut_parameter {
    const char *name, *unit; /**< constant; unit: "" of what is a share or a ratio */
    const char *help;        /**< constant: what it decides */
    double value;            /**< where it is not set */
    double least, most;      /**< what it may be set to */
    bool whole;              /**< only to whole numbers */
};

/** All of them, in order; NULL beyond the last. */
PRVCUT_API const struct prvcut_parameter *prvcut_parameter_at(size_t i);

/** Values of all parameters, for prvcut_run.set; opaque. */
struct prvcut_parameters;

/**
 * Set some of them, and leave all others as they are.
 *
 * shape   set: "NAME=VALUE[,NAME=VALUE...]"; a value may end in % for a hundredth
 * owns    *out is the caller's, released with prvcut_parameters_free; NULL after a failure
 * errors  PRVCUT_EUSAGE: no such parameter, or a value out of its range, which the text names
 */
PRVCUT_API enum prvcut_status prvcut_parameters_make(struct prvcut_parameters **out,
                                                     const char *set, struct prvcut_error *err);

/** What was set: "lambda=0.2,delta=5"; borrowed; "" of NULL. */
PRVCUT_API const char *prvcut_parameters_text(const struct prvcut_parameters *p);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_parameters_free(struct prvcut_parameters *p);

#ifdef __cplusplus
}
#endif

#endif
