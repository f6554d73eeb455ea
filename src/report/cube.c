#include "report/cube_inner.h"

#include "base/memory.h"
#include "model/batch.h"

#include <assert.h>
#include <stdlib.h>

/* --- Order ------------------------------------------------------------------------------------ */

/* Parents come first in the description, so that sizes add up backwards, and places go forwards. */
static enum prvcut_status cube_order_init(struct cube_order *o, const uint32_t *parent,
                                          size_t count, struct prvcut_error *err)
{
    uint32_t *size = prvcut_zeroed(count, sizeof *size, "a tree", err);
    uint32_t roots = 0;

    *o = (struct cube_order){ .count = count };
    o->place = prvcut_zeroed(count, sizeof *o->place, "a tree", err);
    o->at = prvcut_zeroed(count, sizeof *o->at, "a tree", err);
    o->depth = prvcut_zeroed(count, sizeof *o->depth, "a tree", err);
    if (!size || !o->place || !o->at || !o->depth) {
        free(size);
        return PRVCUT_ENOMEM;
    }
    for (size_t i = count; i-- > 0;) {
        size[i]++;
        if (parent[i] != PRVCUT_NOBODY) {
            assert(parent[i] < i);
            size[parent[i]] += size[i];
        }
    }
    /* From here on a size is where the next child goes. */
    for (size_t i = 0; i < count; i++) {
        const bool root = parent[i] == PRVCUT_NOBODY;
        uint32_t *next = root ? &roots : &size[parent[i]];
        const uint32_t place = *next;

        o->place[i] = place;
        o->at[place] = (uint32_t)i;
        o->depth[place] = root ? 0 : o->depth[o->place[parent[i]]] + 1;
        *next += size[i];
        size[i] = place + 1;
    }
    free(size);
    return PRVCUT_OK;
}

static void cube_order_fini(struct cube_order *o)
{
    free(o->place);
    free(o->at);
    free(o->depth);
}

static enum prvcut_status cube_order_all(struct cube_job *j, struct prvcut_error *err)
{
    const struct report_cube *c = j->of;
    const size_t most = c->metrics > c->paths ? c->metrics : c->paths;
    uint32_t *parent = prvcut_unset(most, sizeof *parent, "a tree", err);
    enum prvcut_status st = parent ? PRVCUT_OK : PRVCUT_ENOMEM;

    for (size_t i = 0; st == PRVCUT_OK && i < c->metrics; i++)
        parent[i] = c->metric[i].parent;
    if (st == PRVCUT_OK)
        st = cube_order_init(&j->metrics, parent, c->metrics, err);
    for (size_t i = 0; st == PRVCUT_OK && i < c->paths; i++)
        parent[i] = c->path[i].parent;
    if (st == PRVCUT_OK)
        st = cube_order_init(&j->paths, parent, c->paths, err);
    free(parent);
    return st;
}

/* --- Values ----------------------------------------------------------------------------------- */

/* --- All of it -------------------------------------------------------------------------------- */

static enum prvcut_status cube_job_init(struct cube_job *j, const struct report_cube *cube,
                                        struct prvcut_error *err)
{
    assert(cube->metrics > 0 && cube->regions > 0 && cube->paths > 0);
    assert(cube->nodes > 0 && cube->threads > 0);
    *j = (struct cube_job){ .of = cube };
    j->row = prvcut_zeroed(cube->threads, sizeof *j->row, "values", err);
    return j->row ? cube_order_all(j, err) : PRVCUT_ENOMEM;
}

static void cube_job_fini(struct cube_job *j)
{
    cube_order_fini(&j->metrics);
    cube_order_fini(&j->paths);
    free(j->row);
}

enum prvcut_status report_cube_write(const struct report_cube *cube, enum report_cube_form form,
                                     const char *path, bool force, struct prvcut_error *err)
{
    struct prvcut_output *out = NULL;
    struct cube_job j;
    enum prvcut_status st = cube_job_init(&j, cube, err);

    if (st == PRVCUT_OK)
        st = prvcut_output_open(&out, path, PRVCUT_PLAIN, force, err);
    if (st == PRVCUT_OK) {
        cube_sort(&j, cube->cell, cube->cells);
        st = form == REPORT_CUBE_4 ? cube_write_archive(&j, out, err)
                                   : cube_write_text(&j, out, err);
    }
    cube_job_fini(&j);
    if (st == PRVCUT_OK)
        return prvcut_output_commit(out, NULL, err);
    prvcut_output_abandon(out);
    return st;
}
