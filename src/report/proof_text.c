#include "report/proof.h"
#include "report/quantity.h"

#include "report/chop.h"
#include "report/clear.h"
#include "report/stands.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The worst rows tell; the JSON has all. */
#define ROWS_SHOWN 10
/* Points of percent, or percent, below which a row is not worth a line. */
#define LEAST 1.0
/* Columns of the names: with those of the numbers that is a line. */
#define NAMES 46

static bool prf_is_share(const struct prvcut_proof_row *r)
{
    return r->unit == PRVCUT_PROOF_IN_SHARE;
}

static void prf_value(char cell[REPORT_CELL], const struct prvcut_proof_row *r, double x)
{
    char text[32];

    if (prf_is_share(r))
        snprintf(cell, REPORT_CELL, "%.1f %%", 100 * x);
    else if (r->unit == PRVCUT_PROOF_IN_BYTES)
        report_set(cell, prvcut_size_text(text, x));
    else
        report_set(cell, report_number(text, x));
}

/* Points of percent of a share, percent of a number. */
static double prf_difference(const struct prvcut_proof_row *r)
{
    return 100 * (prf_is_share(r) ? r->chop - r->region : r->error);
}

static void prf_error(char cell[REPORT_CELL], const struct prvcut_proof_row *r)
{
    char text[32];

    if (isinf(r->error))
        report_set(cell, "only in cut");
    else
        snprintf(cell, REPORT_CELL, "%s %s", report_signed(text, prf_difference(r)),
                 prf_is_share(r) ? "points" : "%");
}

static bool prf_is_computing(const struct prvcut_proof_row *r)
{
    return prf_is_share(r) &&
           (strcmp(r->name, "outside MPI") == 0 || strcmp(r->name, "Running") == 0);
}

/* What the row is of, without control characters. */
static void prf_name(char out[REPORT_CELL + 24], const struct made_proof *p,
                     const struct prvcut_proof_row *r)
{
    char safe[NAMES - sizeof " an iteration"];
    const char *each =
        r->unit == PRVCUT_PROOF_IN_COUNT || r->unit == PRVCUT_PROOF_IN_BYTES ? " an iteration" : "";

    if (prf_is_computing(r) && (strcmp(r->name, "Running") == 0 || !report_outside_is_more(p)))
        snprintf(out, REPORT_CELL + 24, "computing");
    else
        snprintf(out, REPORT_CELL + 24, "%s%s",
                 prvcut_quote(safe, sizeof safe, r->name, strlen(r->name)), each);
}

/* Is that a better name of the same time? The call, not the state that it makes; the parallel
   efficiency, which is the share of computing. */
static bool prf_stands_in(const struct prvcut_proof_row *r, const struct prvcut_proof_row *own)
{
    if (!prf_is_share(r) || fabs(r->chop - own->chop) >= 0.01 ||
        fabs(r->region - own->region) >= 0.01)
        return false;
    if (prf_is_computing(own) && strcmp(r->name, "parallel efficiency") == 0)
        return true;
    return own->group == PRVCUT_PROOF_OF_STATE && r->group == PRVCUT_PROOF_OF_CALL;
}

/* Is the row's thing told by another one? */
static bool prf_again(const struct made_proof *p, size_t row)
{
    const struct prvcut_proof_row *own = &p->row[row];

    if (!prf_is_share(own) || own->group == PRVCUT_PROOF_OF_EFFICIENCY)
        return false;
    if (strcmp(own->name, "all MPI calls") == 0)
        return true;
    for (size_t i = 0; i < p->is.rows; i++)
        if (i != row && prf_stands_in(&p->row[i], own))
            return true;
    return false;
}

struct prf_list {
    size_t row[ROWS_SHOWN]; /* [count] worst first */
    size_t count, others;   /* others that differ as much; those that do not are not counted */
    size_t small;
};

static void prf_choose(struct prf_list *list, const struct made_proof *p)
{
    *list = (struct prf_list){ .count = 0 };
    for (size_t i = 0; i < p->is.rows; i++) {
        if (prf_again(p, i))
            continue;
        if (!isinf(p->row[i].error) && fabs(prf_difference(&p->row[i])) < LEAST)
            list->small++;
        else if (list->count < ROWS_SHOWN)
            list->row[list->count++] = i;
        else
            list->others++;
    }
}

static void prf_put_row(struct report_lines *l, const struct made_proof *p,
                        const struct prvcut_proof_row *r)
{
    char name[REPORT_CELL + 24], cut[REPORT_CELL], loop[REPORT_CELL], error[REPORT_CELL];

    prf_name(name, p, r);
    prf_value(cut, r, r->chop);
    prf_value(loop, r, r->region);
    prf_error(error, r);
    report_put(l, "  %-*s  %7s  %7s  %12s\n", NAMES - 2, name, cut, loop, error);
}

/* whole: what the cut is compared with, "loop" or "region" */
static void prf_put_rows(struct report_lines *l, const struct made_proof *p, const char *head,
                         const char *whole)
{
    struct prf_list list;

    prf_choose(&list, p);
    report_put(l, "%s\n%-*s  %7s  %7s  %12s\n", head, NAMES, "", "cut", whole, "difference");
    for (size_t i = 0; i < list.count; i++)
        prf_put_row(l, p, &p->row[list.row[i]]);
    if (list.others > 0)
        report_put(l, "  and %zu more; --json has them all\n", list.others);
    if (list.small > 0)
        report_put(l, "  %s%zu quantit%s less than 1 point, or 1 %%\n",
                   list.count > 0 ? "the other " : "all ", list.small,
                   list.small == 1 ? "y differs by" : "ies differ by");
}

/* Kinds of waiting that are told. */
#define WAITS_SHOWN 5

/* What iterations of either lose while they wait. */
static void prf_put_waits(struct report_lines *l, const struct made_proof *p)
{
    const size_t shown = p->is.waits < WAITS_SHOWN ? p->is.waits : WAITS_SHOWN;

    if (shown > 0)
        report_put(l, "  wait states, of the time:\n");
    for (size_t i = 0; i < shown; i++)
        prf_put_row(l, p, &p->wait[i]);
    if (p->is.waits > shown)
        report_put(l, "  and %zu more; --json has them all\n", p->is.waits - shown);
}

void report_put_verdict(struct report_lines *l, const struct made_reduction *r,
                        const struct made_chop *c)
{
    const struct made_proof *p = &c->proof;
    char error[REPORT_CELL], longer[64];

    report_put(l, "%s", prvcut_chop_verdict_text(report_stands(r, c)));
    if (report_length_is_off(r, c))
        report_put(l, ", %s", report_longer_text(longer, report_longer_there(r, c)));
    if (p->is.rows == 0)
        return;
    prf_error(error, &p->row[0]);
    report_put(l, "; worst ");
    report_put_foreign(l, p->row[0].name);
    report_put(l, ", %s", error);
}

char *report_compared(char out[96], const struct made_reduction *r, const struct made_chop *c)
{
    const struct made_region *p =
        c->is.region < r->structure.is.regions ? &r->structure.region[c->is.region] : NULL;
    char count[32];

    report_tenths(count, c->proof.is.iterations_region);
    if (p && c->is.of_loop && c->is.of_kind == 0 &&
        c->proof.is.iterations_region + 0.5 < (double)p->is.loop_iterations)
        snprintf(out, 96, "%s undisturbed ones", count);
    else if (p && report_chop_of_loop(r, c))
        snprintf(out, 96, "%s", count);
    else
        snprintf(out, 96, "%s of region %u.%u", count, c->is.level, c->is.number);
    return out;
}

void report_put_proof(struct report_lines *l, const struct made_reduction *r,
                      const struct made_chop *c)
{
    const struct made_proof *p = &c->proof;
    const bool loop = report_chop_of_loop(r, c);
    const char *whole = report_chop_stands_for(r, c);
    char with[96], name[32] = "its loop", beside[32] = "", head[192], longer[64];

    if (!p->is.verdict)
        return;
    if (prvcut_loop_is_all(&r->structure.region[c->is.region], c->is.iterations)) {
        report_put(l, "Stands for its loop, all of which it holds\n");
        return;
    }
    if (p->is.verdict == PRVCUT_FAITH_UNKNOWN) {
        report_put(l, "Stands for its loop: unknown, %s\n",
                   p->unknown ? p->unknown : "there is nothing to compare");
        return;
    }
    if (c->is.of_kind > 0)
        snprintf(name, sizeof name, "kind %u", c->is.of_kind);
    else if (!loop)
        snprintf(name, sizeof name, "region %u.%u", c->is.level, c->is.number);
    if (c->beside_kind > 0)
        snprintf(beside, sizeof beside, " in kind %u", c->beside_kind);
    snprintf(head, sizeof head, "Stands for %s: %s%s, %u iteration%s against %s", name,
             prvcut_chop_verdict_text(report_stands(r, c)), beside, c->is.iterations,
             c->is.iterations == 1 ? "" : "s",
             loop ? report_compared(with, r, c) : report_tenths(with, p->is.iterations_region));
    prf_put_rows(l, p, head, whole);
    if (c->is.windows > 0 && (c->beside_kind > 0 || p->is.verdict != PRVCUT_FAITH_FAITHFUL))
        report_put(l, "  %s%s is beside windows as long as the cut; the table is of all the %s\n",
                   prvcut_chop_verdict_text(report_stands(r, c)), beside, whole);
    prf_put_waits(l, p);
    if (report_length_is_off(r, c))
        report_put(l, "  its iterations are %s\n",
                   report_longer_text(longer, report_longer_there(r, c)));
    if (p->is.unlike > 0)
        report_put(l, "  %u of %u threads make clearly more or fewer calls than in the %s\n",
                   p->is.unlike, p->is.threads, whole);
}

enum prvcut_status prvcut_reduction_proof(const struct prvcut_reduction *view, char **text,
                                          struct prvcut_error *err)
{
    const struct made_reduction *r = made_reduction_of(view);
    struct report_lines l = { .err = err };

    for (size_t i = 0; i < r->is.chops; i++) {
        if (i > 0 && r->chop[i].proof.is.verdict)
            report_put(&l, "\n");
        report_put_proof(&l, r, &r->chop[i]);
    }
    return report_take(&l, text);
}
