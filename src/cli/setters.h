#ifndef PRVCUT_CLI_SETTERS_H
#define PRVCUT_CLI_SETTERS_H

#include "cli.h"

/*
 * What stores an option's argument. *why, where one returns false, goes on behind the argument in
 * quotes: "'two' is not a number from 1 to 1000000".
 */

/** Is it the unit of a time, such as "ms"? */
bool cli_is_unit(const char *text);

/** The unit that a word begins with, as "sec" does; NULL: nobody knows which one is meant. */
const char *cli_unit_begun(const char *word);

bool cli_set_iterations(struct cli *c, const char *argument, const char **why);
bool cli_set_iteration(struct cli *c, const char *argument, const char **why);
bool cli_set_why(struct cli *c, const char *argument, const char **why);
bool cli_set_level(struct cli *c, const char *argument, const char **why);
bool cli_set_depth(struct cli *c, const char *argument, const char **why);
bool cli_set_region(struct cli *c, const char *argument, const char **why);
bool cli_set_fail_above(struct cli *c, const char *argument, const char **why);
bool cli_set_outliers(struct cli *c, const char *argument, const char **why);
bool cli_set_report(struct cli *c, const char *argument, const char **why);
bool cli_set_archive(struct cli *c, const char *argument, const char **why);
bool cli_set_plot(struct cli *c, const char *argument, const char **why);
bool cli_set_matrix(struct cli *c, const char *argument, const char **why);
bool cli_set_timeline(struct cli *c, const char *argument, const char **why);
bool cli_set_by(struct cli *c, const char *argument, const char **why);
bool cli_set_top(struct cli *c, const char *argument, const char **why);
bool cli_set_metric(struct cli *c, const char *argument, const char **why);
bool cli_set_bins(struct cli *c, const char *argument, const char **why);
bool cli_set_parameters(struct cli *c, const char *argument, const char **why);
bool cli_set_show(struct cli *c, const char *argument, const char **why);
bool cli_set_from(struct cli *c, const char *argument, const char **why);
bool cli_set_to(struct cli *c, const char *argument, const char **why);
bool cli_set_period(struct cli *c, const char *argument, const char **why);
bool cli_set_align_clocks(struct cli *c, const char *argument, const char **why);
bool cli_set_align(struct cli *c, const char *argument, const char **why);
bool cli_set_format(struct cli *c, const char *argument, const char **why);
bool cli_set_tasks(struct cli *c, const char *argument, const char **why);
bool cli_set_messages(struct cli *c, const char *argument, const char **why);
bool cli_set_role(struct cli *c, const char *argument, const char **why);
bool cli_set_output(struct cli *c, const char *argument, const char **why);
bool cli_set_compress(struct cli *c, const char *argument, const char **why);
bool cli_set_threads(struct cli *c, const char *argument, const char **why);
bool cli_set_progress(struct cli *c, const char *argument, const char **why);
bool cli_set_no_progress(struct cli *c, const char *argument, const char **why);
bool cli_set_color(struct cli *c, const char *argument, const char **why);
bool cli_set_help(struct cli *c, const char *argument, const char **why);
bool cli_set_usage(struct cli *c, const char *argument, const char **why);
bool cli_set_version(struct cli *c, const char *argument, const char **why);
bool cli_set_log(struct cli *c, const char *argument, const char **why);
bool cli_set_no_color(struct cli *c, const char *argument, const char **why);

/** A time, and nothing but one. */
bool cli_is_time(struct cli *c, const char *text, const char **why);

/* As of efficiency_options.c. */
bool cli_set_borders(struct cli *c, const char *argument, const char **why);
bool cli_set_computing(struct cli *c, const char *argument, const char **why);
bool cli_set_ideal_computing(struct cli *c, const char *argument, const char **why);
bool cli_set_starts(struct cli *c, const char *argument, const char **why);
bool cli_set_scaling(struct cli *c, const char *argument, const char **why);
bool cli_set_form(struct cli *c, const char *argument, const char **why);
bool cli_set_base(struct cli *c, const char *argument, const char **why);
bool cli_set_group(struct cli *c, const char *argument, const char **why);
bool cli_set_replay(struct cli *c, const char *argument, const char **why);
bool cli_set_ideal(struct cli *c, const char *argument, const char **why);
bool cli_set_eager(struct cli *c, const char *argument, const char **why);

/** Place of a text among words; SIZE_MAX: it is none of them. */
size_t cli_word_of(const char *text, const char *const *words, size_t count);

/** "100", "1.5kB", "20M": bytes. */
bool cli_size_of(const char *text, uint64_t *out, const char **why);

/** "500ms", "10s", "5min": seconds, more than none. */
bool cli_seconds_of(const char *text, double *out, const char **why);

#endif
