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
 * PARAMETERS and ARGUMENTS are lists in parentheses that begin with a comma where they hold
 * something; TAKE says whether the record is written, and takes note of it; STAYS whether a filter
 * keeps it; USES names the definitions it refers to.
 */
#define RECORD_BY(step, kind, PARAMETERS, ARGUMENTS, TAKE, STAYS, USES)                            \
    static OTF2_CallbackCode on_##kind(OTF2_LocationRef location, OTF2_TimeStamp time,             \
                                       uint64_t position, void *user,                              \
                                       OTF2_AttributeList *attributes AS_IS PARAMETERS)            \
    {                                                                                              \
        struct o2_party *g = user;                                                                 \
        bool enough = false;                                                                       \
                                                                                                   \
        (void)location;                                                                            \
        if (time >= g->next)                                                                       \
            o2_party_begin(g, time);                                                               \
        for (size_t who = 0; who < g->count; who++) {                                              \
            struct o2_place *p = g->at[who];                                                       \
                                                                                                   \
            if (step(p, time, position) && (TAKE) && p->phase == O2_WRITING && (STAYS)) {          \
                USES;                                                                              \
                o2_use_attributes(p, attributes);                                                  \
                o2_put(p, p->writer ? OTF2_EvtWriter_##kind(p->writer, attributes,                 \
                                                            p->now AS_IS ARGUMENTS)                \
                                    : OTF2_SUCCESS);                                               \
            }                                                                                      \
            enough |= p->answer != OTF2_CALLBACK_SUCCESS;                                          \
        }                                                                                          \
        return enough ? o2_party_go_on(g) : OTF2_CALLBACK_SUCCESS;                                 \
    }

#define RECORD(...) RECORD_BY(o2_step, __VA_ARGS__)

/* A record that changes what is open; filters may have more to say of it than of others. */
#define CHANGED(kind, PARAMETERS, ARGUMENTS, NOTE, STAYS, USES)                                    \
    RECORD(kind, PARAMETERS, ARGUMENTS, o2_changes(p) && ((NOTE), true), STAYS, USES)
#define CHANGE(kind, PARAMETERS, ARGUMENTS, NOTE, USES)                                            \
    CHANGED(kind, PARAMETERS, ARGUMENTS, NOTE, o2_stays_other(p), USES)

/* Any other record. */
#define PLAIN(kind, PARAMETERS, ARGUMENTS, USES)                                                   \
    RECORD(kind, PARAMETERS, ARGUMENTS, true, o2_stays_other(p), USES)

#define NOTHING               ((void)0)
#define PUSH(kind, ref, more) o2_need(p, o2_state_push(&p->state, kind, ref, more))
#define ENTER(region, with)                                                                        \
    o2_need(p, o2_state_enter(&p->state, region, p->phase == O2_BEFORE ? (with) : NULL))
#define POP(kind, ref) o2_state_pop(&p->state, kind, ref)
#define HOLD(...)      o2_need(p, o2_state_hold(&p->state, (struct o2_held){ __VA_ARGS__ }))
#define CHANNEL(to_me, of, with)                                                                   \
    ((struct o2_channel){ .receive = (to_me), .comm = (of), .tag = (with) })

RECORD_BY(o2_step_enter, Enter, (, OTF2_RegionRef region), (, region),
          (o2_enter_region(p), o2_changes(p) && (ENTER(region, attributes),
                                                 o2_strip_attributes(p, attributes, false), true)),
          o2_stays_enter(p, region), o2_use(p, O2_REGION, region))
RECORD(Leave, (, OTF2_RegionRef region), (, region),
       (o2_leave_collective(p), o2_changes(p) && (POP(O2_OPEN_REGION, region), true)),
       o2_stays_leave(p, region), o2_use(p, O2_REGION, region))
CHANGED(CallingContextEnter, (, OTF2_CallingContextRef context, uint32_t unwind),
        (, context, unwind), PUSH(O2_OPEN_CONTEXT, context, unwind),
        o2_stays_context_enter(p, context), o2_use(p, O2_CONTEXT, context))
CHANGED(CallingContextLeave, (, OTF2_CallingContextRef context), (, context),
        POP(O2_OPEN_CONTEXT, context), o2_stays_context_leave(p, context),
        o2_use(p, O2_CONTEXT, context))
CHANGED(BufferFlush, (, OTF2_TimeStamp stop), (, o2_flush_stop(p, stop)), o2_flush(&p->state, stop),
        o2_stays_flush(p), NOTHING)
CHANGED(MeasurementOnOff, (, OTF2_MeasurementMode mode), (, mode),
        p->state.off = mode == OTF2_MEASUREMENT_OFF, o2_stays_switch(p), NOTHING)
CHANGED(ProgramBegin, (, OTF2_StringRef name, uint32_t count, const OTF2_StringRef *arguments),
        (, name, count, arguments), o2_need(p, o2_state_program(&p->state, name, count, arguments)),
        o2_stays_frame(p), o2_use(p, O2_STRING, name);
        for (uint32_t i = 0; i < count; i++) o2_use(p, O2_STRING, arguments[i]))
CHANGED(ProgramEnd, (, int64_t status), (, status), p->state.program = false, o2_stays_frame(p),
        NOTHING)
RECORD(Metric,
       (, OTF2_MetricRef metric, uint8_t count, const OTF2_Type *types,
        const OTF2_MetricValue *values),
       (, metric, count, types, values), o2_read_metric(p, time, metric, count, types, values),
       o2_stays_metric(p, metric, &count, &types, &values), o2_use(p, O2_METRIC, metric))

RECORD(MpiSend, (, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t length),
       (, receiver, comm, tag, length),
       (o2_sift_note(p, CHANNEL(false, comm, tag), receiver, length, NULL),
        o2_message(p, CHANNEL(false, comm, tag), receiver, NULL)),
       o2_stays_message(p, CHANNEL(false, comm, tag), receiver, length), o2_use(p, O2_COMM, comm))
RECORD(MpiIsend,
       (, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t length, uint64_t request),
       (, receiver, comm, tag, length, request),
       (o2_sift_note(p, CHANNEL(false, comm, tag), receiver, length, NULL),
        o2_isend(p, CHANNEL(false, comm, tag), receiver, request)),
       o2_stays_isend(p, CHANNEL(false, comm, tag), receiver, length, request),
       o2_use(p, O2_COMM, comm))
RECORD(MpiIsendComplete, (, uint64_t request), (, request), o2_isend_complete(p, request),
       !p->sift || p->sift->sieve->messages, NOTHING)
RECORD(MpiIrecvRequest, (, uint64_t request), (, request),
       (o2_sift_note_post(p, request), o2_post_request(p, request, O2_RECEIVE_BEFORE)),
       o2_stays_post(p), NOTHING)
RECORD_BY(o2_step_receive, MpiRecv,
          (, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t length),
          (, sender, comm, tag, length), o2_message(p, CHANNEL(true, comm, tag), sender, NULL),
          o2_stays_message(p, CHANNEL(true, comm, tag), sender, length), o2_use(p, O2_COMM, comm))
RECORD_BY(o2_step_receive, MpiIrecv,
          (, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t length, uint64_t request),
          (, sender, comm, tag, length, request),
          (o2_sift_note(p, CHANNEL(true, comm, tag), sender, length, &request),
           o2_message(p, CHANNEL(true, comm, tag), sender, &request)),
          o2_stays_message(p, CHANNEL(true, comm, tag), sender, length), o2_use(p, O2_COMM, comm))
RECORD(MpiRequestCancelled, (, uint64_t request), (, request),
       (p->phase == O2_WRITING || (o2_complete_request(p, request, NULL), false)),
       o2_stays_request(p), NOTHING)
RECORD(NonBlockingCollectiveRequest, (, uint64_t request), (, request),
       o2_post_request(p, request, O2_COLLECTIVE_BEFORE), o2_stays_nonblocking(p), NOTHING)
RECORD(NonBlockingCollectiveComplete,
       (, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received,
        uint64_t request),
       (, op, comm, root, sent, received, request), o2_nonblocking_complete(p, comm, request),
       o2_stays_nonblocking(p), o2_use(p, O2_COMM, comm))
RECORD(MpiCollectiveBegin, (), (), o2_begin_collective(p, false), o2_stays_collective(p, true),
       NOTHING)
RECORD(MpiCollectiveEnd,
       (, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received),
       (, op, comm, root, sent, received),
       o2_end_collective(p,
                         &(struct o2_late_end){ true, false, op, 0, comm, root, sent, received }),
       o2_stays_collective(p, false), o2_use(p, O2_COMM, comm))
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
CHANGED(ThreadBegin, (, OTF2_CommRef contingent, uint64_t sequence), (, contingent, sequence),
        o2_begin_thread(&p->state, contingent, sequence), o2_stays_frame(p),
        o2_use(p, O2_COMM, contingent))
CHANGED(ThreadEnd, (, OTF2_CommRef contingent, uint64_t sequence), (, contingent, sequence),
        p->state.thread = false, o2_stays_frame(p), o2_use(p, O2_COMM, contingent))
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
RECORD(ParameterString, (, OTF2_ParameterRef parameter, OTF2_StringRef string),
       (, parameter, string), true, o2_stays_parameter(p, parameter, (int64_t)string + 1),
       o2_use(p, O2_PARAMETER, parameter);
       o2_use(p, O2_STRING, string))
RECORD(ParameterInt, (, OTF2_ParameterRef parameter, int64_t value), (, parameter, value), true,
       o2_stays_parameter(p, parameter, value), o2_use(p, O2_PARAMETER, parameter))
RECORD(ParameterUnsignedInt, (, OTF2_ParameterRef parameter, uint64_t value), (, parameter, value),
       true, o2_stays_parameter(p, parameter, value <= INT64_MAX ? (int64_t)value : INT64_MAX),
       o2_use(p, O2_PARAMETER, parameter))
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
static OTF2_CallbackCode cut_events_on_unknown(OTF2_LocationRef location, OTF2_TimeStamp time,
                                               uint64_t position, void *user,
                                               OTF2_AttributeList *attributes)
{
    const struct o2_party *g = user;
    struct o2_place *p = g->at[0];

    (void)location;
    (void)attributes;
    (void)position;
    p->unknown += p->phase == O2_WRITING && time >= p->from && time < p->to;
    return OTF2_CALLBACK_SUCCESS;
}

#define SURVEYED(X)                                                                                \
    X(Enter)                                                                                       \
    X(Leave)                                                                                       \
    X(CallingContextEnter)                                                                         \
    X(CallingContextLeave)                                                                         \
    X(BufferFlush)                                                                                 \
    X(MeasurementOnOff)                                                                            \
    X(ProgramBegin)                                                                                \
    X(ProgramEnd)                                                                                  \
    X(Metric)                                                                                      \
    X(MpiSend)                                                                                     \
    X(MpiIsend)                                                                                    \
    X(MpiIsendComplete)                                                                            \
    X(MpiIrecvRequest)                                                                             \
    X(MpiRecv)                                                                                     \
    X(MpiIrecv)                                                                                    \
    X(MpiRequestCancelled)                                                                         \
    X(NonBlockingCollectiveRequest)                                                                \
    X(NonBlockingCollectiveComplete)                                                               \
    X(MpiCollectiveBegin)                                                                          \
    X(MpiCollectiveEnd)                                                                            \
    X(RmaCollectiveBegin)                                                                          \
    X(RmaCollectiveEnd)                                                                            \
    X(ThreadFork)                                                                                  \
    X(ThreadJoin)                                                                                  \
    X(ThreadTeamBegin)                                                                             \
    X(ThreadTeamEnd)                                                                               \
    X(ThreadBegin)                                                                                 \
    X(ThreadEnd)                                                                                   \
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
    X(ParameterString)                                                                             \
    X(ParameterInt)                                                                                \
    X(ParameterUnsignedInt)                                                                        \
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

OTF2_EvtReaderCallbacks *o2_cut_callbacks(bool writing)
{
    OTF2_EvtReaderCallbacks *to = OTF2_EvtReaderCallbacks_New();

    if (!to)
        return NULL;
    SURVEYED(SET)
    if (!writing)
        return to;
    UNSURVEYED(SET)
    OTF2_EvtReaderCallbacks_SetUnknownCallback(to, cut_events_on_unknown);
    return to;
}

/* Of the quick way; it stops at all kinds but these, and those that mean nothing to the survey. */
void o2_cut_quick_calls(struct o2_event_calls *c, struct o2_party *g)
{
    static const uint8_t nothing[] = {
        20,                 /* request tests */
        28, 29, 30,         /* tasks of OpenMP, old kinds */
        32, 33, 34,         /* parameters */
        59, 60, 61, 62, 64, /* tasks, creation of and waiting for threads */
    };

    *c = (struct o2_event_calls){
        .enter = on_Enter,
        .leave = on_Leave,
        .send = on_MpiSend,
        .isend = on_MpiIsend,
        .isend_complete = on_MpiIsendComplete,
        .receive_request = on_MpiIrecvRequest,
        .receive = on_MpiRecv,
        .ireceive = on_MpiIrecv,
        .collective_begin = on_MpiCollectiveBegin,
        .collective_end = on_MpiCollectiveEnd,
        .thread_begin = on_ThreadBegin,
        .thread_end = on_ThreadEnd,
        .program_begin = on_ProgramBegin,
        .program_end = on_ProgramEnd,
        .user = g,
    };
    memset(c->stop, 1, sizeof c->stop);
    for (size_t i = 0; i < sizeof nothing; i++)
        c->stop[nothing[i]] = false;
}
