#include "otf2_made.h"

#include "model/formats.h"
#include "otf2/quick.h"
#include "runner.h"

/* More than a chunk. */
#define EVENTS 40000u

/* Sum over all events, each with its place, time and arguments. */
struct told {
    uint64_t events, hash, stop_after;
};

static OTF2_CallbackCode tell(struct told *t, unsigned kind, uint64_t time, uint64_t position,
                              const uint64_t *argument, size_t count)
{
    uint64_t h = kind * UINT64_C(0x9e3779b97f4a7c15) ^ time;

    for (size_t i = 0; i < count; i++)
        h = (h ^ argument[i]) * UINT64_C(0xbf58476d1ce4e5b9) ^ h >> 29;
    t->hash += h * (2 * position + 1);
    t->events++;
    return t->events == t->stop_after ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

#define HEAD                                                                                       \
    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,                 \
        OTF2_AttributeList *attributes
#define TOLD(kind, ...)                                                                            \
    const uint64_t argument[] = { __VA_ARGS__ };                                                   \
                                                                                                   \
    (void)location;                                                                                \
    (void)attributes;                                                                              \
    return tell(user, kind, time, position, argument, sizeof argument / sizeof *argument)

/* As the library tells it. */

static OTF2_CallbackCode on_enter(HEAD, OTF2_RegionRef region)
{
    TOLD(1, region);
}

static OTF2_CallbackCode on_leave(HEAD, OTF2_RegionRef region)
{
    TOLD(2, region);
}

static OTF2_CallbackCode on_send(HEAD, uint32_t rank, OTF2_CommRef comm, uint32_t tag,
                                 uint64_t size)
{
    TOLD(3, rank, comm, tag, size);
}

static OTF2_CallbackCode on_isend(HEAD, uint32_t rank, OTF2_CommRef comm, uint32_t tag,
                                  uint64_t size, uint64_t request)
{
    TOLD(4, rank, comm, tag, size, request);
}

static OTF2_CallbackCode on_request(HEAD, uint64_t request)
{
    TOLD(5, request);
}

static OTF2_CallbackCode on_begin(HEAD)
{
    TOLD(6, 0);
}

static OTF2_CallbackCode on_end(HEAD, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root,
                                uint64_t sent, uint64_t received)
{
    TOLD(7, op, comm, root, sent, received);
}

static OTF2_CallbackCode on_thread(HEAD, OTF2_CommRef contingent, uint64_t sequence)
{
    TOLD(8, contingent, sequence);
}

/* The same of an event as it is told. */
#define EVENT(name, kind, ...)                                                                     \
    static OTF2_CallbackCode event_##name(void *user, const struct o2_event *e)                    \
    {                                                                                              \
        const uint64_t argument[] = { __VA_ARGS__ };                                               \
                                                                                                   \
        return tell(user, kind, e->time, e->position, argument,                                    \
                    sizeof argument / sizeof *argument);                                           \
    }

EVENT(enter, 1, e->region)
EVENT(leave, 2, e->region)
EVENT(send, 3, e->rank, e->comm, e->tag, e->length)
EVENT(isend, 4, e->rank, e->comm, e->tag, e->length, e->request)
EVENT(request, 5, e->request)
EVENT(begin, 6, 0)
EVENT(end, 7, e->op, e->comm, e->rank, e->sent, e->received)
EVENT(thread, 8, e->comm, e->sequence)

/* Numbers of all lengths. */
static void write_all(OTF2_EvtWriter *w, uint32_t rank)
{
    OTF2_EvtWriter_ThreadBegin(w, NULL, 1000, OTF2_UNDEFINED_COMM, 7);
    for (uint32_t i = 0; i < EVENTS; i++) {
        const uint32_t narrow = UINT32_C(0x87654321) >> (i % 33 == 32 ? 31 : i % 33);
        const uint64_t wide = UINT64_C(0xfedcba9876543210) >> i % 64, time = 2000 + i / 3 * rank;

        switch (i % 10) {
        case 0:
            OTF2_EvtWriter_Enter(w, NULL, time, i == 20 ? 0 : narrow);
            break;
        case 1:
            OTF2_EvtWriter_MpiSend(w, NULL, time, narrow, 5, i, wide);
            break;
        case 2:
            OTF2_EvtWriter_MpiIsend(w, NULL, time, i, narrow, 0, wide, wide / 2);
            break;
        case 3:
            OTF2_EvtWriter_MpiIsendComplete(w, NULL, time, wide);
            break;
        case 4:
            OTF2_EvtWriter_MpiIrecvRequest(w, NULL, time, wide);
            break;
        case 5:
            OTF2_EvtWriter_MpiRecv(w, NULL, time, 1, 5, narrow, UINT64_MAX);
            break;
        case 6:
            OTF2_EvtWriter_MpiIrecv(w, NULL, time, 0, 5, UINT32_MAX, wide, i);
            break;
        case 7:
            OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, time);
            break;
        case 8:
            OTF2_EvtWriter_MpiCollectiveEnd(w, NULL, time, OTF2_COLLECTIVE_OP_BCAST, 5, narrow,
                                            wide, i);
            break;
        default:
            OTF2_EvtWriter_Leave(w, NULL, time, narrow);
            break;
        }
    }
    OTF2_EvtWriter_ThreadEnd(w, NULL, 90000, 3, 8);
}

static const struct o2_event_calls calls = { .at = { [O2_EVENT_ENTER] = event_enter,
                                                     [O2_EVENT_LEAVE] = event_leave,
                                                     [O2_EVENT_SEND] = event_send,
                                                     [O2_EVENT_ISEND] = event_isend,
                                                     [O2_EVENT_ISEND_COMPLETE] = event_request,
                                                     [O2_EVENT_RECEIVE_REQUEST] = event_request,
                                                     [O2_EVENT_RECEIVE] = event_send,
                                                     [O2_EVENT_IRECEIVE] = event_isend,
                                                     [O2_EVENT_COLLECTIVE_BEGIN] = event_begin,
                                                     [O2_EVENT_COLLECTIVE_END] = event_end,
                                                     [O2_EVENT_THREAD_BEGIN] = event_thread,
                                                     [O2_EVENT_THREAD_END] = event_thread } };

static void set_callbacks(OTF2_Reader *r, OTF2_EvtReader *e, struct told *told)
{
    OTF2_EvtReaderCallbacks *c = OTF2_EvtReaderCallbacks_New();

    OTF2_EvtReaderCallbacks_SetEnterCallback(c, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(c, on_leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(c, on_send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(c, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(c, on_request);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(c, on_request);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(c, on_send);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(c, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(c, on_begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(c, on_end);
    OTF2_EvtReaderCallbacks_SetThreadBeginCallback(c, on_thread);
    OTF2_EvtReaderCallbacks_SetThreadEndCallback(c, on_thread);
    ck_assert_int_eq(OTF2_Reader_RegisterEvtCallbacks(r, e, c, told), OTF2_SUCCESS);
    OTF2_EvtReaderCallbacks_Delete(c);
}

/* Behind so many events the library goes on, telling by itself or by events.h. */
static void read_rest(const struct o2_trace *t, uint32_t thread, uint64_t events, bool by_itself,
                      struct told *told)
{
    struct o2_event_calls c = calls;
    OTF2_Reader *r;
    OTF2_EvtReader *e;
    uint64_t count;

    c.user = told;
    ck_assert_int_eq(o2_reader_open(&r, t, NULL), PRVCUT_OK);
    ck_assert_int_eq(o2_location_open(&e, r, t, thread, NULL), PRVCUT_OK);
    ck_assert_int_eq(o2_quick_hand_over(r, e, 1, events), OTF2_SUCCESS);
    if (by_itself)
        set_callbacks(r, e, told);
    else
        ck_assert_int_eq(o2_events_register(&c, t, thread, r, e, NULL), PRVCUT_OK);
    OTF2_Reader_ReadLocalEvents(r, e, EVENTS + 10, &count);
    OTF2_Reader_CloseEvtReader(r, e);
    o2_reader_close(r);
}

/* How far the quick way leads with one kind to stop at (0: none), the library doing the rest. */
static enum o2_quick_end read_both(const struct o2_trace *t, uint32_t thread, uint8_t stop,
                                   struct told *told, uint64_t *quickly)
{
    struct o2_event_calls c = calls;
    enum o2_quick_end end;
    struct o2_quick *q;
    uint64_t count;

    c.user = told;
    c.stop[stop] = true;
    ck_assert_int_eq(o2_quick_new(&q, NULL), PRVCUT_OK);
    ck_assert(o2_quick_open(q, t, thread));
    do
        end = o2_quick_read(q, &c, 777, &count);
    while (end == O2_QUICK_MORE);
    *quickly = o2_quick_events(q);
    o2_quick_free(q);
    if (end == O2_QUICK_STOPPED)
        read_rest(t, thread, *quickly, false, told);
    return end;
}

static struct o2_trace *open_made(const struct made *m)
{
    struct prvcut_source *source;
    struct prvcut_trace *t;

    ck_assert_int_eq(prvcut_source_open(&source, m->path, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_otf2_reader.open(&t, source, NULL, NULL), PRVCUT_OK);
    return (struct o2_trace *)t;
}

START_TEST(test_read_quickly_tells_what_the_library_tells)
{
    struct made m;
    struct o2_trace *t;

    made_write(&m, write_all, false);
    t = open_made(&m);
    for (uint32_t thread = 0; thread < 2; thread++) {
        struct told plain = { 0 }, quick = { 0 }, slow = { 0 };
        uint64_t quickly;

        read_rest(t, thread, 0, true, &plain);
        read_rest(t, thread, 0, false, &slow);
        ck_assert_uint_eq(slow.events, plain.events);
        ck_assert_uint_eq(slow.hash, plain.hash);
        ck_assert_uint_eq(plain.events, EVENTS + 2);
        ck_assert_int_eq(read_both(t, thread, 0, &quick, &quickly), O2_QUICK_DONE);
        ck_assert_uint_eq(quickly, plain.events);
        ck_assert_uint_eq(quick.events, plain.events);
        ck_assert_uint_eq(quick.hash, plain.hash);
    }
    t->base.reader->close(&t->base);
    made_remove(&m);
}
END_TEST

/* The file ends anywhere: then the library would tell old events again, and does not end. */
START_TEST(test_read_quickly_cut_short_says_so)
{
    struct made m;
    struct o2_trace *t;
    struct told quick = { 0 };
    uint64_t quickly;
    char path[300];

    made_write(&m, write_all, false);
    snprintf(path, sizeof path, "%s/a/0.evt", m.folder);
    ck_assert_int_eq(truncate(path, 300000 + 7 * _i), 0);
    t = open_made(&m);
    ck_assert_int_eq(read_both(t, 0, 0, &quick, &quickly), O2_QUICK_SHORT);
    ck_assert_uint_gt(quickly, 0);
    ck_assert_uint_lt(quickly, EVENTS);
    ck_assert_uint_eq(quick.events, quickly);
    t->base.reader->close(&t->base);
    made_remove(&m);
}
END_TEST

/* What the library is left with follows on what was told. */
START_TEST(test_read_quickly_stopped_leaves_the_rest_to_the_library)
{
    struct told plain = { 0 }, quick = { 0 };
    struct made m;
    struct o2_trace *t;
    uint64_t quickly;

    made_write(&m, write_all, false);
    t = open_made(&m);
    read_rest(t, 0, 0, true, &plain);
    quick.stop_after = EVENTS / 2;
    ck_assert_int_eq(read_both(t, 0, 0, &quick, &quickly), O2_QUICK_INTERRUPTED);
    ck_assert_uint_eq(quickly, EVENTS / 2);
    quick.stop_after = 0;
    read_rest(t, 0, quickly, false, &quick);
    ck_assert_uint_eq(quick.events, plain.events);
    ck_assert_uint_eq(quick.hash, plain.hash);
    t->base.reader->close(&t->base);
    made_remove(&m);
}
END_TEST

static Suite *otf2_quick_suite(void)
{
    Suite *s = suite_create("otf2_quick");
    TCase *c = tcase_create("events");

    tcase_add_test(c, test_read_quickly_tells_what_the_library_tells);
    tcase_add_loop_test(c, test_read_quickly_cut_short_says_so, 0, 9);
    tcase_add_test(c, test_read_quickly_stopped_leaves_the_rest_to_the_library);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(otf2_quick_suite());
}
