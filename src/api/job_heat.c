#include "api/job_heat.h"

#include "api/job_kinds.h"
#include "base/memory.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdlib.h>

/* Most columns and rows of the drawing. */
#define HEAT_COLUMNS 400
#define HEAT_ROWS    64

/* An iteration by its place among those that were picked. */
struct jht_one {
    uint64_t number; /* from 1 through the loop; 0: unknown */
    size_t pick;
};

static uint64_t jht_number(const struct job *j, size_t iteration)
{
    const struct made_structure *s = &j->out->structure;
    const uint64_t *border = j->kinds->border[iteration];

    for (size_t i = 0; i < s->is.stretches; i++) {
        const struct prvcut_stretch *t = &s->stretch[i];

        if (border >= t->border && border < t->border + t->borders)
            return t->first + (uint64_t)(border - t->border);
    }
    return 0;
}

static int jht_by_number(const void *a, const void *b)
{
    const struct jht_one *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

static struct jht_one *jht_order(const struct job *j, const struct job_heat_of *of,
                                 struct prvcut_error *err)
{
    struct jht_one *one = prvcut_unset(of->picks + 1, sizeof *one, "iterations", err);

    for (size_t i = 0; one && i < of->picks; i++)
        one[i] = (struct jht_one){ jht_number(j, of->pick[i]), i };
    if (one && of->picks > 0)
        qsort(one, of->picks, sizeof *one, jht_by_number);
    return one;
}

static void jht_fill(struct made_heat *h, const struct job_heat_of *of, const struct jht_one *one)
{
    for (size_t c = 0; c < h->columns; c++) {
        const size_t begin = c * h->iterations_each;
        const size_t end =
            begin + h->iterations_each < of->picks ? begin + h->iterations_each : of->picks;

        h->number[2 * c] = one[begin].number;
        h->number[2 * c + 1] = one[end - 1].number;
        for (size_t t = 0; t < of->threads; t++) {
            const size_t row = t / h->threads_each;
            const size_t rows =
                row + 1 < h->rows ? h->threads_each : of->threads - row * h->threads_each;

            for (size_t i = begin; i < end; i++)
                h->ns[row * h->columns + c] +=
                    of->ns[(one[i].pick * of->threads + t) * of->stride] /
                    (double)((end - begin) * rows);
        }
    }
}

enum prvcut_status job_heat_tell(struct job *j, const struct job_heat_of *of,
                                 struct prvcut_error *err)
{
    struct made_heat *h = &j->out->heat;
    struct jht_one *one;

    if (of->picks < 2 || of->threads == 0)
        return PRVCUT_OK;
    one = jht_order(j, of, err);
    h->iterations_each = (of->picks + HEAT_COLUMNS - 1) / HEAT_COLUMNS;
    h->threads_each = (of->threads + HEAT_ROWS - 1) / HEAT_ROWS;
    h->columns = (of->picks + h->iterations_each - 1) / h->iterations_each;
    h->rows = (of->threads + h->threads_each - 1) / h->threads_each;
    h->threads = of->threads;
    h->iterations = of->picks;
    h->number = prvcut_zeroed(2 * h->columns, sizeof *h->number, "iterations", err);
    h->ns = prvcut_zeroed(h->rows * h->columns, sizeof *h->ns, "iterations", err);
    if (one && h->number && h->ns)
        jht_fill(h, of, one);
    free(one);
    return one && h->number && h->ns ? PRVCUT_OK : PRVCUT_ENOMEM;
}
