#include "analysis/predict/predict.h"

#include "base/buffer.h"
#include "base/csv.h"
#include "base/memory.h"
#include "base/source.h"
#include "model/factors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PROCESSES_MOST 1e9

/* Rows that a prediction needs: what they become, and how much of it the file's unit is. */
static const struct {
    enum prvcut_factors_row row;
    enum prvcut_factor factor;
    double unit;
} prr_rows[] = {
    { PRVCUT_FACTORS_LOAD_BALANCE, PRVCUT_FACTOR_LOAD_BALANCE, 0.01 },
    { PRVCUT_FACTORS_SERIALIZATION, PRVCUT_FACTOR_SERIALIZATION, 0.01 },
    { PRVCUT_FACTORS_TRANSFER, PRVCUT_FACTOR_TRANSFER, 0.01 },
    { PRVCUT_FACTORS_COMMUNICATION, PRVCUT_FACTOR_COMMUNICATION, 0.01 },
    { PRVCUT_FACTORS_IPC, PRVCUT_FACTOR_IPC, 1 },
    { PRVCUT_FACTORS_FREQUENCY, PRVCUT_FACTOR_FREQUENCY, 1 },
    { PRVCUT_FACTORS_INSTRUCTIONS, PRVCUT_FACTOR_INSTRUCTIONS, 1 },
    { PRVCUT_FACTORS_USEFUL_TOTAL, PRVCUT_FACTOR_COMPUTING, 1000 },
};

enum prvcut_status prvcut_predict_run_add(struct prvcut_predict_runs *r, const char *name,
                                          uint32_t processes, struct prvcut_error *err)
{
    struct made_prediction_run *run;

    if (r->count == PRVCUT_PREDICT_RUNS_MOST)
        return prvcut_fail(err, PRVCUT_ELIMIT, "%.300s: more than %d runs", name,
                           PRVCUT_PREDICT_RUNS_MOST);
    if (prvcut_grow((void **)&r->at, &r->room, r->count + 1, sizeof *r->at, err) < 0)
        return PRVCUT_ENOMEM;
    run = &r->at[r->count++];
    *run =
        (struct made_prediction_run){ .is = { .processes = processes, .runtime_ns = (double)NAN },
                                      .speedup = (double)NAN };
    for (size_t i = 0; i < MADE_FACTORS; i++)
        run->factor[i] = (double)NAN;
    run->name = prvcut_copied_text(name, "a file name", err);
    run->is.name = run->name;
    return run->name ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status prr_run(struct prvcut_predict_runs *r, const struct prvcut_csv *c,
                                  const char *field, struct prvcut_error *err)
{
    double processes;

    if (!prvcut_csv_number(field, &processes) || !(processes >= 1 && processes <= PROCESSES_MOST) ||
        processes != floor(processes))
        return prvcut_csv_fail(c, err, "'%.40s' is not a number of processes", field);
    return prvcut_predict_run_add(r, c->path, (uint32_t)processes, err);
}

static void prr_put(struct made_prediction_run *run, enum prvcut_factors_row row, double value)
{
    /* A tool that has nothing to tell may write 0. */
    if (!(value > 0))
        return;
    if (row == PRVCUT_FACTORS_RUNTIME)
        run->is.runtime_ns = 1000 * value;
    if (row == PRVCUT_FACTORS_SPEEDUP)
        run->speedup = value;
    for (size_t i = 0; i < sizeof prr_rows / sizeof *prr_rows; i++)
        if (prr_rows[i].row == row)
            run->factor[prr_rows[i].factor] = prr_rows[i].unit * value;
}

/* A column's application. */
static bool prr_is_application(const char *name)
{
    return strcmp(name + (*name == '#'), PRVCUT_FACTORS_APPLICATION) == 0;
}

static enum prvcut_status prr_line(struct made_prediction_run *run, size_t runs,
                                   const struct prvcut_csv *c, struct prvcut_error *err)
{
    const enum prvcut_factors_row row = prvcut_factors_find(c->field[0]);
    const bool application = prr_is_application(c->field[0]);

    /* Other rows are of no use here, and other tools have more of them. */
    if (row == PRVCUT_FACTORS_ROWS && !application)
        return PRVCUT_OK;
    if (c->fields != runs + 1)
        return prvcut_csv_fail(c, err, "%zu values where the first line has %zu",
                               c->fields > 0 ? c->fields - 1 : 0, runs);
    for (size_t i = 0; i < runs; i++) {
        double value;

        if (!prvcut_csv_number(c->field[i + 1], &value))
            return prvcut_csv_fail(c, err, "'%.40s' is not a number", c->field[i + 1]);
        if (application)
            run[i].application = value > 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
        else
            prr_put(&run[i], row, value);
    }
    return PRVCUT_OK;
}

bool prvcut_predict_is_table(const char *path)
{
    struct prvcut_source *s = NULL;
    const char *bytes = "";
    size_t got = 0;
    bool is = strcmp(path, "-") == 0;

    if (!is && prvcut_source_open(&s, path, NULL) == PRVCUT_OK &&
        prvcut_source_peek(s, strlen(PRVCUT_FACTORS_HEAD), &bytes, &got, NULL) == PRVCUT_OK)
        is = got == strlen(PRVCUT_FACTORS_HEAD) && memcmp(bytes, PRVCUT_FACTORS_HEAD, got) == 0;
    prvcut_source_close(s);
    return is;
}

enum prvcut_status prvcut_predict_read(struct prvcut_predict_runs *r, const char *path,
                                       struct prvcut_error *err)
{
    const size_t before = r->count;
    struct prvcut_csv c;
    enum prvcut_status st = prvcut_csv_open(&c, path, err);

    /* What a table looks like stands there. */
    if (st == PRVCUT_OK)
        prvcut_instead(err, "prvcut help predict");
    if (st == PRVCUT_OK)
        st = prvcut_csv_next(&c, err);
    if (st == PRVCUT_END ||
        (st == PRVCUT_OK && (strcmp(c.field[0], PRVCUT_FACTORS_HEAD) != 0 || c.fields < 2)))
        st = prvcut_csv_fail(
            &c, err, "neither a trace nor a table of factors, whose first line is '%s%cP%c...'",
            PRVCUT_FACTORS_HEAD, PRVCUT_FACTORS_SEPARATOR, PRVCUT_FACTORS_SEPARATOR);
    for (size_t i = 1; st == PRVCUT_OK && i < c.fields; i++)
        st = prr_run(r, &c, c.field[i], err);
    while (st == PRVCUT_OK && (st = prvcut_csv_next(&c, err)) == PRVCUT_OK)
        st = prr_line(r->at + before, r->count - before, &c, err);
    prvcut_csv_close(&c);
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

void prvcut_predict_run_fini(struct made_prediction_run *run)
{
    prvcut_program_free(run->program);
    free(run->other);
    free(run->name);
}

void prvcut_predict_runs_fini(struct prvcut_predict_runs *r)
{
    for (size_t i = 0; i < r->count; i++)
        prvcut_predict_run_fini(&r->at[i]);
    free(r->at);
    *r = (struct prvcut_predict_runs){ .at = NULL };
}
