#include "completion.h"
#include "options.h"

#include <string.h>

/* True for the first row of its name: rows of one name differ in commands and help only. */
static bool bash_first(size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (strcmp(cli_options[i].name, cli_options[row].name) == 0)
            return false;
    return true;
}

/* "--name|-n", the pattern of a case. */
static void bash_pattern(const struct cli_option *o)
{
    printf("--%s", o->name);
    if (o->letter)
        printf("|-%c", o->letter);
}

/* The pattern of all options whose argument is the next word. */
static void bash_taking(void)
{
    const char *bar = "";

    for (size_t i = 0; i < cli_option_count; i++) {
        if (!bash_first(i) || !cli_option_demands(&cli_options[i]))
            continue;
        fputs(bar, stdout);
        bash_pattern(&cli_options[i]);
        bar = "|";
    }
}

static void bash_commands(const char *between)
{
    for (size_t i = 1; i < cli_command_count; i++)
        printf("%s%s", i > 1 ? between : "", cli_commands[i].name);
}

/* Which command it is: the first operand before the word under the cursor, if that names one. */
static void bash_find_command(void)
{
    fputs("    for ((i = 1; i < COMP_CWORD; i++)); do\n"
          "        case ${COMP_WORDS[i]} in\n"
          "            --) break ;;\n"
          "            ",
          stdout);
    bash_taking();
    fputs(")\n"
          "                ((i++))\n"
          "                [[ ${COMP_WORDS[i]} == '=' ]] && ((i++)) ;;\n"
          "            -*|=) ;;\n"
          "            ",
          stdout);
    bash_commands("|");
    fputs(") command=${COMP_WORDS[i]}; break ;;\n"
          "            *) command=-; break ;;\n"
          "        esac\n"
          "    done\n",
          stdout);
}

static void bash_argument(const struct cli_option *o)
{
    char words[CMP_ROOM];

    fputs("        ", stdout);
    bash_pattern(o);
    if (cmp_kind(o->argument) == CMP_FILE)
        fputs(") compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", stdout);
    else
        printf(") COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n",
               cmp_words(words, o->argument));
}

static void bash_arguments(void)
{
    fputs("    case $prev in\n", stdout);
    for (size_t i = 0; i < cli_option_count; i++)
        if (bash_first(i) && cli_options[i].argument &&
            (cli_option_demands(&cli_options[i]) || cmp_kind(cli_options[i].argument) == CMP_WORDS))
            bash_argument(&cli_options[i]);
    fputs("    esac\n", stdout);
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

void cmp_bash(void)
{
    fputs("# Completion of prvcut's command lines; printed by 'prvcut help completion bash'.\n"
          "_prvcut()\n"
          "{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command='' words='' i\n"
          "    COMPREPLY=()\n"
          "    if [[ $cur == '=' ]]; then\n"
          "        cur=''\n"
          "    elif [[ $prev == '=' ]]; then\n"
          "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    elif [[ $prev == '--progress' ]]; then\n"
          "        prev=''\n"
          "    fi\n",
          stdout);
    bash_find_command();
    bash_arguments();
    fputs("    case ${command#-} in\n", stdout);
    for (size_t i = 0; i < cli_command_count; i++)
        bash_options(&cli_commands[i]);
    fputs("    esac\n"
          "    if [[ $cur == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "        return\n"
          "    fi\n"
          "    case $command in\n"
          "        help) COMPREPLY=($(compgen -W '",
          stdout);
    bash_commands(" ");
    printf(" metrics completion %s' -- \"$cur\")); return ;;\n", cli_shells);
    fputs("        formats) return ;;\n"
          "        '') COMPREPLY=($(compgen -W '",
          stdout);
    bash_commands(" ");
    fputs("' -- \"$cur\")) ;;\n"
          "    esac\n"
          "    compopt -o filenames\n"
          "    COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
          "}\n"
          "complete -F _prvcut prvcut\n",
          stdout);
}
