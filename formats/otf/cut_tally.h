#ifndef PRVCUT_OTF_CUT_TALLY_H
#define PRVCUT_OTF_CUT_TALLY_H

#include "otf/cut.h"

/* What one cut counts in one stream (cut_tally.c); cut_count.c reads for all of them. */

/** The collective that a process has begun last, until it ends. */
struct otf_begun {
    size_t channel; /* its place + 1; 0: none */
    uint64_t match;
    bool inside; /* it began inside the window */
};

/** One stream on its way, for one cut. */
struct otf_tally {
    const struct otf_cutter *cutter;
    struct otf_cutter *pauses; /* the same, to tell the progress */
    const struct otf_stream *stream;
    uint64_t first, stop; /* ticks between which its windows lie; stop 0: it has none */
    struct prvcut_table channels;
    uint32_t process, thread; /* current one; thread OTF_NONE: none */
    unsigned place;           /* of the current time: 0 before, 1 inside, 2 after */
    uint64_t tick;
    struct otf_stepper *stepper; /* [members] */
    struct otf_begun *begun;     /* [members] */
    bool *entered;               /* [members] a record was inside, or behind */
    bool *over;                  /* [members] a function was entered at the very end */
    uint32_t member;
    struct otf_first **reading; /* [members], [counters of the trace] or NULL; owned */
};

/** Memory for the stream's members. */
enum prvcut_status otf_tally_init(struct otf_tally *i, struct prvcut_error *err);

/** Go on from another one that has seen nothing but what comes before both windows; errors: what is
    copied is released all the same. */
enum prvcut_status otf_tally_copy(struct otf_tally *to, const struct otf_tally *from,
                                  struct prvcut_error *err);
void otf_tally_fini(struct otf_tally *i);

/** first and stop; to_end: count to the end of the stream. */
void otf_tally_limits(struct otf_tally *i, bool to_end);

/** All that was counted before the last mark in front of `first`; the text goes on at *offset. */
enum prvcut_status otf_tally_start(struct otf_tally *i, uint64_t first, uint64_t *offset,
                                   struct prvcut_error *err);

/** Records: the process they are of, and any other but times. */
void otf_tally_process(struct otf_tally *i, uint64_t id);
enum prvcut_status otf_tally_other(struct otf_tally *i, const struct otf_record *r,
                                   struct prvcut_error *err);

/** The counting ends: so do collectives that have not. */
void otf_tally_end(struct otf_tally *i);

/** What the scan counted in all tells what comes behind the windows. */
enum prvcut_status otf_tally_totals(struct otf_tally *i, struct prvcut_error *err);

#endif
