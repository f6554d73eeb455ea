#ifndef PRVCUT_PATTERNS_H
#define PRVCUT_PATTERNS_H

#include "prvcut/convert.h"
#include "prvcut/structure.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What two calls must share to be equal. Numbered once and for ever. */
enum prvcut_symbols {
    PRVCUT_SYMBOLS_AUTO = 0,    /**< that which shows the iteration, of the ones below */
    PRVCUT_SYMBOLS_CALL = 1,    /**< which call */
    PRVCUT_SYMBOLS_PARTNER = 2, /**< and direction, partner and tag of its messages, its root, its
                                     communicator */
    PRVCUT_SYMBOLS_SIZE =
        3, /**< and the bytes of these messages, or that it gives to the collective */
    PRVCUT_SYMBOLS_SITE = 4, /**< which call, and who called it */
    PRVCUT_SYMBOLS_ALL = 5   /**< all of these */
};

/** "auto", "call", "partner"...; constant; NULL: no such number. */
PRVCUT_API const char *prvcut_symbols_text(enum prvcut_symbols symbols);

/** Are loops of unequal length the same? Numbered once and for ever. */
enum prvcut_tolerant {
    PRVCUT_TOLERANT_AUTO = 0, /**< where exact nests show no outermost loop */
    PRVCUT_TOLERANT_NEVER = 1,
    PRVCUT_TOLERANT_ALWAYS = 2
};

/** "auto", "never", "always"; constant; NULL: no such number. */
PRVCUT_API const char *prvcut_tolerant_text(enum prvcut_tolerant tolerant);

/** Which regions are calls, as bits. Numbered once and for ever. */
enum prvcut_patterns_of {
    PRVCUT_PATTERNS_OF_MPI = 1,
    PRVCUT_PATTERNS_OF_OPENMP = 2,
    PRVCUT_PATTERNS_OF_PTHREAD = 4,
    PRVCUT_PATTERNS_OF_FUNCTION = 8 /**< functions, and all other regions */
};

/** What prvcut_patterns_make is told; zeroed is valid. */
struct prvcut_patterns_options {
    size_t size; /**< sizeof this struct; 0: the fields up to level */
    enum prvcut_symbols symbols;
    enum prvcut_tolerant tolerant;
    uint32_t of;             /**< bits; 0: MPI's calls, and the regions of threads that make none */
    struct prvcut_span only; /**< ns, calls that begin there; end 0 = everything */
    const char *tasks;       /**< "1-4,7", from 1: only these; NULL: all */
    bool points;             /**< also points of interest */
    size_t top;              /**< points to list; 0: 10 */
    bool all;                /**< list every iteration by how far it exceeds the usual one */
    unsigned level;          /**< points of the pattern of this level that takes most time; 0: of
                                  the outermost loop */
    bool each_thread;        /**< prvcut_patterns_filter: each thread keeps its own iterations, not
                                  those of all; of messages those whose ends are both kept */
    bool repeats;            /**< also stretches of calls that come back */
    bool raw;              /**< these in the calls as they are; else each loop's body stands once */
    uint32_t least_length; /**< calls of such a stretch; 0: 2 */
};

/** How a nest was found. Numbered once and for ever. */
enum prvcut_nest_source {
    PRVCUT_NEST_EXACT = 0,    /**< loops whose every iteration is the same */
    PRVCUT_NEST_TOLERANT = 1, /**< loops inside it may go round more or less often */
    PRVCUT_NEST_STRUCTURE = 2 /**< its iterations differ; the search for the structure told them */
};

/** "exact", "tolerant", "structure"; constant; NULL: no such number. */
PRVCUT_API const char *prvcut_nest_source_text(enum prvcut_nest_source source);

/** Threads that do the same: their nests read the same. A view, which grows at its end. */
struct prvcut_pattern_class {
    size_t threads;           /**< prvcut_pattern_class_thread */
    uint64_t calls;           /**< of the first of them, as all that follows */
    bool regions;             /**< it makes no MPI calls: these are regions that it enters */
    uint64_t count;           /**< iterations of its outermost loop; 0: it has none */
    uint64_t iteration_calls; /**< of each of them; of a tolerant nest the mean, rounded */
    double cover;             /**< its share of the calls */
    double time_share;        /**< of the time from the first call to the end of the last */
    uint64_t median_ns;       /**< an iteration, from its first call to the next one's */
    struct prvcut_span span;  /**< ns, of that loop */
    enum prvcut_nest_source source;
    unsigned depth;    /**< loops around the innermost call */
    uint64_t size;     /**< calls and loops that stand in the nest */
    uint64_t unfolded; /**< calls in it that were given up, as too many were open at a time */
    const char *nest; /**< "Init 200×(6×Irecv 6×Isend Waitall) Finalize"; where the structure told
                           the iterations, without them as a loop */
    const char *usual; /**< the iteration that most are like, where the structure told them; NULL */
    uint64_t usual_count;  /**< iterations that are so; of a tolerant loop: those in its nest */
    const char *arguments; /**< the nest of the first thread where calls of one name are told apart,
                                with what does so: "2×(Send(to 1) Send(to 3))"; NULL: none are */
    const char *no_loop;   /**< why it has no outermost loop; NULL: it has one, or no calls */
};

/** Lengths that are alike, within a tenth of their median. Closed. */
struct prvcut_pattern_peak {
    uint64_t centre_ns, count;
    uint64_t first; /**< the first occurrence in it, from 1 */
};

/** Where occurrences of a pattern begin. A view, which grows at its end. */
struct prvcut_pattern_function {
    const char *name; /**< NULL: in no function that is recorded */
    uint64_t count;   /**< occurrences */
};

/** The body of a loop, in all threads. Each iteration is an occurrence. A view, which grows at its
    end. */
struct prvcut_pattern {
    const char *body;      /**< calls by name: "6×Irecv 6×Isend Waitall" */
    const char *arguments; /**< the same with what all occurrences have in common on the first of
                                its threads: "Isend(to 3, 10240 B)" */
    unsigned level;        /**< loops around it, the least; 1: that of a loop at the top */
    uint64_t calls;        /**< of an occurrence */
    size_t threads;
    uint64_t occurrences;
    uint64_t total_ns; /**< of all: from an occurrence's first call to what follows its last */
    double share;      /**< of the time of all threads; patterns inside patterns have theirs, too */
    uint64_t least_ns, most_ns;
    uint64_t median_ns; /**< on the first of its threads */
    size_t peaks;       /**< there: of prvcut_pattern_peak, the fullest first */
    uint64_t outside;   /**< occurrences there that are in none */
    size_t functions;   /**< of prvcut_pattern_function, most first */
};

/** What makes an iteration long. Numbered once and for ever. */
enum prvcut_point_cause {
    PRVCUT_POINT_UNTOLD = 0,      /**< it is not longer than usual */
    PRVCUT_POINT_COMPUTATION = 1, /**< between calls */
    PRVCUT_POINT_CALL = 2,        /**< a call, which waits for another thread, say */
    PRVCUT_POINT_UNCALLED = 3     /**< between calls, of which some seem to be missing: it is not
                                       known what it is */
};

/** "computation", "call"; constant; NULL: untold, not known, or no such number. */
PRVCUT_API const char *prvcut_point_cause_text(enum prvcut_point_cause cause);

/** How iterations are numbered. Numbered once and for ever. */
enum prvcut_numbering {
    PRVCUT_NUMBERING_NEST = 0,     /**< through the loop of the nest, or the occurrences of the
                                        pattern, on the thread */
    PRVCUT_NUMBERING_STRUCTURE = 1 /**< as prvcut_structure_find and prvcut_cut do: the loop is that
                                        one */
};

/** "nest", "structure"; constant; NULL: no such number. */
PRVCUT_API const char *prvcut_numbering_text(enum prvcut_numbering numbering);

/** An iteration that is worth a look. A view, which grows at its end. */
struct prvcut_point {
    bool outlier;       /**< it is like no other; else the first of some that are alike */
    uint64_t iteration; /**< from 1, as prvcut_patterns.numbering says; 0: the structure's loop is
                             the same one, but ends before it, or begins behind it */
    uint32_t thread;    /**< dense: on which it exceeds the usual length most */
    uint64_t start_ns, length_ns, median_ns; /**< there */
    double factor;                           /**< length / median */
    uint64_t alike;                          /**< iterations that it stands for */
    const char *call; /**< that takes longer, or after which computing does; where iterations do not
                           call the same: all calls of that kind together; NULL: untold, or
                           computing in all of it */
    enum prvcut_point_cause cause;
    uint32_t cause_thread;        /**< dense */
    uint64_t excess_ns;           /**< of that call or computation over its own usual time */
    enum prvcut_cause mask;       /**< flushing: it happened there */
    uint64_t calls, median_calls; /**< on that thread; of iterations there */
    uint64_t first, last; /**< iterations of the structure's loop that it holds, or is in; 0:
                               none */
    uint32_t peer; /**< of a call: the thread, dense, at the other end of its message, which it may
                        wait for; UINT32_MAX: messages tell none, or several */
};

/** How a stretch of calls comes back. Numbered once and for ever. */
enum prvcut_repeat_kind {
    PRVCUT_REPEAT_MAXIMAL = 0,      /**< any longer one comes back less often */
    PRVCUT_REPEAT_SUPERMAXIMAL = 1, /**< and it is part of no other one */
    PRVCUT_REPEAT_TANDEM = 2        /**< from end to end */
};

/** "maximal", "supermaximal", "tandem"; constant; NULL: no such number. */
PRVCUT_API const char *prvcut_repeat_kind_text(enum prvcut_repeat_kind kind);

/** A stretch of calls that comes back, at least twice without overlap, in a loop or not. A view,
    which grows at its end. */
struct prvcut_repeat {
    enum prvcut_repeat_kind kind;
    uint64_t length;          /**< calls */
    uint64_t count, disjoint; /**< occurrences on the first of its threads; without overlap */
    uint64_t coverage;        /**< calls in these, on all threads */
    uint64_t first_ns;        /**< the first of them begins */
    size_t threads;           /**< of prvcut_repeat_thread */
    size_t positions;         /**< of prvcut_repeat_position; at most 1,000 */
};

/** What threads repeat. A view, which grows at its end. */
struct prvcut_patterns {
    const char *name; /**< of the trace, as people call it */
    enum prvcut_symbols symbols;
    enum prvcut_nest_source source;
    uint32_t threads; /**< that were looked at */
    uint64_t calls, end_ns;
    size_t classes;    /**< by their first thread */
    size_t patterns;   /**< those with most time first */
    uint64_t kept;     /**< calls that stay when one occurrence of each peak of each pattern does */
    uint64_t unfolded; /**< calls, as in classes */
    /* Points of interest, if asked for. */
    bool pointed;
    size_t points;                /**< listed */
    size_t points_all;            /**< that there are */
    uint64_t iterations;          /**< of the loop that they are of; 0: there is none */
    size_t iterated;              /**< threads that have as many */
    const char *pattern;          /**< its body; NULL: there is none */
    uint64_t typical_ns, typical; /**< its fullest peak on the first of these threads: length, and
                                       iterations in it */
    uint32_t typical_thread;      /**< dense */
    const char *no_points; /**< constant: why there is no such loop; NULL: there is, or nobody
                                asked */
    /* Stretches that come back, if asked for. */
    bool repeated, raw;
    size_t repeats;        /**< of prvcut_patterns_repeat: those that cover most first */
    uint64_t repeats_left; /**< found, but not counted out: their occurrences were too many */
    uint64_t skipped;      /**< damaged records that were left out (lenient) */
    enum prvcut_numbering numbering; /**< of points */
    uint64_t structured; /**< iterations that the structure's loop has; 0: it has none, or they are
                              not told one by one, or there are no points */
    uint32_t uncalled; /**< threads that communicate outside of the calls that are in the trace, as
                            their states or messages tell: calls seem to be filtered out, and what
                            is between the others may be no computation; not of a window */
};

/**
 * Read a trace and fold what each thread calls into nested loops. It is read once where its calls
 * fit into 128 MiB, else up to four times; for the numbers of points the structure is searched for,
 * too.
 *
 * owns    *out is the caller's, released with prvcut_patterns_free; NULL after a failure
 * errors  PRVCUT_EUSAGE: an empty window, tasks that are none; PRVCUT_EIO: no room to sort; else as
 *         a scan
 * source  Trahay, Brunet, Mosli Bouksiaa, Liao: Selecting points of interest in traces using
 *         patterns of events, PDP 2015
 */
PRVCUT_API enum prvcut_status prvcut_patterns_make(struct prvcut_trace *trace,
                                                   const struct prvcut_run *run,
                                                   const struct prvcut_patterns_options *options,
                                                   struct prvcut_patterns **out,
                                                   struct prvcut_error *err);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_patterns_free(struct prvcut_patterns *p);

/** Borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_pattern_class *prvcut_patterns_class(const struct prvcut_patterns *p,
                                                                    size_t i);
PRVCUT_API const struct prvcut_pattern *prvcut_patterns_pattern(const struct prvcut_patterns *p,
                                                                size_t i);
PRVCUT_API const struct prvcut_point *prvcut_patterns_point(const struct prvcut_patterns *p,
                                                            size_t i);
/** The k-th thread of class i, dense, ascending; UINT32_MAX beyond the last. */
PRVCUT_API uint32_t prvcut_patterns_class_thread(const struct prvcut_patterns *p, size_t i,
                                                 size_t k);
/** The same of pattern i. */
PRVCUT_API uint32_t prvcut_patterns_thread(const struct prvcut_patterns *p, size_t i, size_t k);
/** Peak and function k of pattern i; NULL beyond the last. */
PRVCUT_API const struct prvcut_pattern_peak *prvcut_patterns_peak(const struct prvcut_patterns *p,
                                                                  size_t i, size_t k);
PRVCUT_API const struct prvcut_pattern_function *prvcut_patterns_function(
    const struct prvcut_patterns *p, size_t i, size_t k);
/** "1.4.1", or as an archive calls it; NULL beyond the last. */
PRVCUT_API const char *prvcut_patterns_thread_name(const struct prvcut_patterns *p,
                                                   uint32_t thread);

/** Borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_repeat *prvcut_patterns_repeat(const struct prvcut_patterns *p,
                                                              size_t i);
/** Of repeat i the k-th thread, dense, ascending; UINT32_MAX beyond the last. */
PRVCUT_API uint32_t prvcut_repeat_thread(const struct prvcut_patterns *p, size_t i, size_t k);
/** Its k-th call's name; NULL beyond the last. */
PRVCUT_API const char *prvcut_repeat_call(const struct prvcut_patterns *p, size_t i, size_t k);
/** Where its k-th occurrence begins among the calls of its first thread, from 1; 0 beyond the last.
 */
PRVCUT_API uint64_t prvcut_repeat_position(const struct prvcut_patterns *p, size_t i, size_t k);

/** "mpi,openmp": the bits; NULL: 0, as in the options. errors: PRVCUT_EUSAGE: no such kind of
    regions */
PRVCUT_API enum prvcut_status prvcut_patterns_kinds(const char *text, uint32_t *of,
                                                    struct prvcut_error *err);

/**
 * Write the trace without the iterations that are like others: a trace in its own format
 * (Paraver, OTF2, OTF) that keeps its times, with all that is before the loop of the points and
 * behind it, of each peak of each thread one iteration, and those that are in no peak. An iteration
 * stays on all threads, each at its own borders, so that its messages stay whole; a thread that
 * calls something else, or as often as no other, stays whole; what is open at a border ends there,
 * and goes on where the next stretch begins.
 *
 * Archives hold what prvcut_convert would write of them in their own format: other records, and
 * numbers of definitions, are not kept.
 *
 * shape   p: of that trace, with points; to: path, force, dry_run, command, memory and scratch
 * owns    *out is the caller's, released with prvcut_convert_summary_free; NULL after a failure
 * errors  PRVCUT_NONE: there is no loop whose iterations could go: err tells why, nothing is
 *         written, *out is NULL; PRVCUT_EUSAGE: a format that is not written, a pipe, points were
 *         not asked for; PRVCUT_EEXIST, PRVCUT_EIO, PRVCUT_EFORMAT; nothing is left behind
 * source  Trahay et al., PDP 2015, IV.C
 */
PRVCUT_API enum prvcut_status prvcut_patterns_filter(const struct prvcut_patterns *p,
                                                     struct prvcut_trace *trace,
                                                     const struct prvcut_run *run,
                                                     const struct prvcut_convert_options *to,
                                                     struct prvcut_convert_summary **out,
                                                     struct prvcut_error *err);

/** For a person: classes and patterns, or the points. Free *text. */
PRVCUT_API enum prvcut_status prvcut_patterns_report(const struct prvcut_patterns *p, bool full,
                                                     char **text, struct prvcut_error *err);
/** One line a pattern, or a point where these were asked for. Free *text. */
PRVCUT_API enum prvcut_status prvcut_patterns_csv(const struct prvcut_patterns *p, char **text,
                                                  struct prvcut_error *err);
/** Schema "prvcut-patterns". Free *text. */
PRVCUT_API enum prvcut_status prvcut_patterns_json(const struct prvcut_patterns *p, char **text,
                                                   struct prvcut_error *err);

/**
 * A drawing (SVG) of how long iterations are, where points were asked for: how many of each length,
 * peaks in their colours, on the first thread that has them. Free *text.
 *
 * errors  PRVCUT_EUSAGE: there are none
 */
PRVCUT_API enum prvcut_status prvcut_patterns_svg(const struct prvcut_patterns *p, char **text,
                                                  struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
