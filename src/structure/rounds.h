#ifndef PRVCUT_STRUCTURE_ROUNDS_H
#define PRVCUT_STRUCTURE_ROUNDS_H

#include "structure/search.h"

/**
 * Does the loop that was found by calls hold a varying number of rounds of a believed one inside,
 * and little else; or are its iterations as near and as far from each other as events are? To
 * s->rounds, and to s->confidence: an event that comes at any distances into the iterations of that
 * one looks the same.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_search_rounds(struct prvcut_search *s, struct prvcut_error *err);

/** Is a loop around another one: are there iterations of that in (nearly) all of its own, where
   both are followed? */
bool prvcut_rounds_around(const struct prvcut_call_loop *outer,
                          const struct prvcut_call_loop *inner);

#endif
