#include "api/job_why_last.h"

#include "base/memory.h"
#include "structure/known.h"
#include "structure/stretch.h"

#include "stream/stream.h"

#include <stdlib.h>

/* Of its length: so much behind where it begins a call is looked for, at most. */
#define LAST_FAR 32

/* The last calls: when they begin, and end. */
struct jwa {
    const uint64_t *begin; /* [threads] 0: none */
    uint64_t *end;         /* [threads] */
    uint32_t threads;
};

static enum prvcut_status jwa_call(void *ctx, const struct prvcut_stream_call *c, bool begins,
                                   struct prvcut_error *err)
{
    struct jwa *a = ctx;

    (void)err;
    if (begins && c->thread < a->threads && a->begin[c->thread] > 0 && !c->no_end &&
        c->span.start == a->begin[c->thread] && c->span.end > a->end[c->thread])
        a->end[c->thread] = c->span.end;
    return PRVCUT_OK;
}

/* The part of the loop that ends with its last iteration; NULL: that is not one of these. */
static const struct prvcut_known_loop *jwa_part(const struct job *j)
{
    const struct made_structure *s = &j->out->structure;
    const struct prvcut_known_loop *last = NULL;

    for (size_t i = 0; i < s->is.regions; i++)
        if (prvcut_regions_share_loop(&s->region[i], &s->region[j->kinds->region]))
            last = &j->known.at[j->known.of_region[i]];
    return last;
}

/* When the last call of that iteration begins on each thread. Returns where what must be read
   starts. */
static uint64_t jwa_begins(uint64_t *begin, const struct prvcut_known_loop *f, uint32_t threads)
{
    const struct prvcut_call_loop *l = &f->calls;
    uint64_t from = UINT64_MAX;

    for (size_t i = 0; i < l->sequences; i++) {
        const struct prvcut_call_sequence *s = &f->sequence[i];
        const size_t n = l->borders[i];

        if (n < 2 || !l->start || !l->start[i] || s->thread >= threads ||
            l->start[i][n - 1] <= l->start[i][n - 2] || l->start[i][n - 1] > s->count)
            continue;
        begin[s->thread] = s->at[l->start[i][n - 1] - 1].time;
        from = begin[s->thread] < from ? begin[s->thread] : from;
    }
    return from;
}

static enum prvcut_status jwa_read(struct job_why_last *l, const struct job *j,
                                   const struct prvcut_known_loop *f, const uint64_t *border,
                                   struct prvcut_error *err)
{
    const uint32_t threads = j->trace->objects.threads;
    const uint64_t far = LAST_FAR * (border[1] - border[0]);
    uint64_t *begin = prvcut_zeroed(threads + (size_t)1, sizeof *begin, "threads", err);
    struct jwa a = { begin, l->end, threads };
    const struct prvcut_stream_sink sink = { .ctx = &a, .call = jwa_call };
    struct prvcut_stream_plan plan = { .trace = j->trace,
                                       .run = j->run,
                                       .by_thread = true,
                                       .near = true,
                                       .phase = PRVCUT_PHASE_COMPARING };
    enum prvcut_status st = begin ? PRVCUT_OK : PRVCUT_ENOMEM;

    plan.only.start = st == PRVCUT_OK ? jwa_begins(begin, f, threads) : UINT64_MAX;
    if (plan.only.start < UINT64_MAX) {
        plan.only.end = border[1] + far < j->trace->end_ns ? border[1] + far : j->trace->end_ns;
        if (plan.only.end > plan.only.start)
            st = prvcut_stream_tell(&plan, PRVCUT_ROLES_MPI, true, &sink, err);
    }
    free(begin);
    return st;
}

enum prvcut_status job_why_last_find(struct job_why_last *l, const struct job *j,
                                     struct prvcut_error *err)
{
    const struct prvcut_known_loop *f = jwa_part(j);
    const size_t leader = f ? prvcut_known_loop_leader(f) : 0;
    const size_t last = j->kinds->count - 1;
    const uint64_t *border = f && j->kinds->count > 0 ? j->kinds->border[last] : NULL;
    enum prvcut_status st;

    *l = (struct job_why_last){ .iteration = SIZE_MAX };
    if (!border || leader >= f->calls.sequences || j->trace->once)
        return PRVCUT_OK;
    l->end = prvcut_zeroed(j->trace->objects.threads + (size_t)1, sizeof *l->end, "threads", err);
    if (!l->end)
        return PRVCUT_ENOMEM;
    st = jwa_read(l, j, f, border, err);
    l->iteration = last;
    if (f->sequence[leader].thread < j->trace->objects.threads)
        l->lead = l->end[f->sequence[leader].thread];
    if (l->lead > border[1])
        j->kinds->length[last] = (double)(l->lead - border[0]);
    return st;
}

void job_why_last_fini(struct job_why_last *l)
{
    free(l->end);
    *l = (struct job_why_last){ .iteration = SIZE_MAX };
}
