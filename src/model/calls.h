#ifndef PRVCUT_MODEL_CALLS_H
#define PRVCUT_MODEL_CALLS_H

#include "model/batch.h"
#include "model/clocks.h"

/**
 * Event types that every reader uses for the same thing, with the numbers that Extrae gave them, so
 * that Paraver's configurations work on converted traces.
 */
enum prvcut_type {
    PRVCUT_TYPE_FLUSH = 40000003,
    PRVCUT_TYPE_TRACING = 40000012,
    PRVCUT_TYPE_PAPI = 42000000,    /**< + the preset's number, as Extrae adds it */
    PRVCUT_TYPE_COUNTER = 42001000, /**< + k: counters that are no PAPI preset */
    PRVCUT_TYPE_GAUGE = 46500000,   /**< + k: levels (memory, temperature, power) */
    PRVCUT_TYPE_MPI_P2P = 50000001,
    PRVCUT_TYPE_MPI_COLLECTIVE = 50000002,
    PRVCUT_TYPE_MPI_OTHER = 50000003,
    PRVCUT_TYPE_MPI_RMA = 50000004,
    PRVCUT_TYPE_MPI_IO = 50000005,
    PRVCUT_TYPE_SIZE_SENT = 50100001,
    PRVCUT_TYPE_SIZE_RECEIVED = 50100002,
    PRVCUT_TYPE_ROOT = 50100003, /**< 1 on the root's own call */
    PRVCUT_TYPE_COMMUNICATOR = 50100004,
    /* Of collectives that do not block, for prvcut_consumer.completions alone: the request that a
       call starts, that it is complete in the present call, and then what it was. */
    PRVCUT_TYPE_STARTED = 50190001,
    PRVCUT_TYPE_COMPLETED = 50190002,
    PRVCUT_TYPE_COMPLETED_SENT = 50190003,
    PRVCUT_TYPE_COMPLETED_RECEIVED = 50190004,
    PRVCUT_TYPE_COMPLETED_COMMUNICATOR = 50190005,
    PRVCUT_TYPE_COMPLETED_ROOT = 50190006, /**< 1 on the root */
    PRVCUT_TYPE_USER_FUNCTION = 60000019,
    PRVCUT_TYPE_REGION = 60100000, /**< + k: regions of another paradigm (OpenMP, pthread, I/O) */
    PRVCUT_TYPE_PARAMETER = 62000000,   /**< + k: a named number that the program gave */
    PRVCUT_TYPE_CALLER = 70000001,      /**< who makes a call; who calls that one comes after it */
    PRVCUT_TYPE_CALLER_LINE = 80000001, /**< where a call is made from */
};

/** States as Extrae numbers them. */
enum prvcut_state_number {
    PRVCUT_STATE_IDLE = 0,
    PRVCUT_STATE_RUNNING = 1,
    PRVCUT_STATE_NOT_CREATED = 2,
    PRVCUT_STATE_WAITING_MESSAGE = 3,
    PRVCUT_STATE_BLOCKING_SEND = 4,
    PRVCUT_STATE_SYNCHRONIZATION = 5,
    PRVCUT_STATE_TEST_PROBE = 6,
    PRVCUT_STATE_FORK_JOIN = 7,
    PRVCUT_STATE_WAIT = 8,
    PRVCUT_STATE_BLOCKED = 9,
    PRVCUT_STATE_IMMEDIATE_SEND = 10,
    PRVCUT_STATE_IMMEDIATE_RECEIVE = 11,
    PRVCUT_STATE_IO = 12,
    PRVCUT_STATE_GROUP_COMMUNICATION = 13,
    PRVCUT_STATE_TRACING_DISABLED = 14,
    PRVCUT_STATE_OTHERS = 15,
    PRVCUT_STATE_SEND_RECEIVE = 16,
    PRVCUT_STATES = 17
};

/** Name and colour that Extrae gives to a state; NULL and -1 beyond PRVCUT_STATES. */
const char *prvcut_state_text(uint32_t number);
int32_t prvcut_state_colour(uint32_t number);

/** One MPI call. */
struct prvcut_mpi_call {
    const char *name; /**< "MPI_Allreduce" */
    uint16_t value;   /**< of the type below; 0 in a call that prvcut_mpi_call_of made up */
    enum prvcut_role role;
    enum prvcut_type type;
    enum prvcut_state_number state;
    int8_t operation; /**< of a blocking or non-blocking collective: OTF2's number; -1: none */
    enum prvcut_clock_flow flow; /**< of a collective that moves data (or waits) */
    bool nonblocking;
};

/** All known ones, by name; ended by a NULL name. */
extern const struct prvcut_mpi_call prvcut_mpi_calls[];

/**
 * The call that a region's name stands for: "MPI_Send", "mpi_send_", "PMPI_Send", "mpi_send".
 *
 * A name that begins with MPI_ and is not in the table is *made_up: an MPI_OTHER call of value 0.
 * shape   NULL: not MPI at all. made_up may be NULL: then such names give NULL, too
 */
const struct prvcut_mpi_call *prvcut_mpi_call_of(const char *region,
                                                 struct prvcut_mpi_call *made_up);

/** By type and value, where a trace gives no name for the value; NULL where there is none. */
const struct prvcut_mpi_call *prvcut_mpi_call_by_value(uint32_t type, int64_t value);

/** Does a call begin or end the program's use of MPI? shape: NULL: one that is not known */
enum prvcut_mpi_bound { PRVCUT_MPI_INSIDE, PRVCUT_MPI_INIT, PRVCUT_MPI_FINALIZE };
enum prvcut_mpi_bound prvcut_mpi_call_bound(const struct prvcut_mpi_call *call);

/** What a region is, by its name alone: I/O, synchronisation (locks, barriers, joins), or neither.
 */
enum prvcut_name_kind { PRVCUT_NAME_PLAIN, PRVCUT_NAME_IO, PRVCUT_NAME_SYNC };
enum prvcut_name_kind prvcut_name_kind(const char *region);

/** PAPI presets: offset to PRVCUT_TYPE_PAPI and role of "PAPI_TOT_INS"; false: not one. */
bool prvcut_papi_preset(const char *name, uint32_t *offset, enum prvcut_role *role);
const char *prvcut_papi_name(uint32_t offset);

#endif
