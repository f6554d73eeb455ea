#include "completion.h"

#include <string.h>

/*
 * What stands before the word under the cursor: the command, which is the first operand if that
 * names one and '-' if not, and whether '--' ended the options.
 */
static void bash_find_command(void)
{
    printf("    [[ ${COMP_WORDS[0]##*/} == %s ]] && command=%s\n", cmp_alias, cmp_alias);
    fputs("    for ((i = 1; i < COMP_CWORD; i++)); do\n"
          "        case ${COMP_WORDS[i]} in\n"
          "            --) plain=yes; ((operands += COMP_CWORD - i - 1)); break ;;\n"
          "            =) ((i++)) ;;\n"
          "            ",
          stdout);
    cmp_put_demanding("|");
    fputs(")\n"
          "                ((i++))\n"
          "                [[ ${COMP_WORDS[i]} == '=' ]] && ((i++)) ;;\n"
          "            -?*) ;;\n"
          "            ",
          stdout);
    cmp_put_commands("|");
    fputs(") [[ $command ]] && ((operands++)); command=${command:-${COMP_WORDS[i]}} ;;\n"
          "            *) command=${command:--}; ((operands++)) ;;\n"
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
        fputs(") _prvcut_files; return ;;\n", stdout);
    else if (cmp_kind(o->argument) == CMP_ROLE)
        printf(") compopt -o nospace; COMPREPLY=($(compgen -S = -W '%s' -- \"$cur\")); return ;;\n",
               words);
    else if (cmp_is_list(o))
        printf(") _prvcut_list '%s'; return ;;\n", words);
    else if (*words)
        printf(") COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", words);
    else
        fputs(") return ;;\n", stdout);
}

/* True where other words may stand for it than for the first row of its name. */
static bool bash_differs(const struct cli_option *o)
{
    const struct cli_option *first = cli_options;
    char words[CMP_ROOM], usual[CMP_ROOM];

    while (strcmp(first->name, o->name) != 0)
        first++;
    return strcmp(cmp_words(words, o), cmp_words(usual, first)) != 0;
}

static void bash_argument_of_commands(const struct cli_option *o)
{
    const char *before = "        ";

    for (size_t i = 0; i < cli_command_count; i++) {
        if (!(cli_commands[i].bit & o->commands))
            continue;
        bash_pattern(cli_commands[i].name, o, before);
        before = "|";
    }
    bash_argument(o);
}

/* What holds for some commands only comes first. */
static void bash_arguments(void)
{
    fputs("    case ${plain:-${command#-}:$prev} in\n", stdout);
    for (size_t i = 0; i < cli_option_count; i++)
        if (!cmp_first(i) && cli_options[i].argument && bash_differs(&cli_options[i]))
            bash_argument_of_commands(&cli_options[i]);
    for (size_t i = 0; i < cli_option_count; i++) {
        if (!cmp_first(i) || !cli_options[i].argument)
            continue;
        bash_pattern("*", &cli_options[i], "        ");
        bash_argument(&cli_options[i]);
    }
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

/* A name may hold blanks, so that it is a line, not a word; metrics stand in a list. */
static void bash_helpers(void)
{
    fputs("_prvcut_files()\n"
          "{\n"
          "    compopt -o filenames -o default\n"
          "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -f -- \"$cur\")\n"
          "}\n"
          "# Traces and folders; any file where there are none.\n"
          "_prvcut_traces()\n"
          "{\n"
          "    local name traces=()\n"
          "    while IFS= read -r name; do\n"
          "        [[ -d $name || $name == *.@(",
          stdout);
    cmp_put_suffixes("|");
    fputs(") ]] && traces+=(\"$name\")\n"
          "    done < <(compgen -f -- \"$cur\")\n"
          "    if ((${#traces[@]})); then\n"
          "        compopt -o filenames\n"
          "        COMPREPLY+=(\"${traces[@]}\")\n"
          "    else\n"
          "        _prvcut_files\n"
          "    fi\n"
          "}\n"
          "_prvcut_list()\n"
          "{\n"
          "    COMPREPLY=($(compgen -P \"${cur%\"${cur##*,}\"}\" -W \"$1\" -- \"${cur##*,}\"))\n"
          "}\n",
          stdout);
}

static void bash_operands(void)
{
    const char *before = "";

    fputs("    case $command in\n"
          "        help)\n"
          "            case $prev in\n"
          "                help) words='",
          stdout);
    cmp_put_commands(" ");
    printf(" %s' ;;\n"
           "                completion) words='%s' ;;\n"
           "                *) words='' ;;\n"
           "            esac\n"
           "            COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
           "            return ;;\n"
           "        formats) return ;;\n"
           "        '') [[ $plain ]] || COMPREPLY=($(compgen -W '",
           cmp_topics, cli_shells);
    cmp_put_commands(" ");
    fputs("' -- \"$cur\")) ;;\n"
          "        ",
          stdout);
    for (size_t i = 0; i < cli_command_count; i++) {
        if (cmp_takes_second(&cli_commands[i])) {
            printf("%s%s", before, cli_commands[i].name);
            before = "|";
        }
    }
    fputs(") ((operands)) && { _prvcut_files; return; } ;;\n"
          "    esac\n"
          "    _prvcut_traces\n",
          stdout);
}

void cmp_bash(void)
{
    fputs("# Completion of prvcut's command lines; printed by 'prvcut help completion bash'.\n",
          stdout);
    bash_helpers();
    fputs("_prvcut()\n"
          "{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command='' plain='' words='' operands=0 i\n"
          "    COMPREPLY=()\n"
          "    if [[ $cur == '=' ]]; then\n"
          "        cur='' prev+='='\n"
          "    elif [[ $prev == '=' ]]; then\n"
          "        prev=${COMP_WORDS[COMP_CWORD-2]}=\n"
          "    fi\n",
          stdout);
    bash_find_command();
    bash_arguments();
    fputs("    case ${command#-} in\n", stdout);
    for (size_t i = 0; i < cli_command_count; i++)
        bash_options(&cli_commands[i]);
    fputs("    esac\n"
          "    if [[ -z $plain && $cur == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "        return\n"
          "    fi\n",
          stdout);
    bash_operands();
    printf("}\n"
           "complete -F _prvcut prvcut %s\n",
           cmp_alias);
}
