#include "analysis/diff_order.h"
#include "analysis/diff_stat.h"

#include "analysis/why.h"
#include "base/memory.h"
#include "model/diff_cause.h"
#include "model/texts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * name          value  unit        decides
 */
#define DIF_NEW  1.0 /* of what there was none: as if it had doubled */
#define DIF_HALF 0.5 /* of what means of the length differ: a cause explains so much */
#define DIF_TRACER                                                                                 \
    0.01 /* of the shorter length: so much more, or less, of the tracer itself is told */
#define DIF_TWICE 1.0 /* of the mean length: what is longer by more is worse, chance or not */

struct dif_maker {
    struct made_diff *out;
    const struct prvcut_diff_run *run;
    const uint32_t *task;
    double *room;                  /* [iterations of the run that has more] */
    double *other;                 /* the same again */
    struct prvcut_diff_spec *spec; /* [specs] */
    size_t specs;
    size_t *call[2]; /* [calls] where each call of either run stands in each; NO_COLUMN: nowhere */
    char **name;     /* [calls] the answer's */
    size_t calls;
    double length;  /* ns, of an iteration of A */
    double shorter; /* ns, of an iteration of the run whose are shorter */
    /* What each thread, or all as one, spent, where it changed; else of both what A did.
       [causing][PRVCUT_WHY_COLUMNS + calls] */
    double *spent[2];
    enum prvcut_diff_way *computes; /* [causing] how computing was judged */
    uint32_t causing;
};

/* --- What is compared ------------------------------------------------------------------------- */

static size_t dif_find(const struct prvcut_diff_run *r, const char *name)
{
    for (size_t i = 0; i < r->calls; i++)
        if (strcmp(r->call[i], name) == 0)
            return i;
    return PRVCUT_DIFF_NO_COLUMN;
}

/* Calls of A, then what only B has. */
static enum prvcut_status dif_calls(struct dif_maker *m, struct prvcut_error *err)
{
    const size_t room = m->run[0].calls + m->run[1].calls + 1;

    m->call[0] = prvcut_unset(room, sizeof *m->call[0], "calls", err);
    m->call[1] = prvcut_unset(room, sizeof *m->call[1], "calls", err);
    m->name = prvcut_unset(room, sizeof *m->name, "calls", err);
    if (!m->call[0] || !m->call[1] || !m->name)
        return PRVCUT_ENOMEM;
    for (unsigned s = 0; s < 2; s++)
        for (size_t i = 0; i < m->run[s].calls; i++) {
            const char *name = m->run[s].call[i];

            if (s > 0 && dif_find(&m->run[0], name) != PRVCUT_DIFF_NO_COLUMN)
                continue;
            m->call[0][m->calls] = dif_find(&m->run[0], name);
            m->call[1][m->calls] = dif_find(&m->run[1], name);
            if (prvcut_texts_add(&m->out->text, &m->out->texts, name, err) < 0)
                return PRVCUT_ENOMEM;
            m->name[m->calls++] = m->out->text[m->out->texts - 1];
        }
    return PRVCUT_OK;
}

/* Both tell it by states, or both by calls. */
static size_t dif_computing(const struct dif_maker *m)
{
    return !isnan(prvcut_diff_at(&m->run[0], 0, 0)[PRVCUT_DIFF_AT_RUNNING]) &&
                   !isnan(prvcut_diff_at(&m->run[1], 0, 0)[PRVCUT_DIFF_AT_RUNNING])
               ? PRVCUT_DIFF_AT_RUNNING
               : PRVCUT_DIFF_AT_OUTSIDE;
}

static void dif_fixed(struct dif_maker *m)
{
    const size_t none = PRVCUT_DIFF_NO_COLUMN, computing = dif_computing(m);
    const struct {
        enum prvcut_diff_quantity quantity;
        size_t over, under;
    } fixed[PRVCUT_DIFF_FIXED] = {
        { PRVCUT_DIFF_LENGTH, PRVCUT_DIFF_AT_LENGTH, none },
        { PRVCUT_DIFF_ITERATIONS, none, none },
        { PRVCUT_DIFF_COMPUTING, computing, none },
        { PRVCUT_DIFF_CALLS, PRVCUT_DIFF_AT_CALLS, none },
        { PRVCUT_DIFF_WAITING, PRVCUT_DIFF_AT_WAITING, none },
        { PRVCUT_DIFF_FLUSHING, PRVCUT_DIFF_AT_FLUSHING, none },
        { PRVCUT_DIFF_OFF, PRVCUT_DIFF_AT_OFF, none },
        { PRVCUT_DIFF_MESSAGES, PRVCUT_DIFF_AT_SENT, none },
        { PRVCUT_DIFF_BYTES, PRVCUT_DIFF_AT_BYTES, none },
        { PRVCUT_DIFF_COLLECTIVE_BYTES, PRVCUT_DIFF_AT_TOGETHER, none },
        { PRVCUT_DIFF_INSTRUCTIONS, PRVCUT_DIFF_AT_INSTRUCTIONS, none },
        { PRVCUT_DIFF_IPC, PRVCUT_DIFF_AT_INSTRUCTIONS, PRVCUT_DIFF_AT_CYCLES },
        { PRVCUT_DIFF_FREQUENCY, PRVCUT_DIFF_AT_CYCLES, computing },
    };

    m->out->is.computing = computing == PRVCUT_DIFF_AT_RUNNING ? "running" : "outside";
    if (isnan(prvcut_diff_at(&m->run[0], 0, 0)[computing]) ||
        isnan(prvcut_diff_at(&m->run[1], 0, 0)[computing]))
        m->out->is.computing = NULL;
    for (size_t i = 0; i < PRVCUT_DIFF_FIXED; i++)
        m->spec[m->specs++] =
            (struct prvcut_diff_spec){ .quantity = fixed[i].quantity,
                                       .over = { fixed[i].over, fixed[i].over },
                                       .under = { fixed[i].under, fixed[i].under } };
}

static size_t dif_call_column(const struct dif_maker *m, unsigned side, size_t call, bool counts)
{
    const size_t at = m->call[side][call];

    return at == PRVCUT_DIFF_NO_COLUMN
               ? at
               : PRVCUT_DIFF_AT_COLUMNS + (counts ? m->run[side].calls : 0) + at;
}

static enum prvcut_status dif_specs(struct dif_maker *m, struct prvcut_error *err)
{
    m->spec = prvcut_zeroed(PRVCUT_DIFF_FIXED + 2 * m->calls + 1, sizeof *m->spec, "rows", err);
    if (!m->spec)
        return PRVCUT_ENOMEM;
    dif_fixed(m);
    for (size_t i = 0; i < m->calls; i++)
        for (int counts = 0; counts < 2; counts++)
            m->spec[m->specs++] = (struct prvcut_diff_spec){
                .quantity = counts ? PRVCUT_DIFF_ENTERED : PRVCUT_DIFF_CALL,
                .call = m->name[i],
                .over = { dif_call_column(m, 0, i, counts), dif_call_column(m, 1, i, counts) },
                .under = { PRVCUT_DIFF_NO_COLUMN, PRVCUT_DIFF_NO_COLUMN },
            };
    return PRVCUT_OK;
}

/* --- A row ------------------------------------------------------------------------------------ */

/* Of a difference, as a part of what it is measured by. */
static double dif_part(const struct dif_maker *m, const struct prvcut_diff_kind *k,
                       double difference, double of)
{
    const double unit = k->time ? m->length : of;

    return unit > 0 ? difference / unit : difference > 0 ? DIF_NEW : 0;
}

/* The smaller of both, whichever is A. */
static double dif_unit(const struct dif_maker *m, const struct prvcut_diff_kind *k,
                       const struct prvcut_diff_stat *a, const struct prvcut_diff_stat *b)
{
    return k->count ? 0 : k->time ? m->shorter : fmin(a->median, b->median);
}

static double dif_value(const struct prvcut_diff_stat *s, enum prvcut_diff_way way)
{
    return way == PRVCUT_DIFF_MEAN ? s->mean : s->median;
}

/* Where a quantity that may be a cause stands among these; NO_COLUMN: it is none. */
static size_t dif_causes(const struct dif_maker *m, const struct prvcut_diff_spec *spec)
{
    const enum prvcut_diff_quantity q = spec->quantity;
    return q == PRVCUT_DIFF_COMPUTING  ? (size_t)PRVCUT_WHY_COMPUTING
           : q == PRVCUT_DIFF_FLUSHING ? (size_t)PRVCUT_WHY_FLUSHING
           : q == PRVCUT_DIFF_OFF      ? (size_t)PRVCUT_WHY_OFF
           : q == PRVCUT_DIFF_CALL
               ? PRVCUT_WHY_COLUMNS + ((size_t)(spec - m->spec) - PRVCUT_DIFF_FIXED) / 2
               : PRVCUT_DIFF_NO_COLUMN;
}

/* What is judged of a row is what causes are made of. */
static void dif_keep(struct dif_maker *m, const struct prvcut_diff_spec *spec, uint32_t row,
                     const struct prvcut_diff_verdict *v, const double value[2])
{
    const size_t column = dif_causes(m, spec);

    if (column == PRVCUT_DIFF_NO_COLUMN || row >= m->causing)
        return;
    for (unsigned s = 0; s < 2; s++) {
        double *at = m->spent[s] + row * (PRVCUT_WHY_COLUMNS + m->calls);

        at[column] = value[v->way == PRVCUT_DIFF_SAME ? 0 : s];
        if (column == PRVCUT_WHY_COMPUTING)
            at[PRVCUT_WHY_OWN] = at[column];
    }
    if (column == PRVCUT_WHY_COMPUTING)
        m->computes[row] = v->way;
}

static bool dif_is_length_told(const struct dif_maker *m)
{
    return m->out->row[0].way != PRVCUT_DIFF_SAME || m->out->row[0].likely;
}

/* Where iterations are longer or shorter for certain somebody is why: of few iterations those who
   wait are sure to do so longer, and who computes so in some of them would not be. */
static bool dif_may_be_why(const struct dif_maker *m, const struct prvcut_diff_spec *spec)
{
    return dif_is_length_told(m) && spec->quantity != PRVCUT_DIFF_CALL &&
           dif_causes(m, spec) != PRVCUT_DIFF_NO_COLUMN;
}

static struct prvcut_diff_verdict dif_judge_why(const struct dif_maker *m, double unit,
                                                const struct prvcut_diff_stat *a,
                                                const struct prvcut_diff_stat *b,
                                                enum prvcut_diff_way only)
{
    struct prvcut_diff_verdict v = prvcut_diff_judge(a, b, unit, false, true, only);

    if (m->out->row[0].way == PRVCUT_DIFF_SAME || v.difference * m->out->row[0].difference <= 0)
        v.way = PRVCUT_DIFF_SAME;
    return v;
}

/* What decides: the means of a length that changed, or is likely to have, are explained by means,
   by half of what they differ at least. That needs no proof of its own, but must be likely. */
static struct prvcut_diff_verdict dif_judge_means(const struct dif_maker *m,
                                                  const struct prvcut_diff_spec *spec, uint32_t row,
                                                  const struct prvcut_diff_stat *a,
                                                  const struct prvcut_diff_stat *b)
{
    const double longer = m->out->row[0].mean[1] - m->out->row[0].mean[0];
    const double more = b->mean - a->mean;
    const bool is = more * longer > 0 && fabs(more) >= DIF_HALF * fabs(longer) &&
                    prvcut_diff_likely(m->run, spec, row, (double *[2]){ m->room, m->other });

    return (struct prvcut_diff_verdict){ .way = is ? PRVCUT_DIFF_MEAN : PRVCUT_DIFF_SAME,
                                         .difference = more };
}

/* The tracer that never writes, or is never off, in all of one run, and is in the other: that is no
   chance, in however few iterations. */
static struct prvcut_diff_verdict dif_judge_tracer(const struct dif_maker *m,
                                                   const struct prvcut_diff_spec *spec,
                                                   const struct prvcut_diff_stat *a,
                                                   const struct prvcut_diff_stat *b)
{
    const bool tracer = spec->quantity == PRVCUT_DIFF_FLUSHING || spec->quantity == PRVCUT_DIFF_OFF;
    const double more = b->mean - a->mean;
    const bool is =
        tracer && !(a->mean > 0 && b->mean > 0) && fabs(more) >= DIF_TRACER * m->shorter;

    return (struct prvcut_diff_verdict){ .way = is ? PRVCUT_DIFF_MEAN : PRVCUT_DIFF_SAME,
                                         .difference = more };
}

/* The thread that a quantity changed on most, in that direction (0: in any). */
struct dif_most {
    struct prvcut_diff_verdict verdict;
    double value[2];
    uint32_t row, rows;
};

/* only: as the average changed; PRVCUT_DIFF_SAME: it did not. */
static struct dif_most dif_threads(struct dif_maker *m, const struct prvcut_diff_spec *spec,
                                   enum prvcut_diff_way only, double direction)
{
    const struct prvcut_diff_kind *k = &prvcut_diff_kinds[spec->quantity];
    struct dif_most most = { .row = PRVCUT_DIFF_ALL };
    uint32_t less = 0, more = 0;

    for (uint32_t i = 0; i < m->run[0].rows; i++) {
        const struct prvcut_diff_stat a = prvcut_diff_measure(&m->run[0], spec, 0, i, m->room);
        const struct prvcut_diff_stat b = prvcut_diff_measure(&m->run[1], spec, 1, i, m->room);
        struct prvcut_diff_verdict v;
        double value[2];

        if (!a.told || !b.told)
            continue;
        /* Of threads whose average changed some have changed: that is not sought for again. */
        v = prvcut_diff_judge(&a, &b, dif_unit(m, k, &a, &b), only == PRVCUT_DIFF_SAME, false,
                              only);
        if (v.way == PRVCUT_DIFF_SAME && dif_may_be_why(m, spec))
            v = dif_judge_why(m, dif_unit(m, k, &a, &b), &a, &b, only);
        if (v.way == PRVCUT_DIFF_SAME && only != PRVCUT_DIFF_MEDIAN && dif_may_be_why(m, spec))
            v = dif_judge_means(m, spec, i, &a, &b);
        if (v.way == PRVCUT_DIFF_SAME && only == PRVCUT_DIFF_SAME)
            v = dif_judge_tracer(m, spec, &a, &b);
        value[0] = dif_value(&a, v.way);
        value[1] = dif_value(&b, v.way);
        dif_keep(m, spec, i, &v, value);
        if (v.way == PRVCUT_DIFF_SAME || v.difference * direction < 0)
            continue;
        *(v.difference < 0 ? &less : &more) += 1;
        if (most.row != PRVCUT_DIFF_ALL && fabs(v.difference) <= fabs(most.verdict.difference))
            continue;
        most.verdict = v;
        most.row = i;
        most.value[0] = value[0];
        most.value[1] = value[1];
    }
    most.rows = most.verdict.difference < 0 ? less : more;
    return most;
}

/* What changed on some threads, though not on average, counts, too. */
static void dif_name(struct dif_maker *m, const struct prvcut_diff_spec *spec,
                     struct prvcut_diff_row *row)
{
    const struct prvcut_diff_kind *k = &prvcut_diff_kinds[spec->quantity];
    const struct dif_most most = row->overall ? dif_threads(m, spec, row->way, row->difference)
                                              : dif_threads(m, spec, PRVCUT_DIFF_SAME, 0);

    if (most.row == PRVCUT_DIFF_ALL)
        return;
    row->thread = most.row;
    row->rank = m->task[most.row];
    row->threads = most.rows;
    row->of_thread[0] = most.value[0];
    row->of_thread[1] = most.value[1];
    if (!row->overall)
        row->way = most.verdict.way;
    if (k->costs)
        row->worse = fmax(row->worse, dif_part(m, k, most.verdict.difference, most.value[0]));
}

static void dif_judge(struct dif_maker *m, const struct prvcut_diff_spec *spec,
                      const struct prvcut_diff_stat s[2], struct prvcut_diff_row *row)
{
    const struct prvcut_diff_kind *k = &prvcut_diff_kinds[spec->quantity];
    const struct prvcut_diff_verdict v = prvcut_diff_judge(
        &s[0], &s[1], dif_unit(m, k, &s[0], &s[1]), false, false, PRVCUT_DIFF_SAME);
    const double value[2] = { dif_value(&s[0], v.way), dif_value(&s[1], v.way) };
    double turned;

    row->way = v.way;
    row->least = v.least;
    row->overall = v.way != PRVCUT_DIFF_SAME;
    row->difference = v.difference;
    if (row->overall && k->costs)
        row->worse = fmax(0, dif_part(m, k, v.difference, value[0]));
    if (!m->out->is.by_thread)
        dif_keep(m, spec, 0, &v, value);
    else if (spec->quantity != PRVCUT_DIFF_LENGTH)
        dif_name(m, spec, row);
    row->share = value[0] > 0 ? v.difference / value[0] : (double)NAN;
    row->of_length = k->time && m->length > 0 ? v.difference / m->length : (double)NAN;
    turned = row->overall ? v.difference : row->of_thread[1] - row->of_thread[0];
    if (row->way == PRVCUT_DIFF_SAME || k->more == PRVCUT_DIFF_NEITHER)
        return;
    row->turn =
        (turned > 0) == (k->more == PRVCUT_DIFF_WORSE) ? PRVCUT_DIFF_WORSE : PRVCUT_DIFF_BETTER;
}

/* What all takes is the cost, also where a few iterations, or a part of the run, make it. */
static void dif_mean_length(struct dif_maker *m, struct prvcut_diff_row *row)
{
    const double share = row->mean[0] > 0 ? row->mean[1] / row->mean[0] - 1 : 0;

    /* Medians that became shorter say nothing of means that became longer. */
    if (row->way == PRVCUT_DIFF_SAME ||
        (row->way == PRVCUT_DIFF_MEDIAN && row->difference * share < 0))
        row->likely = prvcut_diff_likely(m->run, &m->spec[0], PRVCUT_DIFF_ALL,
                                         (double *[2]){ m->room, m->other });
    if (row->likely || share > DIF_TWICE)
        row->worse = fmax(row->worse, share);
}

/* How often the loop runs is no value of an iteration. */
static void dif_iterations(const struct dif_maker *m, struct prvcut_diff_row *row)
{
    for (unsigned s = 0; s < 2; s++) {
        row->median[s] = row->mean[s] = row->total[s] = m->run[s].count;
        row->spread[s] = 0;
    }
    row->least = PRVCUT_DIFF_OFF_BY;
    row->difference = m->run[1].count - m->run[0].count;
    row->share = row->difference / m->run[0].count;
    if (fabs(row->difference) <= PRVCUT_DIFF_OFF_BY)
        return;
    row->way = PRVCUT_DIFF_MEDIAN;
    row->overall = true;
    row->turn = row->difference > 0 ? PRVCUT_DIFF_WORSE : PRVCUT_DIFF_BETTER;
    row->worse = fmax(0, row->share);
}

static void dif_row(struct dif_maker *m, const struct prvcut_diff_spec *spec)
{
    struct prvcut_diff_row *row = &m->out->row[m->out->is.rows++];
    struct prvcut_diff_stat s[2];

    *row = (struct prvcut_diff_row){ .quantity = spec->quantity,
                                     .call = spec->call,
                                     .difference = NAN,
                                     .share = NAN,
                                     .of_length = NAN,
                                     .least = NAN,
                                     .rank = UINT32_MAX,
                                     .thread = UINT32_MAX };
    for (unsigned i = 0; i < 2; i++) {
        row->median[i] = row->spread[i] = row->mean[i] = row->total[i] = row->of_thread[i] = NAN;
        if (spec->quantity == PRVCUT_DIFF_ITERATIONS)
            continue;
        s[i] = prvcut_diff_measure(&m->run[i], spec, i, PRVCUT_DIFF_ALL, m->room);
        if (!s[i].told)
            continue;
        row->median[i] = s[i].median;
        row->spread[i] = s[i].spread;
        row->mean[i] = s[i].mean;
        row->total[i] = s[i].total;
    }
    if (spec->quantity == PRVCUT_DIFF_ITERATIONS) {
        if (m->run[0].loop && m->run[1].loop)
            dif_iterations(m, row);
    } else if (s[0].told && s[1].told) {
        dif_judge(m, spec, s, row);
        if (spec->quantity == PRVCUT_DIFF_LENGTH)
            dif_mean_length(m, row);
    }
}

/* --- Why -------------------------------------------------------------------------------------- */

/* What the row of a cause names is what the cause names. */
static void dif_cause(const struct dif_maker *m, const struct prvcut_why_table *table,
                      const struct prvcut_why_usual *usual, const struct prvcut_why_one *one,
                      double excess)
{
    struct made_diff *out = m->out;
    const struct prvcut_diff_row *row;
    const bool slower = out->is.slower;
    struct prvcut_slow_cause *c = &out->cause[out->is.causes++];

    out->in_a_row[c - out->cause] = one->in_a_row;
    *c = (struct prvcut_slow_cause){
        .what = one->cause,
        .thread = out->is.by_thread ? one->thread : UINT32_MAX,
        .threads = one->threads,
        .call = one->cause == PRVCUT_SLOW_CALL ? m->name[one->call] : NULL,
        .ns = one->ns,
        .usual_ns = one->usual,
        .share = one->share,
        .partner = UINT32_MAX,
        .origin = UINT32_MAX,
        .bytes = NAN,
        .usual_bytes = NAN,
        .meanwhile = one->meanwhile,
    };
    row = made_diff_cause_row(out, c);
    if (!row || row->thread == UINT32_MAX || (row->of_thread[1] > row->of_thread[0]) != slower)
        return;
    if (row->quantity == PRVCUT_DIFF_COMPUTING && row->thread != one->thread)
        c->what = prvcut_why_computes(table, usual, 0, row->thread);
    c->thread = row->thread;
    c->threads = row->threads;
    c->ns = fabs(row->of_thread[1] - row->of_thread[0]);
    c->usual_ns = row->of_thread[slower ? 0 : 1];
    c->share = one->in_a_row ? one->share : fmin(1, c->ns / excess);
}

/* What is counted while threads compute tells why they do longer: the mean beside the mean, the
   median beside the median, or what some iterations lost looks as if no counter knew of it. */
static void dif_count(struct dif_maker *m)
{
    static const struct {
        size_t from, to;
    } column[] = { { PRVCUT_DIFF_AT_INSTRUCTIONS, PRVCUT_WHY_INSTRUCTIONS },
                   { PRVCUT_DIFF_AT_CYCLES, PRVCUT_WHY_CYCLES } };

    for (unsigned s = 0; s < 2; s++)
        for (uint32_t i = 0; i < m->causing; i++)
            for (size_t c = 0; c < sizeof column / sizeof *column; c++) {
                const struct prvcut_diff_spec spec = { .over = { column[c].from, column[c].from },
                                                       .under = { PRVCUT_DIFF_NO_COLUMN,
                                                                  PRVCUT_DIFF_NO_COLUMN } };
                const struct prvcut_diff_stat of = prvcut_diff_measure(
                    &m->run[s], &spec, s, m->out->is.by_thread ? i : PRVCUT_DIFF_ALL, m->room);

                m->spent[s][i * (PRVCUT_WHY_COLUMNS + m->calls) + column[c].to] =
                    of.told ? dif_value(&of, m->computes[i]) : (double)NAN;
            }
}

/* Why the slower of the two is so, as an iteration beside what is usual in the other: of what
   changed, thread by thread, as the rows tell it. */
static void dif_why(struct dif_maker *m)
{
    const struct prvcut_diff_row *row = &m->out->row[0];
    const double *of = row->way == PRVCUT_DIFF_MEDIAN ? row->median : row->mean;
    const unsigned slow = of[1] > of[0] ? 1 : 0;
    const struct prvcut_why_table table = { .iterations = 1,
                                            .calls = m->calls,
                                            .threads = m->causing,
                                            .length = &of[slow],
                                            .means = true,
                                            .at = m->spent[slow] };
    const struct prvcut_why_usual usual = { .length = of[1 - slow], .at = m->spent[1 - slow] };
    struct prvcut_why why;

    m->out->is.slower = slow == 1;
    dif_count(m);
    why = prvcut_why_of(&table, &usual, 0);
    /* What is only likely has a cause that is, or none. */
    if (row->way == PRVCUT_DIFF_SAME && why.count > 0 &&
        (why.one[0].cause == PRVCUT_SLOW_UNKNOWN || why.one[0].cause == PRVCUT_SLOW_CALL))
        return;
    for (size_t i = 0; i < why.count && i < MADE_CAUSES; i++)
        dif_cause(m, &table, &usual, &why.one[i], why.excess);
}

/* --- Together --------------------------------------------------------------------------------- */

static enum prvcut_status dif_make(struct dif_maker *m, struct prvcut_error *err)
{
    const size_t most =
        m->run[0].iterations > m->run[1].iterations ? m->run[0].iterations : m->run[1].iterations;
    enum prvcut_status st = dif_calls(m, err);

    if (st == PRVCUT_OK)
        st = dif_specs(m, err);
    m->room = prvcut_unset(most + 1, sizeof *m->room, "iterations", err);
    m->other = prvcut_unset(most + 1, sizeof *m->other, "iterations", err);
    m->out->row = prvcut_zeroed(m->specs + 1, sizeof *m->out->row, "rows", err);
    m->causing = m->out->is.by_thread ? m->run[0].rows : 1;
    for (unsigned s = 0; s < 2; s++)
        m->spent[s] = prvcut_zeroed(m->causing * (PRVCUT_WHY_COLUMNS + m->calls) + 1,
                                    sizeof *m->spent[s], "threads", err);
    m->computes = prvcut_zeroed(m->causing + 1, sizeof *m->computes, "threads", err);
    if (st < 0 || !m->room || !m->other || !m->out->row || !m->spent[0] || !m->spent[1] ||
        !m->computes)
        return PRVCUT_ENOMEM;
    m->length = prvcut_diff_measure(&m->run[0], &m->spec[0], 0, PRVCUT_DIFF_ALL, m->room).median;
    m->shorter =
        fmin(m->length,
             prvcut_diff_measure(&m->run[1], &m->spec[0], 1, PRVCUT_DIFF_ALL, m->room).median);
    for (size_t i = 0; i < m->specs; i++)
        dif_row(m, &m->spec[i]);
    prvcut_diff_sort(m->out);
    st = prvcut_diff_changes(m->out, err);
    if (st == PRVCUT_OK && dif_is_length_told(m))
        dif_why(m);
    return st;
}

enum prvcut_status prvcut_diff_compare(struct made_diff *out, const struct prvcut_diff_run run[2],
                                       const uint32_t *task, struct prvcut_error *err)
{
    struct dif_maker m = { .out = out, .run = run, .task = task };
    const enum prvcut_status st = dif_make(&m, err);

    free(m.room);
    free(m.other);
    free(m.spec);
    free(m.spent[0]);
    free(m.spent[1]);
    free(m.computes);
    free(m.call[0]);
    free(m.call[1]);
    free(m.name);
    return st;
}
