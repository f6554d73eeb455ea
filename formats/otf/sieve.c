#include "otf/sieve.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- Which sends stay --------------------------------------------------------------------- */

/* A reading for the sizes of sends, stream by stream. */
struct sie_survey {
    const struct prvcut_rules *rules;
    struct prvcut_sends *sends;
};

static enum prvcut_status sie_begin(void *ctx, unsigned worker, uint64_t part, void **state,
                                    struct prvcut_error *err)
{
    struct prvcut_sends *sends = prvcut_zeroed(1, sizeof *sends, "a stream", err);

    (void)ctx, (void)worker, (void)part;
    *state = sends;
    if (!sends)
        return PRVCUT_ENOMEM;
    prvcut_sends_init(sends);
    return PRVCUT_OK;
}

static enum prvcut_status sie_batch(void *ctx, unsigned worker, void *state,
                                    const struct prvcut_batch *b, struct prvcut_error *err)
{
    const struct sie_survey *y = ctx;
    enum prvcut_status st = PRVCUT_OK;

    (void)worker;
    for (size_t i = 0; i < b->halves && st == PRVCUT_OK; i++) {
        const struct prvcut_half *h = &b->half[i];
        const struct prvcut_sends_key key = { .from = h->thread,
                                              .to = h->peer,
                                              .communicator = h->communicator,
                                              .tag = (uint64_t)h->tag };

        if (!h->receive)
            st = prvcut_sends_note(state, &key, 1,
                                   prvcut_rules_keep_between(y->rules, h->thread, h->peer, h->size),
                                   err);
    }
    return st;
}

static enum prvcut_status sie_join(void *ctx, void *state, struct prvcut_error *err)
{
    const struct sie_survey *y = ctx;

    return prvcut_sends_move(y->sends, state, err);
}

static void sie_discard(void *ctx, void *state)
{
    (void)ctx;
    if (state)
        prvcut_sends_fini(state);
    free(state);
}

static enum prvcut_status sie_read_sends(struct otf_sieve *s, struct prvcut_trace *t,
                                         const struct prvcut_run *run, struct prvcut_error *err)
{
    struct sie_survey y = { &s->rules, &s->sends };
    const struct prvcut_consumer consumer = { .messages = true,
                                              .ctx = &y,
                                              .begin = sie_begin,
                                              .batch = sie_batch,
                                              .join = sie_join,
                                              .discard = sie_discard };

    return s->by_size ? otf_scan(t, run, &consumer, NULL, err) : PRVCUT_OK;
}

/* --- Making ------------------------------------------------------------------------------- */

/* A running total has all its readings, or none; levels stand for themselves. */
static enum prvcut_status sie_judge_counters(const struct otf_sieve *s, const struct otf_names *n,
                                             struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    bool stays;

    for (size_t i = 0; n && i < n->counters && st == PRVCUT_OK; i++)
        if (!n->counter[i].gauge)
            st = prvcut_rules_suit_counter(&s->rules, n->counter[i].type, n->counter[i].name,
                                           &stays, err);
    return st;
}

static enum prvcut_status sie_init(struct otf_sieve *out, const struct otf_trace *t,
                                   const struct prvcut_cut_options *options,
                                   struct prvcut_notes *notes, struct prvcut_error *err)
{
    struct prvcut_rule_labels labels;
    enum prvcut_status st;

    *out = (struct otf_sieve){ .by_size = false };
    prvcut_sends_init(&out->sends);
    st = otf_dictionary(t, &out->dictionary, err);
    labels = prvcut_rule_labels_of(&out->dictionary);
    if (st == PRVCUT_OK)
        st = prvcut_rules_init(&out->rules, options->filter, options->filters, &labels,
                               &t->base.objects, notes, err);
    if (st == PRVCUT_OK)
        st = prvcut_rules_suit_archive(&out->rules, &out->dictionary, &t->base, &out->collectives,
                                       err);
    out->by_size = prvcut_rules_ask_sizes(&out->rules) && !prvcut_rules_drop_messages(&out->rules);
    out->others = !prvcut_rules_drop_events(&out->rules) && !prvcut_rules_list_events(&out->rules);
    if (st == PRVCUT_OK)
        st = sie_judge_counters(out, &t->names, err);
    for (uint32_t i = 0; i < t->streams && st == PRVCUT_OK; i++)
        st = sie_judge_counters(out, t->stream[i].names, err);
    return st;
}

static void sie_fini(struct otf_sieve *s)
{
    prvcut_rules_fini(&s->rules);
    prvcut_dictionary_fini(&s->dictionary);
    prvcut_sends_fini(&s->sends);
}

/* --- The trace ---------------------------------------------------------------------------- */

enum prvcut_status otf_filter_check(const struct prvcut_trace *t,
                                    const struct prvcut_cut_options *options,
                                    struct prvcut_error *err)
{
    struct prvcut_notes notes = { 0 };
    struct otf_sieve sieve;
    const enum prvcut_status st =
        sie_init(&sieve, (const struct otf_trace *)t, options, &notes, err);

    sie_fini(&sieve);
    prvcut_notes_fini(&notes);
    return st;
}

enum prvcut_status otf_filter(struct prvcut_trace *t, const struct prvcut_run *run,
                              const struct prvcut_cut_options *options,
                              struct prvcut_filter_summary *out, struct prvcut_error *err)
{
    struct otf_trace *trace = (struct otf_trace *)t;
    struct prvcut_cut_summary sum = { 0 };
    struct prvcut_notes notes = { 0 };
    struct otf_sieve sieve;
    enum prvcut_status st = sie_init(&sieve, trace, options, &notes, err);

    if (st == PRVCUT_OK)
        st = sie_read_sends(&sieve, t, run, err);
    if (st == PRVCUT_OK)
        st = otf_copy(trace, run, &(struct otf_change){ .sieve = &sieve, .counts = out }, options,
                      &sum, err);
    if (st == PRVCUT_OK)
        st = prvcut_rules_tell_unmet(&sieve.rules, prvcut_trace_part(t), &notes, err);
    prvcut_rules_hand_over(out, &notes, &sum);
    sie_fini(&sieve);
    return st;
}
