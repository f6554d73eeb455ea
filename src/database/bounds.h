#ifndef PRVCUT_DATABASE_BOUNDS_H
#define PRVCUT_DATABASE_BOUNDS_H

#include "prvcut/trace.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>

/**
 * A question ends in its time. SQLite looks at the clock between the steps of its machine, which
 * one call of a function may hold up for hours: so texts are bounded, and functions whose time
 * grows with the product of two lengths look at the clock themselves. A step that counts all rows
 * of a table looks at nothing but sqlite3_interrupt: a thread watches meanwhile.
 */

/** Bytes of a text, a row or a question. */
#define DBS_TEXT_MOST 1000000
/** Bytes of a pattern of LIKE and GLOB. */
#define DBS_PATTERN_MOST 1000

enum { DBS_BOUNDED = 11 };

struct dbs_bounds;

struct dbs_bounded {
    struct dbs_bounds *of;
    sqlite3_stmt *call; /**< SQLite's own of that name */
    int texts;          /**< that call takes */
};

struct dbs_bounds {
    double until; /**< prvcut_seconds */
    const struct prvcut_run *run;
    pthread_mutex_t lock; /**< of what follows, and of run's callbacks */
    pthread_cond_t wake;
    pthread_t watcher;
    sqlite3 *watched; /**< NULL: nobody watches */
    bool late, stopped, ended;
    const char *long_in; /**< a function whose texts are too long together; NULL: none */
    sqlite3 *own;        /**< where SQLite's own functions are */
    struct dbs_bounded bounded[DBS_BOUNDED];
};

/** Bound all that is asked of db until dbs_bounds_end; b: zeroed but for until and run. */
int dbs_bounds_set(sqlite3 *db, struct dbs_bounds *b);
/** Watch the clock beside each step of db until dbs_bounds_rest, too; without a thread, not. */
void dbs_bounds_watch(sqlite3 *db, struct dbs_bounds *b);
/** late and stopped may be read from then on. */
void dbs_bounds_rest(struct dbs_bounds *b);
void dbs_bounds_end(sqlite3 *db, struct dbs_bounds *b);

#endif
