#ifndef PRVCUT_MODEL_ROLES_H
#define PRVCUT_MODEL_ROLES_H

#include "model/batch.h"

/** The role of a word; false where no role has it. */
bool prvcut_role_of_text(const char *text, enum prvcut_role *out);

/** Does a value of it hold until a 0: a call, a function, a flush? */
bool prvcut_role_is_region(uint32_t role);
/** Can one of a type be inside another? An MPI call or a flush cannot: where one begins, the end of
    the one before was lost, and those without an end do not pile up. */
bool prvcut_role_nests(uint32_t role);
/** Is it a hardware counter, whose values are differences? */
bool prvcut_role_is_counter(uint32_t role);

#endif
