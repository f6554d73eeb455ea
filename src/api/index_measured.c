#include "api/index.h"

#include "analysis/measure_keep.h"

#include <stdlib.h>

/* More bytes than this are not kept: very many threads. */
#define MEASURED_MOST ((size_t)16 << 20)

/* What the job without options cuts. */
#define ITERATIONS 2

enum prvcut_status index_put_measured(struct prvcut_put *p, struct job *j, struct prvcut_error *err)
{
    static const struct prvcut_cut_options cut = { .dry_run = true };
    static const struct prvcut_reduce_options options = { .iterations = ITERATIONS,
                                                          .cheap_proof = true,
                                                          .cut = &cut };
    struct prvcut_error why = { .status = PRVCUT_OK };
    struct job_plan plan;
    enum prvcut_status st;

    if (!j->out->is.periodic)
        return PRVCUT_OK;
    j->options = &options;
    j->looks = true;
    j->measured = p;
    st = job_plan_make(j, &plan, &why);
    job_plan_fini(&plan);
    j->measured = NULL;
    if (p->b.count > MEASURED_MOST)
        p->b.count = 0;
    /* What cannot be cut is not kept. */
    if (st == PRVCUT_EUSAGE || st == PRVCUT_ELIMIT)
        return PRVCUT_OK;
    if (st < 0 && err)
        *err = why;
    return st < 0 ? st : PRVCUT_OK;
}

static bool imd_recall(struct prvcut_measure *m, const struct job *j,
                       const struct prvcut_proof_region *stretch, size_t stretches,
                       const struct prvcut_proof_only *only)
{
    const struct prvcut_kept *kept = j->run->set ? NULL : index_of(j->trace);
    struct prvcut_get g = { .bad = false };
    char *bytes = NULL;
    bool done;

    if (!kept || !prvcut_kept_has(kept, "measured"))
        return false;
    g.bad = !prvcut_kept_load(kept, "measured", &bytes, &g.left);
    g.at = bytes;
    done = !g.bad && prvcut_measure_get(&g, m, j->trace, stretch, stretches, only);
    if (!done)
        prvcut_measure_fini(m);
    if (g.bad)
        index_give_up(j->trace);
    free(bytes);
    return done;
}

enum prvcut_status index_measure(struct prvcut_measure *m, const struct job *j,
                                 const struct prvcut_run *run,
                                 const struct prvcut_proof_region *stretch, size_t stretches,
                                 const struct prvcut_proof_only *only, struct prvcut_error *err)
{
    enum prvcut_status st;

    *m = (struct prvcut_measure){ .threads = 0 };
    if (imd_recall(m, j, stretch, stretches, only))
        return PRVCUT_OK;
    st = prvcut_measure_make(m, j->trace, run, stretch, stretches, only, NULL, err);
    if (st == PRVCUT_OK && j->measured)
        prvcut_measure_put(j->measured, m, stretch, stretches, only);
    return st;
}
