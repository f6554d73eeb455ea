#include "report/structure.h"

#include <stdio.h>
#include <string.h>

/* Medians that differ by this factor are other paces, where the first is of so many iterations. */
#define PACE       1.25
#define PACE_LEAST 3

static bool fld_is(const struct prvcut_region *r, const char *kind)
{
    return strcmp(r->kind, kind) == 0;
}

bool report_fold_none(const struct prvcut_structure *s, size_t parent, size_t most)
{
    size_t pieces = 0;

    for (size_t i = 0; i < s->regions; i++)
        pieces += s->region[i].parent == parent;
    return s->singly || pieces <= most;
}

static void fld_start(struct report_fold *f, const struct prvcut_region *r, size_t i)
{
    *f = (struct report_fold){ .first = i,
                               .last = i,
                               .regions = 1,
                               .span = r->span,
                               .iterations = r->iterations,
                               .all = r->iterations };
    f->period_ns = r->period_ns;
}

/* r follows the first one, with masks between them. */
static void fld_grow(struct report_fold *f, const struct prvcut_region *first,
                     const struct prvcut_region *r, size_t i, size_t masks)
{
    f->masked += r->span.start - f->span.end;
    f->last = i;
    f->regions++;
    f->masks = masks;
    f->span.end = r->span.end;
    f->iterations += r->iterations;
    f->all = r->first > 0 ? (double)(r->first - first->first) + r->iterations : f->iterations;
    if (f->all > 0)
        f->period_ns = (double)(f->span.end - f->span.start) / f->all;
}

/* Pieces of one loop of which the one is clearly faster are rows of their own; a: the first. */
static bool fld_paces_differ(const struct prvcut_region *a, const struct prvcut_region *b)
{
    const double ratio = b->median_ns > 0 ? a->median_ns / b->median_ns : 0;

    return a->iterations >= PACE_LEAST && ratio > 0 && (ratio > PACE || ratio < 1 / PACE);
}

bool report_fold_next(const struct prvcut_structure *s, size_t parent, bool single, size_t *at,
                      struct report_fold *out)
{
    size_t i = *at, masks = 0;

    while (i < s->regions && s->region[i].parent != parent)
        i++;
    if (i == s->regions)
        return false;
    fld_start(out, &s->region[i], i);
    *at = i + 1;
    if (single || fld_is(&s->region[i], "masked"))
        return true;
    while (++i < s->regions) {
        const struct prvcut_region *r = &s->region[i];

        if (r->parent != parent)
            continue;
        if (fld_is(r, "masked")) {
            masks++;
            continue;
        }
        if (strcmp(r->kind, s->region[out->first].kind) != 0 ||
            r->loop != s->region[out->first].loop || fld_paces_differ(r, &s->region[out->first]))
            break;
        fld_grow(out, &s->region[out->first], r, i, masks);
        *at = i + 1;
    }
    return true;
}

const char *report_region_kind(const struct prvcut_region *r)
{
    static const char *const kinds[][2] = { { "initialisation", "start" },
                                            { "aperiodic", "no loop" },
                                            { "masked", "disturbed" },
                                            { "end", "end" } };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(r->kind, kinds[i][0]) == 0)
            return kinds[i][1];
    return r->kind;
}

const char *report_cause(const char *cause)
{
    static const char *const causes[][2] = { { "flushing", "trace flushes" },
                                             { "clogged", "network jams" } };

    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (strcmp(cause, causes[i][0]) == 0)
            return causes[i][1];
    return cause;
}

char *report_loop_letter(char out[16], unsigned loop)
{
    if (loop >= 1 && loop <= 26)
        snprintf(out, 16, "%c", 'A' + (char)(loop - 1));
    else
        snprintf(out, 16, "%u", loop);
    return out;
}

void report_fold_name(const struct prvcut_structure *s, const struct report_fold *f, char out[40])
{
    const struct prvcut_region *a = &s->region[f->first], *z = &s->region[f->last];

    if (a->loop == 0)
        snprintf(out, 40, "%s", report_region_kind(a));
    else if (f->first == f->last)
        snprintf(out, 40, "%u.%u", a->level, a->number);
    else
        snprintf(out, 40, "%u.%u-%u.%u", a->level, a->number, z->level, z->number);
}
