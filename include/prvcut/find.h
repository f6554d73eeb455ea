#ifndef PRVCUT_FIND_H
#define PRVCUT_FIND_H

#include "prvcut/cut.h"
#include "prvcut/mark.h"
#include "prvcut/patterns.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is looked for, and how near it must be. Filled in. */
struct prvcut_find_options {
    size_t size;               /**< of this struct */
    struct prvcut_span window; /**< ns: the calls that begin there; end 0: no window */
    uint64_t iteration;        /**< that one of the loop, from 1; 0: none. With neither: all calls
                                    of the query's trace */
    const char *region;        /**< of which region's loop: "1.4", "longest"; NULL: the main one */
    enum prvcut_symbols symbols; /**< what two calls must share to be equal; auto: partner */
    uint64_t edits;              /**< at most so many on each thread, ... */
    double share;                /**< ... or that share of its calls: 0.1 */
    bool by_share;               /**< which of these counts */
    uint64_t pattern;            /**< number of a pattern of prvcut_patterns_make's table, from 1,
                                      whose first occurrence on each thread is looked for; symbols
                                      auto: those of the table; 0: none */
};

/** Where it is on one thread. A view, which grows at its end. */
struct prvcut_find_part {
    uint32_t thread;         /**< dense, from 0 */
    uint32_t rank;           /**< from 0, dense over all applications */
    const char *thread_name; /**< "1.4.1", or as an archive calls it */
    struct prvcut_span span; /**< ns, from its first call to the end of its last */
    uint64_t calls;
    uint32_t edits;
};

/** Where it is. A view, which grows at its end. */
struct prvcut_find_match {
    struct prvcut_span span; /**< ns, of all its parts */
    uint64_t edits;          /**< of all its parts */
    size_t parts;            /**< of prvcut_find_part: threads, in their order */
    bool whole;              /**< on all threads of the query */
    bool own;                /**< it is where the query was taken from */
    uint64_t inside; /**< its first thread's part lies in that iteration of the thread's outermost
                          loop, from 1, and is shorter; 0: in none */
};

/** What one thread was searched for. Closed. */
struct prvcut_find_query {
    uint32_t thread; /**< dense, from 0 */
    uint32_t rank;   /**< from 0, dense over all applications */
    uint64_t calls;  /**< that are looked for */
    uint64_t edits;  /**< that are allowed */
    uint64_t found;  /**< matches on this thread, also those that are in no match of several */
};

/** Where a piece of communication is found. A view, which grows at its end. */
struct prvcut_find {
    const char *name;  /**< of the trace that was searched, as people call it */
    const char *query; /**< of the trace that the query is from */
    enum prvcut_symbols symbols;
    bool elsewhere;                            /**< these are two traces */
    struct prvcut_span span;                   /**< ns, of the query in its trace */
    uint64_t iteration;                        /**< as asked; 0: none */
    size_t queries;                            /**< of prvcut_find_query: threads */
    size_t matches;                            /**< of prvcut_find_match, by begin */
    uint64_t exact;                            /**< of these, without edits */
    uint64_t whole;                            /**< of these, on all threads of the query */
    uint64_t messages_inside, messages_across; /**< between matches on threads: with both ends in
                                                    one match; in two, or in none */
    size_t best; /**< the one with the fewest edits, on most threads, that is not the query's own
                      place; SIZE_MAX: none */
    const char *no_loop;  /**< why there is no iteration; NULL: there is, or nobody asked */
    uint64_t pattern;     /**< as asked; 0: none */
    const char *body;     /**< its calls by name; NULL: none */
    const char *no_calls; /**< constant: why there is nothing to look for in all of the query's
                               trace; NULL: there is */
    uint64_t skipped;     /**< damaged records that were left out of the traces (lenient) */
    enum prvcut_numbering numbering;  /**< of the iterations that matches are inside of */
    enum prvcut_numbering counted_by; /**< whose iteration is asked for: the loop's of the run, or,
                                           where threads have none in common, that of each
                                           thread's own nest */
};

/**
 * Look for a window, an iteration or all of one trace in another, or in itself. On each thread it
 * is sought approximately: an edit inserts, deletes or replaces a call; matches overlap none, and
 * those with the fewest edits are taken first. What is found is joined over the threads by the
 * messages and collectives that belong together. A match has at most as many edits as its threads
 * may have together, and half of the query's threads.
 *
 * shape   in: searched; query: where the query is from, NULL: the same; a rank is searched for what
 *         the same rank does in the query
 * owns    *out is the caller's, released with prvcut_find_free; NULL after a failure
 * errors  PRVCUT_NONE: an iteration is asked for and neither the run nor a thread has a loop; *out
 * is there all the same; PRVCUT_EUSAGE: nothing to look for, no such window, iteration, region or
 * symbols, more than 65,536 calls of a thread, or so many edits that everything would be found;
 * else as a scan source  Alawneh 2011, IV.C; Myers 1999
 */
PRVCUT_API enum prvcut_status prvcut_find_make(struct prvcut_trace *in, struct prvcut_trace *query,
                                               const struct prvcut_run *run,
                                               const struct prvcut_find_options *options,
                                               struct prvcut_find **out, struct prvcut_error *err);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_find_free(struct prvcut_find *f);

/** Borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_find_query *prvcut_find_query(const struct prvcut_find *f, size_t i);
PRVCUT_API const struct prvcut_find_match *prvcut_find_match(const struct prvcut_find *f, size_t i);
PRVCUT_API const struct prvcut_find_part *prvcut_find_part(const struct prvcut_find *f,
                                                           size_t match, size_t i);

/**
 * Copy the trace that was searched with marks as prvcut_mark has them: on each thread of a match
 * value 1 where it begins there, and 0 where it ends. All other records stay as they are.
 *
 * shape   in: that trace; to: path, compress, force, dry_run, command
 * owns    *out is the caller's, released with prvcut_marking_free; NULL after a failure
 * errors  PRVCUT_NONE: nothing was found, nothing was written, *out is there all the same; else as
 *         prvcut_mark
 */
PRVCUT_API enum prvcut_status prvcut_find_mark(const struct prvcut_find *f, struct prvcut_trace *in,
                                               const struct prvcut_run *run,
                                               const struct prvcut_cut_options *to,
                                               struct prvcut_marking **out,
                                               struct prvcut_error *err);

/**
 * Cut a match out of the trace that was searched, each thread from its first call of it to the end
 * of its last one, and so the other threads of its task; tasks that are not in it are empty.
 *
 * shape   in: that trace; options->thread: is not used
 * owns    *out is the caller's, released with prvcut_cut_summary_free; NULL after a failure
 * errors  PRVCUT_EUSAGE: there is no such match; else as prvcut_cut
 */
PRVCUT_API enum prvcut_status prvcut_find_cut(const struct prvcut_find *f, struct prvcut_trace *in,
                                              const struct prvcut_run *run, size_t match,
                                              const struct prvcut_cut_options *options,
                                              struct prvcut_cut_summary **out,
                                              struct prvcut_error *err);

/** For a person; full: also each thread's part. Free *text. */
PRVCUT_API enum prvcut_status prvcut_find_text(const struct prvcut_find *f, bool full, char **text,
                                               struct prvcut_error *err);
/** What prvcut_find_mark wrote. Free *text. */
PRVCUT_API enum prvcut_status prvcut_find_marked_text(const struct prvcut_marking *m, char **text,
                                                      struct prvcut_error *err);
/** One line a match. Free *text. */
PRVCUT_API enum prvcut_status prvcut_find_csv(const struct prvcut_find *f, char **text,
                                              struct prvcut_error *err);
/** Schema "prvcut-find". Free *text. */
PRVCUT_API enum prvcut_status prvcut_find_json(const struct prvcut_find *f, char **text,
                                               struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
