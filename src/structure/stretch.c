#include "structure/stretch.h"

#include "structure/divide_pieces.h"

#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

void prvcut_stretches_free(struct prvcut_stretch *stretch, size_t stretches)
{
    for (size_t i = 0; i < stretches; i++)
        free(stretch[i].border);
    free(stretch);
}

enum prvcut_status prvcut_divide_keep(struct prvcut_division *d, unsigned loop, unsigned level,
                                      uint64_t **border, size_t borders, struct prvcut_error *err)
{
    if (prvcut_grow((void **)&d->stretch, &d->stretch_room, d->stretches + 1, sizeof *d->stretch,
                    err) < 0)
        return PRVCUT_ENOMEM;
    d->stretch[d->stretches++] = (struct prvcut_stretch){ .loop = loop,
                                                          .level = level,
                                                          .parent = SIZE_MAX,
                                                          .first = 1,
                                                          .border = *border,
                                                          .borders = borders };
    *border = NULL;
    return PRVCUT_OK;
}

void prvcut_divide_number(struct prvcut_division *d, unsigned loop, size_t first, size_t stretch,
                          uint64_t iterations)
{
    uint64_t before = 0;

    for (size_t i = 0; i < first; i++)
        if (d->region[i].is.first > 0 && d->region[i].is.loop == loop)
            before = d->region[i].is.loop_iterations;
    for (size_t i = 0; i < d->regions; i++) {
        struct made_region *r = &d->region[i];

        if (r->is.first == 0 || r->is.loop != loop)
            continue;
        r->is.first += i >= first ? before : 0;
        r->is.loop_iterations = before + iterations;
    }
    if (stretch < d->stretches)
        d->stretch[stretch].first += before;
}

/* --- Iterations by their numbers -------------------------------------------------------------- */

bool prvcut_regions_share_loop(const struct made_region *a, const struct made_region *b)
{
    return a->is.number > 0 && b->is.number > 0 && a->is.loop == b->is.loop &&
           a->is.level == b->is.level && a->is.parent == b->is.parent;
}

bool prvcut_stretch_is_of(const struct prvcut_stretch *t, const struct made_region *r)
{
    return t->loop == r->is.loop && t->level == r->is.level && t->parent == r->is.parent;
}

bool prvcut_region_is_all(const struct made_region *r, unsigned iterations)
{
    return (double)iterations + 0.5 > r->is.iterations &&
           r->is.iterations + 0.5 < (double)r->is.loop_iterations;
}

bool prvcut_region_is_whole_loop(const struct made_region *r)
{
    return r->is.iterations + 0.5 > (double)r->is.loop_iterations;
}

bool prvcut_loop_is_all(const struct made_region *r, unsigned iterations)
{
    return r->is.loop_iterations > 0 && iterations >= r->is.loop_iterations;
}

bool prvcut_iteration_span(const struct made_structure *s, const struct made_region *r,
                           uint64_t number, struct prvcut_span *out)
{
    for (size_t i = 0; i < s->is.stretches; i++) {
        const struct prvcut_stretch *t = &s->stretch[i];

        if (!prvcut_stretch_is_of(t, r) || number < t->first || number - t->first + 1 >= t->borders)
            continue;
        *out =
            (struct prvcut_span){ t->border[number - t->first], t->border[number - t->first + 1] };
        return true;
    }
    return false;
}

uint64_t prvcut_iteration_near(const struct made_structure *s, const struct made_region *r,
                               uint64_t time)
{
    uint64_t nearest = UINT64_MAX, number = 0;

    for (size_t i = 0; i < s->is.stretches; i++) {
        const struct prvcut_stretch *t = &s->stretch[i];

        for (size_t k = 0; prvcut_stretch_is_of(t, r) && k + 1 < t->borders; k++) {
            const uint64_t off = t->border[k] > time ? t->border[k] - time : time - t->border[k];

            if (off >= nearest)
                continue;
            nearest = off;
            number = t->first + k;
        }
    }
    return number;
}
