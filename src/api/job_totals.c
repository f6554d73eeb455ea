#include "api/job_totals.h"

#include "api/job_kinds.h"
#include "api/job_windows_inner.h"

#include "base/memory.h"
#include "dsp/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a thing is added up from, where it is no sum of the measure. */
#define OF_LENGTH    (SIZE_MAX)
#define OF_COMPUTING (SIZE_MAX - 1)

/* Other windows' totals lie between these shares of them. */
#define LOW  0.05
#define HIGH 0.95

/* Something that adds up. */
struct addend {
    const char *name; /* NULL: the key's */
    enum prvcut_total_unit unit;
    size_t key;
    bool counts; /* how often, not how much */
};

struct addends {
    struct addend at[MADE_TOTALS];
    size_t count;
};

static const struct prvcut_proof_key *jto_key(const struct job_windows *w, size_t k)
{
    return prvcut_proof_sums_key(&w->measure.found.sums, k);
}

static void jto_add(struct addends *a, struct addend more)
{
    if (a->count < MADE_TOTALS)
        a->at[a->count++] = more;
}

static bool jto_is_listed(const struct addends *a, size_t key)
{
    for (size_t i = 0; i < a->count; i++)
        if (a->at[i].key == key)
            return true;
    return false;
}

/* By type and value: which key was seen first depends on who read what. */
static bool jto_is_before(const struct prvcut_proof_key *a, const struct prvcut_proof_key *b)
{
    return a->type != b->type ? a->type < b->type : a->value < b->value;
}

/* The call that takes most of the loop's time, or the first counter, that is not in the list;
   SIZE_MAX: none is left. */
static size_t jto_next(const struct job_windows *w, const struct prvcut_column *all,
                       const struct addends *a, enum prvcut_proof_kind kind)
{
    size_t best = SIZE_MAX;

    for (size_t k = 0; k < w->measure.found.sums.key.count; k++) {
        const struct prvcut_proof_key *key = jto_key(w, k);
        const uint64_t amount = all->sum[k].amount;

        if (key->kind != kind || amount == 0 || jto_is_listed(a, k))
            continue;
        if (best == SIZE_MAX || (kind == PRVCUT_PROOF_CALL && amount > all->sum[best].amount) ||
            ((kind != PRVCUT_PROOF_CALL || amount == all->sum[best].amount) &&
             jto_is_before(key, jto_key(w, best))))
            best = k;
    }
    return best;
}

static struct addends jto_list(const struct job_windows *w, const struct prvcut_column *all)
{
    struct addends a = { .count = 0 };

    jto_add(&a, (struct addend){ "time", PRVCUT_TOTAL_NS, OF_LENGTH, false });
    if (all->thread)
        jto_add(&a, (struct addend){ "computing", PRVCUT_TOTAL_NS, OF_COMPUTING, false });
    for (unsigned i = 0; i < PRVCUT_WINDOW_CALLS; i++) {
        const size_t key = jto_next(w, all, &a, PRVCUT_PROOF_CALL);

        if (key != SIZE_MAX)
            jto_add(&a, (struct addend){ NULL, PRVCUT_TOTAL_NS, key, false });
    }
    for (size_t k = 0; k < w->measure.found.sums.key.count; k++)
        if (jto_key(w, k)->kind == PRVCUT_PROOF_MESSAGE && all->sum[k].count > 0) {
            jto_add(&a, (struct addend){ "messages", PRVCUT_TOTAL_COUNT, k, true });
            jto_add(&a, (struct addend){ "bytes sent", PRVCUT_TOTAL_BYTES, k, false });
        }
    for (size_t k;
         a.count < MADE_TOTALS && (k = jto_next(w, all, &a, PRVCUT_PROOF_COUNTER)) != SIZE_MAX;)
        jto_add(&a, (struct addend){ NULL, PRVCUT_TOTAL_COUNT, k, false });
    return a;
}

static double jto_amount(const struct job_windows *w, const struct prvcut_column *c,
                         const struct addend *a, double length)
{
    double sum = 0;

    if (a->key == OF_LENGTH)
        return length;
    for (uint32_t i = 0; a->key == OF_COMPUTING && i < w->measure.threads; i++)
        sum += prvcut_column_computing(c, &w->measure, i);
    if (a->key == OF_COMPUTING)
        return sum;
    return a->counts ? (double)c->sum[a->key].count : (double)c->sum[a->key].amount;
}

/* --- One kind --------------------------------------------------------------------------------- */

/* A kind's share of the totals: what a window of it holds, for as many of them as there are. */
struct share {
    const struct job_kinds *kinds;
    const struct job_planned *cut;
    const struct job_rivals *rivals;
    double *each; /* [windows] room; owned by the caller */
};

/* How often a window's amount is in the kind: by its iterations, or of time in calls and computing
   by the time that the kind takes. (Of 97 runs, counts are 3 % off by iterations, 13 % by time;
   time in calls 12 and 8 %.) */
static double jto_times(const struct share *s, const struct addend *a, double length, double loop)
{
    const struct prvcut_kind *kind = &s->kinds->kind[s->cut->kind - 1];

    if (a->key == OF_LENGTH || a->unit != PRVCUT_TOTAL_NS)
        return (double)kind->iterations / s->cut->place.iterations;
    return length > 0 ? kind->share * loop / length : 0;
}

static void jto_add_kind(struct prvcut_total *t, struct job_windows *w, const struct share *s,
                         const struct addend *a, double loop)
{
    const struct job_units *r = &w->row[s->rivals->row];
    const size_t count = s->rivals->windows.whole;

    for (size_t i = 0; i < count; i++) {
        const size_t first = s->rivals->first[i];
        const uint64_t *border = r->unit[first].border;
        const double length = (double)(border[s->rivals->wanted.iterations] - border[0]);

        job_units_column(w, r, &w->column, first, job_units_of(r, first, &s->rivals->wanted));
        s->each[i] = jto_amount(w, &w->column, a, length) * jto_times(s, a, length, loop);
        if (border[0] == s->cut->lead_ns)
            t->estimate += s->each[i];
    }
    t->low += prvcut_select(s->each, count, (size_t)(LOW * (double)(count - 1)));
    t->high += prvcut_select(s->each, count, (size_t)ceil(HIGH * (double)(count - 1)));
}

/* --- All -------------------------------------------------------------------------------------- */

static double jto_loop_ns(const struct job_kinds *k)
{
    double sum = 0;

    for (size_t i = 0; i < k->count; i++)
        if (k->clear[i] || !k->clear_alone)
            sum += k->length[i];
    return sum;
}

static enum prvcut_status jto_tell(struct prvcut_total *t, struct job_windows *w,
                                   const struct addend *a, struct prvcut_error *err)
{
    char name[256];
    char *copy = prvcut_copied_text(
        a->name ? a->name : prvcut_measure_key_text(name, sizeof name, &w->measure, a->key),
        "names", err);

    *t = (struct prvcut_total){ .name = copy, .unit = a->unit, .measured = NAN };
    return copy ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* What the iterations hold that are told of, as far as all were measured. */
static void jto_measured(struct job_windows *w, const struct job_kinds *k, struct prvcut_column *c)
{
    const struct job_units *r = &w->row[0];
    size_t count = 0;

    for (size_t i = 0; i < r->units; i++)
        if (!k->clear_alone || r->thin || k->clear[i])
            w->list[count++] = r->slot + i;
    prvcut_column_set(c, &w->measure, w->list, count);
}

/* all: what the row holds, as far as all of it was measured */
static enum prvcut_status jto_fill(struct job *j, const struct job_plan *plan,
                                   const struct prvcut_column *all, double *each,
                                   struct prvcut_error *err)
{
    struct job_windows *w = j->windows;
    const struct addends list = jto_list(w, all);
    const double loop = jto_loop_ns(j->kinds);
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < list.count && st == PRVCUT_OK; i++) {
        struct prvcut_total *t = &j->out->total[i];

        st = jto_tell(t, w, &list.at[i], err);
        if (st < 0)
            break;
        j->out->is.totals = i + 1;
        for (size_t k = 0; k < plan->count && plan->at[k].kind > 0; k++) {
            const struct share s = { j->kinds, &plan->at[k], job_rivals_of(w, k), each };

            jto_add_kind(t, w, &s, &list.at[i], loop);
        }
        t->low = fmin(t->low, t->estimate);
        t->high = fmax(t->high, t->estimate);
        if (list.at[i].key == OF_LENGTH || !w->row[0].thin)
            t->measured = jto_amount(w, all, &list.at[i], loop);
    }
    return st;
}

enum prvcut_status job_totals_tell(struct job *j, const struct job_plan *plan,
                                   struct prvcut_error *err)
{
    struct job_windows *w = j->windows;
    struct prvcut_column all;
    double *each;
    size_t most = 0;
    enum prvcut_status st;

    for (size_t k = 0; k < plan->count && plan->at[k].kind > 0; k++) {
        const struct job_rivals *g = job_rivals_of(w, k);

        if (!g)
            return PRVCUT_OK;
        most = g->windows.whole > most ? g->windows.whole : most;
    }
    if (most == 0)
        return PRVCUT_OK;
    each = prvcut_unset(most, sizeof *each, "windows", err);
    st = prvcut_column_init(&all, &w->measure, err);
    if (st == PRVCUT_OK && each) {
        jto_measured(w, j->kinds, &all);
        st = jto_fill(j, plan, &all, each, err);
    }
    prvcut_column_fini(&all);
    free(each);
    return each ? st : PRVCUT_ENOMEM;
}
