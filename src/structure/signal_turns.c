#include "structure/signal_shapes.h"

#include <math.h>

/*
 * Of random traces of sampled counters (tests/accuracy/counted_run.c), parts that are iterations
 * differ by 0.004 to 0.12, those of an iteration by 0.25 and more; what comes in turn by 0.13 and
 * more from the next one, and by a third of that from the one after it. Readings that are taken at
 * another place of each iteration make a few of these more alike than neighbours.
 *
 * name                   value  unit              decides
 */
#define TURNS_SAME_PARTS 0.15 /* of the variation  parts that differ by less are alike, ... */
#define TURNS_CLEAR      0.35 /* ... if that is less than this share of one part more or less */
#define TURNS_OTHER_TURN 0.12 /* of the variation  iterations in turn that differ by more, ... */
#define TURNS_CLEAR_TURN 0.45 /* ... if those a turn later differ by less than this share of it */
#define TURNS_OFF        0.1  /* of a length       by which an iteration may miss a part's */

enum {
    TURNS_PARTS = 12, /* most that an iteration is divided into, ... */
    TURNS_ROUNDS = 3, /* ... and how often */
    TURNS_MOST = 3,   /* most iterations that come in turn */
    TURNS_FINE = 20,  /* lengths on either side that an iteration is sought at */
    TURNS_PAIRS = 32  /* iterations that are held against those of the next turn, about */
};

/** How much the parts of an iteration differ from each other, if there are so many. */
static double turns_parts_differ(const struct signal_shapes *e,
                                 const struct signal_shape_borders *b, unsigned parts)
{
    double sum = 0;

    for (size_t m = 0; m < e->models; m++) {
        const double from = b->at[e->of[m]], length = (b->at[e->of[m] + 1] - from) / parts;
        struct signal_shape shape[2];

        prvcut_shape_of(&shape[0], e, from, from + length);
        for (unsigned k = 1; k < parts; k++) {
            prvcut_shape_of(k % 2 ? &shape[1] : &shape[0], e, from + length * k,
                            from + length * (k + 1));
            sum += prvcut_shape_distance(e, &shape[0], &shape[1], SHAPE_SHIFT);
        }
    }
    return sum / (double)(e->models * (parts - 1));
}

/** How much iterations differ from those so many further on; INFINITY: there are none. */
static double turns_turns_differ(const struct signal_shapes *e,
                                 const struct signal_shape_borders *b, size_t turns)
{
    const size_t n = b->count - 1, last = n - n / 4;
    const size_t step = 1 + (last - n / 4) / TURNS_PAIRS;
    double sum = 0;
    size_t count = 0;

    for (size_t k = n / 4; k + turns < last; k += step) {
        struct signal_shape one, other;

        prvcut_shape_of(&one, e, b->at[k], b->at[k + 1]);
        prvcut_shape_of(&other, e, b->at[k + turns], b->at[k + turns + 1]);
        sum += prvcut_shape_distance(e, &one, &other, SHAPE_SHIFT);
        count++;
    }
    return count > 0 ? sum / (double)count : INFINITY;
}

/** Of so many parts each is like the next one, and of one more or less none. 1: it has none. */
static unsigned turns_parts(const struct signal_shapes *e, const struct signal_shape_borders *b)
{
    double before = INFINITY, own = turns_parts_differ(e, b, 2);

    for (unsigned k = 2; k <= TURNS_PARTS; k++) {
        const double next = turns_parts_differ(e, b, k + 1);

        if (own < TURNS_SAME_PARTS && own < TURNS_CLEAR * fmin(before, next))
            return k;
        before = own;
        own = next;
    }
    return 1;
}

/** So many iterations in turn are unlike, and like those a turn later. 1: all are alike. */
static unsigned turns_turns(const struct signal_shapes *e, const struct signal_shape_borders *b)
{
    double least = turns_turns_differ(e, b, 1);

    for (unsigned k = 2; k <= TURNS_MOST; k++) {
        const double own = turns_turns_differ(e, b, k);

        if (least > TURNS_OTHER_TURN &&
            own < TURNS_CLEAR_TURN * fmin(least, turns_turns_differ(e, b, k + 1)))
            return k;
        least = fmin(least, own);
    }
    return 1;
}

/** The length near one, ns, after which a stretch comes again most alike. */
static double turns_again(const struct signal_shapes *e, double from, double length)
{
    double best = length, least = INFINITY;

    for (int k = -TURNS_FINE; k <= TURNS_FINE; k++) {
        const double own = length * (1 + TURNS_OFF * k / TURNS_FINE);
        struct signal_shape one, next;
        double off;

        prvcut_shape_of(&one, e, from, from + own);
        prvcut_shape_of(&next, e, from + own, from + 2 * own);
        off = prvcut_shape_distance(e, &one, &next, 0);
        if (off < least) {
            least = off;
            best = own;
        }
    }
    return best;
}

/** Iterations are parts of what was taken for one: they are laid anew, from the middle on. */
static enum prvcut_status turns_divide(struct signal_shapes *e, struct signal_shape_borders *b,
                                       unsigned parts, struct prvcut_error *err)
{
    const double ends[2] = { b->at[0], b->at[b->count - 1] };
    const size_t middle = e->of[e->models / 2];
    const double from = b->at[middle];
    enum prvcut_status st = PRVCUT_OK;

    e->usual = turns_again(e, from, (b->at[middle + 1] - from) / parts);
    prvcut_shape_of(&e->model[0], e, from, from + e->usual);
    e->models = 1;
    b->count = 2;
    b->at[0] = from;
    b->at[1] = from + e->usual;
    for (int side = -1; side <= 1; side += 2)
        while (st == PRVCUT_OK &&
               side * (ends[side > 0] - prvcut_shape_border_last(b, side)) > 0.5 * e->usual)
            st = prvcut_shape_border_put(
                b,
                prvcut_shape_border_last(b, side) +
                    side * prvcut_shapes_lay(e, prvcut_shape_border_last(b, side), side),
                side, err);
    return st;
}

/** Iterations in turn are one. */
static void turns_join(struct signal_shapes *e, struct signal_shape_borders *b, unsigned turns)
{
    size_t kept = 0;

    for (size_t k = 0; k < b->count; k += turns)
        b->at[kept++] = b->at[k];
    b->count = kept;
    e->usual *= turns;
}

/** Is the loop another one, parts of it or a few in turn? *few: too little repeats then. */
enum prvcut_status prvcut_shapes_count(struct signal_shapes *e, struct signal_shape_borders *b,
                                       bool *few, struct prvcut_error *err)
{
    unsigned parts, turns;
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned round = 0; st == PRVCUT_OK && !*few && round < TURNS_ROUNDS; round++) {
        parts = turns_parts(e, b);
        if (parts == 1)
            break;
        st = turns_divide(e, b, parts, err);
        *few = !prvcut_shapes_prepare(e, b);
    }
    turns = st == PRVCUT_OK && !*few ? turns_turns(e, b) : 1;
    if (turns > 1) {
        turns_join(e, b, turns);
        *few = !prvcut_shapes_prepare(e, b);
    }
    return st;
}
