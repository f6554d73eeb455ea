#ifndef PRVCUT_OTF2_MARK_H
#define PRVCUT_OTF2_MARK_H

#include "otf2/cut.h"

#include "model/marks.h"

/*
 * Marks of a kind are a metric of their own: of iterations 1 where one begins, 0 where the last one
 * ends. A mark stands in front of what happens at its time: so its value belongs to the region that
 * is entered there, and a collective's own records stay together.
 */

/** The metric of the marks, and what is put in. */
struct o2_marker {
    const struct prvcut_marks *marks;
    OTF2_MetricRef metric;
    bool defined;     /**< the archive has it already */
    uint64_t written; /**< marks */
};

/** Find the metric, or a free number for it. errors: PRVCUT_ELIMIT */
enum prvcut_status o2_marker_init(struct o2_marker *out, const struct o2_trace *t,
                                  const struct prvcut_marks *marks, struct prvcut_error *err);

/** Those of a location, at its own clock's ticks. */
enum prvcut_status o2_due_new(struct o2_due **out, const struct o2_marker *m,
                              const struct o2_trace *t, uint32_t thread, struct prvcut_error *err);
void o2_due_free(struct o2_due *d);

/** Write those that are due before something happens at a tick; UINT64_MAX: all that are left. */
void o2_due_put(struct o2_place *p, uint64_t tick);

/** How many were written. */
uint64_t o2_due_written(const struct o2_due *d);

/** Define the metric, where it is not; string and member: free ids, from there on. */
OTF2_ErrorCode o2_marker_define(const struct o2_marker *m, const struct o2_trace *t,
                                OTF2_GlobalDefWriter *w, OTF2_StringRef string,
                                OTF2_MetricMemberRef member);

#endif
