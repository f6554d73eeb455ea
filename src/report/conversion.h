#ifndef PRVCUT_REPORT_CONVERSION_H
#define PRVCUT_REPORT_CONVERSION_H

#include "prvcut/convert.h"

/** Keys for enum prvcut_carry in JSON. */
extern const char *const report_carry[PRVCUT_CARRIES];

#endif
