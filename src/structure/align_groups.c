#include "structure/align_groups.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "match/end.h"
#include "match/members.h"
#include "match/piece.h"

#include <stdlib.h>
#include <string.h>

/*
 * Bounds of memory and time, chosen.
 *
 * name         value   unit             decides
 */
#define FLIGHT_MOST 64 /* messages of one channel that may be under way where the piece begins */

static enum prvcut_status agr_add_point(struct align_groups *g, uint32_t thread, uint32_t pos,
                                        struct prvcut_error *err)
{
    if (g->points == g->room &&
        prvcut_grow((void **)&g->point, &g->room, g->points + 1, sizeof *g->point, err) < 0)
        return PRVCUT_ENOMEM;
    g->point[g->points++] = (struct align_point){ thread, pos, g->groups };
    return PRVCUT_OK;
}

/* Borders are laid between calls: on a thread without any, nothing is before or behind one. It goes
   with the others, as where only their records were kept. */
static bool agr_has_border(const struct align_piece *p, uint32_t thread)
{
    return p->thread[thread].count > 0;
}

static enum prvcut_status agr_add_at(struct align_groups *g, const struct align_piece *p,
                                     uint32_t thread, uint64_t time, struct prvcut_error *err)
{
    if (!agr_has_border(p, thread))
        return PRVCUT_OK;
    return agr_add_point(g, thread, prvcut_align_calls_near(&p->thread[thread], time), err);
}

/* The call in which something ends; where one begins as the call before it ends, that one. */
static uint32_t agr_grp_end(const struct align_piece *p, uint32_t thread, uint32_t first,
                            uint64_t to)
{
    const struct align_call *call = p->thread[thread].call;
    const uint32_t last = prvcut_align_calls_near(&p->thread[thread], to);

    return last > first && last > 1 && call[last - 1].time == to && call[last - 2].end == to
               ? last - 1
               : last;
}

/* What happens from one time to another; where both are in one call, that is one point. */
static enum prvcut_status agr_add_from_to(struct align_groups *g, const struct align_piece *p,
                                          uint32_t thread, uint64_t from, uint64_t to,
                                          struct prvcut_error *err)
{
    const uint32_t first = prvcut_align_calls_near(&p->thread[thread], from);
    const uint32_t last = agr_grp_end(p, thread, first, to);
    enum prvcut_status st;

    if (!agr_has_border(p, thread))
        return PRVCUT_OK;
    st = agr_add_point(g, thread, first, err);
    return st < 0 || last == first ? st : agr_add_point(g, thread, last, err);
}

/* Whole messages: posted and done on both sides. */
static enum prvcut_status agr_group_messages(struct align_groups *g, const struct align_piece *p,
                                             struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->messages && st == PRVCUT_OK; i++) {
        const struct prvcut_message *m = &p->message[i];

        st = agr_add_from_to(g, p, m->sender, m->logical_send, m->physical_send, err);
        if (st == PRVCUT_OK)
            st = agr_add_from_to(g, p, m->receiver, m->logical_receive, m->physical_receive, err);
        g->groups++;
    }
    return st;
}

/* The communicator does not count: some tracers record it wrongly at one end. */
static struct prvcut_channel agr_channel(const struct align_half *h)
{
    return h->receive ? (struct prvcut_channel){ h->peer, h->thread, h->tag }
                      : (struct prvcut_channel){ h->thread, h->peer, h->tag };
}

static int agr_by_channel(const void *a, const void *b)
{
    const struct prvcut_channel x = agr_channel(a), y = agr_channel(b);

    return prvcut_channel_order(&x, &y);
}

static bool agr_same_channel(const void *a, const void *b)
{
    return agr_by_channel(a, b) == 0;
}

static bool agr_is_receive(const void *end)
{
    return ((const struct align_half *)end)->receive;
}

static int agr_by_end(const void *a, const void *b)
{
    const struct align_half *x = a, *y = b;
    const int channel = agr_by_channel(a, b);

    if (channel != 0)
        return channel;
    if (x->receive != y->receive)
        return x->receive ? 1 : -1;
    return (x->time > y->time) - (x->time < y->time);
}

/* Where one end of many is not recorded, the k-th of one side is not the k-th of the other. */
static bool agr_trusted(size_t sends, size_t receives, size_t d)
{
    const size_t matched = receives - d, less = matched < sends ? matched : sends;

    return less > 0 && sends - less <= 2 + sends / 4;
}

struct agr_pairing {
    struct align_groups *groups;
    const struct align_piece *piece;
    uint64_t tolerance;
};

static enum prvcut_status agr_group_pair(void *ctx, const void *send, const void *receive,
                                         struct prvcut_error *err)
{
    const struct agr_pairing *a = ctx;
    const struct align_half *s = send, *r = receive;
    enum prvcut_status st;

    /* A message that was sent before the piece is before all borders at that end. */
    st = s ? agr_add_at(a->groups, a->piece, s->thread, s->time, err)
           : agr_add_point(a->groups, r->peer, 0, err);
    if (st == PRVCUT_OK)
        st = agr_add_at(a->groups, a->piece, r->thread, r->time, err);
    a->groups->groups++;
    return st;
}

static enum prvcut_status agr_group_channel(void *ctx, const struct prvcut_piece *c,
                                            struct prvcut_error *err)
{
    const struct agr_pairing *a = ctx;
    const struct prvcut_channel channel = agr_channel(c->send);
    size_t before = 0;

    if (channel.sender == channel.receiver)
        return PRVCUT_OK;
    /* At the run's beginning none belongs to a send before the piece. */
    if (a->piece->span.start > 0)
        before = prvcut_piece_sent_before(c, c->receives < FLIGHT_MOST ? c->receives : FLIGHT_MOST,
                                          a->tolerance, 1);
    if (before == SIZE_MAX || !agr_trusted(c->sends, c->receives, before)) {
        a->groups->untrusted++;
        return PRVCUT_OK;
    }
    return prvcut_piece_meet(c, before, ctx, agr_group_pair, err);
}

static enum prvcut_status agr_group_halves(struct align_groups *g, struct align_piece *p,
                                           uint64_t tolerance, struct prvcut_error *err)
{
    const struct prvcut_halves all = { .at = p->half,
                                       .count = p->halves,
                                       .stride = sizeof *p->half,
                                       .time = offsetof(struct align_half, time),
                                       .order = agr_by_end,
                                       .same = agr_same_channel,
                                       .is_receive = agr_is_receive };
    struct agr_pairing a = { g, p, tolerance };

    return prvcut_halves_channels(&all, &a, agr_group_channel, err);
}

/* One thread's collectives on one communicator. */
struct row {
    uint32_t application, communicator, thread;
    uint32_t *pos; /* [count], 1-based */
    size_t count, room;
    size_t skip; /* of its collectives, that the model's part of the piece does not hold */
    size_t lack; /* of the model's, that this one does not hold */
};

struct rows {
    struct row *at;
    size_t count, room;
};

static int agr_by_communicator(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    if (x->application != y->application)
        return x->application < y->application ? -1 : 1;
    if (x->communicator != y->communicator)
        return x->communicator < y->communicator ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Of one thread's rows, from `from` on, the one of a communicator; a new one where there is none.
 */
static struct row *agr_row_of(struct rows *r, size_t from, struct row new, struct prvcut_error *err)
{
    for (size_t i = from; i < r->count; i++)
        if (r->at[i].communicator == new.communicator)
            return &r->at[i];
    if (prvcut_grow((void **)&r->at, &r->room, r->count + 1, sizeof *r->at, err) < 0)
        return NULL;
    r->at[r->count] = new;
    return &r->at[r->count++];
}

static enum prvcut_status agr_rows_make(struct rows *r, const struct align_piece *p,
                                        struct prvcut_error *err)
{
    for (uint32_t t = 0; t < p->threads; t++) {
        const size_t from = r->count;

        for (size_t i = 0; i < p->thread[t].count; i++) {
            const struct align_call *c = &p->thread[t].call[i];
            struct row *row;

            if (!c->collective)
                continue;
            row = agr_row_of(r, from,
                             (struct row){ .application = p->application[t],
                                           .communicator = c->communicator,
                                           .thread = t },
                             err);
            if (!row || prvcut_grow((void **)&row->pos, &row->room, row->count + 1,
                                    sizeof *row->pos, err) < 0)
                return PRVCUT_ENOMEM;
            row->pos[row->count++] = (uint32_t)i + 1;
        }
    }
    if (r->count > 0)
        qsort(r->at, r->count, sizeof *r->at, agr_by_communicator);
    return PRVCUT_OK;
}

struct agr_sequence {
    const struct align_piece *piece;
    const struct row *row;
};

static struct prvcut_member_part agr_part_of(const void *ctx, size_t k)
{
    const struct agr_sequence *s = ctx;
    const struct align_call *c = &s->piece->thread[s->row->thread].call[s->row->pos[k] - 1];

    return (struct prvcut_member_part){ c->time, c->end, c->call };
}

/* From where on both threads' collectives are the same ones. */
static void agr_match_rows(const struct align_piece *p, const struct row *model, struct row *r)
{
    const struct agr_sequence a = { p, model }, b = { p, r };
    const long found =
        prvcut_members_shift(&(struct prvcut_member_sequence){ &a, model->count, agr_part_of },
                             &(struct prvcut_member_sequence){ &b, r->count, agr_part_of });

    r->skip = found > 0 ? (size_t)found : 0;
    r->lack = found < 0 ? (size_t)-found : 0;
}

/* The k-th collective of the model with those of all others. */
static enum prvcut_status agr_group_collective(struct align_groups *g, const struct row *row,
                                               size_t rows, size_t k, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < rows && st == PRVCUT_OK; i++)
        if (k >= row[i].lack && k - row[i].lack + row[i].skip < row[i].count)
            st = agr_add_point(g, row[i].thread, row[i].pos[k - row[i].lack + row[i].skip], err);
    g->groups++;
    return st;
}

static enum prvcut_status agr_group_collectives(struct align_groups *g, const struct align_piece *p,
                                                struct prvcut_error *err)
{
    struct rows r = { 0 };
    enum prvcut_status st = agr_rows_make(&r, p, err);

    for (size_t i = 0, end; i < r.count && st == PRVCUT_OK; i = end) {
        for (end = i + 1; end < r.count && r.at[end].application == r.at[i].application &&
                          r.at[end].communicator == r.at[i].communicator;)
            end++;
        for (size_t k = i + 1; p->span.start > 0 && k < end; k++)
            agr_match_rows(p, &r.at[i], &r.at[k]);
        for (size_t k = 0; end - i > 1 && k < r.at[i].count && st == PRVCUT_OK; k++)
            st = agr_group_collective(g, &r.at[i], end - i, k, err);
    }
    for (size_t i = 0; i < r.count; i++)
        free(r.at[i].pos);
    free(r.at);
    return st;
}

/* Lists by group and by thread; points come group by group. */
static enum prvcut_status agr_index_points(struct align_groups *g, const struct align_piece *p,
                                           struct prvcut_error *err)
{
    const size_t groups = (size_t)g->groups + 1, threads = (size_t)p->threads + 2;

    if (prvcut_grow((void **)&g->first, &g->first_room, groups, sizeof *g->first, err) < 0 ||
        prvcut_grow((void **)&g->by_thread, &g->by_thread_room, g->points + 1, sizeof *g->by_thread,
                    err) < 0 ||
        prvcut_grow((void **)&g->begin, &g->begin_room, threads, sizeof *g->begin, err) < 0)
        return PRVCUT_ENOMEM;
    memset(g->first, 0, groups * sizeof *g->first);
    memset(g->begin, 0, threads * sizeof *g->begin);
    for (size_t i = 0; i < g->points; i++) {
        g->first[g->point[i].group + 1]++;
        g->begin[g->point[i].thread + 2]++;
    }
    for (uint32_t i = 0; i < g->groups; i++)
        g->first[i + 1] += g->first[i];
    for (size_t i = 2; i <= (size_t)p->threads + 1; i++)
        g->begin[i] += g->begin[i - 1];
    for (size_t i = 0; i < g->points; i++)
        g->by_thread[g->begin[g->point[i].thread + 1]++] = i;
    return PRVCUT_OK;
}

/* Those of one thread by pos, of the same pos as they were. before: [calls + 2], room: [count] */
static void agr_sort_thread(const struct align_point *point, size_t *at, size_t count, size_t calls,
                            size_t *before, size_t *room)
{
    memset(before, 0, (calls + 2) * sizeof *before);
    for (size_t i = 0; i < count; i++)
        before[point[at[i]].pos + 1]++;
    for (size_t i = 0; i <= calls; i++)
        before[i + 1] += before[i];
    for (size_t i = 0; i < count; i++)
        room[before[point[at[i]].pos]++] = at[i];
    memcpy(at, room, count * sizeof *at);
}

static enum prvcut_status agr_sort_threads(struct align_groups *g, const struct align_piece *p,
                                           struct prvcut_error *err)
{
    size_t calls = 0, points = 0, *before, *room;

    for (uint32_t t = 0; t < p->threads; t++) {
        const size_t count = g->begin[t + 1] - g->begin[t];

        calls = p->thread[t].count > calls ? p->thread[t].count : calls;
        points = count > points ? count : points;
    }
    before = prvcut_unset(calls + 2, sizeof *before, "ends of messages", err);
    room = prvcut_unset(points + 1, sizeof *room, "ends of messages", err);
    for (uint32_t t = 0; before && room && t < p->threads; t++)
        agr_sort_thread(g->point, g->by_thread + g->begin[t], g->begin[t + 1] - g->begin[t],
                        p->thread[t].count, before, room);
    free(before);
    free(room);
    return before && room ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* When a point's call begins; 0: it is before all of them. */
static uint64_t agr_point_time(const struct align_piece *p, const struct align_point *at)
{
    return at->pos > 0 ? p->thread[at->thread].call[at->pos - 1].time : 0;
}

/* From where to where each group reaches in time, in room for two a group. */
static void agr_find_hulls(const struct align_groups *g, const struct align_piece *p,
                           struct prvcut_span *hull)
{
    for (uint32_t i = 0; i < g->groups; i++) {
        hull[i] = (struct prvcut_span){ UINT64_MAX, 0 };
        for (size_t k = g->first[i]; k < g->first[i + 1]; k++) {
            const uint64_t time = agr_point_time(p, &g->point[k]);

            hull[i].start = time < hull[i].start ? time : hull[i].start;
            hull[i].end = time > hull[i].end ? time : hull[i].end;
        }
    }
}

static enum prvcut_status agr_note_reach(struct align_groups *g, const struct align_piece *p,
                                         struct prvcut_error *err)
{
    struct prvcut_span *hull =
        prvcut_unset((size_t)g->groups + 1, sizeof *hull, "ends of messages", err);

    if (!hull ||
        prvcut_grow((void **)&g->last, &g->last_room, g->points + 1, sizeof *g->last, err) < 0 ||
        prvcut_grow((void **)&g->earliest, &g->earliest_room, g->points + 1, sizeof *g->earliest,
                    err) < 0) {
        free(hull);
        return PRVCUT_ENOMEM;
    }
    agr_find_hulls(g, p, hull);
    for (uint32_t t = 0; t < p->threads; t++) {
        uint64_t last = 0, earliest = UINT64_MAX;

        for (size_t i = g->begin[t]; i < g->begin[t + 1]; i++) {
            const struct prvcut_span *h = &hull[g->point[g->by_thread[i]].group];

            g->last[i] = last = h->end > last ? h->end : last;
        }
        for (size_t i = g->begin[t + 1]; i-- > g->begin[t];) {
            const struct prvcut_span *h = &hull[g->point[g->by_thread[i]].group];

            g->earliest[i] = earliest = h->start < earliest ? h->start : earliest;
        }
    }
    free(hull);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_align_groups_make(struct align_groups *out, struct align_piece *p,
                                            uint64_t tolerance, struct prvcut_error *err)
{
    enum prvcut_status st;

    out->points = 0;
    out->groups = 0;
    out->untrusted = 0;
    st = agr_group_messages(out, p, err);
    if (st == PRVCUT_OK)
        st = agr_group_halves(out, p, tolerance, err);
    out->messages = out->groups;
    if (st == PRVCUT_OK)
        st = agr_group_collectives(out, p, err);
    if (st == PRVCUT_OK)
        st = agr_index_points(out, p, err);
    if (st == PRVCUT_OK)
        st = agr_sort_threads(out, p, err);
    return st == PRVCUT_OK ? agr_note_reach(out, p, err) : st;
}

void prvcut_align_groups_fini(struct align_groups *g)
{
    free(g->point);
    free(g->first);
    free(g->by_thread);
    free(g->begin);
    free(g->last);
    free(g->earliest);
    memset(g, 0, sizeof *g);
}
