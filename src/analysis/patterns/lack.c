#include "analysis/patterns/lack.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>

#define TEXT_ROOM 320

/* The loop at the top that holds most calls, however often it goes round; count 0: there is none.
 */
static struct pat_outermost lck_largest(const struct pat_nest *n)
{
    struct pat_outermost best = { .at = SIZE_MAX };
    uint64_t at = 0;

    for (size_t i = 0; i < n->count; i++) {
        const uint64_t calls = pat_calls(&n->bodies, n->top[i]);
        const uint32_t count = pat_count(n->top[i]);

        if (pat_is_loop(n->top[i]) && calls > best.count * best.calls)
            best = (struct pat_outermost){
                .at = i, .first = at, .count = count, .calls = calls / count
            };
        at += calls;
    }
    return best;
}

/* What a loop of three iterations and more lacks. */
static void lck_short(char *out, const struct pat_fit *f, enum pat_miss miss)
{
    const struct pat_outermost *o = &f->loop;
    const int length =
        snprintf(out, TEXT_ROOM, "the largest loop, %" PRIu32 " × %" PRIu64 " call%s, ", o->count,
                 o->calls, o->calls == 1 ? "" : "s");
    char *end = out + length;
    const size_t room = TEXT_ROOM - (size_t)length;

    if (miss == PAT_MISS_TIME)
        snprintf(end, room, "takes %.2g %% of the time", 100 * f->time);
    else if (miss == PAT_MISS_ALONE)
        snprintf(end, room, "is an inner one: its calls stand %" PRIu64 " times elsewhere, too",
                 o->others / o->calls);
    else
        snprintf(end, room, "holds %.0f %% of the calls and %.0f %% of the time", 100 * f->cover,
                 100 * f->time);
}

enum prvcut_status pat_lack(char **out, const struct pat_nest *n, const struct pat_thread *t,
                            const struct pat_given *given, struct prvcut_error *err)
{
    const struct pat_fit f = pat_fit_of(n, t);
    const struct pat_outermost largest = lck_largest(n);
    char text[TEXT_ROOM + 64];
    size_t length;

    if (largest.at == SIZE_MAX)
        snprintf(text, sizeof text, "nothing repeats by itself");
    else if (largest.count < 3 && largest.count * largest.calls > f.loop.count * f.loop.calls)
        snprintf(text, sizeof text,
                 "the largest loop, %" PRIu32 " × %" PRIu64
                 " call%s, goes round twice; it takes three",
                 largest.count, largest.calls, largest.calls == 1 ? "" : "s");
    else
        lck_short(text, &f, pat_fit_misses(&f, t));
    length = strlen(text);
    if (given && given->count > 0)
        snprintf(text + length, sizeof text - length, "; 'structure' tells %zu iterations%s",
                 given->count, given->sure ? "" : ", but is not sure");
    *out = prvcut_copied_text(text, "a reason", err);
    return *out ? PRVCUT_OK : PRVCUT_ENOMEM;
}
