#ifndef PRVCUT_REPORT_PROFILE_H
#define PRVCUT_REPORT_PROFILE_H

#include "model/made.h"
#include "report/lines.h"

/* What a row of a profile is of, and what it tells: the columns of CSV and the fields of JSON. */

/** Rows of a call or a state have other values than rows of all that threads did. */
static inline bool report_profile_of_calls(const struct prvcut_profile *p)
{
    return p->by & PRVCUT_PROFILE_BY_CALL && !(p->by & PRVCUT_PROFILE_BY_FUNCTION);
}

static inline bool report_profile_of_states(const struct prvcut_profile *p)
{
    return p->by & PRVCUT_PROFILE_BY_STATE;
}

/** Functions, or the source lines that MPI calls are made from. */
static inline bool report_profile_of_functions(const struct prvcut_profile *p)
{
    return p->by & (PRVCUT_PROFILE_BY_FUNCTION | PRVCUT_PROFILE_BY_LINE);
}

/** Functions, each with the calls that it makes. */
static inline bool report_profile_of_pairs(const struct prvcut_profile *p)
{
    return p->by & PRVCUT_PROFILE_BY_CALL && p->by & PRVCUT_PROFILE_BY_FUNCTION;
}

/** Functions stand in the source, where the trace tells it. */
static inline bool report_profile_has_source(const struct prvcut_profile *p)
{
    return p->by & PRVCUT_PROFILE_BY_FUNCTION;
}

/** What such rows are of: "function", "line". */
static inline const char *report_profile_caller(const struct prvcut_profile *p)
{
    return p->by & PRVCUT_PROFILE_BY_LINE ? "line" : "function";
}

/** Communicators and peers have rows of their own. */
static inline bool report_profile_of_communicators(const struct prvcut_profile *p)
{
    return p->by & PRVCUT_PROFILE_BY_COMMUNICATOR;
}

static inline bool report_profile_of_peers(const struct prvcut_profile *p)
{
    return p->by & PRVCUT_PROFILE_BY_PEER;
}

static inline bool report_profile_of_lines(const struct prvcut_profile *p)
{
    return !(p->by &
             (PRVCUT_PROFILE_BY_CALL | PRVCUT_PROFILE_BY_STATE | PRVCUT_PROFILE_BY_FUNCTION |
              PRVCUT_PROFILE_BY_LINE | PRVCUT_PROFILE_BY_COMMUNICATOR | PRVCUT_PROFILE_BY_PEER));
}

static inline bool report_profile_by_who(const struct prvcut_profile *p)
{
    return p->by & (PRVCUT_PROFILE_BY_RANK | PRVCUT_PROFILE_BY_THREAD);
}

static inline bool report_profile_by_part(const struct prvcut_profile *p)
{
    return p->by & (PRVCUT_PROFILE_BY_REGION | PRVCUT_PROFILE_BY_ITERATION);
}

static inline bool report_profile_told(uint64_t value)
{
    return value != PRVCUT_PROFILE_UNTOLD;
}

/** Who is told of, as reports of a reduction know it. */
struct made_reduction report_profile_who(const struct prvcut_profile *p);

/** Why iterations are slow, for a person, and one line a cause. */
void report_profile_why(struct report_lines *l, const struct prvcut_profile *p);
void report_profile_why_csv(struct report_lines *l, const struct prvcut_profile *p);

/** A number of a row by its name. */
struct report_profile_field {
    const char *name;
    uint64_t value; /**< PRVCUT_PROFILE_UNTOLD: none */
};

#define REPORT_PROFILE_FIELDS 12

/** The whole numbers of a row but its counters, or of the total; returns how many. */
size_t report_profile_fields(struct report_profile_field out[REPORT_PROFILE_FIELDS],
                             const struct prvcut_profile *p, const struct prvcut_profile_row *r,
                             bool total);

/** A part of the time of a row's threads, 0..1; NAN where there is none. */
double report_profile_share(const struct prvcut_profile_row *r, uint64_t ns);

/** All rows, for a person. */
void report_profile_table(struct report_lines *l, const struct prvcut_profile *p);

/** What else is to be known: notes and warnings, a line each. */
void report_profile_notes(struct report_lines *l, const struct prvcut_profile *p);

#endif
