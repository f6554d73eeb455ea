#ifndef PRVCUT_API_DATABASE_FILL_H
#define PRVCUT_API_DATABASE_FILL_H

#include "database/database.h"
#include "model/made.h"

/**
 * Fill the tables that a database wants, and finish it.
 *
 * loop: iterations are wanted even where the options name none
 *
 * owns    *no_loop is the caller's: why there are no iterations; NULL: there are, or nobody asked
 * errors  PRVCUT_NONE: some are named and there is no loop; as prvcut_database_make
 */
enum prvcut_status api_database_fill(struct dbs *d, struct prvcut_trace *trace,
                                     const struct prvcut_run *run,
                                     const struct prvcut_database_options *options, bool loop,
                                     char **no_loop, struct prvcut_error *err);

/** Can it be made of the trace, whatever it is called? (database_check.c) errors  PRVCUT_EUSAGE */
enum prvcut_status api_database_fits(const struct prvcut_trace *trace,
                                     const struct prvcut_database_options *options,
                                     struct prvcut_error *err);

/** What would be refused before anything is read: a window, tasks, a name (database_check.c). */
enum prvcut_status api_database_check(const struct prvcut_trace *trace,
                                      const struct prvcut_database_options *options,
                                      const char *path, bool force, struct prvcut_error *err);

#endif
