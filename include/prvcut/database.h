#ifndef PRVCUT_DATABASE_H
#define PRVCUT_DATABASE_H

#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A trace as a database of SQLite: threads, calls with their partners, messages with both ends,
 * collectives with their members, states, events, counters; regions and iterations, profile, wait
 * states, points of interest, and what is to be known of all that; prvcut-sqlite(5) tells of the
 * tables.
 */

/** What goes into a database; zeroed is valid. */
struct prvcut_database_options {
    size_t size;             /**< sizeof this struct; 0: the fields up to last */
    struct prvcut_span only; /**< ns, only that; end 0 = everything */
    const char *region;   /**< only this region's iterations: "longest", "1.4"; NULL: everything */
    uint64_t first, last; /**< only these iterations, from 1; first 0: all; last 0: first alone */
    /** "1-4,7": only what these tasks do, 1-based in each application, and messages that they send
        or receive; ranks keep their numbers; NULL: all. */
    const char *tasks;
};

/** One of its tables. Closed. */
struct prvcut_database_table {
    const char *name; /**< constant */
    uint64_t rows;
};

/** What was written: a view, which grows at its end. */
struct prvcut_database {
    const char *name;    /**< of the trace, as people call it */
    const char *path;    /**< of the database */
    uint64_t bytes;      /**< on disk */
    uint64_t rows;       /**< of all tables */
    size_t tables;       /**< of prvcut_database_table */
    const char *no_loop; /**< why it knows of no iterations; NULL: it does */
    double elapsed_s;
};

/**
 * Write a trace as a database, whole or not at all.
 *
 * shape   path: as prvcut_file_name gives it for PRVCUT_FILE_SQLITE; no pipe nor device
 * owns    *out is the caller's, released with prvcut_database_free; NULL after a failure
 * errors  PRVCUT_NONE: a region or iterations are asked for and there is no loop: err tells why,
 *         nothing is written; PRVCUT_EUSAGE: no such region, iteration or task, an empty window;
 *         PRVCUT_EEXIST, PRVCUT_EIO; else those of the reader
 */
PRVCUT_API enum prvcut_status prvcut_database_make(struct prvcut_trace *trace,
                                                   const struct prvcut_run *run,
                                                   const struct prvcut_database_options *options,
                                                   const char *path, bool force,
                                                   struct prvcut_database **out,
                                                   struct prvcut_error *err);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_database_free(struct prvcut_database *d);

/** Table i; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_database_table *prvcut_database_table(
    const struct prvcut_database *d, size_t i);

/** For a person. Free *text. */
PRVCUT_API enum prvcut_status prvcut_database_text(const struct prvcut_database *d, char **text,
                                                   struct prvcut_error *err);
/** Schema "prvcut-database". Free *text. */
PRVCUT_API enum prvcut_status prvcut_database_json(const struct prvcut_database *d, char **text,
                                                   struct prvcut_error *err);

/** A question; zeroed is valid but for sql. */
struct prvcut_query_options {
    size_t size;     /**< sizeof this struct; 0: the fields up to of */
    const char *sql; /**< one statement that reads */
    uint64_t most;   /**< rows, the others are left out; 0: 1,000,000 */
    double seconds;  /**< that the question may take once the tables are there; 0: 60 */
    const struct prvcut_database_options *of; /**< what of a trace is asked; NULL: the iterations
                                                   that are cut by default; zeroed: everything */
};

/** What a cell holds. Numbered once and for ever. */
enum prvcut_cell_kind {
    PRVCUT_CELL_NULL = 0,
    PRVCUT_CELL_INTEGER = 1,
    PRVCUT_CELL_REAL = 2,
    PRVCUT_CELL_TEXT = 3
};

/** Closed. */
struct prvcut_cell {
    enum prvcut_cell_kind kind;
    union {
        int64_t integer;
        double real;
        const char *text; /**< UTF-8; of a blob its hexadecimal digits */
    };
};

/** The answer: a view, which grows at its end. */
struct prvcut_query {
    size_t columns, rows;
    bool more;            /**< there are rows that were left out */
    uint64_t first, last; /**< iterations that were asked for want of others; 0: none */
    const char *no_loop;  /**< why all was asked, not typical iterations; NULL: it was not */
};

/**
 * Ask a trace, of which a database is made for as long as that takes, of the tables that the
 * question reads.
 *
 * owns    *out is the caller's, released with prvcut_query_free; NULL after a failure, and with
 *         PRVCUT_NONE
 * errors  PRVCUT_EUSAGE: no SQL, no such table or column, a statement that writes;
 *         PRVCUT_EINTERRUPTED: it took too long, or was stopped; as prvcut_database_make
 */
PRVCUT_API enum prvcut_status prvcut_query_make(struct prvcut_trace *trace,
                                                const struct prvcut_run *run,
                                                const struct prvcut_query_options *options,
                                                struct prvcut_query **out,
                                                struct prvcut_error *err);

/** Ask a database that was written before, which does not change; options: `of` is NULL. errors:
    PRVCUT_ENOTRACE: it is none, or prvcut did not write it; PRVCUT_EFORMAT: it is damaged, or its
    tables are of another version */
PRVCUT_API enum prvcut_status prvcut_query_database(const char *path, const struct prvcut_run *run,
                                                    const struct prvcut_query_options *options,
                                                    struct prvcut_query **out,
                                                    struct prvcut_error *err);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_query_free(struct prvcut_query *q);

/** Name of column i; borrowed; NULL beyond the last. */
PRVCUT_API const char *prvcut_query_column(const struct prvcut_query *q, size_t i);

/** A cell; borrowed; NULL beyond the last row or column. */
PRVCUT_API const struct prvcut_cell *prvcut_query_cell(const struct prvcut_query *q, size_t row,
                                                       size_t column);

/** A table for a person. Free *text. */
PRVCUT_API enum prvcut_status prvcut_query_text(const struct prvcut_query *q, char **text,
                                                struct prvcut_error *err);
/** One line a row. Free *text. */
PRVCUT_API enum prvcut_status prvcut_query_csv(const struct prvcut_query *q, char **text,
                                               struct prvcut_error *err);
/** Schema "prvcut-query". Free *text. */
PRVCUT_API enum prvcut_status prvcut_query_json(const struct prvcut_query *q, char **text,
                                                struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
