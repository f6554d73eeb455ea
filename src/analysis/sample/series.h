#ifndef PRVCUT_ANALYSIS_SAMPLE_SERIES_H
#define PRVCUT_ANALYSIS_SAMPLE_SERIES_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/** Counters by interval; zeroed is empty. */
struct prvcut_series {
    const char *path; /**< of the file, as it was given; NULL: it is of none */
    char **name;      /**< [columns]; owned */
    double **at;      /**< [columns][rows]; owned; NAN: not counted */
    size_t columns, column_room;
    size_t rows, row_room;
    uint64_t *line; /**< [rows] of the file, from 1; 0: of none; owned */
    double *end_s;  /**< [rows] when it ends, as the file tells; NAN: it does not; owned */
    size_t line_room, end_room;
};

/**
 * Read a table of counters: a line of names, then one line an interval; or what 'perf stat -I -x,'
 * writes, in which each counter has a line, all of one time belong together, and processors,
 * threads and the kinds of processors of one event ("cpu_core/cycles/") are added up.
 *
 * owns    s is initialised here, released with prvcut_series_fini, also after a failure
 * errors  PRVCUT_EFORMAT with the line; PRVCUT_EIO; PRVCUT_ELIMIT
 */
enum prvcut_status prvcut_series_read(struct prvcut_series *s, const char *path,
                                      struct prvcut_error *err);

/** A column by its name, in any case; SIZE_MAX: there is none. What perf appends (":u") is no part
    of a name. */
size_t prvcut_series_find(const struct prvcut_series *s, const char *name);

/** Where a row is missing, or less than 0, the column cannot be used: its row; SIZE_MAX: it can. */
size_t prvcut_series_gap(const struct prvcut_series *s, size_t column);

/** Add a column without values, or find it; SIZE_MAX: no memory. */
size_t prvcut_series_column(struct prvcut_series *s, const char *name, struct prvcut_error *err);

/** Add a row without values. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_series_row(struct prvcut_series *s, struct prvcut_error *err);

/**
 * When intervals end: by perf's times, or by a column "time" (s), "time_ms", "end_ns", ..., or that
 * of their begins, "start_s", ..., where the last is as long as the one before.
 *
 * shape   end: [rows], ns
 * errors  PRVCUT_EFORMAT: they do not go on, with the line; PRVCUT_NONE: the file tells none
 */
enum prvcut_status prvcut_series_times(const struct prvcut_series *s, const char *path,
                                       uint64_t *end, struct prvcut_error *err);

/** "a, b, c": the columns that are no times, as far as there is room for them; returns out. */
const char *prvcut_series_names(const struct prvcut_series *s, char *out, size_t room);

/** Does a column tell times? */
bool prvcut_series_is_time(const char *name);

void prvcut_series_fini(struct prvcut_series *s);

#endif
