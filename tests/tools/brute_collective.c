/*
 * Which collectives a cut holds with all their members: the k-th of one member of a communicator is
 * the k-th of all others. What tells of the others is left out of their calls.
 */
#include "brute_trace.h"

#include <stdlib.h>
#include <string.h>

#define FIELDS 4096

/* The calls of one task on one communicator. */
struct caller {
    int64_t application, task, communicator;
    int64_t before, inside, all;
};

struct callers {
    struct caller *at;
    size_t count;
};

static bool blocking(int64_t call)
{
    return (call >= 7 && call <= 18) || call == 30 || call == 80 || (call >= 512 && call <= 514) ||
           (call >= 532 && call <= 536);
}

/* The value of a type in an event line; 0: it has none. */
static int64_t value_of(const struct record *r, int64_t type)
{
    int64_t *f = brute_room(NULL, FIELDS, sizeof *f), value = 0;
    const size_t n = brute_numbers(r->text, f, FIELDS);

    for (size_t i = 6; i + 1 < n; i += 2)
        if (f[i] == type)
            value = f[i + 1];
    free(f);
    return value;
}

static bool has_type(const struct record *r, int64_t type)
{
    int64_t *f = brute_room(NULL, FIELDS, sizeof *f);
    const size_t n = brute_numbers(r->text, f, FIELDS);
    bool has = false;

    for (size_t i = 6; i + 1 < n; i += 2)
        has = has || f[i] == type;
    free(f);
    return has;
}

static int64_t communicator_of(const struct record *r)
{
    return r->text[0] == '2' && blocking(value_of(r, 50000002)) ? value_of(r, 50100004) : 0;
}

static struct caller *caller_of(struct callers *all, const struct cut *c, const struct record *r)
{
    const struct thread *t = &c->thread[r->thread];
    const int64_t communicator = communicator_of(r);

    for (size_t i = 0; i < all->count; i++)
        if (all->at[i].application == t->application && all->at[i].task == t->task &&
            all->at[i].communicator == communicator)
            return &all->at[i];
    all->at = brute_room(all->at, all->count + 1, sizeof *all->at);
    all->at[all->count] = (struct caller){ t->application, t->task, communicator, 0, 0, 0 };
    return &all->at[all->count++];
}

/* Does the call that begins there go on at the left border? */
static bool goes_on(const struct cut *c, size_t record)
{
    const struct record *r = &c->record[record];

    for (size_t i = record + 1; i < c->records; i++)
        if (c->record[i].text[0] == '2' && c->record[i].thread == r->thread &&
            has_type(&c->record[i], 50000002))
            return c->record[i].time[0] >= c->thread[r->thread].from;
    return true;
}

static bool is_inside(const struct cut *c, size_t record)
{
    const struct record *r = &c->record[record];
    const struct thread *t = &c->thread[r->thread];

    if (t->from >= t->to)
        return false;
    return r->time[0] < t->from ? goes_on(c, record) : r->time[0] < t->to;
}

/* Members of c:application:id:count:task...; 0: it is not listed. */
static size_t members_of(const struct cut *c, const struct caller *k, int64_t *member)
{
    for (size_t i = 1; i < c->heads; i++) {
        int64_t f[FIELDS];
        size_t n;

        if (strncmp(c->head[i], "c:", 2) != 0)
            continue;
        n = brute_numbers(c->head[i] + 2, f, FIELDS);
        if (n > 3 && f[0] == k->application && f[1] == k->communicator) {
            memcpy(member, f + 3, (n - 3) * sizeof *f);
            return n - 3;
        }
    }
    return 0;
}

/* Ordinals [low, high) of a communicator; false: it is not known who calls together. */
static bool whole(const struct cut *c, const struct callers *all, const struct caller *of,
                  int64_t *low, int64_t *high)
{
    int64_t *member = brute_room(NULL, FIELDS, sizeof *member);
    const size_t members = members_of(c, of, member);
    bool known = members > 1;

    *low = 0;
    *high = INT64_MAX;
    for (size_t i = 0; i < all->count; i++) {
        const struct caller *k = &all->at[i];
        bool found = false;

        if (k->application != of->application || k->communicator != of->communicator)
            continue;
        for (size_t m = 0; m < members; m++)
            found = found || member[m] == k->task;
        known = known && found;
        *low = k->before > *low ? k->before : *low;
        if (k->before + k->inside < k->all && k->before + k->inside < *high)
            *high = k->before + k->inside;
    }
    free(member);
    return known;
}

static int64_t key_of(const struct record *r)
{
    return r->time[r->text[0] == '3'];
}

void brute_split_collectives(struct cut *c)
{
    struct callers all = { NULL, 0 };
    int64_t *ordinal = brute_room(NULL, c->records, sizeof *ordinal);
    bool sorted = true;

    for (size_t i = 0; i < c->records; i++) {
        struct caller *k;

        sorted = sorted && (i == 0 || key_of(&c->record[i]) >= key_of(&c->record[i - 1]));
        if (communicator_of(&c->record[i]) <= 0)
            continue;
        k = caller_of(&all, c, &c->record[i]);
        ordinal[i] = k->all++;
        if (is_inside(c, i))
            k->inside++;
        else if (c->record[i].time[0] < c->thread[c->record[i].thread].from)
            k->before++;
    }
    /* Where lines are out of order, their ordinals are not known. */
    for (size_t i = 0; i < c->records && sorted; i++) {
        int64_t low, high;

        if (communicator_of(&c->record[i]) > 0 && is_inside(c, i) &&
            whole(c, &all, caller_of(&all, c, &c->record[i]), &low, &high))
            c->record[i].split = ordinal[i] < low || ordinal[i] >= high;
    }
    free(ordinal);
    free(all.at);
}
