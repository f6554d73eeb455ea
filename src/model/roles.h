#ifndef PRVCUT_MODEL_ROLES_H
#define PRVCUT_MODEL_ROLES_H

#include "model/batch.h"

/** Hardware counters that metrics are made of, and all of them, whose values are differences. */
#define PRVCUT_ROLES_METERED                                                                       \
    (PRVCUT_ROLE_BIT(PRVCUT_ROLE_INSTRUCTIONS) | PRVCUT_ROLE_BIT(PRVCUT_ROLE_CYCLES) |             \
     PRVCUT_ROLE_BIT(PRVCUT_ROLE_FLOPS))
#define PRVCUT_ROLES_COUNTED (PRVCUT_ROLES_METERED | PRVCUT_ROLE_BIT(PRVCUT_ROLE_COUNTER))

/** What tells of a collective: without it that is a call like any other. */
#define PRVCUT_ROLES_OF_COLLECTIVE                                                                 \
    (PRVCUT_ROLE_BIT(PRVCUT_ROLE_SIZE) | PRVCUT_ROLE_BIT(PRVCUT_ROLE_ROOT) |                       \
     PRVCUT_ROLE_BIT(PRVCUT_ROLE_COMMUNICATOR))

/** Who called, as a function and as a line. */
#define PRVCUT_ROLES_CALLERS                                                                       \
    (PRVCUT_ROLE_BIT(PRVCUT_ROLE_CALLER) | PRVCUT_ROLE_BIT(PRVCUT_ROLE_CALLER_LINE))

/** The role of a word; false where no role has it. */
bool prvcut_role_of_text(const char *text, enum prvcut_role *out);

/** Does a value of it hold until a 0: a call, a function, a flush? */
bool prvcut_role_is_region(uint32_t role);
/** Can one of a type be inside another? An MPI call or a flush cannot: where one begins, the end of
    the one before was lost, and those without an end do not pile up. */
bool prvcut_role_nests(uint32_t role);
/** Is it a hardware counter, whose values are differences? */
bool prvcut_role_is_counter(uint32_t role);
/** Is it one of PRVCUT_ROLES_CALLERS? */
bool prvcut_role_is_caller(uint32_t role);
/** Is it one of PRVCUT_ROLES_OF_COLLECTIVE? */
bool prvcut_role_tells_collective(uint32_t role);

#endif
