#include "api/sample.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What counters are called by PAPI, perf and people; L1 data misses by these or "L1...". */
static const char *const asc_instructions[] = { "instructions", "PAPI_TOT_INS", NULL };
static const char *const asc_cycles[] = { "cycles", "PAPI_TOT_CYC", "cpu-cycles", NULL };
static const char *const asc_misses[] = { "PAPI_L1_DCM", "L1-dcache-load-misses", "L1_misses",
                                          "misses", NULL };

static size_t scl_any(const struct prvcut_series *s, const char *const *names)
{
    size_t found = SIZE_MAX;

    for (size_t i = 0; names[i] && found == SIZE_MAX; i++)
        found = prvcut_series_find(s, names[i]);
    return found;
}

size_t api_sample_column(const struct prvcut_series *s, const char *name)
{
    static const char *const *const alike[] = { asc_instructions, asc_cycles };
    size_t found = prvcut_series_find(s, name);

    for (size_t k = 0; found == SIZE_MAX && k < sizeof alike / sizeof *alike; k++)
        for (size_t i = 0; found == SIZE_MAX && alike[k][i]; i++)
            if (strcmp(alike[k][i], name) == 0)
                found = scl_any(s, alike[k]);
    return found;
}

/* "no counter 'a'; there are b, c" */
static enum prvcut_status scl_no_column(const struct prvcut_series *s, const char *name,
                                        struct prvcut_error *err)
{
    char names[300];

    prvcut_series_names(s, names, sizeof names);
    return prvcut_fail(err, PRVCUT_EUSAGE, "no counter '%.100s'%s%s", name,
                       names[0] ? "; there are " : "", names);
}

/* A value that is none. */
static enum prvcut_status scl_gap(const struct prvcut_series *s, size_t column, size_t row,
                                  struct prvcut_error *err)
{
    const char *what = s->at[column][row] < 0 && isfinite(s->at[column][row]) ? "is less than 0"
                                                                              : "is not counted";

    if (s->path && s->line[row] > 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%.300s:%" PRIu64 ": '%.100s' %s there", s->path,
                           s->line[row], s->name[column], what);
    return prvcut_fail(err, PRVCUT_EUSAGE, "'%.100s' %s in interval %zu", s->name[column], what,
                       row);
}

/* A column that was named, or one of these; it must be there and counted everywhere. */
static enum prvcut_status scl_column(const struct prvcut_series *s, const char *named,
                                     const char *const *names, size_t *out,
                                     struct prvcut_error *err)
{
    const char *name = named ? named : names[0];
    size_t gap;

    *out = named ? api_sample_column(s, named) : scl_any(s, names);
    if (*out == SIZE_MAX)
        return scl_no_column(s, name, err);
    gap = prvcut_series_gap(s, *out);
    return gap != SIZE_MAX ? scl_gap(s, *out, gap, err) : PRVCUT_OK;
}

/* L1 data misses where they are counted, else cycles. */
static enum prvcut_status scl_choose_by(const struct prvcut_series *s, const char *named,
                                        size_t *out, struct prvcut_error *err)
{
    const size_t found = scl_any(s, asc_misses);

    if (!named && found != SIZE_MAX && prvcut_series_gap(s, found) == SIZE_MAX) {
        *out = found;
        return PRVCUT_OK;
    }
    for (size_t i = 0; !named && i < s->columns; i++)
        if (strncmp(s->name[i], "L1", 2) == 0 && prvcut_series_gap(s, i) == SIZE_MAX) {
            *out = i;
            return PRVCUT_OK;
        }
    return scl_column(s, named, asc_cycles, out, err);
}

enum prvcut_status api_sample_columns(const struct prvcut_series *s,
                                      const struct prvcut_sample_options *o,
                                      struct prvcut_sample_asked *a, struct prvcut_error *err)
{
    double instructions = 0;
    enum prvcut_status st = scl_column(s, NULL, asc_instructions, &a->instructions, err);

    if (st == PRVCUT_OK)
        st = scl_column(s, o->predict, asc_cycles, &a->predict, err);
    if (st == PRVCUT_OK)
        st = scl_choose_by(s, o->choose_by, &a->choose_by, err);
    for (size_t i = 0; st == PRVCUT_OK && i < s->rows; i++)
        instructions += s->at[a->instructions][i];
    if (st == PRVCUT_OK && !(instructions > 0))
        return prvcut_fail(err, PRVCUT_EUSAGE, "there are no instructions in any interval");
    return st;
}
