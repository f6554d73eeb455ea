#ifndef PRVCUT_API_RECAST_H
#define PRVCUT_API_RECAST_H

#include "api/pack.h"
#include "model/trace.h"

/*
 * Formats that are only read are cut all the same: the trace is converted into a temporary folder,
 * and what comes of that is cut, in its format.
 */

/** A trace and what it was made of; zeroed: it is what it was. */
struct recast {
    struct prvcut_trace *trace; /**< to work with: the one that was given, or its conversion */
    struct prvcut_trace *given;
    struct pack_inside inside; /**< the conversion's folder */
};

/**
 * Convert a trace that cannot be cut as it is: r->trace is to be cut then, and is shown and told
 * where the given one is. Others are taken as they are.
 *
 * owns    r, released with recast_end, also after a failure
 * errors  as prvcut_convert
 */
enum prvcut_status recast_begin(struct recast *r, struct prvcut_trace *given,
                                const struct prvcut_run *run, struct prvcut_error *err);

/** Release all but the given trace, and tell it, in the text of a failure, where the folder was
    told; returns st. */
enum prvcut_status recast_end(struct recast *r, enum prvcut_status st, struct prvcut_error *err);

#endif
