#include "stream/meeting.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/ordered.h"

#include <inttypes.h>
#include <stdlib.h>

enum prvcut_status stm_meeting_init(struct stm_meeting *m, const struct prvcut_run *run,
                                    size_t memory, const char *scratch, struct prvcut_error *err)
{
    struct prvcut_sorter_options o = { .size = sizeof(struct prvcut_end),
                                       .compare = prvcut_end_by_channel,
                                       .memory = memory,
                                       .scratch = scratch,
                                       .stop = run->stop,
                                       .stop_ctx = run->ctx };
    enum prvcut_status st = PRVCUT_OK;

    *m = (struct stm_meeting){ .workers = prvcut_workers(run->threads) };
    o.feeds = m->workers;
    m->worker = prvcut_zeroed(m->workers, sizeof *m->worker, "workers", err);
    if (!m->worker)
        return PRVCUT_ENOMEM;
    for (unsigned i = 0; i < m->workers; i++)
        m->worker[i].uses = prvcut_uses_none();
    for (unsigned i = 0; i < 2 && st == PRVCUT_OK; i++)
        st = prvcut_sorter_new(&m->sorter[i], &o, err);
    return st;
}

void stm_meeting_fini(struct stm_meeting *m)
{
    for (unsigned i = 0; m->worker && i < m->workers; i++) {
        free(m->worker[i].end[0]);
        free(m->worker[i].end[1]);
        prvcut_uses_fini(&m->worker[i].uses);
    }
    free(m->worker);
    prvcut_sorter_free(m->sorter[0]);
    prvcut_sorter_free(m->sorter[1]);
    *m = (struct stm_meeting){ 0 };
}

enum prvcut_status stm_meeting_add(struct stm_meeting *m, unsigned worker, uint64_t order,
                                   const struct prvcut_half *half, struct prvcut_error *err)
{
    struct stm_meeting_worker *w = &m->worker[worker];
    const unsigned i = half->receive;
    enum prvcut_status st =
        prvcut_grow((void **)&w->end[i], &w->room[i], w->count[i] + 1, sizeof *w->end[i], err);

    if (st < 0)
        return st;
    w->end[i][w->count[i]++] = (struct prvcut_end){ order, *half };
    return prvcut_uses_note(&w->uses, half, err);
}

enum prvcut_status stm_meeting_flush(struct stm_meeting *m, unsigned worker,
                                     struct prvcut_error *err)
{
    struct stm_meeting_worker *w = &m->worker[worker];
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < 2 && st == PRVCUT_OK; i++) {
        st = prvcut_sorter_add(m->sorter[i], worker, w->end[i], w->count[i], err);
        w->count[i] = 0;
    }
    return st;
}

enum prvcut_status stm_meeting_batch(struct stm_meeting *m, unsigned worker, uint64_t part,
                                     uint32_t *place, const struct prvcut_batch *batch,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (part >= STM_PART_MAX || batch->halves > UINT32_MAX - *place)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "the trace has more than %" PRIu64 " parts, or one of them more than "
                           "%" PRIu32 " ends of messages",
                           STM_PART_MAX, UINT32_MAX);
    for (size_t i = 0; i < batch->halves && st == PRVCUT_OK; i++) {
        const struct prvcut_half *h = &batch->half[i];

        st = stm_meeting_add(
            m, worker, stm_order(h->receive ? STM_RECEIVE : STM_SEND, part, (*place)++), h, err);
    }
    return st == PRVCUT_OK ? stm_meeting_flush(m, worker, err) : st;
}

static enum prvcut_status meeting_agree(const struct stm_meeting *m, struct prvcut_pairing *p,
                                        struct prvcut_error *err)
{
    struct prvcut_uses all = prvcut_uses_none();
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < m->workers && st == PRVCUT_OK; i++)
        st = prvcut_uses_add(&all, &m->worker[i].uses, err);
    p->by_communicator = prvcut_uses_agree(&all);
    p->by_size = prvcut_uses_sizes_agree(&all);
    prvcut_uses_fini(&all);
    return st;
}

enum prvcut_status stm_meeting_end(struct stm_meeting *m, const struct prvcut_pairing *told,
                                   struct prvcut_error *err)
{
    struct prvcut_pairing p = { .sorter = { m->sorter[0], m->sorter[1] },
                                .size = sizeof(struct prvcut_end),
                                .channel = prvcut_end_compare_channel,
                                .ctx = told->ctx,
                                .met = told->met,
                                .alone = told->alone };
    enum prvcut_status st = meeting_agree(m, &p, err);

    for (unsigned i = 0; i < 2 && st == PRVCUT_OK; i++)
        st = prvcut_sorter_finish(m->sorter[i], err);
    return st < 0 ? st : prvcut_ends_pair(&p, err);
}

struct prvcut_message stm_meeting_message(const struct prvcut_end *s, const struct prvcut_end *r)
{
    const struct prvcut_half *send = &s->half, *receive = &r->half;

    return (struct prvcut_message){ .logical_send = send->time,
                                    .physical_send = prvcut_other_time(send, send->time),
                                    .logical_receive = prvcut_other_time(receive, receive->time),
                                    .physical_receive = receive->time,
                                    .size = send->size,
                                    .tag = send->tag,
                                    .sender = send->thread,
                                    .receiver = receive->thread };
}
