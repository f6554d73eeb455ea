#ifndef PRVCUT_OTF2_WRITE_H
#define PRVCUT_OTF2_WRITE_H

#include "base/folder.h"
#include "model/calls.h"
#include "model/formats.h"
#include "model/nesting.h"
#include "model/pending.h"
#include "model/runs.h"
#include "otf2/own.h"

/* Not <otf2/otf2.h>: on the include path of the formats, that is another file. */
#include <otf2/OTF2_Archive.h>
#include <otf2/OTF2_AttributeList.h>

/** What an event type becomes. */
enum o2w_kind {
    O2W_REGION,  /**< Enter and Leave */
    O2W_COUNTER, /**< a metric that adds up */
    O2W_GAUGE,   /**< a metric with a level */
    O2W_TRACING, /**< MeasurementOnOff */
    O2W_DETAIL,  /**< attribute of the region that its line begins; else as a point */
    O2W_POINT,   /**< parameter */
};

struct o2w_type {
    uint32_t number;
    enum prvcut_role role;
    enum o2w_kind kind;
    bool flat;                           /**< another value replaces the open one */
    uint32_t id[O2_NEEDS];               /**< UINT32_MAX: not needed so far */
    const struct prvcut_type_name *name; /**< NULL: the dictionary does not know it */
    OTF2_StringRef labels;               /**< string of name->value[0]; the others follow */
    uint32_t *dense; /**< [dense_count] place in name->value + 1 of dense_least + i, 0: none */
    int64_t dense_least;
    size_t dense_count;
    struct prvcut_nested_type now;
};

/** How a region takes part in point-to-point messages. */
enum o2w_flow { O2W_BLOCKING, O2W_ISEND, O2W_IRECV };

struct o2w_region {
    int64_t value;
    uint32_t type; /**< index */
    enum o2w_flow flow;
    enum prvcut_mpi_bound bound;
    const struct prvcut_mpi_call *call; /**< NULL: none that is known */
    bool mpi;
    bool around; /**< around all of a process, and of no type */
};

struct o2w_mapped {
    uint64_t a, b;
    uint32_t value;
};

/** A number looked up by two others; zeroed is empty. */
struct o2w_map {
    struct prvcut_table set; /**< of struct o2w_mapped */
};

/** Value of a key; UINT32_MAX: not there. */
uint32_t o2w_map_get(const struct o2w_map *m, uint64_t a, uint64_t b);
/** Add or replace. */
enum prvcut_status o2w_map_set(struct o2w_map *m, uint64_t a, uint64_t b, uint32_t value,
                               struct prvcut_error *err);
void o2w_map_fini(struct o2w_map *m);

/** Who has which id; [count] type * O2_NEEDS + need, or UINT32_MAX: the overlapping states. */
struct o2w_ids {
    uint32_t *at;
    size_t count, room;
};

/** Event types, their labels and regions, as far as they have been seen. */
struct o2w_names {
    struct o2w_type *type;
    size_t types, room;
    struct o2w_map by_number; /**< (number, 0) -> type */
    uint32_t near[256];       /**< type + 1 by the lower bits of its number */
    struct o2w_region *region;
    size_t regions, region_room;
    struct o2w_map by_value;                     /**< (type index, value) -> region */
    OTF2_StringRef strings;                      /**< the next free one */
    struct o2w_ids metric, parameter, attribute; /**< attributes: behind those of enum
                                                    o2w_attribute; metrics: behind the states */
    bool tracing;                                /**< a type has become MeasurementOnOff */
    uint32_t overlap; /**< metric of overlapping states; UINT32_MAX: not needed */
};

enum prvcut_status o2w_names_init(struct o2w_names *n, const struct prvcut_dictionary *d,
                                  struct prvcut_error *err);
void o2w_names_fini(struct o2w_names *n);

/** The type of a number; one that the dictionary lacks is made from the role of its event. */
enum prvcut_status o2w_type_of(struct o2w_names *n, uint32_t number, enum prvcut_role role,
                               uint32_t *type, struct prvcut_error *err);

enum prvcut_status o2w_region_of(struct o2w_names *n, uint32_t type, int64_t value,
                                 uint32_t *region, struct prvcut_error *err);

/** A region of a call that no record tells. */
enum prvcut_status o2w_region_made_up(struct o2w_names *n, const struct prvcut_mpi_call *call,
                                      uint32_t *region, struct prvcut_error *err);

/** The region around all that a process does, which no record tells. */
enum prvcut_status o2w_region_around(struct o2w_names *n, uint32_t *region,
                                     struct prvcut_error *err);

/** The id of a type's definition of one kind, which it has from now on. */
enum prvcut_status o2w_need(struct o2w_names *n, uint32_t type, enum o2_need need, uint32_t *id,
                            struct prvcut_error *err);

/** The metric of overlapping states. */
enum prvcut_status o2w_need_overlap(struct o2w_names *n, uint32_t *id, struct prvcut_error *err);

/** String of a value's label; OTF2_UNDEFINED_STRING where it has none. */
OTF2_StringRef o2w_label_of(const struct o2w_type *t, int64_t value);

/** Who is which rank of what. */
struct o2w_comms {
    struct o2w_map by_id;  /**< (application, id) -> communicator */
    uint32_t *world;       /**< [applications] communicator of all its tasks; UINT32_MAX: none */
    uint32_t *rank;        /**< [tasks] in its application's world */
    uint32_t *application; /**< [tasks] */
    bool *ascending;       /**< [communicators] its members stand in order */
    bool made_world;       /**< the made-up communicators are needed: of an application, of all */
    bool made_all;
};

enum prvcut_status o2w_comms_init(struct o2w_comms *c, const struct prvcut_objects *o,
                                  struct prvcut_error *err);
void o2w_comms_fini(struct o2w_comms *c);

/** Rank of a task in a communicator of the trace; UINT32_MAX: it is no member. */
uint32_t o2w_comm_rank(const struct o2w_comms *c, const struct prvcut_objects *o,
                       uint32_t communicator, uint32_t task);

/** An MPI_Irecv whose message has not come yet. */
struct o2w_posted {
    uint64_t time, end; /**< of the call that posted it */
    uint64_t request;   /**< 0: it is complete */
};

struct o2w_pair {
    const struct prvcut_item *item;
    uint32_t type;
    bool done;
};

/** The thread whose events are written. */
struct o2w_thread {
    OTF2_EvtWriter *events; /**< NULL: none is open */
    uint32_t thread, task;
    uint64_t last; /**< ns, of the last record */
    uint64_t line; /**< ns, of the last line; UINT64_MAX: none */
    struct prvcut_nesting nest;
    bool state_open;
    uint64_t state_end;
    struct prvcut_pending due; /**< sends that are to be completed; detail: request */
    struct o2w_posted *posted; /**< [posted_first, posted_count), by time */
    size_t posted_first, posted_count, posted_room;
    uint64_t requests;
};

/** Whether processes begin and end MPI (write_bounds.c). */
struct o2w_bounds {
    bool wanted;                          /**< what is not recorded is added */
    bool first, calls, init, finalize;    /**< of the open thread: it is its process's first; has */
    bool any_calls, no_init, no_finalize; /**< of the processes so far: any has, any has not */
    bool off;                             /**< of the open thread: it is not traced */
    bool around;                          /**< the region around all of it is open */
    bool holds;                           /**< the first MPI call is waited for */
    bool full;                            /**< but what comes before it is no longer held */
    struct prvcut_item *held;             /**< [count] */
    size_t count, room;
    struct made_convert_summary *sum;
};

struct o2w {
    struct prvcut_writing base;
    const struct prvcut_outline *outline;
    struct prvcut_folder *folder;
    char *path, *name; /**< of the anchor; of the archive, without its suffix */
    OTF2_Archive *archive;
    OTF2_AttributeList *attributes;
    struct o2w_names names;
    struct o2w_comms comms;
    struct o2w_thread at;
    struct o2w_bounds bounds;
    uint64_t *events;  /**< [threads] */
    uint64_t unpaired; /**< ends of regions that are not open */
    bool own_line;     /**< the next record begins a line of its own */
    bool in_order;     /**< the next end is the first of several that keep their order */
    bool states, overlaps;
    unsigned used; /**< bits of enum o2_mark_attribute */
    struct prvcut_runs runs;
    struct o2w_pair *pair;               /**< of one line */
    const struct prvcut_item *items_end; /**< of its time, which stand behind it */
    size_t pair_room;
};

/* write_done.c */

/** The library's answer as a status. */
enum prvcut_status o2w_done(const struct o2w *w, OTF2_ErrorCode code, const char *what,
                            struct prvcut_error *err);

/** Add a mark to the next record. */
enum prvcut_status o2w_mark(struct o2w *w, enum o2_mark_attribute attribute, OTF2_Type type,
                            uint64_t value, struct prvcut_error *err);

/* write_thread.c */

/** All items of one thread and time, in order. */
enum prvcut_status o2w_run(struct o2w *w, const struct prvcut_item *item, size_t count,
                           struct made_convert_summary *sum, struct prvcut_error *err);

/** Bring the open thread to its end: what is due, regions that are open. */
enum prvcut_status o2w_thread_end(struct o2w *w, struct prvcut_error *err);
void o2w_thread_fini(struct o2w_thread *t);

/* write_regions.c */

extern const struct prvcut_nesting_format o2w_nesting;

/** Say that tracing is on or off, though no record does. */
enum prvcut_status o2w_put_mode(struct o2w *w, uint64_t time, bool on, struct prvcut_error *err);
/** The pairs of one line, at one time. */
enum prvcut_status o2w_line(struct o2w *w, uint64_t time, size_t pairs, struct prvcut_error *err);

/* write_messages.c */
enum prvcut_status o2w_send(struct o2w *w, const struct prvcut_item *item,
                            struct made_convert_summary *sum, struct prvcut_error *err);
enum prvcut_status o2w_receive(struct o2w *w, const struct prvcut_item *item,
                               struct made_convert_summary *sum, struct prvcut_error *err);
/** An MPI_Irecv begins. */
enum prvcut_status o2w_post(struct o2w *w, uint64_t time, struct prvcut_error *err);

/** The call that posted the last one ends. */
void o2w_post_is_over(struct o2w *w, uint64_t time);

/* write_bounds.c */
/** A thread begins. */
void o2w_bounds_begin(struct o2w *w);
/** As o2w_run and o2w_thread_end, with the calls that no record tells, if they are wanted. */
enum prvcut_status o2w_bounds_run(struct o2w *w, const struct prvcut_item *item, size_t count,
                                  struct made_convert_summary *sum, struct prvcut_error *err);
enum prvcut_status o2w_bounds_end(struct o2w *w, struct prvcut_error *err);
/** What was added, or would have to be: a note. */
enum prvcut_status o2w_bounds_tell(const struct o2w *w, struct made_convert_summary *sum,
                                   struct prvcut_error *err);
void o2w_bounds_fini(struct o2w_bounds *b);

/* write_definitions.c */
enum prvcut_status o2w_definitions(struct o2w *w, struct prvcut_error *err);

#endif
