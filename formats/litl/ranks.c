#include "litl/litl.h"

uint32_t litl_dense_thread(const struct litl_trace *t, uint32_t thread)
{
    const struct litl_thread *me = &t->thread[thread];

    return t->base.objects.task_first_thread[t->task[me->process]] + me->number - 1;
}

const struct litl_communicator *litl_communicator_at(const struct litl_process *p, uint64_t handle,
                                                     uint64_t time)
{
    const struct litl_communicator *best = NULL;

    /* A handle may be used again: the latest one that had been made. */
    for (size_t i = p->communicators; i-- > 0;)
        if (p->communicator[i].handle == handle) {
            best = &p->communicator[i];
            if (best->time <= time)
                break;
        }
    return best && best->id > 0 ? best : NULL;
}

uint32_t litl_rank_task(const struct litl_trace *t, const struct litl_communicator *c, int64_t rank)
{
    if (!c || rank < 0)
        return PRVCUT_NOBODY;
    if (c->id != LITL_WORLD)
        rank = rank < (int64_t)c->count ? (int64_t)t->member[c->first + (size_t)rank]
                                        : (int64_t)PRVCUT_NOBODY;
    return rank < (int64_t)t->ranks ? t->rank_task[rank] : PRVCUT_NOBODY;
}
