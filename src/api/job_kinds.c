#include "api/job_kinds.h"

#include "api/job_rows.h"
#include "api/job_windows.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "structure/first_delay.h"
#include "structure/known.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void job_kinds_free(struct job_kinds *k)
{
    if (!k)
        return;
    free(k->border);
    free(k->length);
    free(k->calls);
    free(k->delay);
    free(k->clear);
    free(k->label);
    free(k);
}

static enum prvcut_status jkn_new(struct job_kinds *k, size_t room, struct prvcut_error *err)
{
    k->border = prvcut_zeroed(room + 1, sizeof *k->border, "iterations", err);
    k->length = prvcut_zeroed(room + 1, sizeof *k->length, "iterations", err);
    k->calls = prvcut_zeroed(room + 1, sizeof *k->calls, "iterations", err);
    k->delay = prvcut_zeroed(room + 1, sizeof *k->delay, "iterations", err);
    k->clear = prvcut_zeroed(room + 1, sizeof *k->clear, "iterations", err);
    k->label = prvcut_zeroed(room + 1, sizeof *k->label, "iterations", err);
    return k->border && k->length && k->calls && k->delay && k->clear && k->label ? PRVCUT_OK
                                                                                  : PRVCUT_ENOMEM;
}

/* room: [threads]; *told: false where the calls of an iteration are unknown */
static void jkn_add(struct job_kinds *k, const struct job *j, const struct prvcut_stretch *t,
                    double *room, bool *told)
{
    for (size_t i = 0; i + 1 < t->borders; i++) {
        const struct prvcut_span span = { t->border[i], t->border[i + 1] };

        k->border[k->count] = t->border + i;
        k->length[k->count] = (double)(span.end - span.start);
        k->clear[k->count] = !job_row_is_touched(j, &span);
        k->calls[k->count] = job_windows_calls(j, span.start, room);
        *told = *told && !isnan(k->calls[k->count]);
        k->count++;
    }
}

/* told: how many calls each makes */
static enum prvcut_status jkn_find_kinds(struct job_kinds *k, bool told, struct prvcut_error *err)
{
    struct prvcut_kinds_input in = {
        .length = k->length, .calls = told ? k->calls : NULL, .clear = k->clear, .count = k->count
    };
    size_t clear = 0;
    enum prvcut_status st;

    for (size_t i = 0; i < k->count; i++)
        clear += k->clear[i];
    in.clear_alone = job_clear_tell_alone(clear, k->count);
    st = prvcut_kinds_find(k->kind, &k->kinds, k->label, &in, err);
    k->clear_alone = in.clear_alone;
    for (size_t i = 0; st == PRVCUT_OK && i < k->kinds; i++)
        k->clear_alone = k->clear_alone && k->kind[i].iterations > 0;
    if (st == PRVCUT_OK && in.clear_alone && !k->clear_alone) {
        in.clear_alone = false;
        st = prvcut_kinds_find(k->kind, &k->kinds, k->label, &in, err);
    }
    return st;
}

static enum prvcut_status jkn_find_delay(struct job_kinds *k, const struct job *j,
                                         struct prvcut_error *err)
{
    const size_t of = j->known.of_region ? j->known.of_region[k->region] : SIZE_MAX;
    const struct prvcut_known_loop *f = of < j->known.count ? &j->known.at[of] : NULL;
    const size_t leader = f ? prvcut_known_loop_leader(f) : 0;
    struct prvcut_first_delay delay;
    enum prvcut_status st;

    if (!f || leader >= f->calls.sequences)
        return PRVCUT_OK;
    st = prvcut_first_delay_init(&delay, f, err);
    if (st == PRVCUT_OK)
        prvcut_first_delay_of(&delay, leader);
    for (size_t i = 0; st == PRVCUT_OK && i < k->count && i < delay.count; i++)
        if (*k->border[i] == f->calls.border[leader][i])
            k->delay[i] = delay.ns[i];
    prvcut_first_delay_fini(&delay);
    return st;
}

double job_kinds_own_length(const struct job_kinds *k, size_t iteration, double usual)
{
    const double length = k->length[iteration];

    return usual > 0 ? usual + prvcut_first_delay_off(length - usual, k->delay[iteration]) : length;
}

static enum prvcut_status jkn_find(struct job_kinds *k, const struct job *j, size_t region,
                                   struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    double *threads =
        prvcut_unset((size_t)j->trace->objects.threads + 1, sizeof *threads, "threads", err);
    size_t room = 0;
    bool told = true;
    enum prvcut_status st;

    *k = (struct job_kinds){ .region = region };
    for (size_t i = 0; i < s->is.stretches; i++)
        if (prvcut_stretch_is_of(&s->stretch[i], &s->region[region]))
            room += s->stretch[i].borders;
    st = threads ? jkn_new(k, room, err) : PRVCUT_ENOMEM;
    for (size_t i = 0; i < s->is.stretches && st == PRVCUT_OK; i++)
        if (prvcut_stretch_is_of(&s->stretch[i], &s->region[region]))
            jkn_add(k, j, &s->stretch[i], threads, &told);
    if (st == PRVCUT_OK)
        st = jkn_find_delay(k, j, err);
    if (st == PRVCUT_OK)
        st = jkn_find_kinds(k, told, err);
    free(threads);
    return st;
}

enum prvcut_status job_kinds_tell(struct job *j, size_t region, struct prvcut_error *err)
{
    struct made_reduction *r = j->out;
    enum prvcut_status st;

    job_kinds_free(j->kinds);
    j->kinds = prvcut_zeroed(1, sizeof *j->kinds, "kinds of iterations", err);
    if (!j->kinds)
        return PRVCUT_ENOMEM;
    st = jkn_find(j->kinds, j, region, err);
    for (size_t i = 0; i < j->kinds->kinds && st == PRVCUT_OK; i++)
        r->kind[i] = j->kinds->kind[i];
    r->is.kinds = st == PRVCUT_OK ? j->kinds->kinds : 0;
    r->kinds_region = region;
    r->is.kinds_of_clear = r->is.kinds > 0 && j->kinds->clear_alone;
    return st;
}

unsigned job_kinds_held(const struct job *j, size_t region, const struct prvcut_span *window)
{
    const struct job_kinds *k = j->kinds;
    const struct made_region *r = j->out->structure.region;
    unsigned held = 0;

    if (!k || k->kinds < 2 || !prvcut_regions_share_loop(&r[k->region], &r[region]))
        return 0;
    for (size_t i = 0; i < k->count; i++) {
        const uint64_t middle = k->border[i][0] + (k->border[i][1] - k->border[i][0]) / 2;

        if (middle >= window->start && middle < window->end)
            held |= 1u << k->label[i];
    }
    return held;
}

enum prvcut_status job_kinds_plan(struct job *j, struct job_plan *plan, struct prvcut_error *err)
{
    const size_t kinds = j->kinds->kinds, more = kinds - 1;

    if (prvcut_grow((void **)&plan->at, &plan->room, plan->count + more, sizeof *plan->at, err) < 0)
        return PRVCUT_ENOMEM;
    memmove(plan->at + kinds, plan->at + 1, (plan->count - 1) * sizeof *plan->at);
    plan->count += more;
    for (size_t i = 0; i < kinds; i++) {
        struct job_planned *p = &plan->at[i];

        *p = plan->at[0];
        p->kind = (unsigned)i + 1;
        if (j->kinds->window[i] < j->options->iterations)
            job_note(j, "of kind %u no more than %u iteration%s follow each other", p->kind,
                     j->kinds->window[i], j->kinds->window[i] == 1 ? "" : "s");
    }
    for (size_t i = 0; i < kinds; i++)
        plan->at[i].place.iterations = j->kinds->window[i];
    return PRVCUT_OK;
}
