#ifndef PRVCUT_MODEL_TRACE_H
#define PRVCUT_MODEL_TRACE_H

#include "base/buffer.h"
#include "base/bytes.h"
#include "base/kept.h"
#include "base/source.h"
#include "model/asked.h"
#include "model/batch.h"
#include "model/bent.h"
#include "model/clocks.h"
#include "model/dictionary.h"
#include "model/findings.h"
#include "model/format.h"
#include "model/marks.h"
#include "model/objects.h"
#include "prvcut/filter.h"
#include "prvcut/reduce.h"
#include "prvcut/trace.h"

#include <string.h>

/** An event type or a state as the trace labels it. */
struct prvcut_label {
    uint32_t number;
    enum prvcut_role role;
    bool region;      /**< an event type whose value holds until 0 */
    const char *text; /**< owned by the trace; "" where it has none */
};

/** What a scan counted on the way. */
struct prvcut_counts {
    uint64_t states, events /* lines */, pairs, messages, comments, skipped /* damaged, lenient */;
    uint64_t lines, bytes;                       /**< of the decompressed input, header included */
    uint64_t first_ns, last_ns;                  /**< earliest and latest time of any record */
    uint64_t unsorted;                           /**< lines that stand later than their time says */
    uint64_t beyond_end;                         /**< records past the end that the header gives */
    uint64_t first_unsorted;                     /**< line, 1-based; 0 = none */
    uint64_t unsorted_ns;                        /**< that the furthest of them stands behind */
    bool no_last_newline;                        /**< the last line has no line end */
    struct prvcut_bent_count bent[PRVCUT_BENTS]; /**< taken otherwise than it stands */
};

/**
 * Who takes a scan's batches. A part is a contiguous piece of the input: its batches come in
 * order, from one worker at a time; parts are decoded by several workers in any order, and
 * joined one after the other in the order of the input.
 */
struct prvcut_consumer {
    uint32_t roles;        /**< event roles wanted (PRVCUT_ROLE_BIT); others may be left out */
    uint32_t detail_roles; /**< wanted as well, of the threads in detail */
    uint32_t head_roles;   /**< wanted as well, of a line's first pair; where prvcut_reader.heads */
    const uint8_t *detail; /**< [threads], nonzero = in detail; NULL: none; may be cleared
                                on the way, read by relaxed atomic loads */
    bool states, messages; /**< messages: halves, too */
    bool running_only;     /**< of the states, only the running ones */
    bool posts;            /**< halves of receives tell when they were posted, where that is
                                recorded apart; else only where it costs nothing */
    bool dones;            /**< halves tell when sends that were started are complete, too */
    bool completions;      /**< collectives that do not block tell when they are complete, by events
                                of the role of communicators (PRVCUT_TYPE_STARTED and behind) */
    void *ctx;
    /** A worker starts a part. `worker` < the scan's number of workers. */
    enum prvcut_status (*begin)(void *ctx, unsigned worker, uint64_t part, void **state,
                                struct prvcut_error *err);
    enum prvcut_status (*batch)(void *ctx, unsigned worker, void *state,
                                const struct prvcut_batch *batch, struct prvcut_error *err);
    /** All earlier parts have been joined; never called by two workers at once. */
    enum prvcut_status (*join)(void *ctx, void *state, struct prvcut_error *err);
    /** Release a part's state, joined or not. */
    void (*discard)(void *ctx, void *state);
    /** What the parts that were joined so far leave for the next one, and taken over in place of
        what this one had: for a reading that several processes share. NULL: each reads all of it.
     */
    void (*put)(void *ctx, struct prvcut_put *out);
    void (*get)(void *ctx, struct prvcut_get *in);
};

/** One interval per thread; half open, ns in the trace's own time. */
struct prvcut_window {
    uint64_t from, to;           /**< the hull of all intervals; times are rebased to `from` */
    const uint64_t *thread_from; /**< [threads], or NULL: `from` for all */
    const uint64_t *thread_to;   /**< [threads], or NULL: `to` for all */
};

/** A thread's own interval of a window; empty where its end lies before its begin. */
static inline struct prvcut_span prvcut_window_own(const struct prvcut_window *w, uint32_t thread)
{
    const uint64_t from = w->thread_from ? w->thread_from[thread] : w->from;
    const uint64_t to = w->thread_to ? w->thread_to[thread] : w->to;

    return (struct prvcut_span){ from, to > from ? to : from };
}

/** The hull of a window, as far as the trace reaches: nothing is behind its end, ns. */
static inline struct prvcut_span prvcut_window_within(const struct prvcut_window *w, uint64_t end)
{
    return (struct prvcut_span){ w->from, w->to > end && end > w->from ? end : w->to };
}

/** A sub-trace that is to be written. */
struct prvcut_subtrace {
    const struct prvcut_window *window;
    const struct prvcut_cut_options *options; /**< path, where this is no dry run: its own */
    struct prvcut_cut_summary *out;           /**< zeroed; the caller's, also after a failure */
};

/**
 * So many sub-traces are cut in one reading: each has a file open, and with the trace and its
 * surroundings that makes no more than 64.
 */
#define PRVCUT_SUBTRACES_MOST ((size_t)56)

struct made_marking; /* model/made.h */
struct prvcut_reader;

/** A file that belongs to a trace and stands beside it. */
struct prvcut_companion {
    const char *suffix;    /**< ".pcf"; constant */
    const char *path;      /**< owned by the trace; NULL: there is none */
    uint64_t damaged_line; /**< first one that could not be understood, as far as it was read */
};

#define PRVCUT_COMPANIONS 2

/** An open trace; formats put their own struct around it. */
struct prvcut_trace {
    const struct prvcut_reader *reader;
    char *path;
    char *unpacked;    /**< temporary folder that goes when the trace is closed; NULL: none */
    int unpacked_lock; /**< held while it is in use; -1: none */
    uint64_t packed_device, packed_inode; /**< of the archive that was unpacked into it */
    uint64_t packed_bytes, packed_ns;     /**< of it: its size, and when it was changed last */
    char *told;  /**< what people are told of it, where it is not the path: "ARCHIVE:MEMBER" */
    char *shown; /**< what outputs are named after, where it is not the path; NULL */
    struct prvcut_objects objects;
    uint64_t end_ns; /**< as the header gives it, or what is known of the last record */
    bool end_told;   /**< the header gives it, and nothing has to happen then */
    /** [threads] ns; it is a cut in which each thread has a window of its own; NULL: it is not */
    struct prvcut_span *own_window;
    int64_t wall_clock; /**< seconds since 1970, UTC, at time 0; INT64_MIN unknown */
    uint64_t unit_ns;   /**< one tick of the input, in ns; times in the model are ns always */
    struct prvcut_label *type; /**< [types], ascending numbers */
    size_t types;
    struct prvcut_label *state; /**< [states], ascending numbers */
    size_t states;
    bool states_recorded; /**< of readers by thread: the archive holds states as such; else they
                               are told from the regions */
    bool cut_on_the_way;  /**< a window of what `told` names, which nobody sees */
    bool from_model;      /**< a conversion of ours: the model has all that it holds */
    bool calls_flat;      /**< a conversion of ours, of a trace whose calls do not nest */
    uint64_t bytes;       /**< on disk; 0 on a pipe */
    uint32_t files_sum;   /**< of an archive: prvcut_identity_sum of its files, as they are found,
                               in the order of its locations; 0 */
    bool seekable;        /**< a plain file: blocks can be read in any order */
    bool once;            /**< a pipe: can be read only once */
    bool scanned;         /**< all of it was read: parts of it can be (scan_window) */
    bool so_far;          /**< the beginning of what is still being written: the run goes on behind
                               end_ns, and records may reach beyond it */
    bool reached;         /**< so far: the last record begins at the promised duration */
    uint64_t promised_ns; /**< so far: the duration that its header promises; 0: none */
    bool unended;         /**< it was followed to its end, which may be in the middle of a record:
                               that one is left out, and counted as skipped */
    uint64_t skipped;     /**< damaged records that a reading left out, lenient; the most of any */
    uint64_t late; /**< lines that stand later than their time says; the most of any reading */
    uint64_t first_late; /**< line of the first of them, 1-based; 0: none, or not known */
    uint64_t late_ns;    /**< that the furthest of them stands behind */
    /** Taken otherwise than it stands, as far as the trace was read. */
    struct prvcut_bent_count bent[PRVCUT_BENTS];
    enum prvcut_codec codec; /**< how the main file is compressed */
    struct prvcut_companion companion[PRVCUT_COMPANIONS];
    unsigned companions; /**< that the format has */
    /** Already applied to all times that the reader delivers and takes; see align_clocks. */
    struct prvcut_clocks clocks;
    bool raw_clocks; /**< times are wanted as recorded */
    struct prvcut_kept
        *kept;            /**< what an index beside the trace holds; NULL: none that is of use */
    const char *kept_why; /**< constant: why an index that is there is of no use; else NULL */
    bool kept_asked;      /**< it was looked for, or is not wanted */
    char *series;         /**< the column that its instructions are, of a series; owned; NULL: they
                               are instructions */
    double series_scale;  /**< by which its values were multiplied */
    struct prvcut_asked *asked;  /**< metrics of this trace alone that were asked for; NULL: none */
    bool roles_given;            /**< settings of roles came with the options */
    bool by_instructions;        /**< its ns are instructions; the trace that they were counted in
                                      is its origin */
    const char *recast;          /**< constant: the format that it was converted from to be cut,
                                      "LiTL"; NULL: from none */
    char *scratch;               /**< temporary folder that it was made in, goes with it; NULL */
    int scratch_lock;            /**< held while it is in use */
    struct prvcut_trace *origin; /**< what it was made of, closed with it; NULL: itself */
    uint64_t shared;             /**< readings that were shared with other processes so far */
};

/** The trace's name for people and for what is written: never that of a temporary folder. */
static inline const char *prvcut_trace_told(const struct prvcut_trace *t)
{
    return t->told ? t->told : t->path;
}

/** What its records are all of, for people. */
static inline const char *prvcut_trace_part(const struct prvcut_trace *t)
{
    return t->cut_on_the_way ? "window" : "trace";
}

/** How many bytes of "ARCHIVE:MEMBER" are the archive's path; the trace is from an archive. */
static inline size_t prvcut_told_archive(const struct prvcut_trace *t)
{
    /* Both end in the member's name, behind one letter. */
    return strlen(t->told) - (strlen(t->path) - strlen(t->unpacked));
}

/** A format: how it is recognised, read and cut. One constant of these per format. */
struct prvcut_reader {
    const struct prvcut_format *format; /**< names */
    const char *summary;
    /** What a setting of roles may name, i from 0 on; NULL beyond the last. NULL: it takes none. */
    const char *(*role_name)(size_t i);
    const char *library; /**< what it is read with, and its version: "OTF2 3.0"; NULL: by itself */
    bool halves;         /**< delivers the two ends of a message apart */
    bool heads;          /**< lines hold several events: it knows which one is a line's first */
    bool by_thread;  /**< a part is (a piece of) one thread in order of time, threads one by one;
                          else all threads go on together in order of time */
    bool calls_nest; /**< see prvcut_trace_calls_nest */
    /** Bits of evidence in the head of the (decompressed) file; pure; 0 = not mine. */
    int (*probe)(const char *head, size_t count);
    /** owns: the source passes to the trace, also on failure. */
    enum prvcut_status (*open)(struct prvcut_trace **out, struct prvcut_source *source,
                               const struct prvcut_open_options *options, struct prvcut_error *err);
    /**
     * Take the first `bytes` bytes of the file, and of these the whole lines, for all that there is
     * so far: bytes, end_ns (when the last record begins), so_far. Of a trace that was not read
     * yet; NULL: such a trace is complete, or is none.
     *
     * errors  PRVCUT_EUSAGE: compressed, or from a pipe; PRVCUT_END: no record is there yet;
     *         PRVCUT_EIO; PRVCUT_ENOMEM
     */
    enum prvcut_status (*so_far)(struct prvcut_trace *t, uint64_t bytes, struct prvcut_error *err);
    /** Read everything once; leaves the block index in the trace. counts may be NULL. */
    enum prvcut_status (*scan)(struct prvcut_trace *t, const struct prvcut_run *run,
                               const struct prvcut_consumer *consumer, struct prvcut_counts *counts,
                               struct prvcut_error *err);
    /** As scan, but only the blocks that can hold records of [from, to); needs an earlier scan. */
    enum prvcut_status (*scan_window)(struct prvcut_trace *t, const struct prvcut_run *run,
                                      uint64_t from, uint64_t to,
                                      const struct prvcut_consumer *consumer,
                                      struct prvcut_error *err);
    /**
     * Write sub-traces, in one reading; needs an earlier scan. Each is what it would be if it were
     * cut alone. All are whole before the first one appears; those in one folder that somebody
     * else commits (api/job_chops.c) appear together.
     *
     * shape   count: 1 to PRVCUT_SUBTRACES_MOST
     */
    enum prvcut_status (*cut)(struct prvcut_trace *t, const struct prvcut_run *run,
                              const struct prvcut_subtrace *sub, size_t count,
                              struct prvcut_error *err);
    /** Refuse filters that name what the trace does not have, and a limit that no cut keeps,
       without a reading; of who has filter. */
    enum prvcut_status (*filter_check)(const struct prvcut_trace *t,
                                       const struct prvcut_cut_options *options,
                                       struct prvcut_error *err);
    /** Copy what the options' filters keep, in one reading, scanned or not; NULL: it cannot. */
    enum prvcut_status (*filter)(struct prvcut_trace *t, const struct prvcut_run *run,
                                 const struct prvcut_cut_options *options,
                                 struct prvcut_filter_summary *out, struct prvcut_error *err);
    /**
     * Copy all of it with marks in between: out->marks, bytes, size, files; scanned or not. NULL:
     * it cannot.
     */
    enum prvcut_status (*mark)(struct prvcut_trace *t, const struct prvcut_run *run,
                               const struct prvcut_marks *marks,
                               const struct prvcut_cut_options *options, struct made_marking *out,
                               struct prvcut_error *err);
    /** Cut by the rules of Paraver's own cutter, scanned or not; NULL: it cannot. */
    enum prvcut_status (*cut_as_paraver)(struct prvcut_trace *t, const struct prvcut_run *run,
                                         const struct prvcut_cutter *cutter,
                                         const struct prvcut_cut_options *options,
                                         struct prvcut_cut_summary *out, struct prvcut_error *err);
    /**
     * Read a trace once, slowly and exactly, and note what is wrong with it; works on a pipe.
     *
     * owns    the source passes to the call, also on failure; out is the caller's and empty, and
     *         out->at is the caller's to free, also after a failure
     * errors  damage that makes reading on impossible; all else is found, not failed
     */
    enum prvcut_status (*check)(struct prvcut_findings *out, struct prvcut_source *source,
                                const struct prvcut_open_options *options,
                                const struct prvcut_run *run, struct prvcut_error *err);
    /**
     * Names of everything: event types and their values, states, objects; as far as the trace's
     * definitions tell, before or after a scan.
     *
     * owns    *out is initialised here, released with prvcut_dictionary_fini
     */
    enum prvcut_status (*describe)(struct prvcut_trace *t, struct prvcut_dictionary *out,
                                   struct prvcut_error *err);
    /**
     * One line about settings of roles that nothing in the records met, once these were read; NULL:
     * the format takes no settings.
     */
    enum prvcut_status (*unmet)(const struct prvcut_trace *t, struct prvcut_buffer *out,
                                struct prvcut_error *err);
    /** All that shapes what a scan brings, besides the main file: labels, options. NULL with the
        two below: nothing can be kept of such a trace. */
    void (*shape)(const struct prvcut_trace *t, struct prvcut_put *out);
    /** Put the block index that a scan left. */
    enum prvcut_status (*keep)(const struct prvcut_trace *t, struct prvcut_put *out);
    /** Take it back: the trace counts as scanned. false: it is not sound, and nothing changed. */
    bool (*recall)(struct prvcut_trace *t, struct prvcut_get *in);
    void (*close)(struct prvcut_trace *t);
};

/**
 * Does an end of an MPI call end the innermost one of its type? Else a type has one value at a
 * time, as in Paraver: what begins while it has one is inside that call, and the next end is that
 * of all of them.
 */
static inline bool prvcut_trace_calls_nest(const struct prvcut_trace *t)
{
    return t->reader->calls_nest && !t->calls_flat;
}

#endif
