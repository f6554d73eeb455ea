#include "base/table.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SHIFT 60u /* 16 slots */

static void *table_item(const struct prvcut_table *t, size_t i)
{
    return (char *)t->at + i * t->item;
}

static size_t table_slot(const struct prvcut_table *t, const void *key)
{
    return prvcut_table_slot(t, key, t->key, t->item);
}

void *prvcut_table_find(const struct prvcut_table *t, const void *key)
{
    return prvcut_table_look(t, key, t->key, t->item);
}

/* At least half of the slots stay empty: a search ends soon. */
static enum prvcut_status table_widen(struct prvcut_table *t, struct prvcut_error *err)
{
    const unsigned shift = t->slots > 0 ? t->shift - 1 : FIRST_SHIFT;
    const size_t slots = (size_t)1 << (64 - shift);
    uint32_t *slot;

    if (2 * (t->count + 1) <= t->slots)
        return PRVCUT_OK;
    slot = prvcut_zeroed(slots, sizeof *slot, t->what, err);
    if (!slot)
        return PRVCUT_ENOMEM;
    free(t->slot);
    t->slot = slot;
    t->slots = slots;
    t->shift = shift;
    for (size_t i = 0; i < t->count; i++)
        t->slot[table_slot(t, table_item(t, i))] = (uint32_t)i + 1;
    return PRVCUT_OK;
}

void *prvcut_table_make(struct prvcut_table *t, const void *key, struct prvcut_error *err)
{
    char *item = prvcut_table_find(t, key);

    assert(t->key > 0 && t->key <= t->item);
    if (item)
        return item;
    if (t->count >= UINT32_MAX - 1) {
        prvcut_fail(err, PRVCUT_ELIMIT, "more than %u %s", UINT32_MAX - 1, t->what);
        return NULL;
    }
    if (table_widen(t, err) < 0 ||
        prvcut_grow((void **)&t->at, &t->room, t->count + 1, t->item, err) < 0)
        return NULL;
    t->slot[table_slot(t, key)] = (uint32_t)t->count + 1;
    item = table_item(t, t->count++);
    memcpy(item, key, t->key);
    memset(item + t->key, 0, t->item - t->key);
    return item;
}

/* Close the gap at `gap`: what was put behind it because its own slot was taken moves up. */
static void table_close(struct prvcut_table *t, size_t gap)
{
    const size_t mask = t->slots - 1;

    for (size_t i = (gap + 1) & mask; t->slot[i] > 0; i = (i + 1) & mask) {
        const size_t home = prvcut_table_home(t, table_item(t, t->slot[i] - 1), t->key);

        if (((i - home) & mask) >= ((i - gap) & mask)) {
            t->slot[gap] = t->slot[i];
            gap = i;
        }
    }
    t->slot[gap] = 0;
}

bool prvcut_table_drop(struct prvcut_table *t, const void *key)
{
    const size_t at = t->count > 0 ? table_slot(t, key) : 0;
    const uint32_t place = t->count > 0 ? t->slot[at] : 0;

    if (place == 0)
        return false;
    table_close(t, at);
    t->count--;
    if (place - 1 < t->count) {
        t->slot[table_slot(t, table_item(t, t->count))] = place;
        memcpy(table_item(t, place - 1), table_item(t, t->count), t->item);
    }
    return true;
}

void *prvcut_table_take(struct prvcut_table *t, size_t *count)
{
    void *at = t->at;

    *count = t->count;
    t->at = NULL;
    prvcut_table_fini(t);
    return at;
}

enum prvcut_status prvcut_table_copy(struct prvcut_table *to, const struct prvcut_table *from,
                                     struct prvcut_error *err)
{
    *to = *from;
    to->at = NULL;
    to->slot = NULL;
    to->count = to->room = to->slots = 0;
    if (from->count == 0)
        return PRVCUT_OK;
    to->at = prvcut_unset(from->count, from->item, from->what, err);
    to->slot = prvcut_unset(from->slots, sizeof *to->slot, from->what, err);
    if (!to->at || !to->slot) {
        prvcut_table_fini(to);
        return PRVCUT_ENOMEM;
    }
    memcpy(to->at, from->at, from->count * from->item);
    memcpy(to->slot, from->slot, from->slots * sizeof *to->slot);
    to->count = to->room = from->count;
    to->slots = from->slots;
    return PRVCUT_OK;
}

void prvcut_table_clear(struct prvcut_table *t)
{
    if (t->slots > 0)
        memset(t->slot, 0, t->slots * sizeof *t->slot);
    t->count = 0;
}

void prvcut_table_fini(struct prvcut_table *t)
{
    free(t->at);
    free(t->slot);
    t->at = NULL;
    t->slot = NULL;
    t->count = t->room = t->slots = 0;
}
