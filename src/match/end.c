#include "match/end.h"

static int end_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

int stm_channel_order(const struct stm_channel *a, const struct stm_channel *b)
{
    if (a->sender != b->sender)
        return a->sender < b->sender ? -1 : 1;
    if (a->receiver != b->receiver)
        return a->receiver < b->receiver ? -1 : 1;
    return (a->tag > b->tag) - (a->tag < b->tag);
}

static struct stm_channel end_channel(const struct prvcut_half *h)
{
    return h->receive ? (struct stm_channel){ h->peer, h->thread, h->tag }
                      : (struct stm_channel){ h->thread, h->peer, h->tag };
}

int stm_channel_compare(const struct stm_end *a, const struct stm_end *b)
{
    const struct stm_channel x = end_channel(&a->half), y = end_channel(&b->half);

    return stm_channel_order(&x, &y);
}

/* Messages do not overtake each other: receives take them in the order in which they were
   posted, which is not that of their completion. */
static uint64_t end_matched_at(const struct prvcut_half *h)
{
    return h->receive ? prvcut_other_time(h, h->time) : h->time;
}

int stm_end_by_channel(const void *a, const void *b)
{
    const struct stm_end *x = a, *y = b;
    const int c = stm_channel_compare(x, y);

    if (c != 0)
        return c;
    if (end_matched_at(&x->half) != end_matched_at(&y->half))
        return end_order(end_matched_at(&x->half), end_matched_at(&y->half));
    return end_order(x->order, y->order);
}

int stm_number_compare(const struct stm_end *a, const struct stm_end *b)
{
    return end_order(a->order, b->order);
}

int stm_end_by_number(const void *a, const void *b)
{
    return stm_number_compare(a, b);
}
