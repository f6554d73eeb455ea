/*
 * What Paraver's main window, before wxparaver 4.10.1, ran for "Run > Spectral": csv-analysis TRACE
 * CSV N, found in the folder $SPECTRAL_HOME/bin. It looks at no status and loads TRACE's name up to
 * the last point with ".iterations.prv" behind it, so what stands there must be of this run or not
 * be there.
 */
#include "mark.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ITERATIONS_LIMIT 1000000

/* TRACE.prv, TRACE.prv.gz: as Paraver takes the name apart. owns: the result; NULL: no memory */
static char *csv_output(const char *trace)
{
    static const char tail[] = ".iterations.prv";
    const char *slash = strrchr(trace, '/'), *dot = strrchr(trace, '.');
    const size_t stem =
        dot && dot > (slash ? slash + 1 : trace) ? (size_t)(dot - trace) : strlen(trace);
    char *path = cli_room(stem + sizeof tail);

    if (!path)
        return NULL;
    memcpy(path, trace, stem);
    memcpy(path + stem, tail, sizeof tail);
    return path;
}

/* Paraver takes N for the length of a text, so that as many letters of "%d" arrive: what is no
   number is 0, as if there were none. */
static bool csv_iterations(const char *text, unsigned *out)
{
    char *end;
    unsigned long n;

    *out = 0;
    if (!text || *text < '0' || *text > '9')
        return true;
    errno = 0;
    n = strtoul(text, &end, 10);
    if (*end != '\0')
        return true;
    *out = (unsigned)n;
    return errno == 0 && n <= ITERATIONS_LIMIT;
}

/* The most representative iterations, to be cut or looked at: Paraver shows them nowhere. */
static enum cli_exit csv_find_typical(struct cli_session *s, struct prvcut_marking *m,
                                      unsigned iterations)
{
    const struct prvcut_structure *found = m->structure;
    struct prvcut_reduce_options o = { .iterations = iterations,
                                       .metrics = s->cli->metrics,
                                       .cut = &(const struct prvcut_cut_options){ .dry_run = true,
                                                                                  .force = true } };
    struct prvcut_reduction *r = NULL;
    enum prvcut_status st;

    if (found->span.start > 0 || found->span.end < found->end_ns)
        o.only = found->span;
    if (m->by_timeline)
        o.period_ns = (uint64_t)(m->timeline->period_ns + 0.5);
    st = prvcut_reduce(s->trace, &s->run, &o, &r, &s->err);
    cli_progress_end(&s->progress);
    if (st == PRVCUT_OK && r->chops > 0) {
        prvcut_marking_set_typical(m, iterations, &prvcut_reduction_chop(r, 0)->cut->window);
    }
    prvcut_reduction_free(r);
    if (st == PRVCUT_EUSAGE) {
        cli_warn(s->cli, "%s", s->err.text);
        return CLI_DONE;
    }
    return cli_session_outcome(s, st);
}

/* Marks of an earlier search would be shown as those of this one. */
static void csv_remove(const struct cli *c, char *path)
{
    static const char *const companions[] = { ".pcf", ".row" };
    char *suffix = path + strlen(path) - strlen(companions[0]);

    if (unlink(path) != 0)
        return;
    cli_warn(c, "%s was of an earlier search and is removed", path);
    for (size_t i = 0; i < sizeof companions / sizeof *companions; i++) {
        memcpy(suffix, companions[i], strlen(companions[i]));
        unlink(path);
    }
}

static enum cli_exit csv_run(struct cli_session *s, unsigned iterations)
{
    const struct cli *c = s->cli;
    struct prvcut_marking *m = NULL;
    char *path = csv_output(c->operand[0]);
    enum cli_exit e = path ? CLI_DONE : cli_no_memory(c);

    if (e == CLI_DONE)
        e = cli_mark_trace(s, path, true, c->operand[1], &m);
    if (e == CLI_DONE && m && m->marks > 0 && iterations > 0 && (c->json || !c->quiet))
        e = csv_find_typical(s, m, iterations);
    if (e == CLI_DONE)
        e = cli_mark_report(s, m);
    if (e != CLI_DONE && !c->rehearsed && path && (!m || m->files == 0) &&
        !(s->trace && prvcut_trace_holds(s->trace, path)))
        csv_remove(c, path);
    prvcut_marking_free(m);
    free(path);
    return e;
}

enum cli_exit cli_csv_analysis(struct cli *c)
{
    unsigned iterations = 0;
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE && !csv_iterations(c->operands > 2 ? c->operand[2] : NULL, &iterations))
        e = cli_misuse(c, c->command->works, "'%.200s' iterations are too many: at most %d",
                       c->operand[2], ITERATIONS_LIMIT);
    if (e == CLI_DONE)
        e = cli_session_needs_file(c, "a mark");
    if (e == CLI_DONE)
        e = csv_run(&s, iterations);
    cli_session_end(&s);
    return e;
}
