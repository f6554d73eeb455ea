#include "stream/place.h"

#include <string.h>

static bool place_is_half(const struct prvcut_item *i)
{
    return i->kind == PRVCUT_ITEM_SEND || i->kind == PRVCUT_ITEM_RECEIVE;
}

static bool place_is_call(const struct prvcut_item *i)
{
    return i->kind == PRVCUT_ITEM_EVENT && (PRVCUT_ROLES_MPI >> i->role & 1);
}

/* The beginning of the record that an event belongs to. */
static size_t place_line_of(const struct prvcut_item *item, size_t at, size_t first)
{
    while (at > first && !item[at].head)
        at--;
    return at;
}

/* Receives end with their call: before its end, which is the first one, if it begins here too. */
static size_t place_receives_at(const struct prvcut_item *item, size_t first, size_t end)
{
    bool begun = false;

    for (size_t i = first; i < end; i++) {
        if (!place_is_call(&item[i]))
            continue;
        if (item[i].event.value == 0)
            return begun ? place_line_of(item, i, first) : first;
        begun = true;
    }
    return begun ? end : first;
}

/* Sends begin in their call: before the last end, unless another call begins behind it. */
static size_t place_sends_at(const struct prvcut_item *item, size_t first, size_t end)
{
    for (size_t i = end; i-- > first;)
        if (place_is_call(&item[i]))
            return item[i].event.value == 0 ? place_line_of(item, i, first) : end;
    return end;
}

void stm_place_group(struct prvcut_item *item, size_t count, struct prvcut_item *spare)
{
    size_t first = 0, end = count, receives, sends, n = 0;

    while (first < count && item[first].kind == PRVCUT_ITEM_RECEIVE)
        first++;
    while (end > first && item[end - 1].kind == PRVCUT_ITEM_SEND)
        end--;
    receives = place_receives_at(item, first, end);
    sends = place_sends_at(item, first, end);
    if (receives == first && sends == end)
        return;
    for (size_t i = first; i <= end; i++) {
        /* A message to itself is sent before it is received. */
        if (i == sends) {
            memcpy(spare + n, item + end, (count - end) * sizeof *item);
            n += count - end;
        }
        if (i == receives) {
            memcpy(spare + n, item, first * sizeof *item);
            n += first;
        }
        if (i < end)
            spare[n++] = item[i];
    }
    memcpy(item, spare, count * sizeof *item);
}

size_t stm_place_all(struct prvcut_item *item, size_t count, bool last, struct prvcut_item *spare)
{
    size_t begin = 0;
    bool halves = false;

    for (size_t i = 0; i < count; i++) {
        if (item[i].time != item[begin].time || item[i].thread != item[begin].thread) {
            if (halves)
                stm_place_group(item + begin, i - begin, spare);
            begin = i;
            halves = false;
        }
        halves = halves || place_is_half(&item[i]);
    }
    if (!last && begin > 0)
        return begin;
    if (halves)
        stm_place_group(item + begin, count - begin, spare);
    return count;
}
