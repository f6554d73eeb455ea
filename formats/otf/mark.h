#ifndef PRVCUT_OTF_MARK_H
#define PRVCUT_OTF_MARK_H

#include "otf/cut_track.h"

/*
 * Marks of a kind are a counter of their own, a level: of iterations 1 where one begins, 0 where
 * the last one ends. A mark stands in front of what happens at its time.
 */

/** The counter of the marks, and what is put in. */
struct otf_marker {
    const struct prvcut_marks *marks;
    uint32_t counter;
    bool defined;     /**< the trace has it already */
    uint64_t written; /**< marks */
};

/** Those of a stream. */
enum prvcut_status otf_due_init(struct otf_due *out, const struct otf_marker *m,
                                const struct otf_trace *t, const struct otf_stream *s,
                                struct prvcut_error *err);

/** Write those that are due before what happens at a tick; UINT64_MAX: all that are left. */
void otf_due_put(struct otf_stream_cut *s, uint64_t tick);

/** Define the counter, behind the global definitions. */
void otf_marker_define(const struct otf_marker *m, struct otf_out *out, bool long_form);

enum prvcut_status otf_mark_trace(struct prvcut_trace *t, const struct prvcut_run *run,
                                  const struct prvcut_marks *marks,
                                  const struct prvcut_cut_options *options,
                                  struct made_marking *out, struct prvcut_error *err);

#endif
