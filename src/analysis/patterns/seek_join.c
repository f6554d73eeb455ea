#include "analysis/patterns/seek.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"
#include "base/table.h"
#include "stream/stream.h"

#include <stdlib.h>
#include <string.h>

/* Two spots, and how many messages they share; a < b. */
struct sjn_pair {
    struct {
        uint32_t a, b;
    } key;
    uint64_t messages;
};

/* A spot has a part in a collective. */
struct sjn_part {
    uint32_t collective, spot;
};

/* What is joined to a spot. */
struct sjn_link {
    uint32_t other;
    uint64_t messages;
};

/* How a row's turns are to those of the row that begins each place. */
struct sjn_pace {
    bool same;     /* it takes about as many */
    bool plain;    /* as many spots: these are the turns, whatever is between them */
    int64_t shift; /* its turn less the other's */
};

struct sjn_joiner {
    struct pat_sought *s;
    const struct pat_rows *rows;
    size_t *row_of; /* [threads] SIZE_MAX: none */
    struct prvcut_table pair;
    struct sjn_part *part; /* [parts] by collective, then by spot */
    size_t parts, part_room;
    uint32_t collectives;
    struct sjn_link *link; /* a spot's: [first[spot], first[spot + 1]) */
    size_t *first;
    uint32_t *group; /* spots' collectives: [group_first[spot], group_first[spot + 1]) */
    size_t *group_first, *member_first; /* member_first: of each collective, in part */
    /* The place that is being joined. */
    uint64_t *weight;  /* [spots] */
    uint32_t *round;   /* [spots] place in which the weight counts */
    uint32_t *touched; /* [collectives] place in which it was touched */
    uint32_t *best;    /* [rows] spot + 1 with the most weight; 0: none */
    uint32_t *joined;  /* [rows] spot + 1 */
    bool *used;        /* [spots] */
    uint32_t now;
    size_t lead;           /* the row that begins each place */
    uint64_t *turn;        /* [spots] the how manieth of its row, from 0; sjn_turns */
    struct sjn_pace *pace; /* [rows] */
    struct prvcut_error *err;
};

/* --- What spots share ------------------------------------------------------------------------- */

/* The spot of a thread that a time lies in; spots: none. */
static size_t sjn_at(const struct sjn_joiner *j, uint32_t thread, uint64_t time)
{
    const struct pat_sought *s = j->s;
    const size_t row = j->row_of[thread];
    size_t first, past;

    if (row == SIZE_MAX || time == UINT64_MAX)
        return s->spots;
    first = s->of[row];
    past = first + prvcut_lower_u64(s->spot + first, s->of[row + 1] - first, sizeof *s->spot,
                                    offsetof(struct pat_spot, begin_ns), time + 1);
    return past > first && time < s->spot[past - 1].until_ns ? past - 1 : s->spots;
}

static enum prvcut_status sjn_message(void *ctx, const struct prvcut_stream_message *m, bool begins,
                                      struct prvcut_error *err)
{
    struct sjn_joiner *j = ctx;
    const uint64_t received = m->posted != PRVCUT_NEVER ? m->posted : m->completed;
    size_t from, to;
    struct sjn_pair *p;

    if (!begins || m->sender == PRVCUT_NOBODY || m->receiver == PRVCUT_NOBODY ||
        m->sent == PRVCUT_NEVER)
        return PRVCUT_OK;
    from = sjn_at(j, m->sender, m->sent);
    to = sjn_at(j, m->receiver, received);
    if (from == j->s->spots || to == j->s->spots || j->s->spot[from].row == j->s->spot[to].row)
        return PRVCUT_OK;
    p = prvcut_table_make(&j->pair,
                          &(struct sjn_pair){ .key = { (uint32_t)(from < to ? from : to),
                                                       (uint32_t)(from < to ? to : from) } },
                          err);
    if (!p)
        return PRVCUT_ENOMEM;
    p->messages++;
    return PRVCUT_OK;
}

static enum prvcut_status sjn_collective(void *ctx, const struct prvcut_stream_collective *c,
                                         bool begins, struct prvcut_error *err)
{
    struct sjn_joiner *j = ctx;
    const size_t before = j->parts;

    if (!begins || c->fate == PRVCUT_FATE_UNLIKE || c->members < 2 ||
        j->collectives >= UINT32_MAX - 1)
        return PRVCUT_OK;
    for (uint32_t i = 0; i < c->members; i++) {
        const struct prvcut_stream_call *call = prvcut_stream_member(c, i)->call;
        const size_t at = sjn_at(j, call->thread, call->span.start);

        if (at == j->s->spots)
            continue;
        if (prvcut_grow((void **)&j->part, &j->part_room, j->parts + 1, sizeof *j->part, err) < 0)
            return PRVCUT_ENOMEM;
        j->part[j->parts++] = (struct sjn_part){ j->collectives, (uint32_t)at };
    }
    if (j->parts < before + 2)
        j->parts = before;
    else
        j->collectives++;
    return PRVCUT_OK;
}

/* --- In order --------------------------------------------------------------------------------- */

/* Counts become where each begins; count[i + 1] is of i. */
static void sjn_sum(size_t *count, size_t n)
{
    for (size_t i = 0; i < n; i++)
        count[i + 1] += count[i];
}

static enum prvcut_status sjn_links(struct sjn_joiner *j)
{
    const size_t spots = j->s->spots;
    const struct sjn_pair *pair = j->pair.at;
    size_t *next = prvcut_zeroed(spots + 1, sizeof *next, "matches", j->err);

    j->first = prvcut_zeroed(spots + 1, sizeof *j->first, "matches", j->err);
    j->link = prvcut_zeroed(2 * j->pair.count + 1, sizeof *j->link, "matches", j->err);
    for (size_t i = 0; next && j->first && j->link && i < j->pair.count; i++) {
        j->first[pair[i].key.a + 1]++;
        j->first[pair[i].key.b + 1]++;
    }
    if (next && j->first && j->link) {
        sjn_sum(j->first, spots);
        memcpy(next, j->first, (spots + 1) * sizeof *next);
        for (size_t i = 0; i < j->pair.count; i++) {
            const uint32_t a = pair[i].key.a, b = pair[i].key.b;

            j->link[next[a]++] = (struct sjn_link){ b, pair[i].messages };
            j->link[next[b]++] = (struct sjn_link){ a, pair[i].messages };
        }
    }
    free(next);
    return next && j->first && j->link ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status sjn_groups(struct sjn_joiner *j)
{
    const size_t spots = j->s->spots;
    size_t *next = prvcut_zeroed(spots + 1, sizeof *next, "matches", j->err);
    bool made;

    j->group_first = prvcut_zeroed(spots + 1, sizeof *j->group_first, "matches", j->err);
    j->group = prvcut_zeroed(j->parts + 1, sizeof *j->group, "matches", j->err);
    j->member_first =
        prvcut_zeroed((size_t)j->collectives + 1, sizeof *j->member_first, "collectives", j->err);
    made = next && j->group_first && j->group && j->member_first;
    for (size_t i = 0; made && i < j->parts; i++) {
        j->group_first[j->part[i].spot + 1]++;
        j->member_first[j->part[i].collective + 1]++;
    }
    if (made) {
        sjn_sum(j->group_first, spots);
        sjn_sum(j->member_first, j->collectives);
        memcpy(next, j->group_first, (spots + 1) * sizeof *next);
        for (size_t i = 0; i < j->parts; i++)
            j->group[next[j->part[i].spot]++] = j->part[i].collective;
    }
    free(next);
    return made ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* --- Joining ---------------------------------------------------------------------------------- */

static void sjn_weigh(struct sjn_joiner *j, uint32_t spot, uint64_t more)
{
    const uint32_t row = j->s->spot[spot].row;
    uint32_t best;

    if (j->used[spot] || j->joined[row] > 0)
        return;
    j->weight[spot] = (j->round[spot] == j->now ? j->weight[spot] : 0) + more;
    j->round[spot] = j->now;
    best = j->best[row];
    if (best == 0 || j->weight[spot] > j->weight[best - 1] ||
        (j->weight[spot] == j->weight[best - 1] && spot < best - 1))
        j->best[row] = spot + 1;
}

static void sjn_add(struct sjn_joiner *j, uint32_t spot)
{
    j->joined[j->s->spot[spot].row] = spot + 1;
    j->used[spot] = true;
    for (size_t i = j->first[spot]; i < j->first[spot + 1]; i++)
        sjn_weigh(j, j->link[i].other, j->link[i].messages);
    for (size_t i = j->group_first[spot]; i < j->group_first[spot + 1]; i++) {
        const uint32_t c = j->group[i];

        if (j->touched[c] == j->now)
            continue;
        j->touched[c] = j->now;
        for (size_t k = j->member_first[c]; k < j->member_first[c + 1]; k++)
            sjn_weigh(j, j->part[k].spot, 1);
    }
}

/* The spot that shares most with what is joined; of equals that of the lowest thread. + 1; 0: none
 */
static uint32_t sjn_nearest(const struct sjn_joiner *j)
{
    uint32_t best = 0;

    for (size_t r = 0; r < j->s->rows; r++)
        if (j->joined[r] == 0 && j->best[r] > 0 &&
            (best == 0 || j->weight[j->best[r] - 1] > j->weight[best - 1]))
            best = j->best[r];
    return best;
}

/* --- Turns ------------------------------------------------------------------------------------ */

/* Rows differ by so many turns at most, and by one in so many, to go round together. */
#define TURNS_APART 64
#define TURNS_OF    10

/* The turn of each spot. Calls between two that would be enough for some more are as many turns
   that were not found. */
static void sjn_turns(struct sjn_joiner *j)
{
    const struct pat_sought *s = j->s;

    for (size_t r = 0; r < s->rows; r++)
        for (size_t i = s->of[r]; i < s->of[r + 1]; i++) {
            const uint64_t gap = i > s->of[r] ? s->spot[i].first - s->spot[i - 1].end : 0;

            j->turn[i] =
                i == s->of[r] ? 0 : j->turn[i - 1] + 1 + (gap + s->asked[r] / 2) / s->asked[r];
        }
}

/* The spot of a row whose turn it is when it is that of a spot of the first row; spots: none. */
static size_t sjn_at_turn(const struct sjn_joiner *j, size_t row, size_t spot, int64_t shift)
{
    const struct pat_sought *s = j->s;
    const size_t first = s->of[row], count = s->of[row + 1] - first;
    const bool plain = j->pace[row].plain;
    const int64_t turn = (int64_t)(plain ? spot - s->of[j->lead] : j->turn[spot]) + shift;
    size_t at;

    if (turn < 0)
        return s->spots;
    at = plain ? (size_t)turn
               : prvcut_index_u64(j->turn + first, count, sizeof *j->turn, 0, (uint64_t)turn);
    return at < count ? first + at : s->spots;
}

/* Computation behind the last call counts, up to the next one: calls of a loop may be short, and
   far apart. */
static uint64_t sjn_together(const struct pat_spot *a, const struct pat_spot *b)
{
    const uint64_t begin = a->begin_ns > b->begin_ns ? a->begin_ns : b->begin_ns;
    const uint64_t end = a->until_ns < b->until_ns ? a->until_ns : b->until_ns;

    return end > begin ? end - begin : 0;
}

/* Of the shifts with which most turns of the row meet one of the first row's, that which brings
   them together for longest. */
static void sjn_pace(struct sjn_joiner *j, size_t row)
{
    const struct pat_sought *s = j->s;
    const size_t first = s->of[j->lead], end = s->of[j->lead + 1];
    const uint64_t own = s->of[row + 1] > s->of[row] ? j->turn[s->of[row + 1] - 1] + 1 : 0;
    const int64_t apart = (int64_t)own - (int64_t)(j->turn[end - 1] + 1);
    const uint64_t by = (uint64_t)llabs(apart);
    struct sjn_pace *p = &j->pace[row];
    size_t most = 0;
    double longest = 0;

    p->plain = s->of[row + 1] - s->of[row] == end - first;
    p->same =
        p->plain || (own > 0 && by <= TURNS_APART && by <= 1 + (j->turn[end - 1] + 1) / TURNS_OF);
    for (uint64_t k = 0; p->same && !p->plain && k <= by; k++) {
        const int64_t shift = apart < 0 ? -(int64_t)k : (int64_t)k;
        size_t met = 0;
        double time = 0;

        for (size_t i = first; i < end; i++) {
            const size_t at = sjn_at_turn(j, row, i, shift);

            if (at == s->spots)
                continue;
            met++;
            time += (double)sjn_together(&s->spot[i], &s->spot[at]);
        }
        if (met < most || (met == most && k > 0 && time <= longest))
            continue;
        most = met;
        longest = time;
        p->shift = shift;
    }
}

/* Threads that are tied to the first one somewhere are as far from it as they were there. */
static void sjn_keep_pace(struct sjn_joiner *j, size_t spot)
{
    const struct pat_sought *s = j->s;

    for (size_t r = 0; r < s->rows; r++) {
        const size_t at = (size_t)j->joined[r] - 1;

        if (j->joined[r] > 0)
            j->pace[r].shift = j->pace[r].plain
                                   ? (int64_t)(at - s->of[r]) - (int64_t)(spot - s->of[j->lead])
                                   : (int64_t)j->turn[at] - (int64_t)j->turn[spot];
    }
}

/* What overlaps most with the first one, in time. spots: nothing does */
static size_t sjn_overlap(const struct sjn_joiner *j, size_t row, const struct pat_spot *with)
{
    const struct pat_sought *s = j->s;
    uint64_t most = 0;
    size_t best = s->spots;

    for (size_t i = s->of[row]; i < s->of[row + 1]; i++) {
        const uint64_t together = sjn_together(&s->spot[i], with);

        if (s->spot[i].begin_ns >= with->until_ns)
            break;
        if (j->used[i] || together <= most)
            continue;
        most = together;
        best = i;
    }
    return best;
}

/* A thread that shares nothing here: where it goes round as often as the first one, its same turn,
   however far they are from each other in time; else what overlaps. */
static size_t sjn_untied(const struct sjn_joiner *j, size_t row, uint32_t spot)
{
    const struct sjn_pace *p = &j->pace[row];
    const size_t at =
        p->same ? sjn_at_turn(j, row, spot, p->shift) : sjn_overlap(j, row, &j->s->spot[spot]);

    return at < j->s->spots && !j->used[at] ? at : j->s->spots;
}

/* It counts where half of the threads are in it, and their edits are few. */
static enum prvcut_status sjn_settle(struct sjn_joiner *j)
{
    struct pat_sought *s = j->s;
    struct pat_place p = { .first = s->parts, .begin_ns = UINT64_MAX };
    uint64_t most = 0;

    for (size_t r = 0; r < s->rows; r++) {
        const struct pat_spot *spot;

        most += s->most[r];
        if (j->joined[r] == 0)
            continue;
        if (prvcut_grow((void **)&s->part, &s->part_room, s->parts + 1, sizeof *s->part, j->err) <
            0)
            return PRVCUT_ENOMEM;
        s->part[s->parts++] = j->joined[r] - 1;
        spot = &s->spot[j->joined[r] - 1];
        p.count++;
        p.edits += spot->edits;
        p.begin_ns = spot->begin_ns < p.begin_ns ? spot->begin_ns : p.begin_ns;
        p.end_ns = spot->end_ns > p.end_ns ? spot->end_ns : p.end_ns;
    }
    if (p.edits > most || 2 * p.count < s->asked_rows) {
        s->parts = p.first;
        return PRVCUT_OK;
    }
    if (prvcut_grow((void **)&s->place, &s->place_room, s->places + 1, sizeof *s->place, j->err) <
        0)
        return PRVCUT_ENOMEM;
    s->place[s->places++] = p;
    return PRVCUT_OK;
}

static enum prvcut_status sjn_join(struct sjn_joiner *j, uint32_t spot)
{
    uint32_t next = spot + 1;

    j->now++;
    memset(j->best, 0, j->s->rows * sizeof *j->best);
    memset(j->joined, 0, j->s->rows * sizeof *j->joined);
    for (; next > 0; next = sjn_nearest(j))
        sjn_add(j, next - 1);
    sjn_keep_pace(j, spot);
    /* What is tied to one that is not comes with it. */
    for (size_t r = 0; r < j->s->rows; r++) {
        const size_t at = j->joined[r] == 0 ? sjn_untied(j, r, spot) : j->s->spots;

        for (next = at < j->s->spots ? (uint32_t)at + 1 : 0; next > 0; next = sjn_nearest(j))
            sjn_add(j, next - 1);
    }
    return sjn_settle(j);
}

/* Messages between spots, by whether both ends are in one place. */
static enum prvcut_status sjn_count(struct sjn_joiner *j)
{
    struct pat_sought *s = j->s;
    uint32_t *place = prvcut_zeroed(s->spots + 1, sizeof *place, "matches", j->err);
    const struct sjn_pair *pair = j->pair.at;

    if (!place)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < s->places; i++)
        for (size_t k = 0; k < s->place[i].count; k++)
            place[s->part[s->place[i].first + k]] = (uint32_t)i + 1;
    for (size_t i = 0; i < j->pair.count; i++) {
        const uint32_t a = place[pair[i].key.a], b = place[pair[i].key.b];

        *(a > 0 && a == b ? &s->inside : &s->across) += pair[i].messages;
    }
    free(place);
    return PRVCUT_OK;
}

static int sjn_by_begin(const void *x, const void *y)
{
    const struct pat_place *a = x, *b = y;

    if (a->begin_ns != b->begin_ns)
        return a->begin_ns < b->begin_ns ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

/* The thread with most spots begins each place; of equals the lowest. */
static enum prvcut_status sjn_all(struct sjn_joiner *j)
{
    const struct pat_sought *s = j->s;
    size_t row = 0;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t r = 1; r < s->rows; r++)
        if (s->of[r + 1] - s->of[r] > s->of[row + 1] - s->of[row])
            row = r;
    j->lead = row;
    sjn_turns(j);
    for (size_t r = 0; r < s->rows && s->spots > 0; r++)
        sjn_pace(j, r);
    for (size_t i = s->of[row]; i < s->of[row + 1] && st == PRVCUT_OK; i++)
        if (!j->used[i])
            st = sjn_join(j, (uint32_t)i);
    if (st == PRVCUT_OK)
        st = sjn_count(j);
    if (s->places > 0)
        qsort(s->place, s->places, sizeof *s->place, sjn_by_begin);
    return st;
}

static enum prvcut_status sjn_rooms(struct sjn_joiner *j)
{
    const size_t spots = j->s->spots + 1, rows = j->s->rows + 1;

    j->weight = prvcut_zeroed(spots, sizeof *j->weight, "matches", j->err);
    j->round = prvcut_zeroed(spots, sizeof *j->round, "matches", j->err);
    j->used = prvcut_zeroed(spots, sizeof *j->used, "matches", j->err);
    j->touched =
        prvcut_zeroed((size_t)j->collectives + 1, sizeof *j->touched, "collectives", j->err);
    j->best = prvcut_zeroed(rows, sizeof *j->best, "threads", j->err);
    j->joined = prvcut_zeroed(rows, sizeof *j->joined, "threads", j->err);
    j->turn = prvcut_zeroed(spots, sizeof *j->turn, "matches", j->err);
    j->pace = prvcut_zeroed(rows, sizeof *j->pace, "threads", j->err);
    return j->weight && j->round && j->used && j->touched && j->best && j->joined && j->turn &&
                   j->pace
               ? PRVCUT_OK
               : PRVCUT_ENOMEM;
}

static void sjn_fini(struct sjn_joiner *j)
{
    prvcut_table_fini(&j->pair);
    free(j->row_of);
    free(j->part);
    free(j->link);
    free(j->first);
    free(j->group);
    free(j->group_first);
    free(j->member_first);
    free(j->weight);
    free(j->round);
    free(j->touched);
    free(j->best);
    free(j->joined);
    free(j->used);
    free(j->turn);
    free(j->pace);
}

enum prvcut_status pat_seek_join(struct pat_sought *s, const struct pat_rows *rows,
                                 struct prvcut_trace *t, const struct prvcut_run *run,
                                 struct prvcut_error *err)
{
    struct sjn_joiner j = {
        .s = s, .rows = rows, .pair = PRVCUT_TABLE(struct sjn_pair, messages, "matches"), .err = err
    };
    const struct prvcut_stream_sink sink = { .ctx = &j,
                                             .message = sjn_message,
                                             .collective = sjn_collective };
    const struct prvcut_stream_plan plan = { .trace = t, .run = run, .by_thread = true };
    enum prvcut_status st = PRVCUT_OK;

    j.row_of = prvcut_unset((size_t)t->objects.threads + 1, sizeof *j.row_of, "threads", err);
    if (!j.row_of)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < t->objects.threads; i++)
        j.row_of[i] = SIZE_MAX;
    for (size_t i = 0; i < rows->rows; i++)
        j.row_of[rows->row[i].thread] = i;
    if (!rows->regions && rows->rows > 1)
        st = prvcut_stream_tell(&plan, PRVCUT_ROLES_MPI, true, &sink, err);
    if (st == PRVCUT_OK)
        st = sjn_links(&j);
    if (st == PRVCUT_OK)
        st = sjn_groups(&j);
    if (st == PRVCUT_OK)
        st = sjn_rooms(&j);
    if (st == PRVCUT_OK)
        st = sjn_all(&j);
    sjn_fini(&j);
    return st;
}
