#include "analysis/sample/series.h"

#include "base/buffer.h"
#include "base/csv.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Columns of a table, and counters of perf. */
#define COLUMNS_MOST 256
/* Processors of one time of perf are told in order; later lines of it belong to it, too. */
#define SAME_TIME 1e-9
/* ns: what a trace can tell. */
#define TIME_MOST 0x1p62

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
    if (prvcut_grow((void **)&s->line, &s->line_room, s->rows + 1, sizeof *s->line, err) < 0 ||
        prvcut_grow((void **)&s->end_s, &s->end_room, s->rows + 1, sizeof *s->end_s, err) < 0)
        return PRVCUT_ENOMEM;
    s->line[s->rows] = 0;
    s->end_s[s->rows] = (double)NAN;
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
    free(s->line);
    free(s->end_s);
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
    s->line[s->rows - 1] = c->line;
    for (size_t i = 0; i < s->columns; i++)
        if (c->field[i][0] != '\0' && !prvcut_csv_value(c, c->field[i], &s->at[i][s->rows - 1]))
            return prvcut_csv_fail(c, err, "'%.40s' is not a number", c->field[i]);
    return PRVCUT_OK;
}

/* --- perf stat -I -x, ------------------------------------------------------------------------- */

/* A line of perf: time, value, unit, event, time counted, share of the time; what it is of may
   stand before the value (-A, --per-thread), with how many processors that has (--per-socket, ...).
 */
struct srs_perf {
    double time, value; /* -INFINITY: not counted, which no further processor makes good */
    size_t field;       /* that the value is in; 0: it is no such line */
};

static bool srs_perf_value(const struct prvcut_csv *c, const char *field, double *value)
{
    if (strcmp(field, "<not counted>") == 0 || strcmp(field, "<not supported>") == 0) {
        *value = -INFINITY;
        return true;
    }
    return prvcut_csv_value(c, field, value) && !isnan(*value);
}

static struct srs_perf srs_perf_of(const struct prvcut_csv *c)
{
    struct srs_perf p = { .field = 0 };
    double number;
    const bool timed = c->fields >= 4 && prvcut_csv_value(c, c->field[0], &p.time);
    /* "CPU0", "S0-D0-C1", "app-4711": no number, or a comma in the time was taken for the end of
     * it. */
    const bool labelled = timed && c->field[1][0] != '\0' && c->field[1][0] != '<' &&
                          !prvcut_csv_value(c, c->field[1], &number);

    if (!timed || isnan(p.time))
        return p;
    if (!labelled)
        p.field = srs_perf_value(c, c->field[1], &p.value) && c->field[3][0] != '\0' ? 1 : 0;
    else if (c->fields > 5 && prvcut_csv_value(c, c->field[2], &number) && c->field[5][0] != '\0' &&
             srs_perf_value(c, c->field[3], &p.value))
        p.field = 3;
    else if (c->fields > 4 && c->field[4][0] != '\0' && srs_perf_value(c, c->field[2], &p.value))
        p.field = 2;
    if (p.field > 0 && prvcut_csv_value(c, c->field[p.field + 2], &number))
        p.field = 0;
    return p;
}

/* How long it was counted, and the share of the time in percent; false: the line does not tell. */
static bool srs_perf_ran(const struct prvcut_csv *c, size_t field, double *ran, double *share)
{
    return c->fields > field + 4 && prvcut_csv_value(c, c->field[field + 3], ran) &&
           prvcut_csv_value(c, c->field[field + 4], share);
}

/* Nothing was to be counted: the program did not run at all. A counter that only gave way to others
   has less than 100 % of the time. */
static bool srs_perf_slept(const struct prvcut_csv *c, size_t field)
{
    double ran, share;

    return strcmp(c->field[field], "<not counted>") == 0 && srs_perf_ran(c, field, &ran, &share) &&
           ran == 0 && share >= 100;
}

/* "cpu_core/cycles/u": each kind of processor counts for itself, and together they are the event.
 */
static bool srs_perf_kind(const char *event, char *bare, size_t room)
{
    const char *slash = strchr(event, '/'), *end = slash ? strchr(slash + 1, '/') : NULL;
    const size_t length = end ? (size_t)(end - slash - 1) : 0;

    if (strncmp(event, "cpu", 3) != 0 || length == 0 || length >= room ||
        memchr(slash + 1, '=', length) || memchr(slash + 1, ',', length))
        return false;
    memcpy(bare, slash + 1, length);
    bare[length] = '\0';
    return true;
}

/* Where the lines of perf have got to. */
struct srs_perf_at {
    double time; /* of the last row */
    bool any;
};

/* The row of this time, which is the last one. */
static enum prvcut_status srs_perf_row(struct prvcut_series *s, const struct prvcut_csv *c,
                                       double time, struct srs_perf_at *at,
                                       struct prvcut_error *err)
{
    if (at->any && time < at->time - SAME_TIME)
        return prvcut_csv_fail(c, err, "a time before that of the line above");
    if ((!at->any || time > at->time + SAME_TIME) && prvcut_series_row(s, err) < 0)
        return PRVCUT_ENOMEM;
    s->end_s[s->rows - 1] = time;
    *at = (struct srs_perf_at){ .time = time, .any = true };
    return PRVCUT_OK;
}

static enum prvcut_status srs_perf_line(struct prvcut_series *s, const struct prvcut_csv *c,
                                        struct srs_perf_at *at, struct prvcut_error *err)
{
    struct srs_perf p = srs_perf_of(c);
    char bare[64];
    const char *event = p.field > 0 ? c->field[p.field + 2] : "";
    const bool kind = srs_perf_kind(event, bare, sizeof bare);
    size_t column;
    double *value;

    if (p.field == 0)
        return prvcut_csv_fail(c, err,
                               "no line of 'perf stat -I MS -x,': time, value, unit, event");
    if (srs_perf_slept(c, p.field))
        p.value = 0;
    column = prvcut_series_column(s, kind ? bare : event, err);
    if (column == SIZE_MAX)
        return err && err->status == PRVCUT_ELIMIT ? PRVCUT_ELIMIT : PRVCUT_ENOMEM;
    if (srs_perf_row(s, c, p.time, at, err) < 0)
        return err ? err->status : PRVCUT_EFORMAT;
    /* Where something was not counted, that line. */
    if (s->line[s->rows - 1] == 0 || p.value < 0)
        s->line[s->rows - 1] = c->line;
    value = &s->at[column][s->rows - 1];
    /* A thread that was on processors of the other kind only. */
    if (kind && p.value < 0 && strcmp(c->field[p.field], "<not counted>") == 0)
        return PRVCUT_OK;
    *value = isnan(*value) ? p.value : *value + p.value;
    return PRVCUT_OK;
}

/* --- Times ------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    double ns;
    bool starts;
} srs_times[] = {
    { "time", 1e9, false },    { "time_s", 1e9, false },  { "time_ms", 1e6, false },
    { "time_us", 1e3, false }, { "time_ns", 1, false },   { "end_s", 1e9, false },
    { "end_ms", 1e6, false },  { "end_us", 1e3, false },  { "end_ns", 1, false },
    { "start_s", 1e9, true },  { "start_ms", 1e6, true }, { "start_us", 1e3, true },
    { "start_ns", 1, true },
};

#define SRS_TIMES (sizeof srs_times / sizeof *srs_times)

bool prvcut_series_is_time(const char *name)
{
    for (size_t i = 0; i < SRS_TIMES; i++)
        if (strcasecmp(name, srs_times[i].name) == 0)
            return true;
    return false;
}

const char *prvcut_series_names(const struct prvcut_series *s, char *out, size_t room)
{
    *out = '\0';
    for (size_t i = 0; i < s->columns; i++) {
        const size_t used = strlen(out);

        if (!prvcut_series_is_time(s->name[i]))
            snprintf(out + used, room - used, "%s%.40s", used > 0 ? ", " : "", s->name[i]);
    }
    return out;
}

/* Time i of the file, ns; NAN: it tells none. */
static double srs_time(const struct prvcut_series *s, size_t column, double ns, size_t row)
{
    return ns * (column == SIZE_MAX ? s->end_s[row] : s->at[column][row]);
}

/* Begins as ends: each interval ends where the next one begins. */
static double srs_end(const struct prvcut_series *s, size_t column, double ns, bool starts,
                      size_t row)
{
    const double here = srs_time(s, column, ns, row);

    if (!starts)
        return here;
    if (row + 1 < s->rows)
        return srs_time(s, column, ns, row + 1);
    return row > 0 ? 2 * here - srs_time(s, column, ns, row - 1) : (double)NAN;
}

enum prvcut_status prvcut_series_times(const struct prvcut_series *s, const char *path,
                                       uint64_t *end, struct prvcut_error *err)
{
    size_t column = SIZE_MAX;
    double ns = 1e9;
    bool starts = false;

    for (size_t i = 0; i < SRS_TIMES && column == SIZE_MAX; i++) {
        column = prvcut_series_find(s, srs_times[i].name);
        ns = column == SIZE_MAX ? 1e9 : srs_times[i].ns;
        starts = column != SIZE_MAX && srs_times[i].starts;
    }
    if (column == SIZE_MAX && isnan(s->end_s[0]))
        return PRVCUT_NONE;
    for (size_t i = 0; i < s->rows; i++) {
        const double at = srs_end(s, column, ns, starts, i);
        const uint64_t before = i > 0 ? end[i - 1] : 0;

        if (!(at >= 0) || at >= TIME_MOST || (uint64_t)llround(at) <= before)
            return prvcut_fail(err, PRVCUT_EFORMAT,
                               "%s:%" PRIu64 ": the time does not go on from the interval before",
                               path, s->line[i]);
        end[i] = (uint64_t)llround(at);
    }
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
            perf = prvcut_csv_value(c, c->field[0], &number);
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

    *s = (struct prvcut_series){ .path = path };
    if (st == PRVCUT_OK)
        st = srs_all(s, &c, err);
    prvcut_csv_close(&c);
    return st;
}
