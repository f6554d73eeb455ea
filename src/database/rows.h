#ifndef PRVCUT_DATABASE_ROWS_H
#define PRVCUT_DATABASE_ROWS_H

#include "database/database.h"

#include <sqlite3.h>

struct dbs {
    sqlite3 *db;
    const char *told; /**< borrowed */
    uint32_t wanted;
    sqlite3_stmt *insert[DBS_TABLES];
    uint64_t rows[DBS_TABLES];
    const bool *chosen; /**< [ranks], borrowed; NULL: all */
    uint32_t ranks;
};

/** Fail with what SQLite says. */
enum prvcut_status dbs_fail(struct dbs *d, const char *what, struct prvcut_error *err);

#endif
