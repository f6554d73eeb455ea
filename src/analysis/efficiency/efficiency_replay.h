#ifndef PRVCUT_ANALYSIS_EFFICIENCY_EFFICIENCY_REPLAY_H
#define PRVCUT_ANALYSIS_EFFICIENCY_EFFICIENCY_REPLAY_H

#include "analysis/efficiency/efficiency_feed.h"

/*
 * A trace's calls and messages as those of a replay: kinds by their labels, lanes, communicators,
 * the window, and the ideal times of the stretches' borders.
 */

struct eff_replay;

/** owns: *out is the caller's, released with eff_replay_free, also after a failure. */
enum prvcut_status eff_replay_new(struct eff_replay **out, struct prvcut_efficiency_found *f,
                                  struct prvcut_trace *t,
                                  const struct prvcut_efficiency_asked *asked,
                                  struct prvcut_error *err);
void eff_replay_free(struct eff_replay *r);

/** A task starts with a thread; unless sure it may still start otherwise. */
void eff_replay_start(struct eff_replay *r, uint32_t thread, uint64_t time, bool sure);

enum prvcut_status eff_replay_time(struct eff_replay *r, uint64_t time, struct prvcut_error *err);
enum prvcut_status eff_replay_enter(struct eff_replay *r, const struct eff_event *e,
                                    struct prvcut_error *err);
enum prvcut_status eff_replay_leave(struct eff_replay *r, uint32_t thread, uint64_t end, bool cut,
                                    struct prvcut_error *err);
/** Its record stands where it is transferred, or before. */
enum prvcut_status eff_replay_message(struct eff_replay *r, const struct prvcut_message *m,
                                      struct prvcut_error *err);

/** There are no more records; calls that are open may end yet. */
enum prvcut_status eff_replay_close(struct eff_replay *r, struct prvcut_error *err);
/** All calls have ended; how far threads are recorded is known: set what the replay found. */
enum prvcut_status eff_replay_end(struct eff_replay *r, struct prvcut_error *err);

#endif
