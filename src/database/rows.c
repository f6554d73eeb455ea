#include "database/rows.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file is worked on alone and thrown away after a failure: nothing needs to be undone. */
static const char dbs_alone[] = "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF;"
                                "PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
                                "PRAGMA cache_size = -32768; PRAGMA temp_store = FILE;"
                                "PRAGMA user_version = 1;";

enum prvcut_status dbs_fail(struct dbs *d, const char *what, struct prvcut_error *err)
{
    const int rc = sqlite3_errcode(d->db);

    if (rc == SQLITE_NOMEM)
        return prvcut_no_memory(err, "a database");
    return prvcut_fail(err, PRVCUT_EIO, "%s: %s: %s", d->told, what, sqlite3_errmsg(d->db));
}

static enum prvcut_status rows_dbs_run(struct dbs *d, const char *sql, struct prvcut_error *err)
{
    return sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? PRVCUT_OK
               : dbs_fail(d, "the database cannot be written", err);
}

/* "INSERT INTO calls VALUES(?,?,...)": as many as the table has columns. */
static enum prvcut_status rows_dbs_prepare(struct dbs *d, enum dbs_table table,
                                           struct prvcut_error *err)
{
    const char *name = dbs_table_name(table);
    sqlite3_stmt *columns = NULL;
    char sql[256];
    int count = 0;
    size_t n;

    snprintf(sql, sizeof sql, "SELECT * FROM %s", name);
    if (sqlite3_prepare_v2(d->db, sql, -1, &columns, NULL) == SQLITE_OK)
        count = sqlite3_column_count(columns);
    sqlite3_finalize(columns);
    n = (size_t)snprintf(sql, sizeof sql, "INSERT INTO %s VALUES(", name);
    for (int i = 0; i < count && n + 4 < sizeof sql; i++)
        n += (size_t)snprintf(sql + n, sizeof sql - n, i > 0 ? ",?" : "?");
    snprintf(sql + n, sizeof sql - n, ")");
    if (sqlite3_prepare_v3(d->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &d->insert[table], NULL) !=
        SQLITE_OK)
        return dbs_fail(d, "the database cannot be made", err);
    return PRVCUT_OK;
}

enum prvcut_status dbs_make(struct dbs **out, const char *file, const char *told, uint32_t wanted,
                            struct prvcut_error *err)
{
    struct dbs *d = prvcut_zeroed(1, sizeof *d, "a database", err);
    enum prvcut_status st = d ? PRVCUT_OK : PRVCUT_ENOMEM;

    *out = d;
    if (!d)
        return st;
    d->told = told;
    d->wanted = wanted;
    if (sqlite3_open_v2(file, &d->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK)
        st = dbs_fail(d, "the database cannot be made", err);
    if (st == PRVCUT_OK)
        st = rows_dbs_run(d, dbs_alone, err);
    if (st == PRVCUT_OK)
        st = rows_dbs_run(d, "BEGIN", err);
    for (unsigned t = 0; t < DBS_TABLES && st == PRVCUT_OK; t++) {
        st = rows_dbs_run(d, dbs_table_sql((enum dbs_table)t), err);
        if (st == PRVCUT_OK)
            st = rows_dbs_prepare(d, (enum dbs_table)t, err);
    }
    if (st < 0) {
        dbs_close(d);
        *out = NULL;
    }
    return st;
}

enum prvcut_status dbs_finish(struct dbs *d, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned t = 0; t < DBS_TABLES && st == PRVCUT_OK; t++)
        st = rows_dbs_run(d, dbs_index_sql((enum dbs_table)t), err);
    if (st == PRVCUT_OK)
        st = rows_dbs_run(d, dbs_views_sql(), err);
    return st == PRVCUT_OK ? rows_dbs_run(d, "COMMIT", err) : st;
}

void dbs_close(struct dbs *d)
{
    if (!d)
        return;
    for (unsigned t = 0; t < DBS_TABLES; t++)
        sqlite3_finalize(d->insert[t]);
    sqlite3_close(d->db);
    free(d);
}

void dbs_choose(struct dbs *d, const bool *chosen, uint32_t ranks)
{
    d->chosen = chosen;
    d->ranks = ranks;
}

bool dbs_tells(const struct dbs *d, uint32_t rank)
{
    return !d->chosen || (rank < d->ranks && d->chosen[rank]);
}

bool dbs_wants(const struct dbs *d, enum dbs_table table)
{
    return d->wanted & DBS_BIT(table);
}

uint64_t dbs_rows(const struct dbs *d, enum dbs_table table)
{
    return d->rows[table];
}

/* --- Rows ------------------------------------------------------------------------------------- */

struct dbs_row dbs_begin(struct dbs *d, enum dbs_table table)
{
    return (struct dbs_row){ .of = d, .table = table, .rc = SQLITE_OK };
}

/* The statement to bind the next column of; NULL: there is nothing to do. */
static sqlite3_stmt *rows_dbs_next(struct dbs_row *r)
{
    r->at++;
    return r->rc == SQLITE_OK && dbs_wants(r->of, r->table) ? r->of->insert[r->table] : NULL;
}

void dbs_i64(struct dbs_row *r, int64_t value)
{
    sqlite3_stmt *s = rows_dbs_next(r);

    if (s)
        r->rc = sqlite3_bind_int64(s, r->at, value);
}

static void rows_dbs_null(struct dbs_row *r)
{
    sqlite3_stmt *s = rows_dbs_next(r);

    if (s)
        r->rc = sqlite3_bind_null(s, r->at);
}

void dbs_real(struct dbs_row *r, double value)
{
    sqlite3_stmt *s = rows_dbs_next(r);

    if (s)
        r->rc = isnan(value) ? sqlite3_bind_null(s, r->at) : sqlite3_bind_double(s, r->at, value);
}

void dbs_u64(struct dbs_row *r, uint64_t value)
{
    if (value == UINT64_MAX)
        rows_dbs_null(r);
    else if (value > INT64_MAX)
        dbs_real(r, (double)value);
    else
        dbs_i64(r, (int64_t)value);
}

void dbs_u32(struct dbs_row *r, uint32_t value)
{
    dbs_u64(r, value == UINT32_MAX ? UINT64_MAX : value);
}

void dbs_number(struct dbs_row *r, uint64_t value)
{
    dbs_u64(r, value == 0 ? UINT64_MAX : value);
}

static void rows_dbs_bind_latin(struct dbs_row *r, sqlite3_stmt *s, const char *text)
{
    char utf8[1024];
    const size_t n = prvcut_utf8_of_latin(utf8, sizeof utf8, text);

    r->rc = sqlite3_bind_text(s, r->at, utf8, (int)n, SQLITE_TRANSIENT);
}

void dbs_text(struct dbs_row *r, const char *text)
{
    sqlite3_stmt *s = rows_dbs_next(r);

    if (s && !text)
        r->rc = sqlite3_bind_null(s, r->at);
    else if (s && prvcut_utf8_is_whole(text))
        r->rc = sqlite3_bind_text(s, r->at, text, -1, SQLITE_STATIC);
    else if (s)
        rows_dbs_bind_latin(r, s, text);
}

enum prvcut_status dbs_end(struct dbs_row *r, struct prvcut_error *err)
{
    struct dbs *d = r->of;
    sqlite3_stmt *s = d->insert[r->table];

    if (!dbs_wants(d, r->table))
        return PRVCUT_OK;
    if (r->rc == SQLITE_OK && sqlite3_step(s) == SQLITE_DONE && sqlite3_reset(s) == SQLITE_OK) {
        d->rows[r->table]++;
        return PRVCUT_OK;
    }
    return dbs_fail(d, dbs_table_name(r->table), err);
}
