#ifndef PRVCUT_API_JOB_VIEW_H
#define PRVCUT_API_JOB_VIEW_H

#include "api/job.h"

/** A page that is wanted without a cut, of analyses that fit into a time. */
struct job_view {
    const char *key;              /**< of trace and options; borrowed */
    double seconds;               /**< from the begin of the job on */
    double until;                 /**< s, as prvcut_seconds tells them */
    const struct prvcut_run *own; /**< the program's; borrowed */
    struct prvcut_run limited;    /**< ends when the time is over, too */
    bool late;                    /**< something was left out */
};

/** Make a job's run that of a page; v stays where it is until the job is done. */
void job_view_begin(struct job_view *v, struct job *j, const char *key, double seconds);

/** The run for what the page could do without: the job's own where cuts are wanted. */
const struct prvcut_run *job_view_run(const struct job *j);

/**
 * How an analysis ended that the page could do without.
 *
 * errors  PRVCUT_ELIMIT where the time was over; else st
 */
enum prvcut_status job_view_fits(const struct job *j, enum prvcut_status st,
                                 struct prvcut_error *err);

/** May the page replace one that is there? */
bool job_page_replaces(const struct job *j);

/** Bytes of a mark and its end. */
#define JOB_VIEW_MARK 128

/** What the page is known again by: the key, and the seconds that were too few, or 0; in out; NULL:
    cuts are wanted. */
const char *job_view_mark(const struct job *j, char out[JOB_VIEW_MARK]);

/** Is that the mark of a page of this key, with all that fits into so many seconds? late: something
    was left out. */
bool job_view_is_mark(const char *mark, const char *key, double seconds, bool *late);

#endif
