#ifndef PRVCUT_BASE_TABLE_H
#define PRVCUT_BASE_TABLE_H

#include "base/error.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

/**
 * Items found by their key: the only hash table. The items lie in one array in the order in which
 * they were made, so that going through them gives the same order in every run and for any hash.
 *
 *     struct row {
 *         uint64_t thread, type; (the key: bytes without padding, up to `sum`)
 *         uint64_t sum;
 *     };
 *     struct prvcut_table rows = PRVCUT_TABLE(struct row, sum, "rows");
 *     struct row *r = prvcut_table_make(&rows, &(struct row){ .thread = 1, .type = 2 }, err);
 *
 * A zeroed table is empty, too, but nothing can be made in it.
 */
struct prvcut_table {
    void *at; /**< [count] items; moves when one is made */
    size_t count;
    size_t room;      /**< items allocated */
    size_t item, key; /**< bytes of an item, and of the key that it begins with */
    const char *what; /**< what the items are called where there is no memory for them */
    uint32_t *slot;   /**< [slots] place of an item and 1; 0: empty */
    size_t slots;     /**< 0 or a power of two, at least twice the count */
    unsigned shift;   /**< slots are 2^(64 - shift) */
};

/** An empty table of items of a type whose key is all that stands before its member `next`. */
#define PRVCUT_TABLE(type, next, name)                                                             \
    {                                                                                              \
        .item = sizeof(type), .key = offsetof(type, next), .what = (name)                          \
    }

/** The same where the whole item is its key: a set. */
#define PRVCUT_TABLE_SET(type, name)                                                               \
    {                                                                                              \
        .item = sizeof(type), .key = sizeof(type), .what = (name)                                  \
    }

/** The item with this key, NULL where there is none; valid until an item is made or dropped. */
void *prvcut_table_find(const struct prvcut_table *t, const void *key);

/** A place of 2^bits, 1 to 63, for a number: where the latest of many are kept at hand, say. */
static inline size_t prvcut_table_place(uint64_t number, unsigned bits)
{
    return (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

/* The slot where the search for a key begins: eight bytes at a time, as keys are made of. */
static inline size_t prvcut_table_home(const struct prvcut_table *t, const void *key, size_t bytes)
{
    const unsigned char *at = key;
    uint64_t h = 0, word = 0;

    for (; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word) {
        memcpy(&word, at, sizeof word);
        h = ((h ^ h >> 32) ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    }
    if (bytes > 0) {
        word = 0;
        memcpy(&word, at, bytes);
        h = ((h ^ h >> 32) ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return (size_t)(h >> t->shift);
}

/* As memcmp() == 0, without a call for a few words that are mostly the same. */
static inline bool prvcut_table_same(const void *a, const void *b, size_t bytes)
{
    const unsigned char *x = a, *y = b;
    uint64_t one, other;

    for (; bytes >= sizeof one; x += sizeof one, y += sizeof one, bytes -= sizeof one) {
        memcpy(&one, x, sizeof one);
        memcpy(&other, y, sizeof other);
        if (one != other)
            return false;
    }
    return bytes == 0 || memcmp(x, y, bytes) == 0;
}

/* The slot of the item with this key, or the one where it would be put. */
static inline size_t prvcut_table_slot(const struct prvcut_table *t, const void *key, size_t bytes,
                                       size_t item)
{
    size_t i = prvcut_table_home(t, key, bytes);

    while (t->slot[i] > 0 &&
           !prvcut_table_same((const char *)t->at + (t->slot[i] - (size_t)1) * item, key, bytes))
        i = (i + 1) & (t->slots - 1);
    return i;
}

/**
 * As prvcut_table_find, for what is looked up once per record: the compiler knows the size of the
 * key and of an item.
 */
static inline void *prvcut_table_look(const struct prvcut_table *t, const void *key, size_t bytes,
                                      size_t item)
{
    const uint32_t place = t->count > 0 ? t->slot[prvcut_table_slot(t, key, bytes, item)] : 0;

    assert(t->count == 0 || (bytes == t->key && item == t->item));
    return place > 0 ? (char *)t->at + (place - (size_t)1) * item : NULL;
}

/**
 * The item with this key; where there is none it is made, last, zero behind its key.
 *
 * returns valid until another one is made or dropped
 * errors  NULL: PRVCUT_ENOMEM, or PRVCUT_ELIMIT above 2^32 - 2 items; the table is then unchanged
 */
void *prvcut_table_make(struct prvcut_table *t, const void *key, struct prvcut_error *err);

/** Drop the item with this key, if there is one: the last item takes its place. */
bool prvcut_table_drop(struct prvcut_table *t, const void *key);

/** Move the items out, to be sorted, say: [*count], the caller's to free(); t is then empty. */
void *prvcut_table_take(struct prvcut_table *t, size_t *count);

/** As many items, the same; to: released or zeroed; empty, and of use, after PRVCUT_ENOMEM. */
enum prvcut_status prvcut_table_copy(struct prvcut_table *to, const struct prvcut_table *from,
                                     struct prvcut_error *err);

/** Forget all items, keep the memory. */
void prvcut_table_clear(struct prvcut_table *t);

/** Release the items; t is empty and may be used again. */
void prvcut_table_fini(struct prvcut_table *t);

#endif
