#ifndef PRVCUT_SIGNAL_TRACK_H
#define PRVCUT_SIGNAL_TRACK_H

#include "follow/part.h"
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

/** A part's threads and the flushes that begin and end in it. */
struct prvcut_tracks_part {
    struct prvcut_follow_part threads;
    struct prvcut_flushes flushes;
};

/** It is for another part; its memory stays. */
void prvcut_tracks_part_clear(struct prvcut_tracks_part *part);
void prvcut_tracks_part_fini(struct prvcut_tracks_part *part);

/** Follow one event of an MPI or flush role; closed intervals go into sums (and flushes). */
enum prvcut_status prvcut_tracks_event(struct prvcut_rows *w, struct prvcut_tracks_part *part,
                                       struct prvcut_sums *sums, const struct prvcut_event *e,
                                       struct prvcut_error *err);

/** The same for all events of a batch; those of other roles are passed over. */
enum prvcut_status prvcut_tracks_events(struct prvcut_rows *w, struct prvcut_tracks_part *part,
                                        struct prvcut_sums *sums, const struct prvcut_batch *batch,
                                        struct prvcut_error *err);

/** Intervals that cross into this part; parts come in order. */
enum prvcut_status prvcut_tracks_join(struct prvcut_follow_carry *c,
                                      struct prvcut_tracks_part *part, struct prvcut_sums *sums,
                                      struct prvcut_flushes *flushes, struct prvcut_error *err);

/** The trace ends: calls and flushes that are still open end there. */
enum prvcut_status prvcut_tracks_end(struct prvcut_follow_carry *c, uint64_t end,
                                     struct prvcut_sums *sums, struct prvcut_flushes *flushes,
                                     struct prvcut_error *err);

#endif
