#ifndef PRVCUT_OTF_CUT_TRACK_H
#define PRVCUT_OTF_CUT_TRACK_H

#include "otf/cut.h"

/** What a process is in, functions or collectives. A frame's value: id, or match; note: where the
    text of its record begins; role: of these. */
struct otf_opens {
    struct prvcut_stack open;
    struct prvcut_buffer text;
};

enum {
    OTF_LEFT_OUT = 1, /**< it is not written */
    OTF_IS_MPI = 2    /**< an MPI call, where that is asked for */
};

enum prvcut_status otf_opens_push(struct otf_opens *o, uint64_t id, const char *text, size_t count,
                                  struct prvcut_error *err);
/** Take out what a record with this id leaves (otf_open_find); false: it is not there. */
bool otf_opens_take(struct otf_opens *o, uint64_t id, struct prvcut_frame *gone);

/** The innermost is not written, or it is. */
static inline void otf_opens_leave_out(struct otf_opens *o, bool left_out)
{
    struct prvcut_frame *f = &o->open.at[o->open.count - 1];

    f->role = (f->role & ~(unsigned)OTF_LEFT_OUT & 0xff) | (left_out ? OTF_LEFT_OUT : 0);
}

void otf_opens_fini(struct otf_opens *o);

/** One process of a stream that is cut. */
struct otf_cut_track {
    uint32_t process, thread;
    struct otf_span span;
    bool takes, entered, left; /**< has a window; its borders have been passed */
    bool begun;                /**< there was a record of the process's begin */
    struct otf_stepper stepper;
    struct otf_opens functions, collectives;
    size_t mpi;                /**< MPI calls that it is in, where that is asked for */
    bool over;                 /**< a function was entered at the very end of its window */
    bool in_collective;        /**< the one that was begun last has not ended */
    uint64_t comm;             /**< of that one */
    struct otf_reading *level; /**< [counters of the trace] last values; NULL: none */
};

/** A line on its way out, where they must be put in order first. */
struct otf_late {
    uint64_t time, order;
    uint32_t process;
    size_t at, count;
};

/** A left or right border in a stream. */
struct otf_border {
    uint64_t tick, step; /**< as recorded */
    bool right;
    uint32_t member;
};

/** Marks of a stream, in its ticks (mark.h). */
struct otf_due {
    struct prvcut_mark *at; /**< [count]; owned */
    size_t count, next;
};

/** One stream on its way. */
struct otf_stream_cut {
    struct otf_cutter *cutter;
    struct otf_stream *stream;
    struct otf_due due;          /**< marks to be put in */
    struct otf_sift *sift;       /**< what filters do to it; NULL: nothing; owned */
    struct otf_cut_track *track; /**< [members] */
    struct otf_border *border;   /**< [borders] by tick */
    size_t borders, passed;
    struct otf_cut_track *now;
    struct otf_out out; /**< what of the stream cannot be written fails here */
    bool timed;         /**< a time has been written */
    uint64_t out_time;
    uint32_t out_process;
    bool sorted; /**< processes are shifted differently: lines are put in order at the end */
    struct otf_late *late;
    size_t lates, late_room;
    struct prvcut_buffer late_text;
    bool long_form;
    uint64_t tick, line;
    struct prvcut_buffer keys; /**< key values that wait for their record */
    struct prvcut_buffer text; /**< a record with its key values */
    /* for the summary */
    uint64_t events, reopened, closed, skipped;
};

/** A process enters a collective. */
enum prvcut_status otf_cut_begin_collective(struct otf_cut_track *t, const struct otf_record *r,
                                            const char *text, size_t count,
                                            struct prvcut_error *err);

/** A line at a time of the cut: times and processes are written where they change, the process
    after every new time. */
void otf_cut_put_line(struct otf_stream_cut *s, uint64_t time, uint32_t process, const char *text,
                      size_t count);

/** One line (with the key values before it) of a process at a tick of its clock. */
void otf_cut_put(struct otf_stream_cut *s, const struct otf_cut_track *t, uint64_t tick,
                 const char *text, size_t count);

/** Lines that had to be put in order. */
void otf_cut_put_late(struct otf_stream_cut *s);

/** Tracks and borders; text goes on from *offset, where a mark lies before the first border. */
enum prvcut_status otf_cut_tracks(struct otf_stream_cut *s, uint64_t *offset,
                                  struct prvcut_error *err);
void otf_cut_tracks_fini(struct otf_stream_cut *s);

/** Borders of a process up to its present record, inside a tick of a coarse clock. */
void otf_cut_own_borders(struct otf_stream_cut *s, struct otf_cut_track *t);

/** The stream has ended: so does what is still open, as it is read, with the last record. */
void otf_cut_end(struct otf_stream_cut *s);

/** All borders up to a tick's begin. */
void otf_cut_borders(struct otf_stream_cut *s, uint64_t tick);

#endif
