#ifndef PRVCUT_REPORT_CLOCKS_H
#define PRVCUT_REPORT_CLOCKS_H

#include "prvcut/waits.h"
#include "report/json.h"
#include "report/lines.h"

/** What the clocks are worth, for a person: nothing where they keep the order of time, or nobody
    looked (no source).
    before: what stands before it, as "A: "; messages: that there are, 0: not known;
    waits: something is told that depends on it */
void report_put_clocks(struct report_lines *l, const char *before,
                       const struct prvcut_waits_clock *c, uint64_t messages, bool waits);

/** The same as an object, null where nobody looked; compared: else violations are null. */
json_t *report_clocks_json(const struct prvcut_waits_clock *c, bool compared);

#endif
