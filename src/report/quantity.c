#include "report/quantity.h"

#include "base/error.h"
#include "report/lines.h"
#include "report/stands.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where threads do so much else outside MPI, what they compute is not known from that. */
#define OTHER_MOST 0.1
/* Lengths that differ by more are two things. */
#define UNEQUAL 0.01

/* "1.4ms", "91 %", "2.1 kB" */
static char *qty_value(char out[32], enum prvcut_quantity quantity, double value)
{
    if (quantity == PRVCUT_QUANTITY_LENGTH)
        prvcut_time_text(out, value);
    else if (quantity == PRVCUT_QUANTITY_BYTES)
        prvcut_size_text(out, value);
    else if (quantity == PRVCUT_QUANTITY_INSTRUCTIONS)
        report_number(out, value);
    else
        snprintf(out, 32, "%.0f %%", 100 * value);
    return out;
}

double report_share_of(const struct made_proof *p, const char *name)
{
    for (size_t i = 0; i < p->is.rows; i++)
        if (p->row[i].unit == PRVCUT_PROOF_IN_SHARE && strcmp(p->row[i].name, name) == 0)
            return p->row[i].chop;
    return (double)NAN;
}

bool report_outside_is_more(const struct made_proof *p)
{
    const double outside = report_share_of(p, "outside MPI");
    const double running = report_share_of(p, "Running");

    return outside - running > OTHER_MOST * running;
}

/* What stands before the value. */
static const char *qty_name(char out[80], const struct made_chop *c)
{
    if (c->is.worst == PRVCUT_QUANTITY_CALL)
        return prvcut_quote(out, 64, c->is.worst_call, strlen(c->is.worst_call));
    if (c->is.worst == PRVCUT_QUANTITY_USEFUL)
        return report_outside_is_more(&c->proof) ? "outside MPI" : "computing";
    return prvcut_quantity_text(c->is.worst);
}

uint32_t report_worst_callers(const struct made_chop *c)
{
    const enum prvcut_quantity q = c->is.worst;

    return q == PRVCUT_QUANTITY_LENGTH || q == PRVCUT_QUANTITY_BYTES ||
                   q == PRVCUT_QUANTITY_INSTRUCTIONS
               ? 0
               : c->callers;
}

/* The threads of a cut have a length each, and this is their mean: told where its iterations, on
   the thread that leads, are not as long. */
static const char *qty_of(const struct made_reduction *r, const struct made_chop *c)
{
    double led;

    if (!r || c->is.worst != PRVCUT_QUANTITY_LENGTH)
        return "";
    led = report_cut_length(r, c);
    if (!(fabs(c->is.value - led) > UNEQUAL * led))
        return "";
    return r->is.tasks == r->is.threads ? " a rank" : " a thread";
}

char *report_worst_text(char out[160], const struct made_reduction *r, const struct made_chop *c)
{
    char name[80], value[32], usual[32], callers[48] = "";

    qty_value(value, c->is.worst, c->is.value);
    qty_value(usual, c->is.worst, c->is.usual);
    if (report_worst_callers(c) > 0)
        snprintf(callers, sizeof callers, ", of the %" PRIu32 " threads that make calls",
                 report_worst_callers(c));
    if (strcmp(value, usual) == 0)
        snprintf(out, 160, "%s %s%s, as usual%s", qty_name(name, c), value, qty_of(r, c), callers);
    else
        snprintf(out, 160, "%s %s%s, usually %s%s", qty_name(name, c), value, qty_of(r, c), usual,
                 callers);
    return out;
}

char *report_worst_percentile_text(char out[64], const struct made_chop *c)
{
    const bool more = c->is.value > c->is.usual;
    const double share = more ? c->is.percentile : 100 - c->is.percentile;

    /* Half of itself counts: it may be one of them. */
    if (share >= 100 - 50.0 / (double)c->is.windows)
        snprintf(out, 64, "%s all of them", more ? "above" : "below");
    else
        snprintf(out, 64, "%s %.0f %% of them", more ? "above" : "below", floor(share));
    return out;
}
