#include "database/bounds.h"
#include "database/rows.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/seconds.h"
#include "base/word.h"
#include "model/texts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of all texts of an answer. */
#define QRY_TEXTS ((size_t)1 << 30)

/* Columns of what EXPLAIN tells of a step. */
enum { QRY_OPCODE = 1, QRY_P2 = 3 };

#define QRY_READS "a question may only read: SELECT ..."

/* What of a statement SQLite has told so far. */
struct qry_seen {
    struct dbs_need need;
    const char *told; /* the database's name */
    bool writes;
};

static void qry_reads(struct qry_seen *seen, const char *table, const char *column)
{
    for (unsigned t = 0; t < DBS_TABLES; t++)
        if (strcmp(table, dbs_table_name((enum dbs_table)t)) == 0)
            seen->need.tables |= DBS_BIT(t);
    seen->need.loop |= strcmp(column, "iteration") == 0;
    seen->need.ends |= strcmp(table, "threads") == 0 && strcmp(column, "end_ns") == 0;
    seen->need.part |= strcmp(table, "meta") == 0 ||
                       (strcmp(table, "threads") == 0 &&
                        (strcmp(column, "begin_ns") == 0 || strcmp(column, "end_ns") == 0));
}

/* SQLite asks of all that a statement does; what is no reading is refused. */
static int qry_may(void *ctx, int action, const char *a, const char *b, const char *database,
                   const char *view)
{
    struct qry_seen *seen = ctx;

    (void)database, (void)view;
    if (action == SQLITE_READ)
        qry_reads(seen, a, b);
    if (action == SQLITE_READ || action == SQLITE_SELECT || action == SQLITE_RECURSIVE)
        return SQLITE_OK;
    if (action == SQLITE_FUNCTION && strcmp(b, "load_extension") != 0)
        return SQLITE_OK;
    seen->writes = true;
    return SQLITE_DENY;
}

/* Blanks, semicolons and comments, as SQLite takes them. */
static bool qry_is_blank(sqlite3 *db, const char *text)
{
    sqlite3_stmt *statement = NULL;
    const char *rest = text;

    while (*text) {
        if (sqlite3_prepare_v2(db, text, -1, &statement, &rest) != SQLITE_OK || statement ||
            rest == text)
            break;
        text = rest;
    }
    sqlite3_finalize(statement);
    return *text == '\0';
}

/* What is asked makes no sense; told: what it is asked of, or "". */
static enum prvcut_status qry_refuse(struct prvcut_error *err, const char *told, const char *text)
{
    prvcut_instead(err, "prvcut help sql");
    return prvcut_fail(err, PRVCUT_EUSAGE, "%s%s%s", told, *told ? ": " : "", text);
}

/* What SQLite says of a database that cannot be read. */
static enum prvcut_status qry_unread(sqlite3 *db, const char *told, struct prvcut_error *err)
{
    const int rc = sqlite3_errcode(db);
    const bool early = sqlite3_extended_errcode(db) == SQLITE_IOERR_SHORT_READ;

    if (rc == SQLITE_NOMEM)
        return prvcut_no_memory(err, "an answer");
    if (rc == SQLITE_NOTADB)
        return prvcut_fail(err, PRVCUT_ENOTRACE, "%s: it is no database", told);
    if (rc != SQLITE_CORRUPT && rc != SQLITE_FORMAT && !early)
        return prvcut_fail(err, PRVCUT_EIO, "%s: %s", told, sqlite3_errmsg(db));
    prvcut_instead(err, "prvcut help convert");
    return prvcut_fail(err, PRVCUT_EFORMAT, "%s: the database is damaged, make it again: %s", told,
                       early ? "it ends early" : sqlite3_errmsg(db));
}

/* What SQLite says of a question; of a text in double quotes, which are for names, how it is
   written. */
static enum prvcut_status qry_misspelt(sqlite3 *db, const char *sql, struct prvcut_error *err)
{
    static const char no[] = "no such column: ";
    const char *said = sqlite3_errmsg(db), *name = said + sizeof no - 1;
    char quoted[80], text[256];
    size_t n;

    if (strncmp(said, no, sizeof no - 1) != 0)
        return qry_refuse(err, "", said);
    /* Later versions of SQLite quote it. */
    name += *name == '"';
    n = strcspn(name, "\"");
    snprintf(quoted, sizeof quoted, "\"%.*s\"", (int)n, name);
    if (n + 3 > sizeof quoted || !strstr(sql, quoted))
        return qry_refuse(err, "", said);
    n = memchr(name, '\'', n) ? 0 : n;
    snprintf(text, sizeof text,
             "there is no column %s; double quotes are for names, a text stands in single ones%s"
             "%.*s%s",
             quoted, n > 0 ? ": '" : "", (int)n, name, n > 0 ? "'" : "");
    return qry_refuse(err, "", text);
}

/* A misspelt column in double quotes would be a text, and the answer wrong without a word. */
static void qry_names_in_quotes(sqlite3 *db)
{
#ifdef SQLITE_DBCONFIG_DQS_DML
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
#else
    (void)db;
#endif
}

static enum prvcut_status qry_prepare(sqlite3 *db, struct qry_seen *seen, const char *sql,
                                      sqlite3_stmt **out, struct prvcut_error *err)
{
    const char *rest = "";
    char text[128];

    *out = NULL;
    qry_names_in_quotes(db);
    sqlite3_set_authorizer(db, qry_may, seen);
    if (sqlite3_prepare_v2(db, sql, -1, out, &rest) != SQLITE_OK) {
        const int rc = sqlite3_errcode(db);

        if (rc == SQLITE_TOOBIG)
            return qry_refuse(err, "", "the question is too long");
        if (rc != SQLITE_ERROR && rc != SQLITE_AUTH)
            return qry_unread(db, seen->told, err);
        return seen->writes ? qry_refuse(err, "", QRY_READS) : qry_misspelt(db, sql, err);
    }
    if (!*out)
        return qry_refuse(err, "", "there is no question: SELECT ...");
    if (qry_is_blank(db, rest))
        return PRVCUT_OK;
    snprintf(text, sizeof text, "one question at a time; behind the first stands '%.40s'", rest);
    return qry_refuse(err, "", text);
}

/* The table whose root page that is is read. */
static int qry_page(sqlite3_stmt *tables, struct qry_seen *seen, int page)
{
    int rc;

    sqlite3_bind_int(tables, 1, page);
    while ((rc = sqlite3_step(tables)) == SQLITE_ROW)
        qry_reads(seen, (const char *)sqlite3_column_text(tables, 0), "");
    sqlite3_reset(tables);
    return rc;
}

/* Of columns that only USING or NATURAL JOIN names SQLite asks nothing: what the steps of its
   machine open is read, too. */
static enum prvcut_status qry_steps(sqlite3 *db, struct qry_seen *seen, const char *sql,
                                    struct prvcut_error *err)
{
    char *explain = sqlite3_mprintf("EXPLAIN %s", sql);
    sqlite3_stmt *steps = NULL, *tables = NULL;
    int rc = explain ? SQLITE_OK : SQLITE_NOMEM;

    sqlite3_set_authorizer(db, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_prepare_v2(db, explain, -1, &steps, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_prepare_v2(db, "SELECT tbl_name FROM sqlite_master WHERE rootpage = ?", -1,
                                &tables, NULL);
    while (rc == SQLITE_OK && (rc = sqlite3_step(steps)) == SQLITE_ROW) {
        const char *step = (const char *)sqlite3_column_text(steps, QRY_OPCODE);

        rc = SQLITE_DONE;
        if (strcmp(step, "OpenRead") == 0 || strcmp(step, "ReopenIdx") == 0)
            rc = qry_page(tables, seen, sqlite3_column_int(steps, QRY_P2));
        rc = rc == SQLITE_DONE ? SQLITE_OK : rc;
    }
    sqlite3_finalize(tables);
    sqlite3_finalize(steps);
    sqlite3_free(explain);
    return rc == SQLITE_DONE ? PRVCUT_OK : prvcut_no_memory(err, "a question");
}

enum prvcut_status dbs_need_of(struct dbs_need *out, const char *sql, struct prvcut_error *err)
{
    struct qry_seen seen = { .told = "a database" };
    sqlite3_stmt *statement = NULL;
    sqlite3 *db = NULL;
    enum prvcut_status st = PRVCUT_OK;
    int rc = sqlite3_open(":memory:", &db);

    for (unsigned t = 0; t < DBS_TABLES && rc == SQLITE_OK; t++)
        rc = sqlite3_exec(db, dbs_table_sql((enum dbs_table)t), NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, dbs_views_sql(), NULL, NULL, NULL);
    if (rc != SQLITE_OK)
        st = prvcut_no_memory(err, "a database");
    if (st == PRVCUT_OK)
        st = qry_prepare(db, &seen, sql, &statement, err);
    if (st == PRVCUT_OK && sqlite3_stmt_isexplain(statement) == 0)
        st = qry_steps(db, &seen, sql, err);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    seen.need.loop |= seen.need.tables & (DBS_BIT(DBS_REGIONS) | DBS_BIT(DBS_ITERATIONS)) ||
                      prvcut_has_word(sql, "iteration") || prvcut_has_word(sql, "natural") ||
                      /* Why there is none. Views read there when the window begins. */
                      prvcut_has_word(sql, "meta");
    seen.need.ends |= seen.need.tables & DBS_BIT(DBS_THREADS) && prvcut_has_word(sql, "end_ns");
    /* They are of all answers. */
    if (seen.need.tables & DBS_BIT(DBS_NOTES)) {
        seen.need.tables |= DBS_ANALYSES;
        seen.need.loop = true;
    }
    *out = seen.need;
    return st;
}

/* --- Answers ---------------------------------------------------------------------------------- */

/* A text that the answer keeps; bytes as hexadecimal digits. */
static char *qry_text(sqlite3_stmt *s, int column, bool blob, struct prvcut_error *err)
{
    const size_t bytes = (size_t)sqlite3_column_bytes(s, column);
    const unsigned char *from = sqlite3_column_blob(s, column);
    char *out;

    if (!blob)
        return prvcut_copied(bytes > 0 ? (const void *)from : "", bytes, "an answer", err);
    out = prvcut_zeroed(2 * bytes + 1, 1, "an answer", err);
    for (size_t i = 0; out && i < bytes; i++)
        snprintf(out + 2 * i, 3, "%02x", from[i]);
    return out;
}

static enum prvcut_status qry_cell(struct made_query *q, struct prvcut_cell *cell, sqlite3_stmt *s,
                                   int column, struct prvcut_error *err)
{
    const int type = sqlite3_column_type(s, column);
    char *text;

    if (type == SQLITE_NULL)
        cell->kind = PRVCUT_CELL_NULL;
    if (type == SQLITE_INTEGER) {
        cell->kind = PRVCUT_CELL_INTEGER;
        cell->integer = sqlite3_column_int64(s, column);
    }
    if (type == SQLITE_FLOAT) {
        cell->kind = PRVCUT_CELL_REAL;
        cell->real = sqlite3_column_double(s, column);
    }
    if (type != SQLITE_TEXT && type != SQLITE_BLOB)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&q->text, &q->text_room, q->texts + 1, sizeof *q->text, err) < 0)
        return PRVCUT_ENOMEM;
    q->bytes += (size_t)sqlite3_column_bytes(s, column) * (type == SQLITE_BLOB ? 2 : 1);
    if (q->bytes > QRY_TEXTS)
        return qry_refuse(err, "", "the answer has more than 1 GiB of texts; ask for fewer rows");
    if (type == SQLITE_TEXT && strlen((const char *)sqlite3_column_text(s, column)) <
                                   (size_t)sqlite3_column_bytes(s, column))
        return qry_refuse(err, "",
                          "a text of the answer has a NUL, where it would end; hex() tells it all");
    text = qry_text(s, column, type == SQLITE_BLOB, err);
    if (!text)
        return PRVCUT_ENOMEM;
    q->text[q->texts++] = text;
    cell->kind = PRVCUT_CELL_TEXT;
    cell->text = text;
    return PRVCUT_OK;
}

static enum prvcut_status qry_row(struct made_query *q, sqlite3_stmt *s, struct prvcut_error *err)
{
    const size_t columns = q->is.columns, first = q->is.rows * columns;
    enum prvcut_status st = PRVCUT_OK;

    if (prvcut_grow((void **)&q->cell, &q->room, first + columns, sizeof *q->cell, err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < columns && st == PRVCUT_OK; i++)
        st = qry_cell(q, &q->cell[first + i], s, (int)i, err);
    q->is.rows += st == PRVCUT_OK;
    return st;
}

static enum prvcut_status qry_columns(struct made_query *q, sqlite3_stmt *s,
                                      struct prvcut_error *err)
{
    const int columns = sqlite3_column_count(s);
    enum prvcut_status st = PRVCUT_OK;

    for (int i = 0; i < columns && st == PRVCUT_OK; i++)
        st = prvcut_texts_add(&q->column, &q->columns, sqlite3_column_name(s, i), err);
    q->is.columns = q->columns;
    return st;
}

static enum prvcut_status qry_late(const struct dbs_question *asked, struct prvcut_error *err)
{
    prvcut_instead(err, "--time-limit %.0fs", ceil(10 * asked->seconds));
    return prvcut_fail(err, PRVCUT_EINTERRUPTED,
                       "the question takes longer than %gs (--time-limit); ask for less of the "
                       "trace, or fewer rows",
                       asked->seconds);
}

static enum prvcut_status qry_too_long(const struct dbs_bounds *bounds, struct prvcut_error *err)
{
    char text[128];

    if (bounds->long_in)
        snprintf(text, sizeof text, "the texts of %s() are too long; substr() shortens them",
                 bounds->long_in);
    else
        snprintf(text, sizeof text, "a text is longer than %d bytes; substr() shortens it",
                 DBS_TEXT_MOST);
    return qry_refuse(err, "", text);
}

static enum prvcut_status qry_failed(sqlite3 *db, const struct dbs_question *asked,
                                     const struct dbs_bounds *bounds, struct prvcut_error *err)
{
    const int rc = sqlite3_errcode(db);

    if (bounds->stopped)
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    if (bounds->late)
        return qry_late(asked, err);
    if (rc == SQLITE_TOOBIG)
        return qry_too_long(bounds, err);
    /* VACUUM asks when it runs. */
    if (rc == SQLITE_AUTH)
        return qry_refuse(err, "", QRY_READS);
    if (rc == SQLITE_ERROR)
        return qry_refuse(err, asked->told, sqlite3_errmsg(db));
    return qry_unread(db, asked->told, err);
}

static enum prvcut_status qry_rows(struct made_query *out, sqlite3 *db, sqlite3_stmt *s,
                                   const struct dbs_question *asked, struct dbs_bounds *bounds,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = qry_columns(out, s, err);
    int rc = SQLITE_ROW;

    dbs_bounds_watch(db, bounds);
    while (st == PRVCUT_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        out->is.more = out->is.rows == asked->most;
        if (out->is.more)
            return PRVCUT_OK;
        st = qry_row(out, s, err);
    }
    dbs_bounds_rest(bounds);
    return st == PRVCUT_OK && rc != SQLITE_DONE ? qry_failed(db, asked, bounds, err) : st;
}

static enum prvcut_status qry_ask(struct made_query *out, sqlite3 *db,
                                  const struct dbs_question *asked, struct prvcut_error *err)
{
    struct dbs_bounds bounds = { .until = prvcut_seconds() + asked->seconds, .run = asked->run };
    struct qry_seen seen = { .told = asked->told };
    sqlite3_stmt *statement = NULL;
    enum prvcut_status st = PRVCUT_OK;

    if (dbs_bounds_set(db, &bounds) != SQLITE_OK)
        st = prvcut_no_memory(err, "a question");
    if (st == PRVCUT_OK)
        st = qry_prepare(db, &seen, asked->sql, &statement, err);
    if (st == PRVCUT_OK)
        st = qry_rows(out, db, statement, asked, &bounds, err);
    sqlite3_finalize(statement);
    dbs_bounds_end(db, &bounds);
    return st;
}

const char *dbs_library(void)
{
    return sqlite3_libversion();
}

enum prvcut_status dbs_ask(struct made_query *out, struct dbs *d, const struct dbs_question *asked,
                           struct prvcut_error *err)
{
    return qry_ask(out, d->db, asked, err);
}

/* What a database says of itself; "" where it does not, which may be for damage. */
static int qry_meta(sqlite3 *db, const char *sql, char *out, size_t room)
{
    sqlite3_stmt *s = NULL;
    const unsigned char *text = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &s, NULL);

    if (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW)
        text = sqlite3_column_text(s, 0);
    snprintf(out, room, "%s", text ? (const char *)text : "");
    sqlite3_finalize(s);
    return rc;
}

/* Can a file be named in a command without quotes? */
static bool qry_is_plain(const char *path)
{
    return *path && *path != '-' &&
           path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "/._+-")] == '\0';
}

/* What makes a database anew: of the trace that it says it was made of, which may be beside it or
   here; where it is not, its folder is not known. */
static void qry_again(const char *database, const char *trace, struct prvcut_error *err)
{
    const char *slash = strrchr(database, '/');
    char beside[160];

    snprintf(beside, sizeof beside, "%.*s%s", slash ? (int)(slash + 1 - database) : 0, database,
             trace);
    if (qry_is_plain(beside) && access(beside, R_OK) == 0)
        prvcut_instead(err, "prvcut convert -f %s TRACE", beside);
    else if (qry_is_plain(trace) && access(trace, R_OK) == 0)
        prvcut_instead(err, "prvcut convert -f %s TRACE", trace);
    else
        prvcut_instead(err, "prvcut help convert");
}

/* Tables of others, or of another version, mean something else: no question is answered of them. */
static enum prvcut_status qry_version(sqlite3 *db, const char *told, struct prvcut_error *err)
{
    char schema[24], trace[80];
    const int rc = qry_meta(db,
                            "SELECT value FROM meta WHERE key = 'schema' AND EXISTS (SELECT 1 FROM"
                            " meta WHERE key = 'program' AND value GLOB 'prvcut *')",
                            schema, sizeof schema);

    if (rc != SQLITE_ROW && rc != SQLITE_DONE && rc != SQLITE_ERROR)
        return qry_unread(db, told, err);
    if (*schema == '\0') {
        prvcut_instead(err, "prvcut help sql");
        return prvcut_fail(err, PRVCUT_ENOTRACE,
                           "%s: prvcut did not write this database: its table meta names no schema",
                           told);
    }
    if (strcmp(schema, DBS_SCHEMA_TEXT) == 0)
        return PRVCUT_OK;
    qry_meta(db, "SELECT value FROM meta WHERE key = 'trace'", trace, sizeof trace);
    qry_again(told, trace, err);
    return prvcut_fail(err, PRVCUT_EFORMAT,
                       "%s: its tables are of schema %s, those that are asked of schema %s; "
                       "they were made of %s, make them again",
                       told, schema, DBS_SCHEMA_TEXT, *trace ? trace : "a trace");
}

enum prvcut_status dbs_ask_file(struct made_query *out, const struct dbs_question *asked,
                                struct prvcut_error *err)
{
    sqlite3 *db = NULL;
    struct stat s;
    enum prvcut_status st = PRVCUT_OK;

    if (stat(asked->told, &s) == 0 && S_ISDIR(s.st_mode))
        return prvcut_fail(err, PRVCUT_EIO, "%s: is a folder, not a file", asked->told);
    if (access(asked->told, R_OK) != 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be opened", asked->told);
    if (sqlite3_open_v2(asked->told, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
        sqlite3_exec(db, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL) != SQLITE_OK)
        st = qry_unread(db, asked->told, err);
    if (st == PRVCUT_OK)
        st = qry_version(db, asked->told, err);
    if (st == PRVCUT_OK)
        st = qry_ask(out, db, asked, err);
    sqlite3_close(db);
    return st;
}
