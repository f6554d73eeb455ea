#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_H

#include "analysis/proof_cells.h"
#include "analysis/proof_keys.h"
#include "base/table.h"
#include "model/causality.h"

/**
 * Where the time goes: what each thread did in each of some stretches of the run, in one reading.
 * All sums are integers, the same for any number of workers.
 *
 * - A call, a state: with the time that lies inside. A call is entered where it begins. Of calls
 *   inside calls, which only formats that record enter and leave have, the time is that of the
 *   innermost; least, most and the histogram are of whole calls, each as far as it lies inside.
 * - A call that is open at the end lasts to its thread's last record; one that ends before any has
 *   begun has lasted since its thread's first, and is not entered. Any other end without a begin is
 *   no call, and counted.
 * - A message: where it is sent, and where it is received.
 * - A counter: evenly over the time from the thread's last reading of any counter (0 before the
 *   first) to its own.
 */

/** Who did what, where. */
struct prvcut_profile_key {
    uint32_t slot;
    uint32_t thread;            /**< PRVCUT_NOBODY: threads are not told apart */
    struct prvcut_proof_key of; /**< a message: type 0 sent, 1 received, 2 in a collective */
};

/** The value of a call that nobody names. */
#define PRVCUT_PROFILE_NAMELESS INT64_MIN

enum { PRVCUT_PROFILE_SENT = 0, PRVCUT_PROFILE_RECEIVED = 1, PRVCUT_PROFILE_TOGETHER = 2 };

struct prvcut_profile_cell {
    struct prvcut_profile_key key;
    uint64_t amount;      /**< ns, bytes, or what was counted */
    uint64_t count;       /**< calls that are entered, messages */
    uint64_t parts;       /**< calls of which a part lies inside, or all */
    uint64_t least, most; /**< ns of these parts; valid if parts > 0 */
    uint64_t open;        /**< calls without an end */
};

/** How many calls of all threads have parts of about the same length. */
struct prvcut_profile_bin {
    struct {
        uint32_t slot, bin; /**< see prvcut_profile_bin_ns */
        struct prvcut_proof_key of;
    } key;
    uint64_t count;
};

/** The bin of a length; the middle of a bin: at most 0.8 % from all that is in it; below 128ns
 * exact. */
uint32_t prvcut_profile_bin_of(uint64_t ns);
uint64_t prvcut_profile_bin_ns(uint32_t bin);

struct prvcut_profile_asked {
    const struct prvcut_proof_region *stretch; /**< [stretches], without masks; an end of UINT64_MAX
                                                    is that of the run */
    size_t stretches;
    uint64_t until; /**< ns: where the window ends; UINT64_MAX: with the run */
    bool bins;      /**< how long calls are is wanted */
    size_t binned;  /**< of the first so many stretches; 0: of all */
    bool outside;   /**< of counters only what they counted outside calls: read where a call ends,
                         it was counted in that call */
    bool functions; /**< functions are wanted */
    bool pairs;     /**< with functions: the calls that each makes, in place of its own time */
    bool lines;     /**< in place of these the source lines that MPI calls are made from */
    bool rest;      /**< what the rest of threads' time is is wanted, by state */
    bool met;       /**< what ranks do with each other is wanted: one more reading */
    bool off;       /**< while tracing is off is wanted */
    bool pace;      /**< at which pace threads compute is wanted */
    bool together;  /**< what is sent and received in collectives is wanted */
    /** what can touch it is read, of a trace that was read before; an end of 0: all */
    struct prvcut_span only;
};

/** From where and up to where a thread is recorded. */
struct prvcut_profile_reach {
    uint64_t first;  /**< ns, its earliest record */
    uint64_t begins; /**< ns, its earliest call begins; valid with calls */
    uint64_t last;   /**< ns, its latest record; 0: none */
    uint64_t inside; /**< the latest end of what it does before the window's end */
    uint64_t lost;   /**< ns, its earliest end of a call without a begin; valid with ends */
    uint32_t type;   /**< of that */
    bool seen;       /**< first and last are valid */
    bool calls;      /**< it makes calls, inside or not */
    bool ends;       /**< there is such an end */
};

/** Bits. */
enum prvcut_profile_any {
    PRVCUT_PROFILE_ANY_CALL = 1,
    PRVCUT_PROFILE_ANY_RUNNING = 2,
    PRVCUT_PROFILE_ANY_SENT = 4,
    PRVCUT_PROFILE_ANY_RECEIVED = 8,
    PRVCUT_PROFILE_ANY_COUNTER = 16,
    PRVCUT_PROFILE_ANY_INSIDE = 32,   /**< a call that is neither MPI_Init nor MPI_Finalize */
    PRVCUT_PROFILE_ANY_TOGETHER = 64, /**< bytes of a collective, where these are asked for */
};

struct prvcut_profile_found {
    struct prvcut_proof_cells cells; /**< a slot a stretch */
    struct prvcut_dictionary names;
    struct prvcut_table cell;      /**< of prvcut_profile_cell */
    struct prvcut_table bin;       /**< of prvcut_profile_bin */
    struct prvcut_table rest;      /**< of prvcut_profile_cell (profile_rest.h): states */
    struct prvcut_table off;       /**< of prvcut_profile_cell (profile_off.h) */
    struct prvcut_table pace;      /**< of prvcut_profile_cell (profile_pace.h) */
    struct prvcut_table paces;     /**< of prvcut_profile_paces (the same) */
    struct prvcut_table function;  /**< of prvcut_profile_cell (profile_functions.h) */
    struct prvcut_table named;     /**< of prvcut_proof_key: functions, by their numbers in pairs
                                        (profile_pairs.h); none: numbers are callers */
    struct prvcut_table inclusive; /**< the same, with all that is called */
    struct prvcut_table met;       /**< of prvcut_profile_met (profile_meet.h) */
    struct prvcut_profile_reach *reach; /**< [threads]; owned */
    uint64_t until;                     /**< as asked */
    uint64_t end_ns;                    /**< of the run */
    uint64_t lost;                      /**< ends of calls whose begin is not recorded */
    uint64_t skipped;                   /**< damaged records */
    struct prvcut_causality order;      /**< of messages; where halves meet or collectives are
                                             told, of these, too */
    uint32_t threads;
    uint32_t any;    /**< prvcut_profile_any: what there is anywhere in the trace */
    uint32_t binned; /**< so many of the stretches have bins */
    bool bins;       /**< as asked */
    bool meets;      /**< as asked */
    bool rests;      /**< as asked, where states are recorded and threads told apart */
    bool pairs;      /**< function is of functions and the calls that they make */
    bool callers;    /**< function is of the callers of MPI calls */
    bool apart;      /**< threads are told apart */
    bool told;       /**< states are told from regions: the archive records none */
};

/** Most threads that are told apart: all together in all stretches, or in a single one. */
#define PRVCUT_PROFILE_APART  ((size_t)1 << 17)
#define PRVCUT_PROFILE_SINGLE ((size_t)1 << 20)

/**
 * Read a trace and add up.
 *
 * shape   asked: borrowed until prvcut_profile_found_fini, with what it points to
 * owns    *f is initialised here, released with prvcut_profile_found_fini, also after a failure
 * errors  those of the reader, PRVCUT_ENOMEM, PRVCUT_ELIMIT
 */
enum prvcut_status prvcut_profile_read(struct prvcut_profile_found *f, struct prvcut_trace *t,
                                       const struct prvcut_run *run,
                                       const struct prvcut_profile_asked *asked,
                                       struct prvcut_error *err);

struct prvcut_proof_only;

/**
 * The same of parts of a trace that can be entered anywhere, each of which holds some of the
 * stretches whole: what has begun before a part, or ends after it, counts as far as it is seen
 * there. Of what is found, cells, off, paces, any and lengths are known.
 *
 * shape   parts: of spans, as they stand there; asked: one window a stretch
 */
enum prvcut_status prvcut_profile_read_parts(struct prvcut_profile_found *f, struct prvcut_trace *t,
                                             const struct prvcut_run *run,
                                             const struct prvcut_profile_asked *asked,
                                             const struct prvcut_proof_only *parts,
                                             struct prvcut_error *err);

void prvcut_profile_found_fini(struct prvcut_profile_found *f);

/** A thread's own part of a stretch, ns; and up to where it was recorded. */
uint64_t prvcut_profile_length(const struct prvcut_profile_found *f, size_t slot, uint32_t thread);
uint64_t prvcut_profile_recorded(const struct prvcut_profile_found *f, size_t slot,
                                 uint32_t thread);

#endif
