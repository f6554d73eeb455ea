#include "api/index.h"

#include "analysis/measure_keep.h"

#include <stdlib.h>

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
