#include "otf2/walk_state.h"

#include <string.h>

/* Events behind a collective's line that wait with it; of one without details there may be many. */
#define WAITS_MOST 256u

void o2_walker_look_at_wants(struct o2_walker *w)
{
    const struct prvcut_consumer *c = w->plan->consumer;

    w->wants = c->roles;
    if (c->detail && __atomic_load_n(&c->detail[w->thread], __ATOMIC_RELAXED) != 0)
        w->wants |= c->detail_roles;
}

/* Hand the batch over; a collective's line that may still get details stays for the next one. */
void o2_walker_deliver(struct o2_walker *w)
{
    const struct prvcut_consumer *c = w->plan->consumer;
    struct prvcut_batch *b = &w->batch;
    const size_t waits = w->line == NO_LINE ? 0 : b->events - w->line;
    const size_t kept = waits <= WAITS_MOST ? waits : 0;
    struct prvcut_batch out = *b;

    out.events -= kept;
    if (w->status == PRVCUT_OK && out.states + out.events + out.halves > 0 && c->batch)
        w->status = c->batch(c->ctx, w->worker, w->part, &out, w->err);
    if (kept > 0) {
        memmove(b->event, b->event + w->line, kept * sizeof *b->event);
        w->line_end -= w->line;
        w->line = 0;
    } else {
        w->line = NO_LINE;
    }
    b->events = kept;
    b->states = b->halves = 0;
    o2_walker_look_at_wants(w);
}

/* Counters of the line that was just begun, or that stand alone. */
void o2_walker_put_pending(struct o2_walker *w, uint64_t time, bool head)
{
    w->out->counts.pairs += w->pendings;
    for (size_t i = 0; i < w->pendings; i++)
        if (o2_wanted(w, w->pending[i].role)) {
            o2_put(w, time, w->pending[i].type, w->pending[i].value, w->pending[i].role, head);
            head = false;
        }
    w->pendings = 0;
}

void o2_walker_set_alarm(struct o2_walker *w)
{
    w->alarm = w->plan->windowed ? w->plan->to : UINT64_MAX;
    if (w->now.flushing && w->now.flush_end < w->alarm)
        w->alarm = w->now.flush_end;
    if (w->pendings > 0 && w->pending_time + 1 < w->alarm)
        w->alarm = w->pending_time + 1;
}
