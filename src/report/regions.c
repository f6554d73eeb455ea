#include "report/regions.h"

#include "report/chop.h"
#include "report/size.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double report_mpi_share(const struct made_chop *c)
{
    for (size_t i = 0; i < c->proof.is.rows; i++) {
        const struct prvcut_proof_row *row = &c->proof.row[i];

        if (row->group == PRVCUT_PROOF_OF_CALL && row->unit == PRVCUT_PROOF_IN_SHARE &&
            strcmp(row->name, "all MPI calls") == 0)
            return row->chop;
    }
    return NAN;
}

double report_times_smaller(const struct made_reduction *r, const struct made_chop *c)
{
    const struct report_sizes s = report_sizes_of(r, c);

    return s.after > 0 && !s.uncompressed ? s.before / s.after : NAN;
}

bool report_has_regions(const struct made_reduction *r)
{
    for (size_t i = 1; i < r->is.chops; i++)
        if (r->chop[i].is.region != r->chop[0].is.region)
            return true;
    return false;
}

/* What one row tells; the mean of several where there is no file. */
struct reg_row {
    double after, times, mpi;
    bool about;
};

static void reg_times(char cell[REPORT_CELL], double times)
{
    char text[32];

    report_set(cell, !isfinite(times) ? "-"
                     : times < 10     ? report_tenths(text, times)
                                      : report_count(text, (uint64_t)(times + 0.5)));
}

static void reg_numbers(char (*cell)[REPORT_CELL], const struct reg_row *row)
{
    char size[32], text[REPORT_CELL];

    snprintf(text, sizeof text, "%s%s", row->about ? "about " : "",
             prvcut_size_text(size, row->after));
    report_set(cell[2], text);
    reg_times(cell[3], row->times);
    if (isfinite(row->mpi))
        snprintf(text, sizeof text, "%.0f %%", 100 * row->mpi);
    report_set(cell[4], isfinite(row->mpi) ? text : "-");
}

static struct reg_row reg_of(const struct made_reduction *r, const struct made_chop *c)
{
    const struct report_sizes s = report_sizes_of(r, c);

    return (struct reg_row){ s.after, report_times_smaller(r, c), report_mpi_share(c), s.about };
}

static void reg_put(struct report_table *t, const struct made_reduction *r,
                    const struct made_chop *c)
{
    const struct reg_row row = reg_of(r, c);
    const char *file = c->cut.files > 0 && c->cut.file[0] ? c->cut.file[0] : c->is.path;
    const char *slash = file ? strrchr(file, '/') : NULL;
    char(*cell)[REPORT_CELL] = report_row(t), text[REPORT_CELL], safe[512];

    if (!cell)
        return;
    snprintf(text, sizeof text, "%u.%u", c->is.level, c->is.number);
    report_set(cell[0], text);
    if (c->is.iteration > 0 && c->is.iterations > 1)
        snprintf(text, sizeof text, "%llu-%llu", (unsigned long long)c->is.iteration,
                 (unsigned long long)(c->is.iteration + c->is.iterations - 1));
    else if (c->is.iteration > 0)
        snprintf(text, sizeof text, "%llu", (unsigned long long)c->is.iteration);
    else
        snprintf(text, sizeof text, "%u", c->is.iterations);
    report_set(cell[1], text);
    reg_numbers(cell, &row);
    file = slash ? slash + 1 : file ? file : "";
    report_set(cell[5], prvcut_quote(safe, sizeof safe, file, strlen(file)));
}

/* The mean of a level's cuts, as table 3.8 of Casas' thesis has it; none of one cut alone. */
static void reg_put_mean(struct report_table *t, const struct made_reduction *r, unsigned level)
{
    struct reg_row sum = { .after = 0 };
    char(*cell)[REPORT_CELL], text[REPORT_CELL];
    unsigned cuts = 0;

    for (size_t i = 0; i < r->is.chops; i++) {
        const struct made_chop *c = &r->chop[i];
        const struct reg_row row = reg_of(r, c);

        if (c->is.level != level)
            continue;
        cuts++;
        sum.after += row.after;
        sum.about = sum.about || row.about;
        sum.mpi += row.mpi;
    }
    cell = cuts > 1 ? report_row(t) : NULL;
    if (!cell)
        return;
    snprintf(text, sizeof text, "level %u", level);
    report_set(cell[0], text);
    report_set(cell[1], "mean");
    sum.after /= cuts;
    sum.mpi /= cuts;
    sum.times = sum.after > 0 ? (double)r->is.bytes / sum.after : NAN;
    reg_numbers(cell, &sum);
}

void report_put_regions(struct report_lines *l, const struct made_reduction *r, size_t most)
{
    static const char *const heads[] = {
        "Region", "Iterations", "Size", "Smaller", "In MPI", "File"
    };
    struct report_table t = { .align = "lrrrrl" };
    char(*cell)[REPORT_CELL] = report_row(&t);
    unsigned deepest = 0;

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        report_set(cell[i], heads[i]);
    for (size_t i = 0; i < r->is.chops; i++) {
        deepest = r->chop[i].is.level > deepest ? r->chop[i].is.level : deepest;
        if (i < most)
            reg_put(&t, r, &r->chop[i]);
    }
    for (unsigned level = 1; level <= deepest; level++)
        reg_put_mean(&t, r, level);
    report_put_table(l, &t);
}
