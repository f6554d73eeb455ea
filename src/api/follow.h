#ifndef PRVCUT_API_FOLLOW_H
#define PRVCUT_API_FOLLOW_H

#include "prvcut/follow.h"

#include "api/follow_busy.h"
#include "api/follow_input.h"
#include "model/trace.h"

/** A look, as it is remembered. */
struct follow_seen {
    struct prvcut_look look;
    uint64_t loop_start_ns, loop_end_ns; /**< where its loop begins and ends */
    uint64_t departures;  /**< iterations but the last whose calls are not those of the others */
    bool parted;          /**< something else lies between its parts, and no disturbance */
    bool strays;          /**< behind it calls come that are none of its own */
    double in_a_row;      /**< iterations that follow each other, at most, where they are wanted */
    double last;          /**< number of the last iteration there */
    bool unlike;          /**< they make other calls each: none can depart */
    uint64_t promised_ns; /**< that the run shall last; 0: nobody tells */
};

/** A trace that is followed. */
struct prvcut_follow {
    struct prvcut_open_options options;
    struct prvcut_follow_options how;
    struct follow_input input;
    struct prvcut_trace *trace; /**< as far as it is there; owned */
    struct follow_seen last;
    struct follow_busy busy;
    uint64_t next; /**< bytes at which to look next */
};

/** As prvcut_follow_open and prvcut_follow_run, once entries_reading.c has taken what the program
    filled in. */
enum prvcut_status api_follow_open(struct prvcut_follow *f, const char *path,
                                   const struct prvcut_open_options *options,
                                   const struct prvcut_follow_options *how,
                                   struct prvcut_error *err);
enum prvcut_status api_follow_run(struct prvcut_follow *f, const struct prvcut_run *run,
                                  struct prvcut_error *err);
void api_follow_fini(struct prvcut_follow *f);

/** Is the loop that two looks in a row saw the loop of the run? (follow_sure.c) */
bool follow_is_sure(const struct follow_seen *before, const struct follow_seen *now);

/** Is it still that loop, in all that was written while it was looked at? (follow_sure.c) */
bool follow_stays_sure(const struct follow_seen *sure, const struct follow_seen *now);

#endif
