#include "stream/records.h"

#include "match/crossing.h"
#include "prvcut/stream.h"

static int records_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

int stm_small_by_thread(const void *a, const void *b)
{
    const struct stm_small *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->time != y->time ? records_order(x->time, y->time) : records_order(x->order, y->order);
}

int stm_small_by_time(const void *a, const void *b)
{
    const struct stm_small *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->thread != y->thread ? records_order(x->thread, y->thread)
                                  : records_order(x->order, y->order);
}

int stm_large_by_thread(const void *a, const void *b)
{
    const struct stm_large *x = a, *y = b;

    if (x->item.thread != y->item.thread)
        return x->item.thread < y->item.thread ? -1 : 1;
    return x->item.time != y->item.time ? records_order(x->item.time, y->item.time)
                                        : records_order(x->order, y->order);
}

int stm_large_by_time(const void *a, const void *b)
{
    const struct stm_large *x = a, *y = b;

    if (x->item.time != y->item.time)
        return x->item.time < y->item.time ? -1 : 1;
    return x->item.thread != y->item.thread ? records_order(x->item.thread, y->item.thread)
                                            : records_order(x->order, y->order);
}

uint32_t stm_small_thread(const void *a)
{
    return ((const struct stm_small *)a)->thread;
}

uint32_t stm_large_thread(const void *a)
{
    return ((const struct stm_large *)a)->item.thread;
}

void stm_small_item(const struct stm_small *s, struct prvcut_item *out)
{
    out->time = s->time;
    out->thread = s->thread;
    out->head = s->head;
    if (s->order & 1) {
        out->kind = PRVCUT_ITEM_STATE;
        out->role = 0;
        out->state.end = s->value;
        out->state.number = s->type;
        out->state.running = s->role != 0;
    } else {
        out->kind = PRVCUT_ITEM_EVENT;
        out->role = (uint8_t)s->role;
        out->event.value = (int64_t)s->value;
        out->event.type = s->type;
        out->event.root = 0;
    }
}

void stm_message_item(const struct prvcut_message *m, struct prvcut_item *out)
{
    *out = (struct prvcut_item){
        .time = m->logical_send,
        .thread = m->sender,
        .kind = PRVCUT_ITEM_MESSAGE,
        .message = { .physical_send = m->physical_send,
                     .logical_receive = m->logical_receive,
                     .physical_receive = m->physical_receive,
                     .size = m->size,
                     .tag = m->tag,
                     .receiver = m->receiver,
                     .communicator = PRVCUT_NOBODY },
    };
}

void stm_message_end(const struct prvcut_message *m, bool receive, struct prvcut_item *out)
{
    *out = (struct prvcut_item){
        .time = receive ? prvcut_message_complete(m) : m->logical_send,
        .thread = receive ? m->receiver : m->sender,
        .kind = receive ? PRVCUT_ITEM_RECEIVE : PRVCUT_ITEM_SEND,
        .half = { .other = receive ? m->logical_receive : m->physical_send,
                  .size = m->size,
                  .tag = m->tag,
                  .number = UINT64_MAX,
                  .peer = receive ? m->sender : m->receiver,
                  .communicator = PRVCUT_NOBODY },
    };
}

void stm_message_ends(const struct prvcut_message *m, struct prvcut_item *send,
                      struct prvcut_item *receive)
{
    stm_message_end(m, false, send);
    stm_message_end(m, true, receive);
}

void stm_half_item(const struct prvcut_half *h, struct prvcut_item *out)
{
    *out = (struct prvcut_item){
        .time = h->time,
        .thread = h->thread,
        .kind = h->receive || h->done ? PRVCUT_ITEM_RECEIVE : PRVCUT_ITEM_SEND,
        .half = { .other = prvcut_other_time(h, h->time),
                  .done = h->done,
                  .size = h->size,
                  .tag = h->tag,
                  .number = UINT64_MAX,
                  .peer = h->peer,
                  .communicator = h->communicator },
    };
}
