#include "base/buffer.h"
#include "base/memory.h"
#include "otf2/cut.h"

#include <stdlib.h>
#include <string.h>

bool o2_state_push(struct o2_state *s, enum o2_open_kind kind, uint32_t ref, uint32_t more)
{
    const struct prvcut_frame frame = { .type = kind, .value = ref, .note = more };

    return prvcut_stack_push(&s->open, &frame, NULL) == PRVCUT_OK;
}

/* A region's note: where its attributes begin, and how many there are. */
#define PAIRS_BITS 8
#define PAIRS_MOST ((1u << PAIRS_BITS) - 1)

static bool state_keep_pair(struct o2_state *s, const OTF2_AttributeList *attributes, uint32_t i)
{
    struct o2_pair *to;

    if (prvcut_grow((void **)&s->pair, &s->pair_room, s->pairs + 1, sizeof *s->pair, NULL) < 0)
        return false;
    to = &s->pair[s->pairs];
    if (OTF2_AttributeList_GetAttributeByIndex(attributes, i, &to->id, &to->type, &to->value) ==
        OTF2_SUCCESS)
        s->pairs++;
    return true;
}

bool o2_state_enter(struct o2_state *s, uint32_t region, const OTF2_AttributeList *attributes)
{
    const size_t first = s->pairs;
    const uint32_t count = attributes ? OTF2_AttributeList_GetNumberOfElements(attributes) : 0;

    if (!o2_state_push(s, O2_OPEN_REGION, region, 0))
        return false;
    for (uint32_t i = 0; i < count && i < PAIRS_MOST; i++)
        if (!state_keep_pair(s, attributes, i))
            return false;
    s->open.at[s->open.count - 1].note = (uint64_t)first << PAIRS_BITS | (s->pairs - first);
    return true;
}

const struct o2_pair *o2_state_pairs(const struct o2_state *s, const struct prvcut_frame *region,
                                     size_t *count)
{
    *count = region->note & PAIRS_MOST;
    return *count > 0 ? s->pair + (region->note >> PAIRS_BITS) : NULL;
}

/* Those behind the innermost region's are of regions that have been left. */
static void state_drop_pairs(struct o2_state *s)
{
    size_t at, count;

    s->pairs = 0;
    if (prvcut_stack_find(&s->open, O2_OPEN_REGION, &at)) {
        o2_state_pairs(s, &s->open.at[at], &count);
        s->pairs = (s->open.at[at].note >> PAIRS_BITS) + count;
    }
}

static bool state_is_collective(uint32_t kind)
{
    return kind == O2_OPEN_COLLECTIVE || kind == O2_OPEN_RMA_COLLECTIVE;
}

void o2_state_pop(struct o2_state *s, enum o2_open_kind kind, uint32_t ref)
{
    size_t at;

    /* One with another ref is better than none (EZTrace). */
    if (!prvcut_stack_find_value(&s->open, kind, ref, &at) &&
        !prvcut_stack_find(&s->open, kind, &at))
        return;
    prvcut_stack_remove(&s->open, at);
    for (size_t i = s->open.count; i-- > at;)
        if (state_is_collective(s->open.at[i].type))
            prvcut_stack_remove(&s->open, i);
    if (s->pairs > 0)
        state_drop_pairs(s);
}

bool o2_state_hold(struct o2_state *s, struct o2_held held)
{
    o2_state_release(s, held.kind, held.ref, held.id);
    if (prvcut_grow((void **)&s->held, &s->held_room, s->helds + 1, sizeof *s->held, NULL) < 0)
        return false;
    s->held[s->helds++] = held;
    return true;
}

void o2_state_release(struct o2_state *s, enum o2_held_kind kind, uint32_t ref, uint64_t id)
{
    for (size_t i = s->helds; i-- > 0;)
        if (s->held[i].kind == kind && s->held[i].ref == ref && s->held[i].id == id) {
            memmove(&s->held[i], &s->held[i + 1], (s->helds - i - 1) * sizeof *s->held);
            s->helds--;
            return;
        }
}

struct o2_reading *o2_state_reading(struct o2_state *s, OTF2_MetricRef metric, uint8_t count)
{
    struct o2_reading *r;

    for (size_t i = 0; i < s->readings; i++)
        if (s->reading[i].metric == metric && s->reading[i].count == count)
            return &s->reading[i];
    if (prvcut_grow((void **)&s->reading, &s->reading_room, s->readings + 1, sizeof *s->reading,
                    NULL) < 0)
        return NULL;
    r = &s->reading[s->readings++];
    *r = (struct o2_reading){ .metric = metric, .count = count };
    r->type = prvcut_unset((size_t)count + 1, sizeof *r->type, "what is open", NULL);
    r->value = prvcut_unset((size_t)count + 1, sizeof *r->value, "what is open", NULL);
    return r->type && r->value ? r : NULL;
}

bool o2_state_read(struct o2_state *s, OTF2_MetricRef metric, uint8_t count, const OTF2_Type *type,
                   const OTF2_MetricValue *value)
{
    struct o2_reading *r = o2_state_reading(s, metric, count);

    if (!r)
        return false;
    memcpy(r->type, type, count * sizeof *type);
    memcpy(r->value, value, count * sizeof *value);
    return true;
}

bool o2_state_program(struct o2_state *s, OTF2_StringRef name, uint32_t arguments,
                      const OTF2_StringRef *argument)
{
    OTF2_StringRef *copy = prvcut_unset((size_t)arguments + 1, sizeof *copy, "what is open", NULL);

    if (!copy)
        return false;
    if (arguments > 0)
        memcpy(copy, argument, arguments * sizeof *copy);
    free(s->argument);
    s->argument = copy;
    s->arguments = arguments;
    s->name = name;
    s->program = true;
    return true;
}

/* A copy of [count], NULL where that is 0; false: out of memory. */
static bool state_array(void *to, const void *from, size_t count, size_t size)
{
    void *at = count > 0 ? prvcut_unset(count, size, "what is open", NULL) : NULL;

    if (at)
        memcpy(at, from, count * size);
    memcpy(to, &at, sizeof at);
    return at || count == 0;
}

static bool state_copy_reading(struct o2_reading *to, const struct o2_reading *from)
{
    const size_t room = (size_t)from->count + 1;

    *to = *from;
    to->type = prvcut_unset(room, sizeof *to->type, "what is open", NULL);
    to->value = prvcut_unset(room, sizeof *to->value, "what is open", NULL);
    if (!to->type || !to->value)
        return false;
    memcpy(to->type, from->type, from->count * sizeof *to->type);
    memcpy(to->value, from->value, from->count * sizeof *to->value);
    return true;
}

bool o2_state_copy(struct o2_state *to, const struct o2_state *from)
{
    bool good;

    *to = *from;
    good = prvcut_stack_copy(&to->open, &from->open, NULL) == PRVCUT_OK;
    good &= state_array(&to->pair, from->pair, from->pairs, sizeof *to->pair);
    good &= state_array(&to->held, from->held, from->helds, sizeof *to->held);
    good &= state_array(&to->argument, from->argument, from->arguments, sizeof *to->argument);
    to->reading = prvcut_zeroed(from->readings + 1, sizeof *to->reading, "what is open", NULL);
    good &= to->reading != NULL;
    to->held_room = to->helds;
    to->pair_room = to->pairs;
    to->reading_room = from->readings + 1;
    to->readings = 0;
    while (good && to->readings < from->readings) {
        good = state_copy_reading(&to->reading[to->readings], &from->reading[to->readings]);
        to->readings++;
    }
    return good;
}

void o2_state_fini(struct o2_state *s)
{
    for (size_t i = 0; i < s->readings; i++) {
        free(s->reading[i].type);
        free(s->reading[i].value);
    }
    free(s->reading);
    prvcut_stack_fini(&s->open);
    free(s->pair);
    free(s->held);
    free(s->argument);
    *s = (struct o2_state){ 0 };
}
