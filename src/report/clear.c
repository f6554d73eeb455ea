#include "report/clear.h"

#include "report/loop.h"
#include "structure/stretch.h"

#include <math.h>

/* Means that are further apart differ. */
#define DIFFERS 0.03

struct report_clear report_clear_of(const struct made_reduction *r)
{
    const struct report_loop loop = report_loop_main(r);
    const double masked = (double)loop.disturbed;
    struct report_clear c = { 0 };
    double sum = 0;

    for (size_t i = 0; r->is.periodic && i < r->structure.is.regions; i++) {
        const struct made_region *p = &r->structure.region[i];

        if (!loop.region || !prvcut_regions_share_loop(p, loop.region))
            continue;
        c.regions++;
        c.iterations += p->is.iterations;
        sum += p->is.iterations * p->is.period_ns;
    }
    if (c.iterations > 0)
        c.period_ns = sum / c.iterations;
    c.all = fabs(c.iterations + masked - loop.iterations) < 0.5;
    c.differs = masked > 0 && c.period_ns > 0 && loop.period_ns > 0 &&
                fabs(c.period_ns / loop.period_ns - 1) > DIFFERS;
    return c;
}
