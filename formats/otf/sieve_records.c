#include "otf/sieve.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool srr_count(struct otf_sift *f, bool stays, uint64_t pairs)
{
    f->sum.events += stays;
    f->sum.dropped_events += !stays;
    *(stays ? &f->sum.pairs : &f->sum.dropped_pairs) += pairs;
    return stays;
}

static bool srr_pair(const struct otf_stream_cut *s, uint32_t type, int64_t value)
{
    const struct prvcut_rules *r = &s->sift->sieve->rules;

    return prvcut_rules_keep_events(r, s->now->thread) && prvcut_rules_keep_pair(r, type, value);
}

static bool srr_other(const struct otf_stream_cut *s)
{
    const struct otf_sieve *sieve = s->sift->sieve;

    return sieve->others && prvcut_rules_keep_thread(&sieve->rules, s->now->thread);
}

/* --- Functions ---------------------------------------------------------------------------- */

/* An MPI call inside another one is that one's own affair: it goes with it. */
static bool srr_nested(const struct otf_stream_cut *s, const struct otf_region *g)
{
    const struct prvcut_stack *open = &s->now->functions.open;

    for (size_t i = open->count - 1; i-- > 0;)
        if ((open->at[i].role & OTF_IS_MPI) && (open->at[i].role & OTF_LEFT_OUT))
            return false;
    return srr_pair(s, PRVCUT_TYPE_USER_FUNCTION, g->nested);
}

/* The place that it is called from is a pair of its own. */
static enum prvcut_status srr_strip_site(struct otf_stream_cut *s, const struct otf_record *r,
                                         const char **text, size_t *count, struct prvcut_error *err)
{
    struct prvcut_buffer own = { 0 };
    enum prvcut_status st = prvcut_buffer_printf(
        &own, err, s->long_form ? "%.*sENTER %" PRIx64 "\n" : "%.*sE%" PRIx64 "\n",
        (int)s->keys.count, s->keys.count > 0 ? s->keys.at : "", r->number);

    s->text.count = 0;
    if (st == PRVCUT_OK)
        st = prvcut_buffer_append(&s->text, own.at, own.count, err);
    prvcut_buffer_fini(&own);
    *text = s->text.at;
    *count = s->text.count;
    return st;
}

static enum prvcut_status srr_enter(struct otf_stream_cut *s, const struct otf_record *r,
                                    const char **text, size_t *count, bool *stays,
                                    struct prvcut_error *err)
{
    struct prvcut_stack *open = &s->now->functions.open;
    const struct otf_region *g = otf_region_of(s->cutter->trace, s->stream, r->number);
    const bool sited = r->site > 0 && r->site <= UINT32_MAX && s->cutter->trace->sites;

    if (!g)
        *stays = srr_other(s);
    else if (g->kind == OTF_MPI && s->now->mpi > 0)
        *stays = srr_nested(s, g);
    else
        *stays = srr_pair(s, g->type, g->value);
    const bool mpi = g && g->kind == OTF_MPI;

    open->at[open->count - 1].role = (*stays ? 0 : OTF_LEFT_OUT) | (mpi ? OTF_IS_MPI : 0);
    s->now->mpi += mpi;
    srr_count(s->sift, *stays, 1);
    if (!sited)
        return PRVCUT_OK;
    if (*stays && srr_pair(s, PRVCUT_TYPE_CALLER_LINE, (int64_t)r->site)) {
        s->sift->sum.pairs++;
        return PRVCUT_OK;
    }
    s->sift->sum.dropped_pairs++;
    return *stays ? srr_strip_site(s, r, text, count, err) : PRVCUT_OK;
}

bool otf_sift_leave(struct otf_stream_cut *s, const struct prvcut_frame *gone)
{
    s->now->mpi -= (gone->role & OTF_IS_MPI) != 0;
    return srr_count(s->sift, !(gone->role & OTF_LEFT_OUT), 1);
}

/* --- Collectives, counters ---------------------------------------------------------------- */

/* What tells of a collective goes with its call. */
static bool srr_collective(struct otf_stream_cut *s, const struct otf_record *r)
{
    struct otf_cut_track *t = s->now;
    const struct prvcut_stack *in = &t->functions.open;
    const bool stays = s->sift->sieve->collectives && srr_pair(s, PRVCUT_TYPE_COMMUNICATOR, 1) &&
                       (in->count == 0 || !(in->at[in->count - 1].role & OTF_LEFT_OUT));

    if (r->kind == OTF_COLLECTIVE_BEGIN)
        otf_opens_leave_out(&t->collectives, !stays);
    return srr_count(s->sift, stays, 3);
}

static bool srr_counter(const struct otf_stream_cut *s, const struct otf_record *r)
{
    const struct otf_counter *k = otf_counter_of(s->cutter->trace, s->stream, r->number);

    if (!k)
        return srr_other(s);
    return srr_pair(s, k->type, k->gauge ? otf_counter_value(k, r->value) : 1);
}

/* --- Messages ----------------------------------------------------------------------------- */

/* As its send goes or stays; as it would itself where none is recorded. */
static enum prvcut_status srr_sender(struct otf_stream_cut *s, const struct otf_record *r,
                                     uint32_t peer, bool *stays, struct prvcut_error *err)
{
    const struct prvcut_sends_key key = { .from = peer,
                                          .to = s->now->thread,
                                          .communicator =
                                              (uint32_t)otf_channel_comm(s->cutter->trace, r->comm),
                                          .tag = r->tag };
    struct otf_sift_channel *c = prvcut_table_make(&s->sift->receives, &key, err);

    if (!c)
        return PRVCUT_ENOMEM;
    *stays = prvcut_sends_stays(&s->sift->sieve->sends, &key, c->next++, *stays);
    return PRVCUT_OK;
}

static enum prvcut_status srr_message(struct otf_stream_cut *s, const struct otf_record *r,
                                      bool *stays, struct prvcut_error *err)
{
    const uint32_t peer = otf_thread_of(s->cutter->trace, r->number);
    struct otf_sift *f = s->sift;

    *stays = prvcut_rules_keep_between(&f->sieve->rules, s->now->thread, peer, r->length);
    if (r->kind == OTF_SEND)
        *(*stays ? &f->sum.messages : &f->sum.dropped_messages) += 1;
    else if (f->sieve->by_size && peer != PRVCUT_NOBODY)
        return srr_sender(s, r, peer, stays, err);
    return PRVCUT_OK;
}

/* ------------------------------------------------------------------------------------------ */

enum prvcut_status otf_sift_record(struct otf_stream_cut *s, const struct otf_record *r,
                                   const char **text, size_t *count, bool *stays,
                                   struct prvcut_error *err)
{
    *stays = true;
    if (!s->sift)
        return PRVCUT_OK;
    switch (r->kind) {
    case OTF_ENTER:
        return srr_enter(s, r, text, count, stays, err);
    case OTF_SEND:
    case OTF_RECEIVE:
        return srr_message(s, r, stays, err);
    case OTF_COLLECTIVE:
    case OTF_COLLECTIVE_BEGIN:
        *stays = srr_collective(s, r);
        break;
    case OTF_COUNTER:
        *stays = srr_count(s->sift, srr_counter(s, r), 1);
        break;
    case OTF_OTHER:
        *stays = srr_count(s->sift, srr_other(s), 0);
        break;
    case OTF_PROCESS_BEGIN:
    case OTF_PROCESS_END:
    case OTF_COLLECTIVE_END:
        srr_count(s->sift, true, 0);
        break;
    case OTF_LEAVE:
    case OTF_COMMENT:
    case OTF_NOTHING:
    case OTF_TIME:
    case OTF_PROCESS:
    case OTF_KEY_VALUE:
    case OTF_BAD:
    case OTF_TOO_LARGE:
        break;
    }
    return PRVCUT_OK;
}

struct otf_sift *otf_sift_new(const struct otf_sieve *s)
{
    struct otf_sift *f = prvcut_zeroed(1, sizeof *f, "a filter", NULL);

    if (!f)
        return NULL;
    f->sieve = s;
    f->receives = (struct prvcut_table)PRVCUT_TABLE(struct otf_sift_channel, next, "channels");
    return f;
}

void otf_sift_free(struct otf_sift *f)
{
    if (f)
        prvcut_table_fini(&f->receives);
    free(f);
}

void otf_sift_add(struct prvcut_filter_summary *sum, const struct otf_sift *f)
{
    if (!f || !sum)
        return;
    prvcut_rules_add_up(sum, &f->sum);
}
