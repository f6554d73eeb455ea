#ifndef PRVCUT_STRUCTURE_DIVIDE_PIECES_H
#define PRVCUT_STRUCTURE_DIVIDE_PIECES_H

#include "structure/divide.h"

/** A known loop's time. */
struct divide_spell {
    struct prvcut_span span;
    size_t loop;
};

/** In order of time. */
struct divide_spells {
    struct divide_spell *at; /**< [count]; owned */
    size_t count, room;
};

enum prvcut_status prvcut_divide_spell(struct divide_spells *s, size_t loop,
                                       struct prvcut_span span, struct prvcut_error *err);

/** Cover the stretch with regions: the spells between masks, and what is left. */
enum prvcut_status prvcut_divide_pieces(struct prvcut_division *out,
                                        const struct prvcut_known_loops *known,
                                        const struct prvcut_divide_input *in,
                                        const struct divide_spells *spells,
                                        struct prvcut_error *err);

/** Keep the borders of a spell, laid one by one; *border is taken over, and NULL then. */
enum prvcut_status prvcut_divide_keep(struct prvcut_division *d, unsigned loop, unsigned level,
                                      uint64_t **border, size_t borders, struct prvcut_error *err);

/**
 * Number the iterations of the last spell, which holds so many, on from those of the same loop's
 * spells before it.
 *
 * shape   first, stretch: how many regions and stretches there were before the spell
 */
void prvcut_divide_number(struct prvcut_division *d, unsigned loop, size_t first, size_t stretch,
                          uint64_t iterations);

#endif
