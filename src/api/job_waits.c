#include "api/job_waits.h"

#include "analysis/waits/waits.h"
#include "api/comm.h"
#include "api/job_borders.h"
#include "api/job_view.h"
#include "api/phase.h"
#include "api/profile_stretches.h"
#include "api/waits.h"
#include "base/memory.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdlib.h>

/* Shares of the time below which a kind of waiting is not told. */
#define LEAST 0.001

/* The iterations of a job, and what each lost. */
struct jwt_iterations {
    struct api_stretches s; /* the first is all of them */
    struct prvcut_waits_found f;
    const uint64_t *part; /* [s.count - 1][metrics] ns */
    size_t metrics;
    bool told[PRVCUT_WAITS];
};

/* What some iterations lost, and how long they are, ns. */
struct jwt_sums {
    uint64_t lost[PRVCUT_WAITS], length;
    size_t iterations;
};

static void jwt_add(struct jwt_sums *to, const struct jwt_iterations *it, size_t i)
{
    const struct prvcut_profile_part *p = &it->s.part[i + 1];

    for (size_t k = 0; k < PRVCUT_WAITS; k++)
        to->lost[k] += it->part[i * it->metrics + k];
    to->length += p->span.end - p->span.start;
    to->iterations++;
}

static bool jwt_holds(const struct made_chop *c, uint64_t iteration)
{
    return c->is.iteration > 0 && iteration >= c->is.iteration &&
           iteration - c->is.iteration < c->is.iterations;
}

/* What a cut holds, and what it stands for: its loop, or its region, without what is disturbed
   unless it holds some itself. */
static void jwt_sums(struct jwt_sums sums[2], const struct job *j, const struct made_chop *c,
                     const struct jwt_iterations *it)
{
    const struct made_structure *s = &j->out->structure;
    const struct made_region *r = &s->region[c->is.region];
    const bool loop = c->is.of_loop || prvcut_region_is_all(r, c->is.iterations);
    const bool touched = prvcut_structure_touches(s, c);

    sums[0] = sums[1] = (struct jwt_sums){ .length = 0 };
    for (size_t i = 0; i + 1 < it->s.count; i++) {
        const struct prvcut_profile_part *p = &it->s.part[i + 1];

        if (jwt_holds(c, p->iteration))
            jwt_add(&sums[0], it, i);
        if ((!p->disturbed || touched) &&
            (loop || (p->span.start >= r->is.span.start && p->span.end <= r->is.span.end)))
            jwt_add(&sums[1], it, i);
    }
}

static double jwt_share(const struct jwt_sums *s, size_t metric, uint32_t threads)
{
    const double all = (double)s->length * threads;

    return all > 0 ? (double)s->lost[metric] / all : 0;
}

static int jwt_worst_first(const void *a, const void *b)
{
    const struct prvcut_proof_row *x = a, *y = b;
    const double p = fabs(x->chop - x->region), q = fabs(y->chop - y->region);

    if (p < q || p > q)
        return p > q ? -1 : 1;
    return x->weight < y->weight ? 1 : x->weight > y->weight ? -1 : 0;
}

static enum prvcut_status jwt_rows(struct made_proof *p, const struct jwt_sums sums[2],
                                   const bool told[PRVCUT_WAITS], uint32_t threads,
                                   struct prvcut_error *err)
{
    p->wait = prvcut_zeroed(PRVCUT_WAITS, sizeof *p->wait, "wait states", err);
    if (!p->wait)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < PRVCUT_WAIT_OMP_FORK; k++) {
        const double chop = jwt_share(&sums[0], k, threads);
        const double region = jwt_share(&sums[1], k, threads);

        if (!told[k] || (chop < LEAST && region < LEAST))
            continue;
        p->wait[p->is.waits] = (struct prvcut_proof_row){
            .group = PRVCUT_PROOF_OF_WAIT,
            .name = prvcut_copied_text(prvcut_wait_text((enum prvcut_wait)k), "names", err),
            .unit = PRVCUT_PROOF_IN_SHARE,
            .chop = chop,
            .region = region,
            .error = region > 0 ? chop / region - 1 : INFINITY,
            .weight = region,
        };
        if (!p->wait[p->is.waits++].name)
            return PRVCUT_ENOMEM;
    }
    qsort(p->wait, p->is.waits, sizeof *p->wait, jwt_worst_first);
    return PRVCUT_OK;
}

static enum prvcut_status jwt_compare(struct job *j, const struct jwt_iterations *it,
                                      struct prvcut_error *err)
{
    struct made_reduction *r = j->out;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < r->is.chops && st == PRVCUT_OK; i++) {
        struct made_chop *c = &r->chop[i];
        struct jwt_sums sums[2];

        if (!c->proof.is.verdict || c->is.level != 1 || c->is.of_kind > 0 ||
            prvcut_loop_is_all(&r->structure.region[c->is.region], c->is.iterations))
            continue;
        jwt_sums(sums, j, c, it);
        if (sums[0].iterations == c->is.iterations && sums[1].iterations > 0)
            st = jwt_rows(&c->proof, sums, it->told, j->trace->objects.threads, err);
    }
    return st;
}

static enum prvcut_status jwt_read(struct job *j, struct jwt_iterations *it,
                                   struct prvcut_error *err)
{
    struct prvcut_window *window = prvcut_zeroed(it->s.count + 1, sizeof *window, "stretches", err);
    const struct prvcut_waits_asked asked = {
        .stretch = window, .stretches = it->s.count - 1, .flat = true, .within = true
    };
    struct api_phase comparing;
    enum prvcut_status st;

    if (!window)
        return PRVCUT_ENOMEM;
    for (size_t i = 1; i < it->s.count; i++)
        window[i - 1] = it->s.at[i].window;
    api_phase_init(&comparing, j->run, PRVCUT_PHASE_COMPARING);
    st = prvcut_waits_find(&it->f, j->trace, &comparing.run, &asked, err);
    it->part = it->f.part;
    it->metrics = it->f.metrics;
    for (size_t k = 0; st == PRVCUT_OK && k < PRVCUT_WAITS; k++)
        it->told[k] = it->f.sum[k].told;
    free(window);
    return st;
}

enum prvcut_status job_waits_tell(struct job *j, const struct prvcut_run *run,
                                  struct prvcut_error *err)
{
    struct made_wait_states *made;
    enum prvcut_status st;

    if (j->waits_asked)
        return PRVCUT_OK;
    j->waits_asked = true;
    made = prvcut_zeroed(1, sizeof *made, "wait states", err);
    if (!made)
        return PRVCUT_ENOMEM;
    st = job_wants_page(j) ? api_comm_hear(&j->comm, j->trace, err) : PRVCUT_OK;
    if (st == PRVCUT_OK)
        st = job_view_fits(j, api_waits_of_job(j, run, made, err), err);
    if (st == PRVCUT_OK)
        j->waits = made;
    else
        prvcut_wait_states_free(&made->is);
    return job_page_without(j, st, "who waits is not told", err);
}

/* A page tells all that the proof asks, and more: one reading is both. */
static enum prvcut_status jwt_ask_page(struct job *j, struct jwt_iterations *it,
                                       struct prvcut_error *err)
{
    struct api_phase comparing;
    enum prvcut_status st;

    api_phase_init(&comparing, j->run, PRVCUT_PHASE_COMPARING);
    /* Of several ranks only the one that writes asks so. */
    comparing.run.exchange = NULL;
    st = job_waits_tell(j, &comparing.run, err);
    if (st < 0 || !j->waits || j->waits->is.parts + 1 != it->s.count)
        return st;
    it->part = j->waits->part_ns;
    it->metrics = j->waits->is.metrics;
    for (size_t k = 0; k < PRVCUT_WAITS; k++)
        it->told[k] = !j->waits->metric[k].is.reason;
    return st;
}

enum prvcut_status job_prove_waits(struct job *j, struct prvcut_error *err)
{
    const struct prvcut_profile_options which = { .by = PRVCUT_PROFILE_BY_ITERATION,
                                                  .only = j->wish.only };
    struct jwt_iterations it = { .f.nodes = 0 };
    struct prvcut_error none = { .status = PRVCUT_OK };
    enum prvcut_status st;

    if (j->trace->once)
        return PRVCUT_OK;
    st = job_borders_keep(j, err);
    if (st < 0)
        return st;
    st = api_stretches_of(&it.s, j, &which, &none);
    if (st == PRVCUT_NONE || st == PRVCUT_EUSAGE || st == PRVCUT_ELIMIT) {
        api_stretches_fini(&it.s);
        return PRVCUT_OK;
    }
    if (st < 0)
        prvcut_fail_as(err, st, &none);
    if (st == PRVCUT_OK && it.s.count > 1 && job_wants_page(j))
        st = jwt_ask_page(j, &it, err);
    if (st == PRVCUT_OK && it.s.count > 1 && !it.part)
        st = jwt_read(j, &it, err);
    if (st == PRVCUT_OK && it.s.count > 1)
        st = jwt_compare(j, &it, err);
    prvcut_waits_found_fini(&it.f);
    api_stretches_fini(&it.s);
    return st;
}
