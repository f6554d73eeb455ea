#include "analysis/waits/waits_find.h"

/* Bytes of each. */
#define WSR_MEMORY ((size_t)16 << 20)

enum prvcut_status wts_sorter_by(const struct wts_finder *f, struct prvcut_sorter **out,
                                 size_t size, int (*compare)(const void *, const void *),
                                 uint32_t (*group)(const void *), struct prvcut_error *err)
{
    const struct prvcut_sorter_options o = { .size = size,
                                             .compare = compare,
                                             .group = group,
                                             .groups = f->out->threads,
                                             .memory = WSR_MEMORY,
                                             .feeds = 1,
                                             .stop = f->run->stop,
                                             .stop_ctx = f->run->ctx };

    return prvcut_sorter_new(out, &o, err);
}

enum prvcut_status wts_sorter(const struct wts_finder *f, struct prvcut_sorter **out, size_t size,
                              int (*compare)(const void *, const void *), struct prvcut_error *err)
{
    return wts_sorter_by(f, out, size, compare, NULL, err);
}
