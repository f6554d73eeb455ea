#include "completion.h"
#include "options.h"

/* In single quotes. */
static void fish_text(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

/* When it is offered: with that command, or with none. */
static void fish_condition(const struct cli_command *command)
{
    if (*command->name)
        printf("complete -c prvcut -n '__fish_seen_subcommand_from %s'", command->name);
    else
        fputs("complete -c prvcut -n 'not __fish_seen_subcommand_from $__prvcut_commands'", stdout);
}

static void fish_option(const struct cli_command *command, const struct cli_option *o)
{
    char words[CMP_ROOM];

    fish_condition(command);
    printf(" -l %s", o->name);
    if (o->letter)
        printf(" -s %c", o->letter);
    if (cmp_kind(o->argument) == CMP_FILE)
        fputs(" -r -F", stdout);
    else if (cli_option_demands(o))
        fputs(" -x", stdout);
    if (*cmp_words(words, o->argument)) {
        fputs(" -a ", stdout);
        fish_text(words);
    }
    fputs(" -d ", stdout);
    fish_text(o->help);
    putchar('\n');
}

void cmp_fish(void)
{
    fputs("# Completion of prvcut's command lines; printed by 'prvcut help completion fish'.\n"
          "set -g __prvcut_commands",
          stdout);
    for (size_t i = 1; i < cli_command_count; i++)
        printf(" %s", cli_commands[i].name);
    putchar('\n');
    for (size_t i = 1; i < cli_command_count; i++) {
        fish_condition(&cli_commands[0]);
        printf(" -a %s -d ", cli_commands[i].name);
        fish_text(cli_commands[i].summary);
        putchar('\n');
    }
    printf("complete -c prvcut -f -n '__fish_seen_subcommand_from help' "
           "-a \"$__prvcut_commands metrics completion %s\"\n"
           "complete -c prvcut -f -n '__fish_seen_subcommand_from formats'\n",
           cli_shells);
    for (size_t i = 0; i < cli_command_count; i++)
        for (size_t k = 0; k < cli_option_count; k++)
            if (cli_options[k].commands & cli_commands[i].bit)
                fish_option(&cli_commands[i], &cli_options[k]);
}
