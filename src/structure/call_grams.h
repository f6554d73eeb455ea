#ifndef PRVCUT_STRUCTURE_CALL_GRAMS_H
#define PRVCUT_STRUCTURE_CALL_GRAMS_H

#include "base/table.h"
#include "signal/calls.h"

/** What of a call makes its symbol, beside which call it is. */
struct call_alphabet {
    bool peer, size, site;
};

#define CALL_ALPHABETS 6

/** From the finest to the coarsest. */
extern const struct call_alphabet prvcut_call_alphabets[CALL_ALPHABETS];

/** How grams are cut out of a sequence. */
struct call_cut {
    const struct call_alphabet *alphabet;
    size_t length; /**< symbols in a gram, >= 1 */
    /**
     * Leave out immediate repeats of up to so many symbols (2: ABABAB -> AB), so that polling and
     * tiny inner loops of varying length do not break the grams around them.
     */
    size_t fold;
};

/**
 * The runs of `length` symbols of one sequence, each with the number of its kind: equal numbers,
 * equal runs. Zeroed is empty and valid; the room is used again by the next make.
 */
struct call_grams {
    size_t count, kinds;
    uint32_t *kind;  /**< [count] */
    uint32_t *place; /**< [count]: index of the gram's first call in the sequence */
    uint32_t *first; /**< [kinds + 1]: where a kind's occurrences start in `list` */
    uint32_t *list;  /**< [count]: the grams by kind, ascending within a kind */
    uint64_t *hash;  /**< [count]: work space; NULL where there are many grams */
    size_t room;     /**< of the arrays by count */
    size_t first_room;
    struct prvcut_table kind_of; /**< the hashes, in order of their kinds */
};

/** A call's symbol in an alphabet. */
uint64_t prvcut_call_symbol(const struct prvcut_call *c, const struct call_alphabet *a);

/** The symbol of a call that comes after another one. */
uint64_t prvcut_call_symbol_after(uint64_t symbol, uint64_t before);

/**
 * Cut the grams of a sequence.
 *
 * shape   at: count calls, count < 2^32; fewer than cut->length symbols leave no gram
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_call_grams_make(struct call_grams *g, const struct prvcut_call *at,
                                          size_t count, const struct call_cut *cut,
                                          struct prvcut_error *err);

/**
 * Number what pairs of numbers there are: gram i is the pair (symbol[i], symbol[i + 1]).
 *
 * shape   symbol: [count], count < 2^32; fewer than 2 leave no gram; place is not set
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_call_grams_pairs(struct call_grams *g, const uint32_t *symbol,
                                           size_t count, struct prvcut_error *err);

/**
 * One number for all kinds in their order: two alphabets with the same number for the single
 * symbols of a sequence tell the same calls apart, and cut the same runs out of it, of any length
 * and fold.
 */
uint64_t prvcut_call_grams_print(const struct call_grams *g);

void prvcut_call_grams_fini(struct call_grams *g);

#endif
