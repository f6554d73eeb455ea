#include "options.h"

#include "filter_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Any end will do to see whether a text is a time; the trace's own is known only later. */
#define SOME_END         UINT64_C(1000000000000)
#define THREADS_LIMIT    1024
#define ITERATIONS_LIMIT 1000000
#define LEVELS_LIMIT     99
#define REGIONS_LIMIT    999999999
#define OUTLIERS_LIMIT   100
#define BINS_LIMIT       (1u << 24)

static bool opt_number(const char *text, unsigned long least, unsigned long most,
                       unsigned long *out)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *out = strtoul(text, &end, 10);
    return errno == 0 && *end == '\0' && *out >= least && *out <= most;
}

bool cli_time_lacks_unit(struct cli *c, const char *text, const char **why)
{
    struct prvcut_error err = { 0 };
    uint64_t ns;

    if (text[strspn(text, "0123456789.")] != '\0' || strlen(text) > sizeof c->why / 4 ||
        prvcut_time_parse(text, SOME_END, &ns, &err) == PRVCUT_OK)
        return false;
    snprintf(c->why, sizeof c->why, "%.150s", err.text);
    *why = c->why;
    return true;
}

static bool opt_time(struct cli *c, const char *text, const char **out, const char **why)
{
    struct prvcut_error err = { 0 };
    uint64_t ns;

    *why = "it is a number with ns, us, ms, s or %, such as 1.5ms";
    *out = text;
    return !cli_time_lacks_unit(c, text, why) &&
           prvcut_time_parse(text, SOME_END, &ns, &err) == PRVCUT_OK;
}

static bool set_iterations(struct cli *c, const char *argument, const char **why)
{
    unsigned long n;

    *why = "it is a number from 1 to 1000000";
    if (!opt_number(argument, 1, ITERATIONS_LIMIT, &n))
        return false;
    c->iterations = (unsigned)n;
    return true;
}

static bool set_level(struct cli *c, const char *argument, const char **why)
{
    unsigned long n;

    *why = "it is a number from 1 to 99";
    if (!opt_number(argument, 1, LEVELS_LIMIT, &n))
        return false;
    c->level = (unsigned)n;
    return true;
}

static bool set_levels(struct cli *c, const char *argument, const char **why)
{
    unsigned long n;

    *why = "it is a number from 1 to 99";
    if (!opt_number(argument, 1, LEVELS_LIMIT, &n))
        return false;
    c->levels = (unsigned)n;
    return true;
}

static bool set_regions(struct cli *c, const char *argument, const char **why)
{
    unsigned long n;

    *why = "it is all, longest, or the number of a region";
    c->regions = argument;
    return strcmp(argument, "all") == 0 || strcmp(argument, "longest") == 0 ||
           (*argument != '0' && opt_number(argument, 1, REGIONS_LIMIT, &n));
}

static bool set_outliers(struct cli *c, const char *argument, const char **why)
{
    unsigned long n;

    *why = "it is a number from 0 to 100";
    if (!opt_number(argument, 0, OUTLIERS_LIMIT, &n))
        return false;
    c->outliers = (unsigned)n;
    return true;
}

static bool set_proof(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->proof = true;
    return true;
}

static bool set_report(struct cli *c, const char *argument, const char **why)
{
    *why = "it is the name of a file";
    c->report = argument;
    return *argument != '\0' && strcmp(argument, "-") != 0;
}

static bool set_archive(struct cli *c, const char *argument, const char **why)
{
    *why = "it is the name of a file, such as small.tar.zst";
    c->archive = argument;
    return *argument != '\0' && strcmp(argument, "-") != 0;
}

static bool set_plot(struct cli *c, const char *argument, const char **why)
{
    *why = "it is the name of a file";
    c->plot = argument;
    return *argument != '\0';
}

static bool set_timeline(struct cli *c, const char *argument, const char **why)
{
    *why = "it is the name of a file";
    c->timeline = argument;
    return *argument != '\0';
}

static bool set_tree(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->tree = true;
    return true;
}

static bool set_metric(struct cli *c, const char *argument, const char **why)
{
    *why = "'prvcut help metrics' lists them";
    c->metrics = argument;
    return *argument != '\0';
}

static bool set_bins(struct cli *c, const char *argument, const char **why)
{
    unsigned long n;

    *why = "it is a number from 1 to 16777216";
    if (!opt_number(argument, 1, BINS_LIMIT, &n))
        return false;
    c->bins = n;
    return true;
}

static bool set_from(struct cli *c, const char *argument, const char **why)
{
    return opt_time(c, argument, &c->from, why);
}

static bool set_to(struct cli *c, const char *argument, const char **why)
{
    if (opt_time(c, argument, &c->to, why))
        return true;
    /* In other programs it names a format. */
    if (c->command->bit == CLI_CONVERT && *argument >= 'a' && *argument <= 'z')
        *why = "it is where the window ends, such as 1.5ms; formats are named with -O";
    return false;
}

static bool set_period(struct cli *c, const char *argument, const char **why)
{
    return opt_time(c, argument, &c->period, why);
}

static bool set_raw_clocks(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->raw_clocks = true;
    return true;
}

static bool set_no_index(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->no_index = true;
    return true;
}

/* --align-clocks, the older word, asks for what is the default by now. */
static bool set_align_clocks(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->own_clocks = false;
    return true;
}

static bool set_own_clocks(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->own_clocks = true;
    return true;
}

static bool set_all_definitions(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->all_definitions = true;
    return true;
}

static bool set_strict(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->strict = true;
    return true;
}

static bool set_align(struct cli *c, const char *argument, const char **why)
{
    static const char *const words[] = { "auto", "calls", "straight" };

    *why = "it is auto, calls or straight";
    c->align = argument;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(argument, words[i]) == 0)
            return true;
    return false;
}

static bool set_format(struct cli *c, const char *argument, const char **why)
{
    *why = "'prvcut formats' lists them";
    c->format = argument;
    return *argument != '\0';
}

static bool set_tasks(struct cli *c, const char *argument, const char **why)
{
    *why = "it is a list of tasks, such as 1-4,7";
    c->tasks = argument;
    return *argument >= '1' && *argument <= '9';
}

static bool set_keep_time(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->keep_time = true;
    return true;
}

static bool set_messages(struct cli *c, const char *argument, const char **why)
{
    *why = "it is drop or keep";
    c->keep_messages = strcmp(argument, "keep") == 0;
    return c->keep_messages || strcmp(argument, "drop") == 0;
}

static bool set_role(struct cli *c, const char *argument, const char **why)
{
    const char **grown = realloc(c->role, (c->roles + 2) * sizeof *grown);

    *why = "out of memory";
    if (!grown)
        return false;
    c->role = grown;
    c->role[c->roles++] = argument;
    c->role[c->roles] = NULL;
    *why = "it is a role, '=' and event types or states, such as p2p=50000001";
    return strchr(argument, '=') != NULL;
}

static bool set_lenient(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->lenient = true;
    return true;
}

static bool set_output(struct cli *c, const char *argument, const char **why)
{
    *why = "it is the name of a file";
    c->output = argument;
    return *argument != '\0';
}

static bool set_compress(struct cli *c, const char *argument, const char **why)
{
    static const char *const words[] = { "gz", "zst", "none" };

    *why = "it is gz, zst or none";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(argument, words[i]) == 0)
            c->compress = words[i];
    return c->compress && strcmp(c->compress, argument) == 0;
}

static bool set_force(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->force = true;
    return true;
}

static bool set_dry_run(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->dry_run = true;
    return true;
}

static bool set_json(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->json = true;
    return true;
}

static bool set_threads(struct cli *c, const char *argument, const char **why)
{
    unsigned long n;

    *why = "it is a number from 0 to 1024";
    if (!opt_number(argument, 0, THREADS_LIMIT, &n))
        return false;
    c->threads = (int)n;
    return true;
}

static bool set_quiet(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->quiet = true;
    return true;
}

static bool set_verbose(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->verbose = true;
    return true;
}

static bool set_progress(struct cli *c, const char *argument, const char **why)
{
    *why = "it stands alone or is json";
    c->progress = CLI_ALWAYS;
    c->progress_json = argument != NULL;
    return !argument || strcmp(argument, "json") == 0;
}

static bool set_no_progress(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->progress = CLI_NEVER;
    return true;
}

static bool set_color(struct cli *c, const char *argument, const char **why)
{
    static const char *const words[] = { "auto", "always", "never" };

    *why = "it is auto, always or never";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(argument, words[i]) == 0) {
            c->color = (enum cli_when)i;
            return true;
        }
    }
    return false;
}

/* Whoever asks for more than one kind of help gets the fullest. */
static bool set_help(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->help = CLI_HELP_FULL;
    return true;
}

static bool set_usage(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    if (c->help == CLI_HELP_NONE)
        c->help = CLI_HELP_SHORT;
    return true;
}

static bool set_version(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    if (c->help != CLI_HELP_FULL)
        c->help = CLI_HELP_VERSION;
    return true;
}

static bool set_log(struct cli *c, const char *value, const char **why)
{
    static const char *const words[] = { "error", "warn", "info", "debug" };

    *why = "it is error, warn, info or debug";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(value, words[i]) == 0) {
            c->log = (enum cli_log)i;
            return true;
        }
    }
    return false;
}

static bool set_no_color(struct cli *c, const char *value, const char **why)
{
    (void)value, (void)why;
    c->color = CLI_NEVER;
    return true;
}

const struct cli_variable cli_variables[] = {
    { "PRVCUT_THREADS", "N", "as --threads [0]", set_threads },
    { "PRVCUT_LOG", "error|warn|info|debug", "how much to tell on standard error [warn]", set_log },
    { "NO_COLOR", "1", "as --color never", set_no_color },
};
const size_t cli_variable_count = sizeof cli_variables / sizeof *cli_variables;

#define CUTS      (CLI_REDUCE | CLI_CUT)
#define FINDS     (CLI_REDUCE | CLI_STRUCTURE | CLI_MARK)
#define FILTERS   (CLI_FILTER | CLI_CUT)
#define WRITES    (CUTS | CLI_FILTER | CLI_SIGNAL | CLI_CONVERT | CLI_STRUCTURE | CLI_INDEX | CLI_MARK)
#define READS     (CLI_WORK | CLI_CSV)
#define ANYWHERE  (READS | CLI_VERIFY | CLI_HELP | CLI_FORMATS)
#define TIME_WORD "TIME"

/* Order of the help: what is asked, how it is read, what is written, how it is told. */
const struct cli_option cli_options[] = {
    { "iterations", 0, "N", CLI_REDUCE, "iterations to keep [2]", set_iterations, true },
    { "level", 0, "L", CLI_REDUCE, "level of the loop to cut, 1 is the outermost [1]", set_level,
      true },
    { "regions", 0, "all|longest|K", CLI_REDUCE, "which regions of that level to cut [longest]",
      set_regions, true },
    { "outliers", 0, "N", CLI_REDUCE, "cut the N most unusual iterations, too [0]", set_outliers,
      true },
    { "levels", 0, "N", CLI_STRUCTURE, "levels to go down, 1 is the outermost [all]", set_levels,
      true },
    { "metric", 0, "M[,M...]", FINDS, "ask only these for the period [all]", set_metric, true },
    { "metric", 0, "M[,M...]", CLI_SIGNAL, "metrics to compute [bursts]", set_metric, true },
    { "bins", 0, "N", CLI_SIGNAL, "equal bins to average over [1000]", set_bins, false },
    { "from", 0, TIME_WORD, FINDS, "analyse from there: ns, us, ms, s or % [0]", set_from, true },
    { "to", 0, TIME_WORD, FINDS, "analyse up to there [100%]", set_to, true },
    { "from", 0, TIME_WORD, CLI_CUT, "start of the window: ns, us, ms, s or % [0]", set_from,
      true },
    { "to", 0, TIME_WORD, CLI_CUT, "end of the window, not included [100%]", set_to, true },
    { "from", 0, TIME_WORD, CLI_SIGNAL, "first bin's start: ns, us, ms, s or % [0]", set_from,
      true },
    { "to", 0, TIME_WORD, CLI_SIGNAL, "last bin's end [100%]", set_to, true },
    { "config", 0, "FILE", FILTERS, "what Paraver's dialog saved (XML; repeatable)", cli_set_config,
      true },
    { "states", 0, "S[,S...]", FILTERS, "keep only these states: names or numbers [all]",
      cli_set_states, true },
    { "drop-states", 0, "S[,S...]", FILTERS, "drop these states [none]", cli_set_drop_states,
      true },
    { "min-state", 0, TIME_WORD, FILTERS, "drop states that are shorter [0]", cli_set_min_state,
      true },
    { "events", 0, "E[=V/V...][,...]", FILTERS, "keep only these event types and values [all]",
      cli_set_events, true },
    { "drop-events", 0, "E[=V/V...][,...]", FILTERS, "drop these event types and values [none]",
      cli_set_drop_events, true },
    { "min-message", 0, "SIZE", FILTERS, "drop messages that are smaller [0]", cli_set_min_message,
      true },
    { "drop", 0, "KIND[,KIND...]", FILTERS, "drop all states, events or messages [none]",
      cli_set_drop, true },
    { "tasks", 0, "N[-M][,...]", FILTERS, "only these tasks, the first is 1 [all]", set_tasks,
      true },
    { "only-threads", 0, "T.H[,...]", FILTERS, "only these threads: task 1, thread 2 is 1.2 [all]",
      cli_set_only_threads, true },
    { "max-size", 0, "SIZE", CLI_CUT, "end the cut before it gets larger [any]", cli_set_max_size,
      true },
    { "output-format", 'O', "FORMAT", CLI_CONVERT, "format to write [by OUT's suffix]", set_format,
      false },
    { "from", 0, TIME_WORD, CLI_CONVERT, "convert from there: ns, us, ms, s or % [0]", set_from,
      true },
    { "to", 0, TIME_WORD, CLI_CONVERT, "convert up to there [100%]", set_to, true },
    { "tasks", 0, "N[-M][,...]", CLI_CONVERT, "only these tasks, the first is 1 [all]", set_tasks,
      true },
    { "strict", 0, NULL, CLI_CONVERT, "write nothing if anything would be lost", set_strict,
      false },
    { "strict", 0, NULL, CLI_CHECK, "whatever is found is a fault, harmless habits, too",
      set_strict, false },
    { "period", 0, TIME_WORD, FINDS, "take this period, do not search for one", set_period, true },
    { "timeline", 0, "FILE", CLI_MARK, "ask a timeline, too, that Paraver saved as text",
      set_timeline, true },
    { "role", 0, "ROLE=NUMBER[,...]", READS, "what event types or states mean (repeatable)",
      set_role, true },
    { "lenient", 0, NULL, READS, "skip damaged records and count them", set_lenient, true },
    { "raw-clocks", 0, NULL, READS, "take times as recorded even if clocks differ", set_raw_clocks,
      true },
    { "no-index", 0, NULL, CUTS | CLI_INFO | CLI_STRUCTURE | CLI_MARK | CLI_CSV,
      "do not use the index beside the trace", set_no_index, false },
    { "threads", 'T', "N", READS, "threads to work with, 0 = all processors [0]", set_threads,
      false },
    { "align", 0, "auto|calls|straight", CLI_REDUCE, "cut each thread at its own calls [auto]",
      set_align, true },
    { "own-clocks", 0, NULL, CUTS, "keep each process's times even if clocks differ",
      set_own_clocks, true },
    { "align-clocks", 0, NULL, CUTS, "bring differing clocks together, as by default",
      set_align_clocks, true },
    { "all-definitions", 0, NULL, CUTS, "keep definitions that the cut does not need",
      set_all_definitions, true },
    { "keep-time", 0, NULL, CUTS, "keep the original's times [start at 0]", set_keep_time, true },
    { "messages", 0, "drop|keep", CUTS, "messages with one end outside [drop]", set_messages,
      true },
    { "proof", 0, NULL, CLI_REDUCE, "compare what is cut with what it stands for", set_proof,
      false },
    { "report", 0, "FILE", CLI_REDUCE, "page (HTML) to write, with all levels and the proof",
      set_report, false },
    { "tree", 0, NULL, CLI_STRUCTURE, "print a tree in place of the table", set_tree, false },
    { "output", 'o', "FILE", CLI_STRUCTURE, "file to write [standard output]", set_output, false },
    { "output", 'o', "FILE", CLI_REDUCE, "main file to write [NAME.chop1.prv]", set_output, false },
    { "output", 'o', "FILE", CLI_FILTER, "main file to write [NAME.filtered.prv]", set_output,
      false },
    { "output", 'o', "FILE", CLI_MARK, "main file to write [NAME.iterations.prv]", set_output,
      false },
    { "output", 'o', "FILE", CLI_CUT, "main file to write [NAME.cut.prv]", set_output, false },
    { "output", 'o', "FILE", CLI_SIGNAL, "file.csv or file.json to write [standard output]",
      set_output, false },
    { "plot", 0, "FILE", CLI_SIGNAL, "drawing (SVG) to write in place of numbers", set_plot,
      false },
    { "compress", 0, "gz|zst|none", CUTS | CLI_FILTER | CLI_MARK,
      "compress the output [as the input is]", set_compress, false },
    { "force", 'f', NULL, WRITES, "replace files that exist", set_force, false },
    { "archive", 0, "FILE", CLI_REDUCE, "write all of it, with report and page, as one .tar.zst",
      set_archive, false },
    { "dry-run", 'n', NULL, CUTS | CLI_FILTER | CLI_MARK,
      "find out and report everything, write nothing", set_dry_run, false },
    { "dry-run", 'n', NULL, CLI_CONVERT,
      "write nothing; with --strict read all to tell what would be lost", set_dry_run, false },
    { "json", 0, NULL, CLI_WORK | CLI_FORMATS | CLI_VERIFY, "print JSON", set_json, false },
    { "quiet", 'q', NULL, READS | CLI_VERIFY, "print only errors, and what --json asks for",
      set_quiet, false },
    { "verbose", 'v', NULL, READS, "tell how long each step took", set_verbose, false },
    { "progress", 0, "[=json]", READS | CLI_VERIFY, "show progress also without a terminal",
      set_progress, false },
    { "no-progress", 0, NULL, READS | CLI_VERIFY, "show no progress", set_no_progress, false },
    { "color", 0, "auto|always|never", ANYWHERE, "headings and warnings in colour [auto]",
      set_color, false },
    { "help", 0, NULL, ANYWHERE, "print this help", set_help, false },
    { "usage", 'h', NULL, ANYWHERE, "print a short help", set_usage, false },
    { "version", 0, NULL, ANYWHERE, "print the version and what is built in", set_version, false },
};
const size_t cli_option_count = sizeof cli_options / sizeof *cli_options;

bool cli_option_demands(const struct cli_option *option)
{
    return option->argument && option->argument[0] != '[';
}
