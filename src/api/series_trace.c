#include "api/entries.h"
#include "api/sample.h"

#include "analysis/sample/series.h"
#include "base/bytes.h"
#include "base/io.h"
#include "base/memory.h"
#include "model/trace.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ns of an interval whose times nobody tells. */
#define INTERVAL_NS 1000
/* Values that are no counts are multiplied, so that their greatest is about that. */
#define FINE              1e9

#define TYPE_INSTRUCTIONS 42000050
#define TYPE_CYCLES       42000059

/* A series that becomes the records of a trace with one thread. */
struct ast_maker {
    struct prvcut_series series;
    const char *path;
    uint64_t *end;               /* [series.rows] ns; owned */
    size_t instructions, cycles; /* columns; SIZE_MAX: none */
    double scale;                /* of what stands for instructions */
    bool named;                  /* a column was: it stands for instructions */
    struct prvcut_series_told *told;
    struct prvcut_put text;
};

/* --- Which columns ---------------------------------------------------------------------------- */

/* Is that all that is asked for? */
static bool srt_known(const char *metrics)
{
    static const char *const known[] = { "ipc", "instructions", "clock" };

    while (metrics) {
        const size_t length = strcspn(metrics, ",");
        bool found = false;

        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found |= strlen(known[i]) == length && strncmp(known[i], metrics, length) == 0;
        if (!found)
            return false;
        metrics = metrics[length] ? metrics + length + 1 : NULL;
    }
    return true;
}

/* "a, b, c": the columns that may be named. */
static enum prvcut_status srt_no_column(const struct ast_maker *m, const char *name,
                                        struct prvcut_error *err)
{
    char names[300];

    return prvcut_fail(err, PRVCUT_EUSAGE, "%s: no column '%.60s'; there are %s", m->path, name,
                       prvcut_series_names(&m->series, names, sizeof names));
}

static enum prvcut_status srt_check(const struct ast_maker *m, size_t column,
                                    struct prvcut_error *err)
{
    const size_t gap = column == SIZE_MAX ? SIZE_MAX : prvcut_series_gap(&m->series, column);

    if (gap == SIZE_MAX)
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EFORMAT, "%s:%" PRIu64 ": '%.60s' is not counted there", m->path,
                       m->series.line[gap], m->series.name[column]);
}

/* What is no count loses its fraction where it is multiplied first. */
static double srt_scale(const struct ast_maker *m)
{
    const double *at = m->series.at[m->instructions];
    double most = 0;
    bool counts = true;

    for (size_t i = 0; i < m->series.rows; i++) {
        most = fmax(most, at[i]);
        counts &= at[i] == floor(at[i]);
    }
    return counts || !(most > 0) ? 1 : FINE / most;
}

static enum prvcut_status srt_choose(struct ast_maker *m, const char *metric,
                                     struct prvcut_error *err)
{
    const bool named = m->named = metric && !srt_known(metric);
    enum prvcut_status st;

    m->instructions = api_sample_column(&m->series, named ? metric : "instructions");
    m->cycles = named ? SIZE_MAX : api_sample_column(&m->series, "cycles");
    if (m->instructions == SIZE_MAX)
        return srt_no_column(m, named ? metric : "instructions", err);
    m->told->metric = named                   ? "instructions"
                      : metric                ? metric
                      : m->cycles == SIZE_MAX ? "instructions"
                                              : "ipc";
    st = srt_check(m, m->instructions, err);
    if (st == PRVCUT_OK)
        st = srt_check(m, m->cycles, err);
    m->scale = st == PRVCUT_OK && named ? srt_scale(m) : 1;
    return st;
}

/* --- Its text --------------------------------------------------------------------------------- */

static enum prvcut_status srt_times(struct ast_maker *m, struct prvcut_error *err)
{
    enum prvcut_status st;

    m->end = prvcut_zeroed(m->series.rows + 1, sizeof *m->end, "intervals", err);
    if (!m->end)
        return PRVCUT_ENOMEM;
    st = prvcut_series_times(&m->series, m->path, m->end, err);
    m->told->timed = st == PRVCUT_OK;
    for (size_t i = 0; st == PRVCUT_NONE && i < m->series.rows; i++)
        m->end[i] = (i + 1) * INTERVAL_NS;
    return st == PRVCUT_NONE ? PRVCUT_OK : st;
}

static void srt_row(struct ast_maker *m, size_t row)
{
    const uint64_t begin = row > 0 ? m->end[row - 1] : 0, end = m->end[row];

    prvcut_put_printf(&m->text,
                      "1:1:1:1:1:%" PRIu64 ":%" PRIu64 ":1\n2:1:1:1:1:%" PRIu64 ":%d:%.0f", begin,
                      end, end, TYPE_INSTRUCTIONS, m->scale * m->series.at[m->instructions][row]);
    if (m->cycles != SIZE_MAX)
        prvcut_put_printf(&m->text, ":%d:%.0f", TYPE_CYCLES, m->series.at[m->cycles][row]);
    prvcut_put_string(&m->text, "\n");
}

static enum prvcut_status srt_text(struct ast_maker *m, struct prvcut_error *err)
{
    m->text.err = err;
    prvcut_put_printf(&m->text, "#Paraver (01/01/2000 at 00:00):%" PRIu64 "_ns:1(1):1:1(1:1),0\n",
                      m->end[m->series.rows - 1]);
    for (size_t i = 0; i < m->series.rows && m->text.st == PRVCUT_OK; i++)
        srt_row(m, i);
    return m->text.st;
}

/* --- The trace -------------------------------------------------------------------------------- */

/* A file without a name, which goes with its last descriptor. */
static int srt_nameless(struct prvcut_error *err)
{
    const char *wish = getenv("TMPDIR");
    struct prvcut_buffer path = { 0 };
    int fd = -1;

    if (prvcut_buffer_printf(&path, err, "%s/prvcut-series-XXXXXX", wish && *wish ? wish : "/tmp") <
        0)
        return -1;
    fd = mkstemp(path.at);
    if (fd < 0)
        prvcut_fail_errno(err, PRVCUT_EIO, "%s: no temporary file can be made", path.at);
    else
        unlink(path.at);
    prvcut_buffer_fini(&path);
    return fd;
}

static enum prvcut_status srt_read(const struct ast_maker *m, struct prvcut_trace **out,
                                   const struct prvcut_open_options *options,
                                   struct prvcut_error *err)
{
    const int fd = srt_nameless(err);
    char name[40];
    enum prvcut_status st = PRVCUT_EIO;

    if (fd < 0)
        return st;
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    if (prvcut_io_write(fd, m->text.b.at, m->text.b.count, NULL) < 0)
        prvcut_fail_errno(err, PRVCUT_EIO, "a temporary file cannot be written");
    else
        st = api_trace_open(out, name, options, err);
    close(fd);
    return st;
}

static enum prvcut_status srt_open(struct ast_maker *m, struct prvcut_trace **out,
                                   const struct prvcut_open_options *options,
                                   struct prvcut_error *err)
{
    const enum prvcut_status st = srt_read(m, out, options, err);

    if (st < 0)
        return st;
    (*out)->kept_asked = true;
    (*out)->series_scale = m->scale;
    (*out)->told = prvcut_copied_text(m->path, "a name", err);
    (*out)->series =
        prvcut_copied_text(m->named ? m->series.name[m->instructions] : "", "a name", err);
    if ((*out)->told && (*out)->series)
        return PRVCUT_OK;
    prvcut_trace_close(*out);
    *out = NULL;
    return PRVCUT_ENOMEM;
}

enum prvcut_status api_trace_open_series(struct prvcut_trace **out, const char *path,
                                         const char *metric,
                                         const struct prvcut_open_options *options,
                                         struct prvcut_series_told *told, struct prvcut_error *err)
{
    struct ast_maker m = { .path = path, .told = told };
    enum prvcut_status st = prvcut_series_read(&m.series, path, err);

    if (st == PRVCUT_OK)
        st = srt_choose(&m, metric, err);
    if (st == PRVCUT_OK)
        st = srt_times(&m, err);
    if (st == PRVCUT_OK)
        st = srt_text(&m, err);
    if (st == PRVCUT_OK)
        st = srt_open(&m, out, options, err);
    prvcut_series_fini(&m.series);
    prvcut_buffer_fini(&m.text.b);
    free(m.end);
    return st;
}
