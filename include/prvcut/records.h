#ifndef PRVCUT_RECORDS_H
#define PRVCUT_RECORDS_H

#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of records, as bits. Numbered once and for ever. */
enum prvcut_record_kind {
    PRVCUT_RECORD_STATE = 1,   /**< a thread in one state over [begin, end) */
    PRVCUT_RECORD_EVENT = 2,   /**< a type and a value at one time */
    PRVCUT_RECORD_MESSAGE = 4, /**< a message with both its ends */
    PRVCUT_RECORD_SEND =
        8, /**< one end of a message, in formats that record each where it happens */
    PRVCUT_RECORD_RECEIVE = 16
};

/** "state", "event", "message", "send", "receive"; constant; NULL: none, or several. */
PRVCUT_API const char *prvcut_record_kind_text(enum prvcut_record_kind kind);

/** One record; times in ns. What its kind does not name is 0. */
struct prvcut_record {
    enum prvcut_record_kind kind;
    uint32_t thread; /**< dense, 0-based: whose record it is; of a message: the sender */
    uint32_t peer;   /**< message, send, receive: thread at the other end; UINT32_MAX: unknown */
    uint32_t type;   /**< event */
    uint64_t begin;  /**< state: begin; message, send: when it is sent; event, receive: its time */
    uint64_t end;    /**< state: end; message: when it is received; else as begin */
    int64_t value;   /**< state: its number; event: its value; message, send, receive: the tag */
    uint64_t size;   /**< message, send, receive: bytes */
};

/** What to read, and who takes it. */
struct prvcut_records_wish {
    size_t size;             /**< sizeof this struct; 0: the fields up to take */
    unsigned kinds;          /**< bits of prvcut_record_kind; 0 = all */
    struct prvcut_span only; /**< records that touch it; end 0 = all of the trace. A state that
                                  goes on behind it may be told as ending there */
    void *ctx;
    /**
     * Takes some records, in the order of the input (by time, or thread by thread where the format
     * records threads apart).
     *
     * owns    record: the library, valid during the call
     * returns PRVCUT_OK to go on; PRVCUT_END to stop, which is no error; below 0: the reading fails
     *         with that
     */
    enum prvcut_status (*take)(void *ctx, const struct prvcut_record *record, size_t count);
};

/**
 * Read a trace's records, a few thousand a call, on the calling thread.
 *
 * shape   run: its threads are not used; may be NULL
 * errors  PRVCUT_EUSAGE: the window begins behind the trace's end; those of the reader; what `take`
 *         returned below 0
 */
PRVCUT_API enum prvcut_status prvcut_records_read(struct prvcut_trace *trace,
                                                  const struct prvcut_run *run,
                                                  const struct prvcut_records_wish *wish,
                                                  struct prvcut_error *err);

/** Number of threads, tasks and applications of a trace. */
PRVCUT_API uint32_t prvcut_trace_threads(const struct prvcut_trace *trace);
PRVCUT_API uint32_t prvcut_trace_tasks(const struct prvcut_trace *trace);
PRVCUT_API uint32_t prvcut_trace_applications(const struct prvcut_trace *trace);

/** Task of a thread, dense and 0-based; thread < prvcut_trace_threads. */
PRVCUT_API uint32_t prvcut_trace_task_of(const struct prvcut_trace *trace, uint32_t thread);

/** Name of the format that the trace is in: "paraver", "otf2"...; constant. */
PRVCUT_API const char *prvcut_trace_format(const struct prvcut_trace *trace);

/** Names of a trace's states, event types and values; opaque. */
struct prvcut_names;

/**
 * owns    *out is the caller's, released with prvcut_names_free; independent of the trace
 * afterwards errors  PRVCUT_ENOMEM, those of reading labels
 */
PRVCUT_API enum prvcut_status prvcut_names_new(struct prvcut_names **out,
                                               struct prvcut_trace *trace,
                                               struct prvcut_error *err);
PRVCUT_API void prvcut_names_free(struct prvcut_names *names);

/** Text for a person; NULL where the trace gives none (of a value: and MPI's numbers tell none).
 * Borrowed from names. */
PRVCUT_API const char *prvcut_names_state(const struct prvcut_names *names, int64_t state);
PRVCUT_API const char *prvcut_names_type(const struct prvcut_names *names, uint32_t type);
PRVCUT_API const char *prvcut_names_value(const struct prvcut_names *names, uint32_t type,
                                          int64_t value);

#ifdef __cplusplus
}
#endif

#endif
