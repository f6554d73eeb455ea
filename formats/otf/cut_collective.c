#include "base/memory.h"
#include "match/callers.h"
#include "otf/cut.h"
#include "otf/walk.h"

#include <stdlib.h>

/*
 * What is left of a collective of which some members lie outside would be taken, by whoever reads
 * the cut, for a part of another one: the k-th collectives of a communicator's members are one. So
 * only those stay that all members have inside. The functions around the others stay.
 */

struct judge {
    const struct prvcut_objects *objects;
    bool *missing;
};

/* Of one whose members are not known all stay. */
static bool coll_known(const void *ctx, const struct prvcut_caller *caller, size_t count,
                       bool *absent)
{
    const struct judge *j = ctx;
    const struct prvcut_communicator *m =
        prvcut_objects_communicator(j->objects, caller->application, caller->communicator);
    bool inside = false;

    for (size_t i = 0; i < count; i++)
        inside = inside || caller[i].taking.inside > 0;
    *j->missing = *j->missing || (inside && m && count < m->count);
    return prvcut_callers_are_tasks(j->objects, caller, count, absent);
}

/* A task's first thread is a member; others are not paired. */
static uint32_t coll_member(const struct otf_cutter *c, uint32_t process)
{
    const struct prvcut_objects *o = &c->trace->base.objects;
    const uint32_t thread = otf_thread_of(c->trace, process);

    return thread != PRVCUT_NOBODY && o->task_first_thread[o->thread_task[thread]] == thread
               ? o->thread_task[thread]
               : PRVCUT_NOBODY;
}

enum prvcut_status otf_cut_judge_collectives(struct otf_cutter *c, bool *missing,
                                             struct prvcut_error *err)
{
    struct prvcut_caller *caller =
        prvcut_zeroed(c->channels.count + 1, sizeof *caller, "channels", err);
    const struct judge j = { &c->trace->base.objects, missing };
    enum prvcut_status st;
    size_t count = 0;

    *missing = false;
    if (!caller)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < c->channels.count; i++) {
        struct otf_channel *k = otf_channel_at(&c->channels, i);

        if (k->to == 0)
            caller[count++] = (struct prvcut_caller){
                .communicator = k->comm,
                .member = coll_member(c, k->from),
                .taking = { k->before[0], k->inside[0], k->over && k->after[0] == 0 },
                .whole = k->whole,
            };
    }
    st = prvcut_callers_judge(caller, count, coll_known, &j, &c->sum->split_collectives, err);
    free(caller);
    return st;
}

bool otf_cut_keeps_collective(struct otf_cutter *c, uint32_t process, uint64_t comm)
{
    const struct otf_channel key = { .from = process, .comm = comm };
    struct otf_channel *k = otf_channel_find(&c->channels, &key);

    return !k || prvcut_whole_has(k->whole, k->before[0] + k->seen[0]++);
}
