#include "api/entries.h"
#include "prvcut/structure.h"

#include "analysis/patterns/stretches.h"
#include "api/opening.h"
#include "base/memory.h"
#include "report/structure.h"

#include <math.h>
#include <stdlib.h>

/* More pieces are not told. */
#define PIECES_MOST 2000
/* A tolerant nest that has so many times the iterations is another loop's. */
#define TOLERANT 1.5

struct asn_pieces {
    struct pat_stretch *stretch; /* [count] */
    size_t *region;              /* [count] the first one of each */
    double *iterations;          /* [count] 0: of no loop */
    size_t count;
};

/* The pieces of one whole, as they are told. */
static void sns_add(struct asn_pieces *p, const struct made_structure *s, size_t parent)
{
    const bool single = report_fold_none(s, parent, PIECES_SHOWN);
    struct report_fold f;
    size_t at = 0;

    while (p->count < PIECES_MOST && report_fold_next(s, parent, single, &at, &f)) {
        const struct made_region *r = &s->region[f.first];

        if (r->is.kind == PRVCUT_REGION_MASKED)
            continue;
        p->region[p->count] = f.first;
        p->iterations[p->count] = r->is.loop > 0 ? f.all : 0;
        p->stretch[p->count++] = (struct pat_stretch){ .span = f.span, .loop = r->is.loop > 0 };
    }
}

static enum prvcut_status sns_init(struct asn_pieces *p, const struct made_structure *s,
                                   struct prvcut_error *err)
{
    const size_t most = s->is.regions < PIECES_MOST ? s->is.regions : PIECES_MOST;
    uint8_t *parent = prvcut_zeroed(s->is.regions, 1, "regions", err);

    p->stretch = prvcut_zeroed(most, sizeof *p->stretch, "regions", err);
    p->region = prvcut_zeroed(most, sizeof *p->region, "regions", err);
    p->iterations = prvcut_zeroed(most, sizeof *p->iterations, "regions", err);
    if (!parent || !p->stretch || !p->region || !p->iterations) {
        free(parent);
        return PRVCUT_ENOMEM;
    }
    sns_add(p, s, SIZE_MAX);
    for (size_t i = 0; i < s->is.regions; i++)
        if (s->region[i].is.parent < s->is.regions)
            parent[s->region[i].is.parent] = 1;
    for (size_t i = 0; i < s->is.regions; i++)
        if (parent[i])
            sns_add(p, s, i);
    free(parent);
    return PRVCUT_OK;
}

/* One may be cut off at a border; where iterations are alike more or less, some are none. */
static bool sns_differ(const struct pat_stretch *s, double iterations)
{
    const double count = (double)s->count;

    if (s->source == PAT_TOLERANT)
        return count > TOLERANT * iterations || iterations > TOLERANT * count;
    return fabs(count - iterations) >= 2;
}

static void sns_tell(struct made_region *r, struct pat_stretch *s, double iterations)
{
    free(r->nest);
    r->is.nest = r->nest = s->nest;
    s->nest = NULL;
    r->is.nest_threads = (uint32_t)s->threads;
    r->is.nest_of = (uint32_t)s->of;
    r->is.nest_count = s->count;
    r->is.nest_tolerant = s->source == PAT_TOLERANT;
    r->is.nest_differs = s->count > 0 && iterations > 0 && sns_differ(s, iterations);
}

enum prvcut_status api_structure_nests(struct made_structure *s, struct prvcut_trace *trace,
                                       const struct prvcut_run *run, struct prvcut_error *err)
{
    struct asn_pieces p = { .stretch = NULL };
    struct prvcut_dictionary names = { .arena = NULL };
    struct pat_store store = { .trace = trace, .run = run, .names = &names };
    enum prvcut_status st = sns_init(&p, s, err);

    if (st == PRVCUT_OK)
        st = trace->reader->describe(trace, &names, err);
    if (st == PRVCUT_OK)
        st = pat_stretches_fold(p.stretch, p.count, &store, err);
    for (size_t i = 0; i < p.count && st == PRVCUT_OK; i++)
        sns_tell(&s->region[p.region[i]], &p.stretch[i], p.iterations[i]);
    if (p.stretch)
        pat_stretches_fini(p.stretch, p.count);
    pat_store_fini(&store);
    prvcut_dictionary_fini(&names);
    free(p.stretch);
    free(p.region);
    free(p.iterations);
    return prvcut_trace_outcome(trace, st, err);
}
