#include "otf2/events.h"

#include "base/memory.h"

#define AS_IS(...) __VA_ARGS__

/* What the library tells of each kind, and what an event e says of it. */
#define EVENTS(X)                                                                                  \
    X(Enter, ENTER, (, OTF2_RegionRef region), e.region = region)                                  \
    X(Leave, LEAVE, (, OTF2_RegionRef region), e.region = region)                                  \
    X(CallingContextEnter, CONTEXT_ENTER, (, OTF2_CallingContextRef context, uint32_t unwound),    \
      (e.context = context, e.unwound = unwound))                                                  \
    X(CallingContextLeave, CONTEXT_LEAVE, (, OTF2_CallingContextRef context), e.context = context) \
    X(MpiSend, SEND, (, uint32_t rank, OTF2_CommRef comm, uint32_t tag, uint64_t length),          \
      (e.rank = rank, e.comm = comm, e.tag = tag, e.length = length))                              \
    X(MpiIsend, ISEND,                                                                             \
      (, uint32_t rank, OTF2_CommRef comm, uint32_t tag, uint64_t length, uint64_t request),       \
      (e.rank = rank, e.comm = comm, e.tag = tag, e.length = length, e.request = request))         \
    X(MpiIsendComplete, ISEND_COMPLETE, (, uint64_t request), e.request = request)                 \
    X(MpiIrecvRequest, RECEIVE_REQUEST, (, uint64_t request), e.request = request)                 \
    X(MpiRecv, RECEIVE, (, uint32_t rank, OTF2_CommRef comm, uint32_t tag, uint64_t length),       \
      (e.rank = rank, e.comm = comm, e.tag = tag, e.length = length))                              \
    X(MpiIrecv, IRECEIVE,                                                                          \
      (, uint32_t rank, OTF2_CommRef comm, uint32_t tag, uint64_t length, uint64_t request),       \
      (e.rank = rank, e.comm = comm, e.tag = tag, e.length = length, e.request = request))         \
    X(MpiCollectiveBegin, COLLECTIVE_BEGIN, (), (void)0)                                           \
    X(MpiCollectiveEnd, COLLECTIVE_END,                                                            \
      (, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent,                    \
       uint64_t received),                                                                         \
      (e.op = op, e.comm = comm, e.rank = root, e.sent = sent, e.received = received))             \
    X(NonBlockingCollectiveRequest, COLLECTIVE_STARTED, (, uint64_t request), e.request = request) \
    X(NonBlockingCollectiveComplete, COLLECTIVE_COMPLETED,                                         \
      (, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received, \
       uint64_t request),                                                                          \
      (e.op = op, e.comm = comm, e.rank = root, e.sent = sent, e.received = received,              \
       e.request = request))                                                                       \
    X(ThreadBegin, THREAD_BEGIN, (, OTF2_CommRef contingent, uint64_t sequence),                   \
      (e.comm = contingent, e.sequence = sequence))                                                \
    X(ThreadEnd, THREAD_END, (, OTF2_CommRef contingent, uint64_t sequence),                       \
      (e.comm = contingent, e.sequence = sequence))                                                \
    X(ProgramBegin, PROGRAM_BEGIN,                                                                 \
      (, OTF2_StringRef name, uint32_t arguments, const OTF2_StringRef *argument),                 \
      (e.name = name, e.arguments = arguments, e.argument = argument))                             \
    X(ProgramEnd, PROGRAM_END, (, int64_t status), e.number = status)                              \
    X(BufferFlush, FLUSH, (, OTF2_TimeStamp stop), e.stop = stop)                                  \
    X(MeasurementOnOff, ON_OFF, (, OTF2_MeasurementMode mode), e.mode = mode)                      \
    X(Metric, METRIC,                                                                              \
      (, OTF2_MetricRef metric, uint8_t count, const OTF2_Type *types,                             \
       const OTF2_MetricValue *values),                                                            \
      (e.metric = metric, e.count = count, e.types = types, e.values = values))                    \
    X(ParameterString, PARAMETER_TEXT, (, OTF2_ParameterRef parameter, OTF2_StringRef text),       \
      (e.parameter = parameter, e.text = text))                                                    \
    X(ParameterInt, PARAMETER_NUMBER, (, OTF2_ParameterRef parameter, int64_t number),             \
      (e.parameter = parameter, e.number = number))                                                \
    X(ParameterUnsignedInt, PARAMETER_UNSIGNED, (, OTF2_ParameterRef parameter, uint64_t natural), \
      (e.parameter = parameter, e.natural = natural))                                              \
    X(Unknown, UNKNOWN, (), (void)0)

#define TELL(Kind, KIND, PARAMETERS, SAYS)                                                         \
    static OTF2_CallbackCode tell_##Kind(OTF2_LocationRef location, OTF2_TimeStamp time,           \
                                         uint64_t position, void *user,                            \
                                         OTF2_AttributeList *attributes AS_IS PARAMETERS)          \
    {                                                                                              \
        const struct o2_event_calls *calls = user;                                                 \
        struct o2_event e;                                                                         \
                                                                                                   \
        (void)location;                                                                            \
        e.time = time;                                                                             \
        e.position = position;                                                                     \
        e.attributes = attributes;                                                                 \
        SAYS;                                                                                      \
        return calls->at[O2_EVENT_##KIND](calls->user, &e);                                        \
    }

EVENTS(TELL)

#define SET(Kind, KIND, PARAMETERS, SAYS)                                                          \
    if (calls->at[O2_EVENT_##KIND])                                                                \
        OTF2_EvtReaderCallbacks_Set##Kind##Callback(c, tell_##Kind);

OTF2_EvtReaderCallbacks *o2_event_callbacks(const struct o2_event_calls *calls)
{
    OTF2_EvtReaderCallbacks *c = OTF2_EvtReaderCallbacks_New();

    if (c) {
        EVENTS(SET)
    }
    return c;
}

enum prvcut_status o2_events_register(struct o2_event_calls *calls, const struct o2_trace *t,
                                      uint32_t thread, OTF2_Reader *r, OTF2_EvtReader *e,
                                      struct prvcut_error *err)
{
    OTF2_EvtReaderCallbacks *c = o2_event_callbacks(calls);
    OTF2_ErrorCode code;

    if (!c)
        return prvcut_no_memory(err, "a trace");
    code = OTF2_Reader_RegisterEvtCallbacks(r, e, c, calls);
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
