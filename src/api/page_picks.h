#ifndef PRVCUT_API_PAGE_PICKS_H
#define PRVCUT_API_PAGE_PICKS_H

#include "api/job.h"
#include "report/page.h"

/** The slowest iteration, the slowest that nothing disturbs, and one of each kind. */
#define PAGE_PICKS_MOST (MADE_KINDS + 2)

/** What the page shows of single iterations of the run's loop; zeroed: nothing. */
struct page_picks {
    struct prvcut_page_pick at[PAGE_PICKS_MOST];
    size_t count;
    struct prvcut_page_kind *kind; /**< [kinds] of iterations in a row; owned */
    size_t kinds;
};

/**
 * Iterations that are worth a look though none of them was cut: of each kind the one that is
 * nearest to its median, the slowest of all, and where something disturbed that one, the slowest
 * of the others. Only what can touch them is read again. Nothing where no loop was found, or its
 * iterations were not told one by one.
 *
 * shape   w: zeroed
 * owns    what w points to, released with page_picks_fini, also after a failure
 * errors  those of the reader, PRVCUT_ENOMEM
 */
enum prvcut_status page_picks_read(struct page_picks *w, const struct job *j,
                                   const struct prvcut_run *run,
                                   const struct prvcut_timeline_room *room,
                                   struct prvcut_error *err);

void page_picks_fini(struct page_picks *w);

#endif
