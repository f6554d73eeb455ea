#include "analysis/waits/waits_find.h"

enum prvcut_status wts_book(struct wts_finder *f, uint32_t metric, const struct wts_call *call,
                            uint64_t ns, const struct wts_call *cause, struct prvcut_error *err)
{
    const struct wts_booking b = { .begin = call->begin,
                                   .end = call->end,
                                   .thread = call->thread,
                                   .metric = metric,
                                   .ns = ns,
                                   .cause = cause ? cause->thread : PRVCUT_NOBODY,
                                   .cause_begin = cause ? cause->begin : 0,
                                   .cause_end = cause ? cause->end : 0 };

    return ns > 0 ? prvcut_sorter_add(f->booking, 0, &b, 1, err) : PRVCUT_OK;
}

enum prvcut_status wts_cell_add(struct prvcut_table *cells, uint32_t metric, uint32_t thread,
                                uint64_t path, uint64_t ns, struct prvcut_error *err)
{
    const struct prvcut_waits_cell key = { .metric = metric, .thread = thread, .path = path };
    struct prvcut_waits_cell *c =
        prvcut_table_look(cells, &key, offsetof(struct prvcut_waits_cell, ns), sizeof *c);

    if (!c)
        c = prvcut_table_make(cells, &key, err);
    if (!c)
        return PRVCUT_ENOMEM;
    c->ns += ns;
    c->count++;
    return PRVCUT_OK;
}
