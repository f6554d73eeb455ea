#include "report/cube_inner.h"

#include "base/search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int cube_cell_compare(const void *a, const void *b)
{
    const struct report_cube_cell *x = a, *y = b;

    if (x->metric != y->metric)
        return x->metric < y->metric ? -1 : 1;
    if (x->path != y->path)
        return x->path < y->path ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    /* A sum does not depend on who came first. */
    return (x->value > y->value) - (x->value < y->value);
}

/* Places in the trees take the place of numbers in the description. */
void cube_sort(const struct cube_job *j, struct report_cube_cell *cell, size_t cells)
{
    for (size_t i = 0; i < cells; i++) {
        assert(cell[i].metric < j->of->metrics && cell[i].path < j->of->paths &&
               cell[i].thread < j->of->threads);
        cell[i].metric = j->metrics.place[cell[i].metric];
        cell[i].path = j->paths.place[cell[i].path];
    }
    if (cells > 0)
        qsort(cell, cells, sizeof *cell, cube_cell_compare);
}

/* The first cell of a metric or a later one. */
static size_t cube_first_of(const struct report_cube *c, uint64_t metric)
{
    return prvcut_lower_u32(c->cell, c->cells, sizeof *c->cell,
                            offsetof(struct report_cube_cell, metric), metric);
}

enum prvcut_status cube_take_metric(struct cube_job *j, uint32_t metric, struct prvcut_error *err)
{
    const struct report_cube *c = j->of;
    enum prvcut_status st;

    if (!c->give) {
        const size_t from = cube_first_of(c, metric);

        j->cells = cube_first_of(c, (uint64_t)metric + 1) - from;
        j->cell = j->cells > 0 ? &c->cell[from] : NULL;
        return PRVCUT_OK;
    }
    j->cell = NULL;
    j->cells = 0;
    st = c->give(c->ctx, j->metrics.at[metric], &j->cell, &j->cells, err);
    if (st == PRVCUT_OK)
        cube_sort(j, j->cell, j->cells);
    return st;
}

size_t cube_row_at(const struct cube_job *j, size_t cell)
{
    const uint32_t path = j->cell[cell].path;

    memset(j->row, 0, j->of->threads * sizeof *j->row);
    for (; cell < j->cells && j->cell[cell].path == path; cell++)
        j->row[j->cell[cell].thread] += j->cell[cell].value;
    return cell;
}
