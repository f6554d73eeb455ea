#ifndef PRVCUT_STRUCTURE_DIVIDE_GROUPS_H
#define PRVCUT_STRUCTURE_DIVIDE_GROUPS_H

#include "structure/divide.h"

/**
 * prvcut_divide, of a run whose threads may repeat loops of their own, group by group, with nothing
 * that ties them (first->groups). Then the pieces that cover the run are those of the first loop's
 * followers; the periodic ones of each further group come after them, is.group 1, 2 and so on.
 * Masks are those of the run in all of them. At most 8 further groups are looked for.
 *
 * shape   as prvcut_divide
 * owns    as prvcut_divide
 * errors  as prvcut_divide
 */
enum prvcut_status prvcut_divide_groups(struct prvcut_division *out,
                                        struct prvcut_known_loops *known,
                                        const struct prvcut_divide_input *in,
                                        struct prvcut_search *first, const struct prvcut_run *run,
                                        struct prvcut_error *err);

#endif
