#include "setters.h"

#include "suggest.h"
#include "tokens.h"

#include "prvcut/signals.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Any end will do to see whether a text is a time; the trace's own is known only later. */
#define SOME_END         UINT64_C(1000000000000)
#define THREADS_LIMIT    1024
#define ITERATIONS_LIMIT 1000000
#define LEVELS_LIMIT     99
#define OUTLIERS_LIMIT   100
#define BINS_LIMIT       (1u << 24)
#define TOP_LIMIT        1000000

static const char set_no_name[] = "is not the name of a file";

static bool set_number(const char *text, unsigned long least, unsigned long most,
                       unsigned long *out)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *out = strtoul(text, &end, 10);
    return errno == 0 && *end == '\0' && *out >= least && *out <= most;
}

static bool set_unsigned(const char *text, unsigned long least, unsigned long most, unsigned *out)
{
    unsigned long n;

    if (!set_number(text, least, most, &n))
        return false;
    *out = (unsigned)n;
    return true;
}

bool cli_seconds_of(const char *text, double *out, const char **why)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = { { "ms", 1e-3 }, { "s", 1 }, { "min", 60 }, { "h", 3600 } };
    char *end;
    const double n = strtod(text, &end);

    *why = "is not a time such as 500ms, 10s or 5min";
    *out = 0;
    if (*text < '0' || *text > '9' || strpbrk(text, "xXpP"))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0)
            *out = n * units[i].seconds;
    return *out > 0;
}

/* The longest time that was typed without its unit; 0.0: there is none. */
static double set_longest_bare(const struct cli *c)
{
    struct cli_cursor at = { .argc = c->argc, .next = 1, .argv = c->argv };
    struct cli_token t;
    double longest = 0.0;

    while (cli_token_next(&at, &t) != CLI_TOKEN_END)
        if (t.option && t.argument && t.option->argument &&
            strcmp(t.option->argument, "TIME") == 0 &&
            t.argument[strspn(t.argument, "0123456789.")] == '\0' &&
            strtod(t.argument, NULL) > longest)
            longest = strtod(t.argument, NULL);
    return longest;
}

/* The first file that was named; NULL: none is there. */
static const char *set_trace(const struct cli *c)
{
    struct stat s;

    for (int i = 0; i < c->operands; i++)
        if (stat(c->operand[i], &s) == 0)
            return S_ISREG(s.st_mode) ? c->operand[i] : NULL;
    return NULL;
}

/* The largest unit with which all times lie in the trace; seconds where nobody can tell. */
static const char *set_likely_unit(const struct cli *c)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = { { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 } };
    const struct prvcut_open_options lenient = { .lenient = true, .no_index = true };
    struct prvcut_error ignored = { .status = PRVCUT_OK };
    struct prvcut_trace *trace = NULL;
    const double longest = set_longest_bare(c);
    double end = HUGE_VAL;
    const char *path = set_trace(c);
    size_t i = 0;

    if (path && prvcut_trace_open(&trace, path, &lenient, &ignored) == PRVCUT_OK)
        end = (double)prvcut_trace_end(trace);
    prvcut_trace_close(trace);
    while (i < 2 && longest * units[i].ns > end)
        i++;
    return units[i].name;
}

bool cli_is_time(struct cli *c, const char *text, const char **why)
{
    struct prvcut_error err = { 0 };
    uint64_t ns;
    const size_t number = strspn(text, "0123456789.");

    *why = "is not a time such as 1.5ms, 2s or 50%";
    if (prvcut_time_parse(text, SOME_END, &ns, &err) == PRVCUT_OK)
        return true;
    if (number > 0 && strcmp(text + number, "%") == 0)
        *why = "is above 100%";
    else if (number > 0 && cli_is_unit(text + number))
        *why = "is beyond the limit of 2^60ns, 36 years";
    if (number == 0 || strlen(text) > 16)
        return false;
    if (text[number] == '\0' && strchr(text, '.')) {
        snprintf(c->why, sizeof c->why, "has no unit: %ss or %sms", text, text);
        snprintf(c->example, sizeof c->example, "%s%s", text, set_likely_unit(c));
    } else if (cli_is_unit(text + number)) {
        return false;
    } else if (text[number] != '\0' && text[number] != '%') {
        const char *unit = cli_unit_begun(text + number);

        snprintf(c->why, sizeof c->why, "has no known unit: %.*sns, %.*sus, %.*sms, %.*ss",
                 (int)number, text, (int)number, text, (int)number, text, (int)number, text);
        if (unit)
            snprintf(c->example, sizeof c->example, "%.*s%s", (int)number, text, unit);
    } else {
        return false;
    }
    *why = c->why;
    return false;
}

/* "60-63", "60" */
static bool set_range(const char *text, uint64_t out[2])
{
    char *end;
    unsigned long first, last;

    if (*text < '1' || *text > '9')
        return false;
    errno = 0;
    first = last = strtoul(text, &end, 10);
    if (*end == '-' && end[1] >= '1' && end[1] <= '9')
        last = strtoul(end + 1, &end, 10);
    out[0] = first;
    out[1] = last;
    return errno == 0 && *end == '\0' && last >= first && last - first < ITERATIONS_LIMIT;
}

bool cli_set_iterations(struct cli *c, const char *argument, const char **why)
{
    uint64_t range[2];

    *why = "is not a number from 1 to 1000000";
    if (set_unsigned(argument, 1, ITERATIONS_LIMIT, &c->iterations))
        return true;
    if (strlen(argument) < 40 && strchr(argument, '-') && set_range(argument, range)) {
        snprintf(c->why, sizeof c->why, "is not how many; which ones? --iteration %s", argument);
        snprintf(c->example, sizeof c->example, "--iteration %s", argument);
        *why = c->why;
    }
    return false;
}

bool cli_set_iteration(struct cli *c, const char *argument, const char **why)
{
    *why = "is not the number of an iteration (1 or more) or a range such as 20-23";
    return set_range(argument, c->iteration);
}

/* "175", "60-63", "outliers" */
bool cli_set_why(struct cli *c, const char *argument, const char **why)
{
    *why = "is not the number of an iteration (1 or more), a range such as 20-23, or outliers";
    c->explain = true;
    return strcmp(argument, "outliers") == 0 || set_range(argument, c->explained);
}

/* "1,3", "all" */
bool cli_set_level(struct cli *c, const char *argument, const char **why)
{
    *why = "is not a level from 1 to 99, a list of some, or all";
    c->level = argument;
    if (strcmp(argument, "all") == 0)
        return true;
    for (;;) {
        char *end;
        const unsigned long n =
            *argument >= '1' && *argument <= '9' ? strtoul(argument, &end, 10) : LEVELS_LIMIT + 1;

        if (n > LEVELS_LIMIT || (*end != ',' && *end != '\0'))
            return false;
        if (*end == '\0')
            return true;
        argument = end + 1;
    }
}

bool cli_set_depth(struct cli *c, const char *argument, const char **why)
{
    *why = "is not a number from 1 to 99";
    return set_unsigned(argument, 1, LEVELS_LIMIT, &c->depth);
}

bool cli_set_region(struct cli *c, const char *argument, const char **why)
{
    *why = "is not all, longest, or regions such as 1.4, 1.4,1.6 or 1.4-1.6";
    c->region = argument;
    return strcmp(argument, "all") == 0 || strcmp(argument, "longest") == 0 ||
           prvcut_regions_valid(argument);
}

/* A number alone would be a part to some, percent to others. */
bool cli_set_fail_above(struct cli *c, const char *argument, const char **why)
{
    char *end;

    *why = "is no percentage from 0% to 10000%; write 5%";
    if (!((*argument >= '0' && *argument <= '9') || *argument == '.'))
        return false;
    c->above = strtod(argument, &end) / 100;
    c->fails_above = true;
    if (*end == '\0' && end > argument) {
        snprintf(c->why, sizeof c->why, "has no unit; write %.40s%%", argument);
        snprintf(c->example, sizeof c->example, "%.40s%%", argument);
        *why = c->why;
        return false;
    }
    return strcmp(end, "%") == 0 && argument[strspn(argument, "0123456789.")] == '%' &&
           c->above <= 100;
}

bool cli_set_outliers(struct cli *c, const char *argument, const char **why)
{
    *why = "is not a number from 0 to 100";
    return set_unsigned(argument, 0, OUTLIERS_LIMIT, &c->outliers);
}

static bool set_file(const char **out, const char *argument, bool stream, const char **why)
{
    *why = set_no_name;
    *out = argument;
    return *argument != '\0' && (stream || strcmp(argument, "-") != 0);
}

bool cli_set_report(struct cli *c, const char *argument, const char **why)
{
    return set_file(&c->report, argument, false, why);
}

bool cli_set_archive(struct cli *c, const char *argument, const char **why)
{
    return set_file(&c->archive, argument, false, why);
}

bool cli_set_plot(struct cli *c, const char *argument, const char **why)
{
    return set_file(&c->plot, argument, true, why);
}

bool cli_set_matrix(struct cli *c, const char *argument, const char **why)
{
    return set_file(&c->matrix, argument, true, why);
}

bool cli_set_timeline(struct cli *c, const char *argument, const char **why)
{
    return set_file(&c->timeline, argument, true, why);
}

bool cli_set_output(struct cli *c, const char *argument, const char **why)
{
    return set_file(&c->output, argument, true, why);
}

/* The metric that is meant by a word; NULL: it is one, or nobody knows. */
static const char *set_metric_meant(const char *word)
{
    const char *best = strcmp(word, "calls") != 0 && cli_edits(word, "calls") < 2 ? "calls" : NULL;
    unsigned least = cli_edits_allowed(word) + 1;

    for (size_t i = 0; prvcut_metric_name(i); i++) {
        const char *name = prvcut_metric_name(i);
        const size_t shorter = strlen(name) < strlen(word) ? strlen(name) : strlen(word);
        const unsigned edits =
            shorter >= 3 && strncmp(name, word, shorter) == 0 ? 1 : cli_edits(word, name);

        if (strcasecmp(name, word) == 0)
            return strcmp(name, word) == 0 ? NULL : name;
        if (edits < least) {
            least = edits;
            best = name;
        }
    }
    return best;
}

/* Which metrics there are is told by the library, but not which of them was meant. */
bool cli_set_metric(struct cli *c, const char *argument, const char **why)
{
    *why = "is no metric; 'prvcut help metrics' lists them";
    c->metrics = argument;
    for (const char *at = argument; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char word[40];
        const size_t length = strcspn(at, ",");
        const char *meant;

        /* What a trace calls its things is not known here. */
        if (length >= sizeof word || strlen(argument) > 60 || memchr(at, ':', length))
            continue;
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        meant = set_metric_meant(word);
        if (!meant)
            continue;
        snprintf(c->example, sizeof c->example, "%.*s%s%s", (int)(at - argument), argument, meant,
                 at + length);
        snprintf(c->why, sizeof c->why, "is no metric; did you mean '%s'?", c->example);
        *why = c->why;
        return false;
    }
    return *argument != '\0';
}

/* Which views there are, and which go together, is told by the library. */
bool cli_set_by(struct cli *c, const char *argument, const char **why)
{
    struct prvcut_error err = { 0 };

    *why =
        "is no view: call, state, function or line, rank or thread, region or iteration, or one of "
        "each; communicator, peer";
    if (prvcut_profile_views(argument, &c->by, &err) == PRVCUT_OK)
        return true;
    snprintf(c->why, sizeof c->why, "does not go together: %.120s", err.text);
    *why = c->by != 0 ? c->why : *why;
    return false;
}

bool cli_set_top(struct cli *c, const char *argument, const char **why)
{
    unsigned long n;

    *why = "is not a number from 1 to 1000000";
    if (!set_number(argument, 1, TOP_LIMIT, &n))
        return false;
    c->top = n;
    return true;
}

bool cli_set_bins(struct cli *c, const char *argument, const char **why)
{
    unsigned long n;

    *why = "is not a number from 1 to 16777216";
    if (!set_number(argument, 1, BINS_LIMIT, &n))
        return false;
    c->bins = n;
    return true;
}

/* The library knows them, and their ranges. */
bool cli_set_parameters(struct cli *c, const char *argument, const char **why)
{
    struct prvcut_error err = { .status = PRVCUT_OK };

    prvcut_parameters_free(c->set);
    if (prvcut_parameters_make(&c->set, argument, &err) == PRVCUT_OK)
        return true;
    snprintf(c->why, sizeof c->why, "is refused: %.140s", err.text);
    *why = c->why;
    return false;
}

bool cli_set_show(struct cli *c, const char *argument, const char **why)
{
    const size_t length = strcspn(argument, ":");

    *why = "is no step of the method; 'prvcut signal --help' lists them";
    for (size_t i = 0; prvcut_signal_step_name(i); i++)
        if (strlen(prvcut_signal_step_name(i)) == length &&
            strncmp(argument, prvcut_signal_step_name(i), length) == 0)
            c->show = argument;
    return c->show != NULL;
}

bool cli_set_from(struct cli *c, const char *argument, const char **why)
{
    c->from = argument;
    return cli_is_time(c, argument, why);
}

bool cli_set_to(struct cli *c, const char *argument, const char **why)
{
    c->to = argument;
    if (cli_is_time(c, argument, why))
        return true;
    /* In other programs it names a format. */
    if (c->command->bit == CLI_CONVERT && *argument >= 'a' && *argument <= 'z')
        *why = "is not a time such as 1.5ms; -O names a format";
    return false;
}

bool cli_set_period(struct cli *c, const char *argument, const char **why)
{
    c->period = argument;
    return cli_is_time(c, argument, why);
}

/* The older word asks for what is the default by now. */
bool cli_set_align_clocks(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->own_clocks = false;
    return true;
}

bool cli_set_align(struct cli *c, const char *argument, const char **why)
{
    static const char *const words[] = { [PRVCUT_ALIGN_AUTO] = "auto",
                                         [PRVCUT_ALIGN_CALLS] = "calls",
                                         [PRVCUT_ALIGN_STRAIGHT] = "straight" };
    const size_t i = cli_word_of(argument, words, sizeof words / sizeof *words);

    *why = "is not auto, calls or straight";
    if (i != SIZE_MAX)
        c->align = (enum prvcut_align)i;
    return i != SIZE_MAX;
}

bool cli_set_format(struct cli *c, const char *argument, const char **why)
{
    *why = "is no format; 'prvcut formats' lists them";
    c->format = argument;
    return *argument != '\0';
}

bool cli_set_tasks(struct cli *c, const char *argument, const char **why)
{
    *why = "is not a list of tasks such as 1-4,7";
    c->tasks = argument;
    return *argument >= '1' && *argument <= '9';
}

bool cli_set_messages(struct cli *c, const char *argument, const char **why)
{
    *why = "is not drop or keep";
    c->keep_messages = strcmp(argument, "keep") == 0;
    return c->keep_messages || strcmp(argument, "drop") == 0;
}

bool cli_set_role(struct cli *c, const char *argument, const char **why)
{
    const char **grown = cli_room((c->roles + 2) * sizeof *grown);

    *why = "cannot be kept: out of memory";
    if (!grown)
        return false;
    if (c->roles > 0)
        memcpy(grown, c->role, c->roles * sizeof *grown);
    free(c->role);
    c->role = grown;
    c->role[c->roles++] = argument;
    c->role[c->roles] = NULL;
    *why = "is not a role, '=' and event types or states";
    return strchr(argument, '=') != NULL;
}

bool cli_set_compress(struct cli *c, const char *argument, const char **why)
{
    static const char *const words[] = { "gz", "zst", "none" };
    const size_t i = cli_word_of(argument, words, sizeof words / sizeof *words);

    *why = "is not gz, zst or none";
    if (i == SIZE_MAX)
        return false;
    c->compress = words[i];
    return true;
}

bool cli_set_threads(struct cli *c, const char *argument, const char **why)
{
    unsigned long n;

    *why = "is not a number from 0 to 1024";
    if (!set_number(argument, 0, THREADS_LIMIT, &n))
        return false;
    c->threads = (int)n;
    return true;
}

bool cli_set_progress(struct cli *c, const char *argument, const char **why)
{
    *why = "is not json, the only value";
    c->progress = CLI_ALWAYS;
    c->progress_json = argument != NULL;
    return !argument || strcmp(argument, "json") == 0;
}

bool cli_set_no_progress(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->progress = CLI_NEVER;
    return true;
}

bool cli_set_color(struct cli *c, const char *argument, const char **why)
{
    static const char *const words[] = { "auto", "always", "never" };
    const size_t i = cli_word_of(argument, words, sizeof words / sizeof *words);

    *why = "is not auto, always or never";
    if (i == SIZE_MAX)
        return false;
    c->color = (enum cli_when)i;
    return true;
}

/* Whoever asks for more than one kind of help gets the fullest. */
bool cli_set_help(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    c->help = CLI_HELP_FULL;
    return true;
}

bool cli_set_usage(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    if (c->help == CLI_HELP_NONE)
        c->help = CLI_HELP_SHORT;
    return true;
}

bool cli_set_version(struct cli *c, const char *argument, const char **why)
{
    (void)argument, (void)why;
    if (c->help != CLI_HELP_FULL)
        c->help = CLI_HELP_VERSION;
    return true;
}

bool cli_set_log(struct cli *c, const char *value, const char **why)
{
    static const char *const words[] = { "error", "warn", "info", "debug" };
    const size_t i = cli_word_of(value, words, sizeof words / sizeof *words);

    *why = "is not error, warn, info or debug";
    if (i == SIZE_MAX)
        return false;
    c->log = (enum cli_log)i;
    return true;
}

bool cli_set_no_color(struct cli *c, const char *value, const char **why)
{
    (void)value, (void)why;
    c->color = CLI_NEVER;
    return true;
}
