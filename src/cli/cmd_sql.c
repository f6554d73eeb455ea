#include "answer.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

static enum cli_exit csq_give(struct cli_session *s, const struct cli_answer *a,
                              const struct prvcut_query *q)
{
    char *text = NULL;
    enum prvcut_status st;
    enum cli_exit e;

    if (a->form == PRVCUT_JSON)
        st = prvcut_query_json(q, &text, &s->err);
    else if (a->form == PRVCUT_CSV)
        st = prvcut_query_csv(q, &text, &s->err);
    else
        st = prvcut_query_text(q, &text, &s->err);
    e = cli_session_outcome(s, st);
    if (e == CLI_DONE)
        e = cli_answer_give(s->cli, a, text);
    /* A table of CSV has no place for it. */
    if (e == CLI_DONE && a->form == PRVCUT_CSV && q->more)
        cli_warn(s->cli, "more than %zu rows; --rows N shows more", q->rows);
    return e;
}

static struct prvcut_query_options csq_question(const struct cli *c)
{
    return (struct prvcut_query_options){ .size = sizeof(struct prvcut_query_options),
                                          .sql = c->operand[1],
                                          .most = c->sql.rows,
                                          .seconds = c->seconds };
}

static bool csq_names(const struct cli *c)
{
    return c->region || c->iteration[0] > 0 || c->from || c->to;
}

static enum cli_exit csq_trace(struct cli_session *s, const struct cli_answer *a)
{
    const struct cli *c = s->cli;
    struct prvcut_database_options of = {
        .size = sizeof of, .region = c->region, .first = c->iteration[0], .last = c->iteration[1]
    };
    struct prvcut_query_options o = csq_question(c);
    struct prvcut_query *q = NULL;
    enum cli_exit e = cli_session_open(s);

    if (e == CLI_DONE)
        e = cli_session_free(s, a->path, c->force);
    if (e == CLI_DONE)
        e = cli_session_span(s, &of.only);
    o.of = c->sql.all || csq_names(c) ? &of : NULL;
    if (e == CLI_DONE)
        e = cli_session_outcome(s, prvcut_query_make(s->trace, &s->run, &o, &q, &s->err));
    cli_progress_end(&s->progress);
    /* Iterations were named, and there is no loop. */
    if (e == CLI_DONE && !q)
        e = cli_no_loop(c, s->err.text);
    if (e == CLI_DONE)
        e = csq_give(s, a, q);
    prvcut_query_free(q);
    return e;
}

static enum cli_exit csq_database(struct cli_session *s, const struct cli_answer *a)
{
    const struct cli *c = s->cli;
    const struct prvcut_query_options o = csq_question(c);
    struct prvcut_query *q = NULL;
    enum cli_exit e;

    if (csq_names(c) || c->sql.all)
        return cli_misuse_command(c, "prvcut help sql",
                                  "a database is asked as a whole: name what is wanted in the "
                                  "question");
    /* A proposal is not asked: it may take as long as what failed. */
    if (c->rehearsed)
        return CLI_REHEARSED;
    e = cli_session_outcome(s, prvcut_query_database(c->operand[0], &s->run, &o, &q, &s->err));
    if (e == CLI_DONE)
        e = csq_give(s, a, q);
    prvcut_query_free(q);
    return e;
}

static enum cli_exit csq_agree(const struct cli *c)
{
    if (c->sql.all && csq_names(c))
        return cli_misuse(c, NULL, "--all, or a part of the trace: which one?");
    return cli_one_selection(c);
}

enum cli_exit cli_sql(struct cli *c)
{
    struct cli_answer a = { .path = NULL };
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE)
        e = csq_agree(c);
    if (e == CLI_DONE)
        e = cli_answer_start(c, PRVCUT_TEXT, &a);
    if (e == CLI_DONE)
        e = cli_session_needs_file(c, "a question");
    if (e == CLI_DONE)
        e = prvcut_file_is(PRVCUT_FILE_SQLITE, c->operand[0]) ? csq_database(&s, &a)
                                                              : csq_trace(&s, &a);
    cli_answer_fini(&a);
    cli_session_end(&s);
    return e;
}
