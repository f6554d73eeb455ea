#include "api/job_why_met.h"

#include "api/job_why.h"

#include "analysis/why_partner.h"
#include "base/memory.h"
#include "model/calls.h"

#include <math.h>
#include <stdlib.h>

/* Where it is not, so many times less than the run is read before an iteration. */
#define BACK_PART 32

/* Bytes of the iteration, against the median, of which a transfer is told to be of more; and how
   many a nanosecond more of them at least must be, to be why: no network is slower. */
#define MET_BIGGER  1.1
#define MET_SLOWEST 0.01
/* Of what a call has more than others like it: so much the iteration has more, too. */
#define MET_HELD 0.5

char *job_why_call_name(const struct job_why_spent *w, const struct prvcut_proof_key *call,
                        struct prvcut_error *err)
{
    char text[160];

    return prvcut_copied_text(prvcut_proof_key_text(text, sizeof text, call, &w->found.names),
                              "names", err);
}

/* Does the trace name it? A number says nothing to anybody. */
static bool jmt_is_named(const struct job_why_spent *w, const struct prvcut_proof_key *call)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(&w->found.names, call->type);

    return t && prvcut_type_value(t, call->value);
}

/* What a thread did, with counters where it computed, which may be in another iteration; n: of the
   picks */
static enum prvcut_slow jmt_did(const struct job_why_explained *e, size_t n, uint32_t thread,
                                enum prvcut_slow did, enum prvcut_slow how)
{
    if (did != PRVCUT_SLOW_COMPUTING || how != PRVCUT_SLOW_COMPUTING)
        return did == PRVCUT_SLOW_COMPUTING ? how : did;
    return prvcut_why_computes(&e->table, &e->usual, n, thread);
}

static bool jmt_is_together(const struct prvcut_proof_key *of)
{
    const struct prvcut_mpi_call *call = prvcut_mpi_call_by_value(of->type, of->value);

    return call && call->role == PRVCUT_ROLE_COLLECTIVE;
}

bool job_why_is_bigger(double bytes, double usual, double ns)
{
    return bytes > MET_BIGGER * usual && bytes - usual >= MET_SLOWEST * ns;
}

/* What is sent and received in calls like it, as far as that is recorded: of a collective in all of
   these, else in messages. *bigger: may it take so long because that is more? Where it began before
   the iteration that call alone tells it; else the iteration has more, too: messages that are under
   way for longer than usual meet in a call, and are no more for that. */
static void jmt_bytes(struct prvcut_slow_cause *to, enum made_bigger *bigger,
                      const struct job_why_spent *w, const struct job_why_explained *e, size_t n,
                      const struct prvcut_why_partner *p)
{
    const size_t columns = PRVCUT_WHY_COLUMNS + e->table.calls;
    const struct prvcut_mpi_call *call =
        prvcut_mpi_call_by_value(p->origin_call.type, p->origin_call.value);
    const bool together = jmt_is_together(&p->origin_call);
    const bool told = together && w->found.any & PRVCUT_PROFILE_ANY_TOGETHER;
    const size_t at = p->origin * columns + (told ? PRVCUT_WHY_TOGETHER : PRVCUT_WHY_BYTES);

    if (!told && !(w->found.any & (PRVCUT_PROFILE_ANY_SENT | PRVCUT_PROFILE_ANY_RECEIVED)))
        return;
    to->bytes = e->table.at[n * e->table.threads * columns + at];
    to->usual_bytes = e->usual.at[at];
    if (call && (told || !together) &&
        job_why_is_bigger(to->bytes, to->usual_bytes, (double)p->origin_ns))
        *bigger = MADE_BIGGER_ITERATION;
    else if (job_why_is_bigger(p->origin_bytes, p->usual_bytes, (double)p->origin_ns) &&
             (p->before ||
              to->bytes - to->usual_bytes >= MET_HELD * (p->origin_bytes - p->usual_bytes))) {
        *bigger = MADE_BIGGER_CALL;
        to->bytes = p->origin_bytes;
        to->usual_bytes = p->usual_bytes;
    }
}

/* Where it began; n: of the picks */
static enum prvcut_status jmt_origin(struct prvcut_slow_cause *to, enum made_bigger *bigger,
                                     const struct job_why_spent *w,
                                     const struct job_why_explained *e, size_t n,
                                     const struct prvcut_why_partner *p, struct prvcut_error *err)
{
    if (p->origin == PRVCUT_NOBODY)
        return PRVCUT_OK;
    to->origin = p->origin;
    to->origin_did = jmt_did(e, n, p->origin, p->origin_did, p->origin_how);
    to->origin_ns = (double)p->origin_ns;
    if (p->origin_did != PRVCUT_SLOW_CALL)
        return PRVCUT_OK;
    jmt_bytes(to, bigger, w, e, n, p);
    to->origin_call = job_why_call_name(w, &p->origin_call, err);
    return to->origin_call ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* How much before an iteration may be read, again for each: all, but of a large trace of which more
   than that is asked for a small part. */
static uint64_t jmt_back(const struct job_why_spent *w)
{
    return w->told || job_records(w->j) <= JOB_WHY_RECORDS ? UINT64_MAX
                                                           : w->j->trace->end_ns / BACK_PART;
}

/* For whom it waited in the longest of these calls, as far as it is looked for; n: of the picks */
static enum prvcut_status jmt_find(struct prvcut_why_partner *p, struct job_why_spent *w,
                                   const struct job_why_explained *e, size_t n, uint32_t thread,
                                   const struct prvcut_proof_key *call, struct prvcut_error *err)
{
    const struct prvcut_window *window = &w->stretch[n].window;
    const struct prvcut_why_usual *usual = &e->usual;
    double *more = prvcut_unset(e->table.threads + (size_t)1, sizeof *more, "threads", err);
    uint64_t *own = prvcut_unset(e->table.threads + (size_t)1, sizeof *own, "threads", err);
    const struct prvcut_why_meeting of = { .iteration = { window->from, window->to },
                                           .thread = thread,
                                           .call = *call,
                                           .names = &w->found.names,
                                           .flushes = &w->j->data.flushes,
                                           .back = jmt_back(w),
                                           .excess = w->length[n] - usual->length,
                                           .more = more,
                                           .own = own };
    enum prvcut_status st = more && own ? PRVCUT_OK : PRVCUT_ENOMEM;

    for (uint32_t t = 0; st == PRVCUT_OK && t < e->table.threads; t++) {
        more[t] = prvcut_why_longer(&e->table, usual, n, t);
        own[t] = prvcut_window_own(&w->stretch[w->picks + n].window, t).start;
    }
    if (st == PRVCUT_OK)
        st = prvcut_why_partner_find(p, w->j->trace, w->j->run, &of, err);
    free(more);
    free(own);
    return st;
}

/* Who is longer in that call as well, by half of the excess, is not why the others are. */
static void jmt_unblame(struct prvcut_why_partner *p, const struct job_why_spent *w,
                        const struct job_why_explained *e, size_t n, uint32_t thread, size_t call)
{
    const size_t width = PRVCUT_WHY_COLUMNS + e->table.calls;
    const size_t at = p->thread * width + PRVCUT_WHY_COLUMNS + call;

    if (p->late == PRVCUT_LATE_PARTNER &&
        e->table.at[n * e->table.threads * width + at] - e->usual.at[at] >=
            (w->length[n] - e->usual.length) / 2)
        *p = (struct prvcut_why_partner){ .late = PRVCUT_LATE_NOBODY,
                                          .longest_ns = p->longest_ns,
                                          .thread = PRVCUT_NOBODY,
                                          .origin = thread,
                                          .origin_did = PRVCUT_SLOW_CALL,
                                          .origin_ns = p->longest_ns,
                                          .origin_call = w->call[call] };
}

enum prvcut_status job_why_meet(struct made_chop *c, size_t cause, struct job_why_spent *w,
                                const struct job_why_explained *e, size_t n,
                                const struct prvcut_proof_key *call, struct prvcut_error *err)
{
    struct prvcut_slow_cause *to = &c->cause[cause];
    struct prvcut_why_partner p;
    enum prvcut_status st;

    if (w->looks == 0) {
        w->unseen = true;
        return PRVCUT_OK;
    }
    w->looks--;
    st = jmt_find(&p, w, e, n, to->thread, call, err);
    if (st == PRVCUT_OK && jmt_is_together(call))
        jmt_unblame(&p, w, e, n, to->thread, (size_t)(call - w->call));
    if (st == PRVCUT_OK)
        st = jmt_origin(to, &c->bigger[cause], w, e, n, &p, err);
    if (p.unshown && c->bigger[cause] == MADE_BIGGER_NO)
        c->bigger[cause] = MADE_BIGGER_UNTOLD;
    if (st < 0 || p.late == PRVCUT_LATE_UNKNOWN)
        return st;
    to->late = p.unshown && p.late == PRVCUT_LATE_NOBODY ? PRVCUT_LATE_UNKNOWN : p.late;
    to->longest_ns = (double)p.longest_ns;
    if (p.late != PRVCUT_LATE_PARTNER)
        return PRVCUT_OK;
    to->partner = p.thread;
    to->late_ns = (double)p.late_ns;
    to->partner_did = p.as_usual ? p.did : jmt_did(e, n, p.thread, p.did, p.did_how);
    to->partner_ns = (double)p.did_ns;
    to->partner_call = p.did == PRVCUT_SLOW_CALL ? job_why_call_name(w, &p.did_call, err) : NULL;
    c->before_usual[cause] = p.as_usual;
    if (jmt_is_named(w, &p.code)) {
        to->partner_code = job_why_call_name(w, &p.code, err);
        if (!to->partner_code)
            return PRVCUT_ENOMEM;
    }
    return p.did == PRVCUT_SLOW_CALL && !to->partner_call ? PRVCUT_ENOMEM : PRVCUT_OK;
}
