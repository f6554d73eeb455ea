#include "prvcut/database.h"
#include "api/database_fill.h"

#include "api/answers.h"
#include "api/called.h"
#include "api/entries.h"
#include "api/opening.h"
#include "api/take.h"
#include "base/place.h"
#include "base/seconds.h"
#include "model/texts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ROWS_MOST    1000000
#define SECONDS_MOST 60

/* Tables of what happens in iterations. */
#define DATA_TIMED (DBS_RECORDS | DBS_ANALYSES)

TAKER(run, ctx)
TAKER(database_options, last)
TAKER(query_options, of)

/* --- A database that stays -------------------------------------------------------------------- */

static void data_count(struct made_database *out, const struct dbs *d)
{
    for (unsigned t = 0; t < DBS_TABLES; t++) {
        const uint64_t rows = dbs_rows(d, (enum dbs_table)t);

        out->table[out->is.tables++] =
            (struct prvcut_database_table){ dbs_table_name((enum dbs_table)t), rows };
        out->is.rows += rows;
    }
}

/* Into the file that appears with the set. */
static enum prvcut_status data_write(struct made_database *out, const char *file,
                                     struct prvcut_trace *trace, const struct prvcut_run *run,
                                     const struct prvcut_database_options *o,
                                     struct prvcut_error *err)
{
    struct dbs *d;
    struct stat info;
    enum prvcut_status st = dbs_make(&d, file, out->path, DBS_ALL, err);

    if (st < 0)
        return st;
    st = api_database_fill(d, trace, run, o, true, &out->no_loop, err);
    data_count(out, d);
    dbs_close(d);
    if (st == PRVCUT_OK && stat(file, &info) == 0)
        out->is.bytes = (uint64_t)info.st_size;
    return st;
}

static enum prvcut_status data_place(struct made_database *out, struct prvcut_trace *trace,
                                     const struct prvcut_run *run,
                                     const struct prvcut_database_options *o, bool force,
                                     struct prvcut_error *err)
{
    struct prvcut_commit *set;
    struct prvcut_place place = { .fd = -1 };
    enum prvcut_status st = prvcut_commit_new(&set, err);

    if (st < 0)
        return st;
    st = prvcut_place_open(&place, set, out->path, force, err);
    if (st == PRVCUT_OK)
        st = data_write(out, place.temp, trace, run, o, err);
    if (st == PRVCUT_OK)
        st = prvcut_place_settle(&place, err);
    prvcut_place_drop(&place);
    if (st == PRVCUT_OK)
        return prvcut_commit_all(set, err);
    prvcut_commit_abandon(set);
    return st;
}

static enum prvcut_status data_make(struct made_database *out, struct prvcut_trace *trace,
                                    const struct prvcut_run *run,
                                    const struct prvcut_database_options *o, const char *path,
                                    bool force, struct prvcut_error *err)
{
    const double began = prvcut_seconds();
    enum prvcut_status st = api_database_check(trace, o, path, force, err);

    out->path = st == PRVCUT_OK ? prvcut_copied_text(path, "a file name", err) : NULL;
    if (st == PRVCUT_OK && !out->path)
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        st = data_place(out, trace, run, o, force, err);
    if (st == PRVCUT_OK)
        st = prvcut_trace_called(&out->called, trace, err);
    out->is.name = out->called;
    out->is.path = out->path;
    out->is.no_loop = out->no_loop;
    out->is.elapsed_s = prvcut_seconds() - began;
    return prvcut_trace_outcome(trace, st, err);
}

enum prvcut_status prvcut_database_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                        const struct prvcut_database_options *options,
                                        const char *path, bool force, struct prvcut_database **out,
                                        struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_database_options its_options;
    struct made_database *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_database_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = data_make(made, trace, &its_run, &its_options, path, force, err);
    *out = HAND_OVER(made, st != PRVCUT_OK, prvcut_database_free);
    return st;
}

void prvcut_database_free(struct prvcut_database *d)
{
    struct made_database *made = (struct made_database *)d;

    if (made) {
        free(made->called);
        free(made->path);
        free(made->no_loop);
    }
    free(made);
}

const struct prvcut_database_table *prvcut_database_table(const struct prvcut_database *d, size_t i)
{
    return i < d->tables ? &made_database_of(d)->table[i] : NULL;
}

/* --- Questions -------------------------------------------------------------------------------- */

/* The iterations that are cut by default, which stand for the loop; where there are none, all is
 * asked. */
static enum prvcut_status data_typical(struct made_query *out, struct prvcut_trace *trace,
                                       const struct prvcut_run *run,
                                       struct prvcut_database_options *o, struct prvcut_error *err)
{
    const struct prvcut_cut_options cut = { .dry_run = true };
    const struct prvcut_reduce_options how = { .iterations = 2, .cheap_proof = true, .cut = &cut };
    struct made_reduction *made = prvcut_zeroed(1, sizeof *made, "a search", err);
    enum prvcut_status st = made ? PRVCUT_OK : PRVCUT_ENOMEM;

    if (made)
        st = api_reduce_look(trace, run, &how, made, err);
    if (st == PRVCUT_OK && made->is.chops > 0 && made->chop[0].is.iteration > 0) {
        o->first = out->is.first = made->chop[0].is.iteration;
        o->last = out->is.last = o->first + made->chop[0].is.iterations - 1;
    } else if (st >= 0) {
        out->no_loop = prvcut_copied_text(
            made->is.reason && made->is.reason[0] ? made->is.reason : "no loop was found",
            "a reason", err);
        st = out->no_loop ? PRVCUT_OK : PRVCUT_ENOMEM;
    }
    if (made)
        api_reduction_fini(made);
    free(made);
    return st;
}

static struct dbs_question data_question(const struct prvcut_query_options *o,
                                         const struct prvcut_run *run, const char *told)
{
    return (struct dbs_question){ .told = told,
                                  .sql = o->sql ? o->sql : "",
                                  .most = o->most > 0 ? o->most : ROWS_MOST,
                                  .seconds = o->seconds > 0 ? o->seconds : SECONDS_MOST,
                                  .run = run };
}

static enum prvcut_status data_ask(struct made_query *out, struct prvcut_trace *trace,
                                   const struct prvcut_run *run,
                                   const struct prvcut_database_options *of,
                                   const struct dbs_question *question, const struct dbs_need *need,
                                   struct prvcut_error *err)
{
    /* The end is known once all is read. */
    const bool all = need->tables & DBS_RECORDS && of->only.start == 0;
    struct dbs *d;
    char *no_loop = NULL;
    enum prvcut_status st = dbs_make(&d, "", question->told, need->tables | DBS_BIT(DBS_META), err);

    if (st < 0)
        return st;
    st = api_database_fill(d, trace, run, of, need->loop || (need->ends && !all), &no_loop, err);
    if (st == PRVCUT_OK)
        st = dbs_ask(out, d, question, err);
    dbs_close(d);
    free(no_loop);
    return st;
}

static enum prvcut_status data_query(struct made_query *out, struct prvcut_trace *trace,
                                     const struct prvcut_run *run,
                                     const struct prvcut_query_options *o, struct prvcut_error *err)
{
    const struct dbs_question question = data_question(o, run, prvcut_trace_told(trace));
    struct prvcut_database_options of;
    struct dbs_need need;
    enum prvcut_status st = api_take_database_options(&of, o->of, err);

    if (st == PRVCUT_OK)
        st = dbs_need_of(&need, question.sql, err);
    if (st == PRVCUT_OK)
        st = api_database_fits(trace, &of, err);
    if (st == PRVCUT_OK && !o->of && (need.part || need.tables & DATA_TIMED))
        st = data_typical(out, trace, run, &of, err);
    if (st == PRVCUT_OK)
        st = data_ask(out, trace, run, &of, &question, &need, err);
    out->is.no_loop = out->no_loop;
    return prvcut_trace_outcome(trace, st, err);
}

static enum prvcut_status data_told(struct prvcut_query **out, struct made_query *made,
                                    enum prvcut_status st)
{
    *out = HAND_OVER(made, st != PRVCUT_OK, prvcut_query_free);
    return st;
}

enum prvcut_status prvcut_query_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                     const struct prvcut_query_options *options,
                                     struct prvcut_query **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_query_options its_options;
    struct made_query *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_query_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = data_query(made, trace, &its_run, &its_options, err);
    return data_told(out, made, st);
}

enum prvcut_status prvcut_query_database(const char *path, const struct prvcut_run *run,
                                         const struct prvcut_query_options *options,
                                         struct prvcut_query **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_query_options its_options;
    struct made_query *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_query_options(&its_options, options, err);
    if (st == PRVCUT_OK && its_options.of)
        st = prvcut_fail(err, PRVCUT_EUSAGE,
                         "a database is asked as a whole: name what is wanted in the question");
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK) {
        const struct dbs_question question = data_question(&its_options, &its_run, path);

        st = dbs_ask_file(made, &question, err);
    }
    return data_told(out, made, st);
}

void prvcut_query_free(struct prvcut_query *q)
{
    struct made_query *made = (struct made_query *)q;

    if (made) {
        prvcut_texts_free(made->column, made->columns);
        prvcut_texts_free(made->text, made->texts);
        free(made->cell);
        free(made->no_loop);
    }
    free(made);
}

const char *prvcut_query_column(const struct prvcut_query *q, size_t i)
{
    return i < q->columns ? made_query_of(q)->column[i] : NULL;
}

const struct prvcut_cell *prvcut_query_cell(const struct prvcut_query *q, size_t row, size_t column)
{
    return row < q->rows && column < q->columns ? &made_query_of(q)->cell[row * q->columns + column]
                                                : NULL;
}
