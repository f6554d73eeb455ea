#include "prvcut/database.h"

#include "report/json.h"
#include "report/lines.h"
#include "report/size.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns that a cell of a table for people has at most. */
#define DBR_CELL 48

/* --- What was written ------------------------------------------------------------------------- */

enum prvcut_status prvcut_database_text(const struct prvcut_database *d, char **text,
                                        struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    char count[32], size[32];

    report_head(&l, "Written");
    report_put_foreign(&l, d->path);
    report_put(&l, " (%s, %s rows)\n", prvcut_size_text(size, (double)d->bytes),
               report_count(count, d->rows));
    for (size_t i = 0; i < d->tables; i++) {
        const struct prvcut_database_table *t = prvcut_database_table(d, i);

        if (t->rows == 0)
            continue;
        report_head(&l, "");
        report_put(&l, "%-22s%s\n", t->name, report_count(count, t->rows));
    }
    if (d->no_loop) {
        report_head(&l, "Iterations");
        report_put(&l, "none: %s\n", d->no_loop);
    }
    return report_take(&l, text);
}

static json_t *dtb_tables(const struct prvcut_database *d)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < d->tables; i++) {
        const struct prvcut_database_table *t = prvcut_database_table(d, i);
        const struct report_field fields[] = { { "name", report_json_text(t->name) },
                                               { "rows", report_json_integer(t->rows) } };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

enum prvcut_status prvcut_database_json(const struct prvcut_database *d, char **text,
                                        struct prvcut_error *err)
{
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-database"),
        { "trace", report_json_text(d->name) },
        { "output", report_json_text(d->path) },
        { "bytes", report_json_integer(d->bytes) },
        { "rows", report_json_integer(d->rows) },
        { "tables", dtb_tables(d) },
        { "no_loop", report_json_text(d->no_loop) },
        { "elapsed_s", report_json_real(d->elapsed_s) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}

/* --- Answers ---------------------------------------------------------------------------------- */

/* A number without zeros at its end; very small ones keep more digits. */
static void dtb_real(char out[DBR_CELL + 8], double x)
{
    const int digits = fabs(x) >= 1e-3 || x == 0 ? 6 : 15;
    int n = snprintf(out, DBR_CELL, "%.*f", digits, x);

    if (n >= DBR_CELL || !isfinite(x))
        return;
    while (n > 0 && out[n - 1] == '0')
        out[--n] = '\0';
    if (n > 0 && out[n - 1] == '.')
        out[n - 1] = '\0';
}

/* A cell as a person reads it. */
static void dtb_cell(char out[DBR_CELL + 8], const struct prvcut_cell *c)
{
    if (c->kind == PRVCUT_CELL_NULL)
        snprintf(out, DBR_CELL, "-");
    else if (c->kind == PRVCUT_CELL_INTEGER)
        snprintf(out, DBR_CELL, "%" PRId64, c->integer);
    else if (c->kind == PRVCUT_CELL_REAL)
        dtb_real(out, c->real);
    else if (strlen(c->text) < DBR_CELL)
        snprintf(out, DBR_CELL, "%s", c->text);
    else
        snprintf(out, DBR_CELL + 8, "%.*s...", DBR_CELL - 3, c->text);
}

static size_t dtb_width(const struct prvcut_query *q, size_t column)
{
    size_t width = report_columns(prvcut_query_column(q, column));
    char cell[DBR_CELL + 8];

    for (size_t i = 0; i < q->rows; i++) {
        size_t wide;

        dtb_cell(cell, prvcut_query_cell(q, i, column));
        wide = report_columns(cell);
        width = wide > width ? wide : width;
    }
    return width;
}

/* Numbers stand at the right. */
static bool dtb_is_right(const struct prvcut_query *q, size_t column)
{
    for (size_t i = 0; i < q->rows; i++)
        if (prvcut_query_cell(q, i, column)->kind == PRVCUT_CELL_TEXT)
            return false;
    return q->rows > 0;
}

static void dtb_put(struct report_lines *l, const char *text, size_t width, bool right, bool last)
{
    const size_t columns = report_columns(text);
    const int blanks = (int)(width > columns ? width - columns : 0);

    if (right)
        report_put(l, "%*s", blanks, "");
    report_put_foreign(l, text);
    if (!right && !last)
        report_put(l, "%*s", blanks, "");
    report_put(l, last ? "\n" : "  ");
}

enum dbr_limits { DBR_COLUMNS = 2000 };

static void dtb_table(struct report_lines *l, const struct prvcut_query *q)
{
    size_t width[DBR_COLUMNS];
    bool right[DBR_COLUMNS];
    const size_t columns = q->columns < DBR_COLUMNS ? q->columns : DBR_COLUMNS;
    char cell[DBR_CELL + 8];

    for (size_t k = 0; k < columns; k++) {
        width[k] = dtb_width(q, k);
        right[k] = dtb_is_right(q, k);
    }
    for (size_t k = 0; k < columns; k++)
        dtb_put(l, prvcut_query_column(q, k), width[k], right[k], k + 1 == columns);
    for (size_t i = 0; i < q->rows; i++)
        for (size_t k = 0; k < columns; k++) {
            dtb_cell(cell, prvcut_query_cell(q, i, k));
            dtb_put(l, cell, width[k], right[k], k + 1 == columns);
        }
}

enum prvcut_status prvcut_query_text(const struct prvcut_query *q, char **text,
                                     struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    char count[32];

    if (q->first > 0)
        report_put(&l, "# iterations %" PRIu64 " to %" PRIu64 "; --all asks all of the trace\n",
                   q->first, q->last);
    if (q->no_loop)
        report_put(&l, "# all of the trace: %s\n", q->no_loop);
    dtb_table(&l, q);
    if (q->more)
        report_put(&l, "# more than %s rows; --rows N shows more\n", report_count(count, q->rows));
    return report_take(&l, text);
}

static void dtb_put_csv(struct report_lines *l, const struct prvcut_cell *c)
{
    if (c->kind == PRVCUT_CELL_INTEGER)
        report_put(l, "%" PRId64, c->integer);
    else if (c->kind == PRVCUT_CELL_REAL)
        report_put_exact(l, c->real, "");
    else if (c->kind == PRVCUT_CELL_TEXT)
        report_put_value(l, c->text);
}

enum prvcut_status prvcut_query_csv(const struct prvcut_query *q, char **text,
                                    struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    for (size_t k = 0; k < q->columns; k++) {
        report_put_value(&l, prvcut_query_column(q, k));
        report_put(&l, k + 1 == q->columns ? "\n" : ",");
    }
    for (size_t i = 0; i < q->rows; i++)
        for (size_t k = 0; k < q->columns; k++) {
            dtb_put_csv(&l, prvcut_query_cell(q, i, k));
            report_put(&l, k + 1 == q->columns ? "\n" : ",");
        }
    return report_take(&l, text);
}

static json_t *dtb_json_cell(const struct prvcut_cell *c)
{
    if (c->kind == PRVCUT_CELL_INTEGER)
        return json_integer(c->integer);
    if (c->kind == PRVCUT_CELL_REAL)
        return report_json_real(c->real);
    return c->kind == PRVCUT_CELL_TEXT ? report_json_text(c->text) : json_null();
}

static json_t *dtb_json_rows(const struct prvcut_query *q)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < q->rows && bad == 0; i++) {
        json_t *row = json_array();

        for (size_t k = 0; k < q->columns; k++)
            bad |= json_array_append_new(row, dtb_json_cell(prvcut_query_cell(q, i, k)));
        bad |= json_array_append_new(list, row);
    }
    return report_json_keep(list, bad);
}

static json_t *dtb_json_columns(const struct prvcut_query *q)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t k = 0; k < q->columns; k++)
        bad |= json_array_append_new(list, report_json_text(prvcut_query_column(q, k)));
    return report_json_keep(list, bad);
}

enum prvcut_status prvcut_query_json(const struct prvcut_query *q, char **text,
                                     struct prvcut_error *err)
{
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-query"),
        { "columns", dtb_json_columns(q) },
        { "rows", dtb_json_rows(q) },
        { "more", json_boolean(q->more) },
        { "first_iteration", q->first > 0 ? report_json_integer(q->first) : json_null() },
        { "last_iteration", q->last > 0 ? report_json_integer(q->last) : json_null() },
        { "no_loop", report_json_text(q->no_loop) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}
