#include "contradict.h"
#include "follow.h"
#include "operands.h"
#include "options.h"
#include "propose.h"
#include "quote.h"
#include "remedy.h"

#include "prvcut/filter.h"
#include "prvcut/records.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ses_stop(void *ctx)
{
    (void)ctx;
    if (!cli_stopped())
        return false;
    cli_hold_files();
    return true;
}

static void ses_progress(void *ctx, enum prvcut_phase phase, uint64_t done, uint64_t total)
{
    struct cli_session *s = ctx;

    cli_progress_at(&s->progress, phase, done, total);
}

static bool ses_waits(const char *path)
{
    struct stat s;

    return strcmp(path, "-") == 0 ||
           (stat(path, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode));
}

/* Nothing is written, or to a pipe: nothing to undo. An archive is unpacked to read it, though. */
static bool ses_bare(const struct cli *c)
{
    const bool piped = c->operands > 0 && ses_waits(c->operand[0]);

    if (c->follow.wanted)
        return false;
    if (c->command->bit == CLI_CONVERT)
        return piped && cli_converts_to(c) && ses_waits(cli_converts_to(c));
    return piped && !c->output && !c->archive && !c->plot && !c->ideal && !c->matrix;
}

/* PRVCUT_LOG=debug: what runs, as one would type it again. */
static void ses_tell(const struct cli *c)
{
    char text[1024];

    if (c->log < CLI_EVERYTHING || c->rehearsed)
        return;
    snprintf(text, sizeof text, "version %s, threads %d (0: one a processor)", prvcut_version(),
             c->threads);
    cli_words(text);
    snprintf(text, sizeof text, "command %s", c->provenance);
    cli_words(text);
}

enum cli_exit cli_session_start(struct cli_session *s, const struct cli *c)
{
    const bool show = c->progress == CLI_ALWAYS ||
                      (c->progress == CLI_AUTO && !c->quiet && isatty(STDERR_FILENO));
    const bool json = show && c->progress_json;
    enum cli_exit e;

    *s = (struct cli_session){ .cli = c };
    s->progress.shown = show && !json;
    s->progress.json = json;
    s->progress.verbose = c->log >= CLI_STEPS;
    s->progress.passes = cli_passes(c, s->progress.pass);
    s->again = (struct prvcut_again){ .options = cli_again, .ctx = c };
    s->run = (struct prvcut_run){ .size = sizeof s->run,
                                  .threads = c->threads,
                                  .stop = ses_stop,
                                  .progress = ses_progress,
                                  .ctx = s,
                                  .columns = cli_columns(),
                                  .set = c->set,
                                  .again = &s->again,
                                  .exchange = c->exchange };
    cli_bare(ses_bare(c));
    ses_tell(c);
    e = cli_operands(c);
    return e == CLI_DONE ? cli_contradictions(c) : e;
}

/* The file that standard input is, as it can be typed; false: it is a pipe, or nobody knows. */
static bool ses_input(char *out, size_t room)
{
    struct stat s;
    char here[512];
    ssize_t n;

    if (fstat(STDIN_FILENO, &s) != 0 || !S_ISREG(s.st_mode))
        return false;
    n = readlink("/proc/self/fd/0", out, room - 1);
    if (n <= 0 || out[0] != '/')
        return false;
    out[n] = '\0';
    if (getcwd(here, sizeof here) && strncmp(out, here, strlen(here)) == 0 &&
        out[strlen(here)] == '/')
        memmove(out, out + strlen(here) + 1, strlen(out) - strlen(here));
    return access(out, R_OK) == 0;
}

/* The most that any command takes, and one too many. */
#define OPERANDS_MOST 4

/* What was typed, with a file in place of the pipe; else the least that works. */
static void ses_put_saved(char *out, size_t room, const struct cli *c, const char *file)
{
    const char *works = c->command->works, *place = strstr(works, "TRACE");
    const bool named = strcmp(c->operand[0], "-") != 0;
    size_t n = (size_t)snprintf(out, room, "cat ");
    struct cli saving = *c;

    if (named && 4 * strlen(c->operand[0]) + 4 < room / 2) {
        n += cli_quote(out + n, c->operand[0]);
        out[n++] = ' ';
    }
    n += (size_t)snprintf(out + n, room - n, ">%s && ", file);

    saving.saved = file;
    if (cli_propose(out + n, room - n, &saving, NULL, c->operand[0]))
        return;
    snprintf(out + n, room - n, "%s %.*s%s%s", c->command->synopsis,
             (int)(place ? place - works : 0), works, file, place ? place + strlen("TRACE") : "");
}

/* What stands behind a pipe in place of the command. */
static enum cli_exit ses_refuse_pipe(const struct cli *c, const char *work)
{
    const char *operand[OPERANDS_MOST];
    char file[512], command[2048];
    struct cli named = *c;

    if (strcmp(c->operand[0], "-") == 0 && ses_input(file, sizeof file) &&
        c->operands <= OPERANDS_MOST) {
        memcpy(operand, c->operand, (size_t)c->operands * sizeof *operand);
        operand[0] = file;
        named.operand = operand;
        named.slip = c->operand[0];
        named.meant = file;
        return cli_misuse(&named, NULL,
                          "'-': %s reads the trace twice; name the file in place of '-'", work);
    }
    cli_remedy_free_name(file);
    ses_put_saved(command, sizeof command, c, file);
    return cli_misuse_command(
        c, command, "'%.200s': %s reads the trace twice, which a pipe cannot; save it first",
        c->operand[0], work);
}

static bool ses_is_named_pipe(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISFIFO(s.st_mode);
}

enum cli_exit cli_session_needs_file(const struct cli *c, const char *work)
{
    /* Of those that refuse any named pipe their outputs are told first (ses_refuse_named), and
       symbols of calls are read once. */
    const unsigned later = CLI_REDUCE | CLI_CUT | CLI_MARK | CLI_STRUCTURE | CLI_PATTERNS;

    /* A series is read once, whatever comes after. */
    if (c->sample.series || c->operands == 0)
        return CLI_DONE;
    if (strcmp(c->operand[0], "-") == 0 ||
        (!(c->command->bit & later) && ses_is_named_pipe(c->operand[0])))
        return ses_refuse_pipe(c, work);
    return CLI_DONE;
}

struct prvcut_open_options cli_open_options(const struct cli *c)
{
    return (struct prvcut_open_options){ .lenient = c->lenient,
                                         .raw_clocks = c->raw_clocks,
                                         .roles = c->role,
                                         .no_index = c->no_index,
                                         .stop = ses_stop };
}

static enum cli_exit ses_spares(struct cli_session *s, const char *path)
{
    if (!path || !prvcut_trace_holds(s->trace, path))
        return CLI_DONE;
    s->err.status = PRVCUT_EUSAGE;
    snprintf(s->err.text, sizeof s->err.text, "not writing '%.900s': it is the trace that is read",
             path);
    return cli_session_outcome(s, PRVCUT_EUSAGE);
}

static enum cli_exit ses_spares_all(struct cli_session *s)
{
    const struct cli *c = s->cli;
    const char *const outputs[] = { c->output, c->report, c->archive,
                                    c->plot,   c->matrix, cli_converts_to(c) };
    enum cli_exit e = CLI_DONE;

    for (size_t i = 0; i < sizeof outputs / sizeof *outputs && e == CLI_DONE; i++)
        e = ses_spares(s, outputs[i]);
    return e;
}

static bool ses_same(const char *a, const char *b)
{
    struct stat s, t;

    return a && stat(a, &s) == 0 && stat(b, &t) == 0 && s.st_dev == t.st_dev &&
           s.st_ino == t.st_ino && S_ISREG(s.st_mode);
}

enum cli_exit cli_session_spares(const struct cli *c, const char *output)
{
    bool same = output && ses_same(c->sample.series, output);

    for (int i = 0; i < c->operands && output; i++)
        same |= ses_same(c->operand[i], output);
    return same ? cli_misuse(c, NULL, "not writing '%.200s': it is a table that is read", output)
                : CLI_DONE;
}

enum cli_exit cli_session_free(struct cli_session *s, const char *path, bool force)
{
    const enum cli_exit e = ses_spares(s, path);

    return e == CLI_DONE && path ? cli_session_outcome(s, prvcut_file_free(path, force, &s->err))
                                 : e;
}

/* What lies where the trace does, and is called like it, may be of it: that is told once it is
 * open.
 */
static bool ses_may_be_of(const char *trace, const char *path)
{
    const char *slash = strrchr(trace, '/'), *other = strrchr(path, '/');
    const char *name = slash ? slash + 1 : trace, *begin = other ? other + 1 : path;
    struct stat s, t;

    if (stat(trace, &s) != 0)
        return false;
    if (S_ISDIR(s.st_mode) || (stat(path, &t) == 0 && s.st_dev == t.st_dev && s.st_ino == t.st_ino))
        return true;
    return strncmp(name, begin, strcspn(name, ".")) == 0;
}

enum cli_exit cli_session_outputs(struct cli_session *s)
{
    const struct cli *c = s->cli;
    const char *const outputs[] = { c->output, c->report, c->archive,
                                    c->plot,   c->matrix, cli_converts_to(c) };
    enum cli_exit e = CLI_DONE;

    for (size_t i = 0; i < sizeof outputs / sizeof *outputs && e == CLI_DONE; i++)
        if (outputs[i] && !ses_may_be_of(c->operand[0], outputs[i]))
            e = cli_session_outcome(s, prvcut_file_free(outputs[i], c->force, &s->err));
    return e;
}

enum cli_exit cli_session_name(struct cli_session *s, char **out, enum prvcut_file kind,
                               const char *path)
{
    enum cli_exit e;

    *out = NULL;
    if (!path)
        return CLI_DONE;
    e = cli_session_outcome(s, prvcut_file_name(out, kind, path, &s->err));
    if (e == CLI_DONE && !ses_may_be_of(s->cli->operand[0], *out))
        e = cli_session_outcome(s, prvcut_file_free(*out, s->cli->force, &s->err));
    return e;
}

struct prvcut_selection cli_selection(const struct cli *c)
{
    return (struct prvcut_selection){ .region = c->region,
                                      .first = c->iteration[0],
                                      .last = c->iteration[1] };
}

/* What is selected by name is found in the structure, which is searched for it. */
enum cli_exit cli_session_select(struct cli_session *s, struct prvcut_span *window)
{
    const struct cli *c = s->cli;
    const struct prvcut_selection what = cli_selection(c);
    struct prvcut_structure_options o = { .levels = cli_deepest_region(c),
                                          .metrics = s->series.metric };
    struct prvcut_structure *found = NULL;
    size_t region;
    enum prvcut_status st;
    enum cli_exit e = c->from || c->to ? cli_session_span(s, &o.only) : CLI_DONE;

    if (e != CLI_DONE)
        return e;
    st = prvcut_structure_find(s->trace, &s->run, &o, &found, &s->err);
    if (st == PRVCUT_OK)
        st = prvcut_structure_select(found, &what, window, &region, &s->err);
    e = cli_session_outcome(s, st);
    if (st == PRVCUT_NONE) {
        cli_progress_end(&s->progress);
        e = cli_no_loop(c, found->reason);
    }
    prvcut_structure_free(found);
    return e;
}

bool cli_one_level(const struct cli *c, unsigned *level)
{
    if (c->level && (strcmp(c->level, "all") == 0 || strchr(c->level, ',')))
        return false;
    if (level && c->level)
        *level = (unsigned)strtoul(c->level, NULL, 10);
    return true;
}

/* A period of which this many fit, or fewer than are cut, is refused once the loop is known. */
#define REPEATS_MOST  1000000
#define REPEATS_LEAST 2

static enum cli_exit ses_rehearse_period(struct cli_session *s, const struct prvcut_span *window)
{
    const uint64_t end = window->end > 0 ? window->end : prvcut_trace_end(s->trace);
    const uint64_t length = end - window->start;
    const unsigned least = s->cli->iterations > 0 ? s->cli->iterations : REPEATS_LEAST;
    uint64_t ns;
    const enum cli_exit e = cli_session_period(s, &ns);

    if (e != CLI_DONE || ns == 0)
        return e;
    return ns < length / REPEATS_MOST || ns > length / least ? CLI_MISUSED : CLI_DONE;
}

/* What the trace says of names and times, without a look at its records. */
static enum cli_exit ses_rehearse(struct cli_session *s)
{
    const struct cli *c = s->cli;
    struct prvcut_span window;
    enum cli_exit e = CLI_DONE;

    e = cli_session_outcome(s, cli_takes(c, s->trace, &s->err));
    if (e == CLI_DONE && s->cut)
        e = cli_session_outcome(s, c->command->bit == CLI_FILTER
                                       ? prvcut_filter_check(s->trace, s->cut, &s->err)
                                       : prvcut_cut_check(s->trace, s->cut, &s->err));
    if (e == CLI_DONE)
        e = cli_session_span(s, &window);
    if (e == CLI_DONE)
        e = ses_rehearse_period(s, &window);
    return e == CLI_DONE ? CLI_REHEARSED : e;
}

/* Of these commands a named pipe is refused before anybody writes into it. */
static enum cli_exit ses_refuse_named(const struct cli *c)
{
    const bool structure = c->command->bit == CLI_STRUCTURE && c->depth != 1;
    const unsigned twice = CLI_REDUCE | CLI_CUT | CLI_MARK | CLI_INDEX;

    if (!((c->command->bit & twice) || structure) || c->follow.wanted || c->sample.series ||
        !ses_is_named_pipe(c->operand[0]))
        return CLI_DONE;
    return cli_misuse(c, NULL,
                      "'%.200s' is a pipe: what is read twice must be a file; save it first",
                      c->operand[0]);
}

enum cli_exit cli_session_open(struct cli_session *s)
{
    const struct prvcut_open_options options = cli_open_options(s->cli);
    enum prvcut_status st;
    enum cli_exit e;

    e = cli_session_outputs(s);
    if (e == CLI_DONE && s->cli->rehearsed && (!s->cli->opens || s->cli->follow.wanted))
        return CLI_REHEARSED;
    if (e == CLI_DONE)
        e = ses_refuse_named(s->cli);
    if (e != CLI_DONE)
        return e;
    /* Opening a pipe waits for its first bytes, and writes nothing whatever the command is. */
    cli_bare(ses_waits(s->cli->operand[0]));
    st = s->cli->sample.series ? cli_session_open_series(s, &options)
         : s->cli->follow.wanted
             ? cli_follow_open(s, &options)
             : prvcut_trace_open(&s->trace, s->cli->operand[0], &options, &s->err);
    cli_bare(ses_bare(s->cli));
    /* Where nothing can be kept of a pipe, it was not opened. */
    if (!s->cli->sample.series &&
        !(st == PRVCUT_EIO && strstr(s->err.text, ": cannot be created: ")))
        cli_pipe_is_read(s->cli->operand[0]);
    e = cli_session_outcome(s, st);
    if (e == CLI_DONE && s->cli->sample.series && !s->series.timed)
        cli_warn(s->cli, "%s tells no times: an interval counts as 1us", s->cli->sample.series);
    if (e == CLI_DONE)
        e = ses_spares_all(s);
    if (e == CLI_DONE && s->cli->instructions && !s->cli->rehearsed)
        e = cli_session_clock(s);
    return e == CLI_DONE && s->cli->rehearsed ? ses_rehearse(s) : e;
}

/* A window that is too short for anything is one whose unit was forgotten. */
#define SHORT_NS 1000

static bool ses_has_unit(const char *text)
{
    return text[strspn(text, "0123456789.")] != '\0';
}

static void ses_warn_short(const struct cli *c, const struct prvcut_span *span)
{
    const char *shown = c->from ? c->from : c->to;

    if (span->end - span->start < SHORT_NS && !(c->from && ses_has_unit(c->from)) &&
        !(c->to && ses_has_unit(c->to)))
        cli_warn(c, "the window is %lluns long: '%.40s' is %.40sns; for milliseconds write %.40sms",
                 (unsigned long long)(span->end - span->start), shown, shown, shown);
}

/* "--from 10ms --to 20": the unit is meant for both. */
static const char *ses_window_works(char *out, size_t room, const struct cli *c)
{
    const char *unit = c->from ? c->from + strspn(c->from, "0123456789.") : "";

    if (!c->from || !c->to || ses_has_unit(c->to) || strlen(c->from) > 30 || strlen(c->to) > 30 ||
        strtod(c->to, NULL) <= strtod(c->from, NULL))
        return c->command->works;
    snprintf(out, room, "--from %s --to %s%s TRACE", c->from, c->to, unit);
    return out;
}

enum cli_exit cli_session_span(struct cli_session *s, struct prvcut_span *span)
{
    const struct cli *c = s->cli;
    const uint64_t end = prvcut_trace_end(s->trace);
    char from[40], to[40], works[100];

    *span = (struct prvcut_span){ 0 };
    if (!c->from && !c->to)
        return CLI_DONE;
    span->end = end;
    if (c->from && prvcut_time_parse(c->from, end, &span->start, &s->err) < 0)
        return cli_session_outcome(s, PRVCUT_EUSAGE);
    if (c->to && prvcut_time_parse(c->to, end, &span->end, &s->err) < 0)
        return cli_session_outcome(s, PRVCUT_EUSAGE);
    if (span->start >= span->end)
        return cli_misuse(c, ses_window_works(works, sizeof works, c),
                          "the window is empty: it begins at %s and ends at %s",
                          cli_time(from, span->start), cli_time(to, span->end));
    ses_warn_short(c, span);
    return CLI_DONE;
}

enum cli_exit cli_session_period(struct cli_session *s, uint64_t *ns)
{
    const struct cli *c = s->cli;
    enum cli_exit e = CLI_DONE;

    *ns = 0;
    if (!c->period)
        return CLI_DONE;
    e = cli_session_outcome(s,
                            prvcut_time_parse(c->period, prvcut_trace_end(s->trace), ns, &s->err));
    if (e == CLI_DONE && *ns == 0)
        e = cli_misuse(c, "--period 5% TRACE", "--period: '%.200s' is not longer than 0",
                       c->period);
    return e;
}

/* A name that has none gets that of --compress. */
static bool ses_contradicts(const char *compress, const char *path)
{
    const char *of_name = prvcut_trace_compression(path);

    return of_name && strcmp(compress, of_name) != 0;
}

enum cli_exit cli_cut_options(const struct cli *c, struct prvcut_cut_options *out)
{
    *out = (struct prvcut_cut_options){
        .size = sizeof *out,
        .path = c->output,
        .compress = c->compress,
        .force = c->force,
        .keep_time = c->keep_time,
        .keep_messages = c->keep_messages,
        .dry_run = c->dry_run,
        .own_clocks = c->own_clocks,
        .for_scalasca = c->for_scalasca,
        .view = c->cfg,
        .all_definitions = c->all_definitions,
        .command = c->provenance,
    };
    if (c->output && strcmp(c->output, "-") == 0)
        return cli_misuse(c, NULL, "-o '-': a trace is several files; give a name%s",
                          c->command->bit == CLI_REDUCE ? ", or --archive FILE" : "");
    if (c->output && c->compress && ses_contradicts(c->compress, c->output))
        return cli_misuse(c, NULL, "--compress %s and the name '%.200s': which one?", c->compress,
                          c->output);
    return CLI_DONE;
}

/* What is not used is told once all is done: damage shows only where it is needed. */
static void ses_tell_index(const struct cli_session *s)
{
    const char *why = s->trace ? prvcut_index_note(s->trace) : NULL;

    if (why && !s->cli->quiet)
        cli_warn(s->cli,
                 "the index beside the trace is ignored: %s; 'prvcut index --force' rewrites it",
                 why);
}

/* "; try: prvcut info -v app.prv", whose tables have all event types; "" for what comes through a
   pipe. */
static const char *ses_tables(char *out, size_t room, const struct cli *c)
{
    const char *trace = c->operands > 0 ? c->operand[0] : "-";
    size_t n;

    *out = '\0';
    if (strcmp(trace, "-") == 0 || 4 * strlen(trace) + 40 > room)
        return out;
    n = (size_t)snprintf(out, room, "; try: prvcut info -v ");
    out[n + cli_quote(out + n, trace)] = '\0';
    return out;
}

/* Which events there are is known once they were read. */
static void ses_tell_roles(const struct cli_session *s)
{
    struct prvcut_error ignored = { .status = PRVCUT_OK };
    char *text = NULL, tables[800];

    if (s->trace && prvcut_trace_unmet(s->trace, &text, &ignored) == PRVCUT_OK && text)
        cli_warn(s->cli, "--role: %s%s", text, ses_tables(tables, sizeof tables, s->cli));
    free(text);
}

void cli_session_end(struct cli_session *s)
{
    cli_progress_end(&s->progress);
    ses_tell_roles(s);
    ses_tell_index(s);
    if (s->follow)
        prvcut_follow_close(s->follow);
    else
        prvcut_trace_close(s->trace);
    s->follow = NULL;
    s->trace = NULL;
}
