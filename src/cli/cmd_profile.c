#include "answer.h"
#include "contradict.h"
#include "cube.h"
#include "session.h"

/* Rows that a person looks at. */
#define PROFILE_ROWS 20
/* Iterations that a person reads about. */
#define PROFILE_SLOW 5

static enum prvcut_status prf_text(struct cli_session *s, const struct prvcut_profile *p,
                                   enum prvcut_form form, char **text)
{
    if (form == PRVCUT_JSON)
        return prvcut_profile_json(p, text, &s->err);
    return form == PRVCUT_CSV ? prvcut_profile_csv(p, text, &s->err)
                              : prvcut_profile_text(p, text, &s->err);
}

/* Whole as a file for CUBE, which has its own rows. */
static enum cli_exit prf_cube(struct cli_session *s, const struct prvcut_profile_options *o,
                              const char *path)
{
    const enum prvcut_status st =
        prvcut_profile_cube(s->trace, &s->run, o, path, s->cli->force, &s->err);

    cli_progress_end(&s->progress);
    return st == PRVCUT_NONE ? cli_no_loop(s->cli, s->err.text) : cli_session_outcome(s, st);
}

static enum cli_exit prf_run(struct cli_session *s, const struct cli_answer *a, bool cube)
{
    const struct cli *c = s->cli;
    struct prvcut_profile_options o = {
        .size = sizeof o,
        .by = c->by,
        .region = c->region,
        .first = c->explain ? c->explained[0] : c->iteration[0],
        .last = c->explain ? c->explained[1] : c->iteration[1],
        .waiting = c->waiting,
        .why = !c->explain              ? 0
               : c->top > 0             ? c->top
               : a->form == PRVCUT_TEXT ? PROFILE_SLOW
                                        : UINT64_MAX,
        .top = c->top == 0 && a->form == PRVCUT_TEXT && !cube ? PROFILE_ROWS : c->top,
    };
    struct prvcut_profile *found = NULL;
    char *text = NULL;
    enum cli_exit e = cli_session_span(s, &o.only);

    if (cube)
        return e == CLI_DONE ? prf_cube(s, &o, a->path) : e;

    if (e == CLI_DONE)
        e = cli_session_outcome(s, prvcut_profile_make(s->trace, &s->run, &o, &found, &s->err));
    cli_progress_end(&s->progress);
    if (e == CLI_DONE && found->no_loop)
        e = cli_no_loop(c, found->no_loop);
    if (e == CLI_DONE)
        e = cli_session_outcome(s, prf_text(s, found, a->form, &text));
    if (e == CLI_DONE)
        e = cli_answer_give(c, a, text);
    prvcut_profile_free(found);
    return e;
}

/* It is by call and thread, and holds all. */
static enum cli_exit prf_start_cube(const struct cli *c, struct cli_answer *a)
{
    if (c->by != 0 && c->by != (PRVCUT_PROFILE_BY_CALL | PRVCUT_PROFILE_BY_THREAD))
        return cli_misuse(c, "-o profile.cubex TRACE",
                          "a report for CUBE is by call and thread: leave out --by");
    if (c->top > 0)
        return cli_misuse(c, "-o profile.cubex TRACE",
                          "a report for CUBE holds all calls: leave out --top");
    return cli_cube_start(c, a);
}

/* Why iterations are slow is told by itself. */
static enum cli_exit prf_start_why(const struct cli *c, bool cube)
{
    if (!c->explain)
        return CLI_DONE;
    if (cube)
        return cli_misuse(c, "--why outliers TRACE",
                          "--why tells sentences, which no report for CUBE holds");
    if (c->by != 0 || c->waiting)
        return cli_misuse(c, "--why outliers TRACE",
                          "--why tells sentences, not a table: leave out --%s",
                          c->by != 0 ? "by" : "waiting");
    if (c->iteration[0] > 0)
        return cli_misuse(c, "--why 2 TRACE", "--why names its iterations: leave out --iteration");
    if (c->top > 0 && c->explained[0] > 0)
        return cli_misuse(c, "--why 2 TRACE",
                          "--top counts unusual iterations, these have numbers: leave it out");
    return CLI_DONE;
}

/* Does it need the search for a loop? */
static bool prf_searches(const struct cli *c)
{
    return c->explain || c->region || c->iteration[0] > 0 ||
           c->by & (PRVCUT_PROFILE_BY_REGION | PRVCUT_PROFILE_BY_ITERATION);
}

/* Does it read the trace once more? */
static bool prf_meets(const struct cli *c)
{
    return cli_cube_kind(c) != PRVCUT_FILE_TEXT || c->waiting ||
           c->by & (PRVCUT_PROFILE_BY_COMMUNICATOR | PRVCUT_PROFILE_BY_PEER);
}

enum cli_exit cli_profile(struct cli *c)
{
    const bool cube = cli_cube_kind(c) != PRVCUT_FILE_TEXT;
    struct cli_answer a = { .path = NULL };
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (cli_all_regions(c, c->by & PRVCUT_PROFILE_BY_REGION ||
                               (!(c->by & PRVCUT_PROFILE_BY_ITERATION) && !c->explain)))
        c->by |= PRVCUT_PROFILE_BY_REGION;
    if (e == CLI_DONE)
        e = cli_cube_which(c);
    if (e == CLI_DONE)
        e = cube ? prf_start_cube(c, &a) : cli_answer_start(c, PRVCUT_TEXT, &a);
    if (e == CLI_DONE)
        e = prf_start_why(c, cube);
    if (e == CLI_DONE)
        e = cli_one_selection(c);
    if (e == CLI_DONE && prf_searches(c))
        e = cli_session_needs_file(c, "the search for a loop");
    if (e == CLI_DONE && prf_meets(c))
        e = cli_session_needs_file(c, "what ranks do with each other");
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cli_session_free(&s, a.path, c->force);
    if (e == CLI_DONE)
        e = prf_run(&s, &a, cube);
    cli_answer_fini(&a);
    cli_session_end(&s);
    return e;
}
