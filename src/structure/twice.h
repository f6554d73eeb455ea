#ifndef PRVCUT_STRUCTURE_TWICE_H
#define PRVCUT_STRUCTURE_TWICE_H

#include "structure/search.h"

/**
 * Does the run go exactly twice through something around the loop of calls that was found? Then
 * those two iterations are the loop: s->calls and s->loop, and s->confidence no more than that of a
 * loop of two. On each thread the loop's calls make two long runs, and what comes between them is
 * what comes before the first and behind the second, call by call.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_search_twice(struct prvcut_search *s,
                                       const struct prvcut_search_input *in,
                                       struct prvcut_error *err);

#endif
