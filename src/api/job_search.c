#include "api/job.h"

#include "analysis/patterns/hear.h"
#include "base/memory.h"
#include "dsp/order.h"
#include "structure/divide_groups.h"
#include "structure/lengths.h"
#include "structure/levels.h"
#include "structure/reach.h"
#include "structure/stretch.h"
#include "structure/whole.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Another loop that is worth a note: its strength, and how far its period is from the main one's.
 */
#define OTHER_LOOP   0.5
#define OTHER_PERIOD 0.07

static struct prvcut_search_input jsr_whole_run(const struct job *j)
{
    return (struct prvcut_search_input){ .span = job_span(j),
                                         .signal = j->data.signal,
                                         .metrics = j->metrics,
                                         .calls = j->ask_calls,
                                         .separate = j->ask_calls,
                                         .sequence = j->data.sequence,
                                         .sequences = j->data.sequences,
                                         .table = j->trace->series != NULL,
                                         .cut_short = j->data.calls_cut_short,
                                         .to_end = !j->trace->so_far &&
                                                   job_span(j).end >= j->trace->end_ns,
                                         .period_ns = j->wish.period_ns,
                                         .set = j->run->set,
                                         .nested = pat_hear };
}

/* What flushing spoils is known before any loop is. */
static enum prvcut_status jsr_find_loop(struct job *j, struct prvcut_search *out,
                                        struct prvcut_error *err)
{
    struct prvcut_search_input in = jsr_whole_run(j);
    struct prvcut_masks masks;
    struct prvcut_span *mask = NULL;
    const struct prvcut_masks_wish wish = { .set = j->run->set };
    enum prvcut_status st = prvcut_masks_find(&masks, &j->data, &wish, err);

    if (st < 0)
        return st;
    st = prvcut_masks_spans(&masks, &mask, &in.masks, err);
    in.mask = mask;
    if (j->run->progress)
        j->run->progress(j->run->ctx, PRVCUT_PHASE_ANALYSING, 0, 0);
    if (st == PRVCUT_OK)
        st = prvcut_search_find(out, &in, j->run, err);
    if (st == PRVCUT_OK)
        st = prvcut_search_closer(out, &in, j->trace, j->run, err);
    /* Only a loop of calls that were cut short goes on beyond what is known of it. */
    if (st == PRVCUT_OK && out->by_calls && in.cut_short)
        st = prvcut_search_reach(out, &in, j->trace, j->run, err);
    if (st == PRVCUT_OK)
        st = prvcut_search_whole(out, in.period_ns, err);
    free(mask);
    prvcut_masks_fini(&masks);
    memcpy(j->witness, out->witness, sizeof j->witness);
    j->witnesses = out->witnesses;
    j->loop = out->loop;
    return st;
}

/* Threads outside of the loop may have one of their own: another application, a group of servers.
   Where it is no group that has regions, it is only told. */
static enum prvcut_status jsr_find_others(struct job *j, const struct prvcut_search *s,
                                          struct prvcut_error *err)
{
    struct prvcut_call_sequence *other =
        prvcut_zeroed(j->data.sequences + 1, sizeof *other, "sequences of calls", err);
    struct prvcut_call_loop loop;
    size_t others = 0;
    enum prvcut_status st = PRVCUT_OK;

    if (!other)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; s->by_calls && i < j->data.sequences; i++)
        if (s->calls.borders[i] == 0 && j->data.sequence[i].count > 0)
            other[others++] = j->data.sequence[i];
    if (others > 0) {
        st = prvcut_call_loop_find(&loop, other, others, err);
        if (st == PRVCUT_OK && loop.loop.found && loop.loop.strength >= OTHER_LOOP &&
            fabs(loop.loop.period_ns / s->loop.period_ns - 1) > OTHER_PERIOD)
            j->others = (struct job_others){ .followers = loop.followers,
                                             .compared = j->data.sequences,
                                             .iterations = loop.loop.iterations,
                                             .period_ns = loop.loop.period_ns };
        prvcut_call_loop_fini(&loop);
    }
    free(other);
    return st;
}

static void jsr_note_loop(struct job *j, const struct job_others *other, const char *tied)
{
    const struct prvcut_objects *o = &j->trace->objects;
    char period[32];

    job_note(j, "%" PRIu64 " of %" PRIu64 " %s%ss repeat another loop: %.0f iterations of %s%s",
             other->followers, other->compared, other->compared < o->threads ? "compared " : "",
             o->tasks == o->threads ? "rank" : "thread", other->iterations,
             prvcut_time_text(period, other->period_ns), tied);
}

/* Mean length of all iterations of a region's loop, those between its regions counted, too. */
static double jsr_mean_of_loop(const struct made_structure *s, const struct made_region *of)
{
    struct prvcut_span span = of->is.span;

    for (size_t i = 0; i < s->is.regions; i++)
        if (prvcut_regions_share_loop(&s->region[i], of) && s->region[i].is.span.end > span.end)
            span.end = s->region[i].is.span.end;
    return (double)(span.end - span.start) / (double)of->is.loop_iterations;
}

/* Each group's loop; is there one? */
static bool jsr_note_groups(struct job *j)
{
    const struct made_structure *s = &j->out->structure;
    unsigned told = 0;

    for (size_t i = 0; i < s->is.regions; i++) {
        const struct prvcut_region *r = &s->region[i].is;
        struct job_others group = { .followers = r->followers, .compared = r->examined };

        if (r->level > 1 || r->group <= told || r->loop_iterations == 0)
            continue;
        told = r->group;
        group.iterations = (double)r->loop_iterations;
        group.period_ns = jsr_mean_of_loop(s, &s->region[i]);
        jsr_note_loop(j, &group, "; nothing ties them to the others");
    }
    return told > 0;
}

void job_tell_others(struct job *j)
{
    if (!jsr_note_groups(j) && j->others.followers > 0)
        jsr_note_loop(j, &j->others,
                      j->out->structure.is.apart
                          ? "; nothing ties them to the others, so theirs are not cut whole"
                          : "");
}

/* What disturbs a run does not depend on the period that was given for it: that is used only where
   the run shows none. */
static double jsr_shown_period(const struct job *j, const struct prvcut_search *s)
{
    return j->wish.period_ns > 0 && s->verdict.found ? s->witness[s->verdict.chosen].loop.period_ns
                                                     : j->loop.period_ns;
}

/* Gaps of fewer iterations between flushes are part of one, and masks that leave fewer everywhere
   divide nothing: whatever is cut, a region has one name. */
static uint64_t jsr_useful_iterations(const struct job *j)
{
    return (uint64_t)prvcut_parameter_of(j->run->set, PRVCUT_SET_USEFUL);
}

/* What is spoilt; so are gaps of fewer than two iterations between flushes. */
static enum prvcut_status jsr_lay_masks(struct prvcut_masks *out, const struct job *j,
                                        const struct prvcut_search *s, struct prvcut_error *err)
{
    /* A period may be given that is longer than the run, and not be found. */
    const uint64_t period = (uint64_t)fmin(jsr_shown_period(j, s), (double)j->end_ns);
    const uint64_t useful = jsr_useful_iterations(j);
    const struct prvcut_masks_wish wish = { .useful = period > 0 && useful > j->end_ns / period
                                                          ? j->end_ns
                                                          : period * useful,
                                            .period = period,
                                            .set = j->run->set };
    enum prvcut_status st = prvcut_masks_find(out, &j->data, &wish, err);

    for (size_t i = 0; st == PRVCUT_OK && i < out->count; i++)
        if (out->at[i].span.end > j->end_ns)
            out->at[i].span.end = j->end_ns;
    return st;
}

static enum prvcut_status jsr_find_masks(struct job *j, const struct prvcut_search *s,
                                         struct prvcut_error *err)
{
    enum prvcut_status st = jsr_lay_masks(&j->masks, j, s, err);

    if (st == PRVCUT_OK)
        st = prvcut_masks_jams(&j->masks, &s->loop.span, j->trace, j->run, err);
    /* A compressed trace would be read from its beginning for every mask. */
    if (st == PRVCUT_OK && j->trace->seekable)
        st = prvcut_masks_affected(&j->masks, j->trace, j->run, err);
    return st;
}

/* Median length of the loop's iterations on the thread that leads, as its regions tell theirs. */
static enum prvcut_status jsr_led_median(double *out, const struct prvcut_search *s,
                                         struct prvcut_error *err)
{
    const struct prvcut_call_loop *l = &s->calls;
    struct prvcut_lengths lengths;
    size_t i = 0;
    enum prvcut_status st;

    *out = s->loop.median_ns;
    while (s->by_calls && i < l->sequences && l->borders[i] < 2)
        i++;
    if (!s->by_calls || i == l->sequences)
        return PRVCUT_OK;
    st = prvcut_lengths_measure(&lengths, l->border[i], l->borders[i], NULL, 0, err);
    if (st == PRVCUT_OK)
        *out = lengths.median;
    return st;
}

/* The main loop's numbers, over all of the run. */
static enum prvcut_status jsr_tell_loop(struct job *j, const struct prvcut_search *s,
                                        struct prvcut_error *err)
{
    const struct prvcut_search_input in = jsr_whole_run(j);
    struct made_reduction *r = j->out;
    enum prvcut_status st = jsr_led_median(&r->is.median_ns, s, err);

    if (st < 0)
        return st;
    r->is.periodic = j->loop.found;
    r->is.period_ns = j->loop.found ? j->loop.period_ns : 0;
    r->is.iterations = j->loop.iterations;
    r->is.phase = j->loop.span;
    r->is.confidence = s->confidence;
    if (s->by_calls)
        r->is.calls_per_iteration = (double)s->calls.calls_per_iteration;
    return prvcut_votes_tell(&r->vote, &r->is.votes, j->witness, j->witnesses,
                             prvcut_search_absent(&in), err);
}

/* Iterations of the main loop that a mask touches; by its mean length where borders are unknown. */
static uint64_t jsr_count_masked(const struct job *j, const struct prvcut_known_loop *f)
{
    size_t borders, m = 0, laid;
    const uint64_t *border = prvcut_known_loop_borders(f, &borders);
    uint64_t count = 0;

    laid = borders > 1 ? borders - 1 : (size_t)f->loop.iterations;
    for (size_t k = 0; k < laid && m < j->mask_spans; k++) {
        const double from = (double)f->loop.span.start + (double)k * f->loop.period_ns;
        const uint64_t start = borders > 1 ? border[k] : (uint64_t)from;
        const uint64_t end = borders > 1 ? border[k + 1] : (uint64_t)(from + f->loop.period_ns);

        while (m < j->mask_spans && j->mask[m].end <= start)
            m++;
        count += m < j->mask_spans && j->mask[m].start < end;
    }
    return count;
}

/* Borders of a region that were seen; all of them where they are laid by the period. */
static bool jsr_is_known(const struct job *j, size_t region)
{
    const struct prvcut_span *span = &j->out->structure.region[region].is.span;
    const struct prvcut_known_loop *f = &j->known.at[j->known.of_region[region]];
    size_t borders;
    const uint64_t *border = prvcut_known_loop_borders(f, &borders);

    return borders == 0 || (border[0] < span->end && border[borders - 1] > span->start);
}

/* The longest periodic region of the loop that was found over all of the run; of call sequences
   that are too long only the beginning is known well enough to be cut. */
static void jsr_name_main(struct job *j, const struct prvcut_span *phase)
{
    struct made_structure *s = &j->out->structure;
    uint64_t longest = 0;

    s->is.main = SIZE_MAX;
    for (size_t i = 0; i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];
        const bool inside = r->is.span.end > phase->start && r->is.span.start < phase->end;
        const uint64_t length = r->is.span.end - r->is.span.start;

        if (r->is.level == 1 && r->is.loop > 0 && r->is.group == 0 && inside && length > longest &&
            jsr_is_known(j, i)) {
            longest = length;
            s->is.main = i;
        }
    }
}

/* Of the loop that is cut by default, or where no region is left of it, of all in its stretch. */
static void jsr_count_all_masked(struct job *j)
{
    struct made_structure *s = &j->out->structure;
    const unsigned main =
        s->is.main < s->is.regions ? j->known.at[j->known.of_region[s->is.main]].number : 0;

    for (size_t i = 0; i < j->known.count; i++) {
        const struct prvcut_known_loop *f = &j->known.at[i];
        const bool inside =
            f->loop.span.end > j->loop.span.start && f->loop.span.start < j->loop.span.end;

        /* A loop without a number was taken apart. */
        if (f->number > 0 && (main > 0 ? f->number == main : inside))
            s->is.iterations_masked += jsr_count_masked(j, f);
    }
}

/* Nobody asked how sure a loop is whose period was given, nor its parts. */
static void jsr_leave_sureness(struct made_structure *s)
{
    for (size_t i = 0; s->is.main < s->is.regions && i < s->is.regions; i++)
        if (prvcut_regions_share_loop(&s->region[i], &s->region[s->is.main]))
            s->region[i].is.confidence = NAN;
}

bool job_has_loop_of_two(const struct job *j)
{
    return j->loop.found && j->wish.period_ns == 0 && fabs(j->loop.iterations - 2) < 0.5;
}

static enum prvcut_status jsr_divide(struct job *j, struct prvcut_search *found,
                                     struct prvcut_error *err)
{
    struct made_structure *s = &j->out->structure;
    struct prvcut_divide_input in = {
        .where = jsr_whole_run(j), .masks = &j->masks, .trace = j->trace, .level = 1
    };
    const struct prvcut_levels_input levels = {
        .trace = j->trace,
        .run = j->run,
        .top = &in,
        .levels = j->wish.levels == 1 && job_has_loop_of_two(j) ? 2 : j->wish.levels
    };
    struct prvcut_division top;
    enum prvcut_status st = prvcut_masks_spans(&j->masks, &j->mask, &j->mask_spans, err);

    if (st < 0)
        return st;
    in.where.mask = j->mask;
    in.where.masks = j->mask_spans;
    in.useful = jsr_useful_iterations(j);
    st = prvcut_divide_groups(&top, &j->known, &in, found, j->run, err);
    if (st == PRVCUT_OK)
        st = prvcut_levels_find(s, &j->known, &top, &levels, err);
    prvcut_division_fini(&top);
    jsr_name_main(j, &j->loop.span);
    if (st == PRVCUT_OK)
        jsr_count_all_masked(j);
    if (j->wish.period_ns > 0)
        jsr_leave_sureness(s);
    return st;
}

/* What signals say of the main loop is told once: its first region says the same. */
static void jsr_share_votes(struct made_reduction *r)
{
    struct made_structure *s = &r->structure;

    for (size_t i = 0; i < s->is.regions; i++)
        for (size_t k = 0; s->region[i].is.level == 1 && k < s->region[i].is.votes; k++)
            for (size_t m = 0; m < r->is.votes; m++) {
                struct prvcut_vote *v = &s->region[i].vote[k];

                if (strcmp(v->metric, r->vote[m].metric) == 0 &&
                    v->period_ns == r->vote[m].period_ns && v->strength == r->vote[m].strength)
                    v->status = r->vote[m].status;
            }
}

/* Median length of the clear iterations of the main loop whose borders are known, and their spread;
   all stays where none are. Signals that saw that median agree. */
static enum prvcut_status jsr_measure_clear(struct job *j, struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    size_t room = 0, count = 0;
    double *length;

    for (size_t i = 0; i < s->is.regions; i++)
        room += s->region[i].is.borders;
    length = prvcut_unset(room + 1, sizeof *length, "borders", err);
    if (!length)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];

        if (r->is.level != 1 || r->is.group > 0 || r->is.span.end <= j->loop.span.start ||
            r->is.span.start >= j->loop.span.end ||
            (s->is.main < s->is.regions && !prvcut_regions_share_loop(r, &s->region[s->is.main])))
            continue;
        for (size_t k = 0; k + 1 < r->is.borders; k++)
            length[count++] = (double)(r->is.border[k + 1] - r->is.border[k]);
    }
    if (count > 0) {
        j->out->is.median_ns = prvcut_median(length, count);
        j->out->is.spread_ns = PRVCUT_MAD_SCALE * prvcut_mad(length, count, j->out->is.median_ns);
        prvcut_votes_agree(j->out->vote, j->out->is.votes, j->out->is.median_ns, j->run->set);
        jsr_share_votes(j->out);
    }
    free(length);
    return PRVCUT_OK;
}

enum prvcut_status job_divide(struct job *j, struct prvcut_error *err)
{
    struct made_structure *s = &j->out->structure;
    struct prvcut_search found = { .witnesses = 0 };
    enum prvcut_status st;

    s->is.end_ns = j->end_ns;
    s->is.span = job_span(j);
    s->is.reason = "";
    s->is.main = SIZE_MAX;
    st = jsr_find_loop(j, &found, err);
    s->is.apart = st == PRVCUT_OK && found.by_calls && found.groups;
    if (st == PRVCUT_OK)
        st = jsr_find_others(j, &found, err);
    if (st == PRVCUT_OK)
        st = jsr_tell_loop(j, &found, err);
    if (st == PRVCUT_OK)
        st = jsr_find_masks(j, &found, err);
    if (st == PRVCUT_OK)
        st = jsr_divide(j, &found, err);
    if (st == PRVCUT_OK)
        job_tell_others(j);
    if (st == PRVCUT_OK && j->loop.found)
        st = jsr_measure_clear(j, err);
    s->mask = j->masks.at;
    s->is.masks = j->masks.count;
    j->masks = (struct prvcut_masks){ 0 };
    if (st == PRVCUT_OK && !j->loop.found) {
        j->out->is.reason = s->is.reason =
            job_records(j) > 0 ? found.verdict.why : "the trace has no records";
        st = PRVCUT_NONE;
    }
    prvcut_search_fini(&found);
    return st;
}
