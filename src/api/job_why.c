#include "api/job_why.h"

#include "api/index.h"
#include "api/job_heat.h"
#include "api/job_kinds.h"
#include "api/job_why_met.h"
#include "api/job_why_order.h"
#include "api/job_why_say.h"
#include "api/job_why_spent.h"
#include "api/job_why_who.h"

#include "analysis/why.h"
#include "api/answers.h"
#include "base/memory.h"
#include "report/why.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Iterations in which partners are looked for: each is read around; of formats that record each end
   of a message apart all is read. */
#define LOOKS            8
#define LOOKS_WHOLE      2
#define LOOKS_TOLD       64 /* where it is all that was asked for */
#define LOOKS_TOLD_WHOLE 8

/* --- Why -------------------------------------------------------------------------------------- */

/* Who waits longest, for whom, on an ideal network; n: of the picks */
static enum prvcut_status jwy_wait(struct prvcut_slow_cause *to, const struct job_why_spent *w,
                                   const struct job_why_explained *e, size_t n,
                                   struct prvcut_error *err)
{
    const struct prvcut_efficiency_wait *wait = &e->order->wait[n];
    struct prvcut_proof_key call = { PRVCUT_PROOF_CALL, wait->type, wait->value };

    if (wait->ns == 0)
        return PRVCUT_OK;
    prvcut_proof_key_settle(&call, &w->found.names);
    to->thread = job_why_order_thread(e->order, w->j, wait->lane);
    to->partner = job_why_order_thread(e->order, w->j, wait->waited);
    to->longest_ns = (double)wait->ns;
    to->call = job_why_call_name(w, &call, err);
    return to->call ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* n: of the picks */
static enum prvcut_status jwy_tell(struct made_chop *c, struct job_why_spent *w,
                                   const struct job_why_explained *e, size_t n,
                                   struct prvcut_error *err)
{
    const struct prvcut_why_usual *usual = &e->usual;
    const struct prvcut_why is = prvcut_why_of(&e->table, usual, n), *why = &is;
    enum prvcut_status st = PRVCUT_OK;

    if (!(why->excess >= JOB_WHY_LONGER * usual->length))
        return PRVCUT_OK;
    c->is.excess_ns = why->excess;
    c->is.excess_kind = e->kind;
    for (size_t i = 0; i < why->count && i < MADE_CAUSES && st == PRVCUT_OK; i++) {
        const struct prvcut_why_one *one = &why->one[i];
        struct prvcut_slow_cause *to = &c->cause[c->is.causes];

        c->in_a_row[c->is.causes] = one->in_a_row;
        c->as_usual[c->is.causes++] = one->as_usual;
        *to = (struct prvcut_slow_cause){ .what = one->cause,
                                          .thread = one->thread,
                                          .threads = one->threads,
                                          .ns = one->ns,
                                          .usual_ns = one->usual,
                                          .share = one->share,
                                          .others = one->others,
                                          .partner = UINT32_MAX,
                                          .origin = UINT32_MAX,
                                          .bytes = NAN,
                                          .usual_bytes = NAN,
                                          .meanwhile = one->meanwhile };
        memcpy(to->other, one->other, sizeof to->other);
        memcpy(to->other_ns, one->other_ns, sizeof to->other_ns);
        if (one->cause == PRVCUT_SLOW_ORDER)
            st = jwy_wait(to, w, e, n, err);
        if (one->cause != PRVCUT_SLOW_CALL)
            continue;
        to->call = job_why_call_name(w, &w->call[one->call], err);
        st = to->call ? PRVCUT_OK : PRVCUT_ENOMEM;
        if (st == PRVCUT_OK && !to->meanwhile)
            st = job_why_meet(c, (size_t)(to - c->cause), w, e, n, &w->call[one->call], err);
    }
    return st;
}

/* --- What it is compared with ----------------------------------------------------------------- */

/* What all of the picks, and those of each kind, are compared with. */
struct jwy_beside {
    struct job_why_explained at[1 + PRVCUT_KINDS]; /* [1 + kinds] at[0]: all */
    size_t kinds;                                  /* 0: there are not several */
    bool *clear[PRVCUT_KINDS]; /* [kinds][picks] says what is usual of the kind */
    double *room;              /* [picks] */
    struct job_why_order order;
};

/* An iteration is unusual beside those of its kind; all others are explained beside all, also who
   is of the longest kind. */
static const struct job_why_explained *jwy_of(const struct jwy_beside *b,
                                              const struct job_why_spent *w, size_t n)
{
    const struct job_kinds *k = w->j->kinds;
    const size_t kind = n < w->picks && b->kinds > 0 && job_why_is_unusual(w->j, w->pick[n])
                            ? 1 + (size_t)k->label[w->pick[n]]
                            : 0;

    return &b->at[b->at[kind].usual.at ? kind : 0];
}

/* Which of the picks an iteration is; w->picks: none. */
static size_t jwy_nth(const struct job_why_spent *w, size_t iteration)
{
    size_t n = 0;

    while (n < w->picks && w->pick[n] != iteration)
        n++;
    return n;
}

/* Of one iteration that was picked; SIZE_MAX: nothing is told. */
static enum prvcut_status jwy_explain_one(struct made_chop *c, struct job_why_spent *w,
                                          const struct jwy_beside *b, size_t asked,
                                          struct prvcut_error *err)
{
    const size_t n = asked == SIZE_MAX ? w->picks : jwy_nth(w, asked);

    return n < w->picks ? jwy_tell(c, w, jwy_of(b, w, n), n, err) : PRVCUT_OK;
}

/* Unusual iterations of a region that are asked for, in a sentence each. */
static enum prvcut_status jwy_explain_region(struct made_region *r, struct job_why_spent *w,
                                             const struct jwy_beside *b, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    r->cause = prvcut_zeroed(r->is.outliers + 1, sizeof *r->cause, "texts", err);
    if (!r->cause)
        return PRVCUT_ENOMEM;
    for (size_t n = 0; n < r->is.outliers && st == PRVCUT_OK; n++) {
        struct made_chop one = { .is.causes = 0 };
        char text[REPORT_WHY];

        const size_t asked = job_why_asked_at(&w->is, w->j, r->outlier[n].span.start);
        const size_t nth = asked == SIZE_MAX ? w->picks : jwy_nth(w, asked);
        const struct job_why_explained *e = jwy_of(b, w, nth);
        const char *told = NULL;

        st = jwy_explain_one(&one, w, b, asked, err);
        if (one.is.causes > 0)
            told = report_why_text(text, w->j->out, &one);
        else if (asked != SIZE_MAX && r->outlier[n].deviation > 0 &&
                 job_why_say_nothing(text, w, e, nth))
            told = text;
        if (told)
            job_why_say_more(text, w, e, nth, &one);
        if (st == PRVCUT_OK && told) {
            r->cause[n] = prvcut_copied_text(told, "texts", err);
            st = r->cause[n] ? PRVCUT_OK : PRVCUT_ENOMEM;
        }
        for (size_t i = 0; i < one.is.causes; i++)
            api_slow_cause_fini(&one.cause[i]);
    }
    return st;
}

static enum prvcut_status jwy_heat(struct job_why_spent *w, struct prvcut_error *err)
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

static struct prvcut_why_table jwy_table(const struct job_why_spent *w)
{
    return (struct prvcut_why_table){ .iterations = w->picks,
                                      .calls = w->calls,
                                      .threads = w->found.threads,
                                      .length = w->length,
                                      .number = w->pick,
                                      .clear = w->clear,
                                      .alone = w->alone,
                                      .at = w->at };
}

/* What is usual of threads some iterations tell, the length all that it is compared with. */
static enum prvcut_status jwy_usual(struct job_why_explained *e, const struct job_why_spent *w,
                                    struct prvcut_error *err)
{
    enum prvcut_status st;

    prvcut_why_usual_fini(&e->usual);
    st = prvcut_why_usual_init(&e->usual, &e->table, err);
    return st == PRVCUT_OK ? job_why_median(&e->usual.length, w->j->kinds, e->kind, err) : st;
}

/* Is there an iteration of which the replay may tell why? The structure of a large trace does
   without: all of it would be read again. */
static bool jwy_wants_order(const struct jwy_beside *b, const struct job_why_spent *w)
{
    const struct job *j = w->j;

    if (j->trace->once || w->calls == 0 || j->trace->objects.tasks < 2 ||
        (!j->options && !w->told && job_records(j) > JOB_WHY_RECORDS))
        return false;
    for (size_t n = 0; n < w->is.asked; n++) {
        const struct job_why_explained *e = jwy_of(b, w, n);
        const struct prvcut_why why = prvcut_why_of(&e->table, &e->usual, n);

        if (why.excess >= JOB_WHY_LONGER * e->usual.length && prvcut_why_may_be_order(&why))
            return true;
    }
    return false;
}

/* Those of one kind, where enough of them tell what is usual. */
static enum prvcut_status jwy_of_kind(struct jwy_beside *b, const struct job_why_spent *w,
                                      unsigned kind, struct prvcut_error *err)
{
    struct job_why_explained *e = &b->at[kind];
    bool *clear = b->clear[kind - 1] =
        prvcut_zeroed(w->picks + 1, sizeof *clear, "iterations", err);
    size_t count = 0;

    if (!clear)
        return PRVCUT_ENOMEM;
    for (size_t n = 0; n < w->picks; n++)
        count += clear[n] = w->clear[n] && w->j->kinds->label[w->pick[n]] + 1 == kind;
    *e = b->at[0];
    e->kind = kind;
    e->table.clear = clear;
    e->usual = (struct prvcut_why_usual){ .at = NULL };
    return count >= JOB_WHY_USUAL ? jwy_usual(e, w, err) : PRVCUT_OK;
}

/* owns: *b is initialised here, released with jwy_fini, also after a failure */
static enum prvcut_status jwy_init(struct jwy_beside *b, const struct job_why_spent *w,
                                   struct prvcut_error *err)
{
    struct job_why_explained *all = &b->at[0];
    enum prvcut_status st;

    *b = (struct jwy_beside){ .kinds = w->j->kinds->kinds > 1 ? w->j->kinds->kinds : 0 };
    b->room = prvcut_unset(w->picks + 1, sizeof *b->room, "iterations", err);
    *all = (struct job_why_explained){ .table = jwy_table(w), .room = b->room, .order = &b->order };
    st = b->room ? jwy_usual(all, w, err) : PRVCUT_ENOMEM;
    for (unsigned i = 1; i <= b->kinds && st == PRVCUT_OK; i++)
        st = jwy_of_kind(b, w, i, err);
    if (st < 0 || !jwy_wants_order(b, w))
        return st;
    st = job_why_order_find(&b->order, w, err);
    for (size_t i = 0; i <= b->kinds && st == PRVCUT_OK && b->order.ideal; i++) {
        b->at[i].table.ideal = b->order.ideal;
        st = b->at[i].usual.at ? jwy_usual(&b->at[i], w, err) : PRVCUT_OK;
    }
    return st;
}

static void jwy_fini(struct jwy_beside *b)
{
    for (size_t i = 0; i <= b->kinds; i++)
        prvcut_why_usual_fini(&b->at[i].usual);
    for (size_t i = 0; i < b->kinds; i++)
        free(b->clear[i]);
    free(b->room);
    job_why_order_fini(&b->order);
}

static enum prvcut_status jwy_explain(struct job_why_spent *w, const struct job_plan *plan,
                                      struct prvcut_error *err)
{
    struct jwy_beside b;
    enum prvcut_status st = jwy_init(&b, w, err);

    for (size_t i = 0; i < w->j->out->is.chops && st == PRVCUT_OK; i++) {
        struct made_chop *c = &w->j->out->chop[i];

        st = jwy_explain_one(c, w, &b, job_why_asked(w->j, c, &plan->at[i]), err);
    }
    for (size_t i = 0; i < w->j->out->structure.is.regions && st == PRVCUT_OK; i++) {
        struct made_region *r = job_why_region(w->j, i);

        if (r && r->is.outliers > 0)
            st = jwy_explain_region(r, w, &b, err);
    }
    jwy_fini(&b);
    return st;
}

/* Pick, read and explain. */
static enum prvcut_status jwy_all(struct job *j, const struct job_plan *plan,
                                  struct prvcut_error *err)
{
    struct job_why_spent w = { .j = j, .looks = j->trace->reader->halves ? LOOKS_WHOLE : LOOKS };
    enum prvcut_status st = job_why_pick(&w.is, j, plan, NULL, err);

    if (st == PRVCUT_OK && w.is.count > 0) {
        st = job_why_spend(&w, err);
        if (st == PRVCUT_OK && w.found.apart) {
            st = jwy_explain(&w, plan, err);
            st = st == PRVCUT_OK ? jwy_heat(&w, err) : st;
        }
    }
    if (w.is.left > 0 && w.is.asked == 0)
        j->out->structure.unexplained = JOB_WHY_TOO_MANY;
    job_why_spent_fini(&w);
    return st;
}

enum prvcut_status job_why(struct job *j, const struct job_plan *plan, struct prvcut_error *err)
{
    enum prvcut_status st;

    if (!job_proves(j) || !j->kinds || j->kinds->count == 0)
        return PRVCUT_OK;
    st = jwy_all(j, plan, err);
    return st == PRVCUT_OK && j->options->report && !j->out->leader
               ? job_why_leader(&j->out->leader, j, err)
               : st;
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
    if (index_recall_why(j))
        return PRVCUT_OK;
    st = job_kinds_tell(j, s->is.main, err);
    if (st == PRVCUT_OK && j->kinds->count > 0)
        st = jwy_all(j, &none, err);
    if (st == PRVCUT_OK && j->whys)
        index_put_why(j->whys, j);
    return st;
}

/* --- Told one by one -------------------------------------------------------------------------- */

/* Where an iteration is: its number, its region, whether it is disturbed. */
static void jwy_place(struct made_slow *to, const struct job *j, size_t iteration)
{
    const struct made_structure *s = &j->out->structure;
    const uint64_t *border = j->kinds->border[iteration];

    to->is.iteration = job_why_number(j, iteration);
    to->is.span = (struct prvcut_span){ border[0], border[1] };
    to->is.disturbed = !j->kinds->clear[iteration];
    for (size_t i = 0; i < s->is.regions; i++) {
        const struct prvcut_region *r = &s->region[i].is;

        if (prvcut_regions_share_loop(&s->region[i], &s->region[j->kinds->region]) &&
            border[0] >= r->span.start && border[1] <= r->span.end)
            snprintf(to->region, sizeof to->region, "%u.%u", r->level, r->number);
    }
    to->is.region = *to->region ? to->region : NULL;
}

/* *any: is there anything to say of it? */
static enum prvcut_status jwy_say(struct made_slow *to, bool *any, struct job_why_spent *w,
                                  const struct job_why_explained *e, size_t n,
                                  struct prvcut_error *err)
{
    struct made_chop one = { .is.causes = 0 };
    char text[REPORT_WHY];
    enum prvcut_status st;

    jwy_place(to, w->j, w->pick[n]);
    to->is.excess_ns = w->length[n] - e->usual.length;
    to->is.beside_kind = e->kind;
    st = jwy_tell(&one, w, e, n, err);
    memcpy(to->cause, one.cause, sizeof to->cause);
    to->is.causes = one.is.causes;
    if (st < 0)
        return st;
    if (one.is.causes > 0)
        report_why_text(text, w->j->out, &one);
    *any = one.is.causes > 0 || job_why_say_nothing(text, w, e, n) || to->is.disturbed;
    job_why_say_more(text, w, e, n, &one);
    to->text = prvcut_copied_text(text, "texts", err);
    to->is.text = to->text;
    return to->text ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* all: also those of which there is nothing to say, as they were asked for */
static enum prvcut_status jwy_say_all(struct made_profile *out, struct job_why_spent *w, bool all,
                                      struct prvcut_error *err)
{
    struct jwy_beside b;
    enum prvcut_status st = jwy_init(&b, w, err);

    out->slow = prvcut_zeroed(w->is.asked + 1, sizeof *out->slow, "iterations", err);
    st = out->slow ? st : PRVCUT_ENOMEM;
    for (size_t n = 0; n < w->is.asked && st == PRVCUT_OK; n++) {
        struct made_slow *to = &out->slow[out->is.slow++];
        bool any = true;

        st = jwy_say(to, &any, w, jwy_of(&b, w, n), n, err);
        if (st < 0 || any || all)
            continue;
        free(to->text);
        *to = (struct made_slow){ .text = NULL };
        out->is.slow--;
        w->is.seen--;
    }
    w->unordered = b.order.reason;
    jwy_fini(&b);
    return st;
}

static void jwy_reason(struct made_profile *out, const char *text)
{
    out->reason[out->is.reasons++] = (struct prvcut_profile_reason){ "why", text };
}

/* Is that the cause of any that is told? */
static bool jwy_says(const struct made_profile *out, enum prvcut_slow what)
{
    for (size_t i = 0; i < out->is.slow; i++)
        for (size_t k = 0; k < out->slow[i].is.causes; k++)
            if (out->slow[i].cause[k].what == what)
                return true;
    return false;
}

static void jwy_reasons(struct made_profile *out, const struct job_why_spent *w)
{
    const struct prvcut_trace *t = w->j->trace;
    const uint32_t own = job_why_own(w->j);

    if (w->read && w->found.apart && w->calls == 0 && jwy_says(out, PRVCUT_SLOW_UNKNOWN))
        jwy_reason(out, "no MPI calls are recorded in iterations: nobody knows who waits for whom");
    if (w->unordered && w->read && w->calls > 0)
        jwy_reason(out, w->unordered);
    if (jwy_says(out, PRVCUT_SLOW_COMPUTING))
        jwy_reason(out, "without counters of instructions and cycles nobody knows why a thread "
                        "computes longer");
    if (t->raw_clocks && t->reader->halves && t->objects.tasks > 1)
        jwy_reason(out, "times are as recorded: where clocks differ, what threads do at one time "
                        "is not known");
    if (out->is.iterations > 0 && w->is.asked + w->is.left + w->is.missed == 0 &&
        own < t->objects.threads)
        jwy_reason(out, own == 0 ? "nothing unusual at one time for all threads; where they begin "
                                   "their own iterations the calls do not tell"
                                 : "nothing unusual on the threads whose calls were compared; own "
                                   "iterations of others are not known");
    if (w->is.left > 0)
        jwy_reason(out, w->is.asked == 0 ? JOB_WHY_TOO_MANY
                                         : "not all are told that were asked for: there are too "
                                           "many threads to tell them apart in more");
    if (w->is.missed > 0)
        jwy_reason(out, "not all iterations that were named could be told one by one");
    if (w->unseen)
        jwy_reason(out, "who came late was looked for in the first of these only");
}

enum prvcut_status job_why_told(struct job *j, const struct job_why_wanted *want,
                                struct made_profile *out, struct prvcut_error *err)
{
    struct job_why_spent w = { .j = j,
                               .told = true,
                               .looks = j->trace->reader->halves ? LOOKS_TOLD_WHOLE : LOOKS_TOLD };
    static const struct job_plan none = { .count = 0 };
    struct job_why_wanted asked = *want;
    enum prvcut_status st = job_kinds_tell(j, want->region, err);

    if (st == PRVCUT_OK && j->kinds->count > 0 &&
        job_why_number(j, j->kinds->count - 1) ==
            j->out->structure.region[j->kinds->region].is.loop_iterations)
        st = job_why_last_find(&w.tail, j, err);
    asked.tail = w.tail.end ? &w.tail : NULL;
    if (st == PRVCUT_OK)
        st = job_why_pick(&w.is, j, &none, &asked, err);
    if (st == PRVCUT_OK && w.is.asked > 0)
        st = job_why_spend(&w, err);
    if (st == PRVCUT_OK && w.is.asked > 0)
        st = jwy_say_all(out, &w, want->first > 0, err);
    out->is.iterations = j->kinds->count;
    out->is.unusual = w.is.seen;
    out->disturbed = w.is.disturbed;
    out->open = j->kinds->count > 0 && job_why_open(j, j->kinds->count - 1) != PRVCUT_NOBODY;
    if (st == PRVCUT_OK)
        st = job_why_leader(&out->leader, j, err);
    if (st == PRVCUT_OK)
        st = job_why_median(&out->is.median_ns, j->kinds, 0, err);
    jwy_reasons(out, &w);
    out->clock = prvcut_causality_as_read(&w.found.order, j->trace);
    job_why_spent_fini(&w);
    return st;
}
