#ifndef PRVCUT_ANALYSIS_WINDOWS_H
#define PRVCUT_ANALYSIS_WINDOWS_H

#include "analysis/measure.h"
#include "prvcut/reduce.h"

/**
 * Which of many windows of a loop is the typical one: the one whose quantities all lie nearest to
 * their medians. Quantities: enum prvcut_quantity.
 */

/** Shares of that many calls are compared: those that take most of the loop's time. */
#define PRVCUT_WINDOW_CALLS      5
#define PRVCUT_WINDOW_QUANTITIES (PRVCUT_QUANTITY_CALL + PRVCUT_WINDOW_CALLS)

/** Fewer windows say little of what is usual. */
#define PRVCUT_WINDOWS_LEAST 5

/** A quantity of all windows. */
struct prvcut_usual {
    enum prvcut_quantity quantity;
    size_t key; /**< of a call: of the measure's sums; SIZE_MAX: there are not so many */
    struct prvcut_proof_key call; /**< the same, of any measure of the trace */
    bool told;                    /**< all windows have it, and it is large enough to be compared */
    bool weak; /**< told, but it says little: it chooses among equals, and decides no verdict */
    double median, low, high; /**< low, high: quartiles */
    double least, most;       /**< 5th and 95th percentile */
    double tolerance;         /**< what lies as near to the median is usual, too */
    double reach;             /**< what lies farther from the median is not, however many do */
    double *sorted;           /**< [known]; owned */
    size_t known;             /**< windows that it is of */
};

/** Windows of one loop that are compared with each other. */
struct prvcut_windows {
    size_t whole; /**< of whole iterations; behind them those that begin inside one, which only say
                       what is usual */
    size_t count;
    double *at;    /**< [count][PRVCUT_WINDOW_QUANTITIES]; NAN: unknown; owned */
    bool *beside;  /**< [count] says what is usual, but is not to be chosen; not all; owned */
    bool *end;     /**< [count] at the loop's begin or end, where something else may be taken for
                        a part of an iteration: chosen only if no other is as usual; owned */
    bool *of_kind; /**< [count] of the kind that one is chosen of, where split; owned */
    uint32_t
        callers; /**< threads that call in the loop, which all is of; 0: no others compute there */
    bool split;  /**< between kinds, where the median of a quantity lies, is next to nothing */
    size_t between;                                      /**< that quantity */
    struct prvcut_usual usual[PRVCUT_WINDOW_QUANTITIES]; /**< of all: what a verdict is by */
    struct prvcut_usual own[PRVCUT_WINDOW_QUANTITIES]; /**< of whole iterations or, where split, of
                                                            those of the kind: what is near */
};

/** One window beside all others. */
struct prvcut_judged {
    enum prvcut_chop_verdict verdict;
    const struct prvcut_usual *worst; /**< NULL: nothing is compared */
    double value;                     /**< of that quantity */
    double percentile;                /**< 0..100: so many windows have less of it */
    double distance;                  /**< 1: as far from the median as what is still usual */
    double near;                      /**< the same, or from that of the whole ones, if farther */
    double sum;                       /**< of all quantities' distances, as near has them */
};

/**
 * Room for windows, whose calls are those that take most of a loop's time. inner: of
 * them begin inside an iteration.
 *
 * owns    *w is initialised here, released with prvcut_windows_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_windows_init(struct prvcut_windows *w, const struct prvcut_measure *m,
                                       const struct prvcut_column *loop, size_t whole, size_t inner,
                                       struct prvcut_error *err);

/**
 * The quantities of a window; of the threads that call in the loop or, where none does, of those
 * that compute there. m: the windows' own, or another one of the same trace.
 *
 * shape   out: [PRVCUT_WINDOW_QUANTITIES], as a row of w->at
 */
void prvcut_windows_values(const struct prvcut_windows *w, double *out,
                           const struct prvcut_measure *m, const struct prvcut_column *window,
                           const struct prvcut_column *loop);

/** All rows are filled: what is usual. errors  PRVCUT_ENOMEM */
enum prvcut_status prvcut_windows_settle(struct prvcut_windows *w, struct prvcut_error *err);

/**
 * How far a window is from what is usual. A quantity is usual within 5 % of the median (a share:
 * or within two points) or in the middle half; the window is typical if all are, ordinary if each
 * is within twice that or between the 5th and the 95th percentile, else unusual; few where there
 * are fewer than PRVCUT_WINDOWS_LEAST of whole iterations.
 *
 * shape   value: [PRVCUT_WINDOW_QUANTITIES]: a row of w->at, or another window's
 */
struct prvcut_judged prvcut_windows_judge(const struct prvcut_windows *w, const double *value);

/**
 * Of the first `most` windows the one with the best verdict, at no end of the loop; then the one
 * whose greatest distance is smallest: from what is usual among all and among whole iterations or,
 * where two kinds follow each other, among those of the larger kind; weak quantities counted if it
 * is typical in these, too. Of equals the one whose sum of distances is smallest, then the first.
 *
 * shape   most > 0, up to w->count
 */
size_t prvcut_windows_nearest(const struct prvcut_windows *w, size_t most);

/** The same of all but some; SIZE_MAX: there is no other. shape: but: [count] */
size_t prvcut_windows_next(const struct prvcut_windows *w, size_t most, const size_t *but,
                           size_t count);

void prvcut_windows_fini(struct prvcut_windows *w);

#endif
