#include "structure/divide_pieces.h"

#include "base/buffer.h"

#include <stdlib.h>

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
        if (d->region[i].first > 0 && d->region[i].loop == loop)
            before = d->region[i].loop_iterations;
    for (size_t i = 0; i < d->regions; i++) {
        struct prvcut_region *r = &d->region[i];

        if (r->first == 0 || r->loop != loop)
            continue;
        r->first += i >= first ? before : 0;
        r->loop_iterations = before + iterations;
    }
    if (stretch < d->stretches)
        d->stretch[stretch].first += before;
}
