#include "convert/window.h"

/* Roots are counted with all that goes. */
static enum prvcut_status put_kept(struct cnv_flow *f, struct prvcut_item *item, size_t count,
                                   struct prvcut_error *err)
{
    enum prvcut_status st;

    if (f->job->writer->wants_roots)
        cnv_roots_tell(&f->roots, item, count);
    st = cnv_holes_items(f->holes, item, count, &item, &count, err);
    return st < 0 || count == 0 ? st : cnv_put(f, item, count, err);
}

/* st: of what is in f->outer. */
static enum prvcut_status put_outer(struct cnv_flow *f, enum prvcut_status st,
                                    struct prvcut_error *err)
{
    return st < 0 || f->outer.items == 0 ? st : cnv_put(f, f->outer.item, f->outer.items, err);
}

static enum prvcut_status put_all_records(void *ctx, struct prvcut_item *item, size_t count,
                                          struct prvcut_error *err)
{
    struct cnv_flow *f = ctx;

    if (f->holes)
        return put_kept(ctx, item, count, err);
    if (f->job->sift)
        count = cnv_sift_items(f->job->sift, item, count);
    if (f->outer.open)
        return put_outer(f, cnv_outer_items(&f->outer, item, count, err), err);
    return cnv_put(ctx, item, count, err);
}

static enum prvcut_status put_window(struct cnv_flow *f, struct prvcut_error *err)
{
    struct cnv_window w;
    const struct prvcut_stream_sink taker = { .ctx = &w, .records = cnv_window_records };
    enum prvcut_status st = cnv_window_init(&w, f, err);

    if (st == PRVCUT_OK)
        st = prvcut_stream_deliver(f->stream, &taker, err);
    if (st == PRVCUT_OK)
        st = cnv_window_end(&w, err);
    cnv_window_fini(&w);
    return st;
}

static enum prvcut_status put_holes(struct cnv_flow *f, struct prvcut_error *err)
{
    const struct prvcut_stream_sink taker = { .ctx = f, .records = put_all_records };
    struct prvcut_item *item = NULL;
    size_t count = 0;
    const struct cnv_holes_plan plan = { .holes = f->job->holes,
                                         .by_thread = f->job->writer->order == PRVCUT_BY_THREAD,
                                         .length = prvcut_stream_length(f->stream) };
    enum prvcut_status st = cnv_holes_walk_new(&f->holes, &plan, err);

    if (st == PRVCUT_OK)
        st = prvcut_stream_deliver(f->stream, &taker, err);
    if (st == PRVCUT_OK)
        st = cnv_holes_end(f->holes, &item, &count, err);
    if (st == PRVCUT_OK && count > 0)
        st = cnv_put(f, item, count, err);
    cnv_holes_walk_free(f->holes);
    f->holes = NULL;
    return st;
}

enum prvcut_status cnv_deliver(struct cnv_flow *f, struct prvcut_error *err)
{
    const struct prvcut_stream_sink taker = { .ctx = f, .records = put_all_records };
    enum prvcut_status st;

    if (f->job->holes)
        return put_holes(f, err);
    if (f->windowed)
        return put_window(f, err);
    st = prvcut_stream_deliver(f->stream, &taker, err);
    return st == PRVCUT_OK && f->outer.open ? put_outer(f, cnv_outer_rest(&f->outer, err), err)
                                            : st;
}
