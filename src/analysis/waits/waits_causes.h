#ifndef PRVCUT_ANALYSIS_WAITS_WAITS_CAUSES_H
#define PRVCUT_ANALYSIS_WAITS_WAITS_CAUSES_H

#include "analysis/waits/waits_find.h"
#include "base/paged.h"

/*
 * What the causes of waits need: the calls of each thread, where threads synchronised, and who
 * waited for whom (Boehme, Geimer, Wolf and Arnold 2010). Calls and points stand in the order of
 * their threads and times, and beyond some MiB on disk (base/paged.h); waits, and what is noted
 * until all is told, are sorted there; costs are kept only while they are handed on. So memory does
 * not grow with the run.
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
    uint32_t by;    /**< thread that tells it, where threads come in between each other; else 0 */
    uint32_t order; /**< of several of one call and teller, the first stands */
    bool many;
    bool together; /**< of a collective */
};

/** All that happened in a call where a thread synchronised. */
struct wcs_point {
    uint64_t wait, completion;
    uint32_t call;
    uint32_t note, notes; /**< with whom */
    uint32_t kind;        /**< of whom it waited for, and 1; 0: nobody is known */
    uint32_t cause_thread, cause;
};

/** Of a point that waited: ns of later waits that this wait caused, until it is gone through. */
struct wcs_cost {
    uint64_t thread, point; /* the key */
    double ns[PRVCUT_DELAYS];
};

/** A call waited for another, as it is told: numbers of calls are not known before all are. */
struct wcs_told {
    uint64_t cause_begin, cause_end, ns;
    uint32_t call, thread, cause_thread;
    uint32_t kind; /**< enum prvcut_delay */
};

/** The same, gone through. */
struct wcs_wait {
    uint64_t ns;
    uint32_t call, cause; /**< numbers on their threads */
    uint32_t thread, cause_thread;
    uint32_t kind;
};

/** A thread's part of what all threads have. */
struct wcs_thread {
    size_t first, calls;
    size_t first_point, points; /**< by call */
};

struct wts_causes {
    struct wcs_thread *thread; /**< [threads] */
    uint32_t threads;
    struct prvcut_paged *call;  /**< of wcs_call */
    struct prvcut_paged *point; /**< of wcs_point */
    struct prvcut_paged *with;  /**< with whom, in the order of the points: a uint32_t: a thread, or
                                     a set and WCS_MANY */
    struct prvcut_sorter *noted; /**< of wcs_note, until all is told */
    struct prvcut_sorter *told;  /**< of wcs_told, the latest causes first */
    uint64_t notes, waits;
    struct prvcut_table sets; /**< of wcs_set */
    uint32_t *member;
    size_t members, member_room;
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

/** All is told: points in the order of their calls (waits_causes.c). between: threads told it in
    between each other; PRVCUT_NONE: which note of a
    call is the first only a sorted reading tells. */
enum prvcut_status wcs_settle(struct wts_causes *c, bool between, struct prvcut_error *err);

/** Has all that was read of them been well? errors: PRVCUT_EIO, PRVCUT_ENOMEM */
enum prvcut_status wcs_status(const struct wts_causes *c, struct prvcut_error *err);

static inline struct wcs_call wcs_call(const struct wts_causes *c, uint32_t thread, size_t i)
{
    return *(const struct wcs_call *)prvcut_paged_at(c->call, c->thread[thread].first + i);
}

static inline struct wcs_point wcs_point(const struct wts_causes *c, uint32_t thread, size_t i)
{
    return *(const struct wcs_point *)prvcut_paged_at(c->point, c->thread[thread].first_point + i);
}

/** The number of a call; calls of nothing at the same time stand for each other. */
size_t wcs_find(const struct wts_causes *c, uint32_t thread, uint64_t begin, uint64_t end);
/** The first point at or behind a call. */
size_t wcs_point_at(const struct wts_causes *c, uint32_t thread, size_t call);
/** The next wait, the one with the latest cause first; its point knows from then on whom it waited
    for. errors: PRVCUT_END: there is none */
enum prvcut_status wcs_next(struct wts_causes *c, struct wcs_wait *out, struct prvcut_error *err);

/** Delay costs, then the critical path (waits_delay.c, waits_critical.c). */
enum prvcut_status wts_delays(struct wts_finder *f, struct prvcut_error *err);
enum prvcut_status wts_critical(struct wts_finder *f, struct prvcut_error *err);

#endif
