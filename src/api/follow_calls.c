#include "api/follow_calls.h"

#include "base/search.h"
#include "structure/stretch.h"

#include <math.h>

/* Iterations that a thread must have repeated call by call, so that what follows can be told from
   them. */
#define FCA_REPEATED 2
/* Iterations behind the end of the loop that are none of it, however alike. */
#define FCA_BEHIND 4

/* The calls of one thread, those left out that only ask whether something has come. */
struct fca_calls {
    const struct prvcut_call *at;
    size_t count;
    size_t begin, end; /**< those in the last part of the loop */
};

static bool fca_counts(const struct fca_calls *c, size_t i)
{
    return !prvcut_call_polls(c->at[i].call);
}

static size_t fca_next(const struct fca_calls *c, size_t i)
{
    while (i < c->count && !fca_counts(c, i))
        i++;
    return i;
}

/* The one so many before that one; SIZE_MAX: it is not in the loop. */
static size_t fca_before(const struct fca_calls *c, size_t i, size_t so_many)
{
    while (so_many > 0 && i > c->begin)
        so_many -= fca_counts(c, --i) ? 1 : 0;
    return so_many > 0 ? SIZE_MAX : i;
}

/* Does each of from .. to - 1 repeat the one that is `lag` before it? */
static bool fca_repeats(const struct fca_calls *c, size_t from, size_t to, size_t lag)
{
    size_t earlier = fca_before(c, from, lag);

    if (earlier == SIZE_MAX)
        return false;
    for (size_t i = fca_next(c, from); i < to; i = fca_next(c, i + 1)) {
        earlier = fca_next(c, earlier);
        if (c->at[i].call != c->at[earlier++].call)
            return false;
    }
    return true;
}

/* Does the last part of the loop hold such a call? */
static bool fca_knows(const struct fca_calls *c, uint32_t call)
{
    for (size_t i = c->end; i-- > c->begin;)
        if (c->at[i].call == call)
            return true;
    return false;
}

static bool fca_all_known(const struct fca_calls *c)
{
    for (size_t i = fca_next(c, c->end); i < c->count; i = fca_next(c, i + 1))
        if (!fca_knows(c, c->at[i].call))
            return false;
    return true;
}

/* Where a thread's iterations differ in their calls, only calls of other names tell. */
static bool fca_is_stray(const struct fca_calls *c, double iterations)
{
    size_t calls = 0, lag, back;

    for (size_t i = fca_next(c, c->begin); i < c->end; i = fca_next(c, i + 1))
        calls++;
    lag = iterations >= 1 ? (size_t)round((double)calls / iterations) : 0;
    if (lag == 0)
        return false;
    if (fca_before(&(struct fca_calls){ .at = c->at, .begin = c->end }, c->count,
                   FCA_BEHIND * lag + 1) != SIZE_MAX)
        return true;
    back = fca_before(c, c->end, FCA_REPEATED * lag);
    if (back == SIZE_MAX || !fca_repeats(c, back, c->end, lag))
        return !fca_all_known(c);
    return !fca_repeats(c, c->end, c->count, lag);
}

bool follow_calls_stray(const struct made_structure *s, const struct prvcut_call_sequence *sequence,
                        size_t sequences)
{
    const struct made_region *last = NULL;

    for (size_t i = 0; s->is.main < s->is.regions && i < s->is.regions; i++)
        if (prvcut_regions_share_loop(&s->region[i], &s->region[s->is.main]) &&
            (!last || s->region[i].is.span.end > last->is.span.end))
            last = &s->region[i];
    for (size_t i = 0; last && i < sequences; i++) {
        struct fca_calls c = { .at = sequence[i].at, .count = sequence[i].count };

        c.begin = prvcut_lower_u64(c.at, c.count, sizeof *c.at, offsetof(struct prvcut_call, time),
                                   last->is.span.start);
        c.end = prvcut_lower_u64(c.at, c.count, sizeof *c.at, offsetof(struct prvcut_call, time),
                                 last->is.span.end);
        if (fca_is_stray(&c, last->is.iterations))
            return true;
    }
    return false;
}
