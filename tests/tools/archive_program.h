#ifndef TOOLS_ARCHIVE_PROGRAM_H
#define TOOLS_ARCHIVE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

/** What a process records. */
enum archive_kind {
    ARCHIVE_ENTER,
    ARCHIVE_LEAVE,
    ARCHIVE_SEND,            /**< non-blocking, posted */
    ARCHIVE_SEND_COMPLETE,   /**< only its request */
    ARCHIVE_RECEIVE_REQUEST, /**< only its request */
    ARCHIVE_RECEIVE,         /**< complete */
    ARCHIVE_COLLECTIVE_BEGIN,
    ARCHIVE_COLLECTIVE_END,
};

/** Regions of the program. */
enum archive_region {
    ARCHIVE_MAIN,
    ARCHIVE_READ_INPUT,
    ARCHIVE_EXCHANGE,
    ARCHIVE_RELAX,
    ARCHIVE_IRECV,
    ARCHIVE_ISEND,
    ARCHIVE_WAITALL,
    ARCHIVE_BCAST,
    ARCHIVE_ALLREDUCE,
    ARCHIVE_REGIONS
};

extern const char *const archive_region_name[ARCHIVE_REGIONS];

/** Is it an MPI call, is it a collective one? */
bool archive_region_is_mpi(enum archive_region region);
bool archive_region_is_collective(enum archive_region region);

struct archive_event {
    enum archive_kind kind;
    enum archive_region region; /**< of enter, leave and collectives */
    uint64_t time;              /**< ns, by the process's own clock */
    uint64_t request, size;
    uint32_t peer, tag; /**< peer: rank */
};

/** What is made. */
struct archive_options {
    const char *folder, *name; /**< FOLDER/NAME.otf2 or .otf */
    uint32_t processes;        /**< >= 2 */
    uint32_t exchanges;        /**< of halos in an iteration */
    uint64_t iterations;
    uint64_t skew_ns; /**< clocks of the processes differ by up to so much */
    bool eztrace;     /**< dialect: definitions of its own for each process, no roles */
};

/** Takes a process's events, in order of time; false stops. */
typedef bool archive_sink(void *ctx, const struct archive_event *event);

/**
 * Run one process. The program: an initialisation with broadcasts, then iterations of `exchanges`
 * halo exchanges with both neighbours in a ring and computing, and an allreduce.
 */
bool archive_run(const struct archive_options *o, uint32_t rank, archive_sink *sink, void *ctx);

/** Events of one process in an iteration, and the mean length of one, ns. */
uint64_t archive_iteration_events(const struct archive_options *o);
double archive_period(const struct archive_options *o);

/** Write all of it; what went wrong is told on standard error. */
bool archive_write_otf(const struct archive_options *o);
bool archive_write_otf2(const struct archive_options *o);

#endif
