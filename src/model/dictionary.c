#include "model/dictionary.h"

#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

/* Texts are small: blocks of this many bytes hold them, larger wishes get a block of their own. */
#define BLOCK ((size_t)65536)

struct block {
    struct block *next;
    size_t used, room;
    max_align_t at[];
};

void *prvcut_dictionary_room(struct prvcut_dictionary *d, size_t bytes, struct prvcut_error *err)
{
    struct block *b = d->arena;
    size_t units, room;
    void *at;

    if (bytes > SIZE_MAX / 4) {
        prvcut_no_memory(err, "names");
        return NULL;
    }
    units = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t);
    if (!b || units > b->room - b->used) {
        room = units > BLOCK / sizeof(max_align_t) ? units : BLOCK / sizeof(max_align_t);
        b = prvcut_unset(1, sizeof *b + room * sizeof(max_align_t), "names", err);
        if (!b)
            return NULL;
        *b = (struct block){ .next = d->arena, .room = room };
        d->arena = b;
    }
    at = b->at + b->used;
    b->used += units;
    return memset(at, 0, units * sizeof(max_align_t));
}

const char *prvcut_dictionary_text(struct prvcut_dictionary *d, const char *text,
                                   struct prvcut_error *err)
{
    const size_t count = strlen(text) + 1;
    char *copy = prvcut_dictionary_room(d, count, err);

    return copy ? memcpy(copy, text, count) : NULL;
}

const struct prvcut_type_name *prvcut_dictionary_type(const struct prvcut_dictionary *d,
                                                      uint32_t number)
{
    return prvcut_find_u32(d->type, d->types, sizeof *d->type,
                           offsetof(struct prvcut_type_name, number), number);
}

static int dict_by_value(const void *key, const void *value)
{
    const int64_t a = *(const int64_t *)key;
    const int64_t b = ((const struct prvcut_value_name *)value)->value;

    return (a > b) - (a < b);
}

const struct prvcut_value_name *prvcut_type_value(const struct prvcut_type_name *t, int64_t value)
{
    return prvcut_find_by(&value, t->value, t->values, sizeof *t->value, dict_by_value);
}

const struct prvcut_state_name *prvcut_dictionary_state(const struct prvcut_dictionary *d,
                                                        uint32_t number)
{
    return prvcut_find_u32(d->state, d->states, sizeof *d->state,
                           offsetof(struct prvcut_state_name, number), number);
}

void prvcut_dictionary_fini(struct prvcut_dictionary *d)
{
    struct block *b = d->arena;

    while (b) {
        struct block *next = b->next;

        free(b);
        b = next;
    }
    memset(d, 0, sizeof *d);
}
