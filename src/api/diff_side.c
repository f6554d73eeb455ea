#include "api/diff_side.h"

#include "analysis/profile/profile_lines.h"
#include "analysis/profile/profile_meet.h"
#include "api/answers.h"
#include "api/flushed.h"
#include "api/job.h"
#include "api/job_borders.h"
#include "api/job_kinds.h"
#include "api/job_rows.h"
#include "api/phase.h"
#include "api/select.h"
#include "base/memory.h"
#include "model/calls.h"
#include "model/texts.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Threads, each in one iteration, that are looked at: of more, some iterations tell of all. */
#define DSD_MOST ((size_t)1 << 14)
/* But so many iterations at least. */
#define DSD_LEAST 16
/* Calls that are told apart: those that take most of the time. */
#define DSD_CALLS 64
/* The state of Paraver's own tracers in which they record nothing. */
#define DSD_STATE_OFF 14

/* --- The loop --------------------------------------------------------------------------------- */

static unsigned dsd_level(const struct prvcut_diff_options *o)
{
    struct prvcut_region_name name;

    if (o->region && prvcut_region_parse(o->region, 1, &name))
        return name.level;
    return o->level > 0 ? o->level : 1;
}

/* Which region's loop; PRVCUT_NONE: there is none, or its iterations were not told one by one. */
static enum prvcut_status dsd_region(struct diff_side *s, struct prvcut_error *err)
{
    const struct made_structure *found = &s->all.structure;
    const struct prvcut_selection what = { .size = sizeof what, .region = s->options->region };
    struct prvcut_span span;
    enum prvcut_status st = PRVCUT_OK;

    s->region = prvcut_region_longest(found, dsd_level(s->options));
    if (s->options->region)
        st = api_structure_select(found, &what, &span, &s->region, err);
    if (st < 0)
        return st;
    if (s->region == SIZE_MAX) {
        snprintf(s->no_loop, sizeof s->no_loop, "nothing repeats at level %u, the deepest is %u",
                 dsd_level(s->options), found->is.levels);
        return PRVCUT_NONE;
    }
    st = job_kinds_tell(s->job, s->region, err);
    if (st < 0)
        return st;
    s->iterations = found->region[s->region].is.loop_iterations;
    if (s->job->kinds->count > 0)
        return PRVCUT_OK;
    s->region = SIZE_MAX;
    snprintf(s->no_loop, sizeof s->no_loop, "the iterations of the loop were not told one by one");
    return PRVCUT_NONE;
}

enum prvcut_status diff_side_find(struct diff_side *s, struct prvcut_error *err)
{
    enum prvcut_status st;

    s->region = SIZE_MAX;
    s->all.is.reason = "";
    s->job = prvcut_zeroed(1, sizeof *s->job, "a search", err);
    if (!s->job)
        return PRVCUT_ENOMEM;
    *s->job = (struct job){ .trace = s->trace,
                            .run = s->run,
                            .wish = { .levels = dsd_level(s->options) },
                            .out = &s->all,
                            .end_ns = s->trace->end_ns };
    st = job_collect(s->job, err);
    if (st == PRVCUT_OK)
        st = job_divide(s->job, err);
    if (st == PRVCUT_NONE)
        snprintf(s->no_loop, sizeof s->no_loop, "%s", s->all.structure.is.reason);
    return st == PRVCUT_OK ? dsd_region(s, err) : st;
}

void diff_side_fini(struct diff_side *s)
{
    if (s->job)
        job_fini(s->job);
    free(s->job);
    s->job = NULL;
    api_reduction_fini(&s->all);
    prvcut_diff_run_fini(&s->measured);
    prvcut_texts_free(s->thread_name, s->thread_names);
}

/* --- Where to measure ------------------------------------------------------------------------- */

/* Iterations, then the stretches of the loop that hold all of them. */
struct dsd_places {
    struct prvcut_proof_region *at; /* [picks + loops]; owned */
    uint64_t *bound;                /* [2 * threads * (picks + loops)]; owned */
    size_t picks, loops;
};

static void dsd_places_fini(struct dsd_places *p)
{
    free(p->at);
    free(p->bound);
}

/* The number of an iteration through its loop. */
static size_t dsd_number(const struct diff_side *s, const uint64_t *border)
{
    const struct made_structure *found = &s->all.structure;

    for (size_t i = 0; i < found->is.stretches; i++) {
        const struct prvcut_stretch *t = &found->stretch[i];

        if (border >= t->border && border < t->border + t->borders)
            return (size_t)t->first + (size_t)(border - t->border);
    }
    return 0;
}

static enum prvcut_status dsd_lay(const struct diff_side *s, struct dsd_places *p,
                                  struct job_borders *own, const uint64_t *border, size_t borders,
                                  size_t at, struct prvcut_error *err)
{
    static const size_t all[2] = { 0, 0 };
    const size_t bound = 2 * (size_t)s->trace->objects.threads * at;
    const struct job_row row = job_row_between(s->job, border, borders, s->region);

    p->at[at].window = job_row_window(s->job, &row, all, p->bound + bound);
    return job_borders_want(own, s->job, &row, bound, err);
}

/* Iterations, one of so many, then the stretches of the loop, each thread between its own borders.
 */
static enum prvcut_status dsd_lay_all(const struct diff_side *s, struct dsd_places *p, size_t step,
                                      struct prvcut_error *err)
{
    const struct made_structure *found = &s->all.structure;
    struct job_borders own = { .count = 0 };
    enum prvcut_status st = PRVCUT_OK;
    size_t at = p->picks;

    for (size_t i = 0; i < p->picks && st == PRVCUT_OK; i++)
        st = dsd_lay(s, p, &own, s->job->kinds->border[i * step], 2, i, err);
    for (size_t i = 0; i < found->is.stretches && st == PRVCUT_OK; i++)
        if (prvcut_stretch_is_of(&found->stretch[i], &found->region[s->region]))
            st =
                dsd_lay(s, p, &own, found->stretch[i].border, found->stretch[i].borders, at++, err);
    if (st == PRVCUT_OK)
        st = job_borders_align(&own, s->job, p->at, p->picks + p->loops, p->bound, err);
    job_borders_fini(&own);
    return st;
}

static enum prvcut_status dsd_room(struct dsd_places *p, size_t threads, struct prvcut_error *err)
{
    const size_t places = p->picks + p->loops;

    p->at = prvcut_zeroed(places + 1, sizeof *p->at, "iterations", err);
    p->bound = prvcut_zeroed(places + 1, (2 * threads + 1) * sizeof *p->bound, "iterations", err);
    return p->at && p->bound ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status dsd_places_loop(struct diff_side *s, struct dsd_places *p,
                                          struct prvcut_error *err)
{
    const struct made_structure *found = &s->all.structure;
    const struct job_kinds *k = s->job->kinds;
    const size_t threads = s->trace->objects.threads;
    const size_t most = DSD_MOST / (threads + 1) > DSD_LEAST ? DSD_MOST / (threads + 1) : DSD_LEAST;
    const size_t step = (k->count + most - 1) / most;
    struct prvcut_diff_run *r = &s->measured;

    p->picks = (k->count + step - 1) / step;
    for (size_t i = 0; i < found->is.stretches; i++)
        p->loops += prvcut_stretch_is_of(&found->stretch[i], &found->region[s->region]);
    r->number = prvcut_zeroed(p->picks + 1, sizeof *r->number, "iterations", err);
    r->clear = prvcut_zeroed(p->picks + 1, sizeof *r->clear, "iterations", err);
    if (dsd_room(p, threads, err) < 0 || !r->number || !r->clear)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < p->picks; i++) {
        r->number[i] = dsd_number(s, k->border[i * step]);
        r->clear[i] = k->clear[i * step];
    }
    r->iterations = p->picks;
    r->count = (double)k->count;
    r->loop = true;
    return dsd_lay_all(s, p, step, err);
}

static enum prvcut_status dsd_places_whole(struct diff_side *s, struct dsd_places *p,
                                           struct prvcut_error *err)
{
    struct prvcut_diff_run *r = &s->measured;

    p->picks = p->loops = 1;
    r->number = prvcut_zeroed(2, sizeof *r->number, "iterations", err);
    r->clear = prvcut_zeroed(2, sizeof *r->clear, "iterations", err);
    if (dsd_room(p, s->trace->objects.threads, err) < 0 || !r->number || !r->clear)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < 2; i++)
        p->at[i].window = (struct prvcut_window){ .from = 0, .to = UINT64_MAX };
    r->clear[0] = true;
    r->iterations = 1;
    r->count = 1;
    return PRVCUT_OK;
}

/* --- What was found --------------------------------------------------------------------------- */

/* A call by its key. */
struct dsd_call {
    struct prvcut_proof_key key;
    uint64_t amount; /* ns in the loop */
    size_t column;   /* of its name; SIZE_MAX: it is not told apart */
};

struct dsd_filler {
    struct diff_side *s;
    const struct dsd_places *places;
    const struct prvcut_profile_found *found;
    struct prvcut_table call; /* of dsd_call */
};

static const struct prvcut_profile_cell *dsd_cell(const struct dsd_filler *f, size_t i)
{
    return (const struct prvcut_profile_cell *)f->found->cell.at + i;
}

static bool dsd_is_counter(const struct prvcut_proof_key *of, enum prvcut_role role)
{
    return of->kind == PRVCUT_PROOF_COUNTER && of->value == (int64_t)role;
}

static enum prvcut_status dsd_list(struct dsd_filler *f, struct prvcut_error *err)
{
    for (size_t i = 0; i < f->found->cell.count; i++) {
        const struct prvcut_profile_cell *c = dsd_cell(f, i);
        struct dsd_call *call;

        if (c->key.of.kind != PRVCUT_PROOF_CALL)
            continue;
        f->s->between_two = f->s->between_two || c->key.of.type == PRVCUT_TYPE_MPI_P2P;
        call = prvcut_table_make(&f->call, &c->key.of, err);
        if (!call)
            return PRVCUT_ENOMEM;
        call->column = SIZE_MAX;
        call->amount += c->key.slot >= f->places->picks ? c->amount : 0;
    }
    return PRVCUT_OK;
}

static struct dsd_call *dsd_longest(const struct dsd_filler *f)
{
    struct dsd_call *best = NULL;

    for (size_t i = 0; i < f->call.count; i++) {
        struct dsd_call *c = (struct dsd_call *)f->call.at + i;

        if (c->column == SIZE_MAX && (!best || c->amount > best->amount))
            best = c;
    }
    return best;
}

/* Columns by name, which two keys may share. */
static enum prvcut_status dsd_name_calls(struct dsd_filler *f, struct prvcut_error *err)
{
    struct prvcut_diff_run *r = &f->s->measured;
    enum prvcut_status st = PRVCUT_OK;
    char text[160];

    for (struct dsd_call *c = dsd_longest(f); c && r->calls < DSD_CALLS && st == PRVCUT_OK;
         c = dsd_longest(f)) {
        const char *name = prvcut_proof_key_text(text, sizeof text, &c->key, &f->found->names);

        c->column = 0;
        while (c->column < r->calls && strcmp(r->call[c->column], name) != 0)
            c->column++;
        if (c->column == r->calls)
            st = prvcut_texts_add(&r->call, &r->calls, name, err);
    }
    return st;
}

static size_t dsd_slots_iteration(const struct dsd_filler *f, size_t slot)
{
    return slot < f->places->picks ? slot : f->places->picks;
}

/* What no reading tells of is not nothing. */
static void dsd_count(double *to, double more)
{
    if (isnan(*to))
        *to = more;
    else if (!isnan(more))
        *to += more;
}

/* Counters of nobody yet: of each iteration, and of all. */
static void dsd_clear_counters(double *from, const struct prvcut_diff_run *r, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        from[i * prvcut_diff_width(r) + PRVCUT_DIFF_AT_INSTRUCTIONS] =
            from[i * prvcut_diff_width(r) + PRVCUT_DIFF_AT_CYCLES] = (double)NAN;
}

/* Calls and counters, cell by cell. */
static void dsd_add_cells(const struct dsd_filler *f)
{
    const struct prvcut_diff_run *r = &f->s->measured;

    for (size_t i = 0; i < f->found->cell.count; i++) {
        const struct prvcut_profile_cell *c = dsd_cell(f, i);
        const uint32_t row = f->found->apart ? c->key.thread : 0;
        double *at = prvcut_diff_at(r, dsd_slots_iteration(f, c->key.slot), row);
        const struct dsd_call *call;

        if (dsd_is_counter(&c->key.of, PRVCUT_ROLE_INSTRUCTIONS))
            dsd_count(&at[PRVCUT_DIFF_AT_INSTRUCTIONS], (double)c->amount);
        if (dsd_is_counter(&c->key.of, PRVCUT_ROLE_CYCLES))
            dsd_count(&at[PRVCUT_DIFF_AT_CYCLES], (double)c->amount);
        if (c->key.of.kind == PRVCUT_PROOF_STATE && c->key.of.type == DSD_STATE_OFF)
            at[PRVCUT_DIFF_AT_OFF] += (double)c->amount;
        if (c->key.of.kind == PRVCUT_PROOF_MESSAGE && c->key.of.type == PRVCUT_PROFILE_TOGETHER)
            at[PRVCUT_DIFF_AT_TOGETHER] += (double)c->amount;
        call = c->key.of.kind == PRVCUT_PROOF_CALL ? prvcut_table_find(&f->call, &c->key.of) : NULL;
        if (!call || call->column == SIZE_MAX)
            continue;
        at[PRVCUT_DIFF_AT_COLUMNS + call->column] += (double)c->amount;
        at[PRVCUT_DIFF_AT_COLUMNS + r->calls + call->column] += (double)c->count;
    }
}

static double dsd_told(uint64_t value)
{
    return value == PRVCUT_PROFILE_UNTOLD ? (double)NAN : (double)value;
}

/* What a row of the profile tells. */
static void dsd_add_line(const struct dsd_filler *f, struct prvcut_profile_lines *lines,
                         size_t slot, uint32_t row, uint64_t *count)
{
    const struct diff_side *s = f->s;
    const struct prvcut_profile_who who = { (uint32_t)slot, f->found->apart ? row : 0,
                                            f->found->apart ? row + 1 : f->found->threads };
    double *at = prvcut_diff_at(&s->measured, dsd_slots_iteration(f, slot), row);
    /* A loop without any: they are not recorded there, as in bursts. */
    const bool calls = f->found->any & PRVCUT_PROFILE_ANY_CALL && s->measured.calls > 0;
    struct prvcut_profile_row line;
    double outside;

    prvcut_profile_line_row(lines, who, &line, count);
    outside = !s->states ? dsd_told(line.computing_ns)
              : calls    ? fmax(0, (double)line.recorded_ns - (double)line.calls_ns)
                         : (double)NAN;
    at[PRVCUT_DIFF_AT_LENGTH] += (double)line.window_ns;
    at[PRVCUT_DIFF_AT_RUNNING] += s->states ? dsd_told(line.computing_ns) : (double)NAN;
    at[PRVCUT_DIFF_AT_OUTSIDE] += outside;
    at[PRVCUT_DIFF_AT_CALLS] += calls ? dsd_told(line.calls_ns) : (double)NAN;
    at[PRVCUT_DIFF_AT_WAITING] += calls ? dsd_told(line.waiting_ns) : (double)NAN;
    at[PRVCUT_DIFF_AT_SENT] += dsd_told(line.sent);
    at[PRVCUT_DIFF_AT_BYTES] += dsd_told(line.sent_bytes);
    at[PRVCUT_DIFF_AT_TOGETHER] += f->found->any & PRVCUT_PROFILE_ANY_TOGETHER ? 0 : (double)NAN;
    at[PRVCUT_DIFF_AT_OFF] += s->states ? 0 : (double)NAN;
}

static enum prvcut_status dsd_add_lines(const struct dsd_filler *f, struct prvcut_error *err)
{
    struct prvcut_profile_lines lines;
    enum prvcut_status st = prvcut_profile_lines_init(&lines, f->found, err);
    uint64_t *count = prvcut_zeroed(lines.counters + 1, sizeof *count, "counters", err);

    for (size_t i = 0; st == PRVCUT_OK && count && i < f->places->picks + f->places->loops; i++)
        for (uint32_t n = 0; n < f->s->measured.rows; n++)
            dsd_add_line(f, &lines, i, n, count);
    free(count);
    prvcut_profile_lines_fini(&lines);
    return count ? st : PRVCUT_ENOMEM;
}

/* Flushes, as the first reading saw them begin and end; they are no computing. */
static void dsd_add_flushes(const struct dsd_filler *f)
{
    const struct prvcut_flushes *flushes = &f->s->job->data.flushes;
    const struct prvcut_diff_run *r = &f->s->measured;

    for (size_t i = 0; i < f->places->picks + f->places->loops; i++) {
        for (size_t n = 0; n < flushes->count; n++) {
            const struct prvcut_flush *flush = &flushes->at[n];
            const uint32_t t = flush->thread;
            struct prvcut_span own;
            double *at;

            if (t >= f->found->threads)
                continue;
            at = prvcut_diff_at(r, dsd_slots_iteration(f, i), f->found->apart ? t : 0);
            own = prvcut_window_own(&f->places->at[i].window, t);
            at[PRVCUT_DIFF_AT_FLUSHING] += api_flushed(flush, own.start, own.end);
        }
    }
    for (size_t i = 0; i <= r->iterations; i++)
        for (uint32_t n = 0; n < r->rows; n++) {
            double *at = prvcut_diff_at(r, i, n);

            for (size_t c = PRVCUT_DIFF_AT_RUNNING; c <= PRVCUT_DIFF_AT_OUTSIDE; c++)
                if (!isnan(at[c]))
                    api_flushed_take(&at[c], fmax(0, at[PRVCUT_DIFF_AT_CALLS]),
                                     at[PRVCUT_DIFF_AT_FLUSHING], at[PRVCUT_DIFF_AT_LENGTH]);
        }
}

static bool dsd_has_groups(const struct dsd_filler *f)
{
    const struct prvcut_profile_met *met = f->found->met.at;

    for (size_t i = 0; i < f->found->met.count; i++)
        if (met[i].key.what == PRVCUT_PROFILE_MET_GROUP)
            return true;
    return false;
}

/* Archives have names for their threads, traces by time numbers. */
static enum prvcut_status dsd_name_threads(const struct dsd_filler *f, struct prvcut_error *err)
{
    struct diff_side *s = f->s;
    const char **name = s->trace->reader->by_thread ? f->found->names.thread : NULL;
    enum prvcut_status st = PRVCUT_OK;
    char text[64];

    for (uint32_t i = 0;
         s->measured.rows == f->found->threads && i < f->found->threads && st == PRVCUT_OK; i++)
        st = prvcut_texts_add(
            &s->thread_name, &s->thread_names,
            name && name[i] ? name[i] : prvcut_objects_number_text(&s->trace->objects, i, text),
            err);
    return st;
}

/* All of the loop is the sum of all its iterations, where each is looked at: at its ends a thread's
   border may be known of the one and not of the other. */
static void dsd_add_up(const struct prvcut_diff_run *r)
{
    const size_t width = prvcut_diff_width(r), row = r->rows * width;
    double *all = r->at + r->iterations * row;

    if ((double)r->iterations < r->count)
        return;
    memset(all, 0, row * sizeof *all);
    dsd_clear_counters(all, r, r->rows);
    for (size_t i = 0; i < r->iterations; i++)
        for (size_t c = 0; c < row; c++)
            if (prvcut_diff_counted(c % width))
                dsd_count(&all[c], r->at[i * row + c]);
            else
                all[c] += r->at[i * row + c];
}

static enum prvcut_status dsd_fill(struct dsd_filler *f, struct prvcut_error *err)
{
    struct prvcut_diff_run *r = &f->s->measured;
    enum prvcut_status st = dsd_list(f, err);

    if (st == PRVCUT_OK)
        st = dsd_name_calls(f, err);
    r->threads = f->found->threads;
    r->rows = f->found->apart ? r->threads : 1;
    f->s->states = !f->found->told && f->found->any & PRVCUT_PROFILE_ANY_RUNNING;
    f->s->any = f->found->any;
    f->s->order = f->found->order;
    f->s->collectives = dsd_has_groups(f);
    r->at = prvcut_zeroed((r->iterations + 1) * r->rows + 1, prvcut_diff_width(r) * sizeof *r->at,
                          "iterations", err);
    if (st < 0 || !r->at)
        return PRVCUT_ENOMEM;
    dsd_clear_counters(r->at, r, (r->iterations + 1) * r->rows);
    dsd_add_cells(f);
    st = dsd_name_threads(f, err);
    if (st == PRVCUT_OK)
        st = dsd_add_lines(f, err);
    if (st == PRVCUT_OK)
        dsd_add_flushes(f);
    if (st == PRVCUT_OK)
        dsd_add_up(r);
    return st;
}

enum prvcut_status diff_side_measure(struct diff_side *s, bool whole, struct prvcut_error *err)
{
    struct dsd_places places = { .picks = 0 };
    enum prvcut_status st =
        whole ? dsd_places_whole(s, &places, err) : dsd_places_loop(s, &places, err);
    struct prvcut_profile_found found;
    struct dsd_filler f = { .s = s,
                            .places = &places,
                            .found = &found,
                            .call = PRVCUT_TABLE(struct dsd_call, amount, "calls") };
    struct api_phase comparing;

    if (st == PRVCUT_OK) {
        api_phase_init(&comparing, s->run, PRVCUT_PHASE_COMPARING);
        st = prvcut_profile_read(
            &found, s->trace, &comparing.run,
            &(struct prvcut_profile_asked){ .stretch = places.at,
                                            .stretches = places.picks + places.loops,
                                            .until = UINT64_MAX,
                                            .outside = true,
                                            .met = true,
                                            .together = true },
            err);
        if (st == PRVCUT_OK)
            st = dsd_fill(&f, err);
        prvcut_profile_found_fini(&found);
    }
    prvcut_table_fini(&f.call);
    dsd_places_fini(&places);
    return st;
}
