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

/* When it is offered: with that command, or with none, also once a trace is named; by the name that
   the command's program has, always. */
static void fish_condition(const struct cli_command *command, bool alias)
{
    if (alias)
        printf("complete -c %s", cmp_alias);
    else
        printf("complete -c prvcut -n '__prvcut_is %s'",
               *command->name ? command->name : "none trace");
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
    else if (cmp_kind(o->argument) == CMP_ROLE)
        printf("'(string replace -r \\$ = %s)'", words);
    else
        fish_text(words);
}

static void fish_option(const struct cli_command *command, const struct cli_option *o, bool alias)
{
    fish_condition(command, alias);
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

/* What stands before the word under the cursor: all operands; "trace" in place of a command where
   '--' ended the options first. */
static void fish_operands(void)
{
    printf("function __prvcut_operands\n"
           "    set -l words (commandline -opc)\n"
           "    set -l found\n"
           "    string match -qr '(^|/)%s$' -- $words[1]; and set found %s\n",
           cmp_alias, cmp_alias);
    fputs("    set -e words[1]\n"
          "    while set -q words[1]\n"
          "        switch $words[1]\n"
          "            case '--'\n"
          "                set -q found[1]; or set found trace\n"
          "                set -a found $words[2..-1]\n"
          "                break\n"
          "            case ",
          stdout);
    cmp_put_demanding(" ");
    fputs("\n"
          "                set -e words[1]\n"
          "            case -\n"
          "                set -a found -\n"
          "            case '-*'\n"
          "            case '*'\n"
          "                set -a found $words[1]\n"
          "        end\n"
          "        set -e words[1]\n"
          "    end\n"
          "    set -q found[1]; and printf '%s\\n' $found\n"
          "end\n",
          stdout);
}

/* The command, which is the first operand if that names one; "trace" if it does not; "none" without
   operands. */
static void fish_find_command(void)
{
    fish_operands();
    fputs("function __prvcut_command\n"
          "    switch (__prvcut_operands)[1]\n"
          "        case ''\n"
          "            echo none\n"
          "        case ",
          stdout);
    cmp_put_commands(" ");
    fputs("\n"
          "            echo (__prvcut_operands)[1]\n"
          "        case '*'\n"
          "            echo trace\n"
          "    end\n"
          "end\n"
          "function __prvcut_is\n"
          "    contains -- (__prvcut_command) $argv\n"
          "end\n",
          stdout);
}

/* Traces and folders; what is called otherwise where there are none. Behind the trace of a command
   that takes two files, all. */
static void fish_traces(void)
{
    fputs("function __prvcut_traces\n"
          "    set -l all (__fish_complete_path (commandline -ct))\n"
          "    set -l some (string match -r '.*(?:/|\\.(?:",
          stdout);
    cmp_put_suffixes("|");
    fputs("))(?:\\t.*)?$' -- $all)\n"
          "    set -q some[1]; and set all $some\n"
          "    set -q all[1]; and printf '%s\\n' $all\n"
          "end\n"
          "function __prvcut_wants_trace\n"
          "    switch (__prvcut_command)\n"
          "        case",
          stdout);
    for (size_t i = 1; i < cli_command_count; i++)
        if (!cmp_takes_trace(&cli_commands[i]))
            printf(" %s", cli_commands[i].name);
    fputs("\n"
          "            return 1\n"
          "        case",
          stdout);
    for (size_t i = 1; i < cli_command_count; i++)
        if (cmp_takes_second(&cli_commands[i]))
            printf(" %s", cli_commands[i].name);
    printf("\n"
           "            test (count (__prvcut_operands)) -lt 2\n"
           "    end\n"
           "end\n"
           "complete -c prvcut -f -n __prvcut_wants_trace -a '(__prvcut_traces)'\n"
           "complete -c %s -f -n __prvcut_wants_trace -a '(__prvcut_traces)'\n",
           cmp_alias);
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
    fish_traces();
    for (size_t i = 0; i < cli_command_count; i++)
        for (size_t k = 0; k < cli_option_count; k++)
            if (cli_options[k].commands & cli_commands[i].bit)
                fish_option(&cli_commands[i], &cli_options[k], false);
    for (size_t k = 0; k < cli_option_count; k++)
        if (cli_options[k].commands & CLI_CSV)
            fish_option(NULL, &cli_options[k], true);
}
