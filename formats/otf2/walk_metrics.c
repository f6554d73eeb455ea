#include "model/told_windows.h"
#include "otf2/walk_state.h"

/* Counters, and marks, which are counters of their own kind. */

/* Values as whole numbers; doubles in thousandths. */
static int64_t walk_metric_whole(OTF2_Type type, OTF2_MetricValue value)
{
    double thousandths;

    if (type == OTF2_TYPE_INT64)
        return value.signed_int;
    if (type != OTF2_TYPE_DOUBLE)
        return value.unsigned_int <= INT64_MAX ? (int64_t)value.unsigned_int : INT64_MAX;
    thousandths = value.floating_point * 1000;
    if (!(thousandths > -9e18 && thousandths < 9e18))
        return 0;
    return (int64_t)(thousandths < 0 ? thousandths - 0.5 : thousandths + 0.5);
}

/* A total becomes what was counted since the reading before, or since the trace's begin. */
static int64_t walk_metric_since_last(struct o2_walker *w, uint32_t slot, int64_t value,
                                      uint64_t time)
{
    int64_t difference;

    if (!w->read[slot]) {
        w->read[slot] = true;
        w->slot[w->now.readings++] = slot;
        w->reading[slot] =
            value > 0 && prvcut_told_windows_begin(&w->trace->base, w->thread, time) ? value : 0;
    }
    /* A counter that was set back starts again. */
    if (value < w->reading[slot] || __builtin_sub_overflow(value, w->reading[slot], &difference))
        difference = value < 0 ? 0 : value;
    w->reading[slot] = value;
    return difference;
}

static bool walk_metric_is_mark(const struct o2_definitions *d, const struct o2_metric *m)
{
    return m && !m->trouble && m->count == 1 && prvcut_mark_kind_of(d->member_of[m->first].type);
}

/* Before the thread's first event. */
static OTF2_CallbackCode walk_metric_early_mark(struct o2_walker *w, uint64_t tick,
                                                const struct o2_metric *m,
                                                const OTF2_MetricValue *values)
{
    const struct o2_metric_member *mark = &w->trace->defs.member_of[m->first];

    o2_put_line(w, o2_walker_time(w, tick), mark->type, values[0].signed_int, mark->role);
    return o2_done(w);
}

OTF2_CallbackCode o2_on_metric(void *user, const struct o2_event *e)
{
    struct o2_walker *w = user;
    const struct o2_definitions *d = &w->trace->defs;
    const struct o2_metric *m = o2_metric_of(d, e->metric);
    const uint64_t last = w->now.last;
    uint64_t time;

    if (walk_metric_is_mark(d, m) && !w->now.any)
        return walk_metric_early_mark(w, e->time, m, e->values);
    if (!o2_arrive(w, e, &time))
        return OTF2_CALLBACK_INTERRUPT;
    /* A mark is nothing that the thread did. */
    if (walk_metric_is_mark(d, m))
        w->now.last = last;
    if (!m || m->trouble || e->count > m->count) {
        w->out->undefined++;
        return OTF2_CALLBACK_SUCCESS;
    }
    if (w->pendings + e->count > PENDING_ROOM) {
        w->out->counts.events++;
        w->line = NO_LINE;
        o2_walker_put_pending(w, w->pending_time, true);
    }
    for (uint8_t i = 0; i < e->count; i++) {
        const struct o2_metric_member *member = &d->member_of[m->first + i];
        int64_t value = walk_metric_whole(e->types[i], e->values[i]);

        if ((member->mode & OTF2_METRIC_VALUE_MASK) == OTF2_METRIC_VALUE_ACCUMULATED)
            value = walk_metric_since_last(w, m->slot + i, value, time);
        w->pending[w->pendings++] = (struct o2_pending){ value, member->type, member->role };
    }
    w->pending_time = time;
    o2_walker_set_alarm(w);
    return o2_done(w);
}
