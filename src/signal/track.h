#ifndef PRVCUT_SIGNAL_TRACK_H
#define PRVCUT_SIGNAL_TRACK_H

#include "model/batch.h"
#include "signal/sums.h"

/** What a thread can be in, found from pairs of events. */
enum prvcut_track {
    PRVCUT_TRACK_P2P,
    PRVCUT_TRACK_COLLECTIVE,
    PRVCUT_TRACK_MPI_OTHER,
    PRVCUT_TRACK_FLUSH,
    PRVCUT_TRACK_OUTSIDE, /**< opened by the end of an MPI call, closed by the next begin */
    PRVCUT_TRACKS
};

/** One thread writing its trace buffer to disk. */
struct prvcut_flush {
    uint64_t begin, end; /**< ns */
    uint32_t thread;
};

/** First flushes of a run; beyond the limit they are counted only. */
struct prvcut_flushes {
    struct prvcut_flush *at;
    size_t count, room;
    uint64_t seen;
};

#define PRVCUT_FLUSHES_MAX ((size_t)1 << 17)

enum prvcut_status prvcut_flushes_add(struct prvcut_flushes *f, const struct prvcut_flush *flush,
                                      struct prvcut_error *err);

/** One thread's track within one part of the trace. */
struct prvcut_track_seen {
    uint32_t thread;
    uint8_t track;
    bool open;      /**< at the part's end */
    uint64_t first; /**< ns, its first event: ends what was open before the part */
    uint64_t since; /**< ns, of the last opening; valid while open */
};

/** A part's tracks, in order of first sight. */
struct prvcut_tracks_part {
    struct prvcut_track_seen *seen;
    size_t count, room;
    struct prvcut_flushes flushes;
};

/** A worker's way to its present part's entries. */
struct prvcut_tracks_worker {
    struct {
        uint64_t stamp;
        uint32_t at;
    } * now; /**< [threads * PRVCUT_TRACKS] */
    uint64_t stamp;
};

/** What is open between parts. */
struct prvcut_tracks_carry {
    uint64_t *since; /**< [threads * PRVCUT_TRACKS], ns + 1; 0 = not open */
    size_t count;
};

enum prvcut_status prvcut_tracks_worker_init(struct prvcut_tracks_worker *w, uint32_t threads,
                                             struct prvcut_error *err);
enum prvcut_status prvcut_tracks_carry_init(struct prvcut_tracks_carry *c, uint32_t threads,
                                            struct prvcut_error *err);

/** A new part begins for this worker. */
void prvcut_tracks_begin(struct prvcut_tracks_worker *w);

/** Follow one event of an MPI or flush role; closed intervals go into sums (and flushes). */
enum prvcut_status prvcut_tracks_event(struct prvcut_tracks_worker *w,
                                       struct prvcut_tracks_part *part, struct prvcut_sums *sums,
                                       const struct prvcut_event *e, struct prvcut_error *err);

/** The same for all events of a batch; those of other roles are passed over. */
enum prvcut_status prvcut_tracks_events(struct prvcut_tracks_worker *w,
                                        struct prvcut_tracks_part *part, struct prvcut_sums *sums,
                                        const struct prvcut_batch *batch, struct prvcut_error *err);

/** Intervals that cross into this part; parts come in order. */
enum prvcut_status prvcut_tracks_join(struct prvcut_tracks_carry *c,
                                      struct prvcut_tracks_part *part, struct prvcut_sums *sums,
                                      struct prvcut_flushes *flushes, struct prvcut_error *err);

/** The trace ends: calls and flushes that are still open end there. */
enum prvcut_status prvcut_tracks_end(struct prvcut_tracks_carry *c, uint64_t end,
                                     struct prvcut_sums *sums, struct prvcut_flushes *flushes,
                                     struct prvcut_error *err);

#endif
