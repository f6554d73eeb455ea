#ifndef PRVCUT_OTF2_OTF2_H
#define PRVCUT_OTF2_OTF2_H

#include "base/buffer.h"
#include "model/calls.h"
#include "model/trace.h"

/* Not <otf2/otf2.h>: on the include path of the formats, that is this file. */
#include <otf2/OTF2_Archive.h>
#include <otf2/OTF2_Reader.h>

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
    uint32_t state;     /**< enum prvcut_state_number: what a thread does in it */
    int64_t user_value; /**< as a user function: an MPI call inside another one */
    OTF2_RegionRole otf2_role;
    OTF2_Paradigm paradigm;
    const char *name;
    const char *file; /**< source file; "" unknown */
    uint32_t line;    /**< 0 unknown */
};

/** Value, as a user function, of a region whose definition is missing. */
#define O2_UNDEFINED_VALUE INT64_C(2147483647)

/** A communicator of MPI; its members are locations. */
struct o2_comm {
    OTF2_CommRef id;
    uint32_t number; /**< as the model's records name it: 1-based place in the table */
    bool self;       /**< of one process alone: no members, rank 0 is whoever asks */
    bool inter;      /**< ranks in a record are those of the other group */
    uint32_t first;  /**< member[first .. first + count) are threads (dense), by rank */
    uint32_t count;
    uint32_t other_first, other_count; /**< second group of an intercommunicator */
    const char *name;
};

/** A member of a metric class. */
struct o2_metric_member {
    OTF2_MetricMemberRef id;
    uint32_t type; /**< as the model's events name it */
    enum prvcut_role role;
    OTF2_Type value_type; /**< doubles are delivered in thousandths */
    OTF2_MetricMode mode;
    const char *name, *unit;
    OTF2_Base base;
    int64_t exponent;
};

/** A metric class, or an instance of one. */
struct o2_metric {
    OTF2_MetricRef id;
    uint32_t first, count; /**< member_of[first .. first + count) */
    uint32_t slot;         /**< last readings of its members: [slot .. slot + count) */
    const char *trouble;   /**< NULL, or why its records cannot be understood */
};

/** A named number that the program gives. */
struct o2_parameter {
    OTF2_ParameterRef id;
    OTF2_ParameterType kind; /**< of a text, the number is its id + 1 */
    uint32_t type;           /**< as the model's events name it */
    const char *name;
};

/** A text that has a number. */
struct o2_string {
    OTF2_StringRef id;
    const char *text;
};

/** A place in the call tree; only its region matters here. */
struct o2_context {
    OTF2_CallingContextRef id;
    OTF2_RegionRef region;
};

struct o2_location {
    OTF2_LocationRef id;
    uint32_t thread; /**< dense; its place in the table */
    uint32_t task;
    OTF2_LocationType type;
    uint64_t promised; /**< events, as the definition says; EZTrace writes anything */
    const char *name;
};

/** A process: a location group, with the accelerators that it drives. */
struct o2_process {
    OTF2_LocationGroupRef id;
    uint32_t node; /**< dense */
    const char *name;
};

/** Definitions of an archive, resolved. Tables by id are sorted by id. */
struct o2_definitions {
    struct o2_location *location; /**< [locations], by thread */
    uint32_t locations;
    uint32_t *by_id;            /**< [locations] indices into location, ascending id */
    struct o2_process *process; /**< [processes], the tasks of the model */
    uint32_t processes;
    const char **node; /**< [nodes] names */
    uint32_t nodes;
    struct o2_region *region; /**< [regions] ascending id */
    size_t regions;
    struct o2_comm *comm; /**< [comms] ascending id, of MPI only: teams of threads, which may have
                               the same ids, are not kept */
    size_t comms;
    uint32_t *member; /**< threads; PRVCUT_NOBODY where a location is not defined */
    size_t members;
    struct o2_metric *metric; /**< [metrics] ascending id */
    size_t metrics;
    struct o2_metric_member *member_of;
    size_t members_of;
    uint32_t slots;                 /**< of last readings, for all metrics */
    struct o2_parameter *parameter; /**< [parameters] ascending id */
    size_t parameters;
    struct o2_context *context; /**< [contexts] ascending id */
    size_t contexts;
    struct o2_string *string; /**< [strings] ascending id; only where parameters are texts */
    size_t strings;
    uint32_t world; /**< number of MPI_COMM_WORLD; PRVCUT_NOBODY */
    bool plain;   /**< no region has a paradigm or role, as EZTrace writes them: names tell all, and
                       communicators of point-to-point records are not to be trusted */
    bool clocked; /**< there is a record of clock properties */
    uint64_t resolution, offset, length; /**< clock: ticks per second, first tick, ticks */
    uint64_t realtime;                   /**< ns since 1970 at offset; OTF2_UNDEFINED_TIMESTAMP */
    void *arena;                         /**< texts */
};

/**
 * Where a location's events can be entered again. All events before it have times up to its own.
 */
struct o2_mark {
    uint64_t event;  /**< 1-based position, for OTF2_EvtReader_Seek */
    uint64_t time;   /**< ticks, of that event */
    uint64_t state;  /**< the reader's own: where in o2_marks.state its snapshot is */
    uint64_t offset; /**< of the event in its file, behind its time; 0: not known */
};

/** Events between two marks; more where more regions are open than a mark may hold. */
#define O2_MARK_EVENTS ((uint64_t)65536)

/** Bytes of the shortest event. */
#define O2_EVENT_LEAST 2u

/** Marks of one location; none stands before event 1, so `at` is empty for short ones. */
struct o2_marks {
    struct o2_mark *at;
    size_t count, room;
    struct prvcut_buffer state; /**< what is open at the marks, one after the other */
    uint64_t events;            /**< of the location, once scanned */
    uint64_t first, last;       /**< ticks; first > last: no event; before the scan as the file has
                                     them, without its clock offsets */
    bool read;                  /**< by this process, or one that told it: marks and events stand */
};

/** An open archive. Library readers are made per worker (o2_reader_open), never shared. */
struct o2_trace {
    struct prvcut_trace base; /**< base.path: the anchor file */
    struct o2_definitions defs;
    struct o2_marks *marks; /**< [locations], once scanned */
    uint64_t *size;         /**< [locations] bytes of the event files; UINT64_MAX: missing */
    bool *mapped;           /**< [locations] there are local definitions: mapping, clock offsets */
    char *stem;             /**< path of the archive's other files, without suffix */
    uint64_t event_chunk, definition_chunk;
    uint64_t promised_locations; /**< by the anchor */
    uint64_t
        promised_offset; /**< first tick, as the definitions say; defs.offset is the true one */
    struct o2_scale {
        uint64_t whole, part; /**< ns a tick: whole + part / 2^64 */
    } scale;
    char *windows; /**< of locations, as a cut tells them; NULL: it does not */
    bool lenient;
    bool raw_clocks;
    bool scanned;
    struct o2_own *own; /**< the archive is a conversion of ours; else NULL (own.h) */
};

/** The number of the type that an attribute of a conversion of ours is; 0: it is none. */
uint32_t o2_own_attribute(const struct o2_own *own, OTF2_AttributeRef id);

/** Does it have an event type of that number? own_marks.c */
bool o2_own_has_type(const struct o2_own *own, uint32_t number);

/** What marks are, in the words of such an archive; string: free ids, two
    more than there are values from there on. */
OTF2_ErrorCode o2_own_define_marks(OTF2_GlobalDefWriter *w, OTF2_StringRef string,
                                   OTF2_MetricRef metric, const struct prvcut_mark_kind *kind);

/** Latest time that is delivered, ns: what damaged files say beyond it is brought down to it. */
#define O2_TIME_MAX ((uint64_t)1 << 62)

/** ns of a number of ticks; exact where a second has 10^9 ticks, else never off by more than one.
 */
static inline uint64_t o2_ns(const struct o2_scale *s, uint64_t ticks)
{
    __extension__ unsigned __int128 sum;

    if (s->whole == 1 && s->part == 0)
        return ticks < O2_TIME_MAX ? ticks : O2_TIME_MAX;
    sum = (__extension__(unsigned __int128) ticks * s->part) >> 64;
    sum += __extension__(unsigned __int128) ticks * s->whole;
    return sum < O2_TIME_MAX ? (uint64_t)sum : O2_TIME_MAX;
}

/* library.c */

/**
 * Catch what the library would print. It has one handler for the whole process, which is set once
 * and stays; what it is told is kept for each thread of the program apart.
 */
void o2_library_start(void);

/** Forget what the library said on this thread; before a call whose failure is to be reported. */
void o2_library_clear(void);

/** What it said first since then; "" nothing. */
const char *o2_library_said(void);

/** Has it said that memory or the system refused (no such file counts as damage)? */
bool o2_library_refused(void);

/**
 * Fail with what the library said of a file of the archive: "traces.def", "traces/17.evt".
 *
 * errors  PRVCUT_EIO, PRVCUT_ENOMEM: the system refused; PRVCUT_EFORMAT: all else
 */
enum prvcut_status o2_fail_file(const char *path, OTF2_ErrorCode code, struct prvcut_error *err);

/** After calls that may fail: o2_fail_file where memory or the system refused. */
enum prvcut_status o2_library_failed(const char *path, struct prvcut_error *err);

/**
 * Is there memory for names and values? The library does not look at what its copies of them give
 * (3.0.2: otf2_archive_set_property) and would write through NULL.
 */
bool o2_library_room(void);

/** Set a property of an archive, and see that it is there. */
OTF2_ErrorCode o2_set_property(OTF2_Archive *archive, const char *name, const char *value);

/* reader.c */

/** As before the first scan; what the marks had room for is kept. */
void o2_forget_marks(struct o2_trace *t);

/* open.c */

/**
 * Opens the archive once more for one worker; all locations selected. Errors name the file.
 *
 * owns    *out is the caller's, released with o2_reader_close
 */
enum prvcut_status o2_reader_open(OTF2_Reader **out, const struct o2_trace *t,
                                  struct prvcut_error *err);

void o2_reader_close(OTF2_Reader *r);

/** Path of a location's event file; returns out. */
const char *o2_event_path(char *out, size_t room, const struct o2_trace *t, uint32_t thread);

/**
 * Open one location's events, its local definitions (mapping, clock) applied; the caller sets
 * callbacks, reads, and closes with OTF2_Reader_CloseEvtReader. At most one at a time a worker.
 *
 * errors  PRVCUT_END: it has no events and no file, as its definition says; else its file is
 * missing or damaged
 */
enum prvcut_status o2_location_open(OTF2_EvtReader **out, OTF2_Reader *r, const struct o2_trace *t,
                                    uint32_t thread, struct prvcut_error *err);

/** What the library said when a call on this thread failed, with file and location in front. */
enum prvcut_status o2_fail(const struct o2_trace *t, uint32_t thread, OTF2_ErrorCode code,
                           struct prvcut_error *err);

/* ticks.c */

/** ns from the trace's start of a tick of a thread's clock, and with clocks brought together. */
uint64_t o2_time(const struct o2_trace *t, uint32_t thread, uint64_t tick);

/** The first tick of a thread's own clock whose o2_time is not before `ns`. */
uint64_t o2_tick(const struct o2_trace *t, uint32_t thread, uint64_t ns);

/* resolve.c */

/** Thread of a location; PRVCUT_NOBODY where undefined. */
uint32_t o2_thread_of(const struct o2_definitions *d, OTF2_LocationRef id);

/** NULL where undefined. */
const struct o2_region *o2_region_of(const struct o2_definitions *d, OTF2_RegionRef id);
const struct o2_comm *o2_comm_of(const struct o2_definitions *d, OTF2_CommRef id);
const struct o2_metric *o2_metric_of(const struct o2_definitions *d, OTF2_MetricRef id);
const struct o2_parameter *o2_parameter_of(const struct o2_definitions *d, OTF2_ParameterRef id);
const struct o2_region *o2_context_region(const struct o2_definitions *d,
                                          OTF2_CallingContextRef id);

/**
 * Number of the communicator of a point-to-point record. In plain archives the two ends of one
 * message may name different ones, so all are taken for the world's.
 */
static inline uint32_t o2_channel(const struct o2_definitions *d, const struct o2_comm *c)
{
    return d->plain || !c ? d->world : c->number;
}

/** Thread of a rank of a communicator, seen from a thread; PRVCUT_NOBODY where unknown. */
uint32_t o2_rank_thread(const struct o2_definitions *d, const struct o2_comm *c, uint32_t rank,
                        uint32_t thread);

/* definitions.c */

/** All global definitions, into t->defs and t->base.objects. */
enum prvcut_status o2_definitions_read(struct o2_trace *t, OTF2_Reader *r,
                                       struct prvcut_error *err);
void o2_definitions_fini(struct o2_definitions *d);
enum prvcut_status o2_dictionary(const struct o2_trace *t, struct prvcut_dictionary *out,
                                 struct prvcut_error *err);
enum prvcut_status o2_describe(struct prvcut_trace *t, struct prvcut_dictionary *out,
                               struct prvcut_error *err);

/* labels.c */

/** The model's types and states with their roles, into t->base. */
enum prvcut_status o2_labels(struct o2_trace *t, struct prvcut_error *err);

/* span.c, span_told.c, windows_told.c */

/**
 * Sizes and first and last times of the event files, and where the trace starts: what definitions
 * say of it is often wrong. Damaged files are passed over here: reading them will tell.
 */
enum prvcut_status o2_span(struct o2_trace *t, struct prvcut_error *err);

/**
 * Take what a copy tells of the span of its original, where its events lie in it; keep what a cut
 * tells of its windows.
 */
enum prvcut_status o2_span_told(struct o2_trace *t, OTF2_Reader *r, struct prvcut_error *err);

/** Take the windows that a cut tells, once the clocks are brought together. */
enum prvcut_status o2_windows_told(struct o2_trace *t, struct prvcut_error *err);

/** The trace's end, from first and last times of the locations. */
void o2_span_end(struct o2_trace *t);

/* clocks.c */

/** Bring the processes' clocks together, from the beginning of each process's events. */
enum prvcut_status o2_clocks(struct o2_trace *t, struct prvcut_error *err);

/* scan.c, cut.c, change.c, check.c */
enum prvcut_status o2_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                           const struct prvcut_consumer *consumer, struct prvcut_counts *counts,
                           struct prvcut_error *err);
enum prvcut_status o2_scan_window(struct prvcut_trace *t, const struct prvcut_run *run,
                                  uint64_t from, uint64_t to,
                                  const struct prvcut_consumer *consumer, struct prvcut_error *err);
enum prvcut_status o2_cut(struct prvcut_trace *t, const struct prvcut_run *run,
                          const struct prvcut_subtrace *sub, size_t count,
                          struct prvcut_error *err);
enum prvcut_status o2_filter_check(const struct prvcut_trace *t,
                                   const struct prvcut_cut_options *options,
                                   struct prvcut_error *err);
enum prvcut_status o2_filter(struct prvcut_trace *t, const struct prvcut_run *run,
                             const struct prvcut_cut_options *options,
                             struct prvcut_filter_summary *out, struct prvcut_error *err);
enum prvcut_status o2_mark_trace(struct prvcut_trace *t, const struct prvcut_run *run,
                                 const struct prvcut_marks *marks,
                                 const struct prvcut_cut_options *options, struct made_marking *out,
                                 struct prvcut_error *err);
enum prvcut_status o2_check(struct prvcut_findings *out, struct prvcut_source *source,
                            const struct prvcut_open_options *options, const struct prvcut_run *run,
                            struct prvcut_error *err);

#endif
