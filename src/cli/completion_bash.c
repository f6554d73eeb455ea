#include "completion.h"

#include <string.h>

/*
 * What stands before the word under the cursor: the command, which is the first operand if that
 * names one and '-' if not, and whether '--' ended the options.
 */
static void bash_find_command(void)
{
    fputs("    for ((i = 1; i < COMP_CWORD; i++)); do\n"
          "        case ${COMP_WORDS[i]} in\n"
          "            --) plain=yes; break ;;\n"
          "            =) ((i++)) ;;\n"
          "            ",
          stdout);
    cmp_put_demanding("|");
    fputs(")\n"
          "                ((i++))\n"
          "                [[ ${COMP_WORDS[i]} == '=' ]] && ((i++)) ;;\n"
          "            -*) ;;\n"
          "            ",
          stdout);
    cmp_put_commands("|");
    fputs(") command=${command:-${COMP_WORDS[i]}} ;;\n"
          "            *) command=${command:--} ;;\n"
          "        esac\n"
          "    done\n",
          stdout);
}

/* "signal:--name|signal:--name=|signal:-n", the pattern of a case; one that may lack its argument
   has it behind '=' only. */
static void bash_pattern(const char *command, const struct cli_option *o, const char *before)
{
    printf("%s%s:--%s=", before, command, o->name);
    if (cli_option_demands(o))
        printf("|%s:--%s", command, o->name);
    if (cli_option_demands(o) && o->letter)
        printf("|%s:-%c", command, o->letter);
}

static void bash_argument(const struct cli_option *o)
{
    char words[CMP_ROOM];

    cmp_words(words, o);
    if (cmp_kind(o->argument) == CMP_FILE)
        fputs(") _prvcut_files ;;\n", stdout);
    else if (cmp_kind(o->argument) == CMP_METRIC)
        printf(") _prvcut_list '%s' ;;\n", words);
    else if (*words)
        printf(") COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n", words);
    else
        fputs(") ;;\n", stdout);
}

/* True where the words are not those of the first row of the same name. */
static bool bash_differs(const struct cli_option *o)
{
    const struct cli_option *first = cli_options;
    char words[CMP_ROOM], others[CMP_ROOM];

    while (strcmp(first->name, o->name) != 0)
        first++;
    return strcmp(cmp_words(words, o), cmp_words(others, first)) != 0 ||
           cmp_kind(o->argument) != cmp_kind(first->argument);
}

/* Commands that differ come before what holds for all of them. */
static void bash_arguments(void)
{
    fputs("    case $plain${command#-}:$prev in\n", stdout);
    for (size_t i = 0; i < cli_option_count; i++) {
        const char *before = "        ";

        if (cmp_first(i) || !cli_options[i].argument || !bash_differs(&cli_options[i]))
            continue;
        for (size_t k = 0; k < cli_command_count; k++) {
            if (!(cli_commands[k].bit & cli_options[i].commands))
                continue;
            bash_pattern(cli_commands[k].name, &cli_options[i], before);
            before = "|";
        }
        bash_argument(&cli_options[i]);
    }
    fputs("        yes*) false ;;\n", stdout);
    for (size_t i = 0; i < cli_option_count; i++) {
        if (!cmp_first(i) || !cli_options[i].argument)
            continue;
        bash_pattern("*", &cli_options[i], "        ");
        bash_argument(&cli_options[i]);
    }
    fputs("        *) false ;;\n"
          "    esac && return\n",
          stdout);
}

static void bash_options(const struct cli_command *command)
{
    printf("        '%s') words='", command->name);
    for (size_t i = 0; i < cli_option_count; i++) {
        if (!(cli_options[i].commands & command->bit))
            continue;
        printf("--%s ", cli_options[i].name);
        if (cli_options[i].letter)
            printf("-%c ", cli_options[i].letter);
    }
    fputs("' ;;\n", stdout);
}
