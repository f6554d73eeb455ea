#include "convert/flow.h"
#include "model/roles.h"

static void put_count(struct prvcut_record_counts *c, const struct prvcut_item *i)
{
    switch ((enum prvcut_item_kind)i->kind) {
    case PRVCUT_ITEM_STATE:
        c->states++;
        break;
    case PRVCUT_ITEM_EVENT:
        if (prvcut_role_is_region(i->role))
            c->regions += i->event.value != 0;
        else if (prvcut_role_is_counter(i->role))
            c->counters++;
        else
            c->events++;
        break;
    case PRVCUT_ITEM_SEND:
        c->sends++;
        break;
    case PRVCUT_ITEM_RECEIVE:
        c->receives++;
        break;
    case PRVCUT_ITEM_MESSAGE:
        c->messages++;
        break;
    }
}

/* What an item has beside what every format can carry of its kind. */
static void put_extras(uint64_t *extra, const struct prvcut_item *i)
{
    if (i->kind == PRVCUT_ITEM_MESSAGE) {
        extra[PRVCUT_CARRY_TAGS]++;
        extra[PRVCUT_CARRY_PHYSICAL] += i->message.physical_send != i->time ||
                                        i->message.logical_receive != i->message.physical_receive;
    } else if (i->kind == PRVCUT_ITEM_SEND || i->kind == PRVCUT_ITEM_RECEIVE) {
        extra[PRVCUT_CARRY_TAGS]++;
        extra[PRVCUT_CARRY_PHYSICAL] += i->half.other != i->time;
    } else if (i->kind == PRVCUT_ITEM_EVENT) {
        extra[PRVCUT_CARRY_COLLECTIVES] += prvcut_role_tells_collective(i->role);
    }
}

enum prvcut_status cnv_put(struct cnv_flow *f, struct prvcut_item *item, size_t count,
                           struct prvcut_error *err)
{
    if (f->job->writer->wants_roots && !f->holes && !f->windowed)
        cnv_roots_tell(&f->roots, item, count);
    for (size_t i = 0; i < count; i++) {
        put_count(&f->sum->is.written, &item[i]);
        put_extras(f->extra, &item[i]);
    }
    return f->job->writer->put(f->writing, item, count, f->sum, err);
}
