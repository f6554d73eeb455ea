#include "api/cube_place.h"

#include "api/entries.h"
#include "base/memory.h"

/* Do its borders meet? */
static bool cpl_is_periodic(enum prvcut_topology t)
{
    return t == PRVCUT_TOPOLOGY_RING || t == PRVCUT_TOPOLOGY_TORUS2D ||
           t == PRVCUT_TOPOLOGY_TORUS3D || t == PRVCUT_TOPOLOGY_TORUS2D8 ||
           t == PRVCUT_TOPOLOGY_TORUS3D26 || t == PRVCUT_TOPOLOGY_MULTIPARTITION;
}

/* Of the shapes that are grids; of several applications each has its own. */
static enum prvcut_status cpl_place(struct report_cube_who *who, const struct prvcut_comm *c,
                                    struct prvcut_error *err)
{
    const struct prvcut_comm_matrix *m = prvcut_comm_matrix(c, 0);

    if (c->applications != 1 || !m || m->ranks != who->processes || m->shape.dimensions == 0 ||
        m->shape.topology == PRVCUT_TOPOLOGY_ALLTOALL ||
        m->shape.topology == PRVCUT_TOPOLOGY_STAR || m->shape.topology == PRVCUT_TOPOLOGY_TREE)
        return PRVCUT_OK;
    return report_cube_who_place(who, prvcut_topology_text(m->shape.topology), m->shape.dim,
                                 m->shape.dimensions, cpl_is_periodic(m->shape.topology), err);
}

enum prvcut_status api_cube_place(struct report_cube_who *who, struct prvcut_trace *trace,
                                  const struct prvcut_run *run, struct prvcut_error *err)
{
    const struct prvcut_comm_options all = { .by = PRVCUT_COMM_BY_RUN };
    struct prvcut_run quiet = *run;
    struct made_comm *made;
    enum prvcut_status st;

    if (trace->once || who->processes < 2)
        return PRVCUT_OK;
    made = prvcut_zeroed(1, sizeof *made, "messages", err);
    if (!made)
        return PRVCUT_ENOMEM;
    /* Its passes are not those that the reader waits for. */
    quiet.progress = NULL;
    st = api_comm_make(trace, &quiet, &all, made, err);
    if (st == PRVCUT_OK)
        st = cpl_place(who, &made->is, err);
    prvcut_comm_free(&made->is);
    if (st != PRVCUT_ELIMIT)
        return st;
    *err = (struct prvcut_error){ .status = PRVCUT_OK };
    return PRVCUT_OK;
}
