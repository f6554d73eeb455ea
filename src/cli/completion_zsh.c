#include "completion.h"
#include "options.h"

#include <string.h>

/* Inside quotes, what _arguments would read as its own. */
static void zsh_text(const char *text, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\'", stdout);
        else if (strchr(special, *text))
            putchar('\\');
        putchar(*text);
    }
}

static void zsh_argument(const struct cli_option *o)
{
    char words[CMP_ROOM];

    if (!o->argument)
        return;
    fputs(cli_option_demands(o) ? ":" : "::", stdout);
    zsh_text(o->argument, ":[]\\");
    if (cmp_kind(o->argument) == CMP_FILE)
        fputs(":_files", stdout);
    else if (!*cmp_words(words, o))
        fputs(": ", stdout);
    else if (cmp_kind(o->argument) == CMP_ROLE)
        printf(":compadd -S = -- %s", words);
    else if (cmp_is_list(o))
        printf(":_values -s , value %s", words);
    else
        printf(":(%s)", words);
}

/* One option in one of its forms; a second form takes the place of the first. */
static void zsh_option(const struct cli_option *o, bool letter)
{
    fputs("            '", stdout);
    if (strstr(o->help, "repeatable"))
        putchar('*');
    else if (o->letter)
        printf("(-%c --%s)", o->letter, o->name);
    if (letter)
        printf("-%c%s", o->letter, o->argument ? "+" : "");
    else
        printf("--%s%s", o->name, !o->argument ? "" : cli_option_demands(o) ? "=" : "=-");
    putchar('[');
    zsh_text(o->help, ":[]\\");
    putchar(']');
    zsh_argument(o);
    fputs("'\n", stdout);
}

static void zsh_options(const struct cli_command *command)
{
    printf("        '%s') options=(\n", command->name);
    for (size_t i = 0; i < cli_option_count; i++) {
        if (!(cli_options[i].commands & command->bit))
            continue;
        if (cli_options[i].letter)
            zsh_option(&cli_options[i], true);
        zsh_option(&cli_options[i], false);
    }
    fputs("        ) ;;\n", stdout);
}

/*
 * What stands before the word under the cursor: the command, which is the first operand if that
 * names one and '-' if not, and whether '--' ended the options.
 */
static void zsh_find_command(void)
{
    printf("    [[ ${words[1]:t} == %s ]] && command=%s\n", cmp_alias, cmp_alias);
    fputs("    for ((i = 2; i < CURRENT; i++)); do\n"
          "        case ${words[i]} in\n"
          "            (--) plain=yes; ((operands += CURRENT - i - 1)); break ;;\n"
          "            (",
          stdout);
    cmp_put_demanding("|");
    fputs(") ((i++)) ;;\n"
          "            (-?*) ;;\n"
          "            (",
          stdout);
    cmp_put_commands("|");
    fputs(") [[ -n $command ]] && ((operands++)); command=${command:-${words[i]}} ;;\n"
          "            (*) command=${command:--}; ((operands++)) ;;\n"
          "        esac\n"
          "    done\n",
          stdout);
}

static void zsh_commands(void)
{
    fputs("    local -a commands=(\n", stdout);
    for (size_t i = 1; i < cli_command_count; i++) {
        printf("        '%s:", cli_commands[i].name);
        zsh_text(cli_commands[i].summary, ":\\");
        fputs("'\n", stdout);
    }
    fputs("    )\n", stdout);
}

/* What may stand for an operand, where that is not a file alone. */
static void zsh_helpers(void)
{
    fputs("_prvcut_traces()\n"
          "{\n"
          "    _files -g '*.(",
          stdout);
    cmp_put_suffixes("|");
    fputs(")(-.)'\n"
          "}\n"
          "_prvcut_first()\n"
          "{\n",
          stdout);
    zsh_commands();
    printf("    _describe -t commands command commands\n"
           "    _prvcut_traces\n"
           "}\n"
           "_prvcut_topic()\n"
           "{\n"
           "    case ${words[CURRENT-1]} in\n"
           "        (help) compadd %s ",
           cmp_topics);
    cmp_put_commands(" ");
    printf(" ;;\n"
           "        (completion) compadd %s ;;\n"
           "        (*) return 1 ;;\n"
           "    esac\n"
           "}\n",
           cli_shells);
}

/* The first use of an autoloaded file is a call of the function in it; a sourced one is none. */
void cmp_zsh(void)
{
    const char *before = "";

    printf("#compdef prvcut %s\n"
           "# Completion of prvcut's command lines; printed by 'prvcut help completion zsh'.\n",
           cmp_alias);
    zsh_helpers();
    fputs("_prvcut()\n"
          "{\n"
          "    local command='' plain='' operand='*:trace:_prvcut_traces' i operands=0\n"
          "    local -a options\n",
          stdout);
    zsh_find_command();
    fputs("    case ${command#-} in\n", stdout);
    for (size_t i = 0; i < cli_command_count; i++)
        zsh_options(&cli_commands[i]);
    fputs("    esac\n"
          "    case $command in\n"
          "        ('') [[ -n $plain ]] || operand='*:command or trace:_prvcut_first' ;;\n"
          "        (help) operand='*:topic:_prvcut_topic' ;;\n"
          "        (formats) operand='*:nothing more: ' ;;\n"
          "        (",
          stdout);
    for (size_t i = 0; i < cli_command_count; i++) {
        if (cmp_takes_second(&cli_commands[i])) {
            printf("%s%s", before, cli_commands[i].name);
            before = "|";
        }
    }
    fputs(") ((operands)) && operand='*:file:_files' ;;\n"
          "    esac\n"
          "    _arguments -s -S $options $operand\n"
          "}\n"
          "if [[ ${funcstack[1]} == _prvcut ]]; then\n"
          "    _prvcut \"$@\"\n"
          "else\n"
          "    compdef _prvcut prvcut ",
          stdout);
    printf("%s\nfi\n", cmp_alias);
}
