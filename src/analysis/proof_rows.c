#include "analysis/proof_rows.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "model/calls.h"
#include "model/regions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGION, CHOP };

struct rows {
    struct made_proof *out;
    size_t room;
    const struct prvcut_proof_pair *pair;
};

/* Of what a counter counted beside instructions and cycles. */
#define COUNTER_WEIGHT 0.25

/* A region that is entered more rarely than that, of all, is not listed. */
#define REGION_LEAST 0.002

/* A thread is in one MPI call at a time: more time in calls than there is, by this share, is none.
   Lines that are out of order in time make such calls. */
#define OVERLAP 0.01

/* Where more calls of all end before they begin, nothing is told, either: such a call has no time,
   and that of its thread goes to others. A share s of them takes about s of the time in calls away;
   a point is what a cut that stands well for its loop may be off. Lines of other threads do no
   harm, however many are late. */
#define BACKWARD_MOST 0.01

static double prow_relative(double chop, double region)
{
    if (region > 0)
        return chop / region - 1;
    return chop > 0 ? INFINITY : 0;
}

/* What was not there at all is as wrong as what was twice as much. */
static double prow_score(const struct prvcut_proof_row *r)
{
    return (isinf(r->error) ? 1 : fabs(r->error)) * r->weight;
}

static enum prvcut_status prow_put(struct rows *r, struct prvcut_proof_row row, const char *name,
                                   struct prvcut_error *err)
{
    struct made_proof *out = r->out;

    if (row.chop <= 0 && row.region <= 0)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&out->row, &r->room, out->is.rows + 1, sizeof *out->row, err) < 0)
        return PRVCUT_ENOMEM;
    row.name = prvcut_copied_text(name, "names", err);
    if (!row.name)
        return PRVCUT_ENOMEM;
    row.error = prow_relative(row.chop, row.region);
    out->row[out->is.rows++] = row;
    return PRVCUT_OK;
}

static double prow_ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* A share matters as much as it is: its error counts in points of the whole. */
static double prow_share_weight(double chop, double region)
{
    return fmin(1, region > 0 ? region : chop);
}

static enum prvcut_status prow_put_share(struct rows *r, enum prvcut_proof_group group,
                                         const char *name, const double ns[2],
                                         struct prvcut_error *err)
{
    const double region = prow_ratio(ns[REGION], r->pair->time[REGION]);
    const double chop = prow_ratio(ns[CHOP], r->pair->time[CHOP]);

    return prow_put(r,
                    (struct prvcut_proof_row){ .group = group,
                                               .unit = PRVCUT_PROOF_IN_SHARE,
                                               .chop = chop,
                                               .region = region,
                                               .weight = prow_share_weight(chop, region) },
                    name, err);
}

static enum prvcut_status prow_put_each(struct rows *r, struct prvcut_proof_row row,
                                        const char *name, const double sum[2],
                                        struct prvcut_error *err)
{
    row.region = prow_ratio(sum[REGION], r->pair->iterations[REGION]);
    row.chop = prow_ratio(sum[CHOP], r->pair->iterations[CHOP]);
    return prow_put(r, row, name, err);
}

/* How much a call's number matters: as much as it is of all calls, or of the time. */
static double prow_call_weight(const struct prvcut_proof_pair *p,
                               const struct prvcut_proof_sum *region)
{
    return fmin(1, fmax(prow_ratio((double)region->count, p->calls[REGION]),
                        prow_ratio((double)region->amount, p->time[REGION])));
}

static enum prvcut_status prow_put_call(struct rows *r, const char *name,
                                        const struct prvcut_proof_sum *region,
                                        const struct prvcut_proof_sum *chop,
                                        struct prvcut_error *err)
{
    const double ns[2] = { (double)region->amount, (double)chop->amount };
    const double count[2] = { (double)region->count, (double)chop->count };
    const struct prvcut_proof_row row = { .group = PRVCUT_PROOF_OF_CALL,
                                          .unit = PRVCUT_PROOF_IN_COUNT,
                                          .weight = prow_call_weight(r->pair, region) };
    enum prvcut_status st;

    /* A program may have thousands of functions. */
    if (r->pair->measure->found.regions && row.weight < REGION_LEAST)
        return PRVCUT_OK;
    st = prow_put_share(r, PRVCUT_PROOF_OF_CALL, name, ns, err);
    return st == PRVCUT_OK ? prow_put_each(r, row, name, count, err) : st;
}

static enum prvcut_status prow_put_traffic(struct rows *r, const struct prvcut_proof_sum *region,
                                           const struct prvcut_proof_sum *chop,
                                           struct prvcut_error *err)
{
    const double bytes[2] = { (double)region->amount, (double)chop->amount };
    const double count[2] = { (double)region->count, (double)chop->count };
    /* A program of collectives may send a few messages as well. */
    const double sends = 4 * prow_ratio((double)region->count, r->pair->calls[REGION]);
    struct prvcut_proof_row row = { .group = PRVCUT_PROOF_OF_TRAFFIC,
                                    .unit = PRVCUT_PROOF_IN_COUNT,
                                    .weight = r->pair->calls[REGION] > 0 ? fmin(1, sends) : 1 };
    enum prvcut_status st = prow_put_each(r, row, "messages", count, err);

    row.unit = PRVCUT_PROOF_IN_BYTES;
    return st == PRVCUT_OK ? prow_put_each(r, row, "bytes", bytes, err) : st;
}

static const char *const role_names[] = {
    [PRVCUT_ROLE_INSTRUCTIONS] = "instructions",
    [PRVCUT_ROLE_CYCLES] = "cycles",
    [PRVCUT_ROLE_FLOPS] = "floating-point operations",
};

static enum prvcut_status prow_put_counter(struct rows *r, size_t k, const double sum[2],
                                           struct prvcut_error *err)
{
    const struct prvcut_proof_key *key = prvcut_proof_sums_key(&r->pair->measure->found.sums, k);
    const bool main = key->value == PRVCUT_ROLE_INSTRUCTIONS || key->value == PRVCUT_ROLE_CYCLES;
    const struct prvcut_proof_row row = { .group = PRVCUT_PROOF_OF_COUNTER,
                                          .unit = PRVCUT_PROOF_IN_COUNT,
                                          .weight = main ? 1 : COUNTER_WEIGHT };
    char text[128];

    return prow_put_each(r, row,
                         key->value > 0
                             ? role_names[key->value]
                             : prvcut_measure_key_text(text, sizeof text, r->pair->measure, k),
                         sum, err);
}

static enum prvcut_status prow_put_key(struct rows *r, size_t k, struct prvcut_error *err)
{
    const struct prvcut_proof_pair *p = r->pair;
    const struct prvcut_proof_key *key = prvcut_proof_sums_key(&p->measure->found.sums, k);
    const struct prvcut_proof_sum *region = &p->column[REGION]->sum[k];
    const struct prvcut_proof_sum *chop = &p->column[CHOP]->sum[k];
    const double amount[2] = { (double)region->amount, (double)chop->amount };
    char text[256];

    switch (key->kind) {
    case PRVCUT_PROOF_STATE:
        return prow_put_share(r, PRVCUT_PROOF_OF_STATE,
                              prvcut_measure_key_text(text, sizeof text, p->measure, k), amount,
                              err);
    case PRVCUT_PROOF_CALL:
        return prow_put_call(r, prvcut_measure_key_text(text, sizeof text, p->measure, k), region,
                             chop, err);
    case PRVCUT_PROOF_MESSAGE:
        return prow_put_traffic(r, region, chop, err);
    case PRVCUT_PROOF_COUNTER:
        return prow_put_counter(r, k, amount, err);
    }
    return PRVCUT_OK;
}

static enum prvcut_status prow_put_calls(struct rows *r, struct prvcut_error *err)
{
    const struct prvcut_proof_pair *p = r->pair;
    const double outside[2] = { p->time[REGION] - p->mpi[REGION], p->time[CHOP] - p->mpi[CHOP] };
    const struct prvcut_proof_row row = { .group = PRVCUT_PROOF_OF_CALL,
                                          .unit = PRVCUT_PROOF_IN_COUNT,
                                          .weight = 1 };
    enum prvcut_status st;

    if (p->mpi[REGION] <= 0 && p->mpi[CHOP] <= 0 && p->calls[REGION] <= 0)
        return PRVCUT_OK;
    if (p->measure->found.regions)
        return prow_put_each(r, row, "all regions", p->calls, err);
    st = prow_put_share(r, PRVCUT_PROOF_OF_CALL, "all MPI calls", p->mpi, err);
    if (st == PRVCUT_OK)
        st = prow_put_share(r, PRVCUT_PROOF_OF_CALL, "outside MPI", outside, err);
    return st == PRVCUT_OK ? prow_put_each(r, row, "all MPI calls", p->calls, err) : st;
}

static void prow_of_role(const struct prvcut_proof_pair *p, enum prvcut_role role, double out[2])
{
    const struct prvcut_proof_key key = { PRVCUT_PROOF_COUNTER, 0, role };
    const uint32_t at = prvcut_proof_sums_find(&p->measure->found.sums, &key);

    for (int i = REGION; i <= CHOP; i++)
        out[i] = at == UINT32_MAX ? 0 : (double)p->column[i]->sum[at].amount;
}

static enum prvcut_status prow_put_ratios(struct rows *r, struct prvcut_error *err)
{
    static const char *const name[3] = { "parallel efficiency", "load balance",
                                         "communication efficiency" };
    const struct prvcut_proof_pair *p = r->pair;
    struct prvcut_proof_row row = { .group = PRVCUT_PROOF_OF_COUNTER,
                                    .unit = PRVCUT_PROOF_IN_PER_CYCLE,
                                    .weight = 1 };
    double instructions[2], cycles[2];
    enum prvcut_status st;

    prow_of_role(p, PRVCUT_ROLE_INSTRUCTIONS, instructions);
    prow_of_role(p, PRVCUT_ROLE_CYCLES, cycles);
    row.region = prow_ratio(instructions[REGION], cycles[REGION]);
    row.chop = prow_ratio(instructions[CHOP], cycles[CHOP]);
    st = prow_put(r, row, "IPC", err);
    row.group = PRVCUT_PROOF_OF_EFFICIENCY;
    row.unit = PRVCUT_PROOF_IN_SHARE;
    for (int i = 0; i < 3 && st == PRVCUT_OK; i++) {
        row.region = p->efficiency[REGION][i];
        row.chop = p->efficiency[CHOP][i];
        row.weight = prow_share_weight(row.chop, row.region);
        st = prow_put(r, row, name[i], err);
    }
    return st;
}

/* Worst first; what is equally wrong by what matters more, then in a fixed order. */
static int prow_by_score(const void *a, const void *b)
{
    const struct prvcut_proof_row *x = a, *y = b;
    const double sx = prow_score(x), sy = prow_score(y);

    if (sx != sy)
        return sx < sy ? 1 : -1;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (strcmp(x->name, y->name) != 0)
        return strcmp(x->name, y->name);
    return strcmp(prvcut_proof_unit_text(x->unit), prvcut_proof_unit_text(y->unit));
}

static enum prvcut_faith prow_verdict(double worst)
{
    if (worst <= PRVCUT_PROOF_FAITHFUL)
        return PRVCUT_FAITH_FAITHFUL;
    return worst <= PRVCUT_PROOF_FAIR ? PRVCUT_FAITH_FAIR : PRVCUT_FAITH_DOUBTFUL;
}

/* Why nothing can be told of where the time goes, lines being out of order in time; or NULL. */
static const char *prow_disorder(const struct prvcut_proof_pair *p)
{
    const struct prvcut_proof_ended *e = &p->measure->found.ended;

    for (int i = REGION; i <= CHOP; i++)
        if (!p->measure->found.regions && p->mpi[i] > (1 + OVERLAP) * p->time[i])
            return "calls overlap in time";
    return (double)e->backward > BACKWARD_MOST * (double)e->calls ? "calls end before they begin"
                                                                  : NULL;
}

enum prvcut_status prvcut_proof_rows(struct made_proof *out, const struct prvcut_proof_pair *p,
                                     struct prvcut_error *err)
{
    struct rows r = { .out = out, .pair = p };
    enum prvcut_status st = PRVCUT_OK;

    out->unknown = prow_disorder(p);
    if (out->unknown) {
        out->is.verdict = PRVCUT_FAITH_UNKNOWN;
        return PRVCUT_OK;
    }
    st = prow_put_calls(&r, err);
    if (st == PRVCUT_OK)
        st = prow_put_ratios(&r, err);
    for (size_t k = 0; k < p->measure->found.sums.key.count && st == PRVCUT_OK; k++)
        st = prow_put_key(&r, k, err);
    if (st < 0)
        return st;
    if (out->is.rows > 0)
        qsort(out->row, out->is.rows, sizeof *out->row, prow_by_score);
    out->is.worst = out->is.rows > 0 ? prow_score(&out->row[0]) : 0;
    out->is.verdict = out->is.rows > 0 ? prow_verdict(out->is.worst) : PRVCUT_FAITH_UNKNOWN;
    return PRVCUT_OK;
}
