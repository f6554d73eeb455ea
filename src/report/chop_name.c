#include "report/chop.h"

#include "structure/stretch.h"

#include <stdio.h>

bool report_chop_is_outlier(const struct made_chop *c)
{
    return c->is.kind == PRVCUT_CHOP_OUTLIER;
}

/* From 1; those of a region, or of all its loop, follow its typical iterations. */
static unsigned chn_outlier_number(const struct made_reduction *r, size_t chop)
{
    unsigned number = 0;

    for (size_t i = chop + 1; i > 0 && report_chop_is_outlier(&r->chop[i - 1]); i--)
        number++;
    return number;
}

char *report_chop_name(char out[64], const struct made_reduction *r, size_t chop)
{
    const struct made_chop *c = &r->chop[chop];

    if (report_chop_is_outlier(c))
        snprintf(out, 64, "%u.%u.outlier%u", c->is.level, c->is.number,
                 chn_outlier_number(r, chop));
    else if (c->is.of_kind > 0)
        snprintf(out, 64, "%u.%u.kind%u", c->is.level, c->is.number, c->is.of_kind);
    else
        snprintf(out, 64, "%u.%u", c->is.level, c->is.number);
    return out;
}

bool report_chop_of_loop(const struct made_reduction *r, const struct made_chop *c)
{
    const struct made_region *p = &r->structure.region[c->is.region];

    return c->is.of_loop || prvcut_region_is_all(p, c->is.iterations) ||
           prvcut_region_is_whole_loop(p);
}

const char *report_chop_stands_for(const struct made_reduction *r, const struct made_chop *c)
{
    if (c->is.of_kind > 0)
        return "kind";
    return report_chop_of_loop(r, c) ? "loop" : "region";
}

bool report_wants_straight(const struct made_reduction *r, const struct made_chop *c)
{
    return c->is.align == PRVCUT_ALIGN_CALLS && r->is.tasks > 1 && r->is.numbered;
}
