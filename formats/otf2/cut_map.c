#include "otf2/cut.h"

#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

static size_t map_slot(const struct o2_map *m, uint64_t key)
{
    size_t i = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (m->room - 1);

    while (m->value[i] != 0 && m->key[i] != key)
        i = (i + 1) & (m->room - 1);
    return i;
}

/* Anew, without those that are gone. */
static bool map_rehash(struct o2_map *m)
{
    struct o2_map more = { 0 };
    size_t live = 0, bytes;

    for (size_t i = 0; i < m->room; i++)
        live += m->value[i] != 0 && m->value[i] != O2_GONE;
    more.room = 16;
    while (more.room < live * 4)
        more.room *= 2;
    if (!prvcut_ckd_mul_size(&bytes, more.room, sizeof *more.key))
        return false;
    more.key = malloc(bytes);
    more.value = calloc(more.room, 1);
    if (!more.key || !more.value) {
        o2_map_fini(&more);
        return false;
    }
    for (size_t i = 0; i < m->room; i++) {
        if (m->value[i] == 0 || m->value[i] == O2_GONE)
            continue;
        const size_t slot = map_slot(&more, m->key[i]);

        more.key[slot] = m->key[i];
        more.value[slot] = m->value[i];
        more.used++;
    }
    o2_map_fini(m);
    *m = more;
    return true;
}

uint8_t o2_map_get(const struct o2_map *m, uint64_t key)
{
    const uint8_t value = m->room > 0 ? m->value[map_slot(m, key)] : 0;

    return value == O2_GONE ? 0 : value;
}

bool o2_map_put(struct o2_map *m, uint64_t key, uint8_t value)
{
    size_t slot;

    if (m->used * 2 >= m->room && !map_rehash(m))
        return false;
    slot = map_slot(m, key);
    m->used += m->value[slot] == 0;
    m->key[slot] = key;
    m->value[slot] = value;
    return true;
}

void o2_map_fini(struct o2_map *m)
{
    free(m->key);
    free(m->value);
    *m = (struct o2_map){ 0 };
}

bool o2_grow(void **array, size_t count, size_t *room, size_t size)
{
    size_t bytes, want;
    void *more;

    if (count < *room)
        return true;
    if (!prvcut_ckd_mul_size(&want, *room > 0 ? *room : 4, 2) ||
        !prvcut_ckd_mul_size(&bytes, want, size))
        return false;
    more = realloc(*array, bytes);
    if (!more)
        return false;
    *array = more;
    *room = want;
    return true;
}

uint64_t o2_value_node(OTF2_Type type, OTF2_AttributeValue value)
{
    static const struct {
        OTF2_Type type;
        enum o2_node node;
    } nodes[] = {
        { OTF2_TYPE_STRING, O2_STRING },
        { OTF2_TYPE_ATTRIBUTE, O2_ATTRIBUTE },
        { OTF2_TYPE_REGION, O2_REGION },
        { OTF2_TYPE_GROUP, O2_GROUP },
        { OTF2_TYPE_METRIC, O2_METRIC },
        { OTF2_TYPE_COMM, O2_COMM },
        { OTF2_TYPE_PARAMETER, O2_PARAMETER },
        { OTF2_TYPE_RMA_WIN, O2_WINDOW },
        { OTF2_TYPE_SOURCE_CODE_LOCATION, O2_SOURCE },
        { OTF2_TYPE_CALLING_CONTEXT, O2_CONTEXT },
        { OTF2_TYPE_INTERRUPT_GENERATOR, O2_GENERATOR },
        { OTF2_TYPE_IO_FILE, O2_FILE },
        { OTF2_TYPE_IO_HANDLE, O2_HANDLE },
    };

    /* All references of 32 bits share the union's first bytes. */
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        if (nodes[i].type == type)
            return o2_node_key(nodes[i].node, value.stringRef);
    return O2_ROOT;
}
