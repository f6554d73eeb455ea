#ifndef PRVCUT_MODEL_WRITER_H
#define PRVCUT_MODEL_WRITER_H

#include "model/dictionary.h"
#include "model/format.h"
#include "model/made.h"
#include "model/objects.h"
#include "prvcut/trace.h"

enum prvcut_item_kind {
    PRVCUT_ITEM_STATE,
    PRVCUT_ITEM_EVENT,
    PRVCUT_ITEM_SEND,    /**< to writers that do not want whole messages */
    PRVCUT_ITEM_RECEIVE, /**< the same */
    PRVCUT_ITEM_MESSAGE, /**< to writers that want whole messages */
};

/** One record on its way from one format into another; times in ns from the trace's start. */
struct prvcut_item {
    uint64_t time;   /**< state: begin; message: logical send; receive: completion */
    uint32_t thread; /**< message: sender */
    uint8_t kind;    /**< enum prvcut_item_kind */
    uint8_t role;    /**< of an event */
    bool head;       /**< first event of its line: the same thread and time, in one record */
    union {
        struct {
            uint64_t end;
            uint32_t number;
            bool running;
        } state;
        struct {
            int64_t value;
            uint32_t type;
            uint32_t root; /**< of a communicator's event: the task at the root of the line's
                                collective + 1; 0: none, or not known */
        } event;
        struct {
            uint64_t other; /**< ns: send: physical send; receive: when it was posted (logical) */
            uint64_t size;
            int64_t tag;
            uint64_t number;       /**< 0-based among those of its channel, both ends the same;
                                        UINT64_MAX: not known */
            uint32_t peer;         /**< thread; PRVCUT_NOBODY unknown */
            uint32_t communicator; /**< id, or PRVCUT_NOBODY: the format does not tell */
            bool done;             /**< as of prvcut_half; a receive by its kind, for it ends */
        } half;
        struct {
            uint64_t physical_send, logical_receive, physical_receive;
            uint64_t size;
            int64_t tag;
            uint32_t receiver;
            uint32_t communicator; /**< as of half */
        } message;
    };
};

/** In which order a writer needs its items. Items of one thread and time keep their order. */
enum prvcut_order {
    PRVCUT_BY_TIME,   /**< all threads together */
    PRVCUT_BY_THREAD, /**< thread by thread, each by time */
};

/** What is known before the first item; borrowed until the writer has committed. */
struct prvcut_outline {
    const struct prvcut_objects *objects;
    const struct prvcut_dictionary *dictionary;
    uint64_t end_ns; /**< all items lie in [0, end_ns] */
    bool calls_nest; /**< prvcut_trace_calls_nest of the original */
    bool span_told;  /**< and what is written has that length, whatever it holds */
    /** [threads] ns, own windows of a cut that the original is; NULL: it is none, or was changed */
    const struct prvcut_span *own_window;
    const char *source;           /**< path of the original */
    const char *format;           /**< its format */
    const char *command;          /**< provenance; may be NULL */
    int64_t wall_clock;           /**< seconds since 1970 at time 0; INT64_MIN unknown */
    int threads;                  /**< workers that may be used */
    const struct prvcut_run *run; /**< who may stop what takes long; may be NULL */
};

/** A conversion's output under way; formats put their own struct around it. */
struct prvcut_writing {
    const struct prvcut_writer *writer;
};

/** A format that can be written from the model. One constant of these per format. */
struct prvcut_writer {
    const struct prvcut_format *format; /**< names; format->suffix is that of the file named */
    const char *summary;
    uint64_t carries;     /**< PRVCUT_CARRY_BIT(...) of prvcut/convert.h */
    bool drops_callers;   /**< of the events that it carries, of callers one, and no samples */
    bool recorded_states; /**< of states, only recorded ones: not what the regions tell already */
    bool wants_roots;     /**< tells a collective's root at every member */
    bool adds_calls;      /**< can add the MPI_Init and MPI_Finalize that no record tells */
    enum prvcut_order order;
    bool whole_messages;
    /** errors: PRVCUT_EEXIST, PRVCUT_EIO, PRVCUT_EUSAGE (a path that cannot be) */
    enum prvcut_status (*open)(struct prvcut_writing **out, const char *path,
                               const struct prvcut_outline *outline,
                               const struct prvcut_convert_options *options,
                               struct prvcut_error *err);
    /** Items in the writer's order; what it cannot carry it counts in sum->lost and goes on. */
    enum prvcut_status (*put)(struct prvcut_writing *w, const struct prvcut_item *item,
                              size_t count, struct made_convert_summary *sum,
                              struct prvcut_error *err);
    /** Everything appears, or nothing does; releases w in any case. Fills file names and size. */
    enum prvcut_status (*commit)(struct prvcut_writing *w, struct made_convert_summary *sum,
                                 struct prvcut_error *err);
    /** Leave nothing behind; releases w. */
    void (*abandon)(struct prvcut_writing *w);
};

#endif
