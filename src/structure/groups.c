#include "base/memory.h"
#include "structure/in_step.h"
#include "structure/search.h"

#include <math.h>
#include <stdlib.h>

/*
 * Programs that run beside each other: each group of threads repeats a loop of its own, and nothing
 * is common to them. Then the calls' loop of one group is an answer, though never a sure one.
 * Found by hand on coupled programs without an exchange, and on masters and workers, which are
 * none.
 *
 * name      value   unit             decides
 */
#define CALLS    8   /* of a thread that has a say */
#define THREADS  2   /* of a group, at least: workers that repeat their own tasks are none */
#define FOLLOW   0.5 /* share of those left over that must follow one loop */
#define MANY     8   /* iterations of each loop, at least */
#define STRENGTH 0.5 /* of each */
#define STEP                                                                                       \
    0.2          /* of the mean length: what half of the iterations differ by on two threads;      \
                    tasks of workers differ by more */
#define SAME 0.1 /* numbers of iterations that differ by less: one loop */

enum prvcut_status prvcut_search_is_group(bool *is, const struct prvcut_call_loop *l,
                                          struct prvcut_error *err)
{
    struct prvcut_step step;
    enum prvcut_status st;

    *is = false;
    if (!l->loop.found || l->followers < THREADS || l->loop.iterations < MANY ||
        l->loop.strength < STRENGTH)
        return PRVCUT_OK;
    st = prvcut_call_loop_step(&step, l, err);
    *is = st == PRVCUT_OK && step.apart < STEP;
    return st;
}

enum prvcut_status prvcut_search_groups(struct prvcut_search *s,
                                        const struct prvcut_call_sequence *part, size_t parts,
                                        struct prvcut_error *err)
{
    struct prvcut_call_sequence *left;
    struct prvcut_call_loop other = { 0 };
    const double own = s->calls.loop.iterations;
    size_t count = 0;
    bool other_is;
    enum prvcut_status st = prvcut_search_is_group(&s->groups, &s->calls, err);

    if (st < 0 || !s->groups)
        return st;
    s->groups = false;
    left = prvcut_unset(parts + 1, sizeof *left, "sequences", err);
    if (!left)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < parts; i++)
        if (s->calls.borders[i] == 0 && part[i].count >= CALLS)
            left[count++] = part[i];
    if (count >= THREADS)
        st = prvcut_call_loop_find(&other, left, count, err);
    if (st == PRVCUT_OK && count >= THREADS)
        st = prvcut_search_is_group(&other_is, &other, err);
    s->groups = st == PRVCUT_OK && count >= THREADS && other_is &&
                (double)other.followers >= FOLLOW * (double)count &&
                fabs(other.loop.iterations - own) > SAME * fmax(other.loop.iterations, own);
    prvcut_call_loop_fini(&other);
    free(left);
    return st;
}
