#include "api/job_borders.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "structure/align_each.h"

#include <stdlib.h>
#include <string.h>

void job_borders_fini(struct job_borders *b)
{
    free(b->at);
    memset(b, 0, sizeof *b);
}

/* Is every thread among those whose own borders are known? */
static bool jbo_knows_all(const struct job *j, const struct prvcut_known_loop *l)
{
    uint32_t known = 0;

    for (size_t i = 0; i < l->calls.sequences; i++)
        known += l->calls.borders[i] > 0;
    return known == j->trace->objects.threads;
}

bool job_borders_apart(const struct job *j, const struct prvcut_known_loop *l, uint32_t application)
{
    const struct prvcut_objects *o = &j->trace->objects;
    bool compared = false;

    if (!l || j->calls_are_regions || j->calls_are_states)
        return false;
    for (size_t i = 0; i < l->calls.sequences; i++) {
        const uint32_t task = o->thread_task[l->sequence[i].thread];

        if (prvcut_objects_application(o, task) != application || l->sequence[i].count == 0)
            continue;
        if (l->calls.borders[i] > 0)
            return false;
        compared = true;
    }
    return compared;
}

enum prvcut_status job_borders_want(struct job_borders *b, const struct job *j,
                                    const struct job_row *row, size_t bound,
                                    struct prvcut_error *err)
{
    const size_t threads = j->trace->objects.threads;
    const bool by_calls = row->loop && row->loop->calls.sequences > 0;
    const size_t first = by_calls ? job_row_first(row) : SIZE_MAX;

    if (row->borders < 2 || (by_calls && jbo_knows_all(j, row->loop)))
        return PRVCUT_OK;
    if (first == SIZE_MAX || j->calls_are_regions || j->calls_are_states) {
        b->missed |= threads > 1;
        return PRVCUT_OK;
    }
    if (prvcut_grow((void **)&b->at, &b->room, b->count + 2, sizeof *b->at, err) < 0)
        return PRVCUT_ENOMEM;
    b->at[b->count++] = (struct job_border){ row->loop, first, bound };
    b->at[b->count++] = (struct job_border){ row->loop, first + row->borders - 1, bound + threads };
    return PRVCUT_OK;
}

static int jbo_by_place(const void *a, const void *b)
{
    const struct job_border *x = a, *y = b;

    if (x->loop != y->loop)
        return x->loop < y->loop ? -1 : 1;
    if (x->k != y->k)
        return x->k < y->k ? -1 : 1;
    return (x->bound > y->bound) - (x->bound < y->bound);
}

/* A border as far from the leading thread's as the known one `near` is, between its neighbours;
   high UINT64_MAX: it has none behind it. */
static uint64_t jbo_between(const uint64_t *own, const uint64_t *led, size_t k, size_t near,
                            uint64_t low, uint64_t high)
{
    const uint64_t at = led[k] + (own[near] - led[near]);

    if (at > low && at < high)
        return at;
    return high == UINT64_MAX ? low + 1 : low / 2 + high / 2;
}

/* Where a thread is an iteration behind for a while, two borders find one call: the later is not
   known. */
static void jbo_drop_twice(uint64_t *own, size_t count)
{
    uint64_t last = 0;

    for (size_t k = 0; k < count; k++)
        if (own[k] <= last)
            own[k] = 0;
        else
            last = own[k];
}

/*
 * A border of a thread that is not known lies as far from the leading thread's as the nearest one
 * that is: with that itself, iterations could hold the same calls twice. Where none is known, it
 * stays so. own: [count], 0: unknown; led: [count]
 */
static bool jbo_fill(uint64_t *own, const uint64_t *led, size_t count)
{
    size_t first = 0, last = count;
    bool filled = false;

    jbo_drop_twice(own, count);
    while (first < count && own[first] == 0)
        first++;
    while (last > first && own[last - 1] == 0)
        last--;
    if (first == count)
        return count > 0;
    for (size_t k = first; k-- > 0; filled = true)
        own[k] = jbo_between(own, led, k, first, 0, own[k + 1]);
    for (size_t k = last; k < count; k++, filled = true)
        own[k] = jbo_between(own, led, k, last - 1, own[k - 1], UINT64_MAX);
    for (size_t k = first + 1, next; k < last; k = next + 1) {
        for (next = k; own[next] == 0;)
            next++;
        for (size_t i = k; i < next; i++, filled = true)
            own[i] =
                jbo_between(own, led, i, i - k < next - i ? k - 1 : next, own[i - 1], own[next]);
    }
    return filled;
}

/* The same of all threads; at: [each->count][threads], room: [2 * each->count]. Were any unknown?
 */
static bool jbo_fill_all(uint64_t *at, const struct prvcut_align_each *each,
                         const struct prvcut_known_loop *l, size_t threads, uint64_t *room)
{
    size_t borders;
    const uint64_t *lead = prvcut_known_loop_borders(l, &borders);
    uint64_t *own = room, *led = room + each->count;
    bool any = false;

    for (size_t i = 0; i < each->count; i++)
        led[i] = lead[each->k[i]];
    for (size_t t = 0; t < threads; t++) {
        for (size_t i = 0; i < each->count; i++)
            own[i] = at[i * threads + t];
        any |= jbo_fill(own, led, each->count);
        for (size_t i = 0; i < each->count; i++)
            at[i * threads + t] = own[i];
    }
    return any;
}

/* --- What was read ---------------------------------------------------------------------------- */

/* More numbers are not kept. */
#define KEPT_MOST ((size_t)1 << 21)

/* Borders of a loop that were asked for together, and where all threads have them: what one is
   depends on those that are read with it. */
struct job_kept_borders {
    const struct prvcut_known_loop *loop;
    size_t *k; /* [count] among those of the loop; owned */
    size_t count;
    uint64_t *at; /* [count][threads]; owned */
    struct job_kept_borders *next;
};

struct job_kept {
    struct job_kept_borders *first;
    size_t numbers; /* of all */
};

enum prvcut_status job_borders_keep(struct job *j, struct prvcut_error *err)
{
    if (!j->kept)
        j->kept = prvcut_zeroed(1, sizeof *j->kept, "borders", err);
    return j->kept ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static void jbo_kept_free(struct job_kept_borders *b)
{
    if (!b)
        return;
    free(b->k);
    free(b->at);
    free(b);
}

void job_borders_forget(struct job *j)
{
    struct job_kept_borders *next;

    for (struct job_kept_borders *b = j->kept ? j->kept->first : NULL; b; b = next) {
        next = b->next;
        jbo_kept_free(b);
    }
    free(j->kept);
    j->kept = NULL;
}

static const struct job_kept_borders *jbo_find_kept(const struct job *j,
                                                    const struct prvcut_known_loop *l,
                                                    const struct prvcut_align_each *each)
{
    const struct job_kept_borders *b = j->kept ? j->kept->first : NULL;

    while (b && (b->loop != l || b->count != each->count ||
                 memcmp(b->k, each->k, b->count * sizeof *b->k) != 0))
        b = b->next;
    return b;
}

static enum prvcut_status jbo_keep(const struct job *j, const struct prvcut_known_loop *l,
                                   const struct prvcut_align_each *each, const uint64_t *at,
                                   struct prvcut_error *err)
{
    const size_t numbers = each->count * j->trace->objects.threads;
    struct job_kept_borders *b;

    if (!j->kept || numbers > KEPT_MOST - j->kept->numbers)
        return PRVCUT_OK;
    b = prvcut_zeroed(1, sizeof *b, "borders", err);
    if (!b)
        return PRVCUT_ENOMEM;
    *b = (struct job_kept_borders){ .loop = l, .count = each->count, .next = j->kept->first };
    b->k = prvcut_unset(each->count + 1, sizeof *b->k, "borders", err);
    b->at = prvcut_unset(numbers + 1, sizeof *b->at, "borders", err);
    if (!b->k || !b->at) {
        jbo_kept_free(b);
        return PRVCUT_ENOMEM;
    }
    memcpy(b->k, each->k, each->count * sizeof *b->k);
    memcpy(b->at, at, numbers * sizeof *b->at);
    j->kept->first = b;
    j->kept->numbers += numbers;
    return PRVCUT_OK;
}

/* at: [each->count][threads] */
static enum prvcut_status jbo_read(const struct job *j, const struct prvcut_known_loop *l,
                                   const struct prvcut_align_each *each, uint64_t *at,
                                   struct prvcut_error *err)
{
    const struct job_kept_borders *b = jbo_find_kept(j, l, each);
    enum prvcut_status st;

    if (b) {
        memcpy(at, b->at, b->count * j->trace->objects.threads * sizeof *at);
        return PRVCUT_OK;
    }
    st = prvcut_align_each(at, j->trace, j->run, each, err);
    return st == PRVCUT_OK ? jbo_keep(j, l, each, at, err) : st;
}

/* --- On all threads --------------------------------------------------------------------------- */

/* Borders [from, end), of one loop, on all threads. */
static enum prvcut_status jbo_align_loop(struct job_borders *b, const struct job *j, size_t from,
                                         size_t end, uint64_t *bound, struct prvcut_error *err)
{
    const size_t threads = j->trace->objects.threads;
    const struct prvcut_known_loop *l = b->at[from].loop;
    struct prvcut_align_each each = { .calls = &l->calls, .sequence = l->sequence };
    size_t *k = prvcut_unset(end - from + 1, sizeof *k, "borders", err);
    uint64_t *at = prvcut_unset((end - from) * threads + 1, sizeof *at, "borders", err);
    uint64_t *room = prvcut_unset(2 * (end - from) + 1, sizeof *room, "borders", err);
    const struct prvcut_objects *o = &j->trace->objects;
    bool *apart = prvcut_zeroed(o->tasks + 1, sizeof *apart, "tasks", err);
    enum prvcut_status st = k && at && room && apart ? PRVCUT_OK : PRVCUT_ENOMEM;

    each.k = k;
    /* Calls like those that begin an iteration stand anywhere in a program that has no part in it.
     */
    for (uint32_t a = 0; apart && a < o->applications; a++)
        if (job_borders_apart(j, l, a))
            for (uint32_t t = o->application_first_task[a]; t < o->application_first_task[a + 1];
                 t++)
                apart[t] = true;
    for (size_t i = from; st == PRVCUT_OK && i < end; i++)
        if (i == from || b->at[i].k != b->at[i - 1].k)
            k[each.count++] = b->at[i].k;
    if (st == PRVCUT_OK)
        st = jbo_read(j, l, &each, at, err);
    if (st == PRVCUT_OK)
        b->missed |= jbo_fill_all(at, &each, l, threads, room);
    for (size_t i = from, which = 0; st == PRVCUT_OK && i < end; i++) {
        which += i > from && b->at[i].k != b->at[i - 1].k;
        for (size_t t = 0; t < threads; t++)
            if (at[which * threads + t] > 0 && !apart[o->thread_task[t]])
                bound[b->at[i].bound + t] = at[which * threads + t];
    }
    free(apart);
    free(k);
    free(at);
    free(room);
    return st;
}

/* A thread that was placed on one side only would keep nothing, or too much. */
static void jbo_straighten(struct job_borders *b, size_t threads,
                           const struct prvcut_proof_region *at, size_t count, uint64_t *bound)
{
    for (size_t i = 0; i < count; i++) {
        const struct prvcut_window *w = &at[i].window;
        uint64_t *from = bound + 2 * threads * i, *to = from + threads;

        for (size_t t = 0; w->thread_from == from && t < threads; t++)
            if (to[t] <= from[t]) {
                from[t] = w->from;
                to[t] = w->to;
                b->missed = true;
            }
    }
}

enum prvcut_status job_borders_align(struct job_borders *b, const struct job *j,
                                     const struct prvcut_proof_region *at, size_t count,
                                     uint64_t *bound, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (b->count == 0)
        return PRVCUT_OK;
    qsort(b->at, b->count, sizeof *b->at, jbo_by_place);
    for (size_t from = 0, end; from < b->count && st == PRVCUT_OK; from = end) {
        end = from + 1;
        while (end < b->count && b->at[end].loop == b->at[from].loop)
            end++;
        st = jbo_align_loop(b, j, from, end, bound, err);
    }
    if (st == PRVCUT_OK)
        jbo_straighten(b, j->trace->objects.threads, at, count, bound);
    return st;
}
