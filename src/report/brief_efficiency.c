#include "report/brief.h"
#include "report/chop.h"
#include "report/quantity.h"

#include "analysis/efficiency/efficiency_runs.h"
#include "analysis/proof.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A factor as the proof measured it of the cut; NAN: it did not. */
static double bef_proved(const struct made_chop *c, const char *name)
{
    for (size_t i = 0; i < c->proof.is.rows; i++) {
        const struct prvcut_proof_row *r = &c->proof.row[i];

        if (r->group == PRVCUT_PROOF_OF_EFFICIENCY && strcmp(r->name, name) == 0 && r->chop > 0)
            return r->chop;
    }
    return (double)NAN;
}

/* The proof takes all threads together, and all that is outside MPI for computing: is it? */
static bool bef_computes_outside(const struct made_chop *c)
{
    return (!isnan(report_share_of(&c->proof, "outside MPI")) ||
            !isnan(report_share_of(&c->proof, "Running"))) &&
           !report_outside_is_more(&c->proof);
}

/* The part of the cut that is in no recorded state; 0: too little to tell. */
static double bef_unstated(const struct made_chop *c)
{
    double unstated = 1;

    for (size_t i = 0; i < c->proof.is.rows; i++) {
        const struct prvcut_proof_row *r = &c->proof.row[i];

        if (r->group == PRVCUT_PROOF_OF_STATE && r->unit == PRVCUT_PROOF_IN_SHARE)
            unstated -= r->chop;
    }
    return unstated >= PRVCUT_UNSTATED_MUCH && !isnan(report_share_of(&c->proof, "Running"))
               ? unstated
               : 0;
}

/* By what most is lost, or how well computing is balanced, is told of what is recorded. */
static void bef_add_least(struct brief_text *t, double parallel, double unstated)
{
    brief_add(t, "at least %.0f %%: %.0f %% of the time is in no recorded state", 100 * parallel,
              100 * unstated);
}

static void bef_add(struct brief_text *t, const char *between, const char *name, double factor)
{
    if (!isnan(factor))
        brief_add(t, "%s%s %.0f %%", between, name, 100 * factor);
}

/* Communication is serialization * transfer, where the replay told these. */
static void bef_add_replayed(struct brief_text *t, const struct made_efficiency_run *run,
                             const char *balance)
{
    const double *factor = run->factor, serialization = factor[PRVCUT_POP_SERIALIZATION];

    if (run->is.applications > 1)
        brief_add(t, "application %" PRIu32 ": ", run->is.application);
    if (run->unstated > 0) {
        bef_add_least(t, factor[PRVCUT_POP_PARALLEL], run->unstated);
        return;
    }
    brief_add(t, "%.0f %%", 100 * factor[PRVCUT_POP_PARALLEL]);
    bef_add(t, ": ", balance, factor[PRVCUT_POP_BALANCE]);
    if (isnan(serialization)) {
        bef_add(t, ", ", "communication", factor[PRVCUT_POP_COMMUNICATION]);
        return;
    }
    bef_add(t, ", ", "serialization", serialization);
    bef_add(t, ", ", "transfer", factor[PRVCUT_POP_TRANSFER]);
}

/* balance: what the load balance is called */
static struct brief_text bef_text(const struct brief *b, const struct made_chop *c,
                                  const char *balance)
{
    const struct made_efficiency_run *run =
        c->efficiency > 0 ? &b->r->efficiency->run[c->efficiency] : NULL;
    const double parallel = bef_proved(c, "parallel efficiency");
    struct brief_text t = { .count = 0 };

    if (run && !isnan(run->factor[PRVCUT_POP_PARALLEL])) {
        bef_add_replayed(&t, run, balance);
    } else if (!run && b->r->is.applications < 2 && !isnan(parallel) && bef_computes_outside(c)) {
        if (bef_unstated(c) > 0) {
            bef_add_least(&t, parallel, bef_unstated(c));
            return t;
        }
        brief_add(&t, "%.0f %%", 100 * parallel);
        bef_add(&t, ": ", balance, bef_proved(c, "load balance"));
        bef_add(&t, ", ", "communication", bef_proved(c, "communication efficiency"));
    }
    return t;
}

void brief_put_efficiency(struct brief *b, const struct made_chop *c)
{
    static const char straight[] = "Dimemas: --align straight";
    const size_t room = b->width - BRIEF_HEADING - strlen("; ") - strlen(straight);
    struct brief_text t = bef_text(b, c, "load balance");

    if (b->terse >= BRIEF_NO_FACTORS || t.count == 0)
        return;
    if (report_wants_straight(b->r, c) && report_columns(t.at) > room)
        t = bef_text(b, c, "balance");
    if (!report_wants_straight(b->r, c)) {
        brief_line(b, "Efficiency", "%s", t.at);
    } else if (report_columns(t.at) <= room) {
        brief_line(b, "Efficiency", "%s; %s", t.at, straight);
    } else {
        brief_line(b, "Efficiency", "%s", t.at);
        brief_line(b, "", "%s", straight);
    }
}
