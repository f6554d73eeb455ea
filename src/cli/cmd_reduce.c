#include "follow.h"
#include "options.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum cli_exit red_options(struct cli_session *s, struct prvcut_reduce_options *o)
{
    enum cli_exit e = cli_session_span(s, &o->only);

    return e == CLI_DONE ? cli_session_period(s, &o->period_ns) : e;
}

/* What -v and --proof add to the answer. */
static enum cli_exit red_details(struct cli_session *s, const struct prvcut_reduction *r)
{
    const struct cli *c = s->cli;
    enum prvcut_status st = PRVCUT_OK;
    enum cli_exit e;
    char *text = NULL;

    if (c->verbose)
        st = prvcut_reduction_text(r, &text, &s->err);
    else if (c->proof)
        st = prvcut_reduction_proof(r, &text, &s->err);
    if (!text || *text == '\0') {
        free(text);
        return cli_session_outcome(s, st);
    }
    e = cli_print("\n");
    if (e == CLI_DONE)
        return cli_session_report(s, st, text);
    free(text);
    return e;
}

static enum cli_exit red_report(struct cli_session *s, const struct prvcut_reduction *r)
{
    const struct cli *c = s->cli;
    enum prvcut_status st = PRVCUT_OK;
    enum cli_exit e;
    char *text = NULL;

    if (c->json)
        st = prvcut_reduction_json(r, &text, &s->err);
    else if (!c->quiet)
        st = prvcut_reduction_brief(r, cli_columns(), &text, &s->err);
    e = cli_session_report(s, st, text);
    return e == CLI_DONE && !c->json && !c->quiet ? red_details(s, r) : e;
}

static enum cli_exit red_run(struct cli_session *s, const struct prvcut_reduce_options *o,
                             const char *archive)
{
    struct prvcut_reduction *r = NULL;
    const enum prvcut_status st =
        archive ? prvcut_reduce_to_archive(s->trace, &s->run, o, archive, &r, &s->err)
                : prvcut_reduce(s->trace, &s->run, o, &r, &s->err);
    enum cli_exit e = cli_session_outcome(s, st);

    cli_progress_end(&s->progress);
    if (e == CLI_DONE)
        e = red_report(s, r);
    if (e == CLI_DONE && st == PRVCUT_NONE) {
        e = CLI_NO_LOOP;
        if (s->cli->quiet)
            cli_tell_no_loop(s->cli, r->reason);
    }
    prvcut_reduction_free(r);
    return e;
}

/* Is the level that was given that of all regions that were named? */
static bool red_said_twice(const struct cli *c)
{
    unsigned level = 0;

    if (!c->region || !c->level || !cli_one_level(c, &level))
        return false;
    for (const char *at = c->region; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strcspn(at, ".") > strcspn(at, ",") || strtoul(at, NULL, 10) != level)
            return false;
    return strchr(c->region, '.') != NULL;
}

/* Regions say their level themselves, and iterations how many they are. */
static enum cli_exit red_contradictions(const struct cli *c)
{
    const bool named = c->region && *c->region >= '0' && *c->region <= '9';
    const bool several = cli_several_regions(c);
    char works[80] = "--level 1 TRACE";

    if (c->iteration[0] > 0 && (several || (c->level && !cli_one_level(c, NULL))))
        return cli_misuse(c, several ? cli_first_region(works, c) : works,
                          "--iteration with --%s '%.100s': of which region?",
                          several ? "region" : "level", several ? c->region : c->level);
    if (named && strchr(c->region, '.') && c->level)
        return cli_misuse(c, "--region 1.1 TRACE",
                          "--region '%.100s' and --level '%.100s': which one?", c->region,
                          c->level);
    if (named && c->level && !cli_one_level(c, NULL))
        return cli_misuse(c, "--region 1.1 TRACE", "--region '%.100s': of which level?", c->region);
    return CLI_DONE;
}

/* What comes through a pipe has no name that its cut could be called after. */
static enum cli_exit red_nameless(const struct cli *c)
{
    const char *path = c->operands > 0 ? c->operand[0] : "";
    struct stat s;

    if (c->output || c->archive)
        return CLI_DONE;
    if (strcmp(path, "-") == 0)
        return cli_misuse(c, "--follow -o small -", "'-': the cut has no name; tell one with -o");
    if (stat(path, &s) == 0 && S_ISFIFO(s.st_mode))
        return cli_misuse(c, "--follow -o small TRACE",
                          "'%.200s' is a pipe: the cut has no name; tell one with -o", path);
    return CLI_DONE;
}

enum cli_exit cli_reduce(struct cli *c)
{
    struct prvcut_cut_options cut = { .path = NULL };
    struct prvcut_reduce_options o = { .size = sizeof o,
                                       .iterations = c->iterations > 0 ? c->iterations : 2,
                                       .metrics = c->metrics,
                                       .align = c->align,
                                       .regions = c->region,
                                       .first_iteration = c->iteration[0],
                                       .last_iteration = c->iteration[1],
                                       .outliers = c->outliers,
                                       .kinds = c->kinds,
                                       .proof = c->proof,
                                       .cheap_proof = !c->no_proof && !c->quick,
                                       .typed = c->typed,
                                       .cut = &cut };
    char *report = NULL, *archive = NULL;
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (red_said_twice(c))
        c->level = NULL;
    if (e == CLI_DONE)
        e = red_contradictions(c);
    if (e == CLI_DONE && !cli_one_level(c, &o.level))
        o.levels = c->level;
    if (e == CLI_DONE)
        e = c->follow.wanted ? red_nameless(c) : cli_session_needs_file(c, "a cut");
    if (e == CLI_DONE)
        e = cli_cut_options(c, &cut);
    s.cut = &cut;
    if (e == CLI_DONE)
        e = cli_session_name(&s, &report, PRVCUT_FILE_HTML, c->report);
    if (e == CLI_DONE)
        e = cli_session_name(&s, &archive, PRVCUT_FILE_ARCHIVE, c->archive);
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cli_session_free(&s, report, c->force);
    if (e == CLI_DONE)
        e = cli_session_free(&s, archive, c->force);
    o.report = report;
    if (e == CLI_DONE)
        e = cli_session_timeline(&s);
    if (e == CLI_DONE)
        e = red_options(&s, &o);
    if (e == CLI_DONE && c->follow.wanted)
        e = cli_follow_run(&s, &o, archive);
    if (e == CLI_DONE)
        e = red_run(&s, &o, archive);
    free(report);
    free(archive);
    cli_session_end(&s);
    return e;
}
