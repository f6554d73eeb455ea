#include "analysis/waits/waits_find.h"

/* Which send is which receive where nothing tells when receives were posted: the k-th sent is the
   k-th that is complete, which is true but where two were under way at once and the later one was
   complete first. */

/* The latest message of a channel. */
struct wch_channel {
    uint64_t tag;
    uint32_t from, to; /* threads */
    uint64_t communicator;
    uint64_t completed; /* ns; 0: its receive's post is told */
};

void wts_channels_start(struct wts_finder *f)
{
    f->channels = (struct prvcut_table)PRVCUT_TABLE(struct wch_channel, completed, "channels");
}

enum prvcut_status wts_channels_note(struct wts_finder *f, const struct prvcut_stream_message *m,
                                     const struct wts_message *own, struct prvcut_error *err)
{
    const bool open = m->posted == PRVCUT_NEVER && !own->post.is && own->receive.is;
    const struct wch_channel key = { .tag = (uint64_t)m->tag,
                                     .from = m->sender,
                                     .to = m->receiver,
                                     .communicator = m->communicator };
    struct wch_channel *c = prvcut_table_find(&f->channels, &key);

    if (!c && !open)
        return PRVCUT_OK;
    c = c ? c : prvcut_table_make(&f->channels, &key, err);
    if (!c)
        return PRVCUT_ENOMEM;
    f->seen.unordered += open && m->sent < c->completed;
    c->completed = open ? m->completed : 0;
    return PRVCUT_OK;
}
