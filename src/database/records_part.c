#include "database/records.h"

/* Which part of a thread's time is told, its iterations, and what it is in. */

size_t dbs_rec_iteration(struct rec_job *j, uint32_t thread, uint64_t time)
{
    return dbs_iteration_at(j->loop, &j->thread[thread].iteration, thread, time);
}

/* Is told what that thread does? Nobody knows of those that the trace does not name. */
bool dbs_rec_tells(const struct rec_job *j, uint32_t thread)
{
    return dbs_tells(j->d, thread < j->trace->objects.threads
                               ? j->trace->objects.thread_task[thread]
                               : UINT32_MAX);
}

/* A thread's own part of what is asked for. */
static struct prvcut_span rec_own(const struct rec_job *j, uint32_t thread)
{
    return j->loop->only ? prvcut_window_own(j->loop->only, thread)
                         : (struct prvcut_span){ 0, UINT64_MAX };
}

bool dbs_rec_takes(const struct rec_job *j, uint32_t thread, uint64_t time)
{
    const struct prvcut_span own = rec_own(j, thread);

    return time >= own.start && time < own.end;
}

/* Leave what lies in its thread's part; false: nothing does. */
bool dbs_rec_clip(const struct rec_job *j, uint32_t thread, struct prvcut_span *s)
{
    const struct prvcut_span own = rec_own(j, thread);

    if (!dbs_rec_tells(j, thread) || s->start >= own.end ||
        (s->end <= own.start && s->start < own.start))
        return false;
    s->start = s->start < own.start ? own.start : s->start;
    s->end = s->end > own.end ? own.end : s->end;
    return true;
}

void dbs_rec_put_iteration(const struct rec_job *j, struct dbs_row *r, size_t iteration)
{
    dbs_number(r, iteration == DBS_NO_ITERATION ? 0 : j->loop->at[iteration].number);
}

struct rec_call *dbs_rec_find(struct rec_job *j, const struct prvcut_stream_call *c)
{
    struct rec_thread *t = c ? &j->thread[c->thread] : NULL;

    for (size_t i = t ? t->calls : 0; i-- > 0;)
        if (t->held[i].type == c->type && t->held[i].begin == c->span.start)
            return &t->held[i];
    return NULL;
}
