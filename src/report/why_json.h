#ifndef PRVCUT_REPORT_WHY_JSON_H
#define PRVCUT_REPORT_WHY_JSON_H

#include "model/made.h"
#include "report/json.h"

/** An array of the causes of a slow iteration. */
json_t *report_causes_json(const struct made_reduction *r, const struct prvcut_slow_cause *cause,
                           size_t causes);

#endif
