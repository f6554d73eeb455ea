#ifndef PRVCUT_STRUCTURE_H
#define PRVCUT_STRUCTURE_H

#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What one witness says of the period beside the one that was chosen. Numbered once and for ever.
 */
enum prvcut_stand {
    PRVCUT_STAND_NONE = 0,     /**< it saw no loop */
    PRVCUT_STAND_CHOSEN = 1,   /**< the loop is taken from it */
    PRVCUT_STAND_AGREES = 2,   /**< same period */
    PRVCUT_STAND_INNER = 3,    /**< an integer fraction of the period */
    PRVCUT_STAND_MULTIPLE = 4, /**< an integer multiple of the period */
    PRVCUT_STAND_DIFFERS = 5,
    PRVCUT_STAND_ABSENT = 6 /**< the trace does not hold it */
};

/** What spoils a region, and is not the program. Numbered once and for ever. */
enum prvcut_cause {
    PRVCUT_CAUSE_NONE = 0,
    PRVCUT_CAUSE_FLUSHING = 1,   /**< threads write their trace buffers */
    PRVCUT_CAUSE_PREEMPTION = 2, /**< something else has the processor */
    PRVCUT_CAUSE_CLOGGED = 3     /**< the network is slow */
};

/** What a piece of the run is. Numbered once and for ever. */
enum prvcut_region_kind {
    PRVCUT_REGION_INITIALISATION = 0, /**< before the first loop */
    PRVCUT_REGION_PERIODIC = 1,
    PRVCUT_REGION_APERIODIC = 2, /**< between loops */
    PRVCUT_REGION_MASKED = 3,    /**< spoilt */
    PRVCUT_REGION_END = 4        /**< after the last loop */
};

/** Why an iteration stands out. Numbered once and for ever. */
enum prvcut_outlier_why { PRVCUT_OUTLIER_LONG = 0, PRVCUT_OUTLIER_SHORT = 1 };

/** What told of a loop. Numbered once and for ever. */
enum prvcut_found_by {
    PRVCUT_FOUND_BY_NOTHING = 0, /**< there is no loop */
    PRVCUT_FOUND_BY_CALLS = 1,
    PRVCUT_FOUND_BY_SIGNAL = 2,  /**< JSON has the metric's name */
    PRVCUT_FOUND_BY_PERIOD = 3,  /**< the period was given */
    PRVCUT_FOUND_BY_WINDOWS = 4, /**< it was seen only in pieces of the run that were read closer */
    PRVCUT_FOUND_BY_TIMELINE = 5 /**< Paraver's text timeline */
};

/** The words of JSON ("agrees", "flushing", "periodic", "long"); constant; of no cause "";
    NULL: no such number. */
PRVCUT_API const char *prvcut_stand_text(enum prvcut_stand stand);
PRVCUT_API const char *prvcut_cause_text(enum prvcut_cause cause);
PRVCUT_API const char *prvcut_region_kind_text(enum prvcut_region_kind kind);
PRVCUT_API const char *prvcut_outlier_why_text(enum prvcut_outlier_why why);
PRVCUT_API const char *prvcut_found_by_text(enum prvcut_found_by found_by);

/** What one witness (a metric, or "calls") said of the period: a view, which grows at its end. */
struct prvcut_vote {
    const char *metric; /**< name */
    enum prvcut_stand status;
    double period_ns; /**< 0 where none */
    double iterations;
    double strength; /**< 0..1 */
    struct prvcut_span span;
    const char *why; /**< for none and absent; else "" */
};

/** A region spoilt by something that is not the program: a view, which grows at its end. */
struct prvcut_mask {
    enum prvcut_cause cause;
    struct prvcut_span span;
    uint32_t affected; /**< threads; 0: not known */
    uint32_t *thread;  /**< the first `threads` of them, dense 0-based; the result's own */
    uint32_t threads;
    struct prvcut_span *own; /**< [threads]: of each, from its first record of the cause in the span
                                  to its last; NULL: not known; the result's own */
};

/** An iteration that stands out: a view, which grows at its end. */
struct prvcut_outlier {
    uint64_t iteration; /**< in its region, the first is 0 */
    struct prvcut_span span;
    double deviation; /**< robust standard deviations (1.4826 MAD) from the median length, signed */
    enum prvcut_outlier_why why;
};

/** Iterations whose calls are not those of the pattern: a checkpoint, a rebuild of neighbours. A
    view, which grows at its end. */
struct prvcut_departure {
    uint64_t first; /**< the first such iteration, in its region */
    uint64_t every; /**< iterations from one to the next; 0: they come irregularly */
    uint64_t count; /**< such iterations */
    int64_t calls;  /**< calls more than usual (or less) of one thread in one of them */
};

/**
 * A piece of the run (level 1), or of one iteration of the region around it (level 2 and beyond).
 * The pieces of one level that have the same parent follow each other and cover it completely, but
 * for those of further groups of threads, which come after them. A view, which grows at its end.
 */
struct prvcut_region {
    enum prvcut_region_kind kind;
    enum prvcut_cause cause; /**< of a masked one */
    unsigned level;          /**< from 1 */
    unsigned number; /**< of a periodic one: among those of its level, by time, from 1; else 0 */
    unsigned loop;   /**< of a periodic one: regions with the same number repeat the same loop,
                          numbered from 1 over all levels; else 0 */
    size_t parent;   /**< index of the region of which it divides an iteration; SIZE_MAX: the run */
    struct prvcut_span span;
    /* Of periodic ones only; times in ns. */
    double iterations;
    uint64_t first; /**< number of its first iteration: from 1 through the whole loop, disturbed
                       ones counted, too; 0: not a periodic one */
    uint64_t
        loop_iterations; /**< of the whole loop, in the run or in the iteration that is divided */
    double period_ns;    /**< mean length of an iteration: the span over the iterations */
    double median_ns, first_ns, last_ns;
    double spread_ns;  /**< robust standard deviation of the lengths, 1.4826 MAD */
    double confidence; /**< 0..1 that the period is the true one; NAN: it was given */
    enum prvcut_found_by found_by;
    const char *metric;         /**< of a signal: its name; else "" */
    const char *alphabet;       /**< what of the calls was compared; "" where they did not tell */
    double calls_per_iteration; /**< of one thread; 0 where the calls did not tell */
    uint32_t examined;          /**< threads whose calls were compared */
    uint32_t followers;         /**< of these, those that follow the loop */
    struct prvcut_span example; /**< the iteration that the next level divides; empty: none */
    size_t votes;               /**< of prvcut_region_vote; of the first region of a loop only */
    /** Where each iteration begins on the thread that leads, then the end of the last one; NULL
        where unknown. */
    uint64_t *border;
    size_t borders;
    size_t outliers; /**< of prvcut_region_outlier, at most 100 */
    uint64_t outliers_seen;
    size_t departures; /**< of prvcut_region_departure, at most 16 */
    unsigned group; /**< 0: of the threads that repeat the run's loop, or of all; from 1: of another
                         group of threads, which nothing ties to these */
    /* What prvcut_structure_nests adds. */
    const char *nest;      /**< what threads call there, as nested loops, at most 1,000 bytes of
                                whole words; of the pieces of a loop that are told together the
                                first one has it, of all; NULL: nobody asked, or no calls */
    uint32_t nest_threads; /**< have this nest, ... */
    uint32_t nest_of;      /**< ... of those that make calls there */
    uint64_t nest_count;   /**< iterations of its outermost loop; 0: it has none */
    bool nest_tolerant;    /**< its inner loops go round more or less often */
    bool nest_differs;     /**< by these calls the loop runs more or less often than the region
                                says: by two or more, a tolerant one by half */
    /* Iterations that hold more or fewer rounds of a loop inside, and little else, may be what
       happens now and then while that one goes on: a checkpoint, output. */
    uint64_t rounds_least, rounds_most; /**< rounds of an iteration; most 0: no such loop */
    double rounds_ns;                   /**< median length of a round */
    uint64_t counted_ns; /**< its loop's iterations are counted up to there; those behind it are
                              estimated from windows, as there are too many calls; 0: all are
                              counted */
};

/** A stretch in which one loop goes on from one iteration to the next, disturbed ones, too: a view,
    which grows at its end. */
struct prvcut_stretch {
    unsigned loop, level; /**< as of its regions */
    size_t parent;        /**< as of its regions */
    uint64_t first;       /**< number of its first iteration: from 1 through the whole loop */
    uint64_t *border; /**< [borders]: where each iteration begins, then the end of the last one */
    size_t borders;
};

/** The whole run, divided: a view, which grows at its end. */
struct prvcut_structure {
    uint64_t end_ns;         /**< of the run */
    struct prvcut_span span; /**< what was analysed */
    size_t regions;          /**< of prvcut_structure_region */
    size_t stretches;        /**< of prvcut_structure_stretch */
    unsigned levels;         /**< deepest level with a loop; 0: there is none */
    unsigned loops;          /**< distinct ones */
    size_t main; /**< index of the region that a reduction cuts by default: the longest of the loop
                      that was found over all of the run; SIZE_MAX: none */
    const char *reason;         /**< constant: why there is no loop; "" where there is one */
    size_t masks;               /**< of prvcut_structure_mask */
    uint64_t iterations_masked; /**< of the main loop, touched by a mask */
    bool part;                  /**< prvcut_structure_limit has left something out */
    uint64_t first, last;       /**< iterations it was limited to; 0: to none */
    bool by_rank;               /**< each process has one thread, its rank */
    bool singly;                /**< all regions were asked for: each is told by itself */
    uint64_t given_ns;          /**< the period that was given; 0: none */
    bool apart;                 /**< groups of threads repeat loops of their own, and nothing ties
                                     them: a cut holds whole iterations of the main loop's only */
    const char *set;            /**< lasts as long as the process: what of the parameters was set,
                                     "useful=3"; NULL: nothing */
    const char *clock;          /**< constant: "instructions", of which 1 ns is one (see
                                     prvcut_trace_open_instructions); NULL: time */
};

/** So many causes are told by the program, and kept in an index: others take a reading. */
#define PRVCUT_STRUCTURE_CAUSES 3

/** What prvcut_structure_find is told; zeroed is valid. */
struct prvcut_structure_options {
    size_t size;             /**< sizeof this struct; 0: the fields up to levels */
    const char *metrics;     /**< "bursts,calls,..." to ask only these (see
                                  prvcut_signals_compute); NULL: all that detect */
    struct prvcut_span only; /**< analyse only there; end 0 = everything */
    uint64_t period_ns;      /**< take this period at level 1, do not search; 0 = search */
    unsigned levels;         /**< stop there; 0 = all */
    size_t causes; /**< so many unusual iterations of the main loop, the longest, are explained at
                        most; traces of more than 500,000 records are not read again for it */
};

/**
 * Divide a run into its regions, at every level of its loops.
 *
 * owns    *out is the caller's, released with prvcut_structure_free; NULL after a failure
 * errors  PRVCUT_NONE: sound trace, no loop; *out is there all the same; else as a scan
 * source  Casas 3.6: levels by searching inside one iteration again; call sequences as witnesses
 */
PRVCUT_API enum prvcut_status prvcut_structure_find(struct prvcut_trace *trace,
                                                    const struct prvcut_run *run,
                                                    const struct prvcut_structure_options *options,
                                                    struct prvcut_structure **out,
                                                    struct prvcut_error *err);

/**
 * Read the trace again and tell of each region what its threads call, as prvcut_patterns_make
 * does of the run.
 *
 * shape   trace: that s is of
 * errors  as prvcut_patterns_make; s is as it was then
 */
PRVCUT_API enum prvcut_status prvcut_structure_nests(struct prvcut_structure *s,
                                                     struct prvcut_trace *trace,
                                                     const struct prvcut_run *run,
                                                     struct prvcut_error *err);

/** Release, with all that it led to; accepts NULL; never that of a reduction, which owns it. */
PRVCUT_API void prvcut_structure_free(struct prvcut_structure *s);

/** A region, then its parts, then the next; NULL beyond the last. */
PRVCUT_API const struct prvcut_region *prvcut_structure_region(const struct prvcut_structure *s,
                                                               size_t i);

/** By time within a level, of loops whose iterations were told one by one; NULL beyond the last. */
PRVCUT_API const struct prvcut_stretch *prvcut_structure_stretch(const struct prvcut_structure *s,
                                                                 size_t i);

/** By time; NULL beyond the last. */
PRVCUT_API const struct prvcut_mask *prvcut_structure_mask(const struct prvcut_structure *s,
                                                           size_t i);

/** What each witness said of the loop of a region; NULL beyond the last. */
PRVCUT_API const struct prvcut_vote *prvcut_region_vote(const struct prvcut_region *r, size_t i);

/** Most unusual first; NULL beyond the last. */
PRVCUT_API const struct prvcut_outlier *prvcut_region_outlier(const struct prvcut_region *r,
                                                              size_t i);

/** Most frequent first; NULL beyond the last. */
PRVCUT_API const struct prvcut_departure *prvcut_region_departure(const struct prvcut_region *r,
                                                                  size_t i);

/** Some iterations of one loop, by their numbers, or a region. */
struct prvcut_selection {
    size_t size;          /**< sizeof this struct; 0: the fields up to last */
    const char *region;   /**< "1.4", "4" (of level 1), "longest" or NULL: the one cut by default */
    unsigned level;       /**< of a region without one in its name; 0: 1 */
    uint64_t first, last; /**< iterations, from 1 through the loop of that region; 0: all of the
                             region */
};

/** Is it a list of regions: "1.4", "1.4,1.6-1.8", "4"? */
PRVCUT_API bool prvcut_regions_valid(const char *text);

/**
 * When that is: from where to where, on the thread that leads; *region: its index.
 *
 * errors  PRVCUT_EUSAGE: no such region or iteration
 */
PRVCUT_API enum prvcut_status prvcut_structure_select(const struct prvcut_structure *s,
                                                      const struct prvcut_selection *what,
                                                      struct prvcut_span *span, size_t *region,
                                                      struct prvcut_error *err);

/** A sentence, one table of all regions, wrapped at so many columns (less than 60: 80), and
   commands that go on from it. Free *text. */
PRVCUT_API enum prvcut_status prvcut_structure_brief(const struct prvcut_structure *s,
                                                     unsigned width, char **text,
                                                     struct prvcut_error *err);

/** The table (Casas, tables 3.1 to 3.5), the tree, or JSON (schema "prvcut-structure", version 2).
    Free *text. */
PRVCUT_API enum prvcut_status prvcut_structure_text(const struct prvcut_structure *s, char **text,
                                                    struct prvcut_error *err);
PRVCUT_API enum prvcut_status prvcut_structure_tree(const struct prvcut_structure *s, char **text,
                                                    struct prvcut_error *err);
PRVCUT_API enum prvcut_status prvcut_structure_json(const struct prvcut_structure *s, char **text,
                                                    struct prvcut_error *err);

/** What of a structure is shown; zeroed: all of it. */
struct prvcut_limits {
    size_t size;          /**< sizeof this struct; 0: the fields up to last */
    const char *regions;  /**< NULL: all; "all": each by itself; "longest", "1.4", "1.4,1.5": these,
                             with  what is inside */
    const char *levels;   /**< "all" (NULL), "1", "1,3" */
    uint64_t first, last; /**< iterations, from 1 through the loop of the first of these regions */
};

/**
 * Leave nothing but that. Of several levels those with a loop are left.
 *
 * errors  PRVCUT_EUSAGE: no such region or iteration, none of the levels; s is as it was
 */
PRVCUT_API enum prvcut_status prvcut_structure_limit(struct prvcut_structure *s,
                                                     const struct prvcut_limits *limits,
                                                     struct prvcut_error *err);

/** Every iteration, as a table for a person, or as CSV: number, region, loop, start, end, length,
    marks ("disturbed", "unusual"). limits: which; NULL: all. Free *text. */
PRVCUT_API enum prvcut_status prvcut_iterations_text(const struct prvcut_structure *s,
                                                     const struct prvcut_limits *limits,
                                                     char **text, struct prvcut_error *err);
PRVCUT_API enum prvcut_status prvcut_iterations_csv(const struct prvcut_structure *s,
                                                    const struct prvcut_limits *limits, char **text,
                                                    struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
