#ifndef PRVCUT_REPORT_PROOF_H
#define PRVCUT_REPORT_PROOF_H

#include "model/made.h"
#include "report/lines.h"

#include <jansson.h>

/** The verdict in one line, and the worst rows as a table; nothing where no proof was made. */
void report_put_proof(struct report_lines *l, const struct made_reduction *r,
                      const struct made_chop *c);

/** "the 6 of region 1.2, of 50 in all": what a chop is compared with; returns out. */
char *report_compared(char out[96], const struct made_reduction *r, const struct made_chop *c);

/** "ordinary; worst MPI_Wait, +3.1 %"; for a list of chops. */
void report_put_verdict(struct report_lines *l, const struct made_reduction *r,
                        const struct made_chop *c);

/** As an object; null where no proof was made; NULL without memory. */
json_t *report_json_proof(const struct made_proof *p);

#endif
