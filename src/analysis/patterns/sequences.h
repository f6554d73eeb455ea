#ifndef PRVCUT_ANALYSIS_PATTERNS_SEQUENCES_H
#define PRVCUT_ANALYSIS_PATTERNS_SEQUENCES_H

#include "analysis/patterns/names.h"
#include "model/dictionary.h"
#include "model/trace.h"

/**
 * The calls of all threads, one thread after the other, as symbols: what two calls must share to be
 * equal. One reading, whose records are sorted on disk where they must be (stream/stream.h), so
 * that memory is that of one thread's calls: 32 bytes each, and 160 for each different one.
 *
 * Calls are MPI's: outermost ones, those on several lines of one time as one. A thread that makes
 * none has the regions that it enters, in the order of their begins.
 */

/** Alphabets, coarse to fine; numbers of prvcut/patterns.h's enum prvcut_symbols, less 1. */
enum pat_alphabet {
    PAT_CALL,    /**< which call */
    PAT_PARTNER, /**< and direction, partner and tag of its messages, its root, its communicator */
    PAT_SIZE,    /**< and the bytes of these messages, or that it gives to the collective */
    PAT_SITE,    /**< which call, and who called it (not partner, nor size) */
    PAT_ALL,     /**< all of these */
    PAT_ALPHABETS
};

/** Bits: which regions are calls. */
enum pat_of { PAT_MPI = 1, PAT_OPENMP = 2, PAT_PTHREAD = 4, PAT_FUNCTION = 8 };

/** A number that is not told. */
#define PAT_UNTOLD UINT64_MAX

/** One call of a thread. */
struct pat_call {
    uint64_t begin, end; /**< ns; end: of the trace where none is recorded */
    uint32_t symbol;     /**< place in pat_thread.symbol */
    uint32_t function;   /**< place in pat_thread.function of the innermost one it is made in, as
                              regions tell, else its caller; UINT32_MAX: neither is recorded */
};

/** What it is, as far as the thread's calls are told apart by it. */
struct pat_symbol {
    /** By alphabet: calls of any threads, and traces, are equal that have the same. Partners count
        from the own rank on, modulo the ranks of the application. Hashes of 64 bits. */
    uint64_t key[PAT_ALPHABETS];
    uint32_t of[PAT_ALPHABETS]; /**< the same, counted from 0 in the order of this thread's first
                                     calls: of[a] < pat_thread.different[a] */
    uint32_t type;
    int64_t value;
    uint8_t role; /**< enum prvcut_role */
    /* Of the first such call. */
    uint32_t messages; /**< ends of messages: sent, and received where that was posted as far as
                            the trace tells, else where they were complete */
    bool receive;      /**< the first of them: its direction, the rank at the other end (task of
                            the trace; UINT32_MAX: not told), its tag */
    uint32_t partner;
    int64_t tag;
    uint64_t bytes;        /**< of all its messages, or the collective; UNTOLD: neither */
    uint32_t root;         /**< 1: the own rank is; 0: not, or none */
    uint32_t communicator; /**< id; UINT32_MAX: not told */
};

/** A function or its like: an event type and a value. */
struct pat_function {
    uint32_t type;
    uint32_t zero;
    int64_t value;
};

/** A thread, and what it did. */
struct pat_thread {
    uint32_t thread, task; /**< dense, from 0 */
    bool regions;          /**< it makes no MPI calls; these are regions that it enters */
    struct pat_call *call; /**< [calls], by begin */
    size_t calls;
    struct pat_symbol *symbol; /**< [symbols], in the order of their first calls */
    size_t symbols;
    size_t different[PAT_ALPHABETS];
    const struct pat_function *function; /**< [functions] of the run, so far */
    size_t functions;
    struct prvcut_span *flush; /**< [flushes] ns, when it wrote its trace; in order */
    size_t flushes;
    uint64_t end_ns; /**< of the trace */
    uint64_t lone;   /**< messages that it sends outside of any call */
    bool uncalled;   /**< calls of it seem to be missing (uncalled.h); not of a window */
};

/** What of it; zeroed is valid. */
struct pat_sequences_options {
    unsigned of; /**< bits of enum pat_of; 0: MPI, and all regions where there is none */
    struct prvcut_span only; /**< calls that begin in it; end 0 = everything */
    const uint8_t *thread;   /**< [threads] nonzero: it is wanted; NULL: all are */
};

/**
 * Read a trace, and hand over each thread in the order of their numbers, those without calls, too.
 *
 * shape   names: of the trace (prvcut_reader.describe)
 * owns    what take gets is valid during the call, but it may take `call` and `symbol` (set them to
 *         NULL; free())
 * errors  as of a scan; PRVCUT_EIO: no room to sort; PRVCUT_ELIMIT: 2^32 calls of a thread; what
 *         take returned
 */
enum prvcut_status pat_sequences_read(struct prvcut_trace *t, const struct prvcut_run *run,
                                      const struct prvcut_dictionary *names,
                                      const struct pat_sequences_options *options,
                                      enum prvcut_status (*take)(void *ctx, struct pat_thread *one,
                                                                 struct prvcut_error *err),
                                      void *ctx, struct prvcut_error *err);

/** Symbol of a call in an alphabet. */
static inline uint32_t pat_symbol_of(const struct pat_thread *t, size_t call,
                                     enum pat_alphabet alphabet)
{
    return t->symbol[t->call[call].symbol].of[alphabet];
}

/** Where the i-th call ends as the next one begins; i <= calls. The last one ends by itself. */
static inline uint64_t pat_border(const struct pat_thread *t, size_t i)
{
    if (i < t->calls)
        return t->call[i].begin;
    return t->calls > 0 ? t->call[t->calls - 1].end : 0;
}

/** "call", "partner"...; constant. */
const char *pat_alphabet_text(enum pat_alphabet alphabet);

#endif
