#ifndef PRVCUT_STRUCTURE_ROUNDS_H
#define PRVCUT_STRUCTURE_ROUNDS_H

#include "structure/search.h"

/**
 * Does the loop that was found by calls hold a varying number of rounds of a believed one inside,
 * and little else? To s->rounds, and to s->confidence: an event that comes at any distances into
 * the iterations of that one looks the same.
 */
void prvcut_search_rounds(struct prvcut_search *s);

#endif
