#include "model/pending.h"

#include "base/buffer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool pending_before(const struct prvcut_pending_end *a, const struct prvcut_pending_end *b)
{
    return a->time != b->time ? a->time < b->time : a->number < b->number;
}

enum prvcut_status prvcut_pending_add(struct prvcut_pending *p,
                                      const struct prvcut_pending_end *end,
                                      struct prvcut_error *err)
{
    void *at = p->at;
    const enum prvcut_status st = prvcut_grow(&at, &p->room, p->count + 1, sizeof *p->at, err);
    size_t i = p->count;

    p->at = at;
    if (st < 0)
        return st;
    p->count++;
    for (; i > 0 && pending_before(end, &p->at[(i - 1) / 2]); i = (i - 1) / 2)
        p->at[i] = p->at[(i - 1) / 2];
    p->at[i] = *end;
    return PRVCUT_OK;
}

const struct prvcut_pending_end *prvcut_pending_first(const struct prvcut_pending *p)
{
    return p->count > 0 ? p->at : NULL;
}

struct prvcut_pending_end prvcut_pending_take(struct prvcut_pending *p)
{
    assert(p->count > 0);
    const struct prvcut_pending_end first = p->at[0], last = p->at[--p->count];
    size_t i = 0;

    for (size_t child = 1; child < p->count; child = 2 * i + 1) {
        if (child + 1 < p->count && pending_before(&p->at[child + 1], &p->at[child]))
            child++;
        if (!pending_before(&p->at[child], &last))
            break;
        p->at[i] = p->at[child];
        i = child;
    }
    p->at[i] = last;
    return first;
}

void prvcut_pending_fini(struct prvcut_pending *p)
{
    free(p->at);
    memset(p, 0, sizeof *p);
}
