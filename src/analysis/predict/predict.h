#ifndef PRVCUT_ANALYSIS_PREDICT_PREDICT_H
#define PRVCUT_ANALYSIS_PREDICT_PREDICT_H

#include "base/error.h"
#include "model/made.h"

/*
 * How a program goes on with more processes: each factor of its speedup is fitted over the runs
 * that were measured, and the speedup is P / P0 times the product of what the factors make of it.
 */

/** Runs of one prediction; more tell nothing more. */
#define PRVCUT_PREDICT_RUNS_MOST 1024

/** Measured runs; zeroed is none. */
struct prvcut_predict_runs {
    struct made_prediction_run *at; /**< [count], names owned */
    size_t count, room;
};

/**
 * Add the runs of a table of factors (model/factors.h).
 *
 * errors  PRVCUT_EFORMAT with the line; PRVCUT_ELIMIT: too many runs; those of prvcut_csv_open;
 *         what was added stays
 */
enum prvcut_status prvcut_predict_read(struct prvcut_predict_runs *r, const char *path,
                                       struct prvcut_error *err);

/** Is it a table of factors, as far as its first bytes tell? A pipe is taken for one. */
bool prvcut_predict_is_table(const char *path);

/**
 * Add a run without values on so many processes; name: copied.
 *
 * errors  PRVCUT_ENOMEM, PRVCUT_ELIMIT
 */
enum prvcut_status prvcut_predict_run_add(struct prvcut_predict_runs *r, const char *name,
                                          uint32_t processes, struct prvcut_error *err);

/** Release what a run owns. */
void prvcut_predict_run_fini(struct made_prediction_run *run);

void prvcut_predict_runs_fini(struct prvcut_predict_runs *r);

/**
 * Predict.
 *
 * owns    r: its runs are taken over; out is zeroed before, released with prvcut_prediction_free,
 *         also after a failure
 * errors  PRVCUT_EUSAGE as prvcut_predict_make; PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_predict(struct made_prediction *out, struct prvcut_predict_runs *r,
                                  const struct prvcut_predict_options *o, struct prvcut_error *err);

/** "load balance": for people; constant. */
const char *prvcut_predict_name(enum prvcut_factor f);

/** Add the warnings about a prediction. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_predict_warn(struct made_prediction *p, struct prvcut_error *err);

/** One factor, as a form of fit has it. */
struct prvcut_predict_fitted {
    double value;       /**< as the fit has it: not capped; NAN where it is none */
    double low, high;   /**< NAN: two runs leave nothing to judge the fit by */
    double ln_variance; /**< of its logarithm; NAN: the same */
};

/**
 * Fit and go on to a number of processes.
 *
 * shape   processes, value: runs >= 2 values > 0, of two different numbers of processes at least;
 *         fit: not quadratic
 */
struct prvcut_predict_fitted prvcut_predict_fit(const double *processes, const double *value,
                                                size_t runs, enum prvcut_fit fit, double at,
                                                double confidence);

#endif
