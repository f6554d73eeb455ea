#include "model/marks.h"

#include "base/memory.h"

#include "prvcut/waits.h"

#include <stdlib.h>
#include <string.h>

const struct prvcut_mark_kind prvcut_mark_iterations = {
    .type = PRVCUT_MARK_TYPE,
    .name = "Iteration (prvcut mark)",
    .help = "1: an iteration begins; 0: the last one ends",
    .values = 2,
};

const struct prvcut_mark_kind prvcut_mark_waits = {
    .type = PRVCUT_MARK_WAIT_TYPE,
    .name = "Wait state (prvcut waits)",
    .help = "what a call waits for, from there on; 0: the wait ends",
    .values = PRVCUT_WAITS + 1,
};

static const struct prvcut_mark_kind *const mrk_kind[] = { &prvcut_mark_iterations,
                                                           &prvcut_mark_waits };

const char *prvcut_mark_value(const struct prvcut_mark_kind *kind, int value)
{
    if (kind == &prvcut_mark_iterations)
        return value ? "begins" : "the last one ends";
    return value ? prvcut_wait_text((enum prvcut_wait)(value - 1)) : "no wait";
}

const struct prvcut_mark_kind *prvcut_mark_kind_named(const char *name)
{
    for (size_t i = 0; i < sizeof mrk_kind / sizeof *mrk_kind; i++)
        if (strcmp(mrk_kind[i]->name, name) == 0)
            return mrk_kind[i];
    return NULL;
}

const struct prvcut_mark_kind *prvcut_mark_kind_of(uint32_t type)
{
    for (size_t i = 0; i < sizeof mrk_kind / sizeof *mrk_kind; i++)
        if (mrk_kind[i]->type == type)
            return mrk_kind[i];
    return NULL;
}

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
            (*out)[*count] = (struct prvcut_mark){ .time = r->at[k],
                                                   .order = *count,
                                                   .thread = r->thread,
                                                   .value = prvcut_mark_row_value(r, k) };
    }
    prvcut_marks_sort(*out, *count);
    return PRVCUT_OK;
}
