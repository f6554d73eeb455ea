#include "otf2/cut_follow.h"
#include "otf2/events.h"

/* A look at what follows the window. */

struct lok_wanted {
    struct o2_place *place;
    struct o2_wanted *wanted;
    size_t count, missing;
};

static OTF2_CallbackCode lok_at(struct lok_wanted *l, const struct o2_event *e, bool receive)
{
    struct o2_channel key = { 0 };

    if (!o2_message_key(l->place, e->rank, e->comm, &key))
        return OTF2_CALLBACK_SUCCESS;
    for (size_t i = 0; i < l->count; i++) {
        struct o2_wanted *w = &l->wanted[i];

        if (!w->found && w->peer == key.peer && w->tag == e->tag && w->comm == key.comm &&
            w->receive == receive) {
            w->found = true;
            l->missing--;
        }
    }
    if (l->missing == 0)
        l->place->answer = OTF2_CALLBACK_INTERRUPT;
    return l->place->answer;
}

static OTF2_CallbackCode look_on_send(void *user, const struct o2_event *e)
{
    return lok_at(user, e, false);
}

static OTF2_CallbackCode look_on_receive(void *user, const struct o2_event *e)
{
    return lok_at(user, e, true);
}

enum prvcut_status o2_place_look(struct o2_place *p, OTF2_Reader **r, struct o2_wanted *wanted,
                                 size_t count, struct prvcut_error *err)
{
    struct lok_wanted l = { .place = p, .wanted = wanted, .count = count, .missing = count };
    struct o2_event_calls calls = { .at = { [O2_EVENT_SEND] = look_on_send,
                                            [O2_EVENT_ISEND] = look_on_send,
                                            [O2_EVENT_RECEIVE] = look_on_receive,
                                            [O2_EVENT_IRECEIVE] = look_on_receive },
                                    .user = &l };

    p->answer = OTF2_CALLBACK_SUCCESS;
    return o2_place_with(p, r, (struct o2_events_span){ p->beyond, 0 }, o2_event_callbacks(&calls),
                         &calls, err);
}
