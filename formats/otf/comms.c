#include "otf/cut.h"

#include <stdlib.h>

/* Streams that are looked at, and text of each. */
#define STREAMS_MOST 64u
#define TEXT_MOST    ((uint64_t)1 << 20)

/* Lengths tell messages apart where at most one end in so many lacks its like for it (receives that
   complete in another order where the sample ends), and where they make at most so many channels
   more: memory grows with these (hpcc.4: 950 more than 110). */
#define LENGTH_STRAY 64u
#define LENGTH_MOST  4096u

/*
 * Some tracers write a message's two ends with different communicators (a receive that is completed
 * by a wait for many is always given the world). Then the communicator tells nothing. The same goes
 * for lengths.
 */
struct sample {
    struct otf_trace *trace;
    struct prvcut_table with, without; /* the communicator in the key */
    struct prvcut_table sized;         /* the length in place of it */
};

static enum prvcut_status comms_add(struct prvcut_table *c, struct otf_channel key, unsigned end,
                                    struct prvcut_error *err)
{
    struct otf_channel *k = otf_channel_make(c, &key, err);

    if (!k)
        return PRVCUT_ENOMEM;
    k->inside[end]++;
    return PRVCUT_OK;
}

static enum prvcut_status comms_sample_message(struct sample *s, uint32_t process,
                                               const struct otf_record *r, struct prvcut_error *err)
{
    const unsigned end = r->kind == OTF_RECEIVE;
    const uint32_t at = otf_process_of(s->trace, r->number);
    struct otf_channel key = { .comm = r->comm, .tag = r->tag };
    enum prvcut_status st;

    /* Only where both ends are looked at. */
    if (process == 0 || at == OTF_NONE || s->trace->process[at].stream >= STREAMS_MOST)
        return PRVCUT_OK;
    key.from = end ? (uint32_t)r->number : process;
    key.to = end ? process : (uint32_t)r->number;
    st = comms_add(&s->with, key, end, err);
    key.comm = 0;
    if (st == PRVCUT_OK)
        st = comms_add(&s->without, key, end, err);
    key.length = r->length;
    return st < 0 ? st : comms_add(&s->sized, key, end, err);
}

static enum prvcut_status comms_sample_stream(struct sample *s, const struct otf_stream *stream,
                                              struct prvcut_error *err)
{
    struct otf_lines x;
    struct otf_record r;
    uint32_t process = 0;
    enum prvcut_status st = otf_lines_open(&x, stream->path, stream->packed, 0, err);

    while (st == PRVCUT_OK && x.text.offset < TEXT_MOST) {
        st = otf_lines_more(&x, err);
        while (st == PRVCUT_OK && otf_lines_next(&x, &r)) {
            if (r.kind == OTF_PROCESS)
                process = r.number <= UINT32_MAX ? (uint32_t)r.number : 0;
            else if (r.kind == OTF_SEND || r.kind == OTF_RECEIVE)
                st = comms_sample_message(s, process, &r, err);
        }
    }
    otf_lines_close(&x);
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

/* Ends on channels that show only one kind of them. */
static uint64_t comms_alone(const struct prvcut_table *c, uint64_t *all)
{
    uint64_t n = 0;

    *all = 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct otf_channel *k = otf_channel_at(c, i);
        const uint64_t ends = k->inside[0] + k->inside[1];

        *all += ends;
        n += k->inside[0] == 0 || k->inside[1] == 0 ? ends : 0;
    }
    return n;
}

/* Ends of one kind beyond those of the other. */
static uint64_t comms_beyond(const struct prvcut_table *c)
{
    uint64_t n = 0;

    for (size_t i = 0; i < c->count; i++) {
        const struct otf_channel *k = otf_channel_at(c, i);

        n +=
            k->inside[0] > k->inside[1] ? k->inside[0] - k->inside[1] : k->inside[1] - k->inside[0];
    }
    return n;
}

enum prvcut_status otf_comms_find(struct otf_trace *t, struct prvcut_error *err)
{
    struct sample s = {
        .trace = t, .with = OTF_CHANNELS, .without = OTF_CHANNELS, .sized = OTF_CHANNELS
    };
    enum prvcut_status st = PRVCUT_OK;
    uint64_t all, with, without;

    for (uint32_t i = 0; i < t->streams && i < STREAMS_MOST && st == PRVCUT_OK; i++)
        if (!t->stream[i].empty)
            st = comms_sample_stream(&s, &t->stream[i], err);
    with = comms_alone(&s.with, &all);
    without = comms_alone(&s.without, &all);
    t->any_comm = with > all / 20 && with > 2 * without;
    t->any_length = comms_beyond(&s.sized) > comms_beyond(&s.without) + all / LENGTH_STRAY ||
                    s.sized.count > s.without.count + LENGTH_MOST;
    prvcut_table_fini(&s.with);
    prvcut_table_fini(&s.without);
    prvcut_table_fini(&s.sized);
    return st;
}
