#ifndef PRVCUT_OTF2_EVENTS_H
#define PRVCUT_OTF2_EVENTS_H

#include "otf2/otf2.h"

#include <otf2/OTF2_EvtReaderCallbacks.h>

/*
 * Events of a location, told one by one: decoded here out of the library's calls, or out of the
 * bytes of the file (quick.h), and told to whoever listens, in one form. Only the cutter, which
 * copies whatever a record holds, has calls of the library's own for kinds that nobody else wants
 * (cut_events.c).
 */

/** Kinds of events, as the first byte of their records says. */
enum o2_event_kind {
    O2_EVENT_UNKNOWN = 0, /**< what the library does not know; the quick way passes over it */
    O2_EVENT_FLUSH = 10,
    O2_EVENT_ON_OFF,
    O2_EVENT_ENTER,
    O2_EVENT_LEAVE,
    O2_EVENT_SEND,
    O2_EVENT_ISEND,
    O2_EVENT_ISEND_COMPLETE,
    O2_EVENT_RECEIVE_REQUEST,
    O2_EVENT_RECEIVE,
    O2_EVENT_IRECEIVE,
    O2_EVENT_COLLECTIVE_BEGIN = 22,
    O2_EVENT_COLLECTIVE_END,
    O2_EVENT_METRIC = 31,
    O2_EVENT_PARAMETER_TEXT,
    O2_EVENT_PARAMETER_NUMBER,
    O2_EVENT_PARAMETER_UNSIGNED,
    O2_EVENT_THREAD_BEGIN = 63,
    O2_EVENT_THREAD_END = 65,
    O2_EVENT_CONTEXT_ENTER,
    O2_EVENT_CONTEXT_LEAVE,
    O2_EVENT_PROGRAM_BEGIN = 83,
    O2_EVENT_PROGRAM_END,
    O2_EVENT_COLLECTIVE_STARTED,
    O2_EVENT_COLLECTIVE_COMPLETED,
    O2_EVENT_KINDS = 256
};

/** One event; of the fields behind the first three only those of its kind say anything. */
struct o2_event {
    uint64_t time; /**< ticks */
    uint64_t position;
    OTF2_AttributeList *attributes; /**< NULL: none */
    OTF2_RegionRef region;
    OTF2_CallingContextRef context;
    uint32_t unwound;
    uint32_t rank;     /**< the other end's, or the root's */
    OTF2_CommRef comm; /**< a thread's contingent, too */
    uint32_t tag;
    OTF2_CollectiveOp op;
    uint64_t length; /**< of a message */
    uint64_t sent, received;
    uint64_t request;
    uint64_t sequence;   /**< of a thread in its contingent */
    OTF2_TimeStamp stop; /**< of a flush */
    OTF2_MeasurementMode mode;
    OTF2_MetricRef metric;
    uint8_t count; /**< values */
    const OTF2_Type *types;
    const OTF2_MetricValue *values;
    OTF2_ParameterRef parameter;
    OTF2_StringRef text;
    int64_t number;      /**< a parameter's, or a program's status */
    uint64_t natural;    /**< a parameter's without sign */
    OTF2_StringRef name; /**< of a program */
    uint32_t arguments;
    const OTF2_StringRef *argument; /**< [arguments] */
};

/** Who is told an event; OTF2_CALLBACK_INTERRUPT: no more of them. */
typedef OTF2_CallbackCode o2_event_call(void *user, const struct o2_event *e);

/** Whom events are told. */
struct o2_event_calls {
    o2_event_call *at[O2_EVENT_KINDS]; /**< NULL: records of the kind are passed over */
    bool stop[O2_EVENT_KINDS];         /**< kinds at which the quick way is to stop, too */
    void *user;
};

/** The library's form of it, whose user is `calls`; NULL: out of memory. */
OTF2_EvtReaderCallbacks *o2_event_callbacks(const struct o2_event_calls *calls);

/** Have the library tell them, as long as they last, from where its reader stands.
    errors: ENOMEM, those of o2_fail */
enum prvcut_status o2_events_register(struct o2_event_calls *calls, const struct o2_trace *t,
                                      uint32_t thread, OTF2_Reader *r, OTF2_EvtReader *e,
                                      struct prvcut_error *err);

/** How a location is read on by the library. */
struct o2_events_way {
    const struct o2_trace *trace;
    uint32_t thread;
    uint64_t step; /**< events between two questions, counted from the location's begin */
    bool (*more)(void *ctx, uint64_t events); /**< asked before each step; false: enough */
    void *ctx;
};

/**
 * Read until a callback interrupts, `more` says no, or the location ends.
 *
 * shape   *events: how many came before; how many with those that were read
 * returns what the library says; OTF2_ERROR_INVALID_RECORD, too, where more events come than the
 *         file can hold (in one that was cut short, chunks come again and again)
 */
OTF2_ErrorCode o2_events_read(const struct o2_events_way *way, OTF2_Reader *r, OTF2_EvtReader *e,
                              uint64_t *events);

#endif
