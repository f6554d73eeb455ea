#ifndef PRVCUT_OTF_OTF_H
#define PRVCUT_OTF_OTF_H

#include "base/buffer.h"
#include "model/calls.h"
#include "model/trace.h"
#include "otf/channels.h"

/** What a function is to the analyses. */
enum otf_region_kind {
    OTF_USER,  /**< computation goes on inside */
    OTF_MPI,   /**< call tells which */
    OTF_IO,    /**< files */
    OTF_SYNC,  /**< waits for other threads */
    OTF_FLUSH, /**< the measurement writes its buffer */
    OTF_OFF,   /**< the measurement is off */
};

struct otf_region {
    uint32_t id, group;
    enum otf_region_kind kind;
    enum prvcut_role role;
    uint32_t type, state;
    int64_t value;
    int64_t nested; /**< value as a user function: of an MPI call inside an MPI call */
    const struct prvcut_mpi_call *call; /**< of OTF_MPI */
    const char *name;
};

struct otf_counter {
    uint32_t id;
    uint32_t number; /**< dense, over all counters of the trace */
    uint32_t type;
    enum prvcut_role role;
    bool gauge; /**< a level; else a running total */
    bool whole; /**< a total since the process began, so that its first value was counted, too */
    bool point; /**< its values hold for no time */
    bool is_float, is_double, is_signed;
    uint8_t bits; /**< of an integer */
    const char *name, *unit;
};

/** A kind of collective. */
struct otf_operation {
    uint32_t id;
    uint32_t type; /**< 1 barrier, 2 one to all, 3 all to one, 4 all to all; 0 unknown */
    const char *name;
};

/** A place in the source. */
struct otf_site {
    uint32_t id, file;
    uint64_t line; /**< 0: not known */
};

struct otf_site_file {
    uint32_t id;
    const char *name;
};

/** Functions, counters and operations of one definition file; sorted by id. */
struct otf_names {
    struct otf_region *region;
    size_t regions, region_room;
    struct otf_counter *counter;
    size_t counters, counter_room;
    struct otf_operation *operation;
    size_t operations, operation_room;
    struct otf_site *site;
    size_t sites, site_room;
    struct otf_site_file *site_file;
    size_t site_files, site_file_room;
    uint32_t *direct; /**< [directs] by id: index into region + 1; NULL: ids are sparse */
    size_t directs;
};

#define OTF_NONE UINT32_MAX

/** A process as OTF understands it: a thread of the model, if a stream holds it. */
struct otf_process {
    uint32_t id, parent; /**< 0: none */
    uint32_t thread;     /**< OTF_NONE: a container */
    uint32_t stream;     /**< index; OTF_NONE: none */
    bool holder;         /**< GTG: it only holds others and does not compute */
    const char *name;
};

/** Where a stream can be entered again: nothing is half done there. */
struct otf_mark {
    uint64_t offset, tick, line;
    uint32_t process;           /**< current one, its place in the stream; OTF_NONE: none yet */
    struct prvcut_buffer saved; /**< the threads' states (marks.c) */
    uint64_t *count; /**< [2 * channels] of the stream's first channels: both ends before it */
    size_t channels;
};

/** Channels of a stream that are counted while it is scanned, and of all streams together. */
#define OTF_CHANNELS_MOST ((size_t)4096)
#define OTF_CHANNELS_ALL  ((size_t)1 << 20)

/** Bytes of text between two marks, at least; no trace has more marks than that. */
#define OTF_MARK_BYTES ((uint64_t)4 << 20)
#define OTF_MARKS_MOST 2048u

struct otf_stream {
    uint32_t id;
    uint32_t *member; /**< [members] indices into process, ascending; part of the trace's list */
    uint32_t members;
    bool packed;
    char *path;              /**< of its events; NULL: there is no file */
    char *definitions;       /**< path of its own definitions; NULL: none */
    struct otf_names *names; /**< from its own definitions; NULL: none */
    uint64_t size;           /**< bytes on disk */
    uint64_t first, last;    /**< ticks; last is 0 where it was not looked for */
    bool empty;              /**< no record in it */
    struct otf_mark *mark;
    size_t marks, mark_room;
    bool marked;
    struct prvcut_table channels; /**< `inside` counts all of the stream, once it is marked */
    bool counted;                 /**< they are all there */
};

/** An open OTF trace; base.path: the master file. */
struct otf_trace {
    struct prvcut_trace base;
    char *prefix;                /**< path of the master without ".otf" */
    struct otf_process *process; /**< [processes] ascending id */
    uint32_t processes;
    uint32_t *by_thread; /**< [threads] indices into process */
    uint32_t *direct;    /**< [directs] by process id: thread + 1; NULL: ids are sparse */
    uint32_t directs;
    struct otf_stream *stream; /**< [streams] in the master's order */
    uint32_t streams;
    uint32_t *member; /**< all streams' lists */
    struct otf_names names;
    uint32_t counters; /**< of all definition files */
    char *definitions; /**< path of the global ones */
    bool definitions_packed;
    uint64_t resolution; /**< ticks per second */
    uint64_t origin;     /**< first tick; time 0 of the model */
    uint64_t told_origin;
    uint64_t told_end;             /**< ns, as a copy tells of its original; 0: it does not */
    struct prvcut_buffer windows;  /**< of processes, as a cut tells them; empty: it does not */
    uint64_t range_min, range_max; /**< ticks, as the definitions give them; 0, 0: they do not */
    bool gtg;        /**< written by GTG: functions are states, messages have no size */
    bool any_comm;   /**< the two ends of messages name different communicators */
    bool any_length; /**< and different lengths, or there are too many to tell messages apart by */
    bool long_form;  /**< keywords are words */
    bool lenient;
    uint64_t damaged_definitions, first_damaged; /**< lines */
    struct prvcut_mpi_call *made_up;             /**< [made_ups] calls that no table knows */
    size_t made_ups;
    bool operations;         /**< some collectives' data are known */
    bool sites;              /**< places in the source are */
    struct otf_words *words; /**< texts; owned */
};

/**
 * Communicator of a message's record, as its channel has it: none where those of the two ends do
 * not agree.
 */
static inline uint64_t otf_channel_comm(const struct otf_trace *t, uint64_t comm)
{
    return t->any_comm ? 0 : comm;
}

/* words.c: texts that live as long as the trace, each once. */

struct otf_words;

enum prvcut_status otf_words_new(struct otf_words **out, struct prvcut_error *err);
/** The text's number (0-based, by first appearance) and its copy. */
enum prvcut_status otf_word(struct otf_words *w, const char *text, size_t length, const char **copy,
                            size_t *number, struct prvcut_error *err);
size_t otf_words_count(const struct otf_words *w);
const char *otf_word_text(const struct otf_words *w, size_t number);
void otf_words_free(struct otf_words *w);

/* master.c */

/** Streams and their processes from the master file's text. */
enum prvcut_status otf_master_read(struct otf_trace *t, const char *text, size_t count,
                                   struct prvcut_error *err);
/** Bits of evidence that a text is a master file. */
int otf_probe(const char *head, size_t count);

/* definitions.c, classify.c */

enum prvcut_status otf_definitions_read(struct otf_trace *t, struct prvcut_error *err);
/** Kinds, types and values of all functions and counters. */
enum prvcut_status otf_classify(struct otf_trace *t, struct prvcut_error *err);
void otf_names_fini(struct otf_names *n);
/** Does a definition tell where the original of a copy began and ended? */
bool otf_definition_span(const char *line, uint64_t *tick, uint64_t *ns);
/** The windows that a definition tells, up to a quotation mark; NULL: it tells none. */
const char *otf_definition_windows(const char *line);
/** Can a line of a definition file be understood, or passed over? */
bool otf_definition_sound(const char *line);

/** Functions by a sparse id; NULL where undefined. */
const struct otf_region *otf_region_search(const struct otf_names *n, uint64_t id);

static inline const struct otf_region *otf_region_in(const struct otf_names *n, uint64_t id)
{
    if (id < n->directs)
        return n->direct[id] > 0 ? &n->region[n->direct[id] - 1] : NULL;
    return n->direct ? NULL : otf_region_search(n, id);
}

/** NULL where undefined; the stream's own definitions come first. */
static inline const struct otf_region *otf_region_of(const struct otf_trace *t,
                                                     const struct otf_stream *s, uint64_t id)
{
    const struct otf_region *r = s->names ? otf_region_in(s->names, id) : NULL;

    return r ? r : otf_region_in(&t->names, id);
}

const struct otf_counter *otf_counter_of(const struct otf_trace *t, const struct otf_stream *s,
                                         uint64_t id);
/** A counter's value from its 64 bits. */
int64_t otf_counter_value(const struct otf_counter *k, uint64_t bits);
const struct otf_operation *otf_operation_of(const struct otf_trace *t, const struct otf_stream *s,
                                             uint64_t id);

/** The file of a place in the source; "" where it is undefined. */
const char *otf_site_file(const struct otf_names *n, uint32_t file);

/** Who waits for whom in a collective; false: not known. */
bool otf_flow_of(const struct otf_operation *o, enum prvcut_clock_flow *flow);

enum prvcut_status otf_dictionary(const struct otf_trace *t, struct prvcut_dictionary *out,
                                  struct prvcut_error *err);
enum prvcut_status otf_describe(struct prvcut_trace *t, struct prvcut_dictionary *out,
                                struct prvcut_error *err);

/* objects.c */

/** A process group as it is defined, until the objects are made. */
struct otf_group {
    uint32_t id;
    const char *name;
    size_t first, count; /**< of the member list: process ids */
};

enum prvcut_status otf_objects_make(struct otf_trace *t, const struct otf_group *group,
                                    size_t groups, const uint32_t *member,
                                    struct prvcut_error *err);

/** Thread of a process id; PRVCUT_NOBODY: none. */
uint32_t otf_thread_of(const struct otf_trace *t, uint64_t process);
/** Index into process; OTF_NONE. */
uint32_t otf_process_of(const struct otf_trace *t, uint64_t id);
/** Index into the stream's members; OTF_NONE: it is not one of them. */
uint32_t otf_member_of(const struct otf_trace *t, const struct otf_stream *s, uint64_t process);

/* times.c */

/** Ticks per second that can be computed with. */
#define OTF_RESOLUTION_MOST UINT64_C(18000000000)
/** Latest time, ns. */
#define OTF_TIME_MOST ((uint64_t)1 << 62)

/** First and last ticks of all streams; the trace's origin and end. */
enum prvcut_status otf_times_find(struct otf_trace *t, struct prvcut_error *err);
/** Do communicators tell which ends of messages belong together? comms.c */
enum prvcut_status otf_comms_find(struct otf_trace *t, struct prvcut_error *err);
/** How far the processes' clocks are apart; clocks.c */
enum prvcut_status otf_clocks_find(struct otf_trace *t, struct prvcut_error *err);

/** ns from the trace's start of a tick >= origin, clocks as recorded; saturates. */
uint64_t otf_time(const struct otf_trace *t, uint64_t tick);
/** ns that the records of one tick are spread over, one each, where the clock is coarse; else 0. */
uint64_t otf_steps(const struct otf_trace *t);
/** ns to be added for a thread. */
uint64_t otf_shift(const struct otf_trace *t, uint32_t thread);
/** First tick of a thread's own clock whose time is not before ns. */
uint64_t otf_tick(const struct otf_trace *t, uint32_t thread, uint64_t ns);

/**
 * Where a time falls: the tick, and the step within it where records of one tick are spread (else
 * 0, and the first tick not before it).
 */
void otf_place(const struct otf_trace *t, uint32_t thread, uint64_t ns, uint64_t *tick,
               uint64_t *step);

/* scan.c */

enum prvcut_status otf_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                            const struct prvcut_consumer *consumer, struct prvcut_counts *counts,
                            struct prvcut_error *err);
enum prvcut_status otf_scan_window(struct prvcut_trace *t, const struct prvcut_run *run,
                                   uint64_t from, uint64_t to,
                                   const struct prvcut_consumer *consumer,
                                   struct prvcut_error *err);
void otf_marks_fini(struct otf_stream *s);

/* cut.c, check.c */

enum prvcut_status otf_cut(struct prvcut_trace *t, const struct prvcut_run *run,
                           const struct prvcut_subtrace *sub, size_t count,
                           struct prvcut_error *err);
enum prvcut_status otf_check(struct prvcut_findings *out, struct prvcut_source *source,
                             const struct prvcut_open_options *options,
                             const struct prvcut_run *run, struct prvcut_error *err);

/* reader.c */

/** Open by path; what prvcut_otf_reader.open does with its source's path. */
enum prvcut_status otf_open_path(struct otf_trace **out, const char *path,
                                 const struct prvcut_open_options *options,
                                 struct prvcut_error *err);
void otf_close(struct prvcut_trace *t);

#endif
