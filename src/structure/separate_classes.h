#ifndef PRVCUT_STRUCTURE_SEPARATE_CLASSES_H
#define PRVCUT_STRUCTURE_SEPARATE_CLASSES_H

#include "structure/separate_common.h"

/** One thread's calls, made ready to be looked at for separators. Zeroed is empty. */
struct separate_calls {
    const struct prvcut_call *at; /**< [count]: without those that only poll, or only the common */
    size_t count, pairs;
    struct prvcut_call *own; /**< NULL: at is the sequence's own; owned */
    uint32_t *index;         /**< [count]: place in the sequence; NULL: the same; owned */
    uint64_t time;           /**< ns from the first call to the last, at least 1 */
    uint64_t whole;          /**< the same of all calls of the thread */
    uint32_t *single;        /**< [count]: what the call is, as finely as lasts; owned */
    uint32_t *pair;          /**< [pairs]: transitions, numbered; owned */
    size_t single_kinds, pair_kinds;
};

/** Index in the sequence right behind call i. */
static inline uint32_t prvcut_separate_behind(const struct separate_calls *c, size_t i)
{
    return (c->index ? c->index[i] : (uint32_t)i) + 1;
}

/** How a separator was seen, bits: as one call, as two, as four in a row. */
enum separate_length { SEPARATE_ONE = 1, SEPARATE_TWO = 2, SEPARATE_FOUR = 4 };

/** Symbols that occur equally often, one of each between two of every other: one separator. */
struct separate_class {
    uint32_t *place; /**< [count]: calls where its earliest symbol occurs, ascending; owned */
    size_t count;
    size_t anchors;   /**< symbols, those with the same first place counted once */
    double purity;    /**< anchors / those of all classes with that count */
    unsigned lengths; /**< bits: enum separate_length */
};

struct separate_classes {
    struct separate_class *at; /**< [count]; owned */
    size_t count;
};

/**
 * shape   s: borrowed by out; common: leave out all other calls; NULL: those that only poll
 * owns    out is initialised here, released with prvcut_separate_calls_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_separate_calls_make(struct separate_calls *out,
                                              const struct prvcut_call_sequence *s,
                                              const struct separate_common *common,
                                              struct call_grams *g, struct prvcut_error *err);

void prvcut_separate_calls_fini(struct separate_calls *c);

/** Index in the sequence of call i; of `count`: the end of what was looked at. */
static inline uint32_t prvcut_separate_index(const struct separate_calls *c, size_t i)
{
    if (!c->index)
        return (uint32_t)i;
    return i < c->count ? c->index[i] : c->index[c->count - 1] + 1;
}

/**
 * The classes that are worth a look: some of each number of occurrences, for inner ones are many.
 *
 * owns    out is initialised here, released with prvcut_separate_classes_fini
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_separate_classes_find(struct separate_classes *out,
                                                const struct separate_calls *c,
                                                struct call_grams *g, struct prvcut_error *err);

void prvcut_separate_classes_fini(struct separate_classes *s);

/** Share of a thread's calls or time, whichever is more, that lies between two of its calls. */
double prvcut_separate_cover(const struct separate_calls *c, size_t from, size_t to);

/** Of a thread's calls or time that a separator must span. */
#define SEPARATE_COVER 0.15
/** Occurrences of a separator. */
#define SEPARATE_LEAST 3

#endif
