#include "analysis/patterns/bodies.h"

#include "base/buffer.h"

#include <stdlib.h>

/* Bodies of one hash and length. */
struct bod_found {
    uint64_t hash, length;
    uint32_t first; /* + 1 */
};

void pat_bodies_init(struct pat_bodies *b)
{
    *b = (struct pat_bodies){ .found = PRVCUT_TABLE(struct bod_found, first, "patterns") };
}

void pat_bodies_clear(struct pat_bodies *b)
{
    b->count = b->elements = 0;
    prvcut_table_clear(&b->found);
}

void pat_bodies_fini(struct pat_bodies *b)
{
    free(b->body);
    free(b->element);
    prvcut_table_fini(&b->found);
    pat_bodies_init(b);
}

static enum prvcut_status bod_add(struct pat_bodies *b, const uint64_t *row, size_t length,
                                  uint64_t hash, struct prvcut_error *err)
{
    const bool own = row >= b->element && row < b->element + b->elements;
    const size_t at = own ? (size_t)(row - b->element) : 0;
    struct pat_body *body;

    if (prvcut_grow((void **)&b->body, &b->room, b->count + 1, sizeof *b->body, err) < 0 ||
        prvcut_grow((void **)&b->element, &b->element_room, b->elements + length,
                    sizeof *b->element, err) < 0)
        return PRVCUT_ENOMEM;
    memcpy(b->element + b->elements, own ? b->element + at : row, length * sizeof *row);
    body = &b->body[b->count++];
    *body = (struct pat_body){ .hash = hash, .first = b->elements, .length = (uint32_t)length };
    for (size_t i = 0; i < length; i++)
        body->calls += pat_calls(b, b->element[b->elements + i]);
    b->elements += length;
    return PRVCUT_OK;
}

enum prvcut_status pat_bodies_make(struct pat_bodies *b, const uint64_t *row, size_t length,
                                   uint32_t *out, struct prvcut_error *err)
{
    struct bod_found key = { .length = length }, *found;
    enum prvcut_status st;

    for (size_t i = 0; i < length; i++)
        key.hash = pat_row_hash(key.hash, row[i]);
    found = prvcut_table_make(&b->found, &key, err);
    if (!found)
        return PRVCUT_ENOMEM;
    for (uint32_t at = found->first; at > 0; at = b->body[at - 1].next)
        if (memcmp(pat_body_row(b, at - 1), row, length * sizeof *row) == 0) {
            *out = at - 1;
            return PRVCUT_OK;
        }
    if (b->count >= UINT32_MAX - 1 || length > UINT32_MAX)
        return prvcut_fail(err, PRVCUT_ELIMIT, "a thread has too many patterns");
    st = bod_add(b, row, length, key.hash, err);
    if (st < 0)
        return st;
    b->body[b->count - 1].next = found->first;
    found->first = (uint32_t)b->count;
    *out = found->first - 1;
    return PRVCUT_OK;
}
