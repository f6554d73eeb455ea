#include "base/memory.h"
#include "model/made.h"
#include "prvcut/signals.h"

#include "base/buffer.h"
#include "base/source.h"
#include "model/trace.h"
#include "signal/collect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A saved timeline is read as a whole: at most so many bytes. */
#define TEXT_MOST ((size_t)192 << 20)
/* Enough to see 1000 iterations well, and little to search. */
#define BINS ((size_t)1 << 16)
/* Different texts that stand in for values. */
#define WORDS_MOST 256
#define TIME_MOST  0x1p60 /* ns */
/* A view that covers more than this share of the run is taken for one of the whole run. */
#define WHOLE 0.5
/* One that covers less than this share is none that anybody would ask for. */
#define LEAST 0.001
/* Sums of values over time and objects must not overflow. */
#define VALUE_MOST 1e100

/* One line: what an object shows from a time on. */
struct row {
    uint64_t begin, end; /* ns */
    double value;
};

/* A file on its way. */
struct reading {
    const char *path;
    const char *at, *end;
    uint64_t line, unit_ns;
    bool fractions;               /* a time has one */
    double last;                  /* the latest time as it stands, in whatever unit */
    const char *word[WORDS_MOST]; /* borrowed from the file */
    size_t length[WORDS_MOST], words;
};

static enum prvcut_status tml_damaged(const struct reading *r, const char *what, const char *at,
                                      const char *end, struct prvcut_error *err)
{
    const int shown = end - at > 32 ? 32 : (int)(end - at);
    const enum prvcut_status st =
        prvcut_fail(err, PRVCUT_EFORMAT,
                    "%.300s:%llu: %s '%.*s': a line is object, begin, duration and value, with "
                    "tabs between, as Paraver saves a timeline",
                    r->path, (unsigned long long)r->line, what, shown, at);

    if (err)
        err->line = r->line;
    return st;
}

/* The next field of a line; the last one ends with the line. */
static bool tml_take(const char **at, const char *end, const char *field[2])
{
    if (!*at)
        return false;
    field[0] = *at;
    field[1] = memchr(*at, '\t', (size_t)(end - *at));
    *at = field[1] ? field[1] + 1 : NULL;
    if (!field[1])
        field[1] = end;
    return true;
}

/* The file ends in a NUL, so that strtod ends somewhere. */
static bool tml_is_number(const char *const field[2], double *out)
{
    char *end;

    *out = strtod(field[0], &end);
    return end == field[1] && end > field[0];
}

static bool tml_is_time(struct reading *r, const char *const field[2], double *ns)
{
    if (!tml_is_number(field, ns) || *ns < 0)
        return false;
    r->fractions |= *ns != rint(*ns);
    *ns = rint(*ns * (double)r->unit_ns);
    return *ns <= TIME_MOST;
}

/* Paraver may write what a value is called: every name is a value of its own. */
static bool tml_take_word(struct reading *r, const char *const field[2], double *value)
{
    const size_t length = (size_t)(field[1] - field[0]);
    size_t i = 0;

    while (i < r->words && (r->length[i] != length || memcmp(r->word[i], field[0], length) != 0))
        i++;
    if (i == WORDS_MOST)
        return false;
    if (i == r->words) {
        r->word[r->words] = field[0];
        r->length[r->words++] = length;
    }
    *value = (double)i;
    return true;
}

static enum prvcut_status tml_too_many_words(const struct reading *r, struct prvcut_error *err)
{
    const enum prvcut_status st =
        prvcut_fail(err, PRVCUT_ELIMIT, "%.300s:%llu: more than %d different texts as values",
                    r->path, (unsigned long long)r->line, WORDS_MOST);

    if (err)
        err->line = r->line;
    return st;
}

static enum prvcut_status tml_take_row(struct reading *r, const char *line, const char *end,
                                       struct row *out, struct prvcut_error *err)
{
    const char *object[2], *begin[2], *duration[2], *value[2], *at = line;
    double from, length;

    if (!tml_take(&at, end, object) || !tml_take(&at, end, begin) ||
        !tml_take(&at, end, duration) || !tml_take(&at, end, value) || at)
        return tml_damaged(r, "not four fields in", line, end, err);
    if (!tml_is_time(r, begin, &from))
        return tml_damaged(r, "not a time of 0 to 2^60ns:", begin[0], begin[1], err);
    if (!tml_is_time(r, duration, &length))
        return tml_damaged(r, "not a duration of 0 to 2^60ns:", duration[0], duration[1], err);
    if (tml_is_number(value, &out->value)) {
        if (!(fabs(out->value) <= VALUE_MOST))
            return tml_damaged(r, "not a value of at most 1e100:", value[0], value[1], err);
    } else if (value[0] == value[1]) {
        return tml_damaged(r, "no value in", line, end, err);
    } else if (!tml_take_word(r, value, &out->value)) {
        return tml_too_many_words(r, err);
    }
    r->last = fmax(r->last, strtod(begin[0], NULL) + strtod(duration[0], NULL));
    out->begin = (uint64_t)from;
    out->end = out->begin + (uint64_t)length;
    return PRVCUT_OK;
}

/* PRVCUT_END after the last one. Empty lines and comments are passed over. */
static enum prvcut_status tml_next_row(struct reading *r, struct row *out, struct prvcut_error *err)
{
    while (r->at < r->end) {
        const char *line = r->at;
        const char *newline = memchr(line, '\n', (size_t)(r->end - line));
        const char *end = newline ? newline : r->end;

        r->at = newline ? newline + 1 : r->end;
        r->line++;
        if (end > line && end[-1] == '\r')
            end--;
        if (end > line && *line != '#')
            return tml_take_row(r, line, end, out, err);
    }
    return PRVCUT_END;
}

/* Of all lines; *seen: what was learnt of their times. */
static enum prvcut_status tml_find_span(struct reading r, struct prvcut_span *out,
                                        struct reading *seen, struct prvcut_error *err)
{
    struct row row;
    enum prvcut_status st;

    *out = (struct prvcut_span){ UINT64_MAX, 0 };
    while ((st = tml_next_row(&r, &row, err)) == PRVCUT_OK) {
        seen->fractions = r.fractions;
        seen->last = r.last;
        out->start = row.begin < out->start ? row.begin : out->start;
        out->end = row.end > out->end ? row.end : out->end;
    }
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

/* Integral over a bin and all behind it, from a time on: see signal/grid.h. */
static void tml_step(const struct prvcut_grid *g, double *at, uint64_t time, double weight)
{
    uint64_t offset;
    const size_t k = prvcut_grid_locate(g, time, &offset);

    at[k] += weight * (double)(g->width - offset);
    at[k + 1] += weight * (double)offset;
}

static enum prvcut_status tml_average(struct reading r, const struct prvcut_grid *g,
                                      struct prvcut_signal *s, struct prvcut_error *err)
{
    double *at = prvcut_zeroed(g->bins + 2, sizeof *at, "bins", err), sum = 0;
    struct row row;
    enum prvcut_status st;

    if (!at)
        return PRVCUT_ENOMEM;
    while ((st = tml_next_row(&r, &row, err)) == PRVCUT_OK) {
        tml_step(g, at, row.begin, row.value);
        tml_step(g, at, row.end, -row.value);
    }
    for (size_t i = 0; i < g->bins; i++)
        at[i] = (sum += at[i]) / (double)g->width;
    s->at = at;
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

/* Units that Paraver's window saves times in. */
static const struct {
    uint64_t ns;
    const char *note;
} units[] = {
    { 1000, "its times are read as microseconds, which Paraver saves by default" },
    { 1000000, "its times are read as milliseconds: so they end with the run" },
    { 1000000000, "its times are read as seconds: so they end with the run" },
};

/*
 * Paraver's window saves microseconds, unless told another unit. A timeline of a trace in
 * nanoseconds is in another unit if it covers most of the run in that and has fractions, which
 * nanoseconds have not, or would end in the first thousandth of the run. With fractions, one that
 * covers most of the run in no unit is a part of it in microseconds.
 */
static enum prvcut_status tml_find_unit(struct reading *r, uint64_t end_ns, const char **note,
                                        struct prvcut_error *err)
{
    const double run = (double)end_ns, most = run * 1.001;

    *note = NULL;
    if (r->unit_ns != 1 || r->last * (double)units[0].ns > most)
        return PRVCUT_OK;
    for (size_t i = 0; i < sizeof units / sizeof *units && !*note; i++) {
        const double end = r->last * (double)units[i].ns;

        if (end > most || end <= run * WHOLE)
            continue;
        r->unit_ns = units[i].ns;
        *note = units[i].note;
    }
    if (*note || !r->fractions)
        return PRVCUT_OK;
    if (r->last * (double)units[0].ns < run * LEAST)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%.300s: in which unit are its times? In microseconds, which Paraver "
                           "saves by default, they end at %g of %g us; save them in nanoseconds",
                           r->path, r->last, run / (double)units[0].ns);
    r->unit_ns = units[0].ns;
    *note = units[0].note;
    return PRVCUT_OK;
}

static enum prvcut_status tml_read_text(struct reading *r, uint64_t end_ns,
                                        struct made_signals *out, struct prvcut_error *err)
{
    struct prvcut_span span;
    struct prvcut_grid grid;
    const char *note = NULL;
    enum prvcut_status st = tml_find_span(*r, &span, r, err);

    if (st == PRVCUT_OK)
        st = tml_find_unit(r, end_ns, &note, err);
    if (st == PRVCUT_OK && note)
        st = tml_find_span(*r, &span, r, err);
    if (st == PRVCUT_OK && span.end <= span.start)
        st = prvcut_fail(err, PRVCUT_EFORMAT, "%.300s: no line with a duration in it", r->path);
    if (st < 0)
        return st;
    grid = prvcut_grid_fit(span.start, span.end, BINS);
    out->at = prvcut_zeroed(1, sizeof *out->at, "a signal", err);
    if (!out->at)
        return PRVCUT_ENOMEM;
    out->is.count = 1;
    out->at[0] = (struct prvcut_signal){ .size = sizeof out->at[0],
                                         .name = "timeline",
                                         .unit = "",
                                         .start = grid.start,
                                         .width = grid.width,
                                         .bins = grid.bins,
                                         .note = note };
    return tml_average(*r, &grid, &out->at[0], err);
}

enum prvcut_status prvcut_signals_of_paraver(const struct prvcut_trace *trace, const char *path,
                                             struct prvcut_signals **out, struct prvcut_error *err)
{
    struct reading r = { .path = path, .unit_ns = trace->unit_ns };
    struct made_signals *made = prvcut_zeroed(1, sizeof *made, "signals", err);
    char *text = NULL;
    size_t count = 0;
    enum prvcut_status st =
        made ? prvcut_source_slurp_text(path, TEXT_MOST, &text, &count, err) : PRVCUT_ENOMEM;

    r.at = text;
    r.end = text + count;
    if (st == PRVCUT_OK)
        st = tml_read_text(&r, trace->end_ns, made, err);
    if (st < 0 && made) {
        prvcut_signals_free(&made->is);
        made = NULL;
    }
    *out = made ? &made->is : NULL;
    free(text);
    return st;
}
