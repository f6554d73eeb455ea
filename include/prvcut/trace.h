#ifndef PRVCUT_TRACE_H
#define PRVCUT_TRACE_H

#include "prvcut/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A struct that a program fills in begins with its size, as the program was compiled, and grows at
 * its end: what a program does not know counts as zeroed, and zeroed is the default of everything.
 * Who sets no size (0) has the fields up to the one that its comment names. A library that is older
 * than the program refuses with PRVCUT_EUSAGE what it does not know, unless it is zeroed.
 *
 * An answer is the library's, released as a whole; what is called a view is read where it stands,
 * behind a const pointer, and grows at its end, too: a program neither makes nor copies one, and
 * reaches several by a function, which gives NULL beyond the last.
 */

/** An open trace; opaque. */
struct prvcut_trace;

/** A half open span of time, ns. */
struct prvcut_span {
    uint64_t start, end;
};

/** What open is told; zeroed is the default of everything. */
struct prvcut_open_options {
    size_t size;  /**< sizeof this struct; 0: the fields up to strict */
    bool lenient; /**< skip damaged records and count them */
    /** Take times as they were recorded, even where the processes' clocks contradict each other. */
    bool raw_clocks;
    /**
     * What numbers mean, over what the trace's labels say: "ROLE=NUMBER[,NUMBER...]" with ROLE one
     * of prvcut_role_name; NULL-ended, or NULL.
     * Borrowed until the trace closes.
     */
    const char *const *roles;
    bool no_index; /**< do not use an index that stands beside the trace (prvcut/index.h) */
    bool (*stop)(void *ctx); /**< true ends the unpacking of an archive with
                                  PRVCUT_EINTERRUPTED; may be NULL */
    void *ctx;               /**< of stop */
    bool strict; /**< prvcut_check: whatever is found is a fault, harmless habits of writers, too */
};

/** Reports end with commands that go on from them: which options these need to mean the same. */
struct prvcut_again {
    /** Options for a command ("" is the job, "structure", ...), as a shell takes them, each with a
        blank behind it; but those whose names without lists, with commas. Allocated for the caller;
        NULL: none. */
    char *(*options)(const void *ctx, const char *command, const char *without);
    const void *ctx;
};

/** What a long call is at. Numbered once and for ever. */
enum prvcut_phase {
    PRVCUT_PHASE_NONE = 0, /**< nothing has begun */
    PRVCUT_PHASE_READING = 1,
    PRVCUT_PHASE_ANALYSING = 2,
    PRVCUT_PHASE_FOCUSING = 3, /**< parts are read closer */
    PRVCUT_PHASE_CUTTING = 4,
    PRVCUT_PHASE_COMPARING = 5, /**< a cut with its loop */
    PRVCUT_PHASE_DRAWING = 6,
    PRVCUT_PHASE_WRITING = 7,
    PRVCUT_PHASE_FILTERING = 8,
    PRVCUT_PHASE_MARKING = 9,
    PRVCUT_PHASE_CHECKING = 10,
    PRVCUT_PHASE_CHECKSUM = 11,
    PRVCUT_PHASE_CHOOSING = 12, /**< the typical iterations */
    PRVCUT_PHASE_FOLLOWING = 13 /**< more of a trace that is being written is waited for */
};

/** "reading", as the program tells it; constant; of none ""; NULL: no such number. */
PRVCUT_API const char *prvcut_phase_text(enum prvcut_phase phase);

struct prvcut_exchange;
struct prvcut_parameters;

/** What every long call shares; zeroed is valid. Callbacks may come from any worker, one at a time.
 */
struct prvcut_run {
    size_t size;             /**< sizeof this struct; 0: the fields up to ctx */
    int threads;             /**< workers; 0 = one a processor */
    bool (*stop)(void *ctx); /**< true ends the work with PRVCUT_EINTERRUPTED; may be NULL */
    unsigned columns;        /**< of the screen that a report is for; 0 = 80 */
    const struct prvcut_again
        *again; /**< for the commands that a report proposes; NULL: these repeat no option */
    /** Bytes of the trace so far and in all (0 = unknown), in this phase; a call goes through
        several; may be NULL. */
    void (*progress)(void *ctx, enum prvcut_phase phase, uint64_t done, uint64_t total);
    void *ctx;
    /** How structure is searched for (prvcut/parameters.h); borrowed; NULL: as usual. */
    const struct prvcut_parameters *set;
    /** With whom the reading is shared (prvcut/exchange.h); borrowed; NULL: with nobody. */
    const struct prvcut_exchange *exchange;
};

/**
 * Open a trace; the format is recognised by content.
 *
 * shape   path: "ARCHIVE:MEMBER" is one trace of several in an archive (prvcut/archive.h), unless
 *         there is a file of that name
 * owns    *out is the caller's, released with prvcut_trace_close
 * errors  PRVCUT_ENOTRACE: no built-in format knows it; PRVCUT_EFORMAT, PRVCUT_ELIMIT, PRVCUT_EIO,
 *         PRVCUT_EUSAGE (a role setting; a folder or an archive with several traces),
 *         PRVCUT_EINTERRUPTED
 */
PRVCUT_API enum prvcut_status prvcut_trace_open(struct prvcut_trace **out, const char *path,
                                                const struct prvcut_open_options *options,
                                                struct prvcut_error *err);

/** What a setting of roles may name, in order; NULL beyond the last. */
PRVCUT_API const char *prvcut_role_name(size_t i);

/** How names of files end that can be opened as traces (".prv", ".prv.gz", ".tar.zst"), in order;
    NULL beyond the last, else out. */
PRVCUT_API char *prvcut_trace_suffix(char out[16], size_t i);

/** How a file of that name is compressed: "gz", "zst", "none" where it is a trace's that could be;
    NULL: the name does not tell. */
PRVCUT_API const char *prvcut_trace_compression(const char *path);

/** What only traces of some formats can be taken for. Numbered once and for ever. */
enum prvcut_ability {
    PRVCUT_ABLE_FILTER = 0, /**< prvcut_filter_trace */
    PRVCUT_ABLE_RULES = 1,  /**< prvcut_cut_as_paraver */
    PRVCUT_ABLE_MARK = 2,   /**< prvcut_mark */
    PRVCUT_ABLE_INDEX = 3,  /**< prvcut_index_write */
};

/**
 * Is the trace's format one of those?
 *
 * errors  PRVCUT_EUSAGE: no; err->instead is what converts it into one
 */
PRVCUT_API enum prvcut_status prvcut_trace_can(const struct prvcut_trace *trace,
                                               enum prvcut_ability what, struct prvcut_error *err);

/**
 * The name that a cut of the trace gets: `path`, with the suffix of its format where it has none
 * that is known. It may be that of a file that exists.
 *
 * shape   compress: "gz", "zst" or "none"; NULL: as the trace
 * owns    *out, freed by the caller; NULL after a failure
 * errors  PRVCUT_EUSAGE: a suffix of something else, or a file of the trace itself; PRVCUT_ENOMEM
 */
PRVCUT_API enum prvcut_status prvcut_trace_file_name(char **out, const struct prvcut_trace *trace,
                                                     const char *path, const char *compress,
                                                     struct prvcut_error *err);

/** What a series came to. Closed. */
struct prvcut_series_told {
    const char *metric; /**< what is to be asked of it: the metrics that were named, or constant */
    bool timed;         /**< it tells times; else an interval is 1 us */
};

/**
 * Open a series, a table of values by interval, as a trace of one thread: what finds loops in
 * traces, and draws their signals, takes it, too.
 *
 * shape   path: as of prvcut_sample_series; perf's times, or a column "time" (s), "time_ms",
 *         "end_ns", "start_s", ..., tell when intervals are; metric: "ipc", "instructions",
 * "clock", or several of these, or one column, which then stands for instructions; NULL: "ipc"
 * where there are cycles, else "instructions" owns    *out is the caller's, released with
 * prvcut_trace_close; NULL after a failure errors  PRVCUT_EUSAGE: no such column; PRVCUT_EFORMAT:
 * with the line; as of prvcut_trace_open
 */
PRVCUT_API enum prvcut_status prvcut_trace_open_series(struct prvcut_trace **out, const char *path,
                                                       const char *metric,
                                                       const struct prvcut_open_options *options,
                                                       struct prvcut_series_told *told,
                                                       struct prvcut_error *err);

/** What a clock of instructions came to. Closed. */
struct prvcut_clock_told {
    const char *metric; /**< what is to be asked: the metrics that were named, or constant */
    uint64_t step;      /**< instructions in an interval */
};

/**
 * Open a trace once more, with the instructions of all its threads together for a clock: a trace of
 * one thread in intervals of `step` instructions, where 1 ns is one instruction. What finds loops
 * in traces, and draws their signals, takes it: ipc, and counter:NAME, which is per instruction.
 *
 * shape   step 0: 10^7, or fewer where a run has fewer than 16,384 such intervals; metric: what
 *         will be asked; NULL: "ipc"
 * owns    *out is the caller's, released with prvcut_trace_close; `of` is taken then, and released
 *         with it. After a failure *out is NULL, and `of` still the caller's
 * errors  PRVCUT_EUSAGE: no instructions are counted, or no cycles and no metric is named, a metric
 *         that instructions have made void, too many intervals, or the trace is a pipe; as a scan
 * source  Casas 5: counters each 10^7 instructions
 */
PRVCUT_API enum prvcut_status prvcut_trace_open_instructions(
    struct prvcut_trace **out, struct prvcut_trace *of, const struct prvcut_run *run, uint64_t step,
    const char *metric, struct prvcut_clock_told *told, struct prvcut_error *err);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_trace_close(struct prvcut_trace *trace);

/**
 * Does a path lead to one of the trace's own files, through whatever link: its main file, what
 * stands beside it (.pcf, .row, the index), the parts of an archive, or the archive that it was
 * unpacked from? No call replaces such a file, whatever it is told, but prvcut_index_write the
 * index.
 */
PRVCUT_API bool prvcut_trace_holds(const struct prvcut_trace *trace, const char *path);

/**
 * Once a trace was read: which of the settings of roles met nothing in it, and what there is: one
 * line for a person; *text NULL: all is well, or it is not known.
 *
 * owns    *text, freed by the caller
 * errors  PRVCUT_ENOMEM
 */
PRVCUT_API enum prvcut_status prvcut_trace_unmet(const struct prvcut_trace *trace, char **text,
                                                 struct prvcut_error *err);

/** Duration as the trace's header gives it, ns. */
PRVCUT_API uint64_t prvcut_trace_end(const struct prvcut_trace *trace);

/**
 * Read a time: a number with ns, us, ms, s or %; % is of `end`, a whole number without a unit ns.
 * One blank may stand before the unit.
 *
 * errors  PRVCUT_EUSAGE: not a time, a point but no unit, negative, above 100 %, or too large
 */
PRVCUT_API enum prvcut_status prvcut_time_parse(const char *text, uint64_t end, uint64_t *ns,
                                                struct prvcut_error *err);

/** What told how far clocks are apart. Numbered once and for ever. */
enum prvcut_clock_source {
    PRVCUT_CLOCK_SOURCE_NONE = 0,
    PRVCUT_CLOCK_SOURCE_MESSAGES = 1,
    PRVCUT_CLOCK_SOURCE_COLLECTIVES = 2,
    PRVCUT_CLOCK_SOURCE_BOTH = 3
};

/** The word of JSON; constant; NULL: no such number. */
PRVCUT_API const char *prvcut_clock_source_text(enum prvcut_clock_source source);

/** A time as it can be typed, three significant digits: "16.4ms"; not above 0: "0s"; returns out.
 */
PRVCUT_API char *prvcut_time_text(char out[32], double ns);

/** A readable size, three significant digits, powers of 1000: "16.4 MB"; returns out. */
PRVCUT_API char *prvcut_size_text(char out[32], double bytes);

#ifdef __cplusplus
}
#endif

#endif
