#include "match/end.h"

static int end_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

int prvcut_channel_order(const struct prvcut_channel *a, const struct prvcut_channel *b)
{
    if (a->sender != b->sender)
        return a->sender < b->sender ? -1 : 1;
    if (a->receiver != b->receiver)
        return a->receiver < b->receiver ? -1 : 1;
    return (a->tag > b->tag) - (a->tag < b->tag);
}

static struct prvcut_channel end_channel(const struct prvcut_half *h)
{
    return h->receive ? (struct prvcut_channel){ h->peer, h->thread, h->tag }
                      : (struct prvcut_channel){ h->thread, h->peer, h->tag };
}

int prvcut_end_compare_channel(const struct prvcut_end *a, const struct prvcut_end *b)
{
    const struct prvcut_channel x = end_channel(&a->half), y = end_channel(&b->half);

    return prvcut_channel_order(&x, &y);
}

/* Messages do not overtake each other: receives take them in the order in which they were
   posted, which is not that of their completion. */
static uint64_t end_matched_at(const struct prvcut_half *h)
{
    return h->receive ? prvcut_other_time(h, h->time) : h->time;
}

int prvcut_end_by_channel(const void *a, const void *b)
{
    const struct prvcut_end *x = a, *y = b;
    const int c = prvcut_end_compare_channel(x, y);

    if (c != 0)
        return c;
    if (end_matched_at(&x->half) != end_matched_at(&y->half))
        return end_order(end_matched_at(&x->half), end_matched_at(&y->half));
    return end_order(x->order, y->order);
}

int prvcut_end_compare_number(const struct prvcut_end *a, const struct prvcut_end *b)
{
    return end_order(a->order, b->order);
}

int prvcut_end_by_number(const void *a, const void *b)
{
    return prvcut_end_compare_number(a, b);
}
