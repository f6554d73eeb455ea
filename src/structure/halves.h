#ifndef PRVCUT_STRUCTURE_HALVES_H
#define PRVCUT_STRUCTURE_HALVES_H

#include "structure/search.h"

/**
 * Do threads that follow the loop make one call exactly twice in the run, behind each half of the
 * iterations? That may be two iterations of a loop around, of which nothing more is known: the
 * loop is one inside it, and s->confidence no more than that of one.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_search_halves(struct prvcut_search *s,
                                        const struct prvcut_search_input *in,
                                        struct prvcut_error *err);

#endif
