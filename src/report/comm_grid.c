#include "report/comm_grid.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static void cgr_add(struct comm_grid *g)
{
    for (size_t i = 0; i < g->m->edges; i++) {
        const struct prvcut_comm_edge *e = prvcut_comm_edge(g->m, i);
        const size_t at = (size_t)(e->from / g->each) * g->fields + e->to / g->each;

        g->messages[at] += e->messages;
        g->bytes[at] += e->bytes;
        g->greatest = fmax(g->greatest, (double)(g->m->bytes > 0 ? g->bytes[at] : g->messages[at]));
    }
}

enum prvcut_status comm_grid_init(struct comm_grid *g, const struct prvcut_comm_matrix *m,
                                  uint32_t most, struct prvcut_error *err)
{
    *g = (struct comm_grid){ .m = m, .each = (m->ranks - 1) / most + 1 };
    g->fields = (m->ranks - 1) / g->each + 1;
    g->messages =
        prvcut_zeroed((size_t)g->fields * g->fields, sizeof *g->messages, "a drawing", err);
    g->bytes = prvcut_zeroed((size_t)g->fields * g->fields, sizeof *g->bytes, "a drawing", err);
    if (!g->messages || !g->bytes)
        return PRVCUT_ENOMEM;
    cgr_add(g);
    return PRVCUT_OK;
}

void comm_grid_fini(struct comm_grid *g)
{
    free(g->messages);
    free(g->bytes);
}
