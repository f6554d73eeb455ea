#include "otf2/sieve.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

/* --- What cannot be given ----------------------------------------------------------------- */

/* A record of a metric has all its counters, and a running total each of its readings. */
static enum prvcut_status siv_judge_metrics(struct o2_sieve *s, struct prvcut_error *err)
{
    const struct o2_definitions *d = &s->trace->defs;
    enum prvcut_status st = PRVCUT_OK;

    s->member = prvcut_zeroed(d->members_of + 1, sizeof *s->member, "metrics", err);
    if (!s->member)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < d->members_of && st == PRVCUT_OK; i++)
        st = prvcut_rules_suit_counter(&s->rules, d->member_of[i].type, d->member_of[i].name,
                                       &s->member[i], err);
    return st;
}

/* --- Making ------------------------------------------------------------------------------- */

static enum prvcut_status siv_judge(struct o2_sieve *s, struct prvcut_error *err)
{
    const struct prvcut_rules *r = &s->rules;
    const enum prvcut_status st =
        prvcut_rules_suit_archive(r, &s->dictionary, &s->trace->base, &s->collectives, err);

    s->by_size = prvcut_rules_ask_sizes(r);
    s->by_thread = prvcut_rules_ask_threads(r);
    s->messages = !prvcut_rules_drop_messages(r);
    s->others = !prvcut_rules_drop_events(r) && !prvcut_rules_list_events(r);
    return st == PRVCUT_OK ? siv_judge_metrics(s, err) : st;
}

enum prvcut_status o2_sieve_init(struct o2_sieve *out, const struct o2_trace *t,
                                 const struct prvcut_cut_options *options,
                                 struct prvcut_notes *notes, struct prvcut_error *err)
{
    const struct o2_definitions *d = &t->defs;
    struct prvcut_rule_labels labels;
    enum prvcut_status st;

    assert(!t->own);
    *out = (struct o2_sieve){ .trace = t };
    st = o2_dictionary(t, &out->dictionary, err);
    labels = prvcut_rule_labels_of(&out->dictionary);
    if (st == PRVCUT_OK)
        st = prvcut_rules_init(&out->rules, options->filter, options->filters, &labels,
                               &t->base.objects, notes, err);
    if (st == PRVCUT_OK)
        st = siv_judge(out, err);
    for (size_t i = 0; i < d->regions && st == PRVCUT_OK; i++)
        st = o2_ids_put(&out->region_at, d->region[i].id, i, err);
    return st;
}

void o2_sieve_fini(struct o2_sieve *s)
{
    prvcut_rules_fini(&s->rules);
    prvcut_dictionary_fini(&s->dictionary);
    o2_ids_fini(&s->region_at);
    free(s->member);
    *s = (struct o2_sieve){ 0 };
}

bool o2_sieve_member(const struct o2_sieve *s, OTF2_MetricRef metric, uint8_t k)
{
    const struct o2_metric *m = o2_metric_of(&s->trace->defs, metric);

    return !m || m->trouble || k >= m->count || s->member[m->first + k];
}

struct o2_sift *o2_sift_new(const struct o2_sieve *s, uint32_t thread)
{
    struct o2_sift *f = prvcut_zeroed(1, sizeof *f, "a filter", NULL);

    if (!f)
        return NULL;
    f->sieve = s;
    f->thread = prvcut_rules_keep_thread(&s->rules, thread);
    prvcut_sends_init(&f->sends);
    f->posts = (struct prvcut_table)PRVCUT_TABLE(struct o2_sift_post, number, "requests");
    return f;
}

void o2_sift_free(struct o2_sift *f)
{
    if (!f)
        return;
    prvcut_sends_fini(&f->sends);
    prvcut_table_fini(&f->posts);
    free(f->gone);
    prvcut_stack_fini(&f->open);
    free(f);
}

void o2_sift_add(struct prvcut_filter_summary *sum, const struct o2_sift *f)
{
    if (!f)
        return;
    prvcut_rules_add_up(sum, &f->sum);
}
