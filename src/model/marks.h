#ifndef PRVCUT_MODEL_MARKS_H
#define PRVCUT_MODEL_MARKS_H

#include "prvcut/mark.h"

/** A kind of marks: an event type, which archives know by its name. Value 0 is an end. */
struct prvcut_mark_kind {
    uint32_t type;
    const char *name;
    const char *help; /**< where a format has room for it */
    int values;       /**< from 0 on */
};

/** Iterations, and what `prvcut find` found: 1 begins, 0 ends. */
extern const struct prvcut_mark_kind prvcut_mark_iterations;
/** Wait states: value k is the metric k - 1 of enum prvcut_wait. */
extern const struct prvcut_mark_kind prvcut_mark_waits;

/** What a value of such a kind is called; constant. */
const char *prvcut_mark_value(const struct prvcut_mark_kind *kind, int value);
/** The kind whose type has that name, or number; NULL: it is none. */
const struct prvcut_mark_kind *prvcut_mark_kind_named(const char *name);
const struct prvcut_mark_kind *prvcut_mark_kind_of(uint32_t type);

/** The marks of one region of iterations on one thread, or all of a thread. */
struct prvcut_mark_row {
    uint32_t thread;
    const uint64_t *at; /**< [count] ns, ascending; borrowed */
    size_t count;
    const uint8_t *value; /**< [count]; borrowed; NULL: the last one is 0, the others 1 */
};

/** The value of mark k of a row. */
static inline int prvcut_mark_row_value(const struct prvcut_mark_row *r, size_t k)
{
    return r->value ? r->value[k] : k + 1 < r->count;
}

/** Marks of one thread that are being gathered; zeroed is empty. */
struct prvcut_mark_list {
    uint64_t *at;   /**< [count] ns, ascending; owned */
    uint8_t *value; /**< [count]; owned */
    size_t count, at_room, value_room;
};

/** What is to be put into a copy of a trace. Where marks of one thread have the same time, they are
    written in the order of their rows. */
struct prvcut_marks {
    const struct prvcut_mark_row *row; /**< [rows] of at least one mark each; borrowed */
    size_t rows;
    const struct prvcut_mark_kind *kind;
};

/** One mark of a thread. */
struct prvcut_mark {
    uint64_t time; /**< ns; who puts it may make it his clock's */
    size_t order;  /**< among those of its time */
    uint32_t thread;
    int value;
};

/**
 * The marks of some threads in order of time: [*count], freed by the caller; NULL where there are
 * none.
 *
 * shape   thread: [threads] of the trace, nonzero: it is wanted
 */
enum prvcut_status prvcut_marks_of(const struct prvcut_marks *marks, const uint8_t *thread,
                                   struct prvcut_mark **out, size_t *count,
                                   struct prvcut_error *err);

/** In order of time, and of `order`. */
void prvcut_marks_sort(struct prvcut_mark *at, size_t count);

#endif
