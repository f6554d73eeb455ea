#ifndef PRVCUT_OTF2_OWN_PART_H
#define PRVCUT_OTF2_OWN_PART_H

#include "base/room.h"
#include "otf2/events.h"
#include "otf2/own.h"
#include "scan/scan.h"

/* How one location of a conversion of ours is read: own_part.c; all of them: own_scan.c; a window
   of them from a mark on: own_resume.c. */

/** Records of a kind in one batch. */
#define O2_OWN_BATCH PRVCUT_ROOM(4096)

/** An MPI call that is open, or a receive that was posted. */
struct o2_own_since {
    uint64_t key, time;
};

struct o2_own_sinces {
    struct o2_own_since *at;
    size_t count, room;
};

/** A counter's last reading. */
struct o2_own_total {
    uint64_t value;
    bool known;
};

/** A worker's reader and its room. */
struct o2_own_worker {
    OTF2_Reader *reader;
    struct prvcut_state *state;
    struct prvcut_event *event;
    struct prvcut_half *half;
    struct prvcut_event *line, *reading; /* of the line that is being read */
    size_t line_count, line_room, reading_count, reading_room;
    struct o2_own_total *total; /* [types] */
    struct o2_own_sinces calls, posted;
};

struct o2_own_pass {
    struct prvcut_scan base;
    struct o2_trace *trace;
    bool marking;  /* marks are left */
    uint64_t from; /* no record before it is wanted */
    uint32_t next;
    struct o2_own_worker *worker; /* [workers] */
};

/** One location. */
struct o2_own_part {
    struct prvcut_part base;
    struct o2_own_pass *scan;
    struct o2_own_worker *w;
    unsigned worker;
    uint32_t thread;
    struct prvcut_batch batch;
    uint32_t roles;
    uint64_t line_time;
    bool in_line;
    size_t ends;   /* of regions, the last ones of the line so far */
    bool in_order; /* and they were given in this order */
    bool open;     /* a state is */
    uint64_t open_since;
    uint64_t last;   /* time of the last record */
    uint64_t latest; /* of all so far */
    uint64_t reach;  /* end of the latest state that a record told as a whole */
    uint32_t open_number;
    enum prvcut_status status;
    struct prvcut_error *err;
};

/** Who is told the records of a part's location. */
struct o2_event_calls o2_own_calls(struct o2_own_part *p);

/** Events between two marks of a location. */
uint64_t o2_own_stride(const struct o2_own_part *p);

/** Leave a mark before the next event. */
enum prvcut_status o2_own_mark(struct o2_own_part *p);

/** Go on from the last mark from which nothing of the window is missed; *event: from this one on,
    1: from the beginning. */
enum prvcut_status o2_own_resume(struct o2_own_part *p, uint64_t *event);

/**
 * Give out what is left of a location. The state that is open lasts until `end`, ns.
 * errors: those of the part so far and of the consumer.
 */
enum prvcut_status o2_own_end(struct o2_own_part *p, uint64_t end);

#endif
