#include "answer.h"
#include "mark.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How near, where nothing is said. */
#define NEAR_SHARE 0.1

static enum prvcut_status fnd_text(struct cli_session *s, const struct prvcut_find *found,
                                   enum prvcut_form form, char **text)
{
    if (form == PRVCUT_JSON)
        return prvcut_find_json(found, text, &s->err);
    return form == PRVCUT_CSV ? prvcut_find_csv(found, text, &s->err)
                              : prvcut_find_text(found, s->cli->verbose, text, &s->err);
}

/* "2s..2.1s": where both times meet; NULL: it is none. */
static const char *fnd_middle(const char *like)
{
    const char *at = like + strcspn(like, ".");

    if (*like < '0' || *like > '9')
        return NULL;
    while (*at && strncmp(at, "..", 2) != 0)
        at += 1 + strcspn(at + 1, ".");
    return *at && at[2] >= '0' && at[2] <= '9' ? at : NULL;
}

static bool fnd_is_iteration(const char *like)
{
    return strncmp(like, "iteration=", 10) == 0;
}

static bool fnd_is_pattern(const char *like)
{
    return strncmp(like, "pattern=", 8) == 0;
}

/* Is it a trace that all of is looked for? */
static bool fnd_is_trace(const char *like)
{
    return !fnd_middle(like) && !fnd_is_iteration(like) && !fnd_is_pattern(like);
}

static enum cli_exit fnd_window(struct cli_session *s, const struct prvcut_trace *query,
                                struct prvcut_span *out)
{
    const char *like = s->cli->like, *middle = fnd_middle(like);
    const uint64_t end = prvcut_trace_end(query);
    char from[64];
    enum prvcut_status st;

    if ((size_t)(middle - like) >= sizeof from)
        return cli_misuse(s->cli, NULL, "--like: '%.40s...' is no window", like);
    memcpy(from, like, (size_t)(middle - like));
    from[middle - like] = '\0';
    st = prvcut_time_parse(from, end, &out->start, &s->err);
    if (st == PRVCUT_OK)
        st = prvcut_time_parse(middle + 2, end, &out->end, &s->err);
    /* That nothing ends at 0 means all of it to the library. */
    if (st == PRVCUT_OK && out->end == 0)
        return cli_misuse(s->cli, NULL, "the window is empty: it ends at 0ns");
    return cli_session_outcome(s, st);
}

/* "iteration=3", "pattern=2": the number behind; what: which it is. */
static enum cli_exit fnd_number(const struct cli *c, const char *text, const char *what,
                                uint64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoull(text, &end, 10);
    if (*text < '1' || *text > '9' || *end || errno)
        return cli_misuse(c, NULL, "--like: '%.60s' is no %s; they count from 1", c->like, what);
    return CLI_DONE;
}

static enum cli_exit fnd_options(struct cli_session *s, const struct prvcut_trace *query,
                                 struct prvcut_find_options *o)
{
    const struct cli *c = s->cli;

    *o = (struct prvcut_find_options){ .size = sizeof *o,
                                       .region = c->region,
                                       .symbols = c->patterns.symbols,
                                       .edits = c->search.edits,
                                       .share = c->search.near ? c->search.share : NEAR_SHARE,
                                       .by_share = !c->search.near || c->search.by_share };
    if (fnd_is_iteration(c->like))
        return fnd_number(c, c->like + 10, "iteration", &o->iteration);
    if (fnd_is_pattern(c->like))
        return fnd_number(c, c->like + 8, "pattern", &o->pattern);
    return fnd_middle(c->like) ? fnd_window(s, query, &o->window) : CLI_DONE;
}

/* A word and a value, of which no file has the name: "region=1.1". */
static bool fnd_is_unknown(const char *like)
{
    return fnd_is_trace(like) && like[strspn(like, "abcdefghijklmnopqrstuvwxyz")] == '=' &&
           access(like, F_OK) != 0;
}

/* "--iteration 20" is said as --like has it. */
static void fnd_reword(struct prvcut_error *e)
{
    static const char before[] = "--iteration ";
    char number[32], text[sizeof e->text];

    if (strncmp(e->text, before, sizeof before - 1) == 0) {
        snprintf(text, sizeof text, "--like iteration=%.*s", (int)(sizeof text - 32),
                 e->text + sizeof before - 1);
        snprintf(e->text, sizeof e->text, "%s", text);
    }
    if (strncmp(e->instead, before, sizeof before - 1) != 0)
        return;
    snprintf(number, sizeof number, "%.31s", e->instead + sizeof before - 1);
    snprintf(e->instead, sizeof e->instead, "--like iteration=%s", number);
}

/* The trace that was searched, with marks: what was written is told behind the matches. */
static enum cli_exit fnd_mark(struct cli_session *s, struct prvcut_trace *in,
                              const struct prvcut_find *found)
{
    const struct cli *c = s->cli;
    struct prvcut_cut_options to;
    struct prvcut_marking *m = NULL;
    const enum cli_exit e = cli_cut_options(c, &to);
    enum prvcut_status st;

    to.path = c->search.mark;
    if (e != CLI_DONE)
        return e;
    st = prvcut_find_mark(found, in, &s->run, &to, &m, &s->err);
    return cli_mark_beside(s, st, m, "nothing was found: there is nothing to mark",
                           prvcut_find_marked_text);
}

/* What was written is told behind the matches. */
static enum cli_exit fnd_cut(struct cli_session *s, struct prvcut_trace *in,
                             const struct prvcut_find *found, struct prvcut_cut_options *to)
{
    const struct cli *c = s->cli;
    struct prvcut_cut_summary *sum = NULL;
    char *text = NULL;
    enum cli_exit e;

    if (found->best == SIZE_MAX) {
        cli_warn(c, "nothing was found elsewhere: there is nothing to cut");
        return CLI_DONE;
    }
    e = cli_session_outcome(s, prvcut_find_cut(found, in, &s->run, found->best, to, &sum, &s->err));
    cli_progress_end(&s->progress);
    for (size_t i = 0; e == CLI_DONE && i < sum->notes; i++)
        cli_warn(c, "%s", sum->note[i]);
    if (e == CLI_DONE && !c->json && !c->csv && !c->quiet) {
        const enum prvcut_status told = prvcut_cut_summary_text(sum, &text, &s->err);

        e = cli_session_report(s, told, text);
    }
    prvcut_cut_summary_free(sum);
    return e;
}

/* Refuses before the search what the cut would refuse after it. */
static enum cli_exit fnd_cut_options(struct cli_session *s, const struct prvcut_trace *in,
                                     struct prvcut_cut_options *to)
{
    const enum cli_exit e = cli_cut_options(s->cli, to);

    to->path = s->cli->search.cut;
    return e == CLI_DONE && to->path ? cli_session_outcome(s, prvcut_cut_check(in, to, &s->err))
                                     : e;
}

static enum cli_exit fnd_run(struct cli_session *s, const struct cli_answer *a,
                             struct prvcut_trace *other)
{
    const struct cli *c = s->cli;
    const bool from_other = fnd_is_trace(c->like);
    /* --like OTHER looks for that one in the trace, --in OTHER in that one for the trace's. */
    struct prvcut_trace *in = other && !from_other ? other : s->trace;
    struct prvcut_trace *query = other && from_other ? other : s->trace;
    struct prvcut_find_options o;
    struct prvcut_find *found = NULL;
    struct prvcut_run run = s->run;
    char *text = NULL;
    struct prvcut_cut_options to;
    enum cli_exit e = fnd_options(s, query, &o);

    /* What is cut here need not be proposed. */
    if (c->search.cut)
        run.again = NULL;
    if (e == CLI_DONE)
        e = fnd_cut_options(s, in, &to);
    if (e == CLI_DONE) {
        const enum prvcut_status st =
            prvcut_find_make(in, query == in ? NULL : query, &run, &o, &found, &s->err);

        fnd_reword(&s->err);
        e = cli_session_outcome(s, st);
    }
    cli_progress_end(&s->progress);
    if (e == CLI_DONE && found->no_loop)
        e = cli_no_loop(c, found->no_loop);
    if (e == CLI_DONE)
        e = cli_session_outcome(s, fnd_text(s, found, a->form, &text));
    if (e == CLI_DONE)
        e = cli_answer_give(c, a, text);
    if (e == CLI_DONE && c->search.mark)
        e = fnd_mark(s, in, found);
    if (e == CLI_DONE && c->search.cut)
        e = fnd_cut(s, in, found, &to);
    prvcut_find_free(found);
    return e;
}

/* The trace that --like or --in names, in a session of its own. */
static enum cli_exit fnd_other(struct cli_session *other, struct cli *one, const struct cli *c,
                               const char **operand)
{
    enum cli_exit e;

    *one = *c;
    *operand = fnd_is_trace(c->like) ? c->like : c->search.in;
    one->operand = operand;
    one->operands = 1;
    e = cli_session_start(other, one);
    return e == CLI_DONE ? cli_session_open(other) : e;
}

static enum cli_exit fnd_both(struct cli_session *s, const struct cli_answer *a)
{
    const struct cli *c = s->cli;
    struct cli_session other;
    struct cli one;
    const char *operand;
    enum cli_exit e;

    if (!fnd_is_trace(c->like) && !c->search.in)
        return fnd_run(s, a, NULL);
    e = fnd_other(&other, &one, c, &operand);
    if (e == CLI_DONE)
        e = fnd_run(s, a, other.trace);
    cli_session_end(&other);
    return e;
}

static enum cli_exit fnd_agree(const struct cli *c)
{
    if (!c->like)
        return cli_misuse(
            c, c->command->works,
            "--like: what is looked for? A window 2s..2.1s, iteration=3, pattern=1 or a "
            "trace");
    if (fnd_is_unknown(c->like))
        return cli_misuse(c, c->command->works,
                          "--like: '%.100s' is no window, iteration=N, pattern=N or trace",
                          c->like);
    if (fnd_is_trace(c->like) && c->search.in)
        return cli_misuse(c, NULL,
                          "--like '%.100s' is a trace: it is looked for in TRACE, not in "
                          "--in",
                          c->like);
    if (c->region && !fnd_is_iteration(c->like))
        return cli_misuse(c, NULL, "--region: of which loop the iteration is; --like is none");
    return CLI_DONE;
}

enum cli_exit cli_find(struct cli *c)
{
    struct cli_answer a = { .path = NULL };
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE)
        e = fnd_agree(c);
    if (e == CLI_DONE)
        e = cli_answer_start(c, PRVCUT_TEXT, &a);
    if (e == CLI_DONE)
        e = cli_session_needs_file(c, "a search");
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cli_session_free(&s, a.path, c->force);
    if (e == CLI_DONE && c->search.mark)
        e = cli_session_free(&s, c->search.mark, c->force);
    if (e == CLI_DONE && c->search.cut)
        e = cli_session_free(&s, c->search.cut, c->force);
    if (e == CLI_DONE)
        e = fnd_both(&s, &a);
    cli_answer_fini(&a);
    cli_session_end(&s);
    return e;
}
