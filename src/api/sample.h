#ifndef PRVCUT_API_SAMPLE_H
#define PRVCUT_API_SAMPLE_H

#include "analysis/sample/sample.h"
#include "analysis/sample/series.h"
#include "model/made.h"

/** errors: PRVCUT_EUSAGE: options that make no sense */
enum prvcut_status api_sample_check(const struct prvcut_sample_options *o,
                                    struct prvcut_error *err);

/** A column by a name of its counter, as PAPI, perf or people have it; SIZE_MAX: there is none. */
size_t api_sample_column(const struct prvcut_series *s, const char *name);

/** The columns that the options ask for; each must be there and counted everywhere. errors:
    PRVCUT_EUSAGE */
enum prvcut_status api_sample_columns(const struct prvcut_series *s,
                                      const struct prvcut_sample_options *o,
                                      struct prvcut_sample_asked *a, struct prvcut_error *err);

/**
 * Sample a series; o->period: bins, 0: it is sought. As prvcut_sample_series.
 *
 * shape   called: of the file, for people; structure: the period that another search has found, in
 *         bins; 0: none
 */
enum prvcut_status api_sample_of(const struct prvcut_series *s, const char *called,
                                 double structure, const struct prvcut_sample_options *o,
                                 struct made_sample *out, struct prvcut_error *err);

/** Add a warning. errors: PRVCUT_ENOMEM */
enum prvcut_status api_sample_warn(struct made_sample *s, struct prvcut_error *err,
                                   const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
