#ifndef PRVCUT_API_JOB_WINDOWS_INNER_H
#define PRVCUT_API_JOB_WINDOWS_INNER_H

#include "api/job_parts.h"
#include "api/job_windows.h"

#include "analysis/windows.h"

/*
 * What the windows of a job are made of; only the files that list, choose and judge them look into
 * it.
 */

/** An iteration, or a window of several, that is measured by itself. */
struct job_unit {
    uint64_t start;         /**< ns, border[0] */
    const uint64_t *border; /**< [iterations + 1], on the thread that leads */
    unsigned iterations;
    unsigned kind; /**< of iterations, from 1; 0: of several, or nobody asked */
    bool clear;    /**< nothing disturbs any thread */
    bool follows;  /**< the one before it ends where it begins */
};

/** The iterations of a loop, or of one region of it. */
struct job_units {
    size_t region;
    bool of_loop;
    struct job_unit *unit; /**< [units]; owned */
    size_t units, room;
    size_t slot; /**< of the first unit in the measure */
    bool thin;   /**< windows in place of iterations, and not all of these */
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
    struct job_wanted wanted; /**< clear: the others do not even say what is usual */
    bool some_clear;          /**< so others are not chosen */
    size_t *first;            /**< [windows.count] the unit that each window begins with; owned */
    struct prvcut_windows windows;
    struct prvcut_column loop; /**< all iterations, the clear ones where there are any */
    double iterations;         /**< in loop */
};

struct job_windows {
    struct prvcut_measure measure;
    struct prvcut_column column;         /**< room for one window */
    struct prvcut_proof_region *stretch; /**< [stretches]; owned */
    uint64_t *bound;                     /**< of all stretches; owned */
    size_t stretches;
    struct job_parts part; /* that are read; span NULL: all is read; owned */
    size_t *list;          /**< slots of a column; owned */
    struct job_units *row;
    size_t rows, row_room;
    struct job_rivals *group;
    size_t groups, group_room;
    size_t *of_chop; /**< [plan.count] group of each; SIZE_MAX: none; owned */
};

/** How many units from there on make such a window; 0: none do. */
size_t job_units_of(const struct job_units *r, size_t first, const struct job_wanted *wanted);

/** How many windows there are, and into out, unless it is NULL, the unit that each begins with. */
size_t job_units_windows(const struct job_units *r, const struct job_wanted *wanted, size_t *out);

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
