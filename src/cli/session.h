#ifndef PRVCUT_CLI_SESSION_H
#define PRVCUT_CLI_SESSION_H

#include "cli.h"
#include "progress.h"

/** A command at work on one trace. */
struct cli_session {
    const struct cli *cli;
    struct prvcut_trace *trace;   /**< NULL until open */
    struct prvcut_follow *follow; /**< that the trace is of; owned; NULL: it is not followed */
    struct prvcut_run run;
    struct prvcut_again again; /**< what run.again points at */
    struct cli_progress progress;
    const struct prvcut_cut_options *cut; /**< how the cut is to be written; NULL: none is */
    struct prvcut_series_told series;     /**< of --series or --clock; metric NULL: neither */
    struct prvcut_error err;
};

/** Open the series that --series names, as cli_session_open opens traces. */
enum prvcut_status cli_session_open_series(struct cli_session *s,
                                           const struct prvcut_open_options *options);

/** With --series in place of a trace, the command line with it as its operand, in with, whose
    operand is borrowed from c; else c. */
const struct cli *cli_session_with_series(const struct cli *c, struct cli *with);

/** Take instructions for the clock of the open trace, as --clock asks, and say so. */
enum cli_exit cli_session_clock(struct cli_session *s);

/** What metrics are asked for: those that were named, or the series' own; other: without either.
    needs an open trace. */
const char *cli_session_metrics(const struct cli_session *s, const char *other);

/** Make what --timeline names a metric of the open trace. */
enum cli_exit cli_session_timeline(struct cli_session *s);

/** Check that the command line names one trace, and get ready; opens nothing. */
enum cli_exit cli_session_start(struct cli_session *s, const struct cli *c);

/** Refuse standard input where the work ("a cut") has to go back in the trace. */
enum cli_exit cli_session_needs_file(const struct cli *c, const char *work);

/** What the command line tells about reading; borrows from c. */
struct prvcut_open_options cli_open_options(const struct cli *c);

/** Open the trace that the command line names; no output that it names may be of the trace. */
enum cli_exit cli_session_open(struct cli_session *s);

/** Refuse outputs that exist, and folders that take none, as far as that is known before opening.
 */
enum cli_exit cli_session_outputs(struct cli_session *s);

/** Refuse an output that leads to one of the open trace's own files, exists, or cannot be made;
   path may be NULL. */
enum cli_exit cli_session_free(struct cli_session *s, const char *path, bool force);

/** Refuse an output, NULL is none, that is a table among the operands, or the series. */
enum cli_exit cli_session_spares(const struct cli *c, const char *output);

/**
 * The name of a file of that kind, with its suffix; refused where it has another, or exists. path
 * may be NULL, and *out is so then.
 *
 * owns    *out, freed by the caller
 */
enum cli_exit cli_session_name(struct cli_session *s, char **out, enum prvcut_file kind,
                               const char *path);

/**
 * The window that --from and --to give, within the trace's own span; needs an open trace.
 * span->end is 0 where neither was given.
 */
enum cli_exit cli_session_span(struct cli_session *s, struct prvcut_span *span);

/** What --region and --iteration name; borrows from c. */
struct prvcut_selection cli_selection(const struct cli *c);

/** When that is, and what a cut of it is called (tag, may be NULL); needs an open trace. */
enum cli_exit cli_session_select(struct cli_session *s, struct prvcut_span *window);

/** Does --region name more than one? */
bool cli_several_regions(const struct cli *c);

/** Arguments that work with the first of the regions that --region names; returns out. */
const char *cli_first_region(char out[80], const struct cli *c);

/** Refuse several regions. */
enum cli_exit cli_one_selection(const struct cli *c);

/** The deepest level that --region names; 1: none. */
unsigned cli_deepest_region(const struct cli *c);

/** Is it one level at most that --level names? level: where it goes, may be NULL. */
bool cli_one_level(const struct cli *c, unsigned *level);

/** The period that --period gives; 0 where it is not given; needs an open trace. */
enum cli_exit cli_session_period(struct cli_session *s, uint64_t *ns);

/** How a cut is to be written; the command line must be free of contradictions about it. */
enum cli_exit cli_cut_options(const struct cli *c, struct prvcut_cut_options *out);

/** Can the command be used on such a trace? errors: PRVCUT_EUSAGE, with what converts it */
enum prvcut_status cli_takes(const struct cli *c, const struct prvcut_trace *trace,
                             struct prvcut_error *err);

/** End with the outcome of a library call: what is no failure gives CLI_DONE. */
enum cli_exit cli_session_outcome(struct cli_session *s, enum prvcut_status st);

/**
 * Print what the library made of the outcome, as --json or --quiet want it.
 *
 * owns    text is released; NULL: there is nothing to tell
 * st      of the call that made the text
 */
enum cli_exit cli_session_report(struct cli_session *s, enum prvcut_status st, char *text);

/** Release everything. */
void cli_session_end(struct cli_session *s);

#endif
