#include "otf2/cut_follow.h"
#include "otf2/events.h"

/* A look at what follows the window. */

#define LOOK_REST(...) __VA_ARGS__

struct lok_wanted {
    struct o2_place *place;
    struct o2_wanted *wanted;
    size_t count, missing;
};

static OTF2_CallbackCode lok_at(struct lok_wanted *l, uint32_t rank, uint32_t comm, uint32_t tag,
                                bool receive)
{
    struct o2_channel key = { 0 };

    if (!o2_message_key(l->place, rank, comm, &key))
        return OTF2_CALLBACK_SUCCESS;
    for (size_t i = 0; i < l->count; i++) {
        struct o2_wanted *w = &l->wanted[i];

        if (!w->found && w->peer == key.peer && w->tag == tag && w->comm == key.comm &&
            w->receive == receive) {
            w->found = true;
            l->missing--;
        }
    }
    if (l->missing == 0)
        l->place->answer = OTF2_CALLBACK_INTERRUPT;
    return l->place->answer;
}

#define LOOK(kind, receive, REST, UNUSED)                                                          \
    static OTF2_CallbackCode look_##kind(                                                          \
        OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,             \
        OTF2_AttributeList *attributes, uint32_t rank, OTF2_CommRef comm, uint32_t tag,            \
        uint64_t length LOOK_REST REST)                                                            \
    {                                                                                              \
        (void)location;                                                                            \
        (void)time;                                                                                \
        (void)position;                                                                            \
        (void)attributes;                                                                          \
        (void)length;                                                                              \
        UNUSED;                                                                                    \
        return lok_at(user, rank, comm, tag, receive);                                             \
    }

LOOK(MpiSend, false, (), (void)0)
LOOK(MpiIsend, false, (, uint64_t request), (void)request)
LOOK(MpiRecv, true, (), (void)0)
LOOK(MpiIrecv, true, (, uint64_t request), (void)request)

enum prvcut_status o2_place_look(struct o2_place *p, OTF2_Reader **r, struct o2_wanted *wanted,
                                 size_t count, struct prvcut_error *err)
{
    struct lok_wanted l = { .place = p, .wanted = wanted, .count = count, .missing = count };
    const struct o2_event_calls calls = { .send = look_MpiSend,
                                          .isend = look_MpiIsend,
                                          .receive = look_MpiRecv,
                                          .ireceive = look_MpiIrecv };

    p->answer = OTF2_CALLBACK_SUCCESS;
    return o2_place_with(p, r, (struct o2_events_span){ p->beyond, 0 }, o2_event_callbacks(&calls),
                         &l, err);
}
