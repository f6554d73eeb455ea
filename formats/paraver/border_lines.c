#include "base/memory.h"
#include "paraver/cut.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status prv_border_add(struct prv_border_lines *b, uint64_t time, uint64_t order,
                                  const char *text, size_t count, struct prvcut_error *err)
{
    struct prv_border_line *l;

    if (b->count == b->room &&
        prvcut_grow((void **)&b->at, &b->room, b->count + 1, sizeof *b->at, err) < 0)
        return PRVCUT_ENOMEM;
    l = &b->at[b->count];
    *l = (struct prv_border_line){ time, order,
                                   prvcut_copied(text, count, "a line at the border", err), count };
    if (!l->text)
        return PRVCUT_ENOMEM;
    b->count++;
    return PRVCUT_OK;
}

static int border_by_time(const void *a, const void *b)
{
    const struct prv_border_line *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

void prv_border_sort(struct prv_border_lines *b)
{
    if (b->count > 0)
        qsort(b->at, b->count, sizeof *b->at, border_by_time);
}

void prv_border_fini(struct prv_border_lines *b)
{
    for (size_t i = 0; i < b->count; i++)
        free(b->at[i].text);
    free(b->at);
    memset(b, 0, sizeof *b);
}
