#include "api/answers.h"
#include "api/index.h"

#include "model/counts.h"
#include "signal/keep.h"
#include "structure/keep.h"

#include <stdlib.h>
#include <string.h>

static void ipa_put_table(struct prvcut_put *p, const struct census_table *t)
{
    prvcut_put_u64(p, t->count);
    for (size_t i = 0; i < t->count; i++) {
        prvcut_put_u64(p, t->at[i].number);
        prvcut_put_u32(p, t->at[i].role);
        prvcut_put_u64(p, t->at[i].count);
        prvcut_put_u64(p, t->at[i].sum);
    }
}

static void ipa_get_table(struct prvcut_get *g, struct census_table *t)
{
    t->count = prvcut_get_count(g, 28);
    t->at = prvcut_get_room(g, t->count, sizeof *t->at);
    for (size_t i = 0; t->at && i < t->count; i++) {
        t->at[i].number = prvcut_get_u64(g);
        t->at[i].role = (uint8_t)prvcut_get_u32(g);
        t->at[i].count = prvcut_get_u64(g);
        t->at[i].sum = prvcut_get_u64(g);
        prvcut_get_check(g, t->at[i].role < PRVCUT_ROLES);
    }
}

void index_put_census(struct prvcut_put *p, const struct census *c)
{
    const struct census_messages *m = &c->messages;
    const struct census_flushes *f = &c->flushes;
    const uint64_t messages[] = { m->count, m->bytes, m->receives, m->least, m->most };
    const uint64_t flushes[] = { f->count,   f->looked, f->total,     f->longest,
                                 f->threads, f->last,   f->last_total };

    prvcut_counts_put(p, &c->counts);
    prvcut_put_u64(p, c->end_ns);
    ipa_put_table(p, &c->types);
    ipa_put_table(p, &c->states);
    ipa_put_table(p, &c->functions);
    prvcut_put_u64(p, c->other_values);
    prvcut_put_u64(p, c->other_states);
    prvcut_put_u64(p, c->other_calls);
    prvcut_put_u64s(p, messages, sizeof messages / sizeof *messages);
    prvcut_put_u64s(p, m->bucket, sizeof m->bucket / sizeof *m->bucket);
    prvcut_put_u64s(p, flushes, sizeof flushes / sizeof *flushes);
    prvcut_put_u32(p, f->longest_thread);
}

static void ipa_get_census(struct prvcut_get *g, struct census *c, uint32_t threads)
{
    struct census_messages *m = &c->messages;
    uint64_t messages[5] = { 0 }, flushes[7] = { 0 };

    prvcut_counts_get(g, &c->counts);
    c->end_ns = prvcut_get_u64(g);
    c->threads = threads;
    ipa_get_table(g, &c->types);
    ipa_get_table(g, &c->states);
    ipa_get_table(g, &c->functions);
    c->other_values = prvcut_get_u64(g);
    c->other_states = prvcut_get_u64(g);
    c->other_calls = prvcut_get_u64(g);
    prvcut_get_u64s(g, messages, sizeof messages / sizeof *messages);
    prvcut_get_u64s(g, m->bucket, sizeof m->bucket / sizeof *m->bucket);
    prvcut_get_u64s(g, flushes, sizeof flushes / sizeof *flushes);
    m->count = messages[0], m->bytes = messages[1], m->receives = messages[2];
    m->least = messages[3], m->most = messages[4];
    c->flushes = (struct census_flushes){ .count = flushes[0],
                                          .looked = flushes[1],
                                          .total = flushes[2],
                                          .longest = flushes[3],
                                          .threads = (uint32_t)flushes[4],
                                          .last = flushes[5],
                                          .last_total = flushes[6],
                                          .longest_thread = prvcut_get_u32(g) };
    prvcut_get_check(g, c->flushes.longest_thread < threads || c->flushes.longest_thread == 0);
    prvcut_get_check(g, g->left == 0);
}

/* A section of the index; false: there is no index, or it is not as it was written. */
static bool ipa_load(struct prvcut_trace *t, const char *name, char **bytes, struct prvcut_get *g)
{
    const struct prvcut_kept *kept = index_of(t);

    *g = (struct prvcut_get){ .bad = true };
    *bytes = NULL;
    if (!kept)
        return false;
    g->bad = !prvcut_kept_load(kept, name, bytes, &g->left);
    g->at = *bytes;
    if (g->bad)
        index_give_up(t);
    return !g->bad;
}

static bool ipa_sound(struct prvcut_trace *t, const struct prvcut_get *g)
{
    if (g->bad || g->left > 0) {
        index_give_up(t);
        return false;
    }
    return true;
}

bool index_recall_blocks(struct prvcut_trace *t)
{
    struct prvcut_get g;
    char *bytes;
    bool done = ipa_load(t, "blocks", &bytes, &g);

    if (done && !t->reader->recall(t, &g)) {
        index_give_up(t);
        done = false;
    }
    free(bytes);
    return done;
}

bool prvcut_trace_can_window(struct prvcut_trace *t)
{
    return !t->once && (t->scanned || index_recall_blocks(t));
}

bool index_recall_census(struct prvcut_trace *t, struct census *out)
{
    struct prvcut_get g;
    char *bytes;
    bool done = ipa_load(t, "census", &bytes, &g);

    memset(out, 0, sizeof *out);
    if (done) {
        ipa_get_census(&g, out, t->objects.threads);
        done = ipa_sound(t, &g);
    }
    if (!done)
        census_fini(out);
    free(bytes);
    return done;
}

void index_put_input(struct prvcut_put *p, const struct job *j)
{
    prvcut_counts_put(p, &j->data.counts);
    prvcut_put_u64(p, j->end_ns);
    prvcut_put_u32(p, j->calls_are_regions);
    prvcut_put_u32(p, j->calls_are_states);
}

/* calls: those that the calls are told by */
static bool ipa_recall_input(struct job *j, bool calls)
{
    struct prvcut_get g;
    char *bytes;
    bool done = ipa_load(j->trace, "input", &bytes, &g);

    if (done) {
        prvcut_counts_get(&g, &j->data.counts);
        j->end_ns = prvcut_get_u64(&g);
        j->calls_are_regions = prvcut_get_bool(&g) && calls;
        j->calls_are_states = prvcut_get_bool(&g) && calls;
        prvcut_get_check(&g, j->end_ns <= UINT64_C(1) << 61);
        done = ipa_sound(j->trace, &g);
    }
    free(bytes);
    return done;
}

/* A signal into its place in the collection. */
static bool ipa_recall_signal(struct job *j, unsigned metric)
{
    struct prvcut_signal *s = &j->data.signal[metric];
    struct prvcut_get g;
    char *bytes;
    bool done = s->name || ipa_load(j->trace, prvcut_metric_table[metric].name, &bytes, &g);

    if (!done || s->name)
        return done;
    prvcut_signal_get(&g, s, &prvcut_metric_table[metric]);
    free(bytes);
    return ipa_sound(j->trace, &g);
}

/* Those of the trace's own are in no index. */
static bool ipa_recall_signals(struct job *j, uint32_t metrics)
{
    bool done = metrics >> PRVCUT_METRICS == 0;

    for (unsigned i = 0; i < PRVCUT_METRICS && done; i++)
        if (metrics >> i & 1)
            done = ipa_recall_signal(j, i);
    return done;
}

/* How many calls there are that are not kept: older ones have no such section. */
static bool ipa_recall_beyond(struct job *j)
{
    struct prvcut_get g;
    char *bytes;
    bool done;

    if (!prvcut_kept_has(index_of(j->trace), "beyond"))
        return true;
    done = ipa_load(j->trace, "beyond", &bytes, &g);
    if (!done)
        return false;
    prvcut_calls_beyond_get(&g, &j->data);
    free(bytes);
    return ipa_sound(j->trace, &g);
}

static bool ipa_recall_calls(struct job *j, bool calls)
{
    struct prvcut_get g;
    char *bytes;
    bool done = ipa_load(j->trace, "calls", &bytes, &g);

    if (!done)
        return false;
    prvcut_calls_get(&g, &j->data, j->trace->objects.threads);
    free(bytes);
    done = ipa_sound(j->trace, &g) && ipa_recall_beyond(j);
    for (size_t i = 0; !calls && i < j->data.sequences; i++) {
        free(j->data.sequence[i].at);
        prvcut_call_marks_fini(&j->data.sequence[i].beyond);
    }
    if (!calls) {
        free(j->data.sequence);
        j->data.sequence = NULL;
        j->data.sequences = 0;
        j->data.calls_cut_short = false;
    }
    return done;
}

static bool ipa_is_whole_run(const struct job *j)
{
    return j->wish.only.start == 0 && j->wish.only.end == 0;
}

/* Were the signals kept over the bins that a reading would have? */
static bool ipa_bins_agree(const struct job *j, uint32_t metrics, bool calls)
{
    const size_t most = job_bins(j, metrics, calls),
                 read = job_bins_read(j, calls, j->data.counts.bytes,
                                      j->data.signal[PRVCUT_CLOCK].at != NULL);
    const struct prvcut_grid g = prvcut_grid_fit(0, j->end_ns, read < most ? read : most);

    for (unsigned i = 0; i < PRVCUT_METRICS; i++)
        if (j->data.signal[i].at && j->data.signal[i].width != g.width)
            return false;
    return true;
}

bool index_recall_collection(struct job *j, uint32_t metrics, bool calls)
{
    const uint64_t end_ns = j->end_ns;
    bool done = !j->run->set && ipa_is_whole_run(j) && index_of(j->trace) &&
                index_recall_blocks(j->trace) && ipa_recall_input(j, calls) &&
                ipa_recall_signals(j, metrics) && ipa_bins_agree(j, metrics, calls) &&
                ipa_recall_calls(j, calls);

    if (done)
        return true;
    prvcut_collection_fini(&j->data);
    j->end_ns = end_ns;
    j->calls_are_regions = j->calls_are_states = false;
    return false;
}

const char *index_division_name(const struct job *j)
{
    if (j->wish.metrics || prvcut_asked_all_given(j->trace) > 0 || !ipa_is_whole_run(j) ||
        j->wish.period_ns > 0 || j->wish.levels > 1)
        return NULL;
    return j->wish.levels == 1 ? "divided.1" : "divided.all";
}

static void ipa_put_others(struct prvcut_put *p, const struct job_others *o)
{
    prvcut_put_u64(p, o->followers);
    prvcut_put_u64(p, o->compared);
    prvcut_put_f64(p, o->iterations);
    prvcut_put_f64(p, o->period_ns);
}

static void ipa_get_others(struct prvcut_get *g, struct job_others *o)
{
    o->followers = prvcut_get_u64(g);
    o->compared = prvcut_get_u64(g);
    o->iterations = prvcut_get_f64(g);
    o->period_ns = prvcut_get_f64(g);
    prvcut_get_check(g, o->followers <= o->compared && o->iterations >= 0 && o->period_ns >= 0);
}

void index_put_division(struct prvcut_put *p, const struct job *j)
{
    const struct made_reduction *r = j->out;

    prvcut_put_u32(p, r->is.periodic);
    prvcut_put_text(p, r->is.reason);
    prvcut_put_f64(p, r->is.period_ns);
    prvcut_put_f64(p, r->is.median_ns);
    prvcut_put_f64(p, r->is.spread_ns);
    prvcut_put_f64(p, r->is.iterations);
    prvcut_put_f64(p, r->is.calls_per_iteration);
    prvcut_put_span(p, r->is.phase.start, r->is.phase.end);
    prvcut_put_f64(p, r->is.confidence);
    prvcut_votes_put(p, r->vote, r->is.votes);
    prvcut_structure_put(p, &r->structure);
    prvcut_put_u64(p, j->mask_spans);
    for (size_t i = 0; i < j->mask_spans; i++)
        prvcut_put_span(p, j->mask[i].start, j->mask[i].end);
    ipa_put_others(p, &j->others);
    prvcut_known_loops_put(p, &j->known, j->data.signal, r->structure.is.regions);
    /* Which level is cut by default depends on it. */
    prvcut_put_u32(p, j->loop.found);
    prvcut_put_f64(p, j->loop.iterations);
}

static void ipa_get_verdict(struct prvcut_get *g, struct made_reduction *r)
{
    r->is.periodic = prvcut_get_bool(g);
    r->is.reason = prvcut_get_text(g);
    r->is.period_ns = prvcut_get_f64(g);
    r->is.median_ns = prvcut_get_f64(g);
    r->is.spread_ns = prvcut_get_f64(g);
    r->is.iterations = prvcut_get_f64(g);
    r->is.calls_per_iteration = prvcut_get_f64(g);
    r->is.phase.start = prvcut_get_u64(g);
    r->is.phase.end = prvcut_get_u64(g);
    r->is.confidence = prvcut_get_f64(g);
    prvcut_votes_get(g, &r->vote, &r->is.votes);
    prvcut_get_check(g, r->is.reason != NULL && r->is.votes <= PRVCUT_METRICS + 1);
}

static void ipa_get_masks(struct prvcut_get *g, struct job *j)
{
    j->mask_spans = prvcut_get_count(g, 16);
    j->mask = prvcut_get_room(g, j->mask_spans, sizeof *j->mask);
    for (size_t i = 0; j->mask && i < j->mask_spans; i++) {
        j->mask[i].start = prvcut_get_u64(g);
        j->mask[i].end = prvcut_get_u64(g);
        prvcut_get_check(g, j->mask[i].start <= j->mask[i].end &&
                                (i == 0 || j->mask[i].start >= j->mask[i - 1].end));
    }
}

static const struct prvcut_signal *ipa_signal_for(void *ctx, unsigned metric)
{
    struct job *j = ctx;

    return ipa_recall_signal(j, metric) ? &j->data.signal[metric] : NULL;
}

/* Whoever draws the run asks the witnesses for their signals. */
static void ipa_name_witnesses(struct job *j)
{
    const struct made_reduction *r = j->out;

    j->witnesses = r->is.votes;
    for (size_t i = 0; i < r->is.votes; i++) {
        j->witness[i].name = r->vote[i].metric;
        j->witness[i].calls = strcmp(r->vote[i].metric, "calls") == 0;
    }
}

static bool ipa_get_division(struct job *j, const char *name)
{
    const struct prvcut_keep_signals signals = { .ctx = j, .get = ipa_signal_for };
    struct made_reduction *r = j->out;
    struct prvcut_get g;
    char *bytes;

    if (!ipa_load(j->trace, name, &bytes, &g))
        return false;
    ipa_get_verdict(&g, r);
    prvcut_structure_get(&g, &r->structure);
    /* The texts stand in these bytes. */
    r->structure.texts = bytes;
    ipa_get_masks(&g, j);
    ipa_get_others(&g, &j->others);
    if (!g.bad)
        prvcut_known_loops_get(&g, &j->known, &r->structure, j->trace->objects.threads,
                               j->options ? &signals : NULL);
    j->loop.found = prvcut_get_bool(&g);
    j->loop.iterations = prvcut_get_f64(&g);
    return ipa_sound(j->trace, &g);
}

/* Back to where nothing was found. */
static void ipa_forget(struct job *j, uint64_t end_ns)
{
    struct made_reduction *r = j->out;

    prvcut_collection_fini(&j->data);
    prvcut_known_loops_fini(&j->known);
    api_structure_fini(&r->structure);
    free(r->vote);
    free(j->mask);
    j->mask = NULL;
    j->mask_spans = 0;
    j->others = (struct job_others){ 0 };
    j->loop = (struct prvcut_loop){ .found = false };
    j->end_ns = end_ns;
    j->calls_are_regions = j->calls_are_states = false;
    r->vote = NULL;
    r->is.votes = 0;
    r->is.periodic = false;
    r->is.reason = r->structure.is.reason = "";
    r->is.period_ns = r->is.median_ns = r->is.spread_ns = r->is.iterations = 0;
    r->is.calls_per_iteration = r->is.confidence = 0;
    r->is.phase = (struct prvcut_span){ 0, 0 };
}

/* All votes are for metrics that are known. */
static bool ipa_witnesses_known(const struct job *j)
{
    for (size_t i = 0; i < j->witnesses; i++)
        if (!j->witness[i].calls && !job_signal(j, j->witness[i].name))
            return false;
    return true;
}

bool index_recall_division(struct job *j)
{
    const char *name = index_division_name(j);
    const bool draws = j->options && j->options->report;
    const uint64_t end_ns = j->end_ns;
    uint32_t metrics;
    bool calls, done;

    if (j->run->set || !name || !index_of(j->trace) || job_metrics(j, &metrics, &calls, NULL) < 0)
        return false;
    /* Borders of threads are told by calls and looked for in blocks; why an iteration is slow is
       told by flushes. */
    done = index_recall_blocks(j->trace) && ipa_recall_input(j, true) &&
           ipa_recall_calls(j, true) && ipa_get_division(j, name);
    if (done && draws) {
        ipa_name_witnesses(j);
        done = ipa_recall_signals(j, metrics) && ipa_witnesses_known(j);
    }
    if (!done)
        ipa_forget(j, end_ns);
    return done;
}
