#include "answer.h"
#include "completion.h"
#include "options.h"

#include "prvcut/json.h"

#include <stdlib.h>
#include <string.h>

static const char intro[] =
    "prvcut finds the loop of a traced parallel program and cuts out two typical\n"
    "iterations. It also converts traces between formats.\n";

/* Columns of a line, and those that the names of options take at most. */
#define WIDTH     80
#define HEAD_MOST 32

/* The words of a text, from that column on and under each other; single ends of lines are blanks.
 */
static void hlp_wrapped(FILE *to, const char *text, size_t indent)
{
    size_t at = indent;

    for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
        const size_t word = strcspn(text, " \n");

        if (at > indent && at + 1 + word > WIDTH) {
            fprintf(to, "\n%*s", (int)indent, "");
            at = indent;
        }
        at += (size_t)fprintf(to, "%s%.*s", at > indent ? " " : "", (int)word, text);
        text += word;
    }
    fputc('\n', to);
}

/* "  -o, --output FILE", as long as it gets. */
static int hlp_option_head(char *out, size_t room, const struct cli_option *o)
{
    const char letter[] = { '-', o->letter, ',', '\0' };

    return snprintf(out, room, "  %-3s --%s%s%s", o->letter ? letter : "", o->name,
                    cli_option_demands(o) ? " " : "", o->argument ? o->argument : "");
}

static void hlp_options(FILE *to, unsigned command)
{
    char head[80];
    int width = 0;

    for (size_t i = 0; i < cli_option_count; i++) {
        const int n = hlp_option_head(head, sizeof head, &cli_options[i]);

        if ((cli_options[i].commands & command) && n > width && n <= HEAD_MOST)
            width = n;
    }
    fputs("Options:\n", to);
    for (size_t i = 0; i < cli_option_count; i++) {
        if (!(cli_options[i].commands & command))
            continue;
        if (hlp_option_head(head, sizeof head, &cli_options[i]) > width)
            fprintf(to, "%s\n%*s", head, width + 2, "");
        else
            fprintf(to, "%-*s  ", width, head);
        hlp_wrapped(to, cli_options[i].help, (size_t)width + 2);
    }
}

static void hlp_commands(FILE *to)
{
    fputs("Commands:\n", to);
    for (size_t i = 1; i < cli_command_count; i++)
        fprintf(to, "  %-12s  %s\n", cli_commands[i].name, cli_commands[i].summary);
}

static void hlp_synopsis(FILE *to, const struct cli_command *command)
{
    fprintf(to, "Usage: %s %s\n", command->synopsis, command->operands);
    if (command->bit == CLI_REDUCE)
        fputs("       prvcut COMMAND [OPTIONS] ...\n", to);
}

void cli_usage(FILE *to)
{
    hlp_synopsis(to, &cli_commands[0]);
    fputc('\n', to);
    hlp_commands(to);
    fputs("\n'prvcut --help' lists the options, 'prvcut help COMMAND' those of a command.\n", to);
}

static void hlp_examples(FILE *to, const struct cli_command *command)
{
    fputs("Examples:\n", to);
    for (const char *at = command->examples; *at; at += strcspn(at, "\n") + 1)
        fprintf(to, "  %.*s\n", (int)strcspn(at, "\n"), at);
}

/* Variables set defaults of what a command works with; the short commands have none of these. */
static void hlp_variables(FILE *to)
{
    fputs("Environment:\n", to);
    for (size_t i = 0; i < cli_variable_count; i++)
        fprintf(to, "  %s=%s  %s\n", cli_variables[i].name, cli_variables[i].argument,
                cli_variables[i].help);
    fputc('\n', to);
}

/* The page of the program as a whole explains them all. */
static void hlp_statuses(FILE *to, unsigned command)
{
    fputs("\nExit status:\n", to);
    for (size_t i = 0; i < cli_status_count; i++)
        if (command == CLI_REDUCE || (cli_statuses[i].commands & command))
            fprintf(to, "  %d  %s\n", (int)cli_statuses[i].status, cli_statuses[i].words);
}

static void hlp_short(FILE *to, const struct cli_command *command)
{
    if (command->bit == CLI_REDUCE) {
        hlp_synopsis(to, command);
        fputc('\n', to);
        hlp_commands(to);
    } else {
        hlp_synopsis(to, command);
    }
    fputc('\n', to);
    hlp_examples(to, command);
    fprintf(to, "\n'%s --help' lists the options%s.\n", command->synopsis,
            command->bit == CLI_REDUCE ? ", 'prvcut help COMMAND' those of a command" : "");
}

static void hlp_full(FILE *to, const struct cli_command *command)
{
    if (command->bit == CLI_REDUCE)
        fprintf(to, "%s\n", intro);
    hlp_synopsis(to, command);
    fputc('\n', to);
    if (*command->about) {
        hlp_wrapped(to, command->about, 0);
        fputc('\n', to);
    }
    if (command->bit == CLI_REDUCE) {
        fputs("TRACE is a Paraver .prv, plain or compressed (.gz, .zst), the .otf2 of an OTF2\n"
              "archive (Score-P, EZTrace), or an .otf; 'prvcut formats' lists all formats.\n\n",
              to);
        hlp_commands(to);
        fputc('\n', to);
    }
    hlp_options(to, command->bit);
    fputc('\n', to);
    if (command->bit == CLI_REDUCE)
        hlp_variables(to);
    hlp_examples(to, command);
    hlp_statuses(to, command->bit);
}

static enum cli_exit hlp_library(const struct cli *c,
                                 enum prvcut_status (*tell)(enum prvcut_form form, char **text,
                                                            struct prvcut_error *err))
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct cli_answer a;
    char *text = NULL;
    enum prvcut_status st = PRVCUT_OK;
    enum cli_exit e = cli_answer_start(c, PRVCUT_TEXT, &a);

    if (e == CLI_DONE)
        st = tell(a.form, &text, &err);
    if (st < 0)
        e = cli_failed(c, st, &err);
    else if (e == CLI_DONE)
        e = cli_answer_give(c, &a, text);
    cli_answer_fini(&a);
    return e;
}

/* As printed, or as the text of a JSON. Other options than --json are those of the command, which
   does not run. */
static enum cli_exit hlp_text(const struct cli *c, const struct cli_command *command,
                              void (*put)(FILE *to, const struct cli_command *command))
{
    const struct cli alone = { .command = c->command,
                               .typed = c->typed,
                               .json = c->json,
                               .output = c->command->bit == CLI_HELP ? c->output : NULL,
                               .force = c->force };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct cli_answer a;
    char *text = NULL;
    size_t size = 0;
    FILE *to;
    enum cli_exit e = cli_answer_start(&alone, PRVCUT_TEXT, &a);

    if (e != CLI_DONE)
        return e;
    to = open_memstream(&text, &size);
    if (to)
        put(to, command);
    if (!to || fclose(to) != 0)
        e = cli_no_memory(c);
    else if (a.form == PRVCUT_JSON && prvcut_help_json(command->name, &text, &err) < 0)
        e = cli_failed(c, err.status, &err);
    if (e == CLI_DONE && (a.path || a.form == PRVCUT_JSON)) {
        e = cli_answer_give(&alone, &a, text);
        text = NULL;
    } else if (e == CLI_DONE) {
        e = cli_print(text);
    }
    free(text);
    cli_answer_fini(&a);
    return e;
}

enum cli_exit cli_help_asked(const struct cli *c)
{
    if (c->help == CLI_HELP_VERSION)
        return hlp_library(c, prvcut_version_tell);
    return hlp_text(c, c->command, c->help == CLI_HELP_FULL ? hlp_full : hlp_short);
}

static enum cli_exit hlp_completion(const struct cli *c)
{
    if (c->operands == 2 && cli_completion(c->operand[1]))
        return cli_print("");
    return cli_misuse(c, "completion bash", "completion for which shell? One of: %s", cli_shells);
}

enum cli_exit cli_help(struct cli *c)
{
    const char *topic = c->operands > 0 ? c->operand[0] : NULL;
    const struct cli_command *command = topic ? cli_command_find(topic) : &cli_commands[0];

    if (topic && strcmp(topic, "completion") == 0)
        return hlp_completion(c);
    if (c->operands > 1)
        return cli_misuse(c, "metrics", "one topic at a time, '%.200s' is one too many",
                          c->operand[1]);
    if (command && c->csv)
        return cli_misuse(c, "--csv metrics", "the help of a command is no table");
    if (command)
        return hlp_text(c, command, hlp_full);
    else if (strcmp(topic, "metrics") == 0)
        return hlp_library(c, prvcut_metrics_tell);
    else if (strcmp(topic, "parameters") == 0)
        return hlp_library(c, prvcut_parameters_tell);
    else if (strcmp(topic, "files") == 0)
        return hlp_library(c, prvcut_names_tell);
    else
        return cli_misuse(
            c, "", "no help on '%.200s'; the topics are commands, files, metrics and parameters",
            topic);
}
