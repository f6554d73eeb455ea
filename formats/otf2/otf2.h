#ifndef PRVCUT_OTF2_OTF2_H
#define PRVCUT_OTF2_OTF2_H

#include "model/calls.h"
#include "model/trace.h"

#include <otf2/otf2.h>

/** What a region is to the analyses. */
enum o2_kind {
    O2_USER, /**< a function of the program: computation goes on inside */
    O2_MPI,  /**< call tells which */
    O2_IO,
    O2_SYNC,  /**< waits for other threads: barriers, locks, joins */
    O2_FLUSH, /**< the measurement's own: TRACE BUFFER FLUSH */
    O2_OFF,   /**< MEASUREMENT OFF */
};

/** A region; several definitions with one name (EZTrace: one a process) share type and value. */
struct o2_region {
    OTF2_RegionRef id;
    enum o2_kind kind;
    const struct prvcut_mpi_call *call; /**< of O2_MPI; call->value may be 0 (made up) */
    uint32_t type;                      /**< as the model's events name it */
    int64_t value;
    enum prvcut_role role;
    uint32_t state; /**< enum prvcut_state_number: what a thread does in it */
    const char *name;
};

/** A communicator; its members are locations. */
struct o2_comm {
    OTF2_CommRef id;
    bool mpi; /**< else a team of threads */
    bool self;
    uint32_t first; /**< member[first .. first + count) are threads (dense), by rank */
    uint32_t count;
};

/** A member of a metric class. */
struct o2_metric_member {
    uint32_t type; /**< as the model's events name it */
    enum prvcut_role role;
    OTF2_Type value_type;
    OTF2_MetricMode mode;
    const char *name, *unit;
    OTF2_Base base;
    int64_t exponent;
};

/** A metric class, or an instance of one. */
struct o2_metric {
    OTF2_MetricRef id;
    uint32_t first, count; /**< member_of[first .. first + count) */
};

struct o2_location {
    OTF2_LocationRef id;
    uint32_t thread; /**< dense; its place in the table */
    uint32_t task;
    OTF2_LocationType type;
    const char *name;
};

/** Definitions of an archive, resolved. Tables by id are sorted by id. */
struct o2_definitions {
    struct o2_location *location; /**< [locations], by thread */
    uint32_t locations;
    uint32_t *by_id;          /**< [locations] indices into location, ascending id */
    struct o2_region *region; /**< [regions] ascending id */
    size_t regions;
    struct o2_comm *comm; /**< [comms] ascending id; teams of threads may have the same ids as
                               communicators and are in a table of their own */
    size_t comms;
    uint32_t *member; /**< threads */
    size_t members;
    struct o2_metric *metric; /**< [metrics] ascending id */
    size_t metrics;
    struct o2_metric_member *member_of;
    size_t members_of;
    uint64_t resolution, offset, length; /**< clock: ticks per second, first tick, ticks */
    uint64_t realtime;                   /**< ns since 1970 at offset; OTF2_UNDEFINED_TIMESTAMP */
    void *arena;                         /**< texts */
};

/** Where a location's events can be entered again: event number and time in ticks. */
struct o2_mark {
    uint64_t event; /**< 1-based position of the first event at or after the mark */
    uint64_t time;  /**< ticks, of that event */
};

/** Events between two marks. */
#define O2_MARK_EVENTS ((uint64_t)65536)

struct o2_marks {
    struct o2_mark *at;
    size_t count, room;
    uint64_t events;      /**< of the location, once scanned */
    uint64_t first, last; /**< ticks */
};

/** An open archive. Library readers are made per worker (o2_reader_open), never shared. */
struct o2_trace {
    struct prvcut_trace base; /**< base.path: the anchor file */
    struct o2_definitions defs;
    struct o2_marks *marks; /**< [locations], once scanned */
    uint64_t event_chunk, definition_chunk;
    bool local_definitions; /**< there are local .def files: mapping tables, clock offsets */
    bool lenient;
    bool scanned;
};

/* reader.c */

/** Opens the archive once more for one worker; all locations selected. Errors name the file. */
enum prvcut_status o2_reader_open(OTF2_Reader **out, const struct o2_trace *t,
                                  struct prvcut_error *err);

/**
 * Open one location's events, its local definitions (mapping, clock) applied; the caller sets
 * callbacks, reads, and closes with OTF2_Reader_CloseEvtReader. At most one at a time a worker.
 */
enum prvcut_status o2_location_open(OTF2_EvtReader **out, OTF2_Reader *r, const struct o2_trace *t,
                                    uint32_t thread, struct prvcut_error *err);

/** What the library said when a call on this thread failed, with file and location in front. */
enum prvcut_status o2_fail(const struct o2_trace *t, uint32_t thread, OTF2_ErrorCode code,
                           struct prvcut_error *err);

/** ns from the trace's start of a tick of a thread's clock, and with clocks brought together. */
uint64_t o2_time(const struct o2_trace *t, uint32_t thread, uint64_t tick);

/** The first tick of a thread's own clock whose o2_time is not before `ns`. */
uint64_t o2_tick(const struct o2_trace *t, uint32_t thread, uint64_t ns);

/** NULL where undefined. */
const struct o2_region *o2_region_of(const struct o2_definitions *d, OTF2_RegionRef id);
const struct o2_comm *o2_comm_of(const struct o2_definitions *d, OTF2_CommRef id);
const struct o2_metric *o2_metric_of(const struct o2_definitions *d, OTF2_MetricRef id);

/** Thread of a rank of a communicator, seen from a thread; PRVCUT_NOBODY where unknown. */
uint32_t o2_rank_thread(const struct o2_definitions *d, const struct o2_comm *c, uint32_t rank,
                        uint32_t thread);

/* definitions.c */
enum prvcut_status o2_definitions_read(struct o2_trace *t, OTF2_Reader *r,
                                       struct prvcut_error *err);
void o2_definitions_fini(struct o2_definitions *d);
enum prvcut_status o2_describe(struct prvcut_trace *t, struct prvcut_dictionary *out,
                               struct prvcut_error *err);

/* scan.c, cut.c, check.c */
enum prvcut_status o2_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                           const struct prvcut_consumer *consumer, struct prvcut_counts *counts,
                           struct prvcut_error *err);
enum prvcut_status o2_scan_window(struct prvcut_trace *t, const struct prvcut_run *run,
                                  uint64_t from, uint64_t to,
                                  const struct prvcut_consumer *consumer, struct prvcut_error *err);
enum prvcut_status o2_cut(struct prvcut_trace *t, const struct prvcut_run *run,
                          const struct prvcut_window *window,
                          const struct prvcut_cut_options *options, struct prvcut_cut_summary *out,
                          struct prvcut_error *err);
enum prvcut_status o2_check(struct prvcut_findings *out, struct prvcut_source *source,
                            const struct prvcut_open_options *options, const struct prvcut_run *run,
                            struct prvcut_error *err);

#endif
