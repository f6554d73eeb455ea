#include "analysis/timeline_messages.h"

#include "base/buffer.h"
#include "match/end.h"
#include "match/piece.h"

#include <stdlib.h>
#include <string.h>

/* So many messages may be under way where a window begins, in one channel. */
#define UNDER_WAY 16u

static uint64_t tms_mix(uint64_t state, uint64_t value)
{
    state = (state ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    state = (state ^ state >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return state ^ state >> 29;
}

static uint64_t tms_rank(const struct prvcut_timeline_message *m)
{
    return tms_mix(tms_mix(tms_mix(tms_mix(m->from, m->to), m->send), m->receive), m->size);
}

/* By rank, equal ranks by content: equal ones are the same. */
static bool tms_above(const struct prvcut_timeline_message *a,
                      const struct prvcut_timeline_message *b)
{
    const uint64_t x = tms_rank(a), y = tms_rank(b);

    if (x != y)
        return x > y;
    if (a->send != b->send)
        return a->send > b->send;
    if (a->receive != b->receive)
        return a->receive > b->receive;
    if (a->from != b->from)
        return a->from > b->from;
    return a->to != b->to ? a->to > b->to : a->size > b->size;
}

static void tms_sift_down(struct tl_messages *m, const struct prvcut_timeline_message *new)
{
    size_t i = 0;

    for (size_t child = 1; child < m->count; child = 2 * i + 1) {
        if (child + 1 < m->count && tms_above(&m->at[child + 1], &m->at[child]))
            child++;
        if (!tms_above(&m->at[child], new))
            break;
        m->at[i] = m->at[child];
        i = child;
    }
    m->at[i] = *new;
}

static enum prvcut_status tms_offer(struct tl_messages *m,
                                    const struct prvcut_timeline_message *new,
                                    struct prvcut_error *err)
{
    size_t i = m->count;
    void *at = m->at;

    m->seen++;
    if (m->count == m->most) {
        if (m->most > 0 && tms_above(&m->at[0], new))
            tms_sift_down(m, new);
        return PRVCUT_OK;
    }
    if (prvcut_grow(&at, &m->room, m->count + 1, sizeof *m->at, err) < 0)
        return PRVCUT_ENOMEM;
    m->at = at;
    m->count++;
    for (; i > 0 && tms_above(new, &m->at[(i - 1) / 2]); i = (i - 1) / 2)
        m->at[i] = m->at[(i - 1) / 2];
    m->at[i] = *new;
    return PRVCUT_OK;
}

static bool tms_inside(const struct tl_grid *g, uint32_t thread, uint64_t time)
{
    const struct prvcut_span own = prvcut_window_own(g->window, thread);

    return time >= own.start && time < own.end;
}

static bool tms_shown(const struct tl_grid *g, uint32_t thread)
{
    return thread < g->threads && g->row[thread] != TL_HIDDEN;
}

static bool tms_whole_is_inside(const struct tl_grid *g, const struct prvcut_message *x)
{
    return tms_shown(g, x->sender) && tms_shown(g, x->receiver) &&
           tms_inside(g, x->sender, x->logical_send) &&
           tms_inside(g, x->receiver, x->physical_receive);
}

static bool tms_half_is_inside(const struct tl_grid *g, const struct prvcut_half *x)
{
    return tms_shown(g, x->thread) && tms_shown(g, x->peer) && tms_inside(g, x->thread, x->time);
}

bool tl_messages_may(const struct tl_messages *m, const struct prvcut_batch *b)
{
    bool any = false;

    for (size_t i = 0; m->most > 0 && i < b->messages && !any; i++)
        any = tms_whole_is_inside(m->grid, &b->message[i]);
    for (size_t i = 0; m->most > 0 && i < b->halves && !any; i++)
        any = tms_half_is_inside(m->grid, &b->half[i]);
    return any;
}

static enum prvcut_status tms_take_whole(struct tl_messages *m, const struct prvcut_message *x,
                                         struct prvcut_error *err)
{
    const struct tl_grid *g = m->grid;

    if (!tms_whole_is_inside(g, x))
        return PRVCUT_OK;
    return tms_offer(m,
                     &(struct prvcut_timeline_message){ g->row[x->sender], g->row[x->receiver],
                                                        x->logical_send, x->physical_receive,
                                                        x->size },
                     err);
}

static uint64_t tms_channel_rank(const struct tl_half *h)
{
    return tms_mix(tms_mix(tms_mix(UINT64_C(1), h->from), h->to), (uint64_t)h->tag);
}

/* Half of the channels go. How often that must be does not depend on the order of what comes. */
static void tms_thin_out(struct tl_messages *m)
{
    size_t kept = 0;

    m->channel /= 2;
    for (size_t i = 0; i < m->halves; i++)
        if (tms_channel_rank(&m->half[i]) <= m->channel)
            m->half[kept++] = m->half[i];
    m->halves = kept;
}

static enum prvcut_status tms_take_half(struct tl_messages *m, const struct prvcut_half *x,
                                        struct prvcut_error *err)
{
    const struct tl_grid *g = m->grid;
    struct tl_half h = { .time = x->time, .size = x->size, .tag = x->tag, .receive = x->receive };
    void *at = m->half;

    if (!tms_half_is_inside(g, x))
        return PRVCUT_OK;
    h.from = g->row[x->receive ? x->peer : x->thread];
    h.to = g->row[x->receive ? x->thread : x->peer];
    h.matched = x->receive ? prvcut_other_time(x, x->time) : x->time;
    m->sends += !x->receive;
    if (tms_channel_rank(&h) > m->channel)
        return PRVCUT_OK;
    if (prvcut_grow(&at, &m->half_room, m->halves + 1, sizeof *m->half, err) < 0)
        return PRVCUT_ENOMEM;
    m->half = at;
    m->half[m->halves++] = h;
    while (m->halves > TL_HALVES)
        tms_thin_out(m);
    return PRVCUT_OK;
}

enum prvcut_status tl_messages_batch(struct tl_messages *m, const struct prvcut_batch *b,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < b->messages && st == PRVCUT_OK; i++)
        st = tms_take_whole(m, &b->message[i], err);
    for (size_t i = 0; i < b->halves && st == PRVCUT_OK; i++)
        st = tms_take_half(m, &b->half[i], err);
    return st;
}

static struct prvcut_channel tms_channel(const struct tl_half *h)
{
    return (struct prvcut_channel){ h->from, h->to, h->tag };
}

static int tms_compare_channel(const void *a, const void *b)
{
    const struct prvcut_channel x = tms_channel(a), y = tms_channel(b);

    return prvcut_channel_order(&x, &y);
}

static bool tms_same_channel(const void *a, const void *b)
{
    return tms_compare_channel(a, b) == 0;
}

static bool tms_is_receive(const void *end)
{
    return ((const struct tl_half *)end)->receive;
}

/* Channel by channel, its sends before its receives, each in their order. */
static int tms_by_channel(const void *a, const void *b)
{
    const struct tl_half *x = a, *y = b;
    const int c = tms_compare_channel(x, y);

    if (c != 0)
        return c;
    if (x->receive != y->receive)
        return x->receive ? 1 : -1;
    if (x->matched != y->matched)
        return x->matched < y->matched ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->size > y->size) - (x->size < y->size);
}

static enum prvcut_status tms_meet(void *ctx, const void *send, const void *receive,
                                   struct prvcut_error *err)
{
    const struct tl_half *s = send, *r = receive;

    if (!s)
        return PRVCUT_OK;
    return tms_offer(
        ctx, &(struct prvcut_timeline_message){ s->from, s->to, s->time, r->time, s->size }, err);
}

static enum prvcut_status tms_pair(void *ctx, const struct prvcut_piece *c,
                                   struct prvcut_error *err)
{
    const size_t most = c->receives > UNDER_WAY ? UNDER_WAY : c->receives > 0 ? c->receives - 1 : 0;

    return prvcut_piece_meet(c, prvcut_piece_sent_before(c, most, 0, SIZE_MAX), ctx, tms_meet, err);
}

static enum prvcut_status tms_pair_all(struct tl_messages *m, struct prvcut_error *err)
{
    const struct prvcut_halves all = { .at = m->half,
                                       .count = m->halves,
                                       .stride = sizeof *m->half,
                                       .time = offsetof(struct tl_half, time),
                                       .order = tms_by_channel,
                                       .same = tms_same_channel,
                                       .is_receive = tms_is_receive };
    const enum prvcut_status st = prvcut_halves_channels(&all, m, tms_pair, err);

    if (m->channel != UINT64_MAX)
        m->seen = m->sends;
    return st;
}

static int tms_by_time(const void *a, const void *b)
{
    const struct prvcut_timeline_message *x = a, *y = b;

    if (x->send != y->send)
        return x->send < y->send ? -1 : 1;
    return tms_above(x, y) - tms_above(y, x);
}

enum prvcut_status tl_messages_take(struct tl_messages *m, struct prvcut_timeline *out,
                                    struct prvcut_error *err)
{
    const enum prvcut_status st = tms_pair_all(m, err);

    if (st < 0)
        return st;
    if (m->count > 0)
        qsort(m->at, m->count, sizeof *m->at, tms_by_time);
    out->message = m->at;
    out->messages = m->count;
    out->messages_seen = m->seen;
    m->at = NULL;
    m->count = m->room = 0;
    return PRVCUT_OK;
}

void tl_messages_fini(struct tl_messages *m)
{
    free(m->at);
    free(m->half);
    memset(m, 0, sizeof *m);
}
