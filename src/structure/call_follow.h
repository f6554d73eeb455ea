#ifndef PRVCUT_STRUCTURE_CALL_FOLLOW_H
#define PRVCUT_STRUCTURE_CALL_FOLLOW_H

#include "structure/call_anchor.h"

/** One sequence's way through the loop; zeroed is empty and valid. */
struct call_track {
    uint32_t *start; /**< [count + 1]: first call of each iteration, first call after the last */
    size_t count;    /**< iterations; 0: does not follow */
    size_t room;     /**< of start */
    uint64_t end;    /**< ns, end of the last iteration */
    double alike, regular, cover;
};

/**
 * From an anchor to iterations: start them where the program does, as far as calls agree, and
 * see whether the last one is whole.
 *
 * shape   a: made from s; g is work space
 * owns    out is initialised here, released with prvcut_call_track_fini
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_call_track_make(struct call_track *out, const struct call_anchor *a,
                                          struct call_grams *g,
                                          const struct prvcut_call_sequence *s,
                                          struct prvcut_error *err);

/**
 * The end in time: what follows the loop may be far away. An iteration that would be longer than
 * the longest of the others is taken to be as long as these let expect, with their drift.
 *
 * shape   t: all but end is set, count >= 1
 */
void prvcut_call_track_close(struct call_track *t, const struct prvcut_call_sequence *s);

/** Time at which iteration i starts; i == count: the end of the last one. */
uint64_t prvcut_call_track_time(const struct call_track *t, const struct prvcut_call_sequence *s,
                                size_t i);

/** Keep iterations [from, to) only; from < to <= count. */
void prvcut_call_track_cut(struct call_track *t, const struct prvcut_call_sequence *s, size_t from,
                           size_t to);

/**
 * Number the iterations of all tracks alike: iteration i is the same one in each that follows.
 * What only some have, at either end, is cut off; a track that lacks more than that follows no
 * longer (it is released).
 *
 * shape   track, s: count each; tracks with fewer than `least` iterations are released
 */
void prvcut_call_tracks_align(struct call_track *track, const struct prvcut_call_sequence *s,
                              size_t count, size_t least);

void prvcut_call_track_fini(struct call_track *t);

#endif
