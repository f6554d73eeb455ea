#ifndef PRVCUT_ANALYSIS_COMM_COMM_H
#define PRVCUT_ANALYSIS_COMM_COMM_H

#include "analysis/proof_cells.h"
#include "base/table.h"
#include "model/made.h"
#include "model/trace.h"
#include "prvcut/comm.h"

/**
 * Who sends what to whom, in stretches of the run: one reading of calls, messages and collectives
 * (stream/stream.h), sums by stretch. Threads of a task are added.
 */

/** Messages from one task to another; tasks are dense over all applications. */
struct prvcut_comm_cell {
    struct {
        uint32_t slot, from, to;
        bool alone; /**< told by their receives: their sends are not recorded */
        uint8_t zero[3];
    } key;
    uint64_t messages, bytes, ns;
    uint64_t timed; /**< messages */
};

/** Messages of one size that a task sends. */
struct prvcut_comm_size {
    struct {
        uint32_t slot, of; /**< application; of those alone: applications + the sender */
        uint64_t bytes;
    } key;
    uint64_t messages;
};

/** Calls of one kind of collective. */
struct prvcut_comm_call {
    struct {
        uint32_t slot, application, type, zero;
        int64_t value;
    } key;
    uint64_t calls, sent, received, ns;
    uint64_t sent_told, received_told; /**< calls that tell bytes */
    uint64_t endless;                  /**< calls whose end is not recorded */
    uint64_t apart;       /**< of the bytes sent: in communicators without some of the ranks */
    uint32_t least, most; /**< ranks that these have; 0: there is none */
};

/** Of one application, in one stretch. */
struct prvcut_comm_sum {
    uint64_t unknown, unknown_bytes, outside, outside_bytes;
};

struct prvcut_comm_found {
    struct prvcut_proof_cells cells; /**< a slot a stretch */
    struct prvcut_dictionary names;
    struct prvcut_table cell, size, call; /**< of the structs above */
    struct prvcut_comm_sum *sum;          /**< [slots * applications]; owned */
    bool *sends;                          /**< [tasks] some message of it is recorded by its send */
    uint64_t unlike, acausal;
    uint64_t sizeless;  /**< messages with a size that no message has: it counts 0 */
    uint64_t bytes, ns; /**< of all that is added up anywhere: no sum is larger */
    uint64_t end_ns;    /**< of the run */
};

/**
 * The same of a stream that is told to others, all of it, by thread or by time.
 *
 * owns    *out is the caller's, released with prvcut_comm_hearing_free, also after a failure; *f as
 *         of prvcut_comm_read
 */
struct prvcut_comm_hearing;
enum prvcut_status prvcut_comm_hear(struct prvcut_comm_hearing **out, struct prvcut_comm_found *f,
                                    struct prvcut_trace *t,
                                    const struct prvcut_proof_region *stretch, size_t stretches,
                                    struct prvcut_error *err);
void prvcut_comm_hearing_free(struct prvcut_comm_hearing *h);

/** Its messages and collectives are to be told; borrowed. */
const struct prvcut_stream_sink *prvcut_comm_hearing_sink(const struct prvcut_comm_hearing *h);

/** All was told. false: sums are too large, as prvcut_comm_read says. */
bool prvcut_comm_heard(struct prvcut_comm_hearing *h);

/**
 * Read a trace and add up.
 *
 * shape   stretch: borrowed until prvcut_comm_found_fini, with what it points to
 * owns    *f is initialised here, released with prvcut_comm_found_fini, also after a failure
 * errors  as of prvcut_stream_tell; PRVCUT_ENOMEM; PRVCUT_ELIMIT: bytes or times that add up to
 *         more than 2^64 - 1
 */
enum prvcut_status prvcut_comm_read(struct prvcut_comm_found *f, struct prvcut_trace *t,
                                    const struct prvcut_run *run,
                                    const struct prvcut_proof_region *stretch, size_t stretches,
                                    struct prvcut_error *err);
void prvcut_comm_found_fini(struct prvcut_comm_found *f);

/** The slots that a time of a thread lies in; zeroed but for cells is valid. */
struct prvcut_comm_places {
    const struct prvcut_proof_cells *cells;
    struct prvcut_proof_place *place; /**< [threads]; owned */
    uint32_t *slot;                   /**< [threads * deepest]; owned */
};
enum prvcut_status prvcut_comm_places_init(struct prvcut_comm_places *p,
                                           const struct prvcut_proof_cells *cells, uint32_t threads,
                                           struct prvcut_error *err);
void prvcut_comm_places_fini(struct prvcut_comm_places *p);
/** shape: *count of them */
const uint32_t *prvcut_comm_places_find(struct prvcut_comm_places *p, uint32_t thread,
                                        uint64_t time, uint32_t *count);

/**
 * Make the matrices: one a stretch and application, with its topology. The tables of f are empty
 * then.
 *
 * owns    out->matrix and all that is in it; released with prvcut_comm_matrices_fini, also after a
 *         failure
 */
enum prvcut_status prvcut_comm_matrices(struct made_comm *out, struct prvcut_comm_found *f,
                                        const struct prvcut_objects *o, struct prvcut_error *err);
void prvcut_comm_matrices_fini(struct made_comm *c);

/** Read once more, and tell of each mesh whether work runs across it. */
enum prvcut_status prvcut_comm_wavefronts(struct made_comm *c, const struct prvcut_comm_found *f,
                                          struct prvcut_trace *t, const struct prvcut_run *run,
                                          struct prvcut_error *err);

#endif
