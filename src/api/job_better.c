#include "api/answers.h"
#include "api/job.h"

#include "base/memory.h"
#include "report/stands.h"

#include <limits.h>
#include <math.h>

/* Times the iterations asked for, in halves: as many as that are tried. */
static const unsigned HALVES[] = { 3, 4, 6, 10 };
#define TRIALS (sizeof HALVES / sizeof *HALVES)
/* Where each cut reads the threads' files from their beginning, only those from here on. */
#define TRIALS_DEAR 2
/* A cut of more of its loop than one in so many is no small one. */
#define LOOP_MOST 2

/* Cuts that are laid, but not made. */
struct trials {
    struct made_chop chop[TRIALS]; /* [count], fewest iterations first */
    size_t count;
};

/* As it would be where the one that was made is. */
static enum prvcut_status jbt_lay(struct trials *t, struct job *j, const struct job_planned *p,
                                  const struct prvcut_cut_options *made, struct prvcut_error *err)
{
    struct made_chop *chop = &t->chop[t->count++];
    struct job_place place = p->place;

    place.cut = *made;
    place.cut.dry_run = place.cut.force = true;
    job_chop_start(chop, j, p);
    return job_cut(j, &place, chop, err);
}

/* So many may not follow each other. */
static enum prvcut_status jbt_try_iterations(struct trials *t, struct job *j, unsigned iterations,
                                             const struct prvcut_cut_options *made,
                                             struct prvcut_error *err)
{
    struct job_plan plan;
    struct prvcut_error refused = { 0 };
    enum prvcut_status st = job_plan_trial(j, iterations, &plan, &refused);

    if (st == PRVCUT_OK)
        st = plan.count == 1 ? jbt_lay(t, j, &plan.at[0], made, err) : PRVCUT_OK;
    else if (st == PRVCUT_ENOMEM)
        prvcut_no_memory(err, "other cuts");
    else
        st = PRVCUT_OK;
    job_plan_fini(&plan);
    return st;
}

static enum prvcut_status jbt_try_all(struct trials *t, struct job *j,
                                      const struct prvcut_cut_options *made,
                                      struct prvcut_error *err)
{
    const struct made_chop *c = &j->out->chop[0];
    const double most = fmin(
        (double)j->out->structure.region[c->is.region].is.loop_iterations / LOOP_MOST, UINT_MAX);
    enum prvcut_status st = PRVCUT_OK;
    unsigned before = c->is.iterations;

    for (size_t i = j->trace->reader->halves ? TRIALS_DEAR : 0; i < TRIALS && st == PRVCUT_OK;
         i++) {
        const double wanted = (c->is.iterations * (double)HALVES[i] + 1) / 2;

        if (wanted > most || (unsigned)wanted == before)
            continue;
        before = (unsigned)wanted;
        st = jbt_try_iterations(t, j, before, made, err);
    }
    return st;
}

/* The first that is as typical as that. */
static bool jbt_take(struct job *j, const struct trials *t, enum prvcut_chop_verdict wanted)
{
    for (size_t i = 0; i < t->count; i++)
        if (report_stands(j->out, &t->chop[i]) == wanted) {
            j->out->chop[0].is.better = t->chop[i].is.iterations;
            j->out->chop[0].is.better_verdict = wanted;
            return true;
        }
    return false;
}

static bool jbt_is_asked(const struct job *j)
{
    const struct made_reduction *r = j->out;

    return r->is.chops == 1 && r->chop[0].is.kind == PRVCUT_CHOP_TYPICAL && !job_wants_whole(j) &&
           report_stands(r, &r->chop[0]) == PRVCUT_CHOP_IS_UNUSUAL;
}

enum prvcut_status job_better(struct job *j, const struct job_plan *plan, struct prvcut_error *err)
{
    struct trials t = { .count = 0 };
    enum prvcut_status st;

    if (!jbt_is_asked(j))
        return PRVCUT_OK;
    j->quiet = true;
    st = jbt_try_all(&t, j, &plan->at[0].place.cut, err);
    if (st == PRVCUT_OK && t.count > 0)
        st = job_prove(j, t.chop, t.count, NULL, err);
    j->quiet = false;
    if (st == PRVCUT_OK && !jbt_take(j, &t, PRVCUT_CHOP_IS_TYPICAL))
        jbt_take(j, &t, PRVCUT_CHOP_IS_ORDINARY);
    for (size_t i = 0; i < t.count; i++)
        api_chop_fini(&t.chop[i]);
    return st;
}
