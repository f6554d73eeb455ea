#include "base/memory.h"
#include "base/search.h"
#include "base/spans.h"
#include "otf/cut.h"
#include "otf/walk.h"

#include <stdlib.h>

/*
 * What is left of a collective of which some members lie outside would be taken, by whoever reads
 * the cut, for a part of another one: the k-th collectives of a communicator's members are one. So
 * only those stay that all members have inside. The functions around the others stay.
 */

/* Those of a communicator in the order of their first ones inside. */
static int by_comm(const void *a, const void *b)
{
    const struct otf_channel *const *x = a, *const *y = b;

    if ((*x)->comm != (*y)->comm)
        return (*x)->comm < (*y)->comm ? -1 : 1;
    return ((*x)->before[0] > (*y)->before[0]) - ((*x)->before[0] < (*y)->before[0]);
}

/* NULL: it is not defined, or not made of whole tasks. */
static const struct prvcut_communicator *communicator_of(const struct otf_cutter *c, uint64_t comm)
{
    const struct prvcut_objects *o = &c->trace->base.objects;

    return prvcut_find_u32(o->communicator, o->communicators, sizeof *o->communicator,
                           offsetof(struct prvcut_communicator, id), comm);
}

struct judge {
    struct otf_cutter *cutter;
    uint32_t turn;       /* number of the communicator that is looked at */
    uint32_t *member_of; /* [tasks] of the last one that the task is a member of */
};

static void choose_members(struct judge *j, const struct prvcut_communicator *m)
{
    const struct prvcut_objects *o = &j->cutter->trace->base.objects;

    j->turn++;
    for (uint32_t i = 0; m && i < m->count; i++)
        j->member_of[o->member[m->first + i]] = j->turn;
}

/* Is it a task's first thread, and the task one of the communicator's? Others are not paired. */
static bool is_member(const struct judge *j, uint32_t process)
{
    const struct prvcut_objects *o = &j->cutter->trace->base.objects;
    const uint32_t thread = otf_thread_of(j->cutter->trace, process);

    return thread != PRVCUT_NOBODY && o->task_first_thread[o->thread_task[thread]] == thread &&
           j->member_of[o->thread_task[thread]] == j->turn;
}

/* Does nothing of a process's collectives come behind the window? */
static bool is_done(const struct otf_channel *k)
{
    return k->over && k->after[0] == 0;
}

/*
 * The collectives of a communicator's members. Who recorded fewer than the others, though all of
 * it was counted, takes none away: the original has no more of them. Of a communicator whose
 * members are not known all stay.
 */
static void judge(struct judge *j, struct otf_channel *const *k, size_t count, bool known)
{
    uint64_t low = 0, high = UINT64_MAX, end = 0, any = 0, whole;

    for (size_t i = 0; i < count; i++) {
        const uint64_t b = k[i]->before[0], e = b + k[i]->inside[0];

        known = known && is_member(j, k[i]->from);
        low = b > low ? b : low;
        high = !is_done(k[i]) && e < high ? e : high;
        any += prvcut_union_add(&end, b, e);
    }
    for (size_t i = 0; i < count; i++) {
        k[i]->low = known ? low : 0;
        k[i]->high = known ? high : UINT64_MAX;
    }
    high = high < end ? high : end;
    whole = high > low ? high - low : 0;
    j->cutter->sum->split_collectives += any - whole;
}

enum prvcut_status otf_cut_judge_collectives(struct otf_cutter *c, bool *missing,
                                             struct prvcut_error *err)
{
    struct otf_channel **list = calloc(c->channels.count + 1, sizeof *list);
    struct judge j = { .cutter = c };
    size_t count = 0;

    j.member_of = calloc((size_t)c->trace->base.objects.tasks + 1, sizeof *j.member_of);
    c->sum->split_collectives = 0;
    *missing = false;
    if (!list || !j.member_of) {
        free(list);
        free(j.member_of);
        return prvcut_no_memory(err, "channels");
    }
    for (size_t i = 0; i < c->channels.count; i++)
        if (otf_channel_at(&c->channels, i)->to == 0)
            list[count++] = otf_channel_at(&c->channels, i);
    if (count > 0)
        qsort(list, count, sizeof *list, by_comm);
    for (size_t i = 0, n; i < count; i += n) {
        const struct prvcut_communicator *m = communicator_of(c, list[i]->comm);
        bool inside = false;

        for (n = 0; i + n < count && list[i + n]->comm == list[i]->comm; n++)
            inside = inside || list[i + n]->inside[0] > 0;
        choose_members(&j, m);
        judge(&j, list + i, n, m != NULL);
        *missing = *missing || (inside && m && n < m->count);
    }
    free(list);
    free(j.member_of);
    return PRVCUT_OK;
}

bool otf_cut_keeps_collective(struct otf_cutter *c, uint32_t process, uint64_t comm)
{
    const struct otf_channel key = { .from = process, .comm = comm };
    struct otf_channel *k = otf_channel_find(&c->channels, &key);
    uint64_t ordinal;

    if (!k)
        return true;
    ordinal = k->before[0] + k->seen[0]++;
    return ordinal >= k->low && ordinal < k->high;
}
