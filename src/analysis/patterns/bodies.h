#ifndef PRVCUT_ANALYSIS_PATTERNS_BODIES_H
#define PRVCUT_ANALYSIS_PATTERNS_BODIES_H

#include "base/table.h"

/**
 * What a nest is made of. An element is a symbol, or a loop: so often a body, which is a row of
 * elements. Equal bodies are one, so two elements are equal where their numbers are.
 */

/** A symbol as an element. */
static inline uint64_t pat_leaf(uint32_t symbol)
{
    return (uint64_t)symbol << 32;
}

/** A loop; count > 0. */
static inline uint64_t pat_loop(uint32_t body, uint32_t count)
{
    return (uint64_t)body << 32 | count;
}

static inline bool pat_is_loop(uint64_t element)
{
    return (uint32_t)element != 0;
}

static inline uint32_t pat_count(uint64_t element)
{
    return (uint32_t)element;
}

/** Its body, or the symbol. */
static inline uint32_t pat_inner(uint64_t element)
{
    return (uint32_t)(element >> 32);
}

struct pat_body {
    uint64_t hash;  /**< pat_row_hash of its elements */
    uint64_t calls; /**< symbols, written out */
    size_t first;   /**< its elements: pat_bodies.element[first .. first + length) */
    uint32_t length;
    uint32_t next; /**< another one of that hash and length, + 1; 0: none */
};

/** All bodies of one thread's nests. */
struct pat_bodies {
    struct pat_body *body; /**< [count] */
    size_t count, room;
    uint64_t *element; /**< [elements] */
    size_t elements, element_room;
    struct prvcut_table found; /**< by hash and length */
};

void pat_bodies_init(struct pat_bodies *b);
/** Forget all, keep the memory. */
void pat_bodies_clear(struct pat_bodies *b);
void pat_bodies_fini(struct pat_bodies *b);

/** One number of two. */
static inline uint64_t pat_mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) ^ (b + UINT64_C(0x632be59bd9b4e019));

    x ^= x >> 31;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 32;
}

/** What a row of elements is multiplied with at each further one; odd. */
#define PAT_ROW_BASE UINT64_C(0x9e3779b97f4a7c15)

/** The hash of a row and one more element. */
static inline uint64_t pat_row_hash(uint64_t row, uint64_t element)
{
    return row * PAT_ROW_BASE + pat_mix(element, 0);
}

/**
 * The body with these elements; made where there is none.
 *
 * owns    row is borrowed, and may be part of b->element
 * errors  PRVCUT_ENOMEM, PRVCUT_ELIMIT
 */
enum prvcut_status pat_bodies_make(struct pat_bodies *b, const uint64_t *row, size_t length,
                                   uint32_t *out, struct prvcut_error *err);

static inline const uint64_t *pat_body_row(const struct pat_bodies *b, uint32_t body)
{
    return b->element + b->body[body].first;
}

/** Symbols of an element, written out. */
static inline uint64_t pat_calls(const struct pat_bodies *b, uint64_t element)
{
    return pat_is_loop(element) ? pat_count(element) * b->body[pat_inner(element)].calls : 1;
}

#endif
