#ifndef PRVCUT_CONVERT_WINDOW_H
#define PRVCUT_CONVERT_WINDOW_H

#include "convert/flow.h"

/** A window of a stream on its way to the writer: its times, and what is open at its borders. */
struct cnv_window {
    struct cnv_flow *flow;
    struct cnv_border border;
    bool by_thread;
    uint32_t thread;          /**< by thread: the present one; PRVCUT_NOBODY before the first */
    struct prvcut_item *item; /**< [items] what the present records become */
    size_t items, room;
};

/** w is initialised here, released with cnv_window_fini, also after a failure. */
enum prvcut_status cnv_window_init(struct cnv_window *w, struct cnv_flow *f,
                                   struct prvcut_error *err);
void cnv_window_fini(struct cnv_window *w);

/** Records of the stream; as prvcut_stream_sink.records with the window as ctx. */
enum prvcut_status cnv_window_records(void *ctx, struct prvcut_item *item, size_t count,
                                      struct prvcut_error *err);

/** There are no more: what is open ends with the window. */
enum prvcut_status cnv_window_end(struct cnv_window *w, struct prvcut_error *err);

#endif
