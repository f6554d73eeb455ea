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
    else if (*cmp_words(words, o->argument))
        printf(":(%s)", words);
    else
        fputs(": ", stdout);
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

void cmp_zsh(void)
{
    fputs("#compdef prvcut\n"
          "# Completion of prvcut's command lines; printed by 'prvcut help completion zsh'.\n"
          "_prvcut()\n"
          "{\n"
          "    local command='' word\n"
          "    local -a options commands\n"
          "    commands=(\n",
          stdout);
    for (size_t i = 1; i < cli_command_count; i++) {
        printf("        '%s:", cli_commands[i].name);
        zsh_text(cli_commands[i].summary, ":\\");
        fputs("'\n", stdout);
    }
    fputs("    )\n"
          "    for word in ${words[2,CURRENT-1]}; do\n"
          "        if (( ${commands[(I)$word:*]} )); then\n"
          "            command=$word\n"
          "            break\n"
          "        fi\n"
          "    done\n"
          "    case $command in\n",
          stdout);
    for (size_t i = 0; i < cli_command_count; i++)
        zsh_options(&cli_commands[i]);
    fputs("    esac\n"
          "    if [[ -z $command && $PREFIX != -* ]]; then\n"
          "        _describe -t commands command commands\n"
          "    elif [[ $command == help ]]; then\n"
          "        _values topic ${commands%%:*} metrics completion ",
          stdout);
    printf("%s\n"
           "    fi\n"
           "    _arguments -s -S $options '*:file:_files'\n"
           "}\n"
           "_prvcut \"$@\"\n",
           cli_shells);
}
