#include "model/rule_sends.h"

#include "base/buffer.h"
#include "base/search.h"

#include <stdlib.h>

void prvcut_sends_init(struct prvcut_sends *s)
{
    s->channels = (struct prvcut_table)PRVCUT_TABLE(struct prvcut_sends_channel, runs, "channels");
}

void prvcut_sends_fini(struct prvcut_sends *s)
{
    for (size_t i = 0; i < s->channels.count; i++)
        free(((struct prvcut_sends_channel *)s->channels.at)[i].run);
    prvcut_table_fini(&s->channels);
}

enum prvcut_status prvcut_sends_note(struct prvcut_sends *s, const struct prvcut_sends_key *key,
                                     uint64_t count, bool stays, struct prvcut_error *err)
{
    struct prvcut_sends_channel *c = prvcut_table_make(&s->channels, key, err);
    uint64_t end;

    if (!c)
        return PRVCUT_ENOMEM;
    end = c->runs > 0 ? c->run[c->runs - 1].end : 0;
    if (c->runs > 0 && c->run[c->runs - 1].stays == stays) {
        c->run[c->runs - 1].end += count;
        return PRVCUT_OK;
    }
    if (prvcut_grow((void **)&c->run, &c->room, c->runs + 1, sizeof *c->run, err) < 0)
        return PRVCUT_ENOMEM;
    c->run[c->runs++] = (struct prvcut_sends_run){ end + count, stays };
    return PRVCUT_OK;
}

enum prvcut_status prvcut_sends_move(struct prvcut_sends *to, struct prvcut_sends *from,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < from->channels.count; i++) {
        const struct prvcut_sends_channel *c = (struct prvcut_sends_channel *)from->channels.at + i;
        uint64_t begin = 0;

        for (size_t k = 0; k < c->runs && st == PRVCUT_OK; begin = c->run[k++].end)
            st = prvcut_sends_note(to, &c->key, c->run[k].end - begin, c->run[k].stays, err);
    }
    prvcut_sends_fini(from);
    prvcut_sends_init(from);
    return st;
}

struct rsn_wanted {
    const struct prvcut_sends_channel *channel;
    uint64_t number;
};

static bool rsn_is_behind(const void *ctx, size_t i)
{
    const struct rsn_wanted *w = ctx;

    return w->channel->run[i].end > w->number;
}

bool prvcut_sends_stays(const struct prvcut_sends *s, const struct prvcut_sends_key *key,
                        uint64_t number, bool else_)
{
    const struct rsn_wanted w = { prvcut_table_find(&s->channels, key), number };
    size_t at;

    if (!w.channel)
        return else_;
    at = prvcut_first(0, w.channel->runs, rsn_is_behind, &w);
    return at < w.channel->runs ? w.channel->run[at].stays : else_;
}
