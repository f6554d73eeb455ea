#ifndef PRVCUT_STRUCTURE_SIGNAL_SHAPES_H
#define PRVCUT_STRUCTURE_SIGNAL_SHAPES_H

#include "structure/signal_ends.h"

/* What iterations look like in several signals, and how alike they are (signal_ends.c). */

enum {
    SHAPE_SLOTS = 24,  /* parts that an iteration is compared in, ... */
    SHAPE_SHIFT = 3,   /* ... each with the nearest ones of the other: so far may one shift, ... */
    SHAPE_NEAR = 1,    /* ... and this far where its place counts */
    SHAPE_MODELS = 8,  /* iterations that others are held against */
    SHAPE_LENGTHS = 6, /* lengths that are tried on either side of the usual one */
    SHAPE_LEAST = 4    /* iterations that say something */
};

/** An iteration as the signals show it. */
struct signal_shape {
    double at[PRVCUT_SIGNALS][SHAPE_SLOTS];
};

struct signal_shapes {
    const struct prvcut_signal_ends *in;
    double weight[PRVCUT_SIGNALS]; /* 0: it is not asked */
    double scale;                  /* of a distance between two shapes */
    struct signal_shape model[SHAPE_MODELS];
    size_t of[SHAPE_MODELS]; /* interval that each was taken from */
    size_t models;
    double usual; /* length, ns */
    double alike; /* distance up to which shapes are alike */
};

/** Borders on their way out, ns. */
struct signal_shape_borders {
    double *at; /* [count], somewhere in the store: it grows at both ends */
    size_t count;
    double *store; /* [room]; owned */
    size_t room;
};

void prvcut_shape_of(struct signal_shape *out, const struct signal_shapes *e, double from,
                     double to);

/** What slot i of a differs by from the nearest one of b that is up to `shift` away: 0 not at all,
    1 as much as slots of an iteration do. */
double prvcut_shape_slot(const struct signal_shapes *e, const struct signal_shape *a, size_t i,
                         const struct signal_shape *b, size_t shift);

/** The mean of that, both ways: what is flat is like a part of anything. */
double prvcut_shape_distance(const struct signal_shapes *e, const struct signal_shape *a,
                             const struct signal_shape *b, size_t shift);

/** From the nearest model, but for that of interval `self`. */
double prvcut_shape_off(const struct signal_shapes *e, const struct signal_shape *a, size_t self,
                        size_t shift);

/** Does a mask touch it? */
bool prvcut_shapes_masked(const struct signal_shapes *e, double from, double to);

/** Is it in what is looked at, and touches no mask? */
bool prvcut_shapes_inside(const struct signal_shapes *e, double from, double to);

/** Is interval k about as long as usual, and touches no mask? */
bool prvcut_shapes_usual(const struct signal_shapes *e, const struct signal_shape_borders *b,
                         size_t k);

/** Choose models from the middle and weigh signals by them. False: too little repeats. */
bool prvcut_shapes_prepare(struct signal_shapes *e, const struct signal_shape_borders *b);

/** The length of the iteration beside a time that is most like a model. side: -1 before it, 1
    behind */
double prvcut_shapes_lay(const struct signal_shapes *e, double time, int side);

/** Add a border at an end. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_shape_border_put(struct signal_shape_borders *b, double time, int side,
                                           struct prvcut_error *err);

/** The border at an end. */
double prvcut_shape_border_last(const struct signal_shape_borders *b, int side);

/**
 * Is the loop another one, so many parts of what was taken for an iteration, or a few of them in
 * turn? Borders are laid anew then. *few: too little repeats to go on.
 *
 * shape   e: prepared (signal_turns.c)
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_shapes_count(struct signal_shapes *e, struct signal_shape_borders *b,
                                       bool *few, struct prvcut_error *err);

#endif
