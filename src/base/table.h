#ifndef PRVCUT_BASE_TABLE_H
#define PRVCUT_BASE_TABLE_H

#include "base/error.h"

#include <stdint.h>

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
 */
struct prvcut_table {
    void *at; /**< [count] items; moves when one is made */
    size_t count;
    size_t room;      /**< items allocated */
    size_t item, key; /**< bytes of an item, and of the key that it begins with */
    const char *what; /**< what the items are called where there is no memory for them */
    uint32_t *slot;   /**< [slots] place of an item and 1; 0: empty */
    size_t slots;     /**< 0 or a power of two, at least twice the count */
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

/**
 * The item with this key; where there is none it is made, last, zero behind its key.
 *
 * returns valid until another one is made or dropped
 * errors  NULL: PRVCUT_ENOMEM, or PRVCUT_ELIMIT above 2^32 - 2 items; the table is then unchanged
 */
void *prvcut_table_make(struct prvcut_table *t, const void *key, struct prvcut_error *err);

/** Drop the item with this key, if there is one: the last item takes its place. */
bool prvcut_table_drop(struct prvcut_table *t, const void *key);

/** Forget all items, keep the memory. */
void prvcut_table_clear(struct prvcut_table *t);

/** Release the items; t is empty and may be used again. */
void prvcut_table_fini(struct prvcut_table *t);

#endif
