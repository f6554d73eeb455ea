#ifndef PRVCUT_OTF_CUT_H
#define PRVCUT_OTF_CUT_H

#include "otf/out.h"
#include "otf/walk.h"

#include "base/folder.h"

/** A process's window, ticks of its own clock as recorded. */
struct otf_span {
    uint64_t from, to;
    uint64_t from_step, to_step; /**< within these ticks, where the clock is coarse */
    uint64_t shift;              /**< ticks to be added to all its times on their way out */
};

/** A running total's first reading in a window, and the last one at the same tick: one that was not
    read before may begin with its base. */
struct otf_first {
    uint64_t value, latest, tick;
    bool seen;
};

struct otf_sieve; /* sieve.h */
struct otf_sift;
struct otf_marker; /* mark.h */

/** A cut under way. */
struct otf_cutter {
    struct otf_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_cut_options *options;
    struct prvcut_cut_summary *sum;
    struct otf_span *span;                /**< [threads] */
    struct otf_first **first;             /**< [threads], [counters of the trace] or NULL; owned */
    bool straight;                        /**< one window for all */
    bool whole;                           /**< nothing of the trace lies outside */
    bool copies;                          /**< all of the trace, whatever is left of it */
    const struct otf_sieve *sieve;        /**< filters; NULL: none */
    struct otf_marker *marker;            /**< what marks are put in; NULL: none */
    struct prvcut_filter_summary *counts; /**< what they did; NULL: nobody asks */
    uint64_t base;                        /**< ticks that all times are moved back by */
    uint64_t low, high;                   /**< ticks of the cut, as written */
    struct prvcut_table channels;         /**< of struct otf_channel */
    struct prvcut_folder *folder;         /**< NULL in a dry run */
    char *name;                           /**< of the output, without ".otf" and folder */
    bool packed;                          /**< pack all; else as the input is (with as_input) */
    bool as_input;
    unsigned workers;
    uint64_t end_ns;      /**< of the original, as far as it was read, clocks brought together */
    uint64_t done, total; /**< bytes, for the progress */
    pthread_mutex_t lock;
};

static inline uint64_t otf_cut_time(const struct otf_cutter *c, uint32_t thread, uint64_t tick)
{
    const uint64_t t = tick + c->span[thread].shift;

    return t > c->base ? t - c->base : 0;
}

static inline bool otf_cut_takes(const struct otf_span *s)
{
    return s->from < s->to || (s->from == s->to && s->from_step < s->to_step);
}

/** NULL: none is known. */
static inline const struct otf_first *otf_cut_first(const struct otf_cutter *c, uint32_t thread,
                                                    const struct otf_counter *k)
{
    const struct otf_first *f = k->whole && c->first[thread] ? &c->first[thread][k->number] : NULL;

    return f && f->seen ? f : NULL;
}

/** Is a moment before the window (0), inside (1), or after (2)? */
static inline unsigned otf_span_place(const struct otf_span *s, uint64_t tick, uint64_t step)
{
    if (tick < s->from || (tick == s->from && step < s->from_step))
        return 0;
    return tick < s->to || (tick == s->to && step < s->to_step) ? 1 : 2;
}

/** Is it the very end, at which only receives are inside (model/crossing.h)? */
static inline bool otf_span_ends(const struct otf_span *s, uint64_t tick)
{
    return tick == s->to && s->to_step == 0 && s->from < s->to;
}

/** Which record of its tick a process's record is. */
struct otf_stepper {
    uint64_t tick, step;
    bool begun;
};

/** The next record; steps: otf_steps of the trace. */
static inline void otf_step(struct otf_stepper *s, uint64_t tick, uint64_t steps)
{
    if (steps == 0)
        return;
    s->step = s->begun && s->tick == tick ? s->step + (s->step + 1 < steps) : 0;
    s->tick = tick;
    s->begun = true;
}

/** Look at the caller's stop and tell the progress; cutter: a struct otf_cutter, as otf_lines asks.
 */
enum prvcut_status otf_cut_pause(void *cutter, uint64_t bytes, struct prvcut_error *err);

/** Path of an output file in the folder; *path NULL in a dry run. */
enum prvcut_status otf_cut_path(const struct otf_cutter *c, const char *suffix, bool packed,
                                char **path, struct prvcut_error *err);

/** A record of a plain stream, its text with the key values in front of it. */
enum prvcut_status otf_cut_read_record(const struct otf_stream *s, uint64_t offset,
                                       struct prvcut_buffer *out, struct otf_record *r,
                                       struct prvcut_error *err);

/* cut_count.c: which messages and collectives of several cuts have all their parts inside. */
enum prvcut_status otf_cut_count(struct otf_cutter *row, size_t rows, struct prvcut_error *err);

/* cut_collective.c */

/**
 * Which collectives stay, and how many are split; *missing: some members did not show before
 * their right border, but may behind it.
 */
enum prvcut_status otf_cut_judge_collectives(struct otf_cutter *c, bool *missing,
                                             struct prvcut_error *err);
/** The next collective of a process that is inside: does it stay? */
bool otf_cut_keeps_collective(struct otf_cutter *c, uint32_t process, uint64_t comm);

/* cut_stream.c */
enum prvcut_status otf_cut_streams(struct otf_cutter *c, struct prvcut_error *err);

/* cut_files.c: master, definitions, markers. */
enum prvcut_status otf_cut_files(struct otf_cutter *c, struct prvcut_error *err);

#endif
