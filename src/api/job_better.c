#include "api/job_windows.h"

#include "report/stands.h"

#include <limits.h>
#include <math.h>

/* Times the iterations asked for, in halves: as many as that are tried. */
static const unsigned HALVES[] = { 3, 4, 6, 10 };
#define TRIALS (sizeof HALVES / sizeof *HALVES)
/* A cut of more of its loop than one in so many is no small one. */
#define LOOP_MOST 2

/* Fewest iterations first: the first that is typical, else, of what is unusual, the first that is
   ordinary. */
static enum prvcut_status jbt_try_all(struct job *j, struct prvcut_error *err)
{
    struct prvcut_chop *c = &j->out->chop[0].is;
    const double most =
        fmin((double)j->out->structure.region[c->region].is.loop_iterations / LOOP_MOST, UINT_MAX);
    enum prvcut_status st = PRVCUT_OK;
    const bool unusual = report_stands(j->out, &j->out->chop[0]) == PRVCUT_CHOP_IS_UNUSUAL;
    unsigned before = c->iterations;

    for (size_t i = 0; i < TRIALS && st == PRVCUT_OK; i++) {
        const double wanted = (c->iterations * (double)HALVES[i] + 1) / 2;
        enum prvcut_chop_verdict verdict;

        if (wanted > most || (unsigned)wanted == before)
            continue;
        before = (unsigned)wanted;
        st = job_windows_try(j, 0, before, &verdict, err);
        if (verdict != PRVCUT_CHOP_IS_TYPICAL &&
            (!unusual || verdict != PRVCUT_CHOP_IS_ORDINARY || c->better > 0))
            continue;
        c->better = before;
        c->better_verdict = verdict;
        if (verdict == PRVCUT_CHOP_IS_TYPICAL)
            break;
    }
    return st;
}

static bool jbt_is_asked(const struct job *j)
{
    const struct made_reduction *r = j->out;
    const enum prvcut_chop_verdict stands =
        r->is.chops == 1 ? report_stands(r, &r->chop[0]) : PRVCUT_CHOP_UNASKED;

    return (stands == PRVCUT_CHOP_IS_UNUSUAL || stands == PRVCUT_CHOP_IS_ORDINARY) &&
           r->chop[0].is.kind == PRVCUT_CHOP_TYPICAL && !job_wants_whole(j);
}

enum prvcut_status job_better(struct job *j, struct prvcut_error *err)
{
    return jbt_is_asked(j) ? jbt_try_all(j, err) : PRVCUT_OK;
}
