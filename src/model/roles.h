#ifndef PRVCUT_MODEL_ROLES_H
#define PRVCUT_MODEL_ROLES_H

#include "model/batch.h"

/**
 * "region", "caller-line"...: the role's word, as reports and archives have it; "other" where the
 * role is none.
 */
const char *prvcut_role_text(unsigned role);

/** The role of a word; false where no role has it. */
bool prvcut_role_of_text(const char *text, enum prvcut_role *out);

#endif
