#include "model/runs.h"

#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

static bool runs_together(const struct prvcut_item *a, const struct prvcut_item *b)
{
    return a->time == b->time && a->thread == b->thread;
}

static size_t run_length(const struct prvcut_item *item, size_t count)
{
    size_t n = 1;

    while (n < count && runs_together(item, &item[n]))
        n++;
    return n;
}

static enum prvcut_status runs_hold(struct prvcut_runs *r, const struct prvcut_item *item,
                                    size_t count, struct prvcut_error *err)
{
    const enum prvcut_status st =
        prvcut_grow((void **)&r->held, &r->room, r->count + count, sizeof *r->held, err);

    if (st < 0)
        return st;
    memcpy(r->held + r->count, item, count * sizeof *item);
    r->count += count;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_runs_end(struct prvcut_runs *r, struct prvcut_writing *w,
                                   struct made_convert_summary *sum, struct prvcut_error *err)
{
    const size_t count = r->count;

    r->count = 0;
    return count > 0 ? r->write(w, r->held, count, sum, err) : PRVCUT_OK;
}

enum prvcut_status prvcut_runs_put(struct prvcut_runs *r, struct prvcut_writing *w,
                                   const struct prvcut_item *item, size_t count,
                                   struct made_convert_summary *sum, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    while (count > 0 && st == PRVCUT_OK) {
        const size_t n = run_length(item, count);
        const bool same = r->count > 0 && runs_together(r->held, item);

        if (!same)
            st = prvcut_runs_end(r, w, sum, err);
        if (st == PRVCUT_OK)
            st = same || n == count ? runs_hold(r, item, n, err) : r->write(w, item, n, sum, err);
        item += n;
        count -= n;
    }
    return st;
}

void prvcut_runs_fini(struct prvcut_runs *r)
{
    free(r->held);
    r->held = NULL;
    r->count = r->room = 0;
}
