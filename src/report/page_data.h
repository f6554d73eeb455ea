#ifndef PRVCUT_REPORT_PAGE_DATA_H
#define PRVCUT_REPORT_PAGE_DATA_H

#include "report/page.h"

#include <jansson.h>

/* Bounds that keep the page small whatever the trace holds. */
#define PAGE_COLUMNS       6000  /* of a curve */
#define PAGE_ITERATIONS    20000 /* lengths; beyond, several iterations are one */
#define PAGE_PICKS         6     /* timelines of iterations that were not cut */
#define PAGE_RUNS          24000 /* pieces of all timelines */
#define PAGE_RUNS_EACH     6000  /* of one */
#define PAGE_LINES         20    /* source lines, those that take longest */
#define PAGE_MESSAGES      6000  /* of all timelines */
#define PAGE_MESSAGES_EACH 1500  /* of one */
#define PAGE_SEARCHES      7
#define PAGE_MATRICES      4   /* of who sends to whom, one an application */
#define PAGE_FIELDS        64  /* on a side of a matrix; beyond, several ranks share one */
#define PAGE_PATHS         30  /* of each kind of waiting */
#define PAGE_WAIT_COLUMNS  600 /* iterations beside each other; beyond, several share a column */
#define PAGE_CALLS         12  /* collectives of a matrix */

/**
 * What the page draws and no report tells: curves, single iterations, timelines, what to type.
 *
 * owns  the caller's; NULL: out of memory, or *st tells what else failed
 */
json_t *page_data(const struct prvcut_page *page, enum prvcut_status *st, struct prvcut_error *err);

/** A timeline as the page has it. */
struct page_drawing {
    const struct prvcut_timeline *timeline;
    const struct prvcut_span *own; /**< [threads] windows of threads; NULL: they have the same */
    uint32_t threads;
    size_t drawings; /**< timelines of the page: they share its room */
};

/** What rows did in a window; NULL: out of memory. */
json_t *page_timeline(const struct page_drawing *d);

/** A curve as least, greatest and mean value of at most `most` columns, in thousandths of what lies
    between low and top; NULL: it is empty. ceiling: cut off there; INFINITY: nowhere. */
json_t *page_curve(const struct prvcut_curve *c, size_t most, double ceiling);

/** Who sends to whom, a matrix an application; null where nobody asked; NULL: out of memory. */
json_t *page_comm(const struct prvcut_comm *c, enum prvcut_status *st, struct prvcut_error *err);

/** Wait states, as waits tells them; null where nobody asked; NULL: out of memory. */
json_t *page_waits(const struct prvcut_wait_states *w, enum prvcut_status *st,
                   struct prvcut_error *err);

/** The loop that was found over all of the run; NULL: none. */
const struct made_region *page_main(const struct prvcut_page *page);

/** Above what a curve is cut off so that a loop is seen in it: the median of its iterations'
   greatest values, twice; INFINITY where nothing is far above. */
double page_ceiling(const struct prvcut_curve *c, const struct made_region *r);

/**
 * Autocorrelation of a search's signal within its region, for lags up to some periods and beyond
 * the longest period that a signal or the calls gave. out is left as it was, *own NULL, where the
 * signal is too coarse.
 *
 * owns    *own is what out points to, freed by the caller
 */
enum prvcut_status page_likeness(const struct prvcut_page *page, const struct prvcut_page_search *s,
                                 double longest, struct prvcut_curve *out, double **own,
                                 struct prvcut_error *err);

#endif
