#include "contradict.h"
#include "follow_options.h"
#include "operands.h"
#include "options.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Two options of which one makes the other void. */
struct con_pair {
    unsigned commands;
    const char *one, *other;
    const char *reason; /* stands before the question */
    const char *works;  /* NULL: the fewest arguments */
};

#define CUTS (CLI_REDUCE | CLI_CUT)

static const struct con_pair pairs[] = {
    { CLI_WORK | CLI_CSV, "quiet", "verbose", "", NULL },
    { CLI_REDUCE, "proof", "no-proof", "", "--proof TRACE" },
    { CLI_REDUCE, "proof", "quick", "", "--proof TRACE" },
    { CLI_REDUCE, "report", "no-proof", "the page shows the comparison; ",
      "--report page.html TRACE" },
    { CLI_REDUCE, "report", "quick", "the page shows the comparison; ",
      "--report page.html TRACE" },
    { CLI_REDUCE | CLI_CUT | CLI_FILTER, "archive", "output", "the archive holds all files; ",
      NULL },
    { CLI_REDUCE, "archive", "report", "the archive holds all files; ",
      "--archive small.tar.zst TRACE" },
    { CLI_REDUCE, "archive", "no-proof", "its page shows the comparison; ",
      "--archive small.tar.zst TRACE" },
    { CLI_REDUCE, "archive", "quick", "its page shows the comparison; ",
      "--archive small.tar.zst TRACE" },
    { CLI_REDUCE, "iteration", "iterations", "", "--iteration 2-3 TRACE" },
    { CLI_REDUCE, "iteration", "outliers", "", "--outliers 2 TRACE" },
    { CLI_REDUCE, "kinds", "iteration", "", "--kinds TRACE" },
    { CLI_REDUCE, "kinds", "region", "", "--kinds TRACE" },
    { CLI_REDUCE, "kinds", "level", "", "--kinds TRACE" },
    { CLI_REDUCE, "kinds", "no-proof", "kinds are compared; ", "--kinds TRACE" },
    { CLI_REDUCE, "kinds", "quick", "kinds are compared; ", "--kinds TRACE" },
    { CLI_REDUCE, "follow", "from", "how long the run is is not known yet; ", "--follow TRACE" },
    { CLI_REDUCE, "follow", "to", "how long the run is is not known yet; ", "--follow TRACE" },
    { CLI_REDUCE, "follow", "timeline", "a timeline is saved of a whole trace; ", NULL },
    { CLI_STRUCTURE, "clock", "timeline", "a timeline is saved by time; ", NULL },
    { CUTS, "own-clocks", "align-clocks", "", NULL },
    { CUTS, "raw-clocks", "align-clocks", "", NULL },
    { CUTS, "for-scalasca", "keep-time", "times of the copy begin at 0; ", NULL },
    { CLI_VIEW, "print", "json", "", NULL },
    { CLI_VIEW, "print", "quiet", "", NULL },
    { CLI_STRUCTURE, "tree", "iteration", "", "--iteration 2-3 TRACE" },
    { CLI_STRUCTURE, "tree", "verbose", "", "--tree TRACE" },
};

/* "-o", "--archive" */
static const char *con_name(char out[40], const char *name)
{
    for (size_t i = 0; i < cli_option_count; i++)
        if (strcmp(cli_options[i].name, name) == 0 && cli_options[i].letter) {
            snprintf(out, 40, "-%c", cli_options[i].letter);
            return out;
        }
    snprintf(out, 40, "--%s", name);
    return out;
}

static enum cli_exit con_pairs(const struct cli *c)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct con_pair *p = &pairs[i];
        char one[40], other[40];

        if ((p->commands & c->command->bit) && cli_given(c, p->one) && cli_given(c, p->other))
            return cli_misuse(c, p->works, "%s and %s: %swhich one?", con_name(one, p->one),
                              con_name(other, p->other), p->reason);
    }
    return CLI_DONE;
}

/* What is dropped as a whole has no parts that are kept. */
static enum cli_exit con_drops(const struct cli *c)
{
    static const struct {
        const char *kind, *option;
    } parts[] = {
        { "states", "states" }, { "states", "drop-states" }, { "states", "min-state" },
        { "events", "events" }, { "events", "drop-events" }, { "messages", "min-message" }
    };
    const bool dropped[] = { c->filter.drop_states, c->filter.drop_events,
                             c->filter.drop_messages };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *kind = parts[i].kind;

        if (dropped[*kind == 's' ? 0 : *kind == 'e' ? 1 : 2] && cli_given(c, parts[i].option))
            return cli_misuse(c, NULL, "--drop %s and --%s: which one?", kind, parts[i].option);
    }
    return CLI_DONE;
}

/* The deepest of some levels; 0: all, or none was named. */
static unsigned long con_deepest(const char *levels)
{
    unsigned long deepest = 0;

    for (const char *at = levels; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strtoul(at, NULL, 10) > deepest)
            deepest = strtoul(at, NULL, 10);
    return deepest;
}

/* The least deep of them; 0: all, or none was named. */
static unsigned long con_first_level(const char *levels)
{
    unsigned long first = levels ? strtoul(levels, NULL, 10) : 0;

    for (const char *at = levels; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strtoul(at, NULL, 10) < first)
            first = strtoul(at, NULL, 10);
    return first;
}

/* Do all regions name their levels? A bare one is of the level that is shown. */
static bool con_all_full(const char *regions)
{
    for (const char *at = regions; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strcspn(at, ".") >= strcspn(at, ","))
            return false;
    return regions != NULL;
}

/* Nothing is shown of levels that are not looked at. */
static enum cli_exit con_levels(const struct cli *c)
{
    const unsigned long level = con_deepest(c->level), region = cli_deepest_region(c);
    char works[80];

    snprintf(works, sizeof works, "--depth %lu TRACE", level > region ? level : region);
    if (c->depth > 0 && level > c->depth)
        return cli_misuse(c, works, "--depth %u and --level %s: level %lu is deeper", c->depth,
                          c->level, level);
    if (c->depth > 0 && region > c->depth)
        return cli_misuse(c, works, "--depth %u and --region %s: level %lu is deeper", c->depth,
                          c->region, region);
    if (level > 0 && region > level)
        return cli_misuse(c, "--region 1.1 TRACE", "--level %s and --region %s: which one?",
                          c->level, c->region);
    snprintf(works, sizeof works, "--level %lu TRACE", region);
    if (con_all_full(c->region) && region < con_first_level(c->level))
        return cli_misuse(c, works, "--level %s and --region %s: which one?", c->level, c->region);
    if (c->iteration[0] > 0 && cli_several_regions(c))
        return cli_misuse(c, cli_first_region(works, c),
                          "--iteration: of which region? '%.100s' are several", c->region);
    return CLI_DONE;
}

static bool con_same(const char *a, const char *b, bool folder)
{
    struct stat s, t;

    return b && stat(a, &s) == 0 && stat(b, &t) == 0 && s.st_dev == t.st_dev &&
           s.st_ino == t.st_ino && (!folder || S_ISDIR(s.st_mode));
}

static enum cli_exit con_without(const struct cli *c, const char *option, const char *text)
{
    struct cli less = *c;

    less.refused = option;
    return cli_misuse(&less, NULL, "%s", text);
}

/* A folder is told here, for what lies in it could not be told from it; of other files the trace
   itself says which are its own. */
static enum cli_exit con_outputs(const struct cli *c)
{
    const struct {
        const char *option, *file;
    } outputs[] = { { "output", c->output },
                    { "report", c->report },
                    { "archive", c->archive },
                    { "plot", c->plot },
                    { "matrix", c->matrix } };
    const char *input = c->operands > 0 ? c->operand[0] : c->sample.series;
    char text[300];

    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        if (!con_same(input, outputs[i].file, true))
            continue;
        snprintf(text, sizeof text, "not writing '%.200s': it is the trace that is read",
                 outputs[i].file);
        return con_without(c, outputs[i].option, text);
    }
    if (con_same(c->operand[0], cli_converts_to(c), true))
        return cli_misuse(c, c->command->works,
                          "not writing '%.200s': it is the trace that is read", c->operand[1]);
    return CLI_DONE;
}

/* What says how the trace is read, or what is kept of it, is another file. */
static enum cli_exit con_inputs(const struct cli *c)
{
    for (size_t i = 0; i < c->filter.config.count; i++)
        if (con_same(c->operand[0], c->filter.config.at[i], false))
            return con_without(
                c, "config",
                "--config: that is the trace itself; name a file that Paraver's dialogs saved");
    if (c->timeline && con_same(c->operand[0], c->timeline, false))
        return con_without(
            c, "timeline",
            "--timeline: that is the trace itself; name a timeline that Paraver saved as text");
    return CLI_DONE;
}

/* What follows the trace that was named: of a pipe the cut has a name of its own. */
static const char *con_follows(const struct cli *c)
{
    const char *path = c->operands > 0 ? c->operand[0] : "";
    const bool named = c->output || c->archive, input = strcmp(path, "-") == 0;
    struct stat s;

    if (input)
        return named ? "--follow -" : "--follow -o small -";
    return !named && stat(path, &s) == 0 && S_ISFIFO(s.st_mode) ? "--follow -o small TRACE"
                                                                : "--follow TRACE";
}

/* What tells how a trace is followed, of one that is not. */
static enum cli_exit con_follow(const struct cli *c)
{
    struct cli following = *c;

    /* A pipe need not be saved then. */
    following.follow.wanted = true;
    for (const char *const *only = cli_follow_only; *only && !c->follow.wanted; only++)
        if (cli_given(c, *only))
            return cli_misuse(&following, con_follows(c), "--%s: only with --follow", *only);
    return CLI_DONE;
}

enum cli_exit cli_contradictions(const struct cli *c)
{
    enum cli_exit e = con_pairs(c);

    if (e == CLI_DONE)
        e = con_outputs(c);
    if (e == CLI_DONE)
        e = con_inputs(c);
    if (e == CLI_DONE && c->command->bit == CLI_REDUCE)
        e = con_follow(c);
    if (e == CLI_DONE && (c->command->bit & (CLI_FILTER | CLI_CUT)))
        e = con_drops(c);
    if (e == CLI_DONE && c->command->bit == CLI_STRUCTURE)
        e = con_levels(c);
    return e;
}

bool cli_all_regions(struct cli *c, bool rows)
{
    const bool all = rows && c->region && strcmp(c->region, "all") == 0;

    if (all)
        c->region = NULL;
    return all;
}
