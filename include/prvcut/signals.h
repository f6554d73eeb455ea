#ifndef PRVCUT_SIGNALS_H
#define PRVCUT_SIGNALS_H

#include "prvcut/parameters.h"
#include "prvcut/structure.h"
#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One metric over equal bins: at[i] is its mean over [start + i * width, start + (i + 1) * width).
    Filled in by a program that has a signal of its own. */
struct prvcut_signal {
    size_t size;             /**< sizeof this struct; 0: the fields up to note */
    const char *name, *unit; /**< last as long as the process */
    uint64_t start;          /**< ns */
    uint64_t width;          /**< ns, a bin */
    double *at;              /**< [bins]; NULL where absent */
    size_t bins;
    const char *absent; /**< constant: why the trace does not hold it; NULL where it does */
    const char *note;   /**< lasts as long as the process: what was taken for granted in reading it,
                           or   what a step tells beside its numbers; NULL: nothing */
};

/** A set of signals over the same bins, from one pass. A view. */
struct prvcut_signals {
    size_t count;      /**< see prvcut_signals_at */
    const char *set;   /**< constant: what of the parameters was set, "delta=5"; NULL: nothing */
    const char *clock; /**< constant: "instructions", of which 1 ns is one; NULL: time */
};

/** Signal i, in the order in which they were asked for; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_signal *prvcut_signals_at(const struct prvcut_signals *s, size_t i);

/** Name, unit and one line of help of every metric, in order; NULL beyond the last. */
PRVCUT_API const char *prvcut_metric_name(size_t i);
PRVCUT_API const char *prvcut_metric_unit(size_t i);
PRVCUT_API const char *prvcut_metric_help(size_t i);

/**
 * Compute metrics over a window, exactly averaged in equal bins.
 *
 * shape   metrics: "name[,name...]", each of prvcut_metric_name's or, of what the trace has a name
 *         for, "event:TYPE[=VALUE]", "counter:NAME", "state:NAME", "region:NAME" (at most 8 of one
 *         trace; in double quotes where a name holds a comma); bins >= 1; window end 0 = the whole
 *         run
 * units   each signal gives its own; a bin's width is the window's length / bins, rounded up
 * owns    *out is the caller's, released with prvcut_signals_free; NULL after a failure
 * errors  PRVCUT_EUSAGE: unknown metric (the text lists the known ones), or nothing of that name in
 *         the trace, bins of 0 or > 2^24
 */
PRVCUT_API enum prvcut_status prvcut_signals_compute(struct prvcut_trace *trace,
                                                     const struct prvcut_run *run,
                                                     const char *metrics,
                                                     const struct prvcut_span *window, size_t bins,
                                                     struct prvcut_signals **out,
                                                     struct prvcut_error *err);

/** Greatest N of a step. */
#define PRVCUT_SIGNAL_STEP_MOST 16777216

/** Name and one line of help of each step of the method, in order; NULL beyond the last. */
PRVCUT_API const char *prvcut_signal_step_name(size_t i);
PRVCUT_API const char *prvcut_signal_step_help(size_t i);

/**
 * One step of the method, applied to each of the signals.
 *
 * closing, opening, dilation and erosion are N bins wide (without N: a share of the bins, `width`);
 * wavelet gives the coefficients of the Haar wavelet at level N without their sign (the finest
 * level whose largest one is a share, `significant`, of the largest of all), each over the 2^N bins
 * that it stands for; selection is 1 where they are at least `lambda` of the largest one and N
 * (`delta`) coefficients beside these; autocorrelation is by lag up to N bins (half of them);
 * crosscorrelation is with N sine waves (`sines`) as long as the period, 0 where they reach beyond
 * the signal. The period is the lag of the highest peak of the autocorrelation; or the shortest one
 * that is at least `rival` of it, if all others that are so high are its harmonics. If they are
 * not, the signal is averaged over pairs of bins and asked again; the note tells.
 *
 * shape   set: NULL is as usual (prvcut/parameters.h);
 *         step: "closing", "closing:N" and so on; as many signals as `in` has, "closing:N of NAME"
 * units   as the signal's; correlations have none, and an autocorrelation's start is 0: bins are
 *         lags
 * owns    *out is the caller's, released with prvcut_signals_free; NULL after a failure
 * errors  PRVCUT_EUSAGE: unknown step, N out of its range; PRVCUT_ENOMEM
 * source  Casas 2.3, 3.4, 3.5 and 3.6.1 (equations 3.2 and 3.3)
 */
PRVCUT_API enum prvcut_status prvcut_signals_step(const struct prvcut_signals *in, const char *step,
                                                  const struct prvcut_parameters *set,
                                                  struct prvcut_signals **out,
                                                  struct prvcut_error *err);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_signals_free(struct prvcut_signals *s);

/**
 * Read a timeline that Paraver saved as text ("Save as text", or what its link to Spectral writes):
 * one line an interval, object, begin, duration and value with tabs between. Objects are added up;
 * values may be texts, of which each counts as a number of its own.
 *
 * shape   one signal called "timeline" over the span of the lines, in at most 65536 bins
 * units   times of the file are in the trace's own unit; or in microseconds, which Paraver's window
 *         saves by default, where the span tells so: then the signal has a note
 * owns    *out is the caller's, released with prvcut_signals_free; NULL after a failure
 * errors  PRVCUT_EFORMAT with the line; PRVCUT_ELIMIT: above 1 GiB, or 256 texts; PRVCUT_EIO
 */
PRVCUT_API enum prvcut_status prvcut_signals_of_paraver(const struct prvcut_trace *trace,
                                                        const char *path,
                                                        struct prvcut_signals **out,
                                                        struct prvcut_error *err);

/**
 * Make a signal a metric of the trace, under its name, for as long as the trace is open: searches
 * for loops ask it beside those that they are told to, so that it votes, and metrics may name it.
 *
 * shape   s: has values over at most 2^24 bins, and a name that no metric has
 * owns    s is copied
 * errors  PRVCUT_EUSAGE: it has not; more than 8 metrics of the trace's own; it begins when the
 * trace has ended; PRVCUT_ENOMEM
 */
PRVCUT_API enum prvcut_status prvcut_trace_add_signal(struct prvcut_trace *trace,
                                                      const struct prvcut_signal *s,
                                                      struct prvcut_error *err);

/** One line per bin: start in ns, then a column per metric that is present. Free *text. */
PRVCUT_API enum prvcut_status prvcut_signals_csv(const struct prvcut_signals *s, char **text,
                                                 struct prvcut_error *err);
/** Schema "prvcut-signal", version 1. Free *text. */
PRVCUT_API enum prvcut_status prvcut_signals_json(const struct prvcut_signals *s, char **text,
                                                  struct prvcut_error *err);

/**
 * The period of a signal, one's own or a computed one: what one metric alone says of the loop.
 *
 * shape   s->at: bins values; at least 48 bins tell anything
 * owns    *out is the caller's, released with prvcut_vote_free, its texts are constant or s's; NULL
 *         after a failure
 * errors  PRVCUT_NONE: no loop that repeats at least 3 times, (*out)->why tells; PRVCUT_ENOMEM
 */
PRVCUT_API enum prvcut_status prvcut_signal_period(const struct prvcut_signal *s,
                                                   struct prvcut_vote **out,
                                                   struct prvcut_error *err);

/** Release; accepts NULL; never one that belongs to a structure or a reduction. */
PRVCUT_API void prvcut_vote_free(struct prvcut_vote *v);

/** A drawing (SVG) of the signals, one above the other. title: its heading, such as the trace's
   name. Free *text. */
PRVCUT_API enum prvcut_status prvcut_signals_svg(const struct prvcut_signals *s, const char *title,
                                                 char **text, struct prvcut_error *err);

/** What a file is, so what its name says: .txt, .json, .csv, .svg, .html, .tar.zst. Numbered once
    and for ever. */
enum prvcut_file {
    PRVCUT_FILE_TEXT = 0,
    PRVCUT_FILE_JSON = 1,
    PRVCUT_FILE_CSV = 2,
    PRVCUT_FILE_SVG = 3,
    PRVCUT_FILE_HTML = 4,
    PRVCUT_FILE_ARCHIVE = 5,
    PRVCUT_FILE_CUBEX = 6, /**< a report for CUBE 4 */
    PRVCUT_FILE_CUBE = 7,  /**< for CUBE 3 */
    PRVCUT_FILE_SQLITE = 8 /**< a database (prvcut/database.h) */
};

/**
 * The name that a file of a kind gets: `path`, with the kind's suffix where it has none that is
 * known. "-", a device, a pipe and a folder are taken as they are.
 *
 * owns    *out, freed by the caller; NULL after a failure
 * errors  PRVCUT_EUSAGE: a suffix of something else; PRVCUT_ENOMEM
 */
PRVCUT_API enum prvcut_status prvcut_file_name(char **out, enum prvcut_file kind, const char *path,
                                               struct prvcut_error *err);

/** Does a name say that the file is of that kind? A suffix .gz or .zst behind it changes nothing.
 */
PRVCUT_API bool prvcut_file_is(enum prvcut_file kind, const char *path);

/**
 * Refuse a name that a file has, unless it may be replaced, and one in a folder that takes no
 * files; "-", devices and pipes are free.
 *
 * errors  PRVCUT_EEXIST, PRVCUT_EIO
 */
PRVCUT_API enum prvcut_status prvcut_file_free(const char *path, bool force,
                                               struct prvcut_error *err);

/** Write text whole or not at all, compressed by suffix; "-" is standard output. */
PRVCUT_API enum prvcut_status prvcut_text_write(const char *path, const char *text, bool force,
                                                struct prvcut_error *err);

/** A text and the name of the file that it becomes. */
struct prvcut_text {
    const char *path, *text;
};

/** The same of several: all of them appear, or none. */
PRVCUT_API enum prvcut_status prvcut_texts_write(const struct prvcut_text *text, size_t texts,
                                                 bool force, struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
