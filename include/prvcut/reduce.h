#ifndef PRVCUT_REDUCE_H
#define PRVCUT_REDUCE_H

#include "prvcut/cut.h"
#include "prvcut/proof.h"
#include "prvcut/structure.h"
#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where threads are cut. Numbered once and for ever. */
enum prvcut_align {
    /** Calls where these tell the borders of all threads and leave fewer collectives and messages
        split than one time for all would. */
    PRVCUT_ALIGN_AUTO = 0,
    PRVCUT_ALIGN_CALLS = 1,   /**< each thread at its own iterations' borders */
    PRVCUT_ALIGN_STRAIGHT = 2 /**< all at one time */
};

/** What a sub-trace is of. Numbered once and for ever. */
enum prvcut_chop_kind {
    PRVCUT_CHOP_TYPICAL = 0,
    PRVCUT_CHOP_OUTLIER = 1,
    PRVCUT_CHOP_GIVEN = 2 /**< its iterations were named */
};

/** How its iterations were chosen. Numbered once and for ever. */
enum prvcut_chop_why {
    PRVCUT_CHOP_WHY_UNKNOWN = 0,
    PRVCUT_CHOP_WHY_ALIKE = 1,         /**< most alike and of nearly median length, undisturbed */
    PRVCUT_CHOP_WHY_ALIKE_OF_ALL = 2,  /**< the same of all: so many are never undisturbed */
    PRVCUT_CHOP_WHY_GIVEN = 3,         /**< the window was given */
    PRVCUT_CHOP_WHY_REGION = 4,        /**< all of the region */
    PRVCUT_CHOP_WHY_NAMED = 5,         /**< by their numbers */
    PRVCUT_CHOP_WHY_LONG = 6,          /**< an outlier */
    PRVCUT_CHOP_WHY_SHORT = 7,         /**< an outlier */
    PRVCUT_CHOP_WHY_NEAREST = 8,       /**< nearest to the median in all that was compared */
    PRVCUT_CHOP_WHY_NEAREST_OF_ALL = 9 /**< the same of all: so many are never undisturbed */
};

/** Why threads have borders of their own, or have not. Numbered once and for ever. */
enum prvcut_align_why {
    PRVCUT_ALIGN_WHY_UNKNOWN = 0,    /**< nothing was cut */
    PRVCUT_ALIGN_WHY_FIRST_CALL = 1, /**< each at its own first call of the iterations */
    PRVCUT_ALIGN_WHY_OWN_CALL = 2,   /**< each at a call of its own in the window */
    PRVCUT_ALIGN_WHY_ASKED = 3,      /**< one time for all was asked for */
    PRVCUT_ALIGN_WHY_NO_CALLS = 4,   /**< none are recorded around the window */
    PRVCUT_ALIGN_WHY_TOO_MANY = 5,   /**< calls around the window */
    PRVCUT_ALIGN_WHY_UNLIKE = 6,     /**< the calls around the window do not repeat */
    PRVCUT_ALIGN_WHY_INEXACT = 7,    /**< borders would be off the period that was given */
    PRVCUT_ALIGN_WHY_NO_BETTER = 8   /**< one time for all splits no more */
};

/** How a cut stands for what it is of. Numbered once and for ever. */
enum prvcut_chop_verdict {
    PRVCUT_CHOP_UNASKED = 0, /**< nothing was compared */
    PRVCUT_CHOP_IS_TYPICAL = 1,
    PRVCUT_CHOP_IS_ORDINARY = 2,
    PRVCUT_CHOP_IS_UNUSUAL = 3,
    PRVCUT_CHOP_IS_FEW = 4, /**< not unusual, but there is little to compare with */
    PRVCUT_CHOP_IS_UNKNOWN = 5
};

/** What windows of a loop are compared in; each thread's own window counts. Numbered once and for
    ever. */
enum prvcut_quantity {
    PRVCUT_QUANTITY_LENGTH = 0,       /**< ns, mean over the threads */
    PRVCUT_QUANTITY_LOAD_BALANCE = 1, /**< mean time outside calls / the longest of a thread */
    PRVCUT_QUANTITY_USEFUL = 2,       /**< time outside calls / length */
    PRVCUT_QUANTITY_COMMUNICATION_EFFICIENCY = 3, /**< longest time outside calls / length */
    PRVCUT_QUANTITY_BYTES = 4,                    /**< sent in messages */
    PRVCUT_QUANTITY_INSTRUCTIONS = 5,
    PRVCUT_QUANTITY_CALL = 6 /**< time in one call / length */
};

/** What made an iteration longer than usual. Numbered once and for ever. */
enum prvcut_slow {
    PRVCUT_SLOW_UNKNOWN = 0,      /**< nothing explains half of it */
    PRVCUT_SLOW_FLUSH = 1,        /**< a thread's trace buffer was written */
    PRVCUT_SLOW_OFF = 2,          /**< tracing was off on a thread */
    PRVCUT_SLOW_PREEMPTION = 3,   /**< a thread lost its processor */
    PRVCUT_SLOW_INSTRUCTIONS = 4, /**< a thread computes longer: it has more to do */
    PRVCUT_SLOW_IPC = 5,          /**< the same: fewer instructions a cycle */
    PRVCUT_SLOW_CLOCK = 6,        /**< the same: fewer cycles a second */
    PRVCUT_SLOW_COMPUTING = 7,    /**< the same, and no counters say why */
    PRVCUT_SLOW_CALL = 8,         /**< threads compute as usual and are longer in a call */
    PRVCUT_SLOW_ORDER = 9         /**< threads compute as usual and wait for each other, on an ideal
                                       network, too: what depends on each other is out of step */
};

/** For whom a thread waited in the longest of the calls in which it is longer. Numbered once and
   for ever. */
enum prvcut_late {
    PRVCUT_LATE_UNKNOWN = 0, /**< it is no call, or the trace does not tell */
    PRVCUT_LATE_PARTNER = 1, /**< a partner came after half of the call had passed */
    PRVCUT_LATE_NOBODY = 2   /**< nobody did: the transfer took so long, or the system */
};

/** Most threads that are named beside the one that a cause concerns most. */
#define PRVCUT_SLOW_OTHERS 15

/** One cause; a view, which grows at its end. */
struct prvcut_slow_cause {
    enum prvcut_slow what;
    uint32_t thread;  /**< that it concerns most; dense, from 0 */
    uint32_t threads; /**< that it concerns at least by a tenth of the excess */
    char *call;       /**< the call's name; NULL: it is no call */
    double ns; /**< more than usual on that thread; of the order, of all on an ideal network */
    double usual_ns; /**< median of the same */
    double share;    /**< of the excess that it explains, 0..1 */
    enum prvcut_late late;
    double longest_ns; /**< the longest of these calls on that thread; 0 where late is unknown; of
                            the order, the longest wait on an ideal network; 0: nobody waits */
    uint32_t partner;  /**< thread that came late, or that is waited for there; UINT32_MAX: none */
    double late_ns;    /**< from the longest call's begin until it came */
    /** What the partner did since its last call: a flush, tracing off, or computing (and why that
        took longer, where it did); if that was less than half of the wait, what it did in that: a
        call, or the same; if it computed no longer than usual, the call before in which it waited
        longer than usual, where that is known; unknown: none of these */
    enum prvcut_slow partner_did;
    double partner_ns;  /**< how long */
    char *partner_call; /**< that call's name; NULL: it was no call */
    /** [others] who else has at least a tenth of ns, the most first, and how much */
    uint32_t other[PRVCUT_SLOW_OTHERS];
    double other_ns[PRVCUT_SLOW_OTHERS];
    size_t others;
    char *partner_code; /**< the function that the partner came from, where callers or functions are
                             recorded; NULL: none is */
    /** Where it began. A partner may have waited for another one itself, that one for a third, and
        so on: the last of these; nobody was late: the thread that waits. UINT32_MAX: not known */
    uint32_t origin;
    enum prvcut_slow origin_did; /**< as partner_did; a call: nobody was late for it */
    double origin_ns;            /**< how long */
    char *origin_call;           /**< that call's name; NULL: it was no call */
    /** Bytes that it sends and receives in messages of that iteration, and the median, where it
        began with a call; of a collective in collectives, where their sizes are recorded; where
        these are no more than usual, but those of that call are, which is of an iteration before,
        of it and of calls like it; NAN: not told */
    double bytes, usual_bytes;
    bool meanwhile; /**< of a call: other threads are longer in it at the same time as the cause
                         before this one is; no cause of its own */
};

/** "unknown", "partner", "nobody"; constant; NULL: no such number. */
PRVCUT_API const char *prvcut_late_text(enum prvcut_late late);

/** The words of JSON and of options ("straight", "outlier"); constant; NULL: no such number. */
PRVCUT_API const char *prvcut_quantity_text(enum prvcut_quantity quantity);
PRVCUT_API const char *prvcut_slow_text(enum prvcut_slow what);
PRVCUT_API const char *prvcut_align_text(enum prvcut_align align);
PRVCUT_API const char *prvcut_chop_kind_text(enum prvcut_chop_kind kind);
PRVCUT_API const char *prvcut_chop_why_text(enum prvcut_chop_why why);
PRVCUT_API const char *prvcut_align_why_text(enum prvcut_align_why why);
PRVCUT_API const char *prvcut_chop_verdict_text(enum prvcut_chop_verdict verdict);

/** What prvcut_reduce is told; zeroed but for iterations is valid. */
struct prvcut_reduce_options {
    size_t size;             /**< sizeof this struct; 0: the fields up to cut */
    unsigned iterations;     /**< to keep, >= 1 */
    const char *metrics;     /**< "bursts,calls,..." to ask only these; NULL: all that detect */
    struct prvcut_span only; /**< analyse only there; end 0 = everything */
    uint64_t period_ns;      /**< skip detection and take this period; 0 = detect */
    enum prvcut_align align;
    unsigned level;      /**< of the regions to cut; 0 or 1: the outermost */
    const char *levels;  /**< "1,3", "all": several of them, in place of level; NULL: that one */
    const char *regions; /**< "longest" (NULL: that), "all", or names: "1.4", "1.4,1.5", "4" (of the
                            level): which of the periodic regions are cut */
    /** Cut these iterations of the loop of that region in place of typical ones: from 1 through the
        whole loop, disturbed ones, too; 0: typical ones. */
    uint64_t first_iteration, last_iteration;
    bool whole; /**< regions that are named, or the longest, are cut whole: all of their iterations
                 */
    unsigned outliers; /**< cut so many of the most unusual iterations of the loop, too; of each
                            region where these are named, or all of them */
    bool all_levels;   /**< divide the run at every level, not only down to that of the cut */
    bool proof;        /**< compare each chop with the region that it stands for: one more pass */
    bool cheap_proof; /**< the same where that pass costs little, up to 1 GiB; of larger traces that
                         can be entered anywhere, 64 windows are read once more, and compared */
    const char
        *report; /**< path of a page (HTML) to write; implies all_levels and proof; may be NULL */
    const char *typed; /**< the command as it was typed, for the page; NULL: cut->command */
    /** How to write the cuts; NULL: zeroed. cut->path NULL: beside the trace's name,
       NAME.chop1.EXT; regions that are named or several are called NAME.1.4.EXT, iterations
       NAME.it62.EXT or NAME.it60-63.EXT, those of a kind NAME.kind2.EXT, unusual ones
       NAME.outlier1.EXT or NAME.1.4.outlier1.EXT */
    const struct prvcut_cut_options *cut;
    bool kinds; /**< in place of the typical iterations, cut typical ones of each kind of the loop's
                   (prvcut_reduction_kind), as many in a row as there are up to `iterations`;
                   implies cheap_proof at any size; not with named regions, levels or iterations,
                   nor with whole */
};

/** One sub-trace: a view, which grows at its end. */
struct prvcut_chop {
    enum prvcut_chop_kind kind;
    size_t region;          /**< index in the structure */
    unsigned level, number; /**< of that region */
    bool of_loop;           /**< it stands for its whole loop, not for that region alone */
    unsigned iterations;    /**< that it holds */
    uint64_t first;         /**< its first iteration in the region, from 0; UINT64_MAX: unknown */
    uint64_t iteration; /**< that iteration's number, from 1 through the whole loop; 0: unknown */
    enum prvcut_chop_why why;
    double similarity;       /**< normalised cross-correlation with sine periods, 0..1 */
    enum prvcut_align align; /**< auto: nothing was cut */
    enum prvcut_align_why align_why;
    uint64_t crossing; /**< messages that cross an aligned cut's borders */
    struct prvcut_span
        *thread; /**< [threads] each thread's window, ns; NULL: the cut's for all; owned */
    uint32_t threads;
    uint32_t follow; /**< threads with borders of their own */
    char *path;      /**< of the main file, in a dry run as it would be called; owned */
    const struct prvcut_cut_summary *cut;
    const struct prvcut_proof *proof;
    /** Where it is not typical: so many iterations would be, or would be less unusual; 0: nobody
       asked, or none of those that were tried would. */
    unsigned better;
    enum prvcut_chop_verdict better_verdict; /**< unasked where better is 0 */
    /** Beside all windows of its loop, or of its region, that hold as many iterations; unasked:
        these were not measured, and the proof alone says how it stands for them. */
    enum prvcut_chop_verdict verdict;
    size_t windows;             /**< that it was compared with, itself among them */
    enum prvcut_quantity worst; /**< what differs most from the usual; of windows > 0 */
    char *worst_call;           /**< the call's name; NULL: it is no call; owned */
    double value, usual;        /**< of the worst: of this window, and the median of all */
    double percentile;          /**< 0..100: so many windows have less of it */
    unsigned of_kind;           /**< from 1: it stands for that kind of iterations; 0: for all */
    uint64_t weight;            /**< iterations of the loop that it stands for; 0: unknown, or it
                                   stands for itself */
    double share; /**< of the loop's time that these take, 0..1; NAN where weight is 0 */
    /** Of one unusual or named iteration: how much longer than the median it is, ns, and why; 0:
        nobody asked, or it is not longer. Of the median of excess_kind, where that is not 0. */
    double excess_ns;
    size_t causes; /**< of prvcut_chop_cause */
    bool inside;   /**< it begins at a step inside an iteration, and ends at the same step so many
                        iterations further on: first and iteration are unknown */
    unsigned excess_kind; /**< the kind of iterations, from 1, beside which it is unusual; 0: all */
};

/** Iterations of the loop that are of one kind: a view, which grows at its end. */
struct prvcut_kind {
    uint64_t iterations;            /**< disturbed ones, too */
    double share;                   /**< of the loop's time, 0..1 */
    double median_ns;               /**< of those that nothing disturbs, where there are any */
    double shortest_ns, longest_ns; /**< disturbed ones, too */
};

/** What a total counts. Numbered once and for ever. */
enum prvcut_total_unit {
    PRVCUT_TOTAL_NS = 0, /**< time; of all threads but for that of the loop itself */
    PRVCUT_TOTAL_COUNT = 1,
    PRVCUT_TOTAL_BYTES = 2
};

/** "ns", "count", "bytes"; constant; NULL: no such number. */
PRVCUT_API const char *prvcut_total_unit_text(enum prvcut_total_unit unit);

/**
 * What a thing adds up to over all iterations of the loop, of the cuts of its kinds alone: what a
 * cut holds an iteration, times their number; of time spent in something what it holds a ns, times
 * the time that its kind takes. A view, which grows at its end.
 */
struct prvcut_total {
    char *name; /**< "time", "computing", "MPI_Send", "bytes sent", a counter's name */
    enum prvcut_total_unit unit;
    double estimate;
    double low,
        high; /**< what other windows of the kinds would say: their 5th and 95th percentile */
    double measured; /**< what the trace holds; NAN: not all iterations were measured */
};

/** How far the processes' clocks were apart; zeroed where they agree: a view, which grows at its
    end. */
struct prvcut_clock_report {
    bool skewed;
    uint64_t spread_ns;   /**< greatest less least offset */
    uint64_t doubt_ns;    /**< an offset may be wrong by up to this */
    uint64_t residual_ns; /**< some record still contradicts by that much */
    uint32_t unknown;     /**< processes that nothing ties to the others */
    enum prvcut_clock_source source;
};

/** What prvcut_reduce found and did: a view, which grows at its end. Texts are its own. */
struct prvcut_reduction {
    /* input */
    char *path;
    char *name; /**< as people call it: an archive's may be that of its folder */
    const char *format;
    const char *suffix;  /**< of its main files, ".prv"; constant */
    const char *viewer;  /**< the program that shows such traces; constant; NULL: none */
    bool numbered;       /**< its objects go by numbers, as 1.4.1 */
    uint64_t bytes;      /**< on disk */
    uint64_t text_bytes; /**< decompressed */
    uint64_t records, states, events, messages, skipped;
    uint64_t end_ns; /**< duration */
    uint32_t applications, tasks, threads;
    const char *calls_are; /**< constant: what the calls are: "MPI calls", "regions", "states",
                               "call sites", of bursts between calls that are not recorded */
    const struct prvcut_clock_report *clocks;
    /* structure: of the loop that was found over all of the run */
    bool periodic;
    const char *reason;         /**< why there is no period; "" where there is one */
    double period_ns;           /**< mean length of an iteration: the phase over the iterations */
    uint64_t given_ns;          /**< the period that was given; 0: none */
    double median_ns;           /**< of the iterations that nothing disturbs */
    double spread_ns;           /**< of their lengths: 1.4826 MAD */
    double iterations;          /**< in the phase */
    double calls_per_iteration; /**< of one thread; 0 where the calls did not tell */
    struct prvcut_span phase;   /**< from its first iteration's start to its last one's end */
    double confidence;          /**< 0..1 that the period is the true one; NAN: it was given */
    size_t votes;               /**< of prvcut_reduction_vote */
    const struct prvcut_structure *structure; /**< all regions; levels as far as was asked for */
    unsigned notes;                           /**< of prvcut_reduction_note */
    /* choice and cut */
    size_t chops;    /**< of prvcut_reduction_chop */
    bool force;      /**< what existed was to be replaced */
    bool own_clocks; /**< the cuts keep each process's own clock */
    bool dry_run;
    char *archive; /**< path of the archive that holds all that was written; NULL: none */
    uint64_t archive_bytes;
    char *page; /**< path of the page that was written; NULL: none */
    double elapsed_s;
    size_t kinds;  /**< of prvcut_reduction_kind: 1 where all iterations of the loop are alike, 0
                        where they were not told one by one */
    size_t totals; /**< of prvcut_reduction_total; 0 where kinds were not cut */
    bool kinds_of_clear; /**< kinds and totals are those of the iterations that nothing disturbs:
                              these are the fewer ones */
};

/**
 * Find the period, choose representative iterations, and write the sub-trace.
 *
 * owns    *out is the caller's, released with prvcut_reduction_free; NULL after a failure
 * errors  PRVCUT_NONE: sound trace, no period found; *out tells why and no cut was written;
 *         PRVCUT_EUSAGE: no such region or level, fewer iterations than asked for; else as
 * prvcut_cut
 */
PRVCUT_API enum prvcut_status prvcut_reduce(struct prvcut_trace *trace,
                                            const struct prvcut_run *run,
                                            const struct prvcut_reduce_options *options,
                                            struct prvcut_reduction **out,
                                            struct prvcut_error *err);

/**
 * Refuse what prvcut_reduce would refuse before it reads anything; archive: that all will be in, as
 * prvcut_reduce_to_archive has it, or NULL.
 *
 * errors  PRVCUT_EUSAGE, PRVCUT_EEXIST, PRVCUT_EIO
 */
PRVCUT_API enum prvcut_status prvcut_reduce_check(struct prvcut_trace *trace,
                                                  const struct prvcut_run *run,
                                                  const struct prvcut_reduce_options *options,
                                                  const char *archive, struct prvcut_error *err);

/** Release, with all that it led to; accepts NULL. */
PRVCUT_API void prvcut_reduction_free(struct prvcut_reduction *r);

/** The sub-traces, in the order in which they were cut; NULL beyond the last. */
PRVCUT_API const struct prvcut_chop *prvcut_reduction_chop(const struct prvcut_reduction *r,
                                                           size_t i);

/** Why its iteration is longer, the largest cause first; NULL beyond the last. */
PRVCUT_API const struct prvcut_slow_cause *prvcut_chop_cause(const struct prvcut_chop *c, size_t i);

/** Kinds of the loop's iterations, the shortest first; NULL beyond the last. */
PRVCUT_API const struct prvcut_kind *prvcut_reduction_kind(const struct prvcut_reduction *r,
                                                           size_t i);

/** What adds up over the loop, of the cuts of its kinds; NULL beyond the last. */
PRVCUT_API const struct prvcut_total *prvcut_reduction_total(const struct prvcut_reduction *r,
                                                             size_t i);

/** What each witness said of the period; NULL beyond the last. */
PRVCUT_API const struct prvcut_vote *prvcut_reduction_vote(const struct prvcut_reduction *r,
                                                           size_t i);

/** What the user should know, a line each; NULL beyond the last. */
PRVCUT_API const char *prvcut_reduction_note(const struct prvcut_reduction *r, size_t i);

/** The answer on one screen, wrapped at so many columns (less than 60: 80), with commands that go
   on from it. Free *text. */
PRVCUT_API enum prvcut_status prvcut_reduction_brief(const struct prvcut_reduction *r,
                                                     unsigned width, char **text,
                                                     struct prvcut_error *err);

/** How the cuts differ from what they stand for, a table each; "" where none was compared. Free
 *text. */
PRVCUT_API enum prvcut_status prvcut_reduction_proof(const struct prvcut_reduction *r, char **text,
                                                     struct prvcut_error *err);

/** All of it for a person, or as JSON (schema "prvcut-reduction", version 2). Free *text. */
PRVCUT_API enum prvcut_status prvcut_reduction_text(const struct prvcut_reduction *r, char **text,
                                                    struct prvcut_error *err);
PRVCUT_API enum prvcut_status prvcut_reduction_json(const struct prvcut_reduction *r, char **text,
                                                    struct prvcut_error *err);

/** The same for a cut by hand (schema "prvcut-cut"). */
PRVCUT_API enum prvcut_status prvcut_cut_summary_text(const struct prvcut_cut_summary *s,
                                                      char **text, struct prvcut_error *err);
PRVCUT_API enum prvcut_status prvcut_cut_summary_json(const struct prvcut_cut_summary *s,
                                                      char **text, struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
