#ifndef PRVCUT_OTF2_EVENTS_H
#define PRVCUT_OTF2_EVENTS_H

#include "otf2/otf2.h"

#include <otf2/OTF2_EvtReaderCallbacks.h>

/*
 * Events of a location, told one by one. Who listens fills in one table; it serves the quick way
 * (quick.h) and the library alike. Only the cutter, which copies whatever a record holds, has a
 * function for each kind that there is (cut_events.c).
 */

/** Whom events are told. NULL: records of the kind are passed over. */
struct o2_event_calls {
    OTF2_EvtReaderCallback_Enter enter;
    OTF2_EvtReaderCallback_Leave leave;
    OTF2_EvtReaderCallback_MpiSend send;
    OTF2_EvtReaderCallback_MpiIsend isend;
    OTF2_EvtReaderCallback_MpiIsendComplete isend_complete;
    OTF2_EvtReaderCallback_MpiIrecvRequest receive_request;
    OTF2_EvtReaderCallback_MpiRecv receive;
    OTF2_EvtReaderCallback_MpiIrecv ireceive;
    OTF2_EvtReaderCallback_MpiCollectiveBegin collective_begin;
    OTF2_EvtReaderCallback_MpiCollectiveEnd collective_end;
    OTF2_EvtReaderCallback_ThreadBegin thread_begin;
    OTF2_EvtReaderCallback_ThreadEnd thread_end;
    OTF2_EvtReaderCallback_ProgramBegin program_begin;
    OTF2_EvtReaderCallback_ProgramEnd program_end;
    /* From here on the library alone: the quick way stops where one of these is wanted. */
    OTF2_EvtReaderCallback_CallingContextEnter context_enter;
    OTF2_EvtReaderCallback_CallingContextLeave context_leave;
    OTF2_EvtReaderCallback_BufferFlush flush;
    OTF2_EvtReaderCallback_MeasurementOnOff on_off;
    OTF2_EvtReaderCallback_NonBlockingCollectiveRequest collective_started;
    OTF2_EvtReaderCallback_NonBlockingCollectiveComplete collective_completed;
    OTF2_EvtReaderCallback_Metric metric;
    OTF2_EvtReaderCallback_ParameterString parameter_text;
    OTF2_EvtReaderCallback_ParameterInt parameter_number;
    OTF2_EvtReaderCallback_ParameterUnsignedInt parameter_unsigned;
    OTF2_EvtReaderCallback_Unknown
        unknown;    /**< not told by the quick way, which passes over them */
    bool stop[256]; /**< kinds at which the quick way is to stop, too */
    void *user;
};

/** The library's form of it; NULL: out of memory. */
OTF2_EvtReaderCallbacks *o2_event_callbacks(const struct o2_event_calls *calls);

/** Have the library tell them from where its reader stands. errors: ENOMEM, those of o2_fail */
enum prvcut_status o2_events_register(const struct o2_event_calls *calls, const struct o2_trace *t,
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
