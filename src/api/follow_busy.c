#include "api/follow_busy.h"

#include "analysis/measure.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* What is read before the new part, for calls that were open at its begin: that part of its length.
 */
#define FBU_BEFORE 8

/* Another header may tell of other threads: all is read once more. */
static enum prvcut_status fbu_room(struct follow_busy *b, const struct prvcut_trace *t,
                                   struct prvcut_error *err)
{
    if (b->computing && b->threads == t->objects.threads)
        return PRVCUT_OK;
    follow_busy_fini(b);
    b->threads = t->objects.threads;
    b->computing = prvcut_zeroed((size_t)b->threads + 1, sizeof *b->computing, "threads", err);
    return b->computing ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status fbu_sum(struct follow_busy *b, const struct prvcut_measure *m,
                                  struct prvcut_error *err)
{
    const size_t slot = 0;
    struct prvcut_column c;
    enum prvcut_status st = prvcut_column_init(&c, m, err);

    if (st == PRVCUT_OK)
        prvcut_column_set(&c, m, &slot, 1);
    b->untold = st == PRVCUT_OK && !c.thread;
    for (uint32_t i = 0; st == PRVCUT_OK && c.thread && i < b->threads; i++)
        b->computing[i] += prvcut_column_computing(&c, m, i);
    prvcut_column_fini(&c);
    return st;
}

enum prvcut_status follow_busy_add(struct follow_busy *b, struct prvcut_trace *t,
                                   const struct prvcut_run *run, struct prvcut_error *err)
{
    struct prvcut_proof_region fresh = { .iterations = 1 };
    struct prvcut_span span;
    struct prvcut_proof_only only = { .span = &span, .spans = 1 };
    struct prvcut_measure m;
    enum prvcut_status st = fbu_room(b, t, err);

    if (st < 0 || t->end_ns <= b->end_ns)
        return st;
    fresh.window = (struct prvcut_window){ .from = b->end_ns, .to = t->end_ns };
    span = (struct prvcut_span){ b->end_ns, t->end_ns };
    only.before = (span.end - span.start) / FBU_BEFORE;
    st = prvcut_measure_make(&m, t, run, &fresh, 1, &only, NULL, err);
    if (st == PRVCUT_OK)
        st = fbu_sum(b, &m, err);
    prvcut_measure_fini(&m);
    if (st == PRVCUT_OK)
        b->end_ns = t->end_ns;
    return st;
}

void follow_busy_tell(const struct follow_busy *b, double *balance, double *communication)
{
    double sum = 0, most = 0;

    *balance = *communication = NAN;
    for (uint32_t i = 0; !b->untold && b->computing && i < b->threads; i++) {
        sum += b->computing[i];
        most = fmax(most, b->computing[i]);
    }
    if (most <= 0)
        return;
    *balance = sum / (most * b->threads);
    *communication = most / (double)b->end_ns;
}

void follow_busy_fini(struct follow_busy *b)
{
    free(b->computing);
    *b = (struct follow_busy){ .computing = NULL };
}
