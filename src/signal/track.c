#include "signal/track.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>

static const enum prvcut_sum sum_of[PRVCUT_TRACKS] = {
    [PRVCUT_TRACK_P2P] = PRVCUT_SUM_P2P,
    [PRVCUT_TRACK_COLLECTIVE] = PRVCUT_SUM_COLLECTIVE,
    [PRVCUT_TRACK_MPI_OTHER] = PRVCUT_SUM_MPI_OTHER,
    [PRVCUT_TRACK_FLUSH] = PRVCUT_SUM_FLUSH,
    [PRVCUT_TRACK_OUTSIDE] = PRVCUT_SUM_OUTSIDE,
};

enum prvcut_status prvcut_flushes_add(struct prvcut_flushes *f, const struct prvcut_flush *flush,
                                      struct prvcut_error *err)
{
    f->seen++;
    if (f->count == PRVCUT_FLUSHES_MAX)
        return PRVCUT_OK;
    if (f->count == f->room &&
        prvcut_grow((void **)&f->at, &f->room, f->count + 1, sizeof *f->at, err) < 0)
        return PRVCUT_ENOMEM;
    f->at[f->count++] = *flush;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_tracks_worker_init(struct prvcut_tracks_worker *w, uint32_t threads,
                                             struct prvcut_error *err)
{
    w->stamp = 0;
    w->now = calloc((size_t)threads * PRVCUT_TRACKS, sizeof *w->now);
    return w->now ? PRVCUT_OK : prvcut_no_memory(err, "threads");
}

enum prvcut_status prvcut_tracks_carry_init(struct prvcut_tracks_carry *c, uint32_t threads,
                                            struct prvcut_error *err)
{
    c->count = (size_t)threads * PRVCUT_TRACKS;
    c->since = calloc(c->count, sizeof *c->since);
    return c->since ? PRVCUT_OK : prvcut_no_memory(err, "threads");
}

void prvcut_tracks_begin(struct prvcut_tracks_worker *w)
{
    w->stamp++;
}

/* An interval of a track is complete. */
static inline enum prvcut_status closed(enum prvcut_track track, uint32_t thread, uint64_t begin,
                                        uint64_t end, struct prvcut_sums *sums,
                                        struct prvcut_flushes *flushes, struct prvcut_error *err)
{
    /* Records of one thread that are out of order. */
    if (end < begin)
        return PRVCUT_OK;
    prvcut_sums_add(sums, sum_of[track], begin, end);
    if (track == PRVCUT_TRACK_OUTSIDE)
        prvcut_sums_add_wide(sums, PRVCUT_WIDE_OUTSIDE, begin, end, end - begin);
    if (track != PRVCUT_TRACK_FLUSH)
        return PRVCUT_OK;
    return prvcut_flushes_add(flushes, &(struct prvcut_flush){ begin, end, thread }, err);
}

static inline enum prvcut_status step(struct prvcut_tracks_worker *w,
                                      struct prvcut_tracks_part *part, struct prvcut_sums *sums,
                                      const struct prvcut_event *e, enum prvcut_track track,
                                      bool open, struct prvcut_error *err)
{
    const size_t slot = (size_t)e->thread * PRVCUT_TRACKS + track;
    enum prvcut_status st = PRVCUT_OK;
    struct prvcut_track_seen *s;

    if (w->now[slot].stamp != w->stamp) {
        if (part->count == part->room && prvcut_grow((void **)&part->seen, &part->room,
                                                     part->count + 1, sizeof *part->seen, err) < 0)
            return PRVCUT_ENOMEM;
        w->now[slot].stamp = w->stamp;
        w->now[slot].at = (uint32_t)part->count;
        part->seen[part->count++] = (struct prvcut_track_seen){ .thread = e->thread,
                                                                .track = (uint8_t)track,
                                                                .first = e->time };
    }
    s = &part->seen[w->now[slot].at];
    if (s->open)
        st = closed(track, e->thread, s->since, e->time, sums, &part->flushes, err);
    s->open = open;
    s->since = e->time;
    return st;
}

/* Follow one event; those of other roles mean nothing here. */
static inline enum prvcut_status follow(struct prvcut_tracks_worker *w,
                                        struct prvcut_tracks_part *part, struct prvcut_sums *sums,
                                        const struct prvcut_event *e, struct prvcut_error *err)
{
    const bool open = e->value != 0;
    enum prvcut_track track;
    enum prvcut_status st;

    if (e->role == PRVCUT_ROLE_FLUSH)
        return step(w, part, sums, e, PRVCUT_TRACK_FLUSH, open, err);
    if (e->role == PRVCUT_ROLE_P2P)
        track = PRVCUT_TRACK_P2P;
    else if (e->role == PRVCUT_ROLE_COLLECTIVE)
        track = PRVCUT_TRACK_COLLECTIVE;
    else if (e->role == PRVCUT_ROLE_MPI_OTHER)
        track = PRVCUT_TRACK_MPI_OTHER;
    else
        return PRVCUT_OK;
    st = step(w, part, sums, e, track, open, err);
    if (st == PRVCUT_OK && sums->at[PRVCUT_SUM_OUTSIDE])
        st = step(w, part, sums, e, PRVCUT_TRACK_OUTSIDE, !open, err);
    return st;
}

enum prvcut_status prvcut_tracks_event(struct prvcut_tracks_worker *w,
                                       struct prvcut_tracks_part *part, struct prvcut_sums *sums,
                                       const struct prvcut_event *e, struct prvcut_error *err)
{
    return follow(w, part, sums, e, err);
}

enum prvcut_status prvcut_tracks_events(struct prvcut_tracks_worker *w,
                                        struct prvcut_tracks_part *part, struct prvcut_sums *sums,
                                        const struct prvcut_batch *batch, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < batch->events && st == PRVCUT_OK; i++)
        st = follow(w, part, sums, &batch->event[i], err);
    return st;
}

enum prvcut_status prvcut_tracks_join(struct prvcut_tracks_carry *c,
                                      struct prvcut_tracks_part *part, struct prvcut_sums *sums,
                                      struct prvcut_flushes *flushes, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < part->count && st == PRVCUT_OK; i++) {
        const struct prvcut_track_seen *s = &part->seen[i];
        uint64_t *since = &c->since[(size_t)s->thread * PRVCUT_TRACKS + s->track];

        if (*since > 0)
            st = closed(s->track, s->thread, *since - 1, s->first, sums, flushes, err);
        *since = s->open ? s->since + 1 : 0;
    }
    for (size_t i = 0; i < part->flushes.count && st == PRVCUT_OK; i++)
        st = prvcut_flushes_add(flushes, &part->flushes.at[i], err);
    return st;
}

enum prvcut_status prvcut_tracks_end(struct prvcut_tracks_carry *c, uint64_t end,
                                     struct prvcut_sums *sums, struct prvcut_flushes *flushes,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < c->count && st == PRVCUT_OK; i++) {
        const enum prvcut_track track = (enum prvcut_track)(i % PRVCUT_TRACKS);

        /* Most of a long table was never touched and has no memory yet: it stays so. */
        if (c->since[i] == 0)
            continue;
        if (track != PRVCUT_TRACK_OUTSIDE)
            st = closed(track, (uint32_t)(i / PRVCUT_TRACKS), c->since[i] - 1, end, sums, flushes,
                        err);
        c->since[i] = 0;
    }
    return st;
}
