#ifndef PRVCUT_BASE_SEARCH_H
#define PRVCUT_BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * Searching what is in order: the only bisection. All is inline, so that the question that a caller
 * asks of each item is compiled into the loop.
 */

/**
 * The first of low .. high - 1 of which `is` says true, high where there is none. Up to some place
 * `is` must be false, from there on true; it is asked about log2(high - low) times.
 */
static inline size_t prvcut_first(size_t low, size_t high, bool (*is)(const void *ctx, size_t i),
                                  const void *ctx)
{
    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (is(ctx, middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/**
 * Of items in no order the last one whose key, a uint32_t at `offset` of each, is value: the
 * innermost of what is open. count where there is none.
 */
static inline size_t prvcut_last_u32(const void *at, size_t count, size_t stride, size_t offset,
                                     uint32_t value)
{
    for (size_t i = count; i-- > 0;) {
        uint32_t key;

        memcpy(&key, (const char *)at + i * stride + offset, sizeof key);
        if (key == value)
            return i;
    }
    return count;
}

/** An array whose items, `stride` bytes each and in ascending order, hold their key at `offset`. */
struct prvcut_ordered_keys {
    const char *at;
    size_t offset, stride;
    uint64_t value; /**< what is looked for */
};

static inline bool prvcut_key_u64_not_below(const void *ctx, size_t i)
{
    const struct prvcut_ordered_keys *k = ctx;
    uint64_t key;

    memcpy(&key, k->at + i * k->stride + k->offset, sizeof key);
    return key >= k->value;
}

static inline bool prvcut_key_u32_not_below(const void *ctx, size_t i)
{
    const struct prvcut_ordered_keys *k = ctx;
    uint32_t key;

    memcpy(&key, k->at + i * k->stride + k->offset, sizeof key);
    return key >= k->value;
}

/**
 * The first of `count` items whose key, a uint64_t at `offset` of each, is not below value; count
 * where all are. The first that is above a value is the first not below value + 1, where that fits.
 */
static inline size_t prvcut_lower_u64(const void *at, size_t count, size_t stride, size_t offset,
                                      uint64_t value)
{
    const struct prvcut_ordered_keys keys = { at, offset, stride, value };

    return prvcut_first(0, count, prvcut_key_u64_not_below, &keys);
}

/** As prvcut_lower_u64, of keys that are a uint32_t; value may be greater than any of them. */
static inline size_t prvcut_lower_u32(const void *at, size_t count, size_t stride, size_t offset,
                                      uint64_t value)
{
    const struct prvcut_ordered_keys keys = { at, offset, stride, value };

    return prvcut_first(0, count, prvcut_key_u32_not_below, &keys);
}

/** Index of the item whose key is value, count where there is none; accepts no items at NULL. */
static inline size_t prvcut_index_u64(const void *at, size_t count, size_t stride, size_t offset,
                                      uint64_t value)
{
    const size_t i = prvcut_lower_u64(at, count, stride, offset, value);
    uint64_t key = 0;

    if (i < count)
        memcpy(&key, (const char *)at + i * stride + offset, sizeof key);
    return i < count && key == value ? i : count;
}

static inline size_t prvcut_index_u32(const void *at, size_t count, size_t stride, size_t offset,
                                      uint64_t value)
{
    const size_t i = prvcut_lower_u32(at, count, stride, offset, value);
    uint32_t key = 0;

    if (i < count)
        memcpy(&key, (const char *)at + i * stride + offset, sizeof key);
    return i < count && key == value ? i : count;
}

/** The item whose key is value, NULL where there is none; accepts no items at NULL. */
static inline const void *prvcut_find_u64(const void *at, size_t count, size_t stride,
                                          size_t offset, uint64_t value)
{
    const size_t i = prvcut_index_u64(at, count, stride, offset, value);

    return i < count ? (const char *)at + i * stride : NULL;
}

static inline const void *prvcut_find_u32(const void *at, size_t count, size_t stride,
                                          size_t offset, uint64_t value)
{
    const size_t i = prvcut_index_u32(at, count, stride, offset, value);

    return i < count ? (const char *)at + i * stride : NULL;
}

/** An array in the order of compare, which is asked as for bsearch: the key first. */
struct prvcut_ordered_items {
    const char *at;
    size_t stride;
    const void *key;
    int (*compare)(const void *key, const void *item);
};

static inline bool prvcut_item_not_below(const void *ctx, size_t i)
{
    const struct prvcut_ordered_items *o = ctx;

    return o->compare(o->key, o->at + i * o->stride) <= 0;
}

/** Index of the first item that is equal to the key, count where there is none. */
static inline size_t prvcut_index_by(const void *key, const void *at, size_t count, size_t stride,
                                     int (*compare)(const void *key, const void *item))
{
    const struct prvcut_ordered_items items = { at, stride, key, compare };
    const size_t i = prvcut_first(0, count, prvcut_item_not_below, &items);

    return i < count && compare(key, items.at + i * stride) == 0 ? i : count;
}

/** The first item that is equal to the key, NULL where there is none; accepts no items at NULL. */
static inline const void *prvcut_find_by(const void *key, const void *at, size_t count,
                                         size_t stride,
                                         int (*compare)(const void *key, const void *item))
{
    const size_t i = prvcut_index_by(key, at, count, stride, compare);

    return i < count ? (const char *)at + i * stride : NULL;
}

#endif
