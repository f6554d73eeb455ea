#include "otf2/events.h"

#include "base/memory.h"

#define SET(kind, call)                                                                            \
    if (calls->call)                                                                               \
        OTF2_EvtReaderCallbacks_Set##kind##Callback(c, calls->call);

OTF2_EvtReaderCallbacks *o2_event_callbacks(const struct o2_event_calls *calls)
{
    OTF2_EvtReaderCallbacks *c = OTF2_EvtReaderCallbacks_New();

    if (!c)
        return NULL;
    SET(Enter, enter)
    SET(Leave, leave)
    SET(MpiSend, send)
    SET(MpiIsend, isend)
    SET(MpiIsendComplete, isend_complete)
    SET(MpiIrecvRequest, receive_request)
    SET(MpiRecv, receive)
    SET(MpiIrecv, ireceive)
    SET(MpiCollectiveBegin, collective_begin)
    SET(MpiCollectiveEnd, collective_end)
    SET(ThreadBegin, thread_begin)
    SET(ThreadEnd, thread_end)
    SET(ProgramBegin, program_begin)
    SET(ProgramEnd, program_end)
    SET(CallingContextEnter, context_enter)
    SET(CallingContextLeave, context_leave)
    SET(BufferFlush, flush)
    SET(MeasurementOnOff, on_off)
    SET(NonBlockingCollectiveRequest, collective_started)
    SET(NonBlockingCollectiveComplete, collective_completed)
    SET(Metric, metric)
    SET(ParameterString, parameter_text)
    SET(ParameterInt, parameter_number)
    SET(ParameterUnsignedInt, parameter_unsigned)
    SET(Unknown, unknown)
    return c;
}

enum prvcut_status o2_events_register(const struct o2_event_calls *calls, const struct o2_trace *t,
                                      uint32_t thread, OTF2_Reader *r, OTF2_EvtReader *e,
                                      struct prvcut_error *err)
{
    OTF2_EvtReaderCallbacks *c = o2_event_callbacks(calls);
    OTF2_ErrorCode code;

    if (!c)
        return prvcut_no_memory(err, "a trace");
    code = OTF2_Reader_RegisterEvtCallbacks(r, e, c, calls->user);
    OTF2_EvtReaderCallbacks_Delete(c);
    return code == OTF2_SUCCESS ? PRVCUT_OK : o2_fail(t, thread, code, err);
}

OTF2_ErrorCode o2_events_read(const struct o2_events_way *way, OTF2_Reader *r, OTF2_EvtReader *e,
                              uint64_t *events)
{
    const uint64_t most = way->trace->size[way->thread] / O2_EVENT_LEAST;
    OTF2_ErrorCode code = OTF2_SUCCESS;
    uint64_t count = 0, step = 0;

    while (code == OTF2_SUCCESS && count == step && way->more(way->ctx, *events)) {
        step = way->step - *events % way->step;
        count = 0;
        code = OTF2_Reader_ReadLocalEvents(r, e, step, &count);
        *events += count;
        if (code == OTF2_SUCCESS && *events > most)
            code = OTF2_ERROR_INVALID_RECORD;
    }
    return code;
}
