#include "answer.h"
#include "contradict.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

/* Where the answer goes. */
struct cef_outputs {
    struct cli_answer answer;
    char *plot; /* owned; NULL: none */
};

/* Traces of all groups, and bytes of their names. */
#define TRACES_MOST 1024
#define TEXT_MOST   65536

/* What --group names. */
struct cef_groups {
    char text[TEXT_MOST];
    const char *name[CLI_LIST_MAX]; /* in text */
    const char *path[TRACES_MOST];  /* [count]; in text */
    size_t group[TRACES_MOST];      /* [count]; ascending */
    size_t count;
};

static enum prvcut_status cef_text(struct cli_session *s, const struct prvcut_efficiency *e,
                                   enum prvcut_form form, char **text)
{
    const bool ranks = s->cli->per_rank;

    if (form == PRVCUT_JSON)
        return prvcut_efficiency_json(e, ranks, text, &s->err);
    return form == PRVCUT_CSV ? prvcut_efficiency_csv(e, ranks, text, &s->err)
                              : prvcut_efficiency_text(e, ranks, text, &s->err);
}

static struct prvcut_efficiency_options cef_options(const struct cli *c)
{
    struct prvcut_efficiency_options o = c->efficiency;

    o.size = sizeof o;
    o.by = c->by & PRVCUT_PROFILE_BY_ITERATION ? PRVCUT_EFFICIENCY_BY_ITERATION
           : c->by & PRVCUT_PROFILE_BY_REGION  ? PRVCUT_EFFICIENCY_BY_REGION
                                               : PRVCUT_EFFICIENCY_BY_RUN;
    o.region = c->region;
    o.first = c->iteration[0];
    o.last = c->iteration[1];
    return o;
}

/* --- Groups ----------------------------------------------------------------------------------- */

/* Each name ends with the first '=', each path with a ','; false: there is no room. */
static bool cef_split(const struct cli *c, struct cef_groups *g)
{
    char *at = g->text;

    g->count = 0;
    for (size_t i = 0; i < c->group.count; i++) {
        const size_t size = strlen(c->group.at[i]) + 1;

        if (size > (size_t)(g->text + sizeof g->text - at))
            return false;
        memcpy(at, c->group.at[i], size);
        g->name[i] = at;
        for (char *path = strchr(at, '='); path; path = strchr(path + 1, ',')) {
            if (g->count == TRACES_MOST)
                return false;
            *path = '\0';
            g->path[g->count] = path + 1;
            g->group[g->count++] = i;
        }
        at += size;
    }
    return true;
}

/* The group that trace i begins; NULL: none. */
static const char *cef_begins(const struct cef_groups *g, size_t i)
{
    return i < g->count && (i == 0 || g->group[i - 1] != g->group[i]) ? g->name[g->group[i]] : NULL;
}

/* Read one trace: the first makes the answer, the others are added to it. */
static enum cli_exit cef_read(struct cli_session *s, const char *group,
                              struct prvcut_efficiency **found)
{
    struct prvcut_efficiency_options o = cef_options(s->cli);
    const bool base = s->cli->base && strcmp(s->cli->base, s->cli->operand[0]) == 0;
    enum prvcut_status st = PRVCUT_OK;
    enum cli_exit e = CLI_DONE;

    o.group = group;
    o.base = base;
    if (s->cli->from || s->cli->to)
        e = cli_session_span(s, &o.only);
    if (e != CLI_DONE)
        return e;
    if (*found && group)
        st = prvcut_efficiency_group_begin(*found, group, &s->err);
    if (*found && st == PRVCUT_OK)
        st = prvcut_efficiency_add(*found, s->trace, &s->run, base, &s->err);
    else if (st == PRVCUT_OK)
        st = prvcut_efficiency_make(s->trace, &s->run, &o, found, &s->err);
    return cli_session_outcome(s, st);
}

/* A session of trace i alone, whose command line is in one. */
static enum cli_exit cef_open(struct cli_session *s, struct cli *one, const struct cli *c, size_t i)
{
    enum cli_exit e;

    *one = *c;
    one->operand = c->operand + i;
    one->operands = 1;
    e = cli_session_start(s, one);
    return e == CLI_DONE ? cli_session_open(s) : e;
}

/* Trace i. */
static enum cli_exit cef_one(const struct cli *c, const struct cef_groups *g, size_t i,
                             const struct cef_outputs *to, struct prvcut_efficiency **found)
{
    struct cli one;
    struct cli_session s;
    enum cli_exit e = cef_open(&s, &one, c, i);

    if (e == CLI_DONE)
        e = cli_session_free(&s, to->answer.path, c->force);
    if (e == CLI_DONE && to->plot && strcmp(to->plot, "-") != 0)
        e = cli_session_free(&s, to->plot, c->force);
    if (e == CLI_DONE)
        e = cef_read(&s, cef_begins(g, i), found);
    cli_session_end(&s);
    return e;
}

static enum cli_exit cef_give(const struct cli *c, const struct cef_outputs *to,
                              const struct prvcut_efficiency *found)
{
    const struct cli_answer *a = &to->answer;
    struct cli_session s = { .cli = c };
    char *text = NULL, *drawing = NULL;
    enum cli_exit e = CLI_DONE;

    if (found->no_loop)
        e = cli_no_loop(c, found->no_loop);
    if (e == CLI_DONE && to->plot)
        e = cli_session_outcome(&s, prvcut_efficiency_svg(found, &drawing, &s.err));
    if (e == CLI_DONE && (!to->plot || c->output || c->json || c->csv))
        e = cli_session_outcome(&s, cef_text(&s, found, a->form, &text));
    if (e == CLI_DONE && to->plot && strcmp(to->plot, "-") == 0) {
        e = cli_print(drawing);
    } else if (e == CLI_DONE) {
        const struct prvcut_text file = { to->plot, drawing };

        e = cli_answer_give_with(c, a, text, &file, drawing != NULL);
        text = NULL;
    }
    free(text);
    free(drawing);
    return e;
}

/* Does it need the search for a loop? */
static bool cef_searches(const struct cli *c)
{
    return c->region || c->iteration[0] > 0 || c->by != 0;
}

/* What cannot be told of groups. */
static enum cli_exit cef_groups_agree(const struct cli *c, struct cef_groups *g)
{
    g->count = 0;
    if (c->group.count == 0)
        return CLI_DONE;
    if (c->operands > 0)
        return cli_misuse_command(c, "prvcut efficiency --group all=TRACE",
                                  "'%.200s' stands beside --group: which group is it of?",
                                  c->operand[0]);
    if (cef_searches(c) || c->efficiency.borders)
        return cli_misuse_command(c, "prvcut help efficiency",
                                  "--group is of whole runs, not of regions and iterations");
    if (!cef_split(c, g))
        return cli_misuse_command(c, "prvcut help efficiency",
                                  "--group: more than %d traces, or their names are too long",
                                  TRACES_MOST);
    return CLI_DONE;
}

/* Options that do not go with each other, or not with several traces. */
static enum cli_exit cef_agree(const struct cli *c, enum prvcut_form form)
{
    const uint32_t views = PRVCUT_PROFILE_BY_REGION | PRVCUT_PROFILE_BY_ITERATION;
    bool known = !c->base;

    if (c->by & ~views)
        return cli_misuse(c, "--by iteration TRACE",
                          "--by: runs are told apart by region or by "
                          "iteration");
    if ((cef_searches(c) || c->efficiency.borders) && c->operands > 1)
        return cli_misuse(c, NULL, "regions and iterations are those of one trace; which one?");
    if (c->efficiency.borders &&
        (c->region || c->iteration[0] > 0 || c->from || c->to || c->by & PRVCUT_PROFILE_BY_REGION))
        return cli_misuse(c, "--borders marks.tsv TRACE",
                          "--borders tells where iterations begin; nothing else selects them");
    if (c->plot && (c->by || c->efficiency.borders))
        return cli_misuse(c, "--plot out.svg TRACE", "--plot is of whole runs");
    if (c->plot && strcmp(c->plot, "-") == 0 &&
        (c->json || c->csv || (c->output && strcmp(c->output, "-") == 0)))
        return cli_misuse(c, "--plot out.svg TRACE",
                          "--plot '-' and the table: only one can go to standard output");
    if (c->per_rank && (c->by || c->efficiency.borders))
        return cli_misuse(c, "--per-rank TRACE", "--per-rank is of whole runs");
    for (int i = 0; i < c->operands; i++)
        known |= c->base && strcmp(c->base, c->operand[i]) == 0;
    if (!known)
        return cli_misuse(c, NULL, "--base: '%.200s' is none of the traces", c->base);
    if (form == PRVCUT_CSV && c->group.count > 1 && !c->per_rank)
        return cli_misuse_command(c, "prvcut help efficiency",
                                  "basicanalysis' table (CSV) has one group; JSON has all");
    return cli_one_selection(c);
}

/* --- The ideal run as a trace ------------------------------------------------------------------
 */

static enum cli_exit cef_ideal_agree(const struct cli *c)
{

    if (c->operands > 1 || c->group.count > 0)
        return cli_misuse(c, NULL, "--ideal is of one trace; which one?");
    if (cef_searches(c) || c->efficiency.borders || c->from || c->to)
        return cli_misuse(c, NULL, "--ideal is of a whole run; cut the trace first");
    if (c->csv || c->plot || c->output || c->per_rank || c->base)
        return cli_misuse(c, NULL,
                          "--ideal writes a trace in place of the table: no --csv, --plot, -o, "
                          "--per-rank or --base");
    return CLI_DONE;
}

static enum cli_exit cef_ideal_tell(struct cli_session *s, const struct prvcut_convert_summary *sum)
{
    enum prvcut_status st = PRVCUT_OK;
    char *text = NULL;

    if (s->cli->json)
        st = prvcut_convert_summary_json(sum, &text, &s->err);
    else if (!s->cli->quiet)
        st = prvcut_convert_summary_text(sum, &text, &s->err);
    return cli_session_report(s, st, text);
}

static enum cli_exit cef_ideal(const struct cli *c)
{
    struct cli_session s;
    const struct prvcut_efficiency_options how = cef_options(c);
    const struct prvcut_convert_options to = { .size = sizeof to,
                                               .path = c->ideal,
                                               .force = c->force,
                                               .dry_run = c->dry_run,
                                               .command = c->provenance };
    struct prvcut_convert_summary *sum = NULL;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE)
        e = cef_ideal_agree(c);
    if (e == CLI_DONE)
        e = cli_session_needs_file(c, "--ideal");
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cli_session_outcome(&s,
                                prvcut_efficiency_ideal(s.trace, &s.run, &how, &to, &sum, &s.err));
    cli_progress_end(&s.progress);
    if (e == CLI_DONE)
        e = cef_ideal_tell(&s, sum);
    prvcut_convert_summary_free(sum);
    cli_session_end(&s);
    return e;
}

/* How often the loop of trace i goes round. */
static enum cli_exit cef_loop(const struct cli *c, size_t i, struct prvcut_efficiency *found)
{
    struct cli one;
    struct cli_session s;
    enum cli_exit e = cef_open(&s, &one, c, i);

    if (e == CLI_DONE)
        e = cli_session_outcome(&s, prvcut_efficiency_loop(found, i, s.trace, &s.run, &s.err));
    cli_session_end(&s);
    return e;
}

/* Runs whose work differs may go round more or less often; what comes by a pipe is gone. */
static enum cli_exit cef_loops(const struct cli *c, struct prvcut_efficiency *found)
{
    enum cli_exit e = CLI_DONE;
    bool pipes = c->from || c->to;

    for (int i = 0; i < c->operands; i++)
        pipes |= strcmp(c->operand[i], "-") == 0;
    for (int i = 0; i < c->operands && e == CLI_DONE && found->uneven && !pipes; i++)
        e = cef_loop(c, (size_t)i, found);
    return e;
}

static enum cli_exit cef_table(const struct cli *c, const struct cef_groups *g)
{
    struct prvcut_efficiency *found = NULL;
    struct cef_outputs to = { .plot = NULL };
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE && c->dry_run)
        e = cli_misuse(c, NULL, "-n is of --ideal");
    if (e == CLI_DONE)
        e = cli_answer_start(c, PRVCUT_TEXT, &to.answer);
    if (e == CLI_DONE)
        e = cef_agree(c, to.answer.form);
    if (e == CLI_DONE && cef_searches(c))
        e = cli_session_needs_file(c, "the search for a loop");
    if (e == CLI_DONE)
        e = cli_session_name(&s, &to.plot, PRVCUT_FILE_SVG, c->plot);
    for (int i = 0; i < c->operands && e == CLI_DONE; i++)
        e = cef_one(c, g, (size_t)i, &to, &found);
    if (e == CLI_DONE && found)
        e = cef_loops(c, found);
    if (e == CLI_DONE && found)
        e = cef_give(c, &to, found);
    prvcut_efficiency_free(found);
    cli_answer_fini(&to.answer);
    free(to.plot);
    return e;
}

enum cli_exit cli_efficiency(struct cli *c)
{
    struct cef_groups g = { .count = 0 };
    enum cli_exit e;
    struct cli all;

    /* One row for each region, or for each iteration. */
    if (cli_all_regions(c, c->by == PRVCUT_PROFILE_BY_REGION || c->by == 0))
        c->by = PRVCUT_PROFILE_BY_REGION;
    all = *c;
    e = cef_groups_agree(c, &g);
    /* Traces of groups are operands, too. */
    if (g.count > 0) {
        all.operand = g.path;
        all.operands = (int)g.count;
    }
    if (e != CLI_DONE)
        return e;
    return c->ideal ? cef_ideal(&all) : cef_table(&all, &g);
}
