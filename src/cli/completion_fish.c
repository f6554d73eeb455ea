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

/* When it is offered: with that command, or with none, also once a trace is named. */
static void fish_condition(const struct cli_command *command)
{
    printf("complete -c prvcut -n '__prvcut_is %s'", *command->name ? command->name : "none trace");
}

/* A list goes on behind its last comma. */
static void fish_words(const struct cli_option *o)
{
    char words[CMP_ROOM];

    if (!*cmp_words(words, o))
        return;
    fputs(" -a ", stdout);
    if (cmp_is_list(o))
        printf("'(__fish_append , %s)'", words);
    else
        fish_text(words);
}

static void fish_option(const struct cli_command *command, const struct cli_option *o)
{
    fish_condition(command);
    printf(" -l %s", o->name);
    if (o->letter)
        printf(" -s %c", o->letter);
    if (cmp_kind(o->argument) == CMP_FILE)
        fputs(" -r -F", stdout);
    else if (cli_option_demands(o))
        fputs(" -x", stdout);
    else if (o->argument)
        fputs(" -f", stdout);
    fish_words(o);
    fputs(" -d ", stdout);
    fish_text(o->help);
    putchar('\n');
}

/*
 * What stands before the word under the cursor: the command, which is the first operand if that
 * names one; "trace" if it does not, or "--" ended the options; "none" without operands.
 */
static void fish_find_command(void)
{
    fputs("function __prvcut_command\n"
          "    set -l words (commandline -opc)[2..-1]\n"
          "    while set -q words[1]\n"
          "        switch $words[1]\n"
          "            case '--'\n"
          "                break\n"
          "            case ",
          stdout);
    cmp_put_demanding(" ");
    fputs("\n"
          "                set -e words[1]\n"
          "            case -\n"
          "                break\n"
          "            case '-*'\n"
          "            case ",
          stdout);
    cmp_put_commands(" ");
    fputs("\n"
          "                echo $words[1]\n"
          "                return\n"
          "            case '*'\n"
          "                break\n"
          "        end\n"
          "        set -e words[1]\n"
          "    end\n"
          "    set -q words[1]; and echo trace; or echo none\n"
          "end\n"
          "function __prvcut_is\n"
          "    contains -- (__prvcut_command) $argv\n"
          "end\n",
          stdout);
}

static void fish_topics(void)
{
    static const char when[] = "complete -c prvcut -f -n '__prvcut_is help";

    printf("%s; and test (commandline -opc)[-1] = help' -a '%s ", when, cmp_topics);
    cmp_put_commands(" ");
    printf("'\n"
           "%s; and test (commandline -opc)[-1] = completion' -a '%s'\n"
           "complete -c prvcut -f -n '__prvcut_is help formats'\n",
           when, cli_shells);
}

void cmp_fish(void)
{
    fputs("# Completion of prvcut's command lines; printed by 'prvcut help completion fish'.\n",
          stdout);
    fish_find_command();
    for (size_t i = 1; i < cli_command_count; i++) {
        printf("complete -c prvcut -n '__prvcut_is none' -a %s -d ", cli_commands[i].name);
        fish_text(cli_commands[i].summary);
        putchar('\n');
    }
    fish_topics();
    for (size_t i = 0; i < cli_command_count; i++)
        for (size_t k = 0; k < cli_option_count; k++)
            if (cli_options[k].commands & cli_commands[i].bit)
                fish_option(&cli_commands[i], &cli_options[k]);
}
