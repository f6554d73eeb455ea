#include "tokens.h"

#include "setters.h"

#include <string.h>

static const struct cli_option *tok_by_name(const char *name, size_t length)
{
    for (size_t i = 0; i < cli_option_count; i++)
        if (strlen(cli_options[i].name) == length && memcmp(cli_options[i].name, name, length) == 0)
            return &cli_options[i];
    return NULL;
}

static const struct cli_option *tok_by_letter(char letter)
{
    for (size_t i = 0; i < cli_option_count; i++)
        if (cli_options[i].letter == letter)
            return &cli_options[i];
    return NULL;
}

const struct cli_option *cli_option_of(const struct cli_option *option, unsigned command)
{
    for (size_t i = 0; i < cli_option_count; i++)
        if ((cli_options[i].commands & command) && strcmp(cli_options[i].name, option->name) == 0)
            return &cli_options[i];
    return NULL;
}

/* Is a word one of our options, or the end of them? Then it is nobody's value: "--report -q". */
static bool tok_is_option(const char *word)
{
    if (word[0] != '-' || word[1] == '\0')
        return false;
    if (word[1] == '-')
        return word[2] == '\0' || tok_by_name(word + 2, strcspn(word + 2, "="));
    return word[2] == '\0' && tok_by_letter(word[1]);
}

static void tok_take_argument(struct cli_cursor *at, struct cli_token *t)
{
    if (at->next < at->argc && !tok_is_option(at->argv[at->next]))
        t->argument = at->argv[at->next++];
    else
        t->kind = CLI_TOKEN_NO_ARGUMENT;
}

static void tok_long(struct cli_cursor *at, const char *word, struct cli_token *t)
{
    const size_t length = strcspn(word + 2, "=");
    const char *value = word[2 + length] == '=' ? word + 2 + length + 1 : NULL;

    snprintf(t->text, sizeof t->text, "%.*s", (int)(length + 2 < 60 ? length + 2 : 60), word);
    t->option = tok_by_name(word + 2, length);
    t->argument = value;
    t->kind = !t->option                      ? CLI_TOKEN_UNKNOWN
              : value && !t->option->argument ? CLI_TOKEN_ARGUMENT
                                              : CLI_TOKEN_OPTION;
    if (t->kind == CLI_TOKEN_OPTION && cli_option_demands(t->option) && !value)
        tok_take_argument(at, t);
}

static void tok_short(struct cli_cursor *at, struct cli_token *t)
{
    const char letter = *at->letters++;

    snprintf(t->text, sizeof t->text, "-%c", letter);
    t->option = tok_by_letter(letter);
    t->kind = t->option ? CLI_TOKEN_OPTION : CLI_TOKEN_UNKNOWN;
    if (!t->option || !cli_option_demands(t->option))
        return;
    if (*at->letters)
        t->argument = at->letters;
    else
        tok_take_argument(at, t);
    at->letters = "";
}

enum cli_token_kind cli_token_next(struct cli_cursor *at, struct cli_token *t)
{
    const char *word;

    *t = (struct cli_token){ .kind = CLI_TOKEN_END };
    if (at->letters && *at->letters) {
        tok_short(at, t);
        return t->kind;
    }
    if (at->next >= at->argc)
        return CLI_TOKEN_END;
    word = at->argv[at->next++];
    if (!at->plain && strcmp(word, "--") == 0) {
        at->plain = true;
        return cli_token_next(at, t);
    }
    if (at->plain || word[0] != '-' || word[1] == '\0') {
        t->argument = word;
        t->kind = CLI_TOKEN_OPERAND;
    } else if (word[1] == '-') {
        tok_long(at, word, t);
    } else {
        at->letters = word + 1;
        tok_short(at, t);
    }
    return t->kind;
}

const char *cli_time_apart(const struct cli_token *t, const struct cli_cursor *at)
{
    const bool time = t->kind == CLI_TOKEN_OPTION && t->option->argument && t->argument &&
                      strcmp(t->option->argument, "TIME") == 0;

    return time && *t->argument && t->argument[strspn(t->argument, "0123456789.")] == '\0' &&
                   at->next < at->argc && cli_is_unit(at->argv[at->next])
               ? at->argv[at->next]
               : NULL;
}
