#include "model/marks.h"

#include "base/memory.h"

#include <stdlib.h>

static int mrk_by_time(const void *a, const void *b)
{
    const struct prvcut_mark *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

void prvcut_marks_sort(struct prvcut_mark *at, size_t count)
{
    if (count > 0)
        qsort(at, count, sizeof *at, mrk_by_time);
}

enum prvcut_status prvcut_marks_of(const struct prvcut_marks *marks, const uint8_t *thread,
                                   struct prvcut_mark **out, size_t *count,
                                   struct prvcut_error *err)
{
    size_t all = 0;

    *out = NULL;
    *count = 0;
    for (size_t i = 0; i < marks->rows; i++)
        all += thread[marks->row[i].thread] ? marks->row[i].count : 0;
    if (all == 0)
        return PRVCUT_OK;
    *out = prvcut_unset(all, sizeof **out, "marks", err);
    if (!*out)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < marks->rows; i++) {
        const struct prvcut_mark_row *r = &marks->row[i];

        for (size_t k = 0; thread[r->thread] && k < r->count; k++, ++*count)
            (*out)[*count] = (struct prvcut_mark){
                .time = r->at[k], .order = *count, .thread = r->thread, .begins = k + 1 < r->count
            };
    }
    prvcut_marks_sort(*out, *count);
    return PRVCUT_OK;
}
