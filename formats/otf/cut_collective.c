#include "base/memory.h"
#include "base/search.h"
#include "model/crossing.h"
#include "otf/cut.h"
#include "otf/walk.h"

#include <stdlib.h>

/*
 * What is left of a collective of which some members lie outside would be taken, by whoever reads
 * the cut, for a part of another one: the k-th collectives of a communicator's members are one. So
 * only those stay that all members have inside. The functions around the others stay.
 */

/* Those of a communicator in the order of their first ones inside. */
static int coll_by_comm(const void *a, const void *b)
{
    const struct otf_channel *const *x = a, *const *y = b;

    if ((*x)->comm != (*y)->comm)
        return (*x)->comm < (*y)->comm ? -1 : 1;
    return ((*x)->before[0] > (*y)->before[0]) - ((*x)->before[0] < (*y)->before[0]);
}

/* NULL: it is not defined, or not made of whole tasks. */
static const struct prvcut_communicator *coll_communicator_of(const struct otf_cutter *c,
                                                              uint64_t comm)
{
    const struct prvcut_objects *o = &c->trace->base.objects;

    return prvcut_find_u32(o->communicator, o->communicators, sizeof *o->communicator,
                           offsetof(struct prvcut_communicator, id), comm);
}

struct judge {
    struct otf_cutter *cutter;
    uint32_t turn;                /* number of the communicator that is looked at */
    uint32_t *member_of;          /* [tasks] of the last one that the task is a member of */
    struct prvcut_taking *taking; /* [channels] */
};

static void coll_choose_members(struct judge *j, const struct prvcut_communicator *m)
{
    const struct prvcut_objects *o = &j->cutter->trace->base.objects;

    j->turn++;
    for (uint32_t i = 0; m && i < m->count; i++)
        j->member_of[o->member[m->first + i]] = j->turn;
}

/* Is it a task's first thread, and the task one of the communicator's? Others are not paired. */
static bool coll_is_member(const struct judge *j, uint32_t process)
{
    const struct prvcut_objects *o = &j->cutter->trace->base.objects;
    const uint32_t thread = otf_thread_of(j->cutter->trace, process);

    return thread != PRVCUT_NOBODY && o->task_first_thread[o->thread_task[thread]] == thread &&
           j->member_of[o->thread_task[thread]] == j->turn;
}

/* Does nothing of a process's collectives come behind the window? */
static bool coll_is_done(const struct otf_channel *k)
{
    return k->over && k->after[0] == 0;
}

/* The collectives of a communicator's members. Of one whose members are not known all stay. */
static void coll_judge(struct judge *j, struct otf_channel *const *k, size_t count, bool known)
{
    struct prvcut_whole whole = { 0, UINT64_MAX };

    for (size_t i = 0; i < count; i++) {
        known = known && coll_is_member(j, k[i]->from);
        j->taking[i] =
            (struct prvcut_taking){ k[i]->before[0], k[i]->inside[0], coll_is_done(k[i]) };
    }
    if (known)
        j->cutter->sum->split_collectives += prvcut_collectives_inside(j->taking, count, &whole);
    for (size_t i = 0; i < count; i++) {
        k[i]->low = whole.low;
        k[i]->high = whole.high;
    }
}

enum prvcut_status otf_cut_judge_collectives(struct otf_cutter *c, bool *missing,
                                             struct prvcut_error *err)
{
    struct otf_channel **list = prvcut_zeroed(c->channels.count + 1, sizeof *list, "channels", err);
    struct judge j = { .cutter = c };
    size_t count = 0;

    j.member_of = prvcut_zeroed((size_t)c->trace->base.objects.tasks + 1, sizeof *j.member_of,
                                "channels", err);
    j.taking = prvcut_zeroed(c->channels.count + 1, sizeof *j.taking, "channels", err);
    c->sum->split_collectives = 0;
    *missing = false;
    if (!list || !j.member_of || !j.taking) {
        free(list);
        free(j.taking);
        free(j.member_of);
        return PRVCUT_ENOMEM;
    }
    for (size_t i = 0; i < c->channels.count; i++)
        if (otf_channel_at(&c->channels, i)->to == 0)
            list[count++] = otf_channel_at(&c->channels, i);
    if (count > 0)
        qsort(list, count, sizeof *list, coll_by_comm);
    for (size_t i = 0, n; i < count; i += n) {
        const struct prvcut_communicator *m = coll_communicator_of(c, list[i]->comm);
        bool inside = false;

        for (n = 0; i + n < count && list[i + n]->comm == list[i]->comm; n++)
            inside = inside || list[i + n]->inside[0] > 0;
        coll_choose_members(&j, m);
        coll_judge(&j, list + i, n, m != NULL);
        *missing = *missing || (inside && m && n < m->count);
    }
    free(list);
    free(j.taking);
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
