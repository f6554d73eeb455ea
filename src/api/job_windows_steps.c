#include "api/job_plan.h"
#include "api/job_windows_inner.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "structure/steps.h"

#include <stdlib.h>

/*
 * Where a loop that was found is several true iterations (a checkpoint every 25 steps), few windows
 * of it compete. Its iterations make the same steps then, and what is between two borders of these,
 * two iterations apart, is two whole iterations, too.
 */

/* Fewer iterations than that leave few windows to choose from. */
#define FEW 64
/* Windows at so many places of an iteration: more are hardly any others. */
#define PLACES 32

/* The one loop that all units are single iterations of, as its calls tell; NULL: they are not. */
static const struct prvcut_known_loop *jws_loop(const struct job *j, const struct job_units *r)
{
    const struct prvcut_known_loop *loop = NULL;

    for (size_t i = 0; i < r->units; i++) {
        const struct job_row row = job_row_between(j, r->unit[i].border, 2, r->region);

        if (row.loop->calls.sequences == 0 || !row.loop->sequence ||
            job_row_first(&row) == SIZE_MAX || (loop && row.loop != loop))
            return NULL;
        loop = row.loop;
    }
    return loop;
}

/* The calls of a loop's threads: an index keeps those of the run, and none with a loop. */
static struct prvcut_call_sequence *jws_calls(const struct job *j,
                                              const struct prvcut_known_loop *loop,
                                              struct prvcut_error *err)
{
    const struct prvcut_collection *d = &j->data;
    struct prvcut_call_sequence *in =
        prvcut_zeroed(loop->calls.sequences + 1, sizeof *in, "sequences", err);

    for (size_t i = 0; in && i < loop->calls.sequences; i++) {
        in[i] = loop->sequence[i];
        for (size_t k = 0; k < d->sequences && in[i].count == 0; k++)
            if (d->sequence[k].thread == in[i].thread)
                in[i] = d->sequence[k];
    }
    return in;
}

/* The same loop, told by its steps; *out: NULL where it has none. */
static enum prvcut_status jws_divide(const struct prvcut_known_loop **out,
                                     struct prvcut_steps *steps, struct job *j,
                                     const struct prvcut_known_loop *loop, unsigned most,
                                     struct prvcut_error *err)
{
    struct prvcut_call_sequence *in = jws_calls(j, loop, err);
    struct prvcut_known_loop *made = NULL;
    enum prvcut_status st =
        in ? prvcut_steps_find(steps, &loop->calls, in, most, err) : PRVCUT_ENOMEM;

    free(in);
    *out = NULL;
    if (st < 0 || steps->each == 0)
        return st;
    made = job_plan_new_loop(j, err);
    if (!made) {
        prvcut_call_loop_fini(&steps->calls);
        return PRVCUT_ENOMEM;
    }
    *made = *loop;
    made->loop = steps->calls.loop;
    made->calls = steps->calls;
    made->own = NULL;
    made->owned = 0;
    made->own_signal = false;
    made->borders = (struct prvcut_signal_borders){ 0 };
    *out = made;
    return st;
}

/* Each unit of r as its steps; one that has other numbers of them is no whole iteration. */
static enum prvcut_status jws_list(struct job_units *fine, const struct job *j, struct job_units *r,
                                   const struct prvcut_steps *steps, struct prvcut_error *err)
{
    size_t borders;
    const uint64_t *border = prvcut_known_loop_borders(fine->loop, &borders);

    fine->room = r->units * fine->steps;
    fine->unit = prvcut_unset(fine->room + 1, sizeof *fine->unit, "windows", err);
    if (!fine->unit)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < r->units; i++) {
        const struct job_row row = job_row_between(j, r->unit[i].border, 2, r->region);
        const size_t iteration = job_row_first(&row);
        const unsigned count = prvcut_steps_of(steps, iteration);
        const uint64_t *at = border + prvcut_steps_before(steps, iteration);

        r->unit[i].part = count != fine->steps;
        for (unsigned k = 0; k < count; k++, at++) {
            const struct prvcut_span lead = { at[0], at[1] };

            fine->unit[fine->units++] =
                (struct job_unit){ .start = at[0],
                                   .border = at,
                                   .iterations = 1,
                                   .clear = !job_row_is_touched(j, &lead),
                                   .follows = k > 0 || r->unit[i].follows,
                                   .phase = (iteration == 0 ? fine->steps - count : 0) + k };
        }
    }
    return PRVCUT_OK;
}

static enum prvcut_status jws_add(struct job_windows *w, struct job *j, size_t which, unsigned most,
                                  struct prvcut_error *err)
{
    const struct prvcut_known_loop *loop = jws_loop(j, &w->row[which]);
    struct job_units fine = { .region = w->row[which].region, .of_loop = w->row[which].of_loop };
    struct prvcut_steps steps = { .each = 0 };
    enum prvcut_status st = loop ? jws_divide(&fine.loop, &steps, j, loop, most, err) : PRVCUT_OK;

    if (st < 0 || !fine.loop)
        return st;
    fine.steps = steps.each;
    if (prvcut_grow((void **)&w->row, &w->row_room, w->rows + 1, sizeof *w->row, err) < 0)
        return PRVCUT_ENOMEM;
    st = jws_list(&fine, j, &w->row[which], &steps, err);
    w->row[which].fine = w->rows;
    w->row[w->rows++] = fine;
    return st;
}

enum prvcut_status job_windows_add_steps(struct job_windows *w, struct job *j, size_t most,
                                         struct prvcut_error *err)
{
    const size_t rows = w->rows;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < rows && st == PRVCUT_OK; i++) {
        const size_t units = w->row[i].units;
        const size_t each = units > 0 ? most / rows / units : 0;

        if (!w->row[i].thin && units > 1 && units <= FEW && each > 1)
            st = jws_add(w, j, i, each < PLACES ? (unsigned)each : PLACES, err);
    }
    return st;
}
