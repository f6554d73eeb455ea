#include "api/job_windows_inner.h"

#include "base/search.h"
#include "dsp/order.h"

#include <math.h>
#include <stddef.h>

/* The slot of the iteration that begins there; SIZE_MAX: it is none of what was measured. */
static size_t jwc_slot_at(const struct job_windows *w, uint64_t start)
{
    for (size_t i = 0; i < w->rows; i++) {
        const struct job_units *r = &w->row[i];
        const size_t at = prvcut_index_u64(r->unit, r->units, sizeof *r->unit,
                                           offsetof(struct job_unit, start), start);

        if (at < r->units && !r->thin && r->steps == 0)
            return r->slot + at;
    }
    return SIZE_MAX;
}

double job_windows_calls(const struct job *j, uint64_t start, double *room)
{
    const struct job_windows *w = j->windows;
    const size_t slot = w && w->measure.found.thread ? jwc_slot_at(w, start) : SIZE_MAX;
    const struct prvcut_proof_thread *t =
        slot != SIZE_MAX ? &w->measure.found.thread[slot * w->measure.threads] : NULL;
    size_t count = 0;

    for (uint32_t i = 0; t && i < w->measure.threads; i++)
        if (t[i].calls > 1)
            room[count++] = (double)(t[i].calls / 2);
    return count > 0 ? prvcut_median(room, count) : NAN;
}
