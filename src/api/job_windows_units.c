#include "api/job_windows_inner.h"

#include "base/memory.h"

/* Windows of the iterations in a row. */

/* Of all, at least: else the clear ones tell alone. */
#define CLEAR_LEAST 0.5

bool job_clear_tell_alone(size_t clear, size_t all)
{
    return clear > 0 && (double)clear < CLEAR_LEAST * (double)all;
}

size_t job_units_of(const struct job_units *r, size_t first, const struct job_wanted *wanted)
{
    unsigned iterations = 0;
    size_t count = 0;

    for (size_t i = first; i < r->units && iterations < wanted->iterations; i++, count++) {
        const struct job_unit *u = &r->unit[i];

        if ((i > first && !u->follows) || (wanted->clear && !u->clear) ||
            (wanted->kind > 0 && u->kind != wanted->kind))
            return 0;
        iterations += u->iterations;
    }
    return iterations == wanted->iterations ? count : 0;
}

size_t job_units_at(const struct job_units *r, uint64_t time)
{
    for (size_t i = 0; i < r->units; i++) {
        const uint64_t *b = r->unit[i].border;
        const uint64_t half = r->steps > 0 ? 1 : (b[1] - b[0]) / 2;

        if (time + half >= b[0] && time < b[0] + half)
            return i;
    }
    return SIZE_MAX;
}

static bool jwu_has_part(const struct job_units *r, size_t first, size_t units)
{
    for (size_t i = 0; i < units; i++)
        if (r->unit[first + i].part)
            return true;
    return false;
}

/* Windows of whole iterations, or all. */
static size_t jwu_windows(const struct job_units *r, const struct job_wanted *wanted, bool whole,
                          size_t *out)
{
    size_t count = 0;

    for (size_t i = 0; i < r->units; i++) {
        const size_t units = job_units_of(r, i, wanted);

        if (units == 0 || (whole && jwu_has_part(r, i, units)))
            continue;
        if (out)
            out[count] = i;
        count++;
    }
    return count;
}

size_t job_units_windows(const struct job_units *r, const struct job_wanted *wanted, size_t *out)
{
    const size_t whole = jwu_windows(r, wanted, true, out);

    return whole > 0 ? whole : jwu_windows(r, wanted, false, out);
}

enum prvcut_status job_units_list(const struct job_units *r, const struct job_wanted *wanted,
                                  size_t **first, size_t *count, struct prvcut_error *err)
{
    *count = job_units_windows(r, wanted, NULL);
    *first = prvcut_unset(*count + 1, sizeof **first, "windows", err);
    if (!*first)
        return PRVCUT_ENOMEM;
    job_units_windows(r, wanted, *first);
    return PRVCUT_OK;
}

/* Do masks hide most of the windows? */
bool job_units_few_clear(const struct job_units *r, struct job_wanted wanted)
{
    size_t clear;

    wanted.clear = true;
    clear = job_units_windows(r, &wanted, NULL);
    wanted.clear = false;
    return job_clear_tell_alone(clear, job_units_windows(r, &wanted, NULL));
}

struct job_clear job_units_clear(const struct job_units *r)
{
    struct job_clear c = { 0, 0 };
    double all = 0;

    if (r->thin)
        return r->clear;
    for (size_t i = 0; i < r->units; i++) {
        const double ns = (double)(r->unit[i].border[1] - r->unit[i].border[0]);

        all += ns;
        c.iterations += r->unit[i].clear;
        c.part += r->unit[i].clear ? ns : 0;
    }
    c.part = all > 0 ? c.part / all : 0;
    return c;
}

bool job_units_are_clear(const struct job_units *r, size_t first, struct job_wanted wanted)
{
    wanted.clear = true;
    return job_units_of(r, first, &wanted) > 0;
}
