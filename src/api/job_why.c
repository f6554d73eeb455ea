#include "api/job_why.h"

#include "api/flushed.h"
#include "api/job_borders.h"
#include "api/job_heat.h"
#include "api/job_kinds.h"
#include "api/job_parts.h"
#include "api/job_rows.h"
#include "api/job_why_pick.h"
#include "api/phase.h"

#include "analysis/profile/profile.h"
#include "analysis/why.h"
#include "analysis/why_partner.h"
#include "api/answers.h"
#include "base/memory.h"
#include "dsp/order.h"
#include "report/why.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdlib.h>

/* Calls that are told apart: those that take most of the time. */
#define CALLS_MOST 24
/* An iteration that is longer by a smaller share of the median is as long as others. */
#define LONGER_LEAST 0.05
/* Of the iterations' cycles a second: what the processor does when nobody takes it away. */
#define FREE_SHARE 0.95
/* Iterations in which partners are looked for: each is read around; of formats that record each end
   of a message apart all is read. */
#define LOOKS       8
#define LOOKS_WHOLE 2

struct why {
    struct job *j;
    struct job_why_picks is;
    const size_t *pick; /* [picks], as of is */
    size_t picks;
    struct prvcut_proof_region *stretch; /* [2 * picks] at one time for all, then own; owned */
    uint64_t *bound;                     /* [2 * threads * picks]; owned */
    struct prvcut_profile_found found;
    struct prvcut_proof_key call[CALLS_MOST];
    size_t calls;
    double *at, *length; /* as of prvcut_why_table; owned */
    bool *clear;
    bool read;      /* found is made */
    unsigned looks; /* in which partners were looked for */
};

static void jwy_fini(struct why *w)
{
    if (w->read)
        prvcut_profile_found_fini(&w->found);
    job_why_picks_fini(&w->is);
    free(w->stretch);
    free(w->bound);
    free(w->at);
    free(w->length);
    free(w->clear);
}

/* --- What threads spent in them --------------------------------------------------------------- */

/* At one time for all, for who is late is so while the others wait, which on their own borders may
   be another iteration; and on each thread's own borders. */
static enum prvcut_status jwy_lay(struct why *w, struct prvcut_error *err)
{
    static const size_t all[2] = { 0, 0 };
    const struct job *j = w->j;
    const size_t threads = j->trace->objects.threads;
    struct job_borders own = { .count = 0 };
    enum prvcut_status st = PRVCUT_OK;

    w->stretch = prvcut_zeroed(2 * w->picks + 1, sizeof *w->stretch, "iterations", err);
    w->bound = prvcut_zeroed(2 * threads * w->picks + 1, sizeof *w->bound, "iterations", err);
    if (!w->stretch || !w->bound)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < w->picks && st == PRVCUT_OK; i++) {
        const uint64_t *border = j->kinds->border[w->pick[i]];
        const struct job_row row = job_row_between(j, border, 2, j->kinds->region);

        w->stretch[i].window = (struct prvcut_window){ .from = border[0], .to = border[1] };
        w->stretch[w->picks + i].window = job_row_window(j, &row, all, w->bound + 2 * threads * i);
        st = job_borders_want(&own, j, &row, 2 * threads * i, err);
    }
    if (st == PRVCUT_OK)
        st = job_borders_align(&own, j, w->stretch + w->picks, w->picks, w->bound, err);
    job_borders_fini(&own);
    return st;
}

/* Where single iterations of a long trace are wanted, these alone are read, and one before each for
   what holds on at its start; not where that is most of it. */
static enum prvcut_status jwy_lay_parts(struct job_parts *p, const struct why *w,
                                        struct prvcut_error *err)
{
    const struct job *j = w->j;
    const struct made_structure *s = &j->out->structure;
    const uint64_t before = (uint64_t)s->region[j->kinds->region].is.median_ns;
    uint64_t read = 0;

    *p = (struct job_parts){ .span = NULL };
    if (j->options || !j->trace->seekable || j->trace->reader->by_thread ||
        job_records(j) <= JOB_WHY_RECORDS)
        return PRVCUT_OK;
    if (job_parts_lay(p, w->stretch, 2 * w->picks, before, j->trace->objects.threads, err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < p->only.spans; i++)
        read += p->span[i].end - p->span[i].start + before;
    if (read > j->trace->end_ns / 2)
        job_parts_fini(p);
    return PRVCUT_OK;
}

static enum prvcut_status jwy_read(struct why *w, struct prvcut_error *err)
{
    const struct job *j = w->j;
    struct api_phase comparing;
    struct prvcut_profile_asked asked = { .until = UINT64_MAX, .off = true };
    struct job_parts parts = { .span = NULL };
    enum prvcut_status st = jwy_lay(w, err);

    if (st == PRVCUT_OK)
        st = jwy_lay_parts(&parts, w, err);
    if (st == PRVCUT_OK) {
        asked.stretch = w->stretch;
        asked.stretches = 2 * w->picks;
        api_phase_init(&comparing, j->run, PRVCUT_PHASE_COMPARING);
        w->read = true;
        st = parts.span ? prvcut_profile_read_parts(&w->found, j->trace, &comparing.run, &asked,
                                                    &parts.only, err)
                        : prvcut_profile_read(&w->found, j->trace, &comparing.run, &asked, err);
    }
    job_parts_fini(&parts);
    return st;
}

static bool jwy_same(const struct prvcut_proof_key *a, const struct prvcut_proof_key *b)
{
    return a->kind == b->kind && a->type == b->type && a->value == b->value;
}

static size_t jwy_call(const struct why *w, const struct prvcut_proof_key *key)
{
    for (size_t i = 0; i < w->calls; i++)
        if (jwy_same(&w->call[i], key))
            return i;
    return SIZE_MAX;
}

static const struct prvcut_profile_cell *jwy_cell(const struct why *w, size_t i)
{
    return (const struct prvcut_profile_cell *)w->found.cell.at + i;
}

/* The calls in the order of their first sight: a thread makes few kinds of them. */
static void jwy_list_calls(struct why *w)
{
    for (size_t i = 0; i < w->found.cell.count && w->calls < CALLS_MOST; i++) {
        const struct prvcut_profile_cell *c = jwy_cell(w, i);

        if (c->key.of.kind == PRVCUT_PROOF_CALL && jwy_call(w, &c->key.of) == SIZE_MAX)
            w->call[w->calls++] = c->key.of;
    }
}

/* The column of a cell; SIZE_MAX: it says nothing of why. */
static size_t jwy_column(const struct why *w, const struct prvcut_proof_key *of, bool own)
{
    const size_t call = of->kind == PRVCUT_PROOF_CALL ? jwy_call(w, of) : SIZE_MAX;
    const bool state = of->kind == PRVCUT_PROOF_STATE;

    if (state && of->type == w->found.names.running)
        return own ? PRVCUT_WHY_OWN : PRVCUT_WHY_COMPUTING;
    if (own && of->kind == PRVCUT_PROOF_COUNTER && of->value == PRVCUT_ROLE_INSTRUCTIONS)
        return PRVCUT_WHY_INSTRUCTIONS;
    if (own && of->kind == PRVCUT_PROOF_COUNTER && of->value == PRVCUT_ROLE_CYCLES)
        return PRVCUT_WHY_CYCLES;
    if (own)
        return SIZE_MAX;
    return call != SIZE_MAX ? PRVCUT_WHY_COLUMNS + call : SIZE_MAX;
}

static double *jwy_at(const struct why *w, size_t iteration, uint32_t thread)
{
    return w->at + (iteration * w->found.threads + thread) * (PRVCUT_WHY_COLUMNS + w->calls);
}

/* What threads do on their own borders that is no column: [picks][threads] ns; owned */
struct jwy_own {
    double *calls, *off;
};

/* While tracing is off. */
static void jwy_offs(struct why *w, struct jwy_own *own)
{
    const struct prvcut_profile_cell *c = w->found.off.at;

    for (size_t i = 0; i < w->found.off.count; i++) {
        const size_t slot = c[i].key.slot;
        const uint32_t thread = c[i].key.thread;

        if (thread >= w->found.threads)
            continue;
        if (slot < w->picks)
            jwy_at(w, slot, thread)[PRVCUT_WHY_OFF] += (double)c[i].amount;
        else
            own->off[(slot - w->picks) * w->found.threads + thread] += (double)c[i].amount;
    }
}

/* Flushes, as the first reading saw them begin and end; these and what is not traced are no
   computing. */
static void jwy_flushes(struct why *w, const struct jwy_own *own)
{
    const struct prvcut_flushes *f = &w->j->data.flushes;
    const struct job_kinds *k = w->j->kinds;

    for (size_t i = 0; i < w->picks; i++) {
        const uint64_t *border = k->border[w->pick[i]];

        for (size_t n = 0; n < f->count; n++) {
            if (f->at[n].thread < w->found.threads)
                jwy_at(w, i, f->at[n].thread)[PRVCUT_WHY_FLUSHING] +=
                    api_flushed(&f->at[n], border[0], border[1]);
        }
        for (uint32_t t = 0; t < w->found.threads; t++) {
            double *at = jwy_at(w, i, t), calls = 0;
            const double flushing = at[PRVCUT_WHY_FLUSHING];
            const double off = own->off[i * w->found.threads + t];

            for (size_t c = 0; c < w->calls; c++)
                calls += at[PRVCUT_WHY_COLUMNS + c];
            api_flushed_take(&at[PRVCUT_WHY_COMPUTING], calls, flushing + at[PRVCUT_WHY_OFF],
                             (double)prvcut_profile_length(&w->found, i, t));
            api_flushed_take(&at[PRVCUT_WHY_OWN], own->calls[i * w->found.threads + t],
                             flushing + off,
                             (double)prvcut_profile_length(&w->found, w->picks + i, t));
            at[PRVCUT_WHY_STOLEN] = fmax(0, at[PRVCUT_WHY_STOLEN] - flushing - off);
        }
    }
}

/* Time that no call has. */
static void jwy_compute_rest(struct why *w, const struct jwy_own *own)
{
    for (size_t i = 0; i < w->picks; i++)
        for (uint32_t t = 0; t < w->found.threads; t++) {
            double *at = jwy_at(w, i, t), calls = 0;

            for (size_t c = 0; c < w->calls; c++)
                calls += at[PRVCUT_WHY_COLUMNS + c];
            at[PRVCUT_WHY_COMPUTING] =
                fmax(0, (double)prvcut_profile_length(&w->found, i, t) - calls);
            at[PRVCUT_WHY_OWN] = fmax(0, (double)prvcut_profile_length(&w->found, w->picks + i, t) -
                                             own->calls[i * w->found.threads + t]);
        }
}

/* Cycles that a thread lacks of what it has when nobody takes the processor away. */
static enum prvcut_status jwy_compute_stolen(struct why *w, struct prvcut_error *err)
{
    double *rate = prvcut_unset(w->picks + 1, sizeof *rate, "iterations", err);

    for (uint32_t t = 0; rate && t < w->found.threads; t++) {
        size_t known = 0;
        double full;

        for (size_t i = 0; i < w->picks; i++) {
            const double ns = (double)prvcut_profile_length(&w->found, w->picks + i, t);
            const double cycles = jwy_at(w, i, t)[PRVCUT_WHY_CYCLES];

            if (ns > 0 && cycles > 0)
                rate[known++] = cycles / ns;
        }
        full =
            known > 0 ? prvcut_select(rate, known, (size_t)(FREE_SHARE * (double)(known - 1))) : 0;
        for (size_t i = 0; full > 0 && i < w->picks; i++) {
            const double ns = (double)prvcut_profile_length(&w->found, w->picks + i, t);

            jwy_at(w, i, t)[PRVCUT_WHY_STOLEN] =
                fmax(0, ns - jwy_at(w, i, t)[PRVCUT_WHY_CYCLES] / full);
        }
    }
    free(rate);
    return rate ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* Room for them, and their lengths. */
static enum prvcut_status jwy_fill(struct why *w, struct prvcut_error *err)
{
    const size_t threads = w->found.threads;
    const struct job_kinds *k = w->j->kinds;

    w->at = prvcut_zeroed(w->picks * threads * (PRVCUT_WHY_COLUMNS + w->calls) + 1, sizeof *w->at,
                          "iterations", err);
    w->length = prvcut_zeroed(w->picks + 1, sizeof *w->length, "iterations", err);
    w->clear = prvcut_zeroed(w->picks + 1, sizeof *w->clear, "iterations", err);
    if (!w->at || !w->length || !w->clear)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < w->picks; i++) {
        w->length[i] = k->length[w->pick[i]];
        w->clear[i] = k->clear[w->pick[i]];
    }
    return PRVCUT_OK;
}

/* The cells into the columns. */
static enum prvcut_status jwy_sort(struct why *w, struct prvcut_error *err)
{
    const uint32_t threads = w->found.threads;
    const size_t cells = w->picks * threads + 1;
    struct jwy_own beside = { prvcut_zeroed(cells, sizeof *beside.calls, "iterations", err),
                              prvcut_zeroed(cells, sizeof *beside.off, "iterations", err) };
    const bool room = beside.calls && beside.off;
    enum prvcut_status st;

    for (size_t i = 0; room && i < w->found.cell.count; i++) {
        const struct prvcut_profile_cell *c = jwy_cell(w, i);
        const bool own = c->key.slot >= w->picks;
        const size_t iteration = c->key.slot - (own ? w->picks : 0);
        const size_t column = jwy_column(w, &c->key.of, own);

        if (c->key.thread >= threads)
            continue;
        if (own && c->key.of.kind == PRVCUT_PROOF_CALL)
            beside.calls[iteration * threads + c->key.thread] += (double)c->amount;
        if (column != SIZE_MAX)
            jwy_at(w, iteration, c->key.thread)[column] += (double)c->amount;
    }
    if (room)
        jwy_offs(w, &beside);
    if (room && !(w->found.any & PRVCUT_PROFILE_ANY_RUNNING))
        jwy_compute_rest(w, &beside);
    st = room ? jwy_compute_stolen(w, err) : PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        jwy_flushes(w, &beside);
    free(beside.calls);
    free(beside.off);
    return st;
}

/* --- Why -------------------------------------------------------------------------------------- */

static char *jwy_name(const struct why *w, const struct prvcut_proof_key *call,
                      struct prvcut_error *err)
{
    char text[160];

    return prvcut_copied_text(prvcut_proof_key_text(text, sizeof text, call, &w->found.names),
                              "names", err);
}

/* Does the trace name it? A number says nothing to anybody. */
static bool jwy_is_named(const struct why *w, const struct prvcut_proof_key *call)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(&w->found.names, call->type);

    return t && prvcut_type_value(t, call->value);
}

/* What all of it is compared with. */
struct explained {
    struct prvcut_why_table table;
    struct prvcut_why_usual usual;
};

/* For whom it waited in the longest of these calls; n: of the picks */
static enum prvcut_status jwy_meet(struct prvcut_slow_cause *to, struct why *w,
                                   const struct explained *e, size_t n,
                                   const struct prvcut_proof_key *call, struct prvcut_error *err)
{
    const struct prvcut_window *window = &w->stretch[n].window;
    const struct prvcut_why_meeting of = { .iteration = { window->from, window->to },
                                           .thread = to->thread,
                                           .call = *call,
                                           .names = &w->found.names,
                                           .flushes = &w->j->data.flushes };
    struct prvcut_why_partner p;
    enum prvcut_status st;

    if (w->looks++ >= (w->j->trace->reader->halves ? LOOKS_WHOLE : LOOKS))
        return PRVCUT_OK;
    st = prvcut_why_partner_find(&p, w->j->trace, w->j->run, &of, err);
    if (st < 0 || p.late == PRVCUT_LATE_UNKNOWN)
        return st;
    to->late = p.late;
    to->longest_ns = (double)p.longest_ns;
    if (p.late != PRVCUT_LATE_PARTNER)
        return PRVCUT_OK;
    to->partner = p.thread;
    to->late_ns = (double)p.late_ns;
    to->partner_did = p.did == PRVCUT_SLOW_COMPUTING
                          ? prvcut_why_computes(&e->table, &e->usual, n, p.thread)
                          : p.did;
    to->partner_ns = (double)p.did_ns;
    to->partner_call = p.did == PRVCUT_SLOW_CALL ? jwy_name(w, &p.did_call, err) : NULL;
    if (jwy_is_named(w, &p.code)) {
        to->partner_code = jwy_name(w, &p.code, err);
        if (!to->partner_code)
            return PRVCUT_ENOMEM;
    }
    return p.did == PRVCUT_SLOW_CALL && !to->partner_call ? PRVCUT_ENOMEM : PRVCUT_OK;
}

/* n: of the picks */
static enum prvcut_status jwy_tell(struct made_chop *c, struct why *w, const struct explained *e,
                                   size_t n, struct prvcut_error *err)
{
    const struct prvcut_why is = prvcut_why_of(&e->table, &e->usual, n), *why = &is;
    enum prvcut_status st = PRVCUT_OK;

    if (!(why->excess >= LONGER_LEAST * e->usual.length))
        return PRVCUT_OK;
    c->is.excess_ns = why->excess;
    for (size_t i = 0; i < why->count && i < MADE_CAUSES && st == PRVCUT_OK; i++) {
        const struct prvcut_why_one *one = &why->one[i];
        struct prvcut_slow_cause *to = &c->cause[c->is.causes++];

        *to = (struct prvcut_slow_cause){ .what = one->cause,
                                          .thread = one->thread,
                                          .threads = one->threads,
                                          .ns = one->ns,
                                          .usual_ns = one->usual,
                                          .share = one->share,
                                          .others = one->others,
                                          .partner = UINT32_MAX };
        memcpy(to->other, one->other, sizeof to->other);
        memcpy(to->other_ns, one->other_ns, sizeof to->other_ns);
        if (one->cause != PRVCUT_SLOW_CALL)
            continue;
        to->call = jwy_name(w, &w->call[one->call], err);
        st = to->call ? jwy_meet(to, w, e, n, &w->call[one->call], err) : PRVCUT_ENOMEM;
    }
    return st;
}

/* Of one iteration that was picked; SIZE_MAX: nothing is told. */
static enum prvcut_status jwy_explain_one(struct made_chop *c, struct why *w,
                                          const struct explained *e, size_t asked,
                                          struct prvcut_error *err)
{
    for (size_t n = 0; asked != SIZE_MAX && n < w->picks; n++)
        if (w->pick[n] == asked)
            return jwy_tell(c, w, e, n, err);
    return PRVCUT_OK;
}

/* Unusual iterations of a region that are asked for, in a sentence each. */
static enum prvcut_status jwy_explain_region(struct made_region *r, struct why *w,
                                             const struct explained *e, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    r->cause = prvcut_zeroed(r->is.outliers + 1, sizeof *r->cause, "texts", err);
    if (!r->cause)
        return PRVCUT_ENOMEM;
    for (size_t n = 0; n < r->is.outliers && st == PRVCUT_OK; n++) {
        struct made_chop one = { .is.causes = 0 };
        char text[REPORT_WHY];

        const size_t asked = job_why_asked_at(&w->is, w->j, r->outlier[n].span.start);
        const char *told = NULL;

        st = jwy_explain_one(&one, w, e, asked, err);
        if (one.is.causes > 0)
            told = report_why_text(text, w->j->out, &one);
        else if (asked != SIZE_MAX && r->outlier[n].deviation > 0)
            told = "as long as others of the loop, and unusual in its region only";
        if (st == PRVCUT_OK && told) {
            r->cause[n] = prvcut_copied_text(told, "texts", err);
            st = r->cause[n] ? PRVCUT_OK : PRVCUT_ENOMEM;
        }
        for (size_t i = 0; i < one.is.causes; i++)
            api_slow_cause_fini(&one.cause[i]);
    }
    return st;
}

static enum prvcut_status jwy_heat(struct why *w, struct prvcut_error *err)
{
    const struct job_heat_of of = { .pick = w->pick,
                                    .picks = w->picks,
                                    .threads = w->found.threads,
                                    .ns = w->at + PRVCUT_WHY_OWN,
                                    .stride = PRVCUT_WHY_COLUMNS + w->calls };
    const bool computing = w->found.any & (PRVCUT_PROFILE_ANY_RUNNING | PRVCUT_PROFILE_ANY_CALL);

    return w->j->options && w->j->options->report && computing ? job_heat_tell(w->j, &of, err)
                                                               : PRVCUT_OK;
}

static enum prvcut_status jwy_explain(struct why *w, const struct job_plan *plan,
                                      struct prvcut_error *err)
{
    struct explained e = { .table = { .iterations = w->picks,
                                      .calls = w->calls,
                                      .threads = w->found.threads,
                                      .length = w->length,
                                      .number = w->pick,
                                      .clear = w->clear,
                                      .at = w->at } };
    enum prvcut_status st = prvcut_why_usual_init(&e.usual, &e.table, err);

    for (size_t i = 0; i < w->j->out->is.chops && st == PRVCUT_OK; i++) {
        struct made_chop *c = &w->j->out->chop[i];

        st = jwy_explain_one(c, w, &e, job_why_asked(w->j, c, &plan->at[i]), err);
    }
    for (size_t i = 0; i < w->j->out->structure.is.regions && st == PRVCUT_OK; i++) {
        struct made_region *r = job_why_region(w->j, i);

        if (r && r->is.outliers > 0)
            st = jwy_explain_region(r, w, &e, err);
    }
    prvcut_why_usual_fini(&e.usual);
    return st;
}

/* Pick, read and explain. */
static enum prvcut_status jwy_all(struct job *j, const struct job_plan *plan,
                                  struct prvcut_error *err)
{
    struct why w = { .j = j };
    enum prvcut_status st = job_why_pick(&w.is, j, plan, err);

    w.pick = w.is.at;
    w.picks = w.is.count;
    if (st == PRVCUT_OK && w.picks > 0) {
        st = jwy_read(&w, err);
        if (st == PRVCUT_OK && w.found.apart) {
            jwy_list_calls(&w);
            st = jwy_fill(&w, err);
            st = st == PRVCUT_OK ? jwy_sort(&w, err) : st;
            st = st == PRVCUT_OK ? jwy_explain(&w, plan, err) : st;
            st = st == PRVCUT_OK ? jwy_heat(&w, err) : st;
        }
    }
    jwy_fini(&w);
    return st;
}

enum prvcut_status job_why(struct job *j, const struct job_plan *plan, struct prvcut_error *err)
{
    return job_proves(j) && j->kinds && j->kinds->count > 0 ? jwy_all(j, plan, err) : PRVCUT_OK;
}

enum prvcut_status job_why_structure(struct job *j, struct prvcut_error *err)
{
    static const struct job_plan none = { .count = 0 };
    struct made_structure *s = &j->out->structure;
    enum prvcut_status st;

    if (j->wish.causes == 0 || s->is.main >= s->is.regions)
        return PRVCUT_OK;
    if (j->trace->once) {
        s->unexplained = "the trace can be read only once";
        return PRVCUT_OK;
    }
    st = job_kinds_tell(j, s->is.main, err);
    return st == PRVCUT_OK && j->kinds->count > 0 ? jwy_all(j, &none, err) : st;
}
