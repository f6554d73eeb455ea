#ifndef PRVCUT_REPORT_PAGE_PARTS_H
#define PRVCUT_REPORT_PAGE_PARTS_H

#include "report/page.h"

/* Bounds that keep the page small and readable whatever the trace holds. */
#define PAGE_BANDS     400   /* pieces that a plot names and colours, the longest ones */
#define PAGE_GRID      400   /* lines of a period grid that are drawn at once */
#define PAGE_BORDERS   20000 /* borders of iterations that the script may draw */
#define PAGE_COLUMNS   8000  /* of a curve that the script may draw */
#define PAGE_SEARCHES  6
#define PAGE_REGIONS   150 /* rows of the table of regions */
#define PAGE_TIMELINES 4
#define PAGE_RUNS      24000 /* pieces of a timeline */
#define PAGE_MESSAGES  1500
#define PAGE_PROOFS    4
#define PAGE_ROWS      25 /* of a table of a proof */
#define PAGE_OUTLIERS  20
#define PAGE_CHOPS     60
#define PAGE_JSON      700000 /* bytes of the report within the page */

#define PAGE_STRIP     18 /* px: the row of names above a curve */

/** A page that is being written. */
struct page {
    struct report_lines *out;
    const struct prvcut_page *with;
    struct report_clock clock;
};

/** The parts, in their order. */
void page_put_head(const struct page *p);
void page_put_signal(const struct page *p);
void page_put_search(const struct page *p);
void page_put_votes(const struct page *p);
void page_put_levels(const struct page *p);
void page_put_inner(const struct page *p);
void page_put_timelines(const struct page *p);
void page_put_lengths(const struct page *p);
void page_put_proofs(const struct page *p);
void page_put_chops(const struct page *p);
void page_put_about(const struct page *p);

/** The loop that was found over all of the run; NULL: none. */
const struct prvcut_region *page_main(const struct page *p);

/** Index of the search for that loop among the page's; SIZE_MAX: it is not there. */
size_t page_lead(const struct page *p);

/** Above what a curve is cut off so that a loop is seen in it: the median of its iterations'
   greatest values, twice; INFINITY where nothing is far above. */
double page_ceiling(const struct prvcut_curve *c, const struct prvcut_region *r);

/** Where the k-th iteration of a region begins; the count of such borders. */
double page_border(const struct prvcut_region *r, size_t k);
size_t page_borders(const struct prvcut_region *r);

/** "level 2, region 3": where a region stands; returns out. */
char *page_place(char out[64], const struct prvcut_region *r);

/** A region's name in a word or two: "initialisation", "loop 1", "flushing"; returns out. */
char *page_kind(char out[64], const struct prvcut_region *r);

/** Classes of style of a region. */
const char *page_style(const struct prvcut_region *r);

/** "typical 1", "outlier 2": among the chops of its kind; returns out. */
char *page_chop(char out[64], const struct page *p, size_t chop);

void page_section(const struct page *p, const char *id, const char *heading);
void page_section_end(const struct page *p);

/** A plot with its tools for the script. wide: "", or further classes; close with page_figure_end.
 */
void page_figure(const struct page *p, const char *classes, const char *heading);
void page_figure_end(const struct page *p);

/** What stands around a cell: "<td>" or with a class; the text is ours. */
void page_cell(const struct page *p, const char *kind, const char *text);

/** A number with one decimal where it is small and not whole, with commas where it is large. */
char *page_tenths(char out[32], double x);

/** Times, sizes and numbers as words of the page. */
void page_put_time(const struct page *p, double ns);
void page_put_count(const struct page *p, uint64_t n, const char *noun);

/** The bands, masks, grid and windows that a plot over [from, to) of the run shows; its data. */
void page_put_bands(const struct page *p, const struct plot *plot);
void page_put_grid(const struct page *p, const struct plot *plot, const struct prvcut_region *r);
void page_put_grid_data(const struct page *p, const struct prvcut_region *const *region,
                        size_t regions);
void page_put_windows(const struct page *p, const struct plot *plot);

/** The autocorrelation of a search. */
void page_put_likeness(const struct page *p, const struct prvcut_page_search *s, bool small);

/**
 * Autocorrelation of a search's signal within its region, for lags up to some periods and beyond
 * the longest period that a witness saw. out is left as it was, *own NULL, where the signal is too
 * coarse.
 *
 * owns    *own is what out points to, freed by the caller; false: out of memory
 */
bool page_likeness(const struct page *p, const struct prvcut_page_search *s, double longest,
                   struct prvcut_curve *out, double **own);

#endif
