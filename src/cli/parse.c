#include "options.h"
#include "quote.h"
#include "suggest.h"

#include <stdlib.h>
#include <string.h>

/* Longest name of an option, with what surrounds it. */
#define PAR_NAME 40

/** A place in the command line. */
struct par_cursor {
    int argc, next;
    char **argv;
    const char *letters; /* rest of a group of short options, such as "f" of -nf */
    bool plain;          /* `--` was seen */
};

enum par_kind { PAR_END, PAR_OPERAND, PAR_OPTION, PAR_UNKNOWN, PAR_NO_ARGUMENT, PAR_ARGUMENT };

/** One thing of the command line. */
struct par_token {
    enum par_kind kind;
    const struct cli_option *option; /* any row of that name */
    char text[64];                   /* the option as it was typed, cut short */
    const char *argument;            /* or the operand */
};

static const struct cli_option *par_by_name(const char *name, size_t length)
{
    for (size_t i = 0; i < cli_option_count; i++)
        if (strlen(cli_options[i].name) == length && memcmp(cli_options[i].name, name, length) == 0)
            return &cli_options[i];
    return NULL;
}

static const struct cli_option *par_by_letter(char letter)
{
    for (size_t i = 0; i < cli_option_count; i++)
        if (cli_options[i].letter == letter)
            return &cli_options[i];
    return NULL;
}

/* The row of the same name that the command takes; NULL where it does not take it. */
static const struct cli_option *par_of_command(const struct cli_option *option, unsigned command)
{
    for (size_t i = 0; i < cli_option_count; i++)
        if ((cli_options[i].commands & command) && strcmp(cli_options[i].name, option->name) == 0)
            return &cli_options[i];
    return NULL;
}

static void par_take_argument(struct par_cursor *at, struct par_token *t)
{
    if (at->next < at->argc)
        t->argument = at->argv[at->next++];
    else
        t->kind = PAR_NO_ARGUMENT;
}

static void par_long(struct par_cursor *at, const char *word, struct par_token *t)
{
    const size_t length = strcspn(word + 2, "=");
    const char *value = word[2 + length] == '=' ? word + 2 + length + 1 : NULL;

    snprintf(t->text, sizeof t->text, "%.*s", (int)(length + 2 < 60 ? length + 2 : 60), word);
    t->option = par_by_name(word + 2, length);
    t->argument = value;
    t->kind = !t->option ? PAR_UNKNOWN : value && !t->option->argument ? PAR_ARGUMENT : PAR_OPTION;
    if (t->kind == PAR_OPTION && cli_option_demands(t->option) && !value)
        par_take_argument(at, t);
}

static void par_short(struct par_cursor *at, struct par_token *t)
{
    const char letter = *at->letters++;

    snprintf(t->text, sizeof t->text, "-%c", letter);
    t->option = par_by_letter(letter);
    t->kind = t->option ? PAR_OPTION : PAR_UNKNOWN;
    if (!t->option || !cli_option_demands(t->option))
        return;
    if (*at->letters)
        t->argument = at->letters;
    else
        par_take_argument(at, t);
    at->letters = "";
}

static enum par_kind par_next(struct par_cursor *at, struct par_token *t)
{
    const char *word;

    *t = (struct par_token){ .kind = PAR_END };
    if (at->letters && *at->letters) {
        par_short(at, t);
        return t->kind;
    }
    if (at->next >= at->argc)
        return PAR_END;
    word = at->argv[at->next++];
    if (!at->plain && strcmp(word, "--") == 0) {
        at->plain = true;
        return par_next(at, t);
    }
    if (at->plain || word[0] != '-' || word[1] == '\0') {
        t->argument = word;
        t->kind = PAR_OPERAND;
    } else if (word[1] == '-') {
        par_long(at, word, t);
    } else {
        at->letters = word + 1;
        par_short(at, t);
    }
    return t->kind;
}

/* Which command it is must be known before any option can be judged, and how failures are told. */
static void par_find_command(struct cli *c, int argc, char **argv)
{
    struct par_cursor at = { .argc = argc, .next = 1, .argv = argv };
    struct par_token t;
    bool operand = false;

    c->command = &cli_commands[0];
    while (par_next(&at, &t) != PAR_END) {
        c->json |= t.kind == PAR_OPTION && strcmp(t.option->name, "json") == 0;
        if (t.kind != PAR_OPERAND)
            continue;
        if (!operand && !at.plain && cli_command_find(t.argument))
            c->command = cli_command_find(t.argument);
        else
            c->operand[c->operands++] = argv[at.next - 1];
        operand = true;
    }
}

/* What stands behind that option in the fewest arguments that work. */
static const char *par_rest(const struct cli_command *command, const char *option)
{
    /* A region stands in place of a window. */
    const bool window = strcmp(option, "region") == 0 || strcmp(option, "iteration") == 0;
    /* And a named output in place of the second word. */
    const bool output = strcmp(option, "output") == 0;

    return (window && command->bit == CLI_CUT) || (output && command->bit == CLI_CONVERT)
               ? "TRACE"
               : command->works;
}

const char *cli_works(char *out, size_t room, const struct cli *c, const char *option)
{
    char name[PAR_NAME], given[PAR_NAME];
    const char *rest;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(option + 2, " "), option + 2);
    snprintf(given, sizeof given, "--%.30s ", name);
    rest = strstr(c->command->works, given) ? "TRACE" : par_rest(c->command, name);
    snprintf(out, room, "%s %s", option, rest);
    return out;
}

bool cli_given(const struct cli *c, const char *name)
{
    struct par_cursor at = { .argc = c->argc, .next = 1, .argv = c->argv };
    struct par_token t;

    while (par_next(&at, &t) != PAR_END)
        if (t.kind == PAR_OPTION && strcmp(t.option->name, name) == 0)
            return true;
    return false;
}

/* The fewest arguments of the command that work, with this option among them. */
static const char *par_works(char *out, size_t room, const struct cli *c,
                             const struct cli_command *command, const struct cli_option *o)
{
    const char *rest = par_rest(command, o->name);
    char name[PAR_NAME];

    snprintf(name, sizeof name, "--%s ", o->name);
    if (*c->example)
        snprintf(out, room, "%s %s", c->example, rest);
    else if (strstr(command->works, name))
        snprintf(out, room, "%s", command->works);
    else if (!o->argument)
        snprintf(out, room, "%s%s", name, command->works);
    else if (!o->example)
        return NULL;
    else
        snprintf(out, room, "--%s%c%s %s", o->name, cli_option_demands(o) ? ' ' : '=', o->example,
                 rest);
    return out;
}

static enum cli_exit par_unknown(const struct cli *c, const struct par_token *t)
{
    const struct cli_option *best = NULL;
    unsigned least = cli_edits_allowed(t->text) + 1;
    char works[200];

    for (size_t i = 0; t->text[1] == '-' && i < cli_option_count; i++) {
        const unsigned edits = cli_edits(t->text + 2, cli_options[i].name);

        if (edits < least && par_of_command(&cli_options[i], c->command->bit)) {
            least = edits;
            best = par_of_command(&cli_options[i], c->command->bit);
        }
    }
    if (best)
        return cli_misuse(c, par_works(works, sizeof works, c, c->command, best),
                          "no option '%s'; did you mean '--%s'?", t->text, best->name);
    snprintf(works, sizeof works, "prvcut help %s", c->command->name);
    return cli_misuse_command(c, works, "'%s' has no option '%s'", c->command->synopsis, t->text);
}

/* Options of so many commands say how something is done, not what. */
#define PAR_COMMON 4

static bool par_common(const struct cli_option *option)
{
    unsigned commands = 0;

    for (size_t i = 0; i < cli_command_count; i++)
        commands += par_of_command(option, cli_commands[i].bit) != NULL;
    return commands >= PAR_COMMON;
}

static enum cli_exit par_not_here(struct cli *c, const struct par_token *t)
{
    const char *here = c->command->synopsis;
    char works[200];

    /* Another command that has it would do something else. */
    if (par_common(t->option))
        return cli_misuse(c, c->command->works, "'%s' has no option '%s'", here, t->text);
    for (size_t i = 0; i < cli_command_count; i++) {
        const struct cli_option *o = par_of_command(t->option, cli_commands[i].bit);
        const char *example;

        if (!o)
            continue;
        example = par_works(works, sizeof works, c, &cli_commands[i], o);
        c->command = &cli_commands[i];
        return cli_misuse(c, example, "'%s' has no option '%s', but '%s' has", here, t->text,
                          cli_commands[i].synopsis);
    }
    return par_unknown(c, t);
}

static bool par_store(struct cli *c, const struct cli_option *option, const char *argument,
                      const char **why)
{
    if (option->set)
        return option->set(c, argument, why);
    *(bool *)((char *)c + option->flag) = true;
    return true;
}

static enum cli_exit par_apply(struct cli *c, const struct par_token *t)
{
    const struct cli_option *option;
    const char *why = "", *example;
    char works[200];

    if (t->kind == PAR_UNKNOWN)
        return par_unknown(c, t);
    option = par_of_command(t->option, c->command->bit);
    if (!option)
        return par_not_here(c, t);
    example = par_works(works, sizeof works, c, c->command, option);
    if (t->kind == PAR_ARGUMENT)
        return cli_misuse(c, example, "%s takes no value, '%.200s' is one", t->text, t->argument);
    if (t->kind == PAR_NO_ARGUMENT)
        return cli_misuse(c, example, "%s needs a value: %s", t->text, option->argument);
    if (par_store(c, option, t->argument, &why))
        return CLI_DONE;
    example = par_works(works, sizeof works, c, c->command, option);
    return cli_misuse(c, example, "%s: '%.200s' %s", t->text, t->argument, why);
}

/* Room for every byte as four, and for quotes, dashes, blanks and the end. */
static char *par_room(int argc, char **argv)
{
    size_t room = sizeof "prvcut";

    for (int i = 1; i < argc; i++)
        room += strlen(argv[i]) * 4 + PAR_NAME;
    return malloc(room);
}

static size_t par_put(char *out, const char *word)
{
    *out = ' ';
    return 1 + cli_quote(out + 1, word);
}

/*
 * What made the output, as a shell would take it; without what does not show in it, so that the
 * same cut is the same file.
 */
static char *par_provenance(const struct cli *c, int argc, char **argv)
{
    struct par_cursor at = { .argc = argc, .next = 1, .argv = argv };
    struct par_token t;
    size_t n = sizeof "prvcut" - 1;
    char *out = par_room(argc, argv);

    if (!out)
        return NULL;
    memcpy(out, "prvcut", n);
    while (par_next(&at, &t) != PAR_END) {
        const struct cli_option *own =
            t.kind == PAR_OPTION ? par_of_command(t.option, c->command->bit) : NULL;
        char word[PAR_NAME];

        if (t.kind == PAR_OPTION && (own ? own : t.option)->shapes != CLI_CONTENT)
            continue;
        if (t.kind == PAR_OPTION) {
            snprintf(word, sizeof word, "--%s", t.option->name);
            n += par_put(out + n, word);
        }
        if (t.argument)
            n += par_put(out + n, t.argument);
    }
    out[n] = '\0';
    return out;
}

static bool par_lists(const char *list, const char *name)
{
    const size_t n = strlen(name);

    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, n) == 0 && (at[n] == ',' || at[n] == '\0'))
            return true;
    return false;
}

char *cli_again(const void *ctx, const char *command, const char *without)
{
    const struct cli *c = ctx;
    const struct cli_command *other = *command ? cli_command_find(command) : &cli_commands[0];
    struct par_cursor at = { .argc = c->argc, .next = 1, .argv = c->argv };
    struct par_token t;
    size_t n = 0;
    char *out = other ? par_room(c->argc, c->argv) : NULL;

    while (out && par_next(&at, &t) != PAR_END) {
        const struct cli_option *here =
            t.kind == PAR_OPTION ? par_of_command(t.option, c->command->bit) : NULL;
        const struct cli_option *there = here ? par_of_command(here, other->bit) : NULL;

        if (!there || par_lists(without, there->name) || there->shapes == CLI_NOTHING ||
            (there->shapes == CLI_PLACE && here->shapes != CLI_PLACE))
            continue;
        n += (size_t)snprintf(out + n, PAR_NAME, "--%s%s", there->name,
                              t.argument && !cli_option_demands(there) ? "=" : " ");
        if (!t.argument)
            continue;
        n += cli_quote(out + n, t.argument);
        out[n++] = ' ';
    }
    if (out)
        out[n] = '\0';
    return out;
}

static char *par_typed(int argc, char **argv)
{
    size_t n = sizeof "prvcut" - 1;
    char *out = par_room(argc, argv);

    if (!out)
        return NULL;
    memcpy(out, "prvcut", n);
    for (int i = 1; i < argc; i++)
        n += par_put(out + n, argv[i]);
    out[n] = '\0';
    return out;
}

/* Store what the environment says, or else tell what of it makes no sense. */
static void par_environment(struct cli *c, bool tell)
{
    for (size_t i = 0; i < cli_variable_count; i++) {
        const char *value = getenv(cli_variables[i].name), *why = "";
        struct cli nowhere = { 0 };

        if (!value || *value == '\0')
            continue;
        if (!cli_variables[i].set(tell ? &nowhere : c, value, &why) && tell)
            cli_warn(c, "%s is ignored: '%.200s' %s", cli_variables[i].name, value, why);
    }
}

enum cli_exit cli_parse(struct cli *c, int argc, char **argv)
{
    struct par_cursor at = { .argc = argc, .next = 1, .argv = argv };
    struct par_token t;
    enum cli_exit e = CLI_DONE;

    c->argc = argc;
    c->argv = argv;
    c->operand = calloc((size_t)argc + 1, sizeof *c->operand);
    if (c->operand)
        par_find_command(c, argc, argv);
    c->provenance = c->command ? par_provenance(c, argc, argv) : NULL;
    c->typed = par_typed(argc, argv);
    if (!c->operand || !c->provenance || !c->typed) {
        fputs("prvcut: out of memory\n", stderr);
        return CLI_FAILED;
    }
    par_environment(c, false);
    while (e == CLI_DONE && par_next(&at, &t) != PAR_END)
        if (t.kind != PAR_OPERAND)
            e = par_apply(c, &t);
    /* -q wins over the environment; -v asks for more of the answer, not for more about the work. */
    if (c->quiet)
        c->log = CLI_ERRORS;
    if (e == CLI_DONE && c->help == CLI_HELP_NONE)
        par_environment(c, true);
    return e;
}

void cli_fini(struct cli *c)
{
    free(c->operand);
    free(c->role);
    free(c->provenance);
    free(c->typed);
    *c = (struct cli){ 0 };
}
