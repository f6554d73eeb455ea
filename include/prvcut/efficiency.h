#ifndef PRVCUT_EFFICIENCY_H
#define PRVCUT_EFFICIENCY_H

#include "prvcut/convert.h"
#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * How well runs use their processors: the factors of the POP methodology, each a part of 1 (but
 * speedup, IPC and frequency), in the order of a report. Numbered once and for ever.
 *
 * global = parallel * computation_scalability
 *   parallel = balance * communication: what part of all threads' time is computing
 *     balance = mean computing / most computing of a thread
 *     communication = serialization * transfer = most computing / runtime
 *       serialization = most computing / runtime on an ideal network
 *       transfer = runtime on an ideal network / runtime
 *   computation_scalability = ipc_scalability * instruction_scalability * frequency_scalability:
 *   computing of the run that is compared with / of this one
 */
enum prvcut_pop {
    PRVCUT_POP_PARALLEL = 0,
    PRVCUT_POP_BALANCE = 1,
    PRVCUT_POP_COMMUNICATION = 2,
    PRVCUT_POP_SERIALIZATION = 3,
    PRVCUT_POP_TRANSFER = 4,
    PRVCUT_POP_COMPUTATION_SCALABILITY = 5,
    PRVCUT_POP_GLOBAL = 6,
    PRVCUT_POP_IPC_SCALABILITY = 7,
    PRVCUT_POP_INSTRUCTION_SCALABILITY = 8,
    PRVCUT_POP_FREQUENCY_SCALABILITY = 9,
    PRVCUT_POP_SPEEDUP = 10,
    PRVCUT_POP_IPC = 11,             /**< instructions a cycle */
    PRVCUT_POP_FREQUENCY = 12,       /**< GHz, while computing */
    PRVCUT_POP_PROCESS_BALANCE = 13, /**< of tasks, each with the thread that computes most */
    PRVCUT_POP_PROCESS_PARALLEL = 14,
    PRVCUT_POP_THREAD_PARALLEL = 15, /**< parallel / process_parallel */
    PRVCUT_POPS                      /**< how many this header knows */
};

/** "parallel", "instruction_scalability": as JSON has it; constant; NULL: no such number. */
PRVCUT_API const char *prvcut_pop_text(enum prvcut_pop factor);

/** What counts as computing. */
enum prvcut_computing {
    PRVCUT_COMPUTING_RUNNING = 0, /**< the running state; of threads without any all that is not in
                                       calls */
    PRVCUT_COMPUTING_OUTSIDE = 1  /**< up to a thread's last record all that is not in calls */
};

/** When a run begins and ends. */
enum prvcut_starts {
    PRVCUT_STARTS_AUTO = 0, /**< own where the trace tells that it is cut so, else common */
    PRVCUT_STARTS_COMMON = 1,
    PRVCUT_STARTS_OWN = 2 /**< of each task with the window that the trace tells, else
                               with its first state and its last */
};

/** Who waits for whom on the ideal network. */
enum prvcut_waits {
    PRVCUT_WAITS_DIMEMAS = 0, /**< as Dimemas 5.5 has it */
    PRVCUT_WAITS_CAUSAL = 1   /**< only those that waited in the recorded run */
};

enum prvcut_scaling { PRVCUT_SCALING_AUTO = 0, PRVCUT_SCALING_STRONG = 1, PRVCUT_SCALING_WEAK = 2 };

/** How factors are put together. */
enum prvcut_factors_form {
    PRVCUT_FACTORS_MULTIPLICATIVE = 0,
    PRVCUT_FACTORS_ADDITIVE = 1 /**< parallel = balance + communication - 1, and so on below */
};

/** What runs are told apart by. */
enum prvcut_efficiency_by {
    PRVCUT_EFFICIENCY_BY_RUN = 0,
    PRVCUT_EFFICIENCY_BY_REGION = 1,   /**< periodic ones, of one level */
    PRVCUT_EFFICIENCY_BY_ITERATION = 2 /**< of one loop */
};

/** What prvcut_efficiency_make is told; zeroed is valid. Filled in. */
struct prvcut_efficiency_options {
    size_t size;             /**< of this struct */
    struct prvcut_span only; /**< ns, as if the run were that window; end 0 = all of it */
    enum prvcut_efficiency_by by;
    const char *region;   /**< "1.4", "longest": that one, or its iterations; NULL: all; "all", by
                             run:   by region */
    uint64_t first, last; /**< iterations of its loop, from 1; 0: all */
    const char *borders;  /**< file with lines "TASK ITERATION NS", tasks from 1: iterations by the
                               program's own marks; NULL: those that are found */
    enum prvcut_computing computing, ideal_computing; /**< of the latter only serialization */
    enum prvcut_starts starts;
    enum prvcut_waits waits;
    uint64_t eager; /**< bytes from which on a message waits for its receive; 0: 32768 */
    enum prvcut_scaling scaling;
    enum prvcut_factors_form form;
    const char *group; /**< what the run belongs to, as prvcut_efficiency_group_begin has it; NULL:
                            all runs are compared with each other */
    bool base;         /**< the run is the one that others are compared with, however many threads
                            it has, until another one is told to be */
};

/** Stands for a number that the trace does not tell. */
#define PRVCUT_EFFICIENCY_UNTOLD UINT64_MAX

/** A run, or a part of one: a view, which grows at its end. */
struct prvcut_efficiency_run {
    const char *name;        /**< of the trace, as people call it */
    const char *region;      /**< "1.4"; NULL: of none */
    uint64_t iteration;      /**< from 1; 0: it is none */
    struct prvcut_span span; /**< ns; of an iteration on the thread that leads */
    bool disturbed;
    uint32_t tasks, threads;
    double runtime_ns;     /**< the mean over the threads where these have borders of their own */
    double ideal_ns;       /**< on an ideal network; NAN: not told, as in all that follow */
    uint64_t computing_ns; /**< of all threads; UNTOLD */
    uint64_t most_ns;      /**< of the one that computes most; UNTOLD */
    uint64_t outside_most_ns;    /**< the most that a thread is not in calls; UNTOLD */
    double instructions, cycles; /**< while computing */
    const char *computing;       /**< constant: "running", "outside" */
    bool own_starts;
    /* What the replay left out, or had to do. */
    uint64_t released;        /**< calls that had waited for ever, and do not */
    uint64_t acausal;         /**< messages received before they were sent: left out */
    uint64_t callless;        /**< messages without a call around their sending: left out */
    uint64_t late;            /**< messages whose receive had been replayed: left out */
    uint64_t crossing;        /**< messages that reach out of the window: left out */
    uint64_t alone;           /**< messages of which one end is not recorded: left out */
    uint64_t started;         /**< collectives that go on behind their calls: nobody waits */
    uint64_t groupless;       /**< collectives whose communicator is not known: nobody waits */
    uint64_t unended;         /**< calls without an end: to the thread's last record */
    uint64_t lost;            /**< ends of calls without a begin: left out */
    uint64_t queued;          /**< most calls that waited to be replayed at a time */
    size_t ranks;             /**< of prvcut_efficiency_rank */
    size_t reasons;           /**< of prvcut_efficiency_reason */
    size_t notes;             /**< of prvcut_efficiency_note */
    uint32_t application;     /**< from 1: what of the trace it is, or the first of several that
                                 exchange  messages and are one program; others are runs of their own */
    uint32_t applications;    /**< programs that the trace holds, each a run of its own */
    uint64_t skipped;         /**< damaged records: left out (lenient) */
    size_t read;              /**< how many traces were read before its own */
    uint64_t loop_iterations; /**< how often its loop goes round; 0: not told */
};

/** What one thread does in it. A view. */
struct prvcut_efficiency_rank {
    uint32_t rank;         /**< from 0, dense over all applications */
    uint32_t thread;       /**< dense, from 0 */
    const char *name;      /**< "1.4.1", or as an archive calls it */
    uint64_t recorded_ns;  /**< from the window's start to its last record in it */
    uint64_t computing_ns; /**< UNTOLD */
    uint64_t calls_ns;     /**< in MPI */
    uint64_t rest_ns;      /**< recorded, but neither; UNTOLD */
    double of_most;        /**< computing / that of the thread that computes most */
    double waits_ns;       /**< runtime - computing */
    double ideal_waits_ns; /**< the same on an ideal network */
    double instructions, cycles;
};

/** Why something is not told. Closed. */
struct prvcut_efficiency_reason {
    const char *what; /**< constant: a field of JSON: "serialization" */
    const char *text; /**< constant */
};

/** The factors of some runs, which prvcut_efficiency_add adds to. It grows at its end. */
struct prvcut_efficiency {
    enum prvcut_efficiency_by by;
    size_t runs;                 /**< by how many threads they have, or in the order of time; of
                                      groups one after the other */
    size_t base;                 /**< the run that the others are compared with */
    enum prvcut_scaling scaling; /**< strong or weak */
    bool scaling_guessed;        /**< auto without counters: it may be weak */
    enum prvcut_factors_form form;
    enum prvcut_waits waits;
    uint64_t eager; /**< bytes */
    enum prvcut_computing ideal_computing;
    const char *no_loop; /**< why there is none; NULL where nobody asked, or there is */
    size_t groups;       /**< of prvcut_efficiency_group, in the order in which they began; each
                              has a base and a scaling of its own; 0: none were named */
    uint32_t from_threads, to_threads; /**< the least and the most that all groups have; 0: groups
                                            cannot be compared */
    const char *not_compared;          /**< why not, constant; NULL: they are, or there is one */
    bool uneven; /**< the work of some runs is not that of those they are compared with, so that
                      their loops may go round more or less often: prvcut_efficiency_loop tells */
};

/** Runs that are compared with each other: of one compiler, say. A view. */
struct prvcut_efficiency_group {
    const char *name;
    size_t first, runs; /**< of prvcut_efficiency_run; by how many threads they have */
    size_t base;        /**< of prvcut_efficiency_run */
    enum prvcut_scaling scaling;
    bool scaling_guessed;
    double speedup; /**< from from_threads to to_threads, of the fastest runs with as many; NAN */
    bool best;      /**< no other group's is greater by as much as can be told */
};

/**
 * Read a run, once, and tell its factors; replay it on a network that takes no time. Another
 * reading searches for the loop where regions or iterations are asked for.
 *
 * owns    *out is the caller's, released with prvcut_efficiency_free; NULL after a failure
 * errors  PRVCUT_NONE: regions or iterations are asked for and there is no loop, as err tells; *out
 * is there all the same, with the run as a whole; PRVCUT_EUSAGE: an empty window, no such region,
 * file of borders or iteration; else as a scan source  Casas 4.2 to 4.4; basicanalysis 0.3.6;
 * Dimemas 5.5
 */
PRVCUT_API enum prvcut_status prvcut_efficiency_make(
    struct prvcut_trace *trace, const struct prvcut_run *run,
    const struct prvcut_efficiency_options *options, struct prvcut_efficiency **out,
    struct prvcut_error *err);

/**
 * Read another run, with the options of the first; all are compared again. Not where runs are told
 * apart by regions or iterations.
 *
 * base    it is the one that others are compared with; else that with the fewest threads, or the
 *         one that was told before
 * errors  as of prvcut_efficiency_make; e is then as it was
 */
PRVCUT_API enum prvcut_status prvcut_efficiency_add(struct prvcut_efficiency *e,
                                                    struct prvcut_trace *trace,
                                                    const struct prvcut_run *run, bool base,
                                                    struct prvcut_error *err);

/**
 * Find how often the loop of a run goes round, in another reading of its trace. Where that differs
 * between a run and the one that it is compared with, and iterations have the same work, a note
 * tells the speedup by iteration.
 *
 * read    of prvcut_efficiency_run, whose trace is open again; runs of other traces stay
 * errors  as of prvcut_structure_find; no loop is no failure
 */
PRVCUT_API enum prvcut_status prvcut_efficiency_loop(struct prvcut_efficiency *e, size_t read,
                                                     struct prvcut_trace *trace,
                                                     const struct prvcut_run *run,
                                                     struct prvcut_error *err);

/**
 * Write the run as it is replayed on the ideal network: a Paraver trace that lasts its length.
 *
 * shape   trace: a whole Paraver trace that can be read again; how: of options starts, waits and
 *         eager count; to: path, force, dry_run, command, memory and scratch
 * owns    *out is the caller's, released with prvcut_convert_summary_free; NULL after a failure
 * errors  PRVCUT_EUSAGE: of another format, from a pipe, or a part is asked for; PRVCUT_ELIMIT:
 * more than 2^25 calls; PRVCUT_EEXIST, PRVCUT_EIO, PRVCUT_EFORMAT; nothing is left behind
 */
PRVCUT_API enum prvcut_status prvcut_efficiency_ideal(struct prvcut_trace *trace,
                                                      const struct prvcut_run *run,
                                                      const struct prvcut_efficiency_options *how,
                                                      const struct prvcut_convert_options *to,
                                                      struct prvcut_convert_summary **out,
                                                      struct prvcut_error *err);

/**
 * Runs that are added from here on belong to another group than those before.
 *
 * name    copied
 * errors  PRVCUT_EUSAGE: it is empty or taken, the group before has no run, or the first run was
 *         made without a group; PRVCUT_ENOMEM
 */
PRVCUT_API enum prvcut_status prvcut_efficiency_group_begin(struct prvcut_efficiency *e,
                                                            const char *name,
                                                            struct prvcut_error *err);

/** Group i; borrowed until a run is added; NULL beyond the last. */
PRVCUT_API const struct prvcut_efficiency_group *prvcut_efficiency_group(
    const struct prvcut_efficiency *e, size_t i);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_efficiency_free(struct prvcut_efficiency *e);

/** Run i; borrowed until a run is added; NULL beyond the last. */
PRVCUT_API const struct prvcut_efficiency_run *prvcut_efficiency_run(
    const struct prvcut_efficiency *e, size_t i);

/** A factor of a run; NAN where it is not told, or cannot be. */
PRVCUT_API double prvcut_efficiency_factor(const struct prvcut_efficiency_run *r,
                                           enum prvcut_pop factor);

/** Thread i of a run; NULL beyond the last. */
PRVCUT_API const struct prvcut_efficiency_rank *prvcut_efficiency_rank(
    const struct prvcut_efficiency_run *r, size_t i);

/** NULL beyond the last. */
PRVCUT_API const struct prvcut_efficiency_reason *prvcut_efficiency_reason(
    const struct prvcut_efficiency_run *r, size_t i);

/** What else is to be known of a run, in a sentence; NULL beyond the last. */
PRVCUT_API const char *prvcut_efficiency_note(const struct prvcut_efficiency_run *r, size_t i);

/** For a person: a table of the factors, and what is to be known; ranks: of each thread, too.
    Free *text. */
PRVCUT_API enum prvcut_status prvcut_efficiency_text(const struct prvcut_efficiency *e, bool ranks,
                                                     char **text, struct prvcut_error *err);
/** As basicanalysis writes it, byte for byte; by region or iteration, or of ranks: one line each.
    Free *text. errors: PRVCUT_EUSAGE: basicanalysis has one group of runs, and here are several */
PRVCUT_API enum prvcut_status prvcut_efficiency_csv(const struct prvcut_efficiency *e, bool ranks,
                                                    char **text, struct prvcut_error *err);
/** Factors and speedup over the threads of whole runs, as a drawing (SVG); of groups global
    efficiency and speedup, a line each. Free *text.
    errors: PRVCUT_EUSAGE: parts of one run */
PRVCUT_API enum prvcut_status prvcut_efficiency_svg(const struct prvcut_efficiency *e, char **text,
                                                    struct prvcut_error *err);
/** Schema "prvcut-efficiency". Free *text. */
PRVCUT_API enum prvcut_status prvcut_efficiency_json(const struct prvcut_efficiency *e, bool ranks,
                                                     char **text, struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
