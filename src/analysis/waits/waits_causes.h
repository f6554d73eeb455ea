#ifndef PRVCUT_ANALYSIS_WAITS_WAITS_CAUSES_H
#define PRVCUT_ANALYSIS_WAITS_WAITS_CAUSES_H

#include "analysis/waits/waits_find.h"

/*
 * What the causes of waits need: the calls of each thread, where threads synchronised, and who
 * waited for whom (Boehme, Geimer, Wolf and Arnold 2010). In memory 32 bytes a call, 32 where a
 * thread synchronised and 4 for each with whom, 48 a wait; what is noted until all is told is
 * sorted on disk, and costs are kept only while they are handed on.
 */

/** A call, by its number on its thread. */
struct wcs_call {
    uint64_t begin, end;
    uint64_t outside; /**< ns outside of calls, from the thread's begin to the call's */
    uint64_t path;
};

/** Threads that synchronised together: one more than another set has, greater than all of it. */
struct wcs_set {
    uint64_t fewer;  /* place of that set and 1; 0: nobody; with the next: the key */
    uint64_t thread; /* the one more */
    size_t first;    /**< in the members, ascending, where it was wanted */
    size_t count;
};

/** Where a thread synchronised with others, as it is noted. */
struct wcs_note {
    uint64_t begin, end; /**< of its call */
    uint64_t wait, completion;
    uint32_t thread;
    uint32_t with;  /**< thread, or set where `many` */
    uint32_t order; /**< of several of one call, the first stands */
    bool many;
};

/** All that happened in a call where a thread synchronised. */
struct wcs_point {
    uint64_t call;
    uint64_t wait, completion;
    uint32_t note, notes; /**< with whom */
};

/** Of a point that waited: ns of later waits that this wait caused, until it is gone through. */
struct wcs_cost {
    uint64_t thread, point; /* the key */
    double ns[PRVCUT_DELAYS];
};

/** A call waited for another. */
struct wcs_wait {
    size_t call, cause; /**< numbers on their threads */
    uint64_t ns, cause_begin, cause_end;
    uint32_t thread, cause_thread;
    uint32_t kind; /**< enum prvcut_delay */
};

struct wcs_thread {
    struct wcs_call *call; /**< [calls] */
    size_t calls, room;
    struct wcs_point *point; /**< [points] by call */
    size_t points, point_room;
};

struct wts_causes {
    struct wcs_thread *thread; /**< [threads] */
    uint32_t threads;
    struct prvcut_sorter *noted; /**< of wcs_note, until all is told */
    uint32_t *
        with; /**< [notes] with whom, in the order of the points: a thread, or a set and WCS_MANY */
    size_t notes, with_room;
    struct prvcut_table sets; /**< of wcs_set */
    uint32_t *member;
    size_t members, member_room;
    struct wcs_wait *wait; /**< [waits] */
    size_t waits, wait_room;
    uint32_t *chosen; /**< [chosen_room] */
    size_t chosen_room;
};

#define WCS_MANY (UINT32_C(1) << 31)

struct wts_causes *wts_causes_new(const struct wts_finder *f, struct prvcut_error *err);
void wts_causes_free(struct wts_causes *c);

/** A call of a thread, in its order; returns its number. */
enum prvcut_status wts_causes_call(struct wts_finder *f, const struct wts_skeleton *s,
                                   struct prvcut_error *err);
/** What the latest call of a thread waited for. */
enum prvcut_status wts_causes_wait(struct wts_finder *f, const struct wts_booking *b,
                                   struct prvcut_error *err);

/** All is told: points in the order of their calls, causes as numbers (waits_causes.c). */
enum prvcut_status wcs_settle(struct wts_causes *c, struct prvcut_error *err);

/** The number of a call; calls of nothing at the same time stand for each other. */
size_t wcs_find(const struct wcs_thread *t, uint64_t begin, uint64_t end);
/** The first point at or behind a call. */
size_t wcs_point_at(const struct wcs_thread *t, size_t call);

/** Delay costs, and the critical path (waits_delay.c, waits_critical.c). */
enum prvcut_status wts_delays(struct wts_finder *f, struct prvcut_error *err);
enum prvcut_status wts_critical(struct wts_finder *f, struct prvcut_error *err);

#endif
