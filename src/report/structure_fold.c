#include "report/structure.h"

#include <stdio.h>
#include <string.h>

/* Medians that differ by this factor are other paces, where the first is of so many iterations. */
#define PACE       1.25
#define PACE_LEAST 3

static bool fld_is(const struct made_region *r, enum prvcut_region_kind kind)
{
    return r->is.kind == kind;
}

bool report_fold_none(const struct made_structure *s, size_t parent, size_t most)
{
    size_t pieces = 0;

    for (size_t i = 0; i < s->is.regions; i++)
        pieces += s->region[i].is.parent == parent;
    return s->is.singly || pieces <= most;
}

static void fld_start(struct report_fold *f, const struct made_region *r, size_t i)
{
    *f = (struct report_fold){ .first = i,
                               .last = i,
                               .regions = 1,
                               .span = r->is.span,
                               .iterations = r->is.iterations,
                               .all = r->is.iterations };
    f->period_ns = r->is.period_ns;
}

/* r follows the first one, with masks between them. */
static void fld_grow(struct report_fold *f, const struct made_region *first,
                     const struct made_region *r, size_t i, size_t masks)
{
    f->masked += r->is.span.start - f->span.end;
    f->last = i;
    f->regions++;
    f->masks = masks;
    f->span.end = r->is.span.end;
    f->iterations += r->is.iterations;
    f->all = r->is.first > 0 ? (double)(r->is.first - first->is.first) + r->is.iterations
                             : f->iterations;
    if (f->all > 0)
        f->period_ns = (double)(f->span.end - f->span.start) / f->all;
}

/* Pieces of one loop of which the one is clearly faster are rows of their own; a: the first. */
static bool fld_paces_differ(const struct made_region *a, const struct made_region *b)
{
    const double ratio = b->is.median_ns > 0 ? a->is.median_ns / b->is.median_ns : 0;

    return a->is.iterations >= PACE_LEAST && ratio > 0 && (ratio > PACE || ratio < 1 / PACE);
}

bool report_fold_next(const struct made_structure *s, size_t parent, bool single, size_t *at,
                      struct report_fold *out)
{
    size_t i = *at, masks = 0;

    while (i < s->is.regions && s->region[i].is.parent != parent)
        i++;
    if (i == s->is.regions)
        return false;
    fld_start(out, &s->region[i], i);
    *at = i + 1;
    if (single || fld_is(&s->region[i], PRVCUT_REGION_MASKED))
        return true;
    while (++i < s->is.regions) {
        const struct made_region *r = &s->region[i];

        if (r->is.parent != parent)
            continue;
        if (fld_is(r, PRVCUT_REGION_MASKED)) {
            masks++;
            continue;
        }
        if (r->is.kind != s->region[out->first].is.kind ||
            r->is.loop != s->region[out->first].is.loop ||
            fld_paces_differ(r, &s->region[out->first]))
            break;
        fld_grow(out, &s->region[out->first], r, i, masks);
        *at = i + 1;
    }
    return true;
}

const char *report_region_kind(const struct made_region *r)
{
    static const char *const kinds[] = { [PRVCUT_REGION_INITIALISATION] = "start",
                                         [PRVCUT_REGION_PERIODIC] = "periodic",
                                         [PRVCUT_REGION_APERIODIC] = "no loop",
                                         [PRVCUT_REGION_MASKED] = "disturbed",
                                         [PRVCUT_REGION_END] = "end" };

    return kinds[r->is.kind];
}

const char *report_cause(enum prvcut_cause cause)
{
    static const char *const causes[] = { [PRVCUT_CAUSE_NONE] = "",
                                          [PRVCUT_CAUSE_FLUSHING] = "trace flushes",
                                          [PRVCUT_CAUSE_PREEMPTION] = "preemption",
                                          [PRVCUT_CAUSE_CLOGGED] = "slow messages" };

    return causes[cause];
}

char *report_loop_letter(char out[16], unsigned loop)
{
    if (loop >= 1 && loop <= 26)
        snprintf(out, 16, "%c", 'A' + (char)(loop - 1));
    else
        snprintf(out, 16, "%u", loop);
    return out;
}

void report_fold_name(const struct made_structure *s, const struct report_fold *f, char out[40])
{
    const struct made_region *a = &s->region[f->first], *z = &s->region[f->last];

    if (a->is.loop == 0)
        snprintf(out, 40, "%s", report_region_kind(a));
    else if (f->first == f->last)
        snprintf(out, 40, "%u.%u", a->is.level, a->is.number);
    else
        snprintf(out, 40, "%u.%u-%u.%u", a->is.level, a->is.number, z->is.level, z->is.number);
}
