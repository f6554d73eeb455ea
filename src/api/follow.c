#include "api/follow.h"

#include "api/answers.h"
#include "api/entries.h"
#include "api/job.h"
#include "api/select.h"
#include "base/memory.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the first look; each further one is at twice as many. */
#define FOL_FIRST ((uint64_t)64 << 10)
/* What is read before a trace is opened for the first time, doubled while its header is longer. */
#define FOL_HEAD ((uint64_t)4 << 10)
/* Iterations that a cut holds where nothing else is asked for. */
#define FOL_CUT 2.0
/* Of what was looked at: so much more may be there that was not. */
#define FOL_REST 64
/* Of a period that is given: so much longer or shorter its iterations may be, where calls tell
   where they begin. */
#define FOL_GIVEN 0.2
/* s without anything new after which a run that has reached its duration is over. */
#define FOL_QUIET 2.0

/* --- The trace so far ------------------------------------------------------------------------- */

/* People know a pipe by its own name, not by that of the file in which it is kept. */
static void fol_tell_pipe(const struct follow_input *in, struct prvcut_error *err)
{
    const size_t kept = strlen(in->path), told = in->told ? strlen(in->told) : 0;

    if (!err || !in->told || told > kept || strncmp(err->text, in->path, kept) != 0)
        return;
    memcpy(err->text, in->told, told);
    memmove(err->text + told, err->text + kept, strlen(err->text + kept) + 1);
}

/* Open what is there; bytes: the beginning of so many, 0: all of it. */
static enum prvcut_status fol_open(struct prvcut_follow *f, uint64_t bytes,
                                   struct prvcut_error *err)
{
    struct prvcut_trace *t = NULL;
    enum prvcut_status st;

    prvcut_trace_close(f->trace);
    f->trace = NULL;
    st = api_trace_open(&t, f->input.path, &f->options, err);
    if (st == PRVCUT_OK && !t->reader->so_far)
        st = prvcut_fail(err, PRVCUT_EUSAGE,
                         "%s: traces in format %s are complete only when they are closed, and "
                         "cannot be followed",
                         f->input.path, t->reader->format->name);
    if (st == PRVCUT_OK && t->codec != PRVCUT_PLAIN)
        st = prvcut_fail(err, PRVCUT_EUSAGE,
                         "%s: is compressed: such a file is complete only when it is closed, and "
                         "cannot be followed",
                         f->input.path);
    if (st == PRVCUT_OK && bytes > 0)
        st = t->reader->so_far(t, bytes, err);
    if (st == PRVCUT_OK && f->input.told) {
        t->told = prvcut_copied_text(f->input.told, "a file name", err);
        st = t->told ? PRVCUT_OK : PRVCUT_ENOMEM;
    }
    if (st != PRVCUT_OK) {
        fol_tell_pipe(&f->input, err);
        prvcut_trace_close(t);
        return st;
    }
    f->trace = t;
    return PRVCUT_OK;
}

/* As fol_open of all that is there, where the header may not be whole yet: PRVCUT_END then. What is
   no trace is known from its first bytes. */
static enum prvcut_status fol_try(struct prvcut_follow *f, struct prvcut_error *err)
{
    struct prvcut_error why = { .status = PRVCUT_OK };
    enum prvcut_status st = f->input.size > 0 ? fol_open(f, f->input.size, &why) : PRVCUT_END;

    if (st == PRVCUT_EFORMAT || (st == PRVCUT_ENOTRACE && f->input.size < FOL_HEAD))
        return PRVCUT_END;
    if (st < 0 && err)
        *err = why;
    return st;
}

enum prvcut_status api_follow_open(struct prvcut_follow *f, const char *path,
                                   const struct prvcut_open_options *options,
                                   const struct prvcut_follow_options *how,
                                   struct prvcut_error *err)
{
    uint64_t tried = FOL_HEAD;
    enum prvcut_status st;

    f->options = *options;
    f->how = *how;
    f->input =
        (struct follow_input){ .how = &f->how, .stop = options->stop, .stop_ctx = options->ctx };
    f->next = FOL_FIRST;
    st = follow_input_open(&f->input, path, err);
    while (st == PRVCUT_OK && !f->trace) {
        const bool over = f->input.over != PRVCUT_FOLLOW_GOES_ON;

        if (f->input.size >= tried || over || follow_input_quiet(&f->input) > FOL_QUIET) {
            st = over ? fol_open(f, 0, err) : fol_try(f, err);
            while (tried <= f->input.size)
                tried *= 2;
        }
        if (st == PRVCUT_END)
            st = PRVCUT_OK;
        if (st == PRVCUT_OK && !f->trace)
            st = follow_input_step(&f->input, tried, err);
    }
    return st;
}

void api_follow_fini(struct prvcut_follow *f)
{
    prvcut_trace_close(f->trace);
    follow_input_close(&f->input);
    follow_busy_fini(&f->busy);
    f->trace = NULL;
}

struct prvcut_trace *prvcut_follow_trace(struct prvcut_follow *f)
{
    return f->trace;
}

enum prvcut_follow_over prvcut_follow_why(const struct prvcut_follow *f)
{
    return f->input.over;
}

/* --- Looks ------------------------------------------------------------------------------------ */

/* The last iteration so far ends where the trace does so far, and lacks calls then: departures
   other than that. */
static uint64_t fol_departures(const struct made_region *r, bool last)
{
    const double ends = floor(r->is.iterations) - 1;
    uint64_t count = 0;

    for (size_t i = 0; i < r->is.departures; i++) {
        const struct prvcut_departure *d = &r->departure[i];

        if (!last || d->count > 1 || d->calls >= 0 || (double)d->first < ends)
            count += d->count;
    }
    return count;
}

/* Between its parts the run did something else, which no disturbance explains. */
static bool fol_is_parted(const struct made_structure *s, const struct follow_seen *seen)
{
    const struct made_region *main = &s->region[s->is.main];

    for (size_t i = 0; i < s->is.regions; i++) {
        const struct prvcut_region *r = &s->region[i].is;

        if (r->level == main->is.level && r->group == main->is.group &&
            r->kind != PRVCUT_REGION_MASKED && !prvcut_regions_share_loop(&s->region[i], main) &&
            r->span.start >= seen->loop_start_ns && r->span.end <= seen->loop_end_ns)
            return true;
    }
    return false;
}

/* Iterations of the main loop that follow each other, disturbed ones, too. */
static double fol_in_a_row(const struct made_structure *s)
{
    const struct made_region *main = &s->region[s->is.main];
    double most = 0;

    for (size_t i = 0; i < s->is.regions; i++)
        if (prvcut_regions_share_loop(&s->region[i], main))
            most = fmax(most, floor(s->region[i].is.iterations));
    for (size_t i = 0; i < s->is.stretches; i++)
        if (prvcut_stretch_is_of(&s->stretch[i], main) && s->stretch[i].borders > 0)
            most = fmax(most, (double)s->stretch[i].borders - 1);
    return most;
}

/* Iterations of the loops of a level that follow each other, at most. */
static double fol_of_level(const struct made_structure *s, unsigned level)
{
    double most = 0;

    for (size_t i = 0; i < s->is.regions; i++)
        if (s->region[i].is.level == level && s->region[i].is.number > 0)
            most = fmax(most, floor(s->region[i].is.iterations));
    return most;
}

/* What there is of what is wanted: of regions that are named, in each of them, 0 where one is not
   there yet. */
static void fol_see_wanted(struct follow_seen *out, const struct made_structure *s,
                           const struct prvcut_follow_options *how)
{
    const bool named = job_names_region(how->regions);
    const char *at = named ? how->regions : NULL;
    struct prvcut_region_name name = { .level = 0 };
    struct prvcut_error none = { .status = PRVCUT_OK };

    out->last = INFINITY;
    out->in_a_row = named            ? INFINITY
                    : how->level > 1 ? fol_of_level(s, how->level)
                                     : fol_in_a_row(s);
    if (!named && how->level <= 1)
        out->last = out->look.iterations;
    while (prvcut_region_next(&at, how->level, &name)) {
        double iterations = 0, last = 0;
        size_t i;

        if (prvcut_region_find(s, name, &i, &none) == PRVCUT_OK) {
            iterations = floor(s->region[i].is.iterations);
            last = (double)s->region[i].is.first + iterations - 1;
        }
        out->in_a_row = fmin(out->in_a_row, iterations);
        out->last = fmin(out->last, last);
    }
}

static void fol_see_loop(struct follow_seen *out, const struct made_structure *s)
{
    const struct prvcut_region *main =
        s->is.main < s->is.regions ? &s->region[s->is.main].is : NULL;
    const struct made_region *last = NULL;

    out->look.reason = main ? "" : s->is.reason;
    out->look.periodic = main != NULL;
    if (!main)
        return;
    out->look.iterations = (double)main->loop_iterations;
    out->look.calls_per_iteration = main->calls_per_iteration;
    out->look.confidence = main->confidence;
    out->loop_start_ns = main->span.start;
    for (size_t i = 0; i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];

        if (!prvcut_regions_share_loop(r, &s->region[s->is.main]))
            continue;
        if (r->is.span.start < out->loop_start_ns)
            out->loop_start_ns = r->is.span.start;
        if (!last || r->is.span.end > last->is.span.end)
            last = r;
        out->unlike |= r->unlike;
    }
    out->loop_end_ns = last ? last->is.span.end : main->span.end;
    for (size_t i = 0; i < s->is.regions; i++)
        if (prvcut_regions_share_loop(&s->region[i], &s->region[s->is.main]))
            out->departures += fol_departures(&s->region[i], &s->region[i] == last);
    out->parted = fol_is_parted(s, out);
    out->strays = s->strays;
    out->look.period_ns =
        (double)(out->loop_end_ns - out->loop_start_ns) / (double)main->loop_iterations;
}

/* Look at the first so many bytes. still: the look before was sure, and more is there already. */
static enum prvcut_status fol_look(struct prvcut_follow *f, uint64_t bytes, bool still,
                                   const struct prvcut_run *run, struct prvcut_error *err)
{
    const struct prvcut_reduce_options asked = { .level = f->how.level, .regions = f->how.regions };
    const struct prvcut_structure_options o = { .size = sizeof o,
                                                .metrics = f->how.metrics,
                                                .period_ns = f->how.period_ns,
                                                .levels =
                                                    f->how.until_found ? job_deepest(&asked) : 1 };
    struct follow_seen now = { .look.reason = "nothing is there yet" };
    struct prvcut_error why = { .status = PRVCUT_OK };
    struct prvcut_run quiet = *run;
    struct made_structure found;
    enum prvcut_status st = fol_open(f, bytes, err);

    quiet.progress = NULL;
    /* No more than its header: the next look has twice as much. */
    if (st == PRVCUT_END)
        return PRVCUT_OK;
    if (st != PRVCUT_OK)
        return st;
    now.look.bytes = f->trace->bytes;
    now.look.end_ns = f->trace->end_ns;
    now.promised_ns = f->trace->promised_ns;
    st = api_structure_find(f->trace, &quiet, &o, &found, &why);
    /* A period that is given may still be longer than the loop so far. */
    if (st == PRVCUT_EUSAGE && o.period_ns > 0)
        st = PRVCUT_NONE;
    else if (st >= 0)
        fol_see_loop(&now, &found);
    /* What else there is of loops is not what was asked for. */
    if (now.look.periodic && o.period_ns > 0 &&
        fabs(now.look.period_ns / (double)o.period_ns - 1) > FOL_GIVEN)
        now =
            (struct follow_seen){ .look = { .bytes = now.look.bytes,
                                            .end_ns = now.look.end_ns,
                                            .reason = "the period that was given fits no part" } };
    if (now.look.periodic)
        fol_see_wanted(&now, &found, &f->how);
    if (st >= 0)
        api_structure_fini(&found);
    if (st >= 0)
        st = follow_busy_add(&f->busy, f->trace, &quiet, &why);
    if (st < 0)
        return prvcut_fail(err, st, "%s", why.text);
    /* The next look takes twice as much: of other places, if this one's are in pieces. */
    prvcut_give_back();
    follow_busy_tell(&f->busy, &now.look.load_balance, &now.look.communication);
    now.look.was_sure = f->last.look.sure;
    now.look.sure = still ? follow_stays_sure(&f->last, &now) : follow_is_sure(&f->last, &now);
    f->last = now;
    if (f->how.look)
        f->how.look(f->how.ctx, &now.look);
    return PRVCUT_OK;
}

/* Has the run come to the duration that its header promises, and is it quiet since? Who knows which
   process writes need not guess. */
static enum prvcut_status fol_is_reached(struct prvcut_follow *f, uint64_t *asked,
                                         struct prvcut_error *err)
{
    enum prvcut_status st;

    if (f->input.source || f->how.pid > 0 || f->input.over != PRVCUT_FOLLOW_GOES_ON ||
        *asked == f->input.size || follow_input_quiet(&f->input) < FOL_QUIET)
        return PRVCUT_OK;
    *asked = f->input.size;
    st = fol_open(f, f->input.size, err);
    if (st == PRVCUT_OK && f->trace->reached)
        f->input.over = PRVCUT_FOLLOW_DURATION;
    return st;
}

/* Wait until there is enough for the next look, or it is over. */
static enum prvcut_status fol_wait(struct prvcut_follow *f, struct prvcut_error *err)
{
    uint64_t asked = 0;
    enum prvcut_status st = PRVCUT_OK;

    while (st == PRVCUT_OK && f->input.size < f->next && f->input.over == PRVCUT_FOLLOW_GOES_ON) {
        st = fol_is_reached(f, &asked, err);
        if (st == PRVCUT_OK && f->input.over == PRVCUT_FOLLOW_GOES_ON)
            st = follow_input_step(&f->input, f->next, err);
    }
    return st;
}

/* Not even one record of the pipe could be kept. */
static enum prvcut_status fol_nothing(const struct prvcut_follow *f, struct prvcut_error *err)
{
    if (f->how.most > 0 && f->input.size >= f->how.most)
        return prvcut_fail(err, PRVCUT_EIO, "%s: --spool keeps less than its first record",
                           f->input.told);
    return prvcut_fail(err, PRVCUT_EIO, "%s: there is no room to keep any of it in %s",
                       f->input.told, f->input.work->place);
}

/* Is the loop sure, and all that is wanted of it there? */
static bool fol_is_found(const struct prvcut_follow *f)
{
    const struct follow_seen *s = &f->last;

    return f->how.until_found && s->look.sure && s->in_a_row >= fmax(FOL_CUT, f->how.iterations) &&
           s->last >= (double)f->how.last_iteration;
}

/* It is found in the first bytes that are there: is it still that loop in all that is there by now?
   What was written may belie it, and would be left out unseen. */
static enum prvcut_status fol_find(struct prvcut_follow *f, const struct prvcut_run *run,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = follow_input_same(&f->input, err);
    uint64_t seen = f->last.look.bytes;

    while (st == PRVCUT_OK && fol_is_found(f) && f->input.size - seen > seen / FOL_REST) {
        seen = f->input.size;
        st = fol_look(f, seen, true, run, err);
        if (st == PRVCUT_OK)
            st = follow_input_same(&f->input, err);
    }
    while (f->next <= seen)
        f->next *= 2;
    if (st == PRVCUT_OK && fol_is_found(f))
        f->input.over = PRVCUT_FOLLOW_FOUND;
    return st;
}

/* Look until it is over. */
static enum prvcut_status fol_run(struct prvcut_follow *f, const struct prvcut_run *run,
                                  struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    while (st == PRVCUT_OK && f->input.over == PRVCUT_FOLLOW_GOES_ON) {
        /* Of what was there before we came two looks tell as much as all. */
        while (f->next <= f->input.size / 4)
            f->next *= 2;
        st = fol_wait(f, err);
        if (st != PRVCUT_OK || f->input.size < f->next)
            continue;
        st = fol_look(f, f->next, false, run, err);
        f->next *= 2;
        if (st == PRVCUT_OK && fol_is_found(f))
            st = fol_find(f, run, err);
    }
    return st;
}

/* All of it, now that it is over. Who wrote it may have been killed in the middle of a line. */
static enum prvcut_status fol_end(struct prvcut_follow *f, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (f->input.over == PRVCUT_FOLLOW_FOUND)
        return PRVCUT_OK;
    if (f->input.over == PRVCUT_FOLLOW_FULL) {
        st = fol_open(f, f->input.size, err);
        return st == PRVCUT_END ? fol_nothing(f, err) : st;
    }
    st = fol_open(f, 0, err);
    if (st == PRVCUT_OK)
        f->trace->unended = !f->options.lenient;
    return st;
}

enum prvcut_status api_follow_run(struct prvcut_follow *f, const struct prvcut_run *run,
                                  struct prvcut_error *err)
{
    struct prvcut_error why = { .status = PRVCUT_OK }, changed = { .status = PRVCUT_OK };
    enum prvcut_status st = fol_run(f, run, &why);

    if (st == PRVCUT_OK)
        st = fol_end(f, &why);
    if (st == PRVCUT_OK)
        return PRVCUT_OK;
    /* What was read meanwhile of a file that got shorter says less than that it did. */
    if (st != PRVCUT_EINTERRUPTED && follow_input_same(&f->input, &changed) < 0)
        return prvcut_fail_as(err, changed.status, &changed);
    return prvcut_fail_as(err, st, &why);
}
