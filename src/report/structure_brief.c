#include "base/memory.h"
#include "report/command.h"
#include "report/loop.h"
#include "report/structure.h"

#include "dsp/order.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Regions that the first line names. */
#define NAMES_SHOWN 3
/* Pieces that are told one by one. */
#define ROWS_SHOWN 34
/* A first iteration that takes so many times the median is told. */
#define LONG_FIRST 2.0
/* What a row has to say beyond its columns. */
#define WHAT 96

enum { REGION, FROM, TO, ITERATIONS, LENGTH };

/* What the rows of a table say at their ends; they live as long as it is printed. */
struct sbr_table {
    struct report_table t;
    struct report_lines *l; /* takes failures */
    char what[REPORT_ROWS][WHAT];
    size_t left; /* pieces that had no room */
};

static void sbr_add(char out[WHAT], const char *sign, const char *text)
{
    const size_t n = strlen(out);

    snprintf(out + n, WHAT - n, "%s%s", n > 0 ? sign : "", text);
}

/* --- The sentence ----------------------------------------------------------------------------- */

/* Loops of a level, and the share of the run that the regions of the first one take. */
static unsigned sbr_loops(const struct made_structure *s, unsigned level)
{
    unsigned count = 0;

    for (size_t i = 0; i < s->is.regions; i++) {
        bool seen = s->region[i].is.level != level || s->region[i].is.loop == 0;

        for (size_t k = 0; k < i && !seen; k++)
            seen = s->region[k].is.level == level && s->region[k].is.loop == s->region[i].is.loop;
        count += !seen;
    }
    return count;
}

static double sbr_share(const struct made_structure *s, unsigned loop)
{
    double sum = 0;

    for (size_t i = 0; i < s->is.regions; i++)
        if (s->region[i].is.level == 1 && s->region[i].is.loop == loop)
            sum += (double)(s->region[i].is.span.end - s->region[i].is.span.start);
    return s->is.end_ns > 0 ? 100 * sum / (double)s->is.end_ns : 0;
}

/* Iterations of the run's regions of a loop: the undisturbed ones. */
static double sbr_clear(const struct made_structure *s, unsigned loop)
{
    double sum = 0;

    for (size_t i = 0; i < s->is.regions; i++)
        if (s->region[i].is.level == 1 && s->region[i].is.loop == loop)
            sum += s->region[i].is.iterations;
    return sum;
}

/* "5.00ms was given" and what came of it. */
static void sbr_put_given(struct report_lines *l, const struct made_structure *s,
                          const struct made_region *main)
{
    char text[32];

    if (s->is.given_ns == 0)
        return;
    prvcut_time_text(text, (double)s->is.given_ns);
    if (main->is.found_by == PRVCUT_FOUND_BY_CALLS)
        report_put(l, "; %s was given: the calls repeat as often and tell the borders", text);
    else
        report_put(l, "; %s was given: an iteration begins every %s", text, text);
}

/* Does a region divide an iteration of a loop? */
static bool sbr_is_in(const struct made_structure *s, size_t i, unsigned loop)
{
    const struct made_region *r = &s->region[i];

    return r->is.level == 2 && r->is.loop > 0 && r->is.parent < s->is.regions &&
           s->region[r->is.parent].is.loop == loop;
}

/* Loops right inside the iterations of one. */
static unsigned sbr_inner(const struct made_structure *s, unsigned loop)
{
    unsigned loops = 0;

    for (size_t i = 0; i < s->is.regions; i++) {
        size_t first = 0;

        if (!sbr_is_in(s, i, loop))
            continue;
        while (!sbr_is_in(s, first, loop) || s->region[first].is.loop != s->region[i].is.loop)
            first++;
        loops += first == i;
    }
    return loops;
}

static void sbr_put_whole(struct report_lines *l, const struct made_structure *s,
                          const struct made_region *main)
{
    const unsigned outer = sbr_loops(s, 1), inner = sbr_inner(s, main->is.loop);
    const double clear = sbr_clear(s, main->is.loop);
    const unsigned stretches = report_loop_stretches(s, main);
    const uint64_t all =
        main->is.loop_iterations > 0 ? main->is.loop_iterations : (uint64_t)main->is.iterations;
    char count[32];

    if (s->is.given_ns == 0 && main->is.loop_iterations == 2)
        report_put(l, "a loop of two: ");
    report_put(l, "%s iteration%s of one loop", report_count(count, all), all == 1 ? "" : "s");
    if (stretches > 1)
        report_put(l, " in %u stretches", stretches);
    if (s->is.iterations_masked > 0)
        report_put(l, "; the %s undisturbed one%s", report_tenths(count, clear),
                   clear > 1 ? "s" : "");
    report_put(l, " take%s %.0f %% of the run",
               (s->is.iterations_masked > 0 ? clear <= 1 : all == 1) ? "s" : "",
               sbr_share(s, main->is.loop));
    if (outer > 1)
        report_put(l, "; %u other loop%s beside it", outer - 1, outer == 2 ? "" : "s");
    if (inner > 0)
        report_put(l, "; %u inner loop%s in each", inner, inner == 1 ? "" : "s");
    sbr_put_given(l, s, main);
}

/* Is it one of those that were asked for, and not inside another? */
static bool sbr_is_top(const struct made_structure *s, size_t i)
{
    return s->region[i].is.number > 0 && s->region[i].is.parent >= s->is.regions;
}

/* "Region 1.4", "Regions 1.2 and 1.3", "9 regions" */
static void sbr_put_names(struct report_lines *l, const struct made_structure *s, size_t tops)
{
    size_t told = 0;

    if (tops > NAMES_SHOWN) {
        report_put(l, "%zu regions", tops);
        return;
    }
    report_put(l, "Region%s ", tops == 1 ? "" : "s");
    for (size_t i = 0; i < s->is.regions; i++) {
        if (!sbr_is_top(s, i))
            continue;
        report_put(l, "%s%u.%u",
                   told == 0          ? ""
                   : told + 1 == tops ? " and "
                                      : ", ",
                   s->region[i].is.level, s->region[i].is.number);
        told++;
    }
}

/* What of the structure is shown: "Region 1.4: 3 of the 50 iterations of loop A". */
static void sbr_put_part(struct report_lines *l, const struct made_structure *s)
{
    const struct made_region *first = NULL;
    size_t tops = 0, loops = 0, outer = 0;
    double iterations = 0, time = 0;
    char count[32], all[32], letter[16];

    for (size_t i = 0; i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];

        if (!sbr_is_top(s, i))
            continue;
        first = first ? first : r;
        tops++;
        loops += tops == 1 || r->is.loop != first->is.loop;
        outer += r->is.level == 1;
        iterations += r->is.iterations;
        time += (double)(r->is.span.end - r->is.span.start);
    }
    if (!first) {
        report_put(l, "no loop in what is shown");
        return;
    }
    sbr_put_names(l, s, tops);
    report_tenths(count, iterations);
    if (loops == 1 && iterations + 0.5 > (double)first->is.loop_iterations)
        report_put(l, ": all %s ", count);
    else if (loops == 1)
        report_put(l, ": %s of the %s ", count, report_count(all, first->is.loop_iterations));
    else
        report_put(l, ": %s ", count);
    report_loop_letter(letter, first->is.loop);
    report_put(l, "iteration%s of %s%s", loops == 1 || iterations > 1 ? "s" : "",
               loops == 1 ? "loop " : "several loops", loops == 1 ? letter : "");
    if (outer == tops && s->is.end_ns > 0)
        report_put(l, ", %.0f %% of the run", 100 * time / (double)s->is.end_ns);
    else if (outer == 0)
        report_put(l, ", inside an iteration of level %u", first->is.level - 1);
}

static void sbr_put_sentence(struct report_lines *l, const struct made_structure *s)
{
    const struct made_region *main = s->is.main < s->is.regions ? &s->region[s->is.main] : NULL;
    const struct report_clock clock = report_clock_for(s->is.end_ns, 0);
    char from[40];

    if (s->is.loops == 0)
        report_put(l, "no loop found: %s", s->is.reason ? s->is.reason : "");
    else if (s->is.part || !main)
        sbr_put_part(l, s);
    else
        sbr_put_whole(l, s, main);
    /* What lies before a window is not looked at, so its iterations are not counted. */
    if (s->is.loops > 0 && s->is.span.start > 0)
        report_put(l, "; counted from %s",
                   report_clock_time(from, &clock, s->is.span.start, clock.places));
    report_put(l, "\n");
}

/* --- The table -------------------------------------------------------------------------------- */

static bool sbr_in_fold(const struct made_structure *s, const struct report_fold *f, size_t i)
{
    return s->region[i].is.loop == s->region[f->first].is.loop &&
           s->region[i].is.parent == s->region[f->first].is.parent;
}

/* The lengths of all iterations of a fold's regions, as far as their borders were seen: count of
   them in out, which has room for as many as the borders. */
static size_t sbr_lengths(double *out, const struct made_structure *s, const struct report_fold *f)
{
    size_t count = 0;

    for (size_t i = f->first; i <= f->last; i++)
        for (size_t k = 1; sbr_in_fold(s, f, i) && k < s->region[i].is.borders; k++)
            out[count++] = (double)(s->region[i].is.border[k] - s->region[i].is.border[k - 1]);
    return count;
}

/* "2.22ms (± 0.09)": the median of all iterations and their spread, also where the row stands for
   several regions; without borders these have only their own medians, and the one in the middle
   counts. */
static void sbr_set_length(struct sbr_table *t, char cell[REPORT_CELL],
                           const struct made_structure *s, const struct report_fold *f)
{
    const struct made_region *r = &s->region[f->first];
    size_t room = f->last - f->first + 1, count;
    char text[64];
    double *length, median;
    bool seen;

    if (f->regions <= 1) {
        report_set(cell, report_length(text, r->is.median_ns, r->is.spread_ns, 0));
        return;
    }
    for (size_t i = f->first; i <= f->last; i++)
        room += s->region[i].is.borders;
    length = prvcut_unset(room, sizeof *length, "lengths of iterations", t->l->err);
    if (!length) {
        t->l->st = PRVCUT_ENOMEM;
        return;
    }
    count = sbr_lengths(length, s, f);
    seen = count > 0;
    for (size_t i = f->first; !seen && i <= f->last; i++)
        if (sbr_in_fold(s, f, i))
            length[count++] = s->region[i].is.median_ns;
    median = prvcut_median(length, count);
    report_set(
        cell, report_length(text, median, PRVCUT_MAD_SCALE * prvcut_mad(length, count, median), 0));
    free(length);
}

static uint64_t sbr_unusual(const struct made_structure *s, const struct report_fold *f)
{
    uint64_t sum = 0;

    for (size_t i = f->first; i <= f->last; i++)
        if (s->region[i].is.loop == s->region[f->first].is.loop)
            sum += s->region[i].is.outliers_seen;
    return sum;
}

/* The number of the iteration that the next level divides; 0: unknown. */
static uint64_t sbr_example(const struct made_structure *s, size_t parent)
{
    const struct made_region *p = parent < s->is.regions ? &s->region[parent] : NULL;

    for (size_t k = 0; p && k + 1 < p->is.borders; k++)
        if (p->is.border[k] <= p->is.example.start && p->is.example.start < p->is.border[k + 1])
            return p->is.first + k;
    return 0;
}

static void sbr_say_loop(char out[WHAT], const struct made_structure *s,
                         const struct report_fold *f)
{
    const struct made_region *r = &s->region[f->first];
    const uint64_t unusual = sbr_unusual(s, f);
    char text[64], number[32];

    report_loop_letter(out, r->is.loop);
    if (r->is.calls_per_iteration >= 1)
        sbr_add(out, ": ", report_count(number, (uint64_t)llround(r->is.calls_per_iteration)));
    if (r->is.group > 0 && r->is.level == 1)
        sbr_add(out, "; ", s->is.by_rank ? "other ranks" : "other threads");
    if (unusual > 0) {
        snprintf(text, sizeof text, "%s unusual", report_count(number, unusual));
        sbr_add(out, "; ", text);
    }
    if (f->regions <= 1 && r->is.first_ns > LONG_FIRST * r->is.median_ns) {
        snprintf(text, sizeof text, "first %s", prvcut_time_text(number, r->is.first_ns));
        sbr_add(out, "; ", text);
    }
    if (f->regions <= 1 && report_mean_is_far(r->is.median_ns, r->is.period_ns)) {
        snprintf(text, sizeof text, "mean %s", prvcut_time_text(number, r->is.period_ns));
        sbr_add(out, "; ", text);
    }
    if (f->masks > 0) {
        snprintf(text, sizeof text, "disturbed %s", report_times(number, f->masks));
        sbr_add(out, "; ", text);
    }
}

static void sbr_say(char out[WHAT], const struct made_structure *s, const struct report_fold *f)
{
    const struct made_region *r = &s->region[f->first];

    snprintf(out, WHAT, "%s", r->is.loop == 0 ? report_cause(r->is.cause) : "");
    if (r->is.loop > 0)
        sbr_say_loop(out, s, f);
}

/* A row more; false: there is no room. */
static bool sbr_has_room(struct sbr_table *t, const struct made_structure *s)
{
    if (t->t.rows <= ROWS_SHOWN)
        return true;
    if (!s->is.singly)
        return false;
    report_put_table(t->l, &t->t);
    t->t.rows = 1;
    memset(t->t.cell + 1, 0, sizeof t->t.cell - sizeof *t->t.cell);
    memset(t->t.tail + 1, 0, sizeof t->t.tail - sizeof *t->t.tail);
    return true;
}

static void sbr_put_row(struct sbr_table *t, const struct report_clock *c,
                        const struct made_structure *s, const struct report_fold *f, unsigned depth)
{
    const struct made_region *r = &s->region[f->first];
    char(*cell)[REPORT_CELL], text[32];

    if (!sbr_has_room(t, s)) {
        t->left++;
        return;
    }
    sbr_say(t->what[t->t.rows], s, f);
    t->t.tail[t->t.rows] = t->what[t->t.rows];
    cell = report_row(&t->t);
    if (r->is.loop == 0)
        snprintf(cell[REGION], REPORT_CELL, "%*s%s", (int)(2 * depth), "", report_region_kind(r));
    else if (f->regions > 1)
        snprintf(cell[REGION], REPORT_CELL, "%*s%u.%u-%u.%u", (int)(2 * depth), "", r->is.level,
                 r->is.number, r->is.level, s->region[f->last].is.number);
    else
        snprintf(cell[REGION], REPORT_CELL, "%*s%u.%u", (int)(2 * depth), "", r->is.level,
                 r->is.number);
    report_clock_time(cell[FROM], c, f->span.start, c->places);
    report_clock_time(cell[TO], c, f->span.end, c->places);
    if (r->is.loop == 0)
        return;
    report_set(cell[ITERATIONS], report_tenths(text, f->iterations));
    sbr_set_length(t, cell[LENGTH], s, f);
}

/* "in iteration 21:", above the loops that divide it. */
static void sbr_put_inside(struct sbr_table *t, const struct made_structure *s, size_t parent,
                           unsigned depth)
{
    const uint64_t example = sbr_example(s, parent);
    char *cell;

    if (!sbr_has_room(t, s))
        return;
    cell = report_row(&t->t)[REGION];
    if (example > 0)
        snprintf(cell, REPORT_CELL, "%*sin iteration %" PRIu64 ":", (int)(2 * depth), "", example);
    else
        snprintf(cell, REPORT_CELL, "%*sin one iteration:", (int)(2 * depth), "");
}

/* The region among those of a fold whose iteration is divided; SIZE_MAX: none. */
static size_t sbr_divided(const struct made_structure *s, const struct report_fold *f)
{
    for (size_t i = 0; i < s->is.regions; i++) {
        const size_t p = s->region[i].is.parent;

        if (p >= f->first && p <= f->last &&
            s->region[p].is.parent == s->region[f->first].is.parent)
            return p;
    }
    return SIZE_MAX;
}

/* Steps that the shortest loop takes at least, so that its times can be typed. */
#define STEPS_LEAST 50

/* How fine times are: a thousandth of the whole, or what the shortest of the loops
   needs. */
static double sbr_fine(const struct made_structure *s, size_t parent, double whole)
{
    double fine = whole;

    for (size_t i = 0; i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];
        const double length = (double)(r->is.span.end - r->is.span.start);

        if (r->is.loop > 0 && (r->is.parent < s->is.regions ? r->is.parent : SIZE_MAX) == parent)
            fine = fmin(fine, length * 1000 / STEPS_LEAST);
        /* Where there is no loop, no piece may end when it begins. */
        if (s->is.loops == 0 && length > 0)
            fine = fmin(fine, length * 1000 / 2);
    }
    return fine;
}

/* The pieces of the run; of an iteration only the loops, in finer times. */
static void sbr_put_pieces(struct sbr_table *t, const struct made_structure *s, size_t parent,
                           unsigned depth)
{
    const bool single = report_fold_none(s, parent, PIECES_SHOWN);
    const struct prvcut_span *whole =
        parent < s->is.regions ? &s->region[parent].is.example : &s->is.span;
    const double length = (double)(whole->end - whole->start) / (depth > 0 ? 1 : 2);
    const struct report_clock c = report_clock_for(s->is.end_ns, sbr_fine(s, parent, length));
    struct report_fold f;
    bool told = depth == 0;
    size_t at = 0;

    while (report_fold_next(s, parent, single, &at, &f)) {
        size_t inside;

        if (depth > 0 && s->region[f.first].is.loop == 0)
            continue;
        if (!told)
            sbr_put_inside(t, s, parent, depth);
        told = true;
        sbr_put_row(t, &c, s, &f, depth);
        inside = sbr_divided(s, &f);
        if (inside != SIZE_MAX)
            sbr_put_pieces(t, s, inside, depth + 1);
    }
}

static void sbr_put_table(struct report_lines *l, const struct made_structure *s)
{
    static const char *const heads[] = { "Region", "From", "To", "Iterations", "Length" };
    struct sbr_table table = { .t = { .align = "lrrrl" }, .l = l };
    char(*cell)[REPORT_CELL] = report_row(&table.t);

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        report_set(cell[i], heads[i]);
    if (s->is.loops > 0)
        table.t.tail[0] = s->is.by_rank ? "Loop: calls a rank" : "Loop: calls a thread";
    sbr_put_pieces(&table, s, SIZE_MAX, 0);
    /* One row without a loop says no more than the sentence. */
    if (table.t.rows > 2 || (table.t.rows == 2 && s->is.loops > 0))
        report_put_table(l, &table.t);
    if (table.left > 0)
        report_put(l, "and %zu more; --region all shows them\n", table.left);
}

/* --- What next -------------------------------------------------------------------------------- */

/* What is shown, where that is a part; else the first loop inside an iteration, else the second
   region; NULL: there is one region alone. */
static const struct made_region *sbr_other(const struct made_structure *s)
{
    const struct made_region *found = NULL;

    for (size_t i = 0; i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];

        if (r->is.number == 0 || r->is.iterations < 2)
            continue;
        if (s->is.part && sbr_is_top(s, i))
            return r;
        if (i == s->is.main)
            continue;
        if (!found || (r->is.level > 1 && found->is.level == 1))
            found = r;
    }
    return found;
}

/* What cuts a loop, or what is there of it already; false: it cannot be cut. */
static bool sbr_cuts(char *out, size_t room, const struct made_structure *s)
{
    const struct made_region *other = sbr_other(s);
    struct report_command job = {
        .name = "", .own = "", .without = REPORT_SHOWN, .typed = s->typed
    };
    struct report_tag tag = { .kind = REPORT_TAG_CHOP };
    char own[40];

    if (!s->cuts)
        return false;
    if (other) {
        tag = (struct report_tag){ .kind = REPORT_TAG_REGION,
                                   .level = other->is.level,
                                   .region = other->is.number };
        snprintf(own, sizeof own, "--region %u.%u", other->is.level, other->is.number);
        job.own = own;
    }
    if (!report_cut_there(out, room, s->cuts, &tag))
        report_command(out, room, s->again, &job);
    return true;
}

/* A drawing, and a window of time: where no loop is, no command finds one. Of a part of the run,
   what goes on stays in it. */
static void sbr_put_none(struct report_lines *l, const struct made_structure *s)
{
    const struct report_tag tag = { .kind = REPORT_TAG_CUT };
    const bool part = s->is.span.start > 0 || s->is.span.end < s->is.end_ns;
    const struct report_command one = {
        .name = s->empty ? "check" : "cut", .own = "", .without = REPORT_SHOWN, .typed = s->typed
    };
    char command[2000];

    report_head(l, "Next");
    if (s->empty || part) {
        report_put(l, "%s\n", report_command(command, sizeof command, s->again, &one));
        return;
    }
    if (report_look(command, sizeof command, s->cuts, s->again, s->typed))
        report_put(l, "look: %s\n%-12s", command, "");
    if (report_cut_there(command, sizeof command, s->cuts, &tag)) {
        report_put(l, "%s\n", command);
        return;
    }
    report_middle(command, sizeof command, &s->is.span, s->again, s->typed);
    report_put(l, "by time: %s\n", command);
}

static void sbr_put_next(struct report_lines *l, const struct made_structure *s)
{
    const struct report_command all = {
        .name = "structure", .own = "--csv", .without = "iteration", .typed = s->typed
    };
    char command[2000];

    if (s->typed && s->is.loops == 0)
        sbr_put_none(l, s);
    if (!s->typed || s->is.loops == 0)
        return;
    report_head(l, "Next");
    if (sbr_cuts(command, sizeof command, s))
        report_put(l, "%s\n%-12s", command, "");
    report_put(l, "every iteration: %s\n", report_command(command, sizeof command, s->again, &all));
}

enum prvcut_status prvcut_structure_brief(const struct prvcut_structure *view, unsigned width,
                                          char **text, struct prvcut_error *err)
{
    const struct made_structure *s = made_structure_of(view);

    /* One reason is always told, others where there is room. */
    for (size_t causes = REPORT_CAUSES;; causes--, free(*text), *text = NULL) {
        struct report_lines l = { .err = err, .width = width < 60 ? REPORT_WIDTH : width };

        sbr_put_sentence(&l, s);
        report_wrap(&l, l.width);
        sbr_put_table(&l, s);
        causes = report_put_causes(&l, s, causes);
        report_put_set(&l, s);
        sbr_put_next(&l, s);
        const enum prvcut_status st = report_take(&l, text);

        if (st < 0 || causes <= 1 || report_count_lines(*text) <= REPORT_LINES)
            return st;
    }
}
