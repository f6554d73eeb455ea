#include "analysis/sample/series.h"

#include "base/buffer.h"
#include "base/csv.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Columns of a table, and counters of perf. */
#define COLUMNS_MOST 256
/* Processors of one time of perf are told in order; later lines of it belong to it, too. */
#define SAME_TIME 1e-9

static bool srs_is(const char *name, size_t length, const char *column)
{
    return strncasecmp(name, column, length) == 0 && strlen(column) == length;
}

/* "cycles:u", "cpu_core/cycles/": without the modifier. */
static size_t srs_bare(const char *name)
{
    const char *colon = strrchr(name, ':');

    return colon && strspn(colon + 1, "ukhpPGHIDSWe") == strlen(colon + 1) && colon[1]
               ? (size_t)(colon - name)
               : strlen(name);
}

size_t prvcut_series_find(const struct prvcut_series *s, const char *name)
{
    for (size_t i = 0; i < s->columns; i++)
        if (srs_is(name, srs_bare(name), s->name[i]))
            return i;
    return SIZE_MAX;
}

size_t prvcut_series_gap(const struct prvcut_series *s, size_t column)
{
    for (size_t i = 0; i < s->rows; i++)
        if (!(s->at[column][i] >= 0))
            return i;
    return SIZE_MAX;
}

size_t prvcut_series_column(struct prvcut_series *s, const char *name, struct prvcut_error *err)
{
    const size_t found = prvcut_series_find(s, name);
    size_t room = s->column_room;

    if (found != SIZE_MAX)
        return found;
    if (s->columns == COLUMNS_MOST) {
        prvcut_fail(err, PRVCUT_ELIMIT, "more than %d columns", COLUMNS_MOST);
        return SIZE_MAX;
    }
    if (prvcut_grow((void **)&s->name, &room, s->columns + 1, sizeof *s->name, err) < 0 ||
        prvcut_grow((void **)&s->at, &s->column_room, s->columns + 1, sizeof *s->at, err) < 0)
        return SIZE_MAX;
    /* Rows may be there before any column. */
    if (s->row_room < s->rows)
        s->row_room = s->rows;
    s->name[s->columns] = prvcut_copied(name, srs_bare(name), "a column's name", err);
    s->at[s->columns] = prvcut_unset(s->row_room, sizeof **s->at, "values", err);
    s->columns++;
    if (!s->name[s->columns - 1] || !s->at[s->columns - 1])
        return SIZE_MAX;
    for (size_t i = 0; i < s->rows; i++)
        s->at[s->columns - 1][i] = (double)NAN;
    return s->columns - 1;
}

enum prvcut_status prvcut_series_row(struct prvcut_series *s, struct prvcut_error *err)
{
    size_t room = s->row_room;

    for (size_t i = 0; i < s->columns; i++) {
        room = s->row_room;
        if (prvcut_grow((void **)&s->at[i], &room, s->rows + 1, sizeof **s->at, err) < 0)
            return PRVCUT_ENOMEM;
        s->at[i][s->rows] = (double)NAN;
    }
    s->row_room = room;
    s->rows++;
    return PRVCUT_OK;
}

void prvcut_series_fini(struct prvcut_series *s)
{
    for (size_t i = 0; i < s->columns; i++) {
        free(s->name[i]);
        free(s->at[i]);
    }
    free(s->name);
    free(s->at);
    *s = (struct prvcut_series){ .name = NULL };
}

/* --- A table with a line of names ------------------------------------------------------------- */

static enum prvcut_status srs_names(struct prvcut_series *s, const struct prvcut_csv *c,
                                    struct prvcut_error *err)
{
    for (size_t i = 0; i < c->fields; i++) {
        if (c->field[i][0] == '\0')
            return prvcut_csv_fail(c, err, "column %zu has no name", i + 1);
        if (prvcut_series_find(s, c->field[i]) != SIZE_MAX)
            return prvcut_csv_fail(c, err, "two columns are called '%.60s'", c->field[i]);
        if (prvcut_series_column(s, c->field[i], err) == SIZE_MAX)
            return err && err->status == PRVCUT_ELIMIT ? PRVCUT_ELIMIT : PRVCUT_ENOMEM;
    }
    return PRVCUT_OK;
}

static enum prvcut_status srs_line(struct prvcut_series *s, const struct prvcut_csv *c,
                                   struct prvcut_error *err)
{
    if (c->fields != s->columns)
        return prvcut_csv_fail(c, err, "%zu values where the first line names %zu", c->fields,
                               s->columns);
    if (prvcut_series_row(s, err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < s->columns; i++)
        if (c->field[i][0] != '\0' && !prvcut_csv_number(c->field[i], &s->at[i][s->rows - 1]))
            return prvcut_csv_fail(c, err, "'%.40s' is not a number", c->field[i]);
    return PRVCUT_OK;
}

/* --- perf stat -I -x, ------------------------------------------------------------------------- */

/* A value, or "<not counted>", which no further processor makes good. */
static bool srs_perf_value(const char *field, double *value)
{
    if (*field == '<') {
        *value = -INFINITY;
        return true;
    }
    return prvcut_csv_number(field, value);
}

/* Time, value, unit, event, ...; with a processor, or a socket and how many it has, before the
   value. Returns which field the value is in; 0: none. */
static size_t srs_perf(const struct prvcut_csv *c, double *time, double *value)
{
    if (c->fields < 4 || !prvcut_csv_number(c->field[0], time) || isnan(*time))
        return 0;
    if (srs_perf_value(c->field[1], value) && c->field[3][0] != '\0')
        return 1;
    if (c->fields > 5 && srs_perf_value(c->field[3], value) &&
        prvcut_csv_number(c->field[2], time) && c->field[5][0] != '\0' &&
        prvcut_csv_number(c->field[0], time))
        return 3;
    if (c->fields > 4 && srs_perf_value(c->field[2], value) && c->field[4][0] != '\0')
        return 2;
    return 0;
}

/* Where the lines of perf have got to. */
struct srs_perf_at {
    double time; /* of the last row */
    bool any;
};

static enum prvcut_status srs_perf_line(struct prvcut_series *s, const struct prvcut_csv *c,
                                        struct srs_perf_at *at, struct prvcut_error *err)
{
    double time, value;
    const size_t field = srs_perf(c, &time, &value);
    size_t column;

    if (field == 0)
        return prvcut_csv_fail(c, err, "no line of 'perf stat -I -x,': time, value, unit, event");
    column = prvcut_series_column(s, c->field[field + 2], err);
    if (column == SIZE_MAX)
        return err && err->status == PRVCUT_ELIMIT ? PRVCUT_ELIMIT : PRVCUT_ENOMEM;
    if (at->any && time < at->time - SAME_TIME)
        return prvcut_csv_fail(c, err, "a time before that of the line above");
    if ((!at->any || time > at->time + SAME_TIME) && prvcut_series_row(s, err) < 0)
        return PRVCUT_ENOMEM;
    *at = (struct srs_perf_at){ .time = time, .any = true };
    if (isnan(s->at[column][s->rows - 1]))
        s->at[column][s->rows - 1] = value;
    else
        s->at[column][s->rows - 1] += value;
    return PRVCUT_OK;
}

/* --- Either ----------------------------------------------------------------------------------- */

static enum prvcut_status srs_all(struct prvcut_series *s, struct prvcut_csv *c,
                                  struct prvcut_error *err)
{
    struct srs_perf_at at = { .any = false };
    bool first = true, perf = false;
    enum prvcut_status st;

    while ((st = prvcut_csv_next(c, err)) == PRVCUT_OK) {
        double number;

        if (c->field[0][0] == '#')
            continue;
        if (first)
            perf = prvcut_csv_number(c->field[0], &number);
        if (perf)
            st = srs_perf_line(s, c, &at, err);
        else
            st = first ? srs_names(s, c, err) : srs_line(s, c, err);
        if (st < 0)
            return st;
        first = false;
    }
    if (st == PRVCUT_END && s->rows == 0)
        return prvcut_csv_fail(c, err, "no interval: a line of names, then one line an interval");
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

enum prvcut_status prvcut_series_read(struct prvcut_series *s, const char *path,
                                      struct prvcut_error *err)
{
    struct prvcut_csv c;
    enum prvcut_status st = prvcut_csv_open(&c, path, err);

    *s = (struct prvcut_series){ .name = NULL };
    if (st == PRVCUT_OK)
        st = srs_all(s, &c, err);
    prvcut_csv_close(&c);
    return st;
}
