#include "completion.h"

#include <stdlib.h>
#include <string.h>

const char cli_shells[] = "bash zsh fish";
const char cmp_topics[] = "metrics files completion";

/* What --drop takes, as the help has it, and what stands for that. */
#define KINDS "KIND[,KIND...]"
static const char kinds[] = "states events messages";

/* What --role takes, as the help has it. */
#define ROLES "ROLE=NUMBER[,...]"

const char cmp_alias[] = "csv-analysis";

bool cmp_takes_trace(const struct cli_command *command)
{
    return command->bit & (CLI_WORK | CLI_CSV | CLI_VERIFY);
}

bool cmp_takes_second(const struct cli_command *command)
{
    return command->bit & (CLI_CONVERT | CLI_CSV | CLI_DIFF);
}

void cmp_put_suffixes(const char *between)
{
    char suffix[16];

    for (size_t i = 0; prvcut_trace_suffix(suffix, i); i++)
        printf("%s%s", i > 0 ? between : "", suffix + 1);
}

bool cmp_is_list(const struct cli_option *option)
{
    const enum cmp_kind kind = cmp_kind(option->argument);

    return kind == CMP_METRIC || kind == CMP_LIST;
}

enum cmp_kind cmp_kind(const char *argument)
{
    if (!argument)
        return CMP_NOTHING;
    if (strcmp(argument, "FILE") == 0)
        return CMP_FILE;
    if (strcmp(argument, "FORMAT") == 0)
        return CMP_FORMAT;
    if (strcmp(argument, "M[,M...]") == 0)
        return CMP_METRIC;
    if (strcmp(argument, KINDS) == 0)
        return CMP_LIST;
    if (strcmp(argument, ROLES) == 0)
        return CMP_ROLE;
    for (const char *at = argument; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if ((*at >= 'a' && *at <= 'z') || *at == '[')
            return CMP_WORDS;
    return CMP_NOTHING;
}

static void cmp_add(char *out, const char *word, size_t length)
{
    const size_t used = strlen(out);

    if (used + length + 2 > CMP_ROOM)
        return;
    snprintf(out + used, CMP_ROOM - used, "%s%.*s", used > 0 ? " " : "", (int)length, word);
}

/* "all|longest|K", "time|instructions[=N]": what is in small letters stands for itself. */
static void cmp_add_choices(char *out, const char *argument)
{
    for (const char *at = argument + strspn(argument, "[="); *at;) {
        const size_t length = strcspn(at, "[|]");

        if (*at >= 'a' && *at <= 'z')
            cmp_add(out, at, length);
        at += length + (at[length] != '\0');
    }
}

/* The order of calls has a period, but is no signal. */
static void cmp_add_metrics(char *out, bool periods)
{
    static const char calls[] = "calls";

    for (size_t i = 0; prvcut_metric_name(i); i++)
        cmp_add(out, prvcut_metric_name(i), strlen(prvcut_metric_name(i)));
    if (periods)
        cmp_add(out, calls, sizeof calls - 1);
}

static void cmp_add_roles(char *out)
{
    for (size_t i = 0; prvcut_role_name(i); i++)
        cmp_add(out, prvcut_role_name(i), strlen(prvcut_role_name(i)));
}

/* The table of formats has one line each: name, read, cut, filter, mark, write. */
static void cmp_add_formats(char *out)
{
    struct prvcut_error err = { 0 };
    char *text = NULL;

    if (prvcut_formats_text(&text, &err) == PRVCUT_OK) {
        for (const char *line = strchr(text, '\n'); line && line[1] && line[1] != '\n';
             line = strchr(line + 1, '\n')) {
            char write[8] = "";

            if (sscanf(line + 1, "%*s %*s %*s %*s %*s %7s", write) == 1 &&
                strcmp(write, "yes") == 0)
                cmp_add(out, line + 1, strcspn(line + 1, " \n"));
        }
    }
    free(text);
}

char *cmp_words(char *out, const struct cli_option *option)
{
    *out = '\0';
    switch (cmp_kind(option->argument)) {
    case CMP_WORDS:
        cmp_add_choices(out, option->argument);
        break;
    case CMP_FORMAT:
        cmp_add_formats(out);
        break;
    case CMP_LIST:
        cmp_add(out, kinds, sizeof kinds - 1);
        break;
    case CMP_METRIC:
        cmp_add_metrics(out, !(option->commands & CLI_SIGNAL));
        break;
    case CMP_ROLE:
        cmp_add_roles(out);
        break;
    case CMP_NOTHING:
    case CMP_FILE:
        break;
    }
    return out;
}

bool cmp_first(size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (strcmp(cli_options[i].name, cli_options[row].name) == 0)
            return false;
    return true;
}

void cmp_put_commands(const char *between)
{
    for (size_t i = 1; i < cli_command_count; i++)
        printf("%s%s", i > 1 ? between : "", cli_commands[i].name);
}

void cmp_put_demanding(const char *between)
{
    const char *before = "";

    for (size_t i = 0; i < cli_option_count; i++) {
        if (!cmp_first(i) || !cli_option_demands(&cli_options[i]))
            continue;
        printf("%s--%s", before, cli_options[i].name);
        before = between;
        if (cli_options[i].letter)
            printf("%s-%c", between, cli_options[i].letter);
    }
}

bool cli_completion(const char *shell)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = { { "bash", cmp_bash }, { "zsh", cmp_zsh }, { "fish", cmp_fish } };

    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].print();
            return true;
        }
    }
    return false;
}
