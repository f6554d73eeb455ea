/* Old archives have the OpenMP records of OTF2 1.0; they are copied like all others. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "base/memory.h"
#include "otf2/cut_follow.h"
#include "otf2/mark.h"
#include "otf2/quick.h"
#include "otf2/sieve.h"

#include <string.h>

/* --- One callback a kind of record -------------------------------------------------------- */

#define AS_IS(...) __VA_ARGS__

/*
 * What a record comes to: at each place of the party g, step says whether it concerns the place,
 * TAKE whether it is written, and takes note of it; STAYS whether a filter keeps it; USES names the
 * definitions it refers to. ARGUMENTS are those to write it with, a list in parentheses that begins
 * with a comma where it holds something. time, position and attributes are the record's.
 */
#define COPY(step, kind, ARGUMENTS, TAKE, STAYS, USES)                                             \
    bool enough = false;                                                                           \
                                                                                                   \
    if (time >= g->next)                                                                           \
        o2_party_begin(g, time);                                                                   \
    for (size_t who = 0; who < g->count; who++) {                                                  \
        struct o2_place *p = g->at[who];                                                           \
                                                                                                   \
        if (step(p, time, position) && (TAKE) && p->phase == O2_WRITING && (STAYS)) {              \
            USES;                                                                                  \
            o2_use_attributes(p, attributes);                                                      \
            o2_put(p, p->writer                                                                    \
                          ? OTF2_EvtWriter_##kind(p->writer, attributes, p->now AS_IS ARGUMENTS)   \
                          : OTF2_SUCCESS);                                                         \
        }                                                                                          \
        enough |= p->answer != OTF2_CALLBACK_SUCCESS;                                              \
    }                                                                                              \
    return enough ? o2_party_go_on(g) : OTF2_CALLBACK_SUCCESS

/* A kind that events.h tells: e says what is in it. */
#define TOLD_BY(step, kind, ARGUMENTS, TAKE, STAYS, USES)                                          \
    static OTF2_CallbackCode on_##kind(void *user, const struct o2_event *e)                       \
    {                                                                                              \
        struct o2_party *g = user;                                                                 \
        const uint64_t time = e->time, position = e->position;                                     \
        OTF2_AttributeList *attributes = e->attributes;                                            \
                                                                                                   \
        COPY(step, kind, ARGUMENTS, TAKE, STAYS, USES);                                            \
    }

#define TOLD(...) TOLD_BY(o2_step, __VA_ARGS__)

/* A kind that is only copied; PARAMETERS are the library's, a list as ARGUMENTS is. */
#define RECORD(kind, PARAMETERS, ARGUMENTS, TAKE, STAYS, USES)                                     \
    static OTF2_CallbackCode on_##kind(OTF2_LocationRef location, OTF2_TimeStamp time,             \
                                       uint64_t position, void *user,                              \
                                       OTF2_AttributeList *attributes AS_IS PARAMETERS)            \
    {                                                                                              \
        const struct o2_event_calls *calls = user;                                                 \
        struct o2_party *g = calls->user;                                                          \
                                                                                                   \
        (void)location;                                                                            \
        COPY(o2_step, kind, ARGUMENTS, TAKE, STAYS, USES);                                         \
    }

/* A record that changes what is open; filters may have more to say of it than of others. */
#define TOLD_CHANGE(kind, ARGUMENTS, NOTE, STAYS, USES)                                            \
    TOLD(kind, ARGUMENTS, o2_changes(p) && ((NOTE), true), STAYS, USES)
#define CHANGE(kind, PARAMETERS, ARGUMENTS, NOTE, USES)                                            \
    RECORD(kind, PARAMETERS, ARGUMENTS, o2_changes(p) && ((NOTE), true), o2_stays_other(p), USES)

/* Any other record. */
#define PLAIN(kind, PARAMETERS, ARGUMENTS, USES)                                                   \
    RECORD(kind, PARAMETERS, ARGUMENTS, true, o2_stays_other(p), USES)

#define NOTHING               ((void)0)
#define PUSH(kind, ref, more) o2_need(p, o2_state_push(&p->state, kind, ref, more))
#define ENTER(region, with)                                                                        \
    o2_need(p, o2_state_enter(&p->state, region, p->phase == O2_BEFORE ? (with) : NULL))
#define POP(kind, ref) o2_state_pop(&p->state, kind, ref)
#define HOLD(...)      o2_need(p, o2_state_hold(&p->state, (struct o2_held){ __VA_ARGS__ }))
#define CHANNEL(to_me) ((struct o2_channel){ .receive = (to_me), .comm = e->comm, .tag = e->tag })

TOLD_BY(o2_step_enter, Enter, (, e->region),
        (o2_enter_region(p), o2_changes(p) && (ENTER(e->region, attributes),
                                               o2_strip_attributes(p, attributes, false), true)),
        o2_stays_enter(p, e->region), o2_use(p, O2_REGION, e->region))
TOLD(Leave, (, e->region),
     (o2_leave_collective(p), o2_changes(p) && (POP(O2_OPEN_REGION, e->region), true)),
     o2_stays_leave(p, e->region), o2_use(p, O2_REGION, e->region))
TOLD_CHANGE(CallingContextEnter, (, e->context, e->unwound),
            PUSH(O2_OPEN_CONTEXT, e->context, e->unwound), o2_stays_context_enter(p, e->context),
            o2_use(p, O2_CONTEXT, e->context))
TOLD_CHANGE(CallingContextLeave, (, e->context), POP(O2_OPEN_CONTEXT, e->context),
            o2_stays_context_leave(p, e->context), o2_use(p, O2_CONTEXT, e->context))
TOLD_CHANGE(BufferFlush, (, o2_flush_stop(p, e->stop)), o2_flush(&p->state, e->stop),
            o2_stays_flush(p), NOTHING)
TOLD_CHANGE(MeasurementOnOff, (, e->mode), p->state.off = e->mode == OTF2_MEASUREMENT_OFF,
            o2_stays_switch(p), NOTHING)
TOLD_CHANGE(ProgramBegin, (, e->name, e->arguments, e->argument),
            o2_need(p, o2_state_program(&p->state, e->name, e->arguments, e->argument)),
            o2_stays_frame(p), o2_use(p, O2_STRING, e->name);
            for (uint32_t i = 0; i < e->arguments; i++) o2_use(p, O2_STRING, e->argument[i]))
TOLD_CHANGE(ProgramEnd, (, e->number), p->state.program = false, o2_stays_frame(p), NOTHING)

/* A filter may leave some of its values. */
static OTF2_CallbackCode cut_events_on_metric(void *user, const struct o2_event *e)
{
    struct o2_party *g = user;
    const uint64_t time = e->time, position = e->position;
    OTF2_AttributeList *attributes = e->attributes;
    const OTF2_MetricRef metric = e->metric;
    uint8_t count = e->count;
    const OTF2_Type *types = e->types;
    const OTF2_MetricValue *values = e->values;

    COPY(o2_step, Metric, (, metric, count, types, values),
         o2_read_metric(p, time, metric, count, types, values),
         o2_stays_metric(p, metric, &count, &types, &values), o2_use(p, O2_METRIC, metric));
}

TOLD(MpiSend, (, e->rank, e->comm, e->tag, e->length),
     (o2_sift_note(p, CHANNEL(false), e->rank, e->length, NULL),
      o2_message(p, CHANNEL(false), e->rank, NULL)),
     o2_stays_message(p, CHANNEL(false), e->rank, e->length), o2_use(p, O2_COMM, e->comm))
TOLD(MpiIsend, (, e->rank, e->comm, e->tag, e->length, e->request),
     (o2_sift_note(p, CHANNEL(false), e->rank, e->length, NULL),
      o2_isend(p, CHANNEL(false), e->rank, e->request)),
     o2_stays_isend(p, CHANNEL(false), e->rank, e->length, e->request), o2_use(p, O2_COMM, e->comm))
TOLD(MpiIsendComplete, (, e->request), o2_isend_complete(p, e->request),
     !p->sift || p->sift->sieve->messages, NOTHING)
TOLD(MpiIrecvRequest, (, e->request),
     (o2_sift_note_post(p, e->request), o2_post_request(p, e->request, O2_RECEIVE_BEFORE)),
     o2_stays_post(p), NOTHING)
TOLD_BY(o2_step_receive, MpiRecv, (, e->rank, e->comm, e->tag, e->length),
        o2_message(p, CHANNEL(true), e->rank, NULL),
        o2_stays_message(p, CHANNEL(true), e->rank, e->length), o2_use(p, O2_COMM, e->comm))
TOLD_BY(o2_step_receive, MpiIrecv, (, e->rank, e->comm, e->tag, e->length, e->request),
        (o2_sift_note(p, CHANNEL(true), e->rank, e->length, &e->request),
         o2_message(p, CHANNEL(true), e->rank, &e->request)),
        o2_stays_message(p, CHANNEL(true), e->rank, e->length), o2_use(p, O2_COMM, e->comm))
RECORD(MpiRequestCancelled, (, uint64_t request), (, request),
       (p->phase == O2_WRITING || (o2_complete_request(p, request, NULL), false)),
       o2_stays_request(p), NOTHING)
TOLD(NonBlockingCollectiveRequest, (, e->request),
     o2_post_request(p, e->request, O2_COLLECTIVE_BEFORE), o2_stays_nonblocking(p), NOTHING)
TOLD(NonBlockingCollectiveComplete, (, e->op, e->comm, e->rank, e->sent, e->received, e->request),
     o2_nonblocking_complete(p, e->comm, e->request), o2_stays_nonblocking(p),
     o2_use(p, O2_COMM, e->comm))
TOLD(MpiCollectiveBegin, (), o2_begin_collective(p, false), o2_stays_collective(p, true), NOTHING)
TOLD(MpiCollectiveEnd, (, e->op, e->comm, e->rank, e->sent, e->received),
     o2_end_collective(p, &(struct o2_late_end){ true, false, e->op, 0, e->comm, e->rank, e->sent,
                                                 e->received }),
     o2_stays_collective(p, false), o2_use(p, O2_COMM, e->comm))
RECORD(RmaCollectiveBegin, (), (), o2_begin_collective(p, true), o2_stays_other(p), NOTHING)
RECORD(RmaCollectiveEnd,
       (, OTF2_CollectiveOp op, OTF2_RmaSyncLevel sync, OTF2_RmaWinRef window, uint32_t root,
        uint64_t sent, uint64_t received),
       (, op, sync, window, root, sent, received),
       o2_end_collective(p, &(struct o2_late_end){ true, true, op, sync, window, root, sent,
                                                   received }),
       o2_stays_other(p), o2_use(p, O2_WINDOW, window))

CHANGE(ThreadFork, (, OTF2_Paradigm model, uint32_t threads), (, model, threads),
       PUSH(O2_OPEN_FORK, model, threads), NOTHING)
CHANGE(ThreadJoin, (, OTF2_Paradigm model), (, model), POP(O2_OPEN_FORK, model), NOTHING)
CHANGE(ThreadTeamBegin, (, OTF2_CommRef team), (, team), PUSH(O2_OPEN_TEAM, team, 0),
       o2_use(p, O2_COMM, team))
CHANGE(ThreadTeamEnd, (, OTF2_CommRef team), (, team), POP(O2_OPEN_TEAM, team),
       o2_use(p, O2_COMM, team))
TOLD_CHANGE(ThreadBegin, (, e->comm, e->sequence), o2_begin_thread(&p->state, e->comm, e->sequence),
            o2_stays_frame(p), o2_use(p, O2_COMM, e->comm))
TOLD_CHANGE(ThreadEnd, (, e->comm, e->sequence), p->state.thread = false, o2_stays_frame(p),
            o2_use(p, O2_COMM, e->comm))
CHANGE(ThreadAcquireLock, (, OTF2_Paradigm model, uint32_t lock, uint32_t order),
       (, model, lock, order), HOLD(O2_HELD_THREAD_LOCK, model, lock, { order }), NOTHING)
CHANGE(ThreadReleaseLock, (, OTF2_Paradigm model, uint32_t lock, uint32_t order),
       (, model, lock, order), o2_state_release(&p->state, O2_HELD_THREAD_LOCK, model, lock),
       NOTHING)
CHANGE(OmpFork, (, uint32_t threads), (, threads), PUSH(O2_OPEN_OMP_FORK, 0, threads), NOTHING)
CHANGE(OmpJoin, (), (), POP(O2_OPEN_OMP_FORK, 0), NOTHING)
CHANGE(OmpAcquireLock, (, uint32_t lock, uint32_t order), (, lock, order),
       HOLD(O2_HELD_OMP_LOCK, 0, lock, { order }), NOTHING)
CHANGE(OmpReleaseLock, (, uint32_t lock, uint32_t order), (, lock, order),
       o2_state_release(&p->state, O2_HELD_OMP_LOCK, 0, lock), NOTHING)

CHANGE(RmaWinCreate, (, OTF2_RmaWinRef window), (, window), HOLD(O2_HELD_WINDOW, window, 0, { 0 }),
       o2_use(p, O2_WINDOW, window))
CHANGE(RmaWinDestroy, (, OTF2_RmaWinRef window), (, window),
       o2_state_release(&p->state, O2_HELD_WINDOW, window, 0), o2_use(p, O2_WINDOW, window))
CHANGE(RmaAcquireLock,
       (, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock, OTF2_LockType type),
       (, window, remote, lock, type), HOLD(O2_HELD_RMA_LOCK, window, lock, { remote, type }),
       o2_use(p, O2_WINDOW, window))
CHANGE(RmaReleaseLock, (, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock),
       (, window, remote, lock), o2_state_release(&p->state, O2_HELD_RMA_LOCK, window, lock),
       o2_use(p, O2_WINDOW, window))

CHANGE(IoCreateHandle,
       (, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode, OTF2_IoCreationFlag creation,
        OTF2_IoStatusFlag status),
       (, handle, mode, creation, status),
       HOLD(O2_HELD_HANDLE, handle, 0, { mode, creation, status }), o2_use(p, O2_HANDLE, handle))
CHANGE(IoDestroyHandle, (, OTF2_IoHandleRef handle), (, handle),
       o2_state_release(&p->state, O2_HELD_HANDLE, handle, 0), o2_use(p, O2_HANDLE, handle))
CHANGE(IoDuplicateHandle,
       (, OTF2_IoHandleRef handle, OTF2_IoHandleRef copy, OTF2_IoStatusFlag status),
       (, handle, copy, status), o2_need(p, o2_duplicate_handle(&p->state, handle, copy, status)),
       o2_use(p, O2_HANDLE, handle);
       o2_use(p, O2_HANDLE, copy))
CHANGE(IoChangeStatusFlags, (, OTF2_IoHandleRef handle, OTF2_IoStatusFlag status),
       (, handle, status), o2_change_status(&p->state, handle, status),
       o2_use(p, O2_HANDLE, handle))
CHANGE(IoAcquireLock, (, OTF2_IoHandleRef handle, OTF2_LockType type), (, handle, type),
       HOLD(O2_HELD_IO_LOCK, handle, type, { 0 }), o2_use(p, O2_HANDLE, handle))
CHANGE(IoReleaseLock, (, OTF2_IoHandleRef handle, OTF2_LockType type), (, handle, type),
       o2_state_release(&p->state, O2_HELD_IO_LOCK, handle, type), o2_use(p, O2_HANDLE, handle))

RECORD(MpiRequestTest, (, uint64_t request), (, request), true, o2_stays_request(p), NOTHING)
PLAIN(OmpTaskCreate, (, uint64_t task), (, task), NOTHING)
PLAIN(OmpTaskSwitch, (, uint64_t task), (, task), NOTHING)
PLAIN(OmpTaskComplete, (, uint64_t task), (, task), NOTHING)
TOLD(ParameterString, (, e->parameter, e->text), true,
     o2_stays_parameter(p, e->parameter, (int64_t)e->text + 1),
     o2_use(p, O2_PARAMETER, e->parameter);
     o2_use(p, O2_STRING, e->text))
TOLD(ParameterInt, (, e->parameter, e->number), true,
     o2_stays_parameter(p, e->parameter, e->number), o2_use(p, O2_PARAMETER, e->parameter))
TOLD(ParameterUnsignedInt, (, e->parameter, e->natural), true,
     o2_stays_parameter(p, e->parameter, e->natural <= INT64_MAX ? (int64_t)e->natural : INT64_MAX),
     o2_use(p, O2_PARAMETER, e->parameter))
PLAIN(RmaGroupSync, (, OTF2_RmaSyncLevel sync, OTF2_RmaWinRef window, OTF2_GroupRef group),
      (, sync, window, group), o2_use(p, O2_WINDOW, window);
      o2_use(p, O2_GROUP, group))
PLAIN(RmaRequestLock, (, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock, OTF2_LockType type),
      (, window, remote, lock, type), o2_use(p, O2_WINDOW, window))
PLAIN(RmaTryLock, (, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock, OTF2_LockType type),
      (, window, remote, lock, type), o2_use(p, O2_WINDOW, window))
PLAIN(RmaSync, (, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaSyncType type),
      (, window, remote, type), o2_use(p, O2_WINDOW, window))
PLAIN(RmaWaitChange, (, OTF2_RmaWinRef window), (, window), o2_use(p, O2_WINDOW, window))
PLAIN(RmaPut, (, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id),
      (, window, remote, bytes, id), o2_use(p, O2_WINDOW, window))
PLAIN(RmaGet, (, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id),
      (, window, remote, bytes, id), o2_use(p, O2_WINDOW, window))
PLAIN(RmaAtomic,
      (, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent,
       uint64_t received, uint64_t id),
      (, window, remote, type, sent, received, id), o2_use(p, O2_WINDOW, window))
PLAIN(RmaOpCompleteBlocking, (, OTF2_RmaWinRef window, uint64_t id), (, window, id),
      o2_use(p, O2_WINDOW, window))
PLAIN(RmaOpCompleteNonBlocking, (, OTF2_RmaWinRef window, uint64_t id), (, window, id),
      o2_use(p, O2_WINDOW, window))
PLAIN(RmaOpTest, (, OTF2_RmaWinRef window, uint64_t id), (, window, id),
      o2_use(p, O2_WINDOW, window))
PLAIN(RmaOpCompleteRemote, (, OTF2_RmaWinRef window, uint64_t id), (, window, id),
      o2_use(p, O2_WINDOW, window))
PLAIN(ThreadTaskCreate, (, OTF2_CommRef team, uint32_t creator, uint32_t generation),
      (, team, creator, generation), o2_use(p, O2_COMM, team))
PLAIN(ThreadTaskSwitch, (, OTF2_CommRef team, uint32_t creator, uint32_t generation),
      (, team, creator, generation), o2_use(p, O2_COMM, team))
PLAIN(ThreadTaskComplete, (, OTF2_CommRef team, uint32_t creator, uint32_t generation),
      (, team, creator, generation), o2_use(p, O2_COMM, team))
PLAIN(ThreadCreate, (, OTF2_CommRef contingent, uint64_t sequence), (, contingent, sequence),
      o2_use(p, O2_COMM, contingent))
PLAIN(ThreadWait, (, OTF2_CommRef contingent, uint64_t sequence), (, contingent, sequence),
      o2_use(p, O2_COMM, contingent))
PLAIN(CallingContextSample,
      (, OTF2_CallingContextRef context, uint32_t unwind, OTF2_InterruptGeneratorRef generator),
      (, context, unwind, generator), o2_use(p, O2_CONTEXT, context);
      o2_use(p, O2_GENERATOR, generator))
PLAIN(IoSeek,
      (, OTF2_IoHandleRef handle, int64_t request, OTF2_IoSeekOption whence, uint64_t result),
      (, handle, request, whence, result), o2_use(p, O2_HANDLE, handle))
PLAIN(IoDeleteFile, (, OTF2_IoParadigmRef paradigm, OTF2_IoFileRef file), (, paradigm, file),
      o2_use(p, O2_IO_PARADIGM, paradigm);
      o2_use(p, O2_FILE, file))
PLAIN(IoOperationBegin,
      (, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode, OTF2_IoOperationFlag flags,
       uint64_t bytes, uint64_t id),
      (, handle, mode, flags, bytes, id), o2_use(p, O2_HANDLE, handle))
PLAIN(IoOperationTest, (, OTF2_IoHandleRef handle, uint64_t id), (, handle, id),
      o2_use(p, O2_HANDLE, handle))
PLAIN(IoOperationIssued, (, OTF2_IoHandleRef handle, uint64_t id), (, handle, id),
      o2_use(p, O2_HANDLE, handle))
PLAIN(IoOperationComplete, (, OTF2_IoHandleRef handle, uint64_t bytes, uint64_t id),
      (, handle, bytes, id), o2_use(p, O2_HANDLE, handle))
PLAIN(IoOperationCancelled, (, OTF2_IoHandleRef handle, uint64_t id), (, handle, id),
      o2_use(p, O2_HANDLE, handle))
PLAIN(IoTryLock, (, OTF2_IoHandleRef handle, OTF2_LockType type), (, handle, type),
      o2_use(p, O2_HANDLE, handle))
PLAIN(CommCreate, (, OTF2_CommRef comm), (, comm), o2_use(p, O2_COMM, comm))
PLAIN(CommDestroy, (, OTF2_CommRef comm), (, comm), o2_use(p, O2_COMM, comm))

/* A kind that the library does not know has no arguments that could be written. */
static OTF2_CallbackCode cut_events_on_unknown(void *user, const struct o2_event *e)
{
    const struct o2_party *g = user;
    struct o2_place *p = g->at[0];

    p->unknown += p->phase == O2_WRITING && e->time >= p->from && e->time < p->to;
    return OTF2_CALLBACK_SUCCESS;
}

#define SURVEYED(X)                                                                                \
    X(MpiRequestCancelled)                                                                         \
    X(RmaCollectiveBegin)                                                                          \
    X(RmaCollectiveEnd)                                                                            \
    X(ThreadFork)                                                                                  \
    X(ThreadJoin)                                                                                  \
    X(ThreadTeamBegin)                                                                             \
    X(ThreadTeamEnd)                                                                               \
    X(ThreadAcquireLock)                                                                           \
    X(ThreadReleaseLock)                                                                           \
    X(OmpFork)                                                                                     \
    X(OmpJoin)                                                                                     \
    X(OmpAcquireLock)                                                                              \
    X(OmpReleaseLock)                                                                              \
    X(RmaWinCreate)                                                                                \
    X(RmaWinDestroy)                                                                               \
    X(RmaAcquireLock)                                                                              \
    X(RmaReleaseLock)                                                                              \
    X(IoCreateHandle)                                                                              \
    X(IoDestroyHandle)                                                                             \
    X(IoDuplicateHandle)                                                                           \
    X(IoChangeStatusFlags)                                                                         \
    X(IoAcquireLock)                                                                               \
    X(IoReleaseLock)

#define UNSURVEYED(X)                                                                              \
    X(MpiRequestTest)                                                                              \
    X(OmpTaskCreate)                                                                               \
    X(OmpTaskSwitch)                                                                               \
    X(OmpTaskComplete)                                                                             \
    X(RmaGroupSync)                                                                                \
    X(RmaRequestLock)                                                                              \
    X(RmaTryLock)                                                                                  \
    X(RmaSync)                                                                                     \
    X(RmaWaitChange)                                                                               \
    X(RmaPut)                                                                                      \
    X(RmaGet)                                                                                      \
    X(RmaAtomic)                                                                                   \
    X(RmaOpCompleteBlocking)                                                                       \
    X(RmaOpCompleteNonBlocking)                                                                    \
    X(RmaOpTest)                                                                                   \
    X(RmaOpCompleteRemote)                                                                         \
    X(ThreadTaskCreate)                                                                            \
    X(ThreadTaskSwitch)                                                                            \
    X(ThreadTaskComplete)                                                                          \
    X(ThreadCreate)                                                                                \
    X(ThreadWait)                                                                                  \
    X(CallingContextSample)                                                                        \
    X(IoSeek)                                                                                      \
    X(IoDeleteFile)                                                                                \
    X(IoOperationBegin)                                                                            \
    X(IoOperationTest)                                                                             \
    X(IoOperationIssued)                                                                           \
    X(IoOperationComplete)                                                                         \
    X(IoOperationCancelled)                                                                        \
    X(IoTryLock)                                                                                   \
    X(CommCreate)                                                                                  \
    X(CommDestroy)

#define SET(kind) OTF2_EvtReaderCallbacks_Set##kind##Callback(to, on_##kind);

OTF2_EvtReaderCallbacks *o2_cut_callbacks(const struct o2_event_calls *calls, bool writing)
{
    OTF2_EvtReaderCallbacks *to = o2_event_callbacks(calls);

    if (!to)
        return NULL;
    SURVEYED(SET)
    if (writing) {
        UNSURVEYED(SET)
    }
    return to;
}

void o2_cut_calls(struct o2_event_calls *c, struct o2_party *g, bool writing)
{
    /* What means nothing to the survey; at all other kinds the quick way stops. */
    static const uint8_t nothing[] = {
        20,                 /* request tests */
        28, 29, 30,         /* tasks of OpenMP, old kinds */
        32, 33, 34,         /* parameters */
        59, 60, 61, 62, 64, /* tasks, creation of and waiting for threads */
    };

    *c = (struct o2_event_calls){
        .at = { [O2_EVENT_ENTER] = on_Enter,
                [O2_EVENT_LEAVE] = on_Leave,
                [O2_EVENT_CONTEXT_ENTER] = on_CallingContextEnter,
                [O2_EVENT_CONTEXT_LEAVE] = on_CallingContextLeave,
                [O2_EVENT_FLUSH] = on_BufferFlush,
                [O2_EVENT_ON_OFF] = on_MeasurementOnOff,
                [O2_EVENT_PROGRAM_BEGIN] = on_ProgramBegin,
                [O2_EVENT_PROGRAM_END] = on_ProgramEnd,
                [O2_EVENT_THREAD_BEGIN] = on_ThreadBegin,
                [O2_EVENT_THREAD_END] = on_ThreadEnd,
                [O2_EVENT_METRIC] = cut_events_on_metric,
                [O2_EVENT_SEND] = on_MpiSend,
                [O2_EVENT_ISEND] = on_MpiIsend,
                [O2_EVENT_ISEND_COMPLETE] = on_MpiIsendComplete,
                [O2_EVENT_RECEIVE_REQUEST] = on_MpiIrecvRequest,
                [O2_EVENT_RECEIVE] = on_MpiRecv,
                [O2_EVENT_IRECEIVE] = on_MpiIrecv,
                [O2_EVENT_COLLECTIVE_BEGIN] = on_MpiCollectiveBegin,
                [O2_EVENT_COLLECTIVE_END] = on_MpiCollectiveEnd,
                [O2_EVENT_COLLECTIVE_STARTED] = on_NonBlockingCollectiveRequest,
                [O2_EVENT_COLLECTIVE_COMPLETED] = on_NonBlockingCollectiveComplete },
        .user = g,
    };
    if (writing) {
        c->at[O2_EVENT_PARAMETER_TEXT] = on_ParameterString;
        c->at[O2_EVENT_PARAMETER_NUMBER] = on_ParameterInt;
        c->at[O2_EVENT_PARAMETER_UNSIGNED] = on_ParameterUnsignedInt;
        c->at[O2_EVENT_UNKNOWN] = cut_events_on_unknown;
    }
    memset(c->stop, 1, sizeof c->stop);
    for (size_t i = 0; i < sizeof nothing; i++)
        c->stop[nothing[i]] = false;
}
