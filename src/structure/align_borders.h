#ifndef PRVCUT_STRUCTURE_ALIGN_BORDERS_H
#define PRVCUT_STRUCTURE_ALIGN_BORDERS_H

#include "structure/align.h"
#include "structure/align_groups.h"

/** One border on all threads. */
struct align_border {
    uint32_t *pos;      /**< [threads] calls before it, of those in the piece */
    uint64_t *expected; /**< [threads] ns: about where it is */
    uint8_t *known;     /**< [threads] calls tell where it is: pos is set */
    uint32_t *low,
        *high; /**< [threads] pos that leave nothing across it, as far as known ones tell */
    uint64_t crossing, split;
    uint64_t apart; /**< ns, most between neighbours that are known: between them it may lie so far
                         from where it is expected, as a delay goes on from one to the next */
};

/** An alignment under way. */
struct aligner {
    const struct prvcut_align_input *in;
    struct align_piece piece;
    struct align_groups groups;
    struct prvcut_span window;
    uint64_t period; /**< ns */
    uint64_t reach;  /**< ns that a border may be moved by */
    size_t k;        /**< border of the followers; SIZE_MAX: not known */
    bool skewed;     /**< the processes' clocks were apart */
    bool moved_any;  /**< the last border that was settled had to be moved */
    bool moved;      /**< the borders are not those that the calls tell */
    struct align_border left, right;
    /* work space of one closure */
    uint32_t *pos, *bound, *queue;
    size_t *cursor;
    uint8_t *queued;
    uint32_t *looked; /* [groups] the latest round that looked at each; 0: none did */
    uint32_t round;
    uint32_t *wall;    /**< [walls][threads] borders that nothing crosses, each at or behind the one
                            before on all threads */
    size_t *wall_from; /**< the same: index in groups.by_thread of the first point behind it */
    size_t walls;
};

/**
 * Read the surroundings of what is known of a window into a->piece, as prvcut_align_piece_read
 * does: a few iterations on either side, a->period each; a->piece.too_much where even one does not
 * fit.
 *
 * errors  those of the reader, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_aligner_read(struct aligner *a, struct prvcut_trace *t,
                                       const struct prvcut_run *run, struct prvcut_span known,
                                       struct prvcut_error *err);

/** Room for borders and closures; a: its piece and groups are set. errors PRVCUT_ENOMEM */
enum prvcut_status prvcut_aligner_init(struct aligner *a, struct prvcut_error *err);
void prvcut_aligner_fini(struct aligner *a);

/**
 * Lay borders that nothing crosses, about an iteration apart, over all that was read: what crosses
 * other borders is looked for between those around them. Worth it for many borders; without, all
 * else is the same, and takes longer.
 *
 * shape   a: initialised
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_align_put_walls(struct aligner *a, struct prvcut_error *err);

/** By how many ns a receive may seem to come before its send. */
uint64_t prvcut_align_tolerance(const struct prvcut_trace *t);

/** Is any border of those that the calls told one of the calls here? They may have been regions. */
bool prvcut_align_tells_calls(const struct aligner *a);

/**
 * Where the threads are many iterations apart, a border may be expected that much too early or too
 * late: what crosses tells where it is, if it may be moved so far. errors PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_align_try_far(struct aligner *a, struct prvcut_error *err);

/** owns: side[] is initialised here, released with prvcut_align_borders_fini, also on failure */
enum prvcut_status prvcut_align_borders_init(struct align_border side[2], uint32_t threads,
                                             struct prvcut_error *err);
void prvcut_align_borders_fini(struct align_border side[2]);

/** A follower's own border: k, or the one after the window's last iteration, ns; 0 = none. */
uint64_t prvcut_align_follower(const struct aligner *a, size_t sequence, bool right);

/** Where a thread's border is, ns. */
uint64_t prvcut_align_time(const struct aligner *a, const struct align_border *b, uint32_t t);

/** What crosses a border, in messages: a collective that is split weighs more. */
uint64_t prvcut_align_cost(uint64_t crossing, uint64_t split);

/**
 * Leave the border where it is, move it on, or move it back by as few calls as possible, whatever
 * lets the least cross it; sets its crossing and split, and a->moved_any. errors PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_align_settle(struct aligner *a, struct align_border *b,
                                       struct prvcut_error *err);

/**
 * How early and how late the border may lie on each thread (low, high), so that no message or
 * collective crosses it between that thread and those whose border is known, directly or through
 * others; all of the reach where none is known, or where they contradict each other.
 */
void prvcut_align_room(struct aligner *a, struct align_border *b);

/** Lay both borders, from the followers' borders or from the window's times. */
enum prvcut_status prvcut_align_lay(struct aligner *a, struct prvcut_error *err);

/** The same, one by one: the right one goes by where the left one lies. */
enum prvcut_status prvcut_align_lay_left(struct aligner *a, struct prvcut_error *err);
enum prvcut_status prvcut_align_lay_right(struct aligner *a, struct prvcut_error *err);

static inline uint64_t prvcut_align_less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static inline uint64_t prvcut_align_apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

#endif
