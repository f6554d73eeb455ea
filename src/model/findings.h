#ifndef PRVCUT_MODEL_FINDINGS_H
#define PRVCUT_MODEL_FINDINGS_H

#include "base/error.h"

#include <stdarg.h>

/** Line numbers that a finding keeps. */
#define PRVCUT_FINDING_LINES 10

/** What a format found wrong, or worth knowing, in one of its traces: one kind of thing. */
struct prvcut_finding {
    const char *name;    /**< for scripts; constant */
    const char *summary; /**< for a person, no capital, no stop; constant */
    const char *advice;  /**< what to do about it; constant */
    const char *file;    /**< suffix of the file that the lines are of; constant */
    bool damage;         /**< the trace is damaged; else worth knowing only */
    bool habit;          /**< a tracer that is known writes so, and no answer suffers from it */
    const char *effect;  /**< what it does to what one sees, behind its count; constant; or NULL */
    uint64_t count;
    uint64_t line[PRVCUT_FINDING_LINES]; /**< first ones, ascending, 1-based */
    unsigned lines;
    char example[256]; /**< of the first one; safe on a terminal */
};

/** What a format knows of a kind beforehand: a row of its table. */
struct prvcut_finding_kind {
    const char *name, *summary, *advice, *file; /**< as in a finding */
    bool damage;
    bool habit;         /**< of a tracer that is known */
    const char *effect; /**< or NULL */
};

/** Set what its kind knows; habits: the trace is of the tracer that has them. */
void prvcut_finding_is(struct prvcut_finding *f, const struct prvcut_finding_kind *kind,
                       bool habits);

/** Count one more; its text is kept of the first one, its line of the first few; 0: it has none. */
void prvcut_finding_add(struct prvcut_finding *f, uint64_t line, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

struct prvcut_counts;

/** All that was found, in the order of the format's table; kinds that were not found are absent. */
struct prvcut_findings {
    struct prvcut_finding *at; /**< [count]; owned */
    size_t count, room;
    bool damaged;       /**< a finding that means damage */
    const char *tracer; /**< who wrote the trace, as far as it tells; constant; NULL: unknown */
    uint64_t states, events, pairs, messages, comments; /**< that could be understood */
    uint64_t lines, bytes;                              /**< of the decompressed main file */
    uint64_t last_ns;                                   /**< latest time of a record */
};

/** What a reading of all of it counted. */
void prvcut_findings_count(struct prvcut_findings *out, const struct prvcut_counts *counts);

/** Who has a function of that name in all its traces; constant; NULL: nobody. */
const char *prvcut_tracer_of_function(const char *name);

#endif
