#ifndef PRVCUT_REPORT_PAGE_H
#define PRVCUT_REPORT_PAGE_H

#include "analysis/timeline.h"
#include "model/made.h"
#include "prvcut/comm.h"
#include "prvcut/profile.h"
#include "prvcut/waits.h"
#include "report/plot.h"

/** What the head of a page calls its mark. */
#define PRVCUT_PAGE_MARK "prvcut-page"
/** What a page ends with; one that does not was cut short. */
#define PRVCUT_PAGE_END "</body>\n</html>\n"

/** Timelines of cuts that a page has room for. */
#define PAGE_TIMELINES 4

/** The search for the period of one periodic region, to be shown. */
struct prvcut_page_search {
    size_t region;              /**< index in the structure */
    struct prvcut_curve signal; /**< over the region's span (for deeper levels over the parent's
                                      example), ns; as fine as the search saw it: the page makes an
                                      envelope of it */
};

/** An iteration of the run's loop that is drawn, though it was not cut. */
struct prvcut_page_pick {
    uint64_t iteration;         /**< from 1 through the loop */
    unsigned kind;              /**< from 1; 0: the loop has one kind */
    bool usual;                 /**< nearest to the median of its kind */
    bool slowest;               /**< of all, or of those that nothing disturbs */
    bool disturbed;             /**< a flush, say, fell into it */
    struct prvcut_span *thread; /**< [threads] each one's own; NULL: all have the timeline's */
    uint32_t threads;
    struct prvcut_timeline timeline; /**< rows == 0: none could be read */
};

/** Iterations in a row, of one kind, which counts from 1. */
struct prvcut_page_kind {
    uint64_t first, last; /**< from 1 through the loop */
    unsigned kind;
};

/** All that the page shows; borrowed, the caller's. */
struct prvcut_page {
    const struct made_reduction *reduction;
    const char *command; /**< the command line, or NULL */
    const char *mark;    /**< by which it is known again; NULL: it has none */
    const char *trace;   /**< what a command calls the trace; NULL: it cannot be read again */
    const char *options; /**< that find the same again, each with a blank behind it; NULL: none */
    bool own_colours;    /**< states are drawn in the colours that the trace gives them */
    struct prvcut_curve run; /**< the leading metric's signal over the whole run, ns */
    const struct prvcut_page_search
        *search; /**< [searches], one a distinct loop, outermost first */
    size_t searches;
    const struct prvcut_timeline
        *timeline; /**< [timelines], of chop i; rows == 0: none could be read */
    size_t timelines;
    const struct prvcut_page_pick *pick; /**< [picks] */
    size_t picks;
    const struct prvcut_page_kind *kind; /**< [kinds] of the iterations of the run's loop, in their
                                            order; none: it has one kind */
    size_t kinds;
    const struct prvcut_profile *lines; /**< source lines that call; NULL: they are not known */
    const struct prvcut_profile
        *calls;                     /**< calls of a run that nothing was cut from; NULL: of none */
    const struct prvcut_comm *comm; /**< who sends to whom in the run; NULL: it is not known */
    const struct prvcut_wait_states *waits; /**< who waits; NULL: it is not known */
};

/**
 * The report as one page of HTML that needs nothing else, less than 2 MB. Free *text.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_page_html(const struct prvcut_page *page, char **text,
                                    struct prvcut_error *err);

#endif
