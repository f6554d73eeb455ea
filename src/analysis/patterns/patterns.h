#ifndef PRVCUT_ANALYSIS_PATTERNS_PATTERNS_H
#define PRVCUT_ANALYSIS_PATTERNS_PATTERNS_H

#include "analysis/patterns/choose.h"
#include "analysis/patterns/occurrences.h"
#include "analysis/patterns/see.h"
#include "analysis/patterns/store.h"

/**
 * What the threads of a run repeat: a nest for each class of threads that do the same, and a table
 * of the patterns in all of them.
 *
 * source  Trahay, Brunet, Mosli Bouksiaa, Liao: Selecting points of interest in traces using
 *         patterns of events, PDP 2015
 */

enum pat_tolerance { PAT_AUTO, PAT_NEVER, PAT_ALWAYS };

struct pat_options {
    enum pat_alphabet alphabet; /**< PAT_NONE: that which shows the iteration */
    enum pat_tolerance tolerant;
    /** Asked, with PAT_AUTO, where exact nests show no outermost loop, or one that holds few of the
        calls: the iterations that the
        structure of the run has, which stay its own and as they are; count 0: it has none. NULL:
        nobody is asked. */
    enum prvcut_status (*ask)(void *ctx, struct pat_given *out, struct prvcut_error *err);
    void *ctx;
    bool stretches; /**< what is left of each thread is wanted (pat_found.stretch) */
    uint64_t nth; /**< of each thread's outermost loop, from 1: where that iteration is; 0: none */
};

/** One thread. */
struct pat_one {
    uint32_t thread, task;
    size_t calls;
    size_t class;      /**< place */
    uint64_t count;    /**< iterations of its outermost loop; 0: it has none */
    uint64_t key;      /**< of that loop's body */
    uint64_t at, next; /**< of pat_options.nth: its calls, half open; equal: there is none */
    uint64_t kept;     /**< calls */
    uint64_t span_ns;  /**< from its first call to the end of its last */
};

/** Threads whose nests read the same. */
struct pat_class {
    uint32_t *thread; /**< [threads] ascending; owned */
    size_t threads, room;
    char *nest; /**< owned */
    char *told; /**< the nest of the first of them, with what tells calls of one name apart; owned;
                     NULL: names tell all */
    char *no_loop; /**< why it has no outermost loop; owned; NULL: it has one, or no calls */
    struct pat_tree tree;
    size_t calls; /**< of the first of them, as all below */
    bool regions;
    enum pat_source source;
    char *usual;          /**< PAT_STRUCTURE: the nest of the usual iteration; owned */
    uint64_t usual_count; /**< iterations that are so; PAT_TOLERANT: those in its nest */
    unsigned depth;
    uint64_t size, unfolded;
    struct pat_fit fit; /**< fit.outermost: there is one */
    uint64_t median_ns, first_ns, end_ns;
};

struct pat_function_count {
    uint32_t type; /**< UINT32_MAX: in none */
    int64_t value;
    uint64_t count; /**< occurrences */
};

/** One pattern, of all threads. */
struct pat_pattern {
    char *body;      /**< calls by name; owned */
    char *arguments; /**< the same with what its calls have in common, on the first thread; owned */
    unsigned level;
    uint64_t calls;
    uint32_t *thread; /**< [threads] ascending; owned */
    uint64_t *at;     /**< [threads] place of the first call of its first occurrence; owned */
    size_t threads, room, at_room;
    uint64_t occurrences, total_ns, least_ns, most_ns;
    struct pat_peaks peaks;        /**< on the first thread */
    uint64_t first_occurrences;    /**< there */
    struct pat_function_count *in; /**< [ins] most first; owned */
    size_t ins, in_room;
    uint64_t key;
};

struct pat_found {
    enum pat_alphabet alphabet;
    enum pat_source source;
    struct pat_one *one; /**< [ones] all threads in their order */
    size_t ones, one_room;
    struct pat_class *class; /**< [classes] by their lowest thread */
    size_t classes, class_room;
    struct pat_pattern *pattern; /**< [patterns] those with most time first */
    size_t patterns, pattern_room;
    uint64_t calls, span_ns; /**< of all threads */
    uint64_t kept;           /**< calls, of which one of each kind stays */
    uint64_t unfolded;
    size_t uncalled;             /**< threads of which calls seem to be missing */
    struct pat_given given;      /**< count 0: nobody was asked, or there are none; borrowed */
    struct prvcut_span *stretch; /**< [stretches] ns, by thread: what is left where of each peak of
                                      each pattern one occurrence stays, with what is before and
                                      behind the calls; of pat_one i [of[i], of[i + 1]); owned */
    size_t *of;                  /**< [ones + 1]; owned; NULL: not wanted */
    size_t stretches, stretch_room, of_room;
    uint8_t *stranger; /**< [threads] of given, less those that are in step; owned */
};

/**
 * shape   store: zeroed but for trace, run, names, options
 * owns    out is released with pat_found_fini, also after a failure
 * errors  as pat_sequences_read
 */
enum prvcut_status pat_find(struct pat_found *out, struct pat_store *store,
                            const struct pat_options *options, struct prvcut_error *err);
void pat_found_fini(struct pat_found *f);

/** Ask for the iterations of the structure, once: out->given, with who follows them. */
enum prvcut_status pat_found_ask(struct pat_found *out, struct pat_store *store,
                                 const struct pat_options *options, struct prvcut_error *err);

/** Does a thread make calls of its own, not just enter regions that stand for them? */
bool pat_found_calls(const struct pat_found *f, uint32_t thread);

#endif
