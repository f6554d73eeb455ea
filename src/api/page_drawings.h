#ifndef PRVCUT_API_PAGE_DRAWINGS_H
#define PRVCUT_API_PAGE_DRAWINGS_H

#include "analysis/timeline.h"
#include "api/job.h"

/** Timelines of the page, and its factors, are made ready to listen to a reading of all of the
    trace: j->drawings; none where no page is wanted. */
enum prvcut_status job_drawings_new(struct job *j, struct prvcut_error *err);

/** Who listens for them; borrowed. */
size_t job_drawings_listeners(const struct job_drawings *d,
                              const struct prvcut_listener *const **listener);

void job_drawings_free(struct job_drawings *d);

/** What a timeline of the page has room for. */
struct prvcut_timeline_room job_drawings_room(const struct job *j);

/** The timeline of a cut: what was drawn beside the proof, or else from a reading of its own. owns:
 *out is the caller's; errors: those of a reading */
enum prvcut_status job_drawings_read(struct prvcut_timeline *out, struct job *j, size_t chop,
                                     struct prvcut_error *err);

#endif
