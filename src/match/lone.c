#include "match/lone.h"

struct prvcut_lone prvcut_lone_none(const struct prvcut_objects *o, size_t most)
{
    return (struct prvcut_lone){
        .objects = o,
        .channels = PRVCUT_TABLE(struct prvcut_lone_channel, sends, "channels"),
        .most = most > 0 ? most : SIZE_MAX,
    };
}

void prvcut_lone_fini(struct prvcut_lone *l)
{
    prvcut_table_fini(&l->channels);
}

enum prvcut_status prvcut_lone_note(struct prvcut_lone *l, const struct prvcut_half *half,
                                    uint64_t count, struct prvcut_error *err)
{
    struct prvcut_lone_channel key = { .tag = half->tag, .communicator = half->communicator }, *c;

    if (half->peer == PRVCUT_NOBODY || l->channels.count > l->most)
        return PRVCUT_OK;
    key.sender = l->objects->thread_task[half->receive ? half->peer : half->thread];
    key.receiver = l->objects->thread_task[half->receive ? half->thread : half->peer];
    c = prvcut_table_look(&l->channels, &key, offsetof(struct prvcut_lone_channel, sends),
                          sizeof *c);
    if (!c)
        c = prvcut_table_make(&l->channels, &key, err);
    if (!c)
        return PRVCUT_ENOMEM;
    *(half->receive ? &c->receives : &c->sends) += count;
    return PRVCUT_OK;
}

const struct prvcut_lone_channel *prvcut_lone_channels(const struct prvcut_lone *l, size_t *count)
{
    *count = l->channels.count > l->most ? 0 : l->channels.count;
    return l->channels.at;
}
