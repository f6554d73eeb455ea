#include "model/words.h"
#include "report/structure.h"

#include <stdio.h>
#include <string.h>

/* Rows of one table, and tables; the JSON has all. */
#define ROWS_SHOWN   32
#define TABLES_SHOWN 12

enum slv_column { NAME, START, END, ITERATIONS, MEAN, LOOP, SURE, FOUND_BY, MASKED };

static bool slv_masked(const struct made_region *r)
{
    return r->is.kind == PRVCUT_REGION_MASKED;
}

static void slv_set_heads(struct report_table *t, unsigned level, bool loops,
                          const struct report_clock *c)
{
    static const char *const heads[] = { "Iterations", "Mean", "Loop", "Sure", "Found by" };
    char(*cell)[REPORT_CELL] = report_row(t);

    snprintf(cell[NAME], REPORT_CELL, "Level %u", level);
    snprintf(cell[START], REPORT_CELL, "Start (%s)", c->unit);
    snprintf(cell[END], REPORT_CELL, "End (%s)", c->unit);
    for (size_t i = 0; loops && i < sizeof heads / sizeof *heads; i++)
        report_set(cell[ITERATIONS + i], heads[i]);
}

static void slv_set_loop(char (*cell)[REPORT_CELL], const struct made_region *r,
                         const struct report_fold *f)
{
    char text[32];

    report_set(cell[ITERATIONS], report_tenths(text, f->all));
    report_set(cell[MEAN], prvcut_time_text(text, f->period_ns));
    report_set(cell[LOOP], report_loop_letter(text, r->is.loop));
    report_set(cell[SURE], report_sure(text, r->is.confidence));
    report_set(cell[FOUND_BY], prvcut_found_by_word(r->is.found_by, r->is.metric));
}

/* What a row says at its end; that cell is no column. */
static void slv_set_masked(struct report_table *t, char cell[REPORT_CELL],
                           const struct report_fold *f)
{
    snprintf(cell, REPORT_CELL, "%.0f %% disturbed",
             100.0 * (double)f->masked / (double)(f->span.end - f->span.start));
    t->tail[t->rows - 1] = cell;
}

static void slv_set_row(struct report_table *t, const struct report_clock *c,
                        const struct made_structure *s, const struct report_fold *f)
{
    const struct made_region *r = &s->region[f->first];
    char(*cell)[REPORT_CELL] = report_row(t), text[40];

    if (!cell)
        return;
    report_fold_name(s, f, text);
    snprintf(cell[NAME], REPORT_CELL, "  %.37s", slv_masked(r) ? report_cause(r->is.cause) : text);
    report_set(cell[START], report_clock_text(text, c, f->span.start, c->places));
    report_set(cell[END], report_clock_text(text, c, f->span.end, c->places));
    if (r->is.loop > 0)
        slv_set_loop(cell, r, f);
    if (f->masks > 0)
        slv_set_masked(t, cell[MASKED], f);
}

/* What the times of one whole must tell apart: its shortest period, or a part of itself; never less
   than a thousandth of the run. */
static struct report_clock slv_clock(const struct made_structure *s, size_t parent)
{
    const struct prvcut_span *all =
        parent < s->is.regions ? &s->region[parent].is.example : &s->is.span;
    double fine = (double)(all->end - all->start);

    for (size_t i = 0; i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];

        if (r->is.parent == parent && r->is.period_ns > 0 && r->is.period_ns < fine)
            fine = r->is.period_ns;
    }
    fine *= 10;
    return report_clock_for(s->is.end_ns, fine < (double)s->is.end_ns ? fine : 0);
}

static void slv_put_inside(struct report_lines *l, const struct made_structure *s, size_t parent,
                           const struct report_clock *c)
{
    const struct made_region *p = &s->region[parent];
    char from[40], to[40], letter[16];

    report_put(l, "Inside the iteration of loop %s from %s to %s:\n",
               report_loop_letter(letter, p->is.loop),
               report_clock_time(from, c, p->is.example.start, c->places),
               report_clock_time(to, c, p->is.example.end, c->places));
}

static void slv_put_whole(struct report_lines *l, const struct made_structure *s, size_t parent)
{
    const struct report_clock c = slv_clock(s, parent);
    const bool single = report_fold_none(s, parent, ROWS_SHOWN);
    struct report_table t = { .align = "lrrrrrrl" };
    struct report_fold f;
    size_t at = 0, more = 0;

    report_put(l, "\n");
    if (parent < s->is.regions)
        slv_put_inside(l, s, parent, &c);
    slv_set_heads(&t, parent < s->is.regions ? s->region[parent].is.level + 1 : 1, s->is.loops > 0,
                  &c);
    while (report_fold_next(s, parent, single, &at, &f)) {
        if (t.rows > ROWS_SHOWN)
            more++;
        else
            slv_set_row(&t, &c, s, &f);
    }
    report_put_table(l, &t);
    if (more > 0)
        report_put(l, "and %zu more; --json has them all\n", more);
}

/* Wholes that have pieces at a level: the run, or regions of the level above. */
static bool slv_divided(const struct made_structure *s, size_t parent)
{
    for (size_t i = 0; i < s->is.regions; i++)
        if (s->region[i].is.parent == parent)
            return true;
    return false;
}

void report_put_levels(struct report_lines *l, const struct made_structure *s, unsigned from)
{
    size_t tables = 0;

    if (from <= 1 && s->is.regions > 0)
        slv_put_whole(l, s, SIZE_MAX);
    for (unsigned level = from > 1 ? from - 1 : 1; level < s->is.levels; level++)
        for (size_t i = 0; i < s->is.regions; i++) {
            if (s->region[i].is.level != level || s->region[i].is.loop == 0 || !slv_divided(s, i))
                continue;
            if (tables++ < TABLES_SHOWN)
                slv_put_whole(l, s, i);
        }
    if (tables > TABLES_SHOWN)
        report_put(l, "\nand %zu more iterations divided; --json has them all\n",
                   tables - TABLES_SHOWN);
}
