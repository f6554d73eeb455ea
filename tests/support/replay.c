#include "replay.h"

#include "replay_trace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINT_TO_POINT 50000001
#define COLLECTIVE     50000002

/* Messages of one sender, receiver and tag. */
struct channel {
    size_t first, count; /* in the list by order of sending */
    bool in_order;       /* received in the order in which they were sent */
};

/* A message's places in its channel. */
struct place {
    size_t channel, sent, taken;
};

/* One communicator: its members' collectives, one after the other. */
struct table {
    const struct replay_group *group;
    size_t **call; /* [members]: indices into the thread's calls; NULL: the task has no thread */
    size_t *thread, *calls, *room;
    bool odd; /* the original's members do not agree either: not judged */
};

struct judge {
    struct replay_trace cut, original;
    bool compare;
    struct replay_verdict *out;
    struct place *place; /* [cut.messages] */
    struct channel *channel;
    size_t channels;
    size_t *posted;      /* [channels]: messages sent so far */
    bool *sent;          /* [cut.messages] */
    struct table *table; /* [cut.groups] */
    size_t *next;        /* [cut.threads]: the call that is under way */
    bool *entered;       /* [cut.threads]: it has sent what it sends */
};

static void blame(struct judge *j, size_t *count, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void blame(struct judge *j, size_t *count, const char *format, ...)
{
    va_list arguments;

    ++*count;
    if (j->out->first[0])
        return;
    va_start(arguments, format);
    vsnprintf(j->out->first, sizeof j->out->first, format, arguments);
    va_end(arguments);
}

bool replay_is_whole(const struct replay_verdict *v)
{
    return v->torn + v->unmatched + v->unequal + v->stuck + v->left == 0;
}

/* --- Calls beside the original's ---------------------------------------------------------- */

/* Send, Recv, Isend, Irecv, Bsend, Ssend, Rsend, Ibsend, Issend, Irsend, Sendrecv (and replace). */
static bool moves_data(int64_t value)
{
    static const int64_t moving[] = { 1, 2, 3, 4, 33, 34, 35, 36, 37, 38, 41, 42 };

    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++)
        if (moving[i] == value)
            return true;
    return false;
}

static bool is_receive(const struct replay_call *c)
{
    return c->type == POINT_TO_POINT && c->value == 2;
}

static const struct replay_call *same_call(const struct judge *j, size_t thread,
                                           const struct replay_call *c)
{
    const struct replay_thread *o = &j->original.thread[thread];
    const size_t at = replay_call_at(o, c->begin + j->cut.offset, true);

    for (size_t i = at; i != REPLAY_NONE && i < o->calls; i--) {
        if (o->call[i].begin != c->begin + j->cut.offset)
            break;
        if (o->call[i].type == c->type && o->call[i].value == c->value)
            return &o->call[i];
    }
    return NULL;
}

/* Calls of one thread that are compared to find where a cut begins. */
#define SAMPLES 64

/* Is a thread of the cut, from its first call on, the original's from its k-th on? */
static bool begins_at(const struct replay_thread *cut, const struct replay_thread *original,
                      size_t k)
{
    const int64_t offset = original->call[k].begin - cut->call[0].begin;

    for (size_t i = 0; i < cut->calls && i < SAMPLES; i++)
        if (k + i >= original->calls || original->call[k + i].value != cut->call[i].value ||
            original->call[k + i].begin != cut->call[i].begin + offset)
            return false;
    return true;
}

static bool all_found(struct judge *j, int64_t offset)
{
    j->cut.offset = offset;
    for (size_t i = 0; i < j->cut.threads; i++)
        if (j->cut.thread[i].calls > 0 && !same_call(j, i, &j->cut.thread[i].call[0]))
            return false;
    return true;
}

static void find_offset(struct judge *j)
{
    size_t t = 0;

    while (t < j->cut.threads && j->cut.thread[t].calls == 0)
        t++;
    if (!j->compare || j->cut.told || t == j->cut.threads)
        return;
    for (size_t k = 0; k < j->original.thread[t].calls; k++)
        if (begins_at(&j->cut.thread[t], &j->original.thread[t], k) &&
            all_found(j, j->original.thread[t].call[k].begin - j->cut.thread[t].call[0].begin))
            return;
    j->cut.offset = 0;
}

static void judge_alone(struct judge *j, const struct replay_thread *t, struct replay_call *c)
{
    c->starves = is_receive(c) && c->arrivals == 0;
    if (c->end < 0)
        blame(j, &j->out->torn, "%u.%u.%u: the call at %" PRId64 " does not end", t->application,
              t->task, t->thread, c->begin);
    if (c->type == POINT_TO_POINT && moves_data(c->value) && c->sends + c->posts == 0)
        blame(j, &j->out->unmatched, "%u.%u.%u: the call at %" PRId64 " has no message",
              t->application, t->task, t->thread, c->begin);
}

static void judge_beside(struct judge *j, size_t thread, struct replay_call *c)
{
    const struct replay_thread *t = &j->cut.thread[thread];
    const struct replay_call *o = same_call(j, thread, c);

    c->starves = o ? c->arrivals < o->arrivals : is_receive(c) && c->arrivals == 0;
    if (!o) {
        blame(j, &j->out->torn, "%u.%u.%u: the call at %" PRId64 " is not in the original",
              t->application, t->task, t->thread, c->begin);
        return;
    }
    if (c->end < 0 && o->end < 0)
        j->out->excused++;
    else if (c->end < 0 || o->end < 0 || c->end + j->cut.offset != o->end)
        blame(j, &j->out->torn, "%u.%u.%u: the call at %" PRId64 " does not end as it did",
              t->application, t->task, t->thread, c->begin);
    if (c->sends != o->sends || c->posts != o->posts || c->arrivals != o->arrivals)
        blame(j, &j->out->unmatched,
              "%u.%u.%u: the call at %" PRId64 " has %zu+%zu+%zu ends of messages, not %zu+%zu+%zu",
              t->application, t->task, t->thread, c->begin, c->sends, c->posts, c->arrivals,
              o->sends, o->posts, o->arrivals);
    else if (c->type == POINT_TO_POINT && moves_data(c->value) && c->sends + c->posts == 0)
        j->out->excused++;
}

static void judge_calls(struct judge *j)
{
    for (size_t i = 0; i < j->cut.threads; i++)
        for (size_t k = 0; k < j->cut.thread[i].calls; k++) {
            j->out->calls++;
            if (j->compare)
                judge_beside(j, i, &j->cut.thread[i].call[k]);
            else
                judge_alone(j, &j->cut.thread[i], &j->cut.thread[i].call[k]);
        }
}

/* An end that lies in a call of the original lies in one of the cut. */
static void judge_ends(struct judge *j)
{
    for (size_t i = 0; i < j->cut.messages; i++) {
        const struct replay_message *m = &j->cut.message[i];

        j->out->messages++;
        for (int k = 0; j->compare && k < 4; k++) {
            const size_t thread = k < 2 ? m->sender : m->receiver;

            if (m->in[k] == REPLAY_NONE &&
                replay_call_at(&j->original.thread[thread], m->time[k] + j->cut.offset, true) !=
                    REPLAY_NONE)
                blame(j, &j->out->unmatched, "a message's end at %" PRId64 " is in no call",
                      m->time[k]);
        }
    }
}

/* --- Channels --------------------------------------------------------------------------------- */

struct sorting {
    const struct replay_message *m;
    size_t number;
};

static int by_channel(const struct replay_message *a, const struct replay_message *b)
{
    if (a->sender != b->sender)
        return a->sender < b->sender ? -1 : 1;
    if (a->receiver != b->receiver)
        return a->receiver < b->receiver ? -1 : 1;
    return (a->tag > b->tag) - (a->tag < b->tag);
}

static int by_time(const struct sorting *x, const struct sorting *y, int which)
{
    const int channel = by_channel(x->m, y->m);

    if (channel != 0)
        return channel;
    if (x->m->time[which] != y->m->time[which])
        return x->m->time[which] < y->m->time[which] ? -1 : 1;
    /* Several of one call: as they stand in the file. */
    return (x->number > y->number) - (x->number < y->number);
}

static int by_sending(const void *a, const void *b)
{
    return by_time(a, b, 0);
}

static int by_posting(const void *a, const void *b)
{
    return by_time(a, b, 2);
}

static bool make_channels(struct judge *j)
{
    const size_t n = j->cut.messages;
    struct sorting *s = calloc(n + 1, sizeof *s);

    j->place = calloc(n + 1, sizeof *j->place);
    j->channel = calloc(n + 1, sizeof *j->channel);
    j->posted = calloc(n + 1, sizeof *j->posted);
    j->sent = calloc(n + 1, sizeof *j->sent);
    if (!s || !j->place || !j->channel || !j->posted || !j->sent) {
        free(s);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        s[i] = (struct sorting){ &j->cut.message[i], i };
    qsort(s, n, sizeof *s, by_sending);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || by_channel(s[i - 1].m, s[i].m) != 0)
            j->channel[j->channels++] = (struct channel){ i, 0, true };
        j->place[s[i].number].channel = j->channels - 1;
        j->place[s[i].number].sent = j->channel[j->channels - 1].count++;
    }
    qsort(s, n, sizeof *s, by_posting);
    for (size_t i = 0; i < n; i++) {
        struct place *p = &j->place[s[i].number];

        p->taken = i - j->channel[p->channel].first;
        j->channel[p->channel].in_order &= p->taken == p->sent;
    }
    free(s);
    return true;
}

/* --- Collectives ------------------------------------------------------------------------------ */

/* The task's collectives on the communicator, of whatever thread of it has some. */
static bool collect(struct table *t, size_t member, const struct replay_trace *trace, size_t thread,
                    bool number)
{
    struct replay_thread *o = &trace->thread[thread];

    for (size_t i = 0; i < o->calls; i++) {
        struct replay_call *c = &o->call[i];
        size_t *more;

        if (c->type != COLLECTIVE || c->communicator != t->group->id)
            continue;
        more = replay_grow(t->call[member], &t->room[member], t->calls[member], sizeof *more);
        if (!more)
            return false;
        t->call[member] = more;
        t->thread[member] = thread;
        if (number)
            c->round = t->calls[member];
        t->call[member][t->calls[member]++] = i;
    }
    return true;
}

static void table_free(struct table *t)
{
    for (size_t i = 0; t->call && i < t->group->tasks; i++)
        free(t->call[i]);
    free(t->call);
    free(t->thread);
    free(t->calls);
    free(t->room);
}

static bool table_make(struct table *t, const struct replay_group *g,
                       const struct replay_trace *trace, bool number)
{
    *t = (struct table){ .group = g,
                         .call = calloc(g->tasks + 1, sizeof *t->call),
                         .thread = calloc(g->tasks + 1, sizeof *t->thread),
                         .calls = calloc(g->tasks + 1, sizeof *t->calls),
                         .room = calloc(g->tasks + 1, sizeof *t->room) };
    if (!t->call || !t->thread || !t->calls || !t->room)
        return false;
    for (size_t i = 0; i < trace->threads; i++)
        for (size_t m = 0; m < g->tasks; m++)
            if (trace->thread[i].application == g->application &&
                trace->thread[i].task == g->task[m] && !collect(t, m, trace, i, number))
                return false;
    return true;
}

/* The first round in which the members do not make the same call; REPLAY_NONE: they always do. */
static size_t disagreement(const struct table *t, const struct replay_trace *trace)
{
    for (size_t m = 1; m < t->group->tasks; m++)
        for (size_t k = 0; k < t->calls[0] || k < t->calls[m]; k++)
            if (k >= t->calls[0] || k >= t->calls[m] ||
                trace->thread[t->thread[0]].call[t->call[0][k]].value !=
                    trace->thread[t->thread[m]].call[t->call[m][k]].value)
                return k;
    return REPLAY_NONE;
}

static bool agrees_in_original(const struct judge *j, const struct replay_group *g, bool *agrees)
{
    struct table t;
    bool good = true;

    *agrees = true;
    if (!j->compare)
        return true;
    good = table_make(&t, g, &j->original, false);
    if (good)
        *agrees = disagreement(&t, &j->original) == REPLAY_NONE;
    table_free(&t);
    return good;
}

static bool judge_collectives(struct judge *j)
{
    j->table = calloc(j->cut.groups + 1, sizeof *j->table);
    for (size_t i = 0; j->table && i < j->cut.groups; i++) {
        struct table *t = &j->table[i];
        size_t round;
        bool agrees = true;

        if (!table_make(t, &j->cut.group[i], &j->cut, true))
            return false;
        round = disagreement(t, &j->cut);
        if (round == REPLAY_NONE)
            continue;
        if (!agrees_in_original(j, t->group, &agrees))
            return false;
        t->odd = !agrees;
        if (agrees)
            blame(j, &j->out->unequal,
                  "communicator %" PRId64 ": collective %zu is not the same on all members",
                  t->group->id, round + 1);
        else
            j->out->excused++;
    }
    return j->table != NULL;
}

/* --- The replay ------------------------------------------------------------------------------- */

/* Lists of each thread's messages, as sender and as receiver, would be looked through for each
   call: they are sorted by the call instead. */
struct link {
    size_t thread, call, message;
};

struct links {
    struct link *at;
    size_t count, *first; /* [threads + 1] */
};

static int by_call(const void *a, const void *b)
{
    const struct link *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->call != y->call)
        return x->call < y->call ? -1 : 1;
    return (x->message > y->message) - (x->message < y->message);
}

/* Messages by the call that end `which` lies in. */
static bool make_links(struct links *l, const struct replay_trace *t, int which)
{
    l->at = calloc(t->messages + 1, sizeof *l->at);
    l->first = calloc(t->threads + 1, sizeof *l->first);
    l->count = 0;
    if (!l->at || !l->first)
        return false;
    for (size_t i = 0; i < t->messages; i++) {
        const struct replay_message *m = &t->message[i];

        if (m->in[which] != REPLAY_NONE)
            l->at[l->count++] =
                (struct link){ which < 2 ? m->sender : m->receiver, m->in[which], i };
    }
    qsort(l->at, l->count, sizeof *l->at, by_call);
    for (size_t i = 0, k = 0; i <= t->threads; i++) {
        while (k < l->count && l->at[k].thread < i)
            k++;
        l->first[i] = k;
    }
    return true;
}

static void links_free(struct links *l)
{
    free(l->at);
    free(l->first);
}

static void post(struct judge *j, size_t message)
{
    j->sent[message] = true;
    j->posted[j->place[message].channel]++;
}

/* Has what the receive takes been sent? It takes by order, where the trace kept it. */
static bool is_there(const struct judge *j, size_t message)
{
    const struct place *p = &j->place[message];

    return j->channel[p->channel].in_order ? j->posted[p->channel] > p->taken : j->sent[message];
}

/* Has every member come to this round of the communicator's collectives? */
static bool all_came(const struct judge *j, size_t thread, const struct replay_call *c)
{
    const uint32_t application = j->cut.thread[thread].application;

    for (size_t i = 0; i < j->cut.groups; i++) {
        const struct table *t = &j->table[i];

        if (t->group->application != application || t->group->id != c->communicator || t->odd)
            continue;
        for (size_t m = 0; m < t->group->tasks; m++)
            if (c->round >= t->calls[m] || j->next[t->thread[m]] < t->call[m][c->round] ||
                (j->next[t->thread[m]] == t->call[m][c->round] && !j->entered[t->thread[m]]))
                return false;
    }
    return true;
}

struct run {
    struct links sends, arrivals;
    size_t *sending, *arriving; /* [threads]: how far in the lists */
};

static void enter(struct judge *j, struct run *r, size_t thread)
{
    size_t *at = &r->sending[thread];

    for (; *at < r->sends.first[thread + 1] && r->sends.at[*at].call == j->next[thread]; ++*at)
        post(j, r->sends.at[*at].message);
    j->entered[thread] = true;
}

static bool can_leave(const struct judge *j, const struct run *r, size_t thread)
{
    const struct replay_call *c = &j->cut.thread[thread].call[j->next[thread]];

    if (c->starves)
        return false;
    for (size_t i = r->arriving[thread];
         i < r->arrivals.first[thread + 1] && r->arrivals.at[i].call == j->next[thread]; i++)
        if (!is_there(j, r->arrivals.at[i].message))
            return false;
    return c->type != COLLECTIVE || all_came(j, thread, c);
}

static void leave(struct judge *j, struct run *r, size_t thread)
{
    size_t *at = &r->arriving[thread];

    while (*at < r->arrivals.first[thread + 1] && r->arrivals.at[*at].call == j->next[thread])
        ++*at;
    j->entered[thread] = false;
    j->next[thread]++;
}

/* Each thread on, as far as it comes; false where none moved. */
static bool advance(struct judge *j, struct run *r)
{
    bool moved = false;

    for (size_t i = 0; i < j->cut.threads; i++)
        while (j->next[i] < j->cut.thread[i].calls) {
            if (!j->entered[i]) {
                enter(j, r, i);
                moved = true;
            }
            if (!can_leave(j, r, i))
                break;
            leave(j, r, i);
            moved = true;
        }
    return moved;
}

static void count_stuck(struct judge *j)
{
    for (size_t i = 0; i < j->cut.threads; i++) {
        const struct replay_thread *t = &j->cut.thread[i];

        if (j->next[i] < t->calls)
            blame(j, &j->out->stuck, "%u.%u.%u waits for ever in its call at %" PRId64,
                  t->application, t->task, t->thread, t->call[j->next[i]].begin);
    }
    for (size_t i = 0; i < j->cut.messages; i++)
        if (!j->sent[i])
            blame(j, &j->out->left, "the message sent at %" PRId64 " never is",
                  j->cut.message[i].time[0]);
}

static bool replay(struct judge *j)
{
    struct run r = { .sending = calloc(j->cut.threads + 1, sizeof *r.sending),
                     .arriving = calloc(j->cut.threads + 1, sizeof *r.arriving) };
    bool good = make_links(&r.sends, &j->cut, 0) && make_links(&r.arrivals, &j->cut, 3);

    j->next = calloc(j->cut.threads + 1, sizeof *j->next);
    j->entered = calloc(j->cut.threads + 1, sizeof *j->entered);
    good = good && r.sending && r.arriving && j->next && j->entered;
    for (size_t i = 0; good && i < j->cut.threads; i++) {
        r.sending[i] = r.sends.first[i];
        r.arriving[i] = r.arrivals.first[i];
    }
    /* What is sent outside of all calls waits for nobody. */
    for (size_t i = 0; good && i < j->cut.messages; i++)
        if (j->cut.message[i].in[0] == REPLAY_NONE)
            post(j, i);
    while (good && advance(j, &r))
        ;
    if (good)
        count_stuck(j);
    links_free(&r.sends);
    links_free(&r.arrivals);
    free(r.sending);
    free(r.arriving);
    return good;
}

static void count_collectives(struct judge *j)
{
    for (size_t i = 0; i < j->cut.groups; i++)
        for (size_t m = 0; m < j->table[i].group->tasks; m++)
            j->out->collectives += j->table[i].calls[m];
}

static void release(struct judge *j)
{
    for (size_t i = 0; j->table && i < j->cut.groups; i++)
        if (j->table[i].group)
            table_free(&j->table[i]);
    free(j->table);
    free(j->place);
    free(j->channel);
    free(j->posted);
    free(j->sent);
    free(j->next);
    free(j->entered);
    replay_trace_free(&j->cut);
    replay_trace_free(&j->original);
}

static bool read_both(struct judge *j, const char *cut, const char *original)
{
    if (!replay_trace_read(&j->cut, cut)) {
        snprintf(j->out->first, sizeof j->out->first, "%s", j->cut.fault);
        return false;
    }
    if (original && !replay_trace_read(&j->original, original)) {
        snprintf(j->out->first, sizeof j->out->first, "the original: %s", j->original.fault);
        return false;
    }
    /* Clocks of a converted archive may be apart: there a message may well seem to arrive early. */
    j->out->excused += replay_trace_place(&j->cut, j->cut.told);
    replay_trace_place(&j->original, j->cut.told);
    return !original || j->cut.threads == j->original.threads;
}

bool replay_judge(const char *cut, const char *original, struct replay_verdict *out)
{
    struct judge j = { .compare = original != NULL, .out = out };
    bool good;

    *out = (struct replay_verdict){ .calls = 0 };
    good = read_both(&j, cut, original);
    if (good) {
        find_offset(&j);
        judge_calls(&j);
        judge_ends(&j);
        good = make_channels(&j) && judge_collectives(&j) && replay(&j);
    }
    if (good)
        count_collectives(&j);
    release(&j);
    return good;
}
