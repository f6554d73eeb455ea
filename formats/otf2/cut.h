#ifndef PRVCUT_OTF2_CUT_H
#define PRVCUT_OTF2_CUT_H

#include "base/folder.h"
#include "base/table.h"
#include "match/crossing.h"
#include "model/stack.h"
#include "otf2/otf2.h"

#include <pthread.h>

/*
 * A cut reads every location twice. The survey reads from its start to the end of its window: what
 * is open at the left border, and how many messages and collectives of each kind came before and
 * come inside. Together the surveys tell which messages and collectives are whole. The second
 * reading starts at the left border and writes.
 *
 * Several cuts are surveyed in one reading of a location, for what comes before their windows is
 * the same for all (cut_party.c); then each reads and writes its own window.
 */

/* --- cut_map.c ---------------------------------------------------------------------------- */

struct o2_mapped {
    uint64_t key;
    uint8_t value;
};

/** Numbers with a small value each; zeroed is empty. */
struct o2_map {
    struct prvcut_table put; /**< of struct o2_mapped */
};

static inline struct o2_mapped *o2_map_at(const struct o2_map *m, size_t i)
{
    return (struct o2_mapped *)m->put.at + i;
}

/** 0 where the number is not in. */
static inline uint8_t o2_map_get(const struct o2_map *m, uint64_t key)
{
    const struct o2_mapped *at = prvcut_table_look(&m->put, &key, sizeof key, sizeof *at);

    return at ? at->value : 0;
}

/** value: not 0; false: out of memory. */
bool o2_map_put(struct o2_map *m, uint64_t key, uint8_t value);

void o2_map_drop(struct o2_map *m, uint64_t key);

void o2_map_fini(struct o2_map *m);

/* --- What definitions refer to ------------------------------------------------------------ */

/** Kinds of definitions that may be left out when nothing uses them. */
enum o2_node {
    O2_ROOT, /**< always used */
    O2_STRING,
    O2_ATTRIBUTE,
    O2_REGION,
    O2_GROUP,
    O2_METRIC,
    O2_MEMBER,
    O2_COMM,
    O2_PARAMETER,
    O2_WINDOW,
    O2_SOURCE,
    O2_CONTEXT,
    O2_GENERATOR,
    O2_FILE,
    O2_HANDLE,
    O2_IO_PARADIGM,
    O2_PARADIGM, /**< the locations that groups of a paradigm refer to; not a definition */
    O2_NODES
};

static inline uint64_t o2_node_key(enum o2_node kind, uint32_t id)
{
    return (uint64_t)kind << 32 | id;
}

/** The definition that a value of an attribute refers to; O2_ROOT: none that could be missing. */
uint64_t o2_value_node(OTF2_Type type, OTF2_AttributeValue value);

/* --- cut_state.c -------------------------------------------------------------------------- */

/** Things that nest in each other, all in one stack: the types of its frames. Their value and note
    are the arguments of the record that began them, in their order. */
enum o2_open_kind {
    O2_OPEN_REGION,
    O2_OPEN_CONTEXT,
    O2_OPEN_FORK,
    O2_OPEN_OMP_FORK,
    O2_OPEN_TEAM,
    O2_OPEN_COLLECTIVE,
    O2_OPEN_RMA_COLLECTIVE,
};

/** Things that are held, in any order. */
enum o2_held_kind {
    O2_HELD_THREAD_LOCK,
    O2_HELD_OMP_LOCK,
    O2_HELD_IO_LOCK,
    O2_HELD_RMA_LOCK,
    O2_HELD_WINDOW,
    O2_HELD_HANDLE,
};

struct o2_held {
    enum o2_held_kind kind;
    uint32_t ref;     /**< paradigm, handle, or window */
    uint64_t id;      /**< of the lock */
    uint32_t more[3]; /**< order; lock type; remote; mode, creation and status flags */
};

/** An attribute of a record. */
struct o2_pair {
    OTF2_AttributeRef id;
    OTF2_Type type;
    OTF2_AttributeValue value;
};

/** What a metric last said; of totals that are read in the window, what they were read as first. */
struct o2_reading {
    OTF2_MetricRef metric;
    uint8_t count;
    bool before, inside; /**< it was read before the window; in it */
    bool anew;           /**< and at its very beginning */
    uint64_t tick;       /**< of the first reading inside */
    OTF2_Type *type;
    OTF2_MetricValue *value;
};

/** What is open at a place of a location. */
struct o2_state {
    struct prvcut_stack open;
    struct o2_pair *pair; /**< [pairs] of the open regions, the innermost's last */
    size_t pairs, pair_room;
    struct o2_held *held;
    size_t helds, held_room;
    struct o2_reading *reading;
    size_t readings, reading_room;
    bool program, thread, off;
    OTF2_StringRef name, *argument;
    uint32_t arguments;
    OTF2_CommRef contingent;
    uint64_t sequence;
    uint64_t flush_end; /**< ticks; of the last flush */
};

bool o2_state_push(struct o2_state *s, enum o2_open_kind kind, uint32_t ref, uint32_t more);

/** A region with the attributes of the record that enters it; NULL: none. false: out of memory */
bool o2_state_enter(struct o2_state *s, uint32_t region, const OTF2_AttributeList *attributes);

/** The attributes of an open region: [*count]. */
const struct o2_pair *o2_state_pairs(const struct o2_state *s, const struct prvcut_frame *region,
                                     size_t *count);

/**
 * Take the nearest one of the kind with that ref, wherever it is: regions may be left in another
 * order than they were entered (EZTrace at its end). A collective above it is gone with it.
 */
void o2_state_pop(struct o2_state *s, enum o2_open_kind kind, uint32_t ref);

bool o2_state_hold(struct o2_state *s, struct o2_held held);
void o2_state_release(struct o2_state *s, enum o2_held_kind kind, uint32_t ref, uint64_t id);

/** Of a metric, made where there is none; NULL: out of memory. */
struct o2_reading *o2_state_reading(struct o2_state *s, OTF2_MetricRef metric, uint8_t count);
bool o2_state_read(struct o2_state *s, OTF2_MetricRef metric, uint8_t count, const OTF2_Type *type,
                   const OTF2_MetricValue *value);
bool o2_state_program(struct o2_state *s, OTF2_StringRef name, uint32_t arguments,
                      const OTF2_StringRef *argument);
/** to: zeroed; released with o2_state_fini also after false: out of memory. */
bool o2_state_copy(struct o2_state *to, const struct o2_state *from);
void o2_state_fini(struct o2_state *s);

/* --- cut_order.c -------------------------------------------------------------------------- */

/** A receive that is complete as the index-th of its channel and was posted as another one. */
struct o2_swap {
    uint64_t index, ordinal;
};

/** The order of a channel's receives; NULL: they are complete in the order of their posts. */
struct o2_order;

/** The posts of a location, by number. */
struct o2_posts;
struct o2_channel;

/** Another one; *posts: made where there are none, released with free(). false: out of memory */
bool o2_posts_add(struct o2_posts **posts, uint64_t *post);

/** *to: NULL where from is. false: out of memory */
bool o2_posts_copy(struct o2_posts **to, const struct o2_posts *from);

/** One is complete: is an earlier one not? */
bool o2_posts_end(struct o2_posts *posts, uint64_t post);

/** The channel's next receive is complete, before it is counted; those behind the window come last
    and are not counted. false: out of memory */
bool o2_order_note(struct o2_channel *c, uint64_t post, bool inside);

/** All have come; false: out of memory. */
bool o2_order_end(struct o2_order *o);

/** As which one the index-th was posted. */
uint64_t o2_order_ordinal(const struct o2_order *o, uint64_t index);

/** Is one of these, as they are complete, the ordinal-th to be posted? */
bool o2_order_has(const struct o2_order *o, const struct prvcut_whole *whole, uint64_t ordinal);

/** Of what has come so far; *to: NULL where from is. false: out of memory */
bool o2_order_copy(struct o2_order **to, const struct o2_order *from);
void o2_order_free(struct o2_order *o);

/* --- cut_take.c, and cut_match.c, which decides -------------------------------------------------
 */

/** Messages between two threads, as one of them recorded them. */
struct o2_channel {
    uint32_t peer, tag;
    uint32_t comm;    /**< o2_channel */
    uint32_t receive; /**< 1; a send: 0; the key ends here */
    uint64_t before, inside;
    struct prvcut_whole whole;     /**< ordinals of those that stay; of a send, but for `others` */
    uint64_t next;                 /**< index of the next one to write */
    struct o2_order *order;        /**< of receives; owned */
    const struct o2_order *others; /**< of the other end's, of a send */
};

/** Collectives on a communicator, as one thread recorded them. */
struct o2_calls {
    uint32_t comm;
    bool nonblocking;
    uint64_t before, inside;
    struct prvcut_whole whole; /**< ordinals of them */
    uint64_t next;
};

/** Collectives of a window in their order: `count` on one communicator, or without an end. */
struct o2_stretch {
    uint32_t comm; /**< OTF2_UNDEFINED_COMM: begun, never ended */
    uint32_t count;
};

/** A request that is not complete. */
struct o2_posted {
    uint64_t request; /**< the key */
    uint64_t post;    /**< of a receive: its number */
    uint8_t what;     /**< enum o2_request */
};

/** A request from before the window that completes inside. */
struct o2_repost {
    uint64_t request;
    bool collective;
    bool kept;             /**< whatever becomes of the message */
    struct o2_channel key; /**< of the receive */
    uint64_t index;
};

/** The end of a collective that is open at the right border. */
struct o2_late_end {
    bool known, rma;
    OTF2_CollectiveOp op;
    uint32_t sync;
    uint32_t ref, root; /**< communicator or window */
    uint64_t sent, received;
};

enum o2_phase { O2_BEFORE, O2_INSIDE, O2_AFTER, O2_WRITING };

struct o2_cutter;
struct o2_sieve;  /* sieve.h */
struct o2_marker; /* mark.h */
struct o2_due;
struct o2_sift;

/** One location on its way. */
struct o2_place {
    struct o2_cutter *cutter;
    uint32_t thread;
    uint64_t from, to; /**< ticks as recorded; to: UINT64_MAX = to the end */
    uint64_t shift;    /**< ticks to add to those written */
    enum o2_phase phase;
    enum prvcut_status status; /**< of the reading */
    bool stopped;              /**< the caller has stopped it */
    OTF2_ErrorCode written;    /**< of the last record */
    OTF2_CallbackCode answer;
    struct o2_state state;
    struct o2_due *due;   /**< marks to be put in; NULL: none; owned */
    struct o2_sift *sift; /**< what filters do to it; NULL: nothing; owned */

    /* the survey */
    uint64_t position;            /**< of the last surveyed event before the window */
    uint64_t beyond;              /**< of the first surveyed event after it; 0: none */
    bool alive;                   /**< there are events from the left border on */
    bool completes;               /**< sends are told complete */
    bool behind;                  /**< the present record is behind the window */
    bool over;                    /**< a region was entered at the window's very end */
    struct prvcut_table pending;  /**< of struct o2_posted */
    struct o2_posts *posts;       /**< of receives */
    uint64_t latest_post;         /**< of those that are complete inside, and 1; 0: none */
    size_t overdue;               /**< receives that were posted before that and are not complete */
    uint64_t looked;              /**< events behind the window, with the first for 1 */
    struct prvcut_table channels; /**< of struct o2_channel */
    struct o2_calls *calls;
    size_t callss, calls_room;
    struct o2_stretch *stretch;
    size_t stretches, stretch_room;
    struct o2_repost *repost;
    size_t reposts, repost_room;
    bool begun; /**< a collective, whose end has not been seen */
    bool rma_begun;
    bool carried;  /**< it began before the window */
    int64_t depth; /**< regions entered since it began */
    struct o2_late_end late;

    /* the writing */
    OTF2_EvtWriter *writer; /**< NULL in a dry run */
    bool opened;
    bool dropping;             /**< the collective under way */
    uint64_t reached;          /**< tick of the last record, written or not */
    uint64_t now, first, last; /**< ticks written; now and first valid once events > 0 */
    size_t in_stretch, at_stretch;
    struct o2_map used;        /**< definitions: o2_node_key */
    uint64_t latest[O2_NODES]; /**< the one used last of each kind */
    struct o2_map sends;       /**< requests of the window's sends: 1 written, 2 dropped */
    uint64_t events, messages, dropped, kept, reopened, closed, clipped, unknown;
};

/** The whole job. */
struct o2_cutter {
    struct o2_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_window *window;
    const struct prvcut_cut_options *options;
    struct prvcut_cut_summary *sum;
    struct o2_place *place; /**< [locations], by thread */
    uint32_t locations;
    unsigned workers;
    struct o2_cutter *row; /**< [rows] those that are surveyed together, itself among them;
                                that the first of them does */
    size_t rows;
    OTF2_Reader **reader;         /**< [workers] */
    uint32_t next;                /**< thread to take */
    bool writing;                 /**< second reading; else the survey */
    bool whole;                   /**< the window has no borders */
    bool copies;                  /**< all of the trace's time, whatever is left of it */
    const struct o2_sieve *sieve; /**< filters; NULL: none */
    struct o2_marker *marker;     /**< what marks are put in; NULL: none */
    struct prvcut_folder *folder;
    char *name; /**< of the archive */
    OTF2_Archive *archive;
    struct o2_map used;
    uint64_t unknown;
    uint64_t offset, length; /**< ticks, as the cut's clock properties give them */
    pthread_mutex_t lock;    /**< of callbacks to the caller */
};

/** The channel of a message, made where there is none; NULL: out of memory. */
struct o2_channel *o2_channel_count(struct o2_place *p, const struct o2_channel *key);

/** NULL where there is none. */
static inline struct o2_channel *o2_channel_find(const struct o2_place *p,
                                                 const struct o2_channel *key)
{
    return prvcut_table_look(&p->channels, key, offsetof(struct o2_channel, before), sizeof *key);
}

struct o2_calls *o2_calls_of(struct o2_place *p, uint32_t comm, bool nonblocking);

/** One more begun collective of the window, with its communicator; false: out of memory. */
bool o2_stretch_append(struct o2_place *p, uint32_t comm);

/** Communicator of the next collective of the window to write. */
uint32_t o2_stretch_next(struct o2_place *p);

/** Is the next collective of the window to be written? */
bool o2_stretch_stays(struct o2_place *p);

/** Is the next collective on a communicator to be written? Counts it. */
bool o2_calls_take(struct o2_place *p, uint32_t comm, bool nonblocking);

/** Bring the surveys together: which messages and collectives are inside with all their ends. */
enum prvcut_status o2_match(struct o2_cutter *c, struct prvcut_error *err);

/** Is the index-th message inside with both ends, as far as these were recorded? */
bool o2_channel_holds(const struct o2_channel *channel, uint64_t index);

/** Is the next message of a channel to be written? Counts it and moves on. */
bool o2_channel_take(struct o2_place *p, struct o2_channel *channel);

/* --- cut_party.c -------------------------------------------------------------------------- */

/**
 * Those whom the reading of a location is for: who has something to do with the next event, and
 * windows that have not begun. What comes before these is followed once, by the place whose window
 * begins last; the others begin as copies of it.
 */
struct o2_party {
    struct o2_place **at; /**< [count] the follower first, as long as it follows; owned */
    size_t count;
    struct o2_place **later; /**< [laters] the next one to begin last; owned */
    size_t laters;
    uint64_t next; /**< tick at which that one begins; UINT64_MAX: none */
};

/** For the survey of a location by all cutters of a row. shape: party: zeroed */
enum prvcut_status o2_party_init(struct o2_party *g, struct o2_cutter *row, size_t rows,
                                 uint32_t thread, struct prvcut_error *err);

/** For one place. */
enum prvcut_status o2_party_alone(struct o2_party *g, struct o2_place *p, struct prvcut_error *err);
void o2_party_fini(struct o2_party *g);

/** The windows that begin at or before a tick begin. */
void o2_party_begin(struct o2_party *g, uint64_t time);

/** Those who have had enough leave; whether anybody is left. */
OTF2_CallbackCode o2_party_go_on(struct o2_party *g);

/* --- cut_events.c ------------------------------------------------------------------------- */

struct o2_event_calls; /* events.h */

/** What records come to at the places of a party: in a survey, or in writing. */
void o2_cut_calls(struct o2_event_calls *c, struct o2_party *g, bool writing);

/** The library's form of it, whose user is `calls`, with the kinds that are only copied; NULL: out
    of memory. */
OTF2_EvtReaderCallbacks *o2_cut_callbacks(const struct o2_event_calls *calls, bool writing);

/* --- cut_read.c --------------------------------------------------------------------------- */

/** Read a location from its beginning, for the surveys of all cutters of a row. */
enum prvcut_status o2_place_survey(struct o2_cutter *row, size_t rows, uint32_t thread,
                                   OTF2_Reader **r, struct prvcut_error *err);

/** Read a location from its left border on, and write. */
enum prvcut_status o2_place_write(struct o2_place *p, OTF2_Reader **r, struct prvcut_error *err);

/** Events [first, last], which are behind the reader; last < first: none. */
struct o2_events_span {
    uint64_t first, last;
};

/** Read a stretch of a location; callbacks: the library's form of the calls, which is released. */
enum prvcut_status o2_place_with(struct o2_place *p, OTF2_Reader **r, struct o2_events_span at,
                                 OTF2_EvtReaderCallbacks *callbacks, struct o2_event_calls *calls,
                                 struct prvcut_error *err);

/* --- cut_look.c --------------------------------------------------------------------------- */

/** Read on after the window until all of `missing` have come, or to the end. */
struct o2_wanted {
    uint32_t peer, tag, comm;
    bool receive;
    bool found;
};
enum prvcut_status o2_place_look(struct o2_place *p, OTF2_Reader **r, struct o2_wanted *wanted,
                                 size_t count, struct prvcut_error *err);

/* --- cut_border.c ------------------------------------------------------------------------- */

/** Note a definition as used. */
void o2_use(struct o2_place *p, enum o2_node kind, uint32_t id);
void o2_use_attributes(struct o2_place *p, const OTF2_AttributeList *attributes);

/** A region is entered, or once more at the border: what tells of its collective goes, where that
    is not written. */
void o2_strip_attributes(struct o2_place *p, OTF2_AttributeList *attributes, bool again);

/** Take the outcome of a write; the record counts. */
void o2_put(struct o2_place *p, OTF2_ErrorCode code);

/** Write what is open at the left border, and close what is at the right one. */
void o2_place_open(struct o2_place *p);
void o2_place_close(struct o2_place *p);

/** The next tick to write: never before the last one. */
void o2_place_at(struct o2_place *p, uint64_t tick);

/* --- cut_definitions.c -------------------------------------------------------------------- */

/** Write the global definitions; those that nothing uses are left out unless all are wanted. */
enum prvcut_status o2_cut_definitions(struct o2_cutter *c, struct prvcut_error *err);

/* --- cut_archive.c ------------------------------------------------------------------------ */

/** The folder that it is written in; refuses what exists. */
enum prvcut_status o2_archive_prepare(struct o2_cutter *c, struct prvcut_error *err);
enum prvcut_status o2_archive_open(struct o2_cutter *c, struct prvcut_error *err);

/** All but the events: local and global definitions, markers, properties; and close. */
enum prvcut_status o2_archive_finish(struct o2_cutter *c, struct prvcut_error *err);

/** It appears. */
enum prvcut_status o2_archive_commit(struct o2_cutter *c, struct prvcut_error *err);

/** Throw away what there is. */
void o2_archive_drop(struct o2_cutter *c);

/* --- cut_written.c ------------------------------------------------------------------------ */

/**
 * What a call that wrote came to. The library writes files when they are closed, and where that
 * fails it says so and returns success.
 */
OTF2_ErrorCode o2_written(OTF2_ErrorCode code);

/** A write failed. */
enum prvcut_status o2_write_fail(const struct o2_cutter *c, OTF2_ErrorCode code,
                                 struct prvcut_error *err);

#endif
