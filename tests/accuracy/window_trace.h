#ifndef ACCURACY_WINDOW_TRACE_H
#define ACCURACY_WINDOW_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A thread in one call; times in ns. */
struct window_call {
    double begin, end;
    uint32_t kind, peer, size; /**< peer, size: of what is sent in it; 0: nothing */
};

/** Bytes that are sent at one time (from = at), or what a counter counted between two. */
struct window_amount {
    double from, at, amount;
    uint32_t peer;
};

struct window_amounts {
    struct window_amount *at;
    size_t count, room;
};

/** What one thread did, ascending. */
struct window_lane {
    char name[64];
    uint64_t id;     /**< of an archive's location */
    uint32_t thread; /**< prvcut's number; UINT32_MAX: none */
    double off;      /**< what was added to the times that it recorded */
    uint32_t rank;
    struct window_call *call;
    size_t calls, room;
    struct window_amounts sent, counted, running; /**< running: amount is not used */
    unsigned depth;                               /**< while it is read: calls that are open */
    uint32_t open;
    double since, read;
};

/** A trace as its text tells it. */
struct window_trace {
    struct window_lane *lane;
    size_t lanes;
    char (*kind)[48]; /**< [kinds] names of calls */
    size_t kinds;
    bool failed; /**< no memory, or it is not readable */
};

struct window_lane *window_lane_add(struct window_trace *t, const char *name, uint32_t rank);

/** Number of the call of that name. */
uint32_t window_kind(struct window_trace *t, const char *name);

void window_enter(struct window_trace *t, struct window_lane *l, uint32_t kind, double at);
void window_leave(struct window_trace *t, struct window_lane *l, double at);
void window_amounts_add(struct window_trace *t, struct window_amounts *a, double from, double at,
                        double amount, uint32_t peer);

/** All is read: sort; where a thread tells when it computes and calls next to nothing, all else is
    a call. */
void window_trace_settle(struct window_trace *t);

/** A thread's clock is so much off. */
void window_lane_shift(struct window_lane *l, double by);

/** Time in calls of one kind (UINT32_MAX: of any) that lies in a span; a part of an amount. */
double window_time(const struct window_lane *l, uint32_t kind, double from, double to);
double window_amount(const struct window_amounts *a, double from, double to);

/** The first call that begins at that time or later. */
size_t window_first_call(const struct window_lane *l, double at);

/** Read a plain .prv; false: it is not one. */
bool window_read_paraver(struct window_trace *t, const char *path);

/** Let otf2-print read an archive; false: it cannot. */
bool window_read_archive(struct window_trace *t, const char *path);

void window_trace_fini(struct window_trace *t);

#endif
