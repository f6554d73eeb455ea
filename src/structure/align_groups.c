#include "structure/align_groups.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "stream/pair.h"

#include <stdlib.h>
#include <string.h>

/*
 * Bounds of memory and time, chosen.
 *
 * name         value   unit             decides
 */
#define FLIGHT_MOST 64 /* messages of one channel that may be under way where the piece begins */
#define SHIFT_MOST  16 /* collectives by which one thread's part of the piece may begin later */
#define SAMPLES     64 /* collectives that are compared to find that out */

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

static uint32_t agr_sender_of(const struct align_half *h)
{
    return h->receive ? h->peer : h->thread;
}

static uint32_t agr_receiver_of(const struct align_half *h)
{
    return h->receive ? h->thread : h->peer;
}

/* The communicator does not count: some tracers record it wrongly at one end. */
static int agr_by_channel(const void *a, const void *b)
{
    const struct align_half *x = a, *y = b;

    if (agr_sender_of(x) != agr_sender_of(y))
        return agr_sender_of(x) < agr_sender_of(y) ? -1 : 1;
    if (agr_receiver_of(x) != agr_receiver_of(y))
        return agr_receiver_of(x) < agr_receiver_of(y) ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
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

static enum prvcut_status agr_group_channel(struct align_groups *g, const struct align_piece *p,
                                            const struct align_half *half, size_t halves,
                                            uint64_t tolerance, struct prvcut_error *err)
{
    const struct align_half *receive;
    size_t sends = 0, receives, d = 0;
    enum prvcut_status st = PRVCUT_OK;

    while (sends < halves && !half[sends].receive)
        sends++;
    receive = half + sends;
    receives = halves - sends;
    /* At the run's beginning none belongs to a send before the piece. */
    if (p->span.start > 0)
        d = stm_piece_sent_before(&(struct stm_piece){ half, receive, sends, receives, sizeof *half,
                                                       offsetof(struct align_half, time) },
                                  receives < FLIGHT_MOST ? receives : FLIGHT_MOST, tolerance, 1);
    if (d == SIZE_MAX || !agr_trusted(sends, receives, d)) {
        g->untrusted++;
        return PRVCUT_OK;
    }
    for (size_t k = 0; k < receives && st == PRVCUT_OK; k++) {
        const bool early = k < d;

        if (!early && k - d >= sends)
            break;
        /* A message that was sent before the piece is before all borders at that end. */
        st = early ? agr_add_point(g, half->receive ? half->peer : half->thread, 0, err)
                   : agr_add_at(g, p, half[k - d].thread, half[k - d].time, err);
        if (st == PRVCUT_OK)
            st = agr_add_at(g, p, receive[k].thread, receive[k].time, err);
        g->groups++;
    }
    return st;
}

static enum prvcut_status agr_group_halves(struct align_groups *g, struct align_piece *p,
                                           uint64_t tolerance, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (p->halves > 0)
        qsort(p->half, p->halves, sizeof *p->half, agr_by_end);
    for (size_t i = 0, end; i < p->halves && st == PRVCUT_OK; i = end) {
        for (end = i + 1; end < p->halves && agr_by_channel(&p->half[i], &p->half[end]) == 0;)
            end++;
        if (agr_sender_of(&p->half[i]) != agr_receiver_of(&p->half[i]))
            st = agr_group_channel(g, p, &p->half[i], end - i, tolerance, err);
    }
    return st;
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

static const struct align_call *agr_call_of(const struct align_piece *p, const struct row *r,
                                            size_t k)
{
    return &p->thread[r->thread].call[r->pos[k] - 1];
}

static uint64_t agr_apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/*
 * How badly two threads' collectives fit, the k-th of one to the (k + shift)-th of the other: they
 * should overlap in time, and end together where everybody waits for everybody.
 */
static double agr_misfit(const struct align_piece *p, const struct row *a, const struct row *b,
                         long shift)
{
    const size_t from = shift < 0 ? (size_t)-shift : 0;
    size_t n = 0, step;
    double sum = 0;

    while (from + n < a->count && (size_t)((long)(from + n) + shift) < b->count)
        n++;
    if (n == 0)
        return -1;
    step = n / SAMPLES + 1;
    for (size_t k = from; k < from + n; k += step) {
        const struct align_call *x = agr_call_of(p, a, k),
                                *y = agr_call_of(p, b, (size_t)((long)k + shift));
        const uint64_t gap = x->time > y->end   ? x->time - y->end
                             : y->time > x->end ? y->time - x->end
                                                : 0;

        sum += 4 * (double)gap + (double)agr_apart(x->end, y->end);
        if (x->call != y->call)
            sum += 1e15;
    }
    return sum / (double)((n + step - 1) / step);
}

/* From where on both threads' collectives are the same ones. */
static void agr_match_rows(const struct align_piece *p, const struct row *model, struct row *r)
{
    double best = -1;
    long found = 0;

    for (long i = 0; i <= 2 * SHIFT_MOST; i++) {
        /* The smallest shifts first: they win where nothing tells them apart. */
        const long shift = i % 2 ? (i + 1) / 2 : -i / 2;
        const double now = agr_misfit(p, model, r, shift);

        if (now < 0 || (best >= 0 && now >= best))
            continue;
        best = now;
        found = shift;
    }
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
