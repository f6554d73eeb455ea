#include "api/entries.h"
#include "base/memory.h"
#include "prvcut/structure.h"

#include "api/select.h"
#include "base/error.h"
#include "structure/divide.h"
#include "structure/stretch.h"

#include <stdlib.h>
#include <string.h>

/* Which regions stay. */
struct limit {
    struct made_structure *s;
    bool *keep;  /* [s->regions]; owned */
    size_t *now; /* [s->regions] their new places; SIZE_MAX: gone; owned */
};

static const char *lim_next(const char *list)
{
    const char *comma = list ? strchr(list, ',') : NULL;

    return comma ? comma + 1 : NULL;
}

/* A region stays with all that divides its iterations. */
static void lim_mark(struct limit *l, size_t region)
{
    l->keep[region] = true;
    for (size_t i = region + 1; i < l->s->is.regions; i++)
        if (l->s->region[i].is.parent < l->s->is.regions && l->keep[l->s->region[i].is.parent])
            l->keep[i] = true;
}

/* What a region without a level in its name is of: the one level that is shown, or the first. */
static unsigned lim_level(const char *levels)
{
    const bool one = levels && strcmp(levels, "all") != 0 && !strchr(levels, ',');

    return one ? (unsigned)strtoul(levels, NULL, 10) : 1;
}

static enum prvcut_status lim_regions(struct limit *l, const struct prvcut_limits *limits,
                                      struct prvcut_error *err)
{
    const char *regions = limits->regions;
    struct prvcut_region_name name = { .number = 0 };
    const char *at = regions;
    enum prvcut_status st = PRVCUT_OK;

    if (!regions || strcmp(regions, "all") == 0) {
        for (size_t i = 0; i < l->s->is.regions; i++)
            l->keep[i] = true;
        return PRVCUT_OK;
    }
    if (strcmp(regions, "longest") == 0) {
        if (l->s->is.main < l->s->is.regions)
            lim_mark(l, l->s->is.main);
        return PRVCUT_OK;
    }
    while (st == PRVCUT_OK && prvcut_region_next(&at, lim_level(limits->levels), &name)) {
        size_t region = 0;

        st = prvcut_region_find(l->s, name, &region, err);
        if (st == PRVCUT_OK)
            lim_mark(l, region);
    }
    return st == PRVCUT_OK && at
               ? prvcut_fail(err, PRVCUT_EUSAGE, "'%.100s' is no region; write 1.4", at)
               : st;
}

static enum prvcut_status lim_levels(struct limit *l, const char *levels, struct prvcut_error *err)
{
    bool any = false;

    if (!levels || strcmp(levels, "all") == 0)
        return PRVCUT_OK;
    for (const char *at = levels; at; at = lim_next(at))
        any |= strtoul(at, NULL, 10) <= l->s->is.levels;
    if (!any) {
        prvcut_instead(err, "--level %u", l->s->is.levels);
        return prvcut_fail(err, PRVCUT_EUSAGE, "no loop at level %.40s; the deepest is %u", levels,
                           l->s->is.levels);
    }
    for (size_t i = 0; i < l->s->is.regions; i++) {
        bool wanted = false;

        for (const char *at = levels; at; at = lim_next(at))
            wanted |= strtoul(at, NULL, 10) == l->s->region[i].is.level;
        l->keep[i] = l->keep[i] && wanted;
    }
    return PRVCUT_OK;
}

/* The regions of that loop with any of the iterations; where these are all disturbed, all of them.
 */
static enum prvcut_status lim_iterations(struct limit *l, const struct prvcut_limits *limits,
                                         struct prvcut_error *err)
{
    const struct prvcut_selection what = {
        .region = limits->regions && strcmp(limits->regions, "all") != 0 ? limits->regions : NULL,
        .level = limits->levels ? (unsigned)strtoul(limits->levels, NULL, 10) : 0,
        .first = limits->first,
        .last = limits->last
    };
    struct prvcut_span span;
    size_t region, kept = 0;
    enum prvcut_status st;

    if (limits->first == 0)
        return PRVCUT_OK;
    st = api_structure_select(l->s, &what, &span, &region, err);
    if (st < 0)
        return st;
    for (size_t i = 0; i < l->s->is.regions; i++) {
        const struct made_region *r = &l->s->region[i];

        l->keep[i] = l->keep[i] && prvcut_regions_share_loop(r, &l->s->region[region]) &&
                     r->is.first <= limits->last &&
                     (double)r->is.first + r->is.iterations > (double)limits->first;
        kept += l->keep[i];
    }
    if (kept == 0)
        l->keep[region] = true;
    return PRVCUT_OK;
}

/* Stretches stay with a region of their loop. */
static void lim_stretches(struct limit *l)
{
    struct made_structure *s = l->s;
    size_t count = 0;

    for (size_t i = 0; i < s->is.stretches; i++) {
        struct prvcut_stretch *t = &s->stretch[i];
        bool keep = false;

        for (size_t k = 0; k < s->is.regions && !keep; k++)
            keep = l->keep[k] && s->region[k].is.number > 0 && s->region[k].is.loop == t->loop &&
                   s->region[k].is.level == t->level && s->region[k].is.parent == t->parent;
        if (!keep) {
            free(t->border);
            continue;
        }
        t->parent = t->parent < s->is.regions ? l->now[t->parent] : SIZE_MAX;
        s->stretch[count++] = *t;
    }
    s->is.stretches = count;
}

static void lim_drop(struct limit *l)
{
    struct made_structure *s = l->s;
    size_t count = 0;

    for (size_t i = 0; i < s->is.regions; i++)
        l->now[i] = l->keep[i] ? count++ : SIZE_MAX;
    lim_stretches(l);
    for (size_t i = 0; i < s->is.regions; i++) {
        struct made_region *r = &s->region[i];

        if (!l->keep[i]) {
            prvcut_region_fini(r);
            continue;
        }
        r->is.parent = r->is.parent < s->is.regions ? l->now[r->is.parent] : SIZE_MAX;
        s->region[l->now[i]] = *r;
    }
    s->is.main = s->is.main < s->is.regions ? l->now[s->is.main] : SIZE_MAX;
    s->is.regions = count;
}

enum prvcut_status api_structure_limit(struct made_structure *s, const struct prvcut_limits *limits,
                                       struct prvcut_error *err)
{
    struct limit l = { .s = s,
                       .keep = prvcut_zeroed(s->is.regions + 1, sizeof *l.keep, "regions", err),
                       .now = prvcut_zeroed(s->is.regions + 1, sizeof *l.now, "regions", err) };
    enum prvcut_status st = l.keep && l.now ? PRVCUT_OK : PRVCUT_ENOMEM;

    if (st == PRVCUT_OK)
        st = lim_regions(&l, limits, err);
    if (st == PRVCUT_OK)
        st = lim_levels(&l, limits->levels, err);
    if (st == PRVCUT_OK)
        st = lim_iterations(&l, limits, err);
    if (st == PRVCUT_OK) {
        const size_t before = s->is.regions;

        lim_drop(&l);
        s->is.part = s->is.regions < before;
        s->is.first = limits->first;
        s->is.last = limits->last;
        s->is.singly = limits->regions && strcmp(limits->regions, "all") == 0;
    }
    free(l.keep);
    free(l.now);
    return st;
}
