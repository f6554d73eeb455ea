#ifndef PRVCUT_API_JOB_WINDOWS_INNER_H
#define PRVCUT_API_JOB_WINDOWS_INNER_H

#include "api/job_parts.h"
#include "api/job_rows.h"
#include "api/job_windows.h"

#include "analysis/windows.h"
#include "structure/align.h"

/*
 * What the windows of a job are made of; only the files that list, choose and judge them look into
 * it.
 */

/** An iteration, or a window of several, that is measured by itself. */
struct job_unit {
    uint64_t start;         /**< ns, border[0] */
    const uint64_t *border; /**< [iterations + 1], on the thread that leads */
    unsigned iterations;
    unsigned kind;  /**< of iterations, from 1; 0: of several, or not known */
    unsigned held;  /**< bits: their kinds, from the first on; 0: not known */
    bool clear;     /**< nothing disturbs any thread */
    bool follows;   /**< the one before it ends where it begins */
    bool part;      /**< the loop begins or ends inside it: it is no whole iteration */
    unsigned phase; /**< of a step: its number in the iteration, from 0 */
};

/** How many of the iterations nothing disturbs, and how much of their time. */
struct job_clear {
    uint64_t iterations;
    double part; /**< 0..1 of the time of all, on the thread that leads */
};

/** The iterations of a loop, or of one region of it. */
struct job_units {
    size_t region;
    bool of_loop;
    struct job_unit *unit; /**< [units]; owned */
    size_t units, room;
    size_t slot;       /**< of the first unit in the measure */
    size_t inner_slot; /**< of what is from the first place inside the first unit to the same one in
                            the next unit; behind that of all units, the second place's */
    bool inner;        /**< such are measured, too */
    size_t fine;       /**< row of its iterations' steps; 0: none, that is an other one's */
    unsigned steps;    /**< in an iteration, of which each is a unit; 0: units are iterations */
    const struct prvcut_known_loop *loop; /**< of steps: their borders */
    bool thin;              /**< windows in place of iterations, and not all of these */
    struct job_clear clear; /**< what was told of all iterations, where thin */
    bool clear_alone;       /**< thin, and of the clear ones: masks hide most */
};

/** What makes a window. */
struct job_wanted {
    unsigned iterations;
    unsigned kind; /**< of each iteration, from 1; 0: any */
    bool clear;    /**< nothing disturbs them */
};

/** What competes for a cut, or for several that hold as many iterations. */
struct job_rivals {
    size_t row;
    struct job_wanted wanted; /**< clear: the others do not even say what is usual; set by
                                   job_rivals_compare */
    bool some_clear;          /**< so others are not chosen */
    bool of_all;              /**< they stand for all of the loop, but compete in their kind */
    size_t *first;            /**< [windows.count] the unit that each window begins with; owned */
    struct prvcut_windows windows;
    struct prvcut_windows all; /**< a cut is judged by: with those that begin inside an iteration,
                                    where there are few */
    size_t *step; /**< [all.count - windows.count] the step that each of these begins with; owned;
                         NULL: they are none that can be cut */
    struct prvcut_column loop; /**< all iterations, the clear ones where there are any */
    double iterations;         /**< in loop */
};

/** What the threads keep of a planned cut, where that is not what was measured. */
struct job_kept {
    bool known;
    double value[PRVCUT_WINDOW_QUANTITIES];
    struct prvcut_column column; /**< owned; of the measure of all windows; zeroed: not known */
};

struct job_windows {
    struct prvcut_measure measure;
    struct prvcut_column column;         /**< room for one window */
    struct prvcut_proof_region *stretch; /**< [stretches]; owned */
    uint64_t *bound;                     /**< of all stretches; owned */
    size_t stretches;
    int64_t *apart; /**< [threads] ns from the thread that leads to each, JOB_WINDOWS_OWN: it has
                         borders of its own; owned; NULL: all have */
    uint64_t *laid; /**< [borders of laid_of * threads] of such threads, 0: not known; owned; NULL:
                         apart tells all */
    const struct prvcut_known_loop *laid_of;
    struct job_parts part; /* that are read; span NULL: all is read; owned */
    size_t *list;          /**< slots of a column; owned */
    struct job_units *row;
    size_t rows, row_room;
    struct job_rivals *group;
    size_t groups, group_room;
    size_t *of_chop;       /**< [plan.count] group of each; SIZE_MAX: none; owned */
    struct job_kept *kept; /**< [cuts]; owned */
    size_t cuts;           /**< plan.count */
};

#define JOB_WINDOWS_OWN INT64_MAX

/* Places inside an iteration, spread evenly, where windows begin that only say what is usual. */
#define JOB_PHASES 3

/**
 * Where a thread begins its iterations far from the others, whether a cut would have it there, too,
 * or else where: into w->apart, by a window of the plan.
 *
 * errors  those of prvcut_align
 */
enum prvcut_status job_windows_tell_apart(struct job_windows *w, struct job *j,
                                          const struct job_planned *p, struct prvcut_error *err);

/** The threads' borders of a window, as w->apart has them. shape: from, to: [threads] */
void job_windows_set_apart(const struct job_windows *w, const struct job *j, uint64_t *from,
                           uint64_t *to, const struct job_row *row);

/**
 * The borders that a cut lays may be elsewhere than those that were measured. Where they are and
 * that can be told soon, some of the nearest windows are measured as they would be cut, and the one
 * that is nearest then takes the place of the planned one: p is that window, or the same as before.
 *
 * errors  those of prvcut_align and the reader, PRVCUT_ENOMEM
 */
enum prvcut_status job_windows_keep(struct job *j, const struct job_rivals *g, size_t window,
                                    struct job_planned *p, struct job_kept *kept,
                                    struct prvcut_error *err);

/**
 * What a planned cut keeps is that stretch of another measure: its values, beside the windows of g,
 * and its column (job_windows_own.c).
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status job_windows_set_kept(struct job_windows *w, const struct job_rivals *g,
                                        struct job_kept *kept, const struct prvcut_measure *more,
                                        size_t slot, struct prvcut_error *err);

/**
 * All cuts of the plan of which nothing is kept yet, and whose borders are not just those that were
 * measured, are measured as they will be cut (job_windows_judge.c).
 *
 * errors  those of prvcut_align and the reader, PRVCUT_ENOMEM
 */
enum prvcut_status job_windows_measure_cuts(struct job *j, const struct job_plan *plan,
                                            struct prvcut_error *err);

/** A trace of so few records is read once more without a thought (job_windows_own.c). */
bool job_windows_are_short(const struct job *j);

/** Where windows as they would be cut are soon read: the trace is short, or can be entered anywhere
    (job_windows_own.c). */
bool job_windows_are_soon_read(const struct job *j);

/**
 * Measure some stretches of the run alone (job_windows_own.c).
 *
 * units   before: ns that are read before each
 * owns    *m is initialised here, released with prvcut_measure_fini, also after a failure; stretch
 *         is borrowed until then
 * errors  those of the reader, PRVCUT_ENOMEM
 */
enum prvcut_status job_windows_read(struct prvcut_measure *m, struct job *j,
                                    const struct prvcut_proof_region *stretch, size_t count,
                                    uint64_t before, struct prvcut_error *err);

/** A stretch as a window would be cut; bound: [2 * threads]. errors  those of prvcut_align
    (job_windows_own.c) */
enum prvcut_status job_windows_lay(struct prvcut_window *out, struct job *j,
                                   const struct job_place *place, uint64_t *bound, uint64_t *harm,
                                   struct prvcut_error *err);

/** The unit that a cut begins with; SIZE_MAX: none does. */
size_t job_units_at(const struct job_units *r, uint64_t time);

/** The units that a planned cut is made of, of the windows that it competes with; units 0: they are
    none of what was measured. */
struct job_window job_units_of_cut(const struct job_windows *w, const struct job_rivals *g,
                                   const struct job_planned *p);

/** A window of g->all takes the place of what was planned. errors  those of job_plan_retake */
enum prvcut_status job_rivals_take(struct job *j, const struct job_rivals *g, size_t window,
                                   struct job_planned *p, struct prvcut_error *err);

/** Units of a window, in a row. */
struct job_window {
    size_t row, first, units;
};

/** Of the windows of g->all, which those of g->windows begin. */
struct job_window job_rivals_window(const struct job_windows *w, const struct job_rivals *g,
                                    size_t window);

/**
 * Where the iterations of a row are few and all of them make the same steps: a row of these, so
 * that windows of as many whole iterations may begin at each step (job_windows_steps.c). most:
 * units of all rows
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status job_windows_add_steps(struct job_windows *w, struct job *j, size_t most,
                                         struct prvcut_error *err);

/** The window that begins with a unit takes the place of what was planned. errors  those of
    job_plan_retake */
enum prvcut_status job_units_take(struct job *j, const struct job_units *r, size_t first,
                                  unsigned iterations, struct job_planned *p,
                                  struct prvcut_error *err);

/** How many units from there on make such a window; 0: none do. */
size_t job_units_of(const struct job_units *r, size_t first, const struct job_wanted *wanted);

/** How many windows there are, and into out, unless it is NULL, the unit that each begins with. */
size_t job_units_windows(const struct job_units *r, const struct job_wanted *wanted, size_t *out);

/** The same into a list of their own. owns: *first is the caller's. errors  PRVCUT_ENOMEM */
enum prvcut_status job_units_list(const struct job_units *r, const struct job_wanted *wanted,
                                  size_t **first, size_t *count, struct prvcut_error *err);

/** Do masks hide most of the windows? */
bool job_units_few_clear(const struct job_units *r, struct job_wanted wanted);

/** The undisturbed ones among all iterations of a row. */
struct job_clear job_units_clear(const struct job_units *r);

/** Does nothing disturb the window that begins there? */
bool job_units_are_clear(const struct job_units *r, size_t first, struct job_wanted wanted);

/** The kinds of a window's iterations, bits as of a unit (job_windows_kinds.c). */
unsigned job_units_held(const struct job_units *r, size_t first, unsigned iterations);

/** The one kind of these bits, from 1; 0: there are several, or none (job_windows_kinds.c). */
unsigned job_units_kind(unsigned held);

/** The row that has every iteration whose kind is known; NULL: none (job_windows_kinds.c). */
struct job_units *job_windows_row_of_kinds(const struct job_windows *w, const struct job *j);

/** Where the kinds of a row come in stretches, the kind beside whose windows a cut is told that is
    to be chosen, or that was asked for; 0: beside all (job_windows_kinds.c). */
unsigned job_windows_kind_beside(const struct job_windows *w, const struct job *j, size_t row,
                                 const struct job_planned *p, bool chosen);

/** Does a cut hold several kinds, where these come in stretches? It is typical of none then. */
bool job_windows_is_between(const struct job_windows *w, const struct job *j, size_t row,
                            const struct job_planned *p);

/** Set a column to what some units hold that follow each other. */
void job_units_column(struct job_windows *w, const struct job_units *r, struct prvcut_column *c,
                      size_t first, size_t units);

/** Those of a planned cut; NULL: it competes with none. */
struct job_rivals *job_rivals_of(const struct job_windows *w, size_t chop);

/** List and compare the windows of g->row and g->wanted. errors  PRVCUT_ENOMEM */
enum prvcut_status job_rivals_compare(struct job_windows *w, struct job_rivals *g,
                                      struct prvcut_error *err);

void job_rivals_fini(struct job_rivals *g);

#endif
