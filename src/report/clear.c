#include "report/clear.h"

#include <math.h>

/* Means that are further apart differ. */
#define DIFFERS 0.03

/* Of the loop that was found over all of the run. */
static bool clr_is_main(const struct prvcut_reduction *r, const struct prvcut_region *p)
{
    return p->level <= 1 && p->loop > 0 && p->span.end > r->phase.start &&
           p->span.start < r->phase.end;
}

struct report_clear report_clear_of(const struct prvcut_reduction *r)
{
    const double masked = (double)r->structure.iterations_masked;
    struct report_clear c = { 0 };
    double sum = 0;

    for (size_t i = 0; r->periodic && i < r->structure.regions; i++) {
        const struct prvcut_region *p = &r->structure.region[i];

        if (!clr_is_main(r, p))
            continue;
        c.regions++;
        c.iterations += p->iterations;
        sum += p->iterations * p->period_ns;
    }
    if (c.iterations > 0)
        c.period_ns = sum / c.iterations;
    c.all = fabs(c.iterations + masked - r->iterations) < 0.5;
    c.differs = masked > 0 && c.period_ns > 0 && r->period_ns > 0 &&
                fabs(c.period_ns / r->period_ns - 1) > DIFFERS;
    return c;
}
