#include "analysis/patterns/numbers.h"

#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>

/* Two iterations are one if they share so much of the longer one: borders of a nest may lie
   elsewhere in it than those of the structure. */
#define SHARED 0.4
/* So many of those that meet one of the structure are the same one, of one loop. */
#define AGREED 0.75

static uint64_t num_overlap(struct prvcut_span a, struct prvcut_span b)
{
    const uint64_t start = a.start > b.start ? a.start : b.start;
    const uint64_t end = a.end < b.end ? a.end : b.end;

    return end > start ? end - start : 0;
}

static uint64_t num_longer(struct prvcut_span a, struct prvcut_span b)
{
    return a.end - a.start > b.end - b.start ? a.end - a.start : b.end - b.start;
}

/* Votes for how far apart numbers are. */
struct num_votes {
    uint64_t *at; /* [room] of a shift of [i] - below */
    uint64_t below, room;
    uint64_t met;
};

/* Each iteration votes for that of the structure with which it has most in common. */
static void num_vote(struct num_votes *v, const struct pat_track *t, const struct pat_numbered *s)
{
    size_t k = 0;

    for (uint64_t i = 0; i < t->count; i++) {
        const struct prvcut_span own = { t->begin[i], t->begin[i] + t->length[i] };
        uint64_t most = 0, longer = 1, number = 0;

        while (k < s->count && prvcut_window_own(&s->window[k], t->thread).end <= own.start)
            k++;
        for (size_t n = k; n < s->count; n++) {
            const struct prvcut_span that = prvcut_window_own(&s->window[n], t->thread);
            const uint64_t shared = num_overlap(own, that);

            if (that.start >= own.end)
                break;
            if (shared <= most)
                continue;
            most = shared;
            longer = num_longer(own, that);
            number = s->number[n];
        }
        v->met += most > 0;
        if ((double)most >= SHARED * (double)longer)
            v->at[number + v->below - i]++;
    }
}

enum prvcut_status pat_numbers_compare(struct pat_numbers *out, const struct pat_points *p,
                                       const struct pat_numbered *structure,
                                       struct prvcut_error *err)
{
    const uint64_t fewer = structure->count < p->iterations ? structure->count : p->iterations;
    struct num_votes v = { .below = p->iterations };
    uint64_t best = 0;

    *out = (struct pat_numbers){ .same = false };
    if (fewer == 0)
        return PRVCUT_OK;
    v.room = p->iterations + structure->number[structure->count - 1] + 1;
    v.at = prvcut_zeroed(v.room, sizeof *v.at, "iterations", err);
    if (!v.at)
        return PRVCUT_ENOMEM;
    for (size_t t = 0; t < p->tracks; t++)
        num_vote(&v, &p->track[t], structure);
    for (uint64_t i = 0; i < v.room; i++)
        if (v.at[i] > v.at[best])
            best = i;
    out->shift = (int64_t)best - (int64_t)v.below;
    out->same = (double)v.at[best] >= AGREED * (double)v.met && 2 * v.at[best] >= fewer * p->tracks;
    free(v.at);
    return PRVCUT_OK;
}

struct num_sought {
    const struct pat_numbered *structure;
    uint32_t thread;
    uint64_t start;
};

static bool num_ends_behind(const void *ctx, size_t i)
{
    const struct num_sought *k = ctx;

    return prvcut_window_own(&k->structure->window[i], k->thread).end > k->start;
}

bool pat_numbers_within(const struct pat_numbered *structure, uint32_t thread,
                        struct prvcut_span stretch, uint64_t *first, uint64_t *last)
{
    const struct num_sought from = { structure, thread, stretch.start };

    *first = *last = 0;
    for (size_t n = prvcut_first(0, structure->count, num_ends_behind, &from); n < structure->count;
         n++) {
        const struct prvcut_span that = prvcut_window_own(&structure->window[n], thread);
        const uint64_t shared = num_overlap(stretch, that);
        const bool holds = 2 * shared > that.end - that.start;

        if (that.start >= stretch.end)
            break;
        if (shared == 0 || (!holds && 2 * shared <= stretch.end - stretch.start))
            continue;
        *last = structure->number[n];
        *first = *first == 0 ? *last : *first;
    }
    return *first > 0;
}
