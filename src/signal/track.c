#include "signal/track.h"

#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

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

/* Where intervals go that are complete. */
struct track_to {
    struct prvcut_sums *sums;
    struct prvcut_flushes *flushes;
};

static inline enum prvcut_status track_closed(void *ctx, const struct prvcut_followed *f,
                                              struct prvcut_error *err)
{
    const struct track_to *to = ctx;
    const enum prvcut_track track = (enum prvcut_track)f->type;
    const uint64_t begin = f->span.start, end = f->span.end;

    /* Records of one thread that are out of order; what lies behind the last call is not between
       two. */
    if (end < begin || f->no_begin || (f->no_end && track == PRVCUT_TRACK_OUTSIDE))
        return PRVCUT_OK;
    prvcut_sums_add(to->sums, sum_of[track], begin, end);
    if (track == PRVCUT_TRACK_OUTSIDE)
        prvcut_sums_add_wide(to->sums, PRVCUT_WIDE_OUTSIDE, begin, end, end - begin);
    if (track != PRVCUT_TRACK_FLUSH)
        return PRVCUT_OK;
    return prvcut_flushes_add(to->flushes, &(struct prvcut_flush){ begin, end, f->thread }, err);
}

/* Calls that lost their ends do not pile up. */
static const struct prvcut_follow_rules track_rules = { .how = PRVCUT_FOLLOW_VALUES,
                                                        .closed = track_closed };

static inline enum prvcut_status track_step(struct prvcut_rows *w, struct prvcut_tracks_part *part,
                                            struct prvcut_sums *sums, const struct prvcut_event *e,
                                            enum prvcut_track track, bool open,
                                            struct prvcut_error *err)
{
    struct track_to to = { sums, &part->flushes };
    const struct prvcut_step step = {
        .time = e->time, .value = open, .type = track, .thread = e->thread, .role = e->role
    };

    return prvcut_follow_step(w, &part->threads, &track_rules, &to, &step, err);
}

/* Follow one event; those of other roles mean nothing here. */
static inline enum prvcut_status track_follow(struct prvcut_rows *w,
                                              struct prvcut_tracks_part *part,
                                              struct prvcut_sums *sums,
                                              const struct prvcut_event *e,
                                              struct prvcut_error *err)
{
    const bool open = e->value != 0;
    enum prvcut_track track;
    enum prvcut_status st;

    if (e->role == PRVCUT_ROLE_FLUSH)
        track = PRVCUT_TRACK_FLUSH;
    else if (e->role == PRVCUT_ROLE_P2P)
        track = PRVCUT_TRACK_P2P;
    else if (e->role == PRVCUT_ROLE_COLLECTIVE)
        track = PRVCUT_TRACK_COLLECTIVE;
    else if (e->role == PRVCUT_ROLE_MPI_OTHER)
        track = PRVCUT_TRACK_MPI_OTHER;
    else
        return PRVCUT_OK;
    st = track_step(w, part, sums, e, track, open, err);
    if (st == PRVCUT_OK && track != PRVCUT_TRACK_FLUSH && sums->at[PRVCUT_SUM_OUTSIDE])
        st = track_step(w, part, sums, e, PRVCUT_TRACK_OUTSIDE, !open, err);
    return st;
}

enum prvcut_status prvcut_tracks_event(struct prvcut_rows *w, struct prvcut_tracks_part *part,
                                       struct prvcut_sums *sums, const struct prvcut_event *e,
                                       struct prvcut_error *err)
{
    return track_follow(w, part, sums, e, err);
}

enum prvcut_status prvcut_tracks_events(struct prvcut_rows *w, struct prvcut_tracks_part *part,
                                        struct prvcut_sums *sums, const struct prvcut_batch *batch,
                                        struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < batch->events && st == PRVCUT_OK; i++)
        st = track_follow(w, part, sums, &batch->event[i], err);
    return st;
}

enum prvcut_status prvcut_tracks_join(struct prvcut_follow_carry *c,
                                      struct prvcut_tracks_part *part, struct prvcut_sums *sums,
                                      struct prvcut_flushes *flushes, struct prvcut_error *err)
{
    struct track_to to = { sums, flushes };
    enum prvcut_status st = prvcut_follow_join(c, &part->threads, &track_rules, &to, err);

    for (size_t i = 0; i < part->flushes.count && st == PRVCUT_OK; i++)
        st = prvcut_flushes_add(flushes, &part->flushes.at[i], err);
    return st;
}

enum prvcut_status prvcut_tracks_end(struct prvcut_follow_carry *c, uint64_t end,
                                     struct prvcut_sums *sums, struct prvcut_flushes *flushes,
                                     struct prvcut_error *err)
{
    struct track_to to = { sums, flushes };

    return prvcut_follow_run_ends(c, end, &track_rules, &to, err);
}

void prvcut_tracks_part_clear(struct prvcut_tracks_part *part)
{
    prvcut_follow_part_clear(&part->threads);
    part->flushes.count = 0;
}

void prvcut_tracks_part_fini(struct prvcut_tracks_part *part)
{
    prvcut_follow_part_fini(&part->threads);
    free(part->flushes.at);
    memset(part, 0, sizeof *part);
}
