#include "options.h"
#include "quote.h"
#include "suggest.h"
#include "tokens.h"

#include <stdlib.h>
#include <string.h>

/* Longest name of an option, with what surrounds it. */
#define PAR_NAME 40

/* Which command it is must be known before any option can be judged, and how failures are told. */
static void par_find_command(struct cli *c, int argc, char **argv)
{
    struct cli_cursor at = { .argc = argc, .next = 1, .argv = argv };
    struct cli_token t;
    bool operand = false;

    c->command = &cli_commands[0];
    while (cli_token_next(&at, &t) != CLI_TOKEN_END) {
        c->json |= t.kind == CLI_TOKEN_OPTION && strcmp(t.option->name, "json") == 0;
        if (t.kind != CLI_TOKEN_OPERAND)
            continue;
        if (!operand && !at.plain && cli_command_find(t.argument))
            c->command = cli_command_find(t.argument);
        else
            c->operand[c->operands++] = argv[at.next - 1];
        operand = true;
    }
}

/* The fewest arguments of the command that work, with this option among them. */
static const char *par_works(char *out, size_t room, const struct cli *c,
                             const struct cli_command *command, const struct cli_option *o)
{
    const char *rest = cli_rest(command, o->name);
    char name[PAR_NAME];

    snprintf(name, sizeof name, "--%s ", o->name);
    if (*c->example == '-')
        snprintf(out, room, "%s %s", c->example, rest);
    else if (strstr(command->works, name))
        snprintf(out, room, "%s", command->works);
    else if (!o->argument)
        snprintf(out, room, "%s%s", name, rest);
    else if (!o->example)
        return NULL;
    else
        snprintf(out, room, "--%s%c%s %s", o->name, cli_option_demands(o) ? ' ' : '=', o->example,
                 rest);
    return out;
}

/* What was meant by a word of the command line: the option, with the value behind '='. */
static void par_mean(struct cli *c, const char *typed, const char *name)
{
    const size_t length = strlen(typed);

    for (int i = 1; i < c->argc && !c->slip; i++) {
        const char *rest = c->argv[i] + length;

        if (strncmp(c->argv[i], typed, length) != 0 || (*rest != '=' && *rest != '\0') ||
            snprintf(c->why, sizeof c->why, "--%s%s", name, rest) >= (int)sizeof c->why)
            continue;
        c->slip = c->argv[i];
        c->meant = c->why;
    }
}

/* The one option of the command that begins so; NULL: none, or several. */
static const struct cli_option *par_begun(const struct cli *c, const char *typed)
{
    const size_t length = strlen(typed);
    const struct cli_option *found = NULL;

    for (size_t i = 0; length >= 4 && typed[1] == '-' && i < cli_option_count; i++) {
        const struct cli_option *o = cli_option_of(&cli_options[i], c->command->bit);

        if (!o || strncmp(o->name, typed + 2, length - 2) != 0 || o == found)
            continue;
        if (found)
            return NULL;
        found = o;
    }
    return found;
}

const struct cli_option *cli_option_meant(const struct cli *c, const char *typed)
{
    const struct cli_option *best = NULL, *begun = par_begun(c, typed);
    unsigned least = cli_edits_allowed(typed + strspn(typed, "-")) + 1;

    for (size_t i = 0; !begun && typed[1] == '-' && i < cli_option_count; i++) {
        const unsigned edits = cli_edits(typed + 2, cli_options[i].name);

        if (edits < least && cli_option_of(&cli_options[i], c->command->bit)) {
            least = edits;
            best = cli_option_of(&cli_options[i], c->command->bit);
        }
    }
    return begun ? begun : best;
}

static enum cli_exit par_unknown(struct cli *c, const struct cli_token *t)
{
    const struct cli_option *best = cli_option_meant(c, t->text);
    char works[200];

    if (best)
        par_mean(c, t->text, best->name);
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
        commands += cli_option_of(option, cli_commands[i].bit) != NULL;
    return commands >= PAR_COMMON;
}

/* The command's own option that is called the same but for an 's', where that is meant: it is the
   same by an older name, or takes what the typed one does not, or nothing may be written. */
static const struct cli_option *par_almost(const struct cli *c, const struct cli_token *t)
{
    const size_t length = strlen(t->option->name);
    struct cli tried = { .command = c->command };
    const char *why;

    for (size_t i = 0; i < cli_option_count; i++) {
        const struct cli_option *o = cli_option_of(&cli_options[i], c->command->bit);
        const size_t own = o ? strlen(o->name) : 0;
        const size_t shorter = own < length ? own : length;

        if (own + length != 2 * shorter + 1 || strncmp(o->name, t->option->name, shorter) != 0 ||
            (own > length ? o : t->option)->name[shorter] != 's')
            continue;
        if (o->set == t->option->set || !(c->command->bit & CLI_MAKES) || !t->argument ||
            !t->option->set(&tried, t->argument, &why))
            return o;
    }
    return NULL;
}

/* Does the value make sense for the option that was typed, which asks for something else? */
static bool par_says_other(const struct cli_token *t, const struct cli_option *meant)
{
    struct cli tried = { .command = NULL };
    const char *why;

    return meant->set != t->option->set && t->argument && t->option->set &&
           t->option->set(&tried, t->argument, &why);
}

/* The first command that has the option; makes: also one that writes a file unasked. */
static const struct cli_command *par_having(const struct cli_option *option, bool makes)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_option_of(option, cli_commands[i].bit) &&
            (makes || !(cli_commands[i].bit & CLI_MAKES)))
            return &cli_commands[i];
    return NULL;
}

/* A table of the main job is that of its iterations; other answers that are no table are JSON. */
static enum cli_exit par_no_table(struct cli *c)
{
    const char *here = c->command->synopsis;

    if (c->command->bit == CLI_REDUCE) {
        c->command = cli_command_find("structure");
        return cli_misuse(c, "--csv TRACE",
                          "'%s' has no table; 'prvcut structure --csv' lists every iteration",
                          here);
    }
    par_mean(c, "--csv", "json");
    return cli_misuse(c, c->command->works, "'%s' has no table for --csv; --json has its answer",
                      here);
}

/* Options of many commands that this one cannot have, with the reason; CLI_DONE: it is none. */
static enum cli_exit par_cannot(struct cli *c, const struct cli_token *t)
{
    if (strcmp(t->option->name, "csv") == 0 && (c->command->bit & CLI_MAKES))
        return par_no_table(c);
    if (strcmp(t->option->name, "dry-run") == 0 && c->command->bit == CLI_CSV)
        return cli_misuse_command(c, "prvcut mark -n --timeline useful.csv TRACE",
                                  "'%s' has no option '%s', but 'prvcut mark' has",
                                  c->command->synopsis, t->text);
    if (strcmp(t->option->name, "dry-run") == 0 && !(c->command->bit & CLI_MAKES))
        return cli_misuse(c, c->command->works, "'%s' has no option '%s': it writes only what %s",
                          c->command->synopsis, t->text,
                          c->command->bit == CLI_SIGNAL ? "-o or --plot names" : "-o names");
    return CLI_DONE;
}

/* "--form 40%": the value is none of that option, and one of this command has nearly its name. */
static bool par_is_slip(const struct cli *c, const struct cli_token *t)
{
    struct cli tried = { .command = NULL };
    const char *why;

    if (!t->argument || !t->option->set || t->option->set(&tried, t->argument, &why))
        return false;
    for (size_t i = 0; i < cli_option_count; i++)
        if (cli_options[i].commands & c->command->bit &&
            cli_edits(t->option->name, cli_options[i].name) <= cli_edits_allowed(t->option->name))
            return true;
    return false;
}

/* Whoever only looks is shown no command that writes: then the same one goes without the option. */
static enum cli_exit par_not_here(struct cli *c, const struct cli_token *t)
{
    const char *here = c->command->synopsis, *example = c->command->works;
    const struct cli_option *almost = par_almost(c, t);
    const struct cli_command *other = par_having(t->option, c->command->bit & CLI_MAKES);
    const struct cli_command *any = other ? other : par_having(t->option, true);
    const enum cli_exit cannot = par_cannot(c, t);
    char works[200];

    if (cannot != CLI_DONE)
        return cannot;
    if (almost) {
        par_mean(c, t->text, almost->name);
        if (par_says_other(t, almost))
            c->unlike = almost;
        return cli_misuse(c, par_works(works, sizeof works, c, c->command, almost),
                          "'%s' has no option '%s'; did you mean '--%s'?", here, t->text,
                          almost->name);
    }
    /* Another command that has it would do something else. */
    if (par_common(t->option))
        return cli_misuse(c, example, "'%s' has no option '%s'", here, t->text);
    if (!any || par_is_slip(c, t))
        return par_unknown(c, t);
    if (other) {
        example = par_works(works, sizeof works, c, other, cli_option_of(t->option, other->bit));
        c->command = other;
    }
    return cli_misuse(c, example, "'%s' has no option '%s', but '%s' has", here, t->text,
                      any->synopsis);
}

static bool par_store(struct cli *c, const struct cli_option *option, const char *argument,
                      const char **why)
{
    if (option->set)
        return option->set(c, argument, why);
    *(bool *)((char *)c + option->flag) = true;
    return true;
}

/* option: the one of the command; NULL: it has none of that name */
static enum cli_exit par_refuse(struct cli *c, const struct cli_token *t,
                                const struct cli_option *option, const char *why)
{
    /* Which options there are, and what they take, depends on the command that was meant. */
    const enum cli_exit slip = cli_slip(c), dashed = slip == CLI_DONE ? cli_dashed(c) : slip;
    const char *example;
    char works[200];

    if (dashed != CLI_DONE)
        return dashed;
    if (t->kind == CLI_TOKEN_UNKNOWN)
        return par_unknown(c, t);
    if (!option)
        return par_not_here(c, t);
    example = par_works(works, sizeof works, c, c->command, option);
    if (t->kind == CLI_TOKEN_ARGUMENT)
        return cli_misuse(c, example, "%s takes no value, '%.200s' is one", t->text, t->argument);
    if (t->kind == CLI_TOKEN_NO_ARGUMENT)
        return cli_misuse(c, example, "%s needs a value: %s", t->text, option->argument);
    return cli_misuse(c, example, "%s: '%.200s' %s", t->text, t->argument, why);
}

static enum cli_exit par_apply(struct cli *c, const struct cli_token *t)
{
    const struct cli_option *option =
        t->kind == CLI_TOKEN_UNKNOWN ? NULL : cli_option_of(t->option, c->command->bit);
    const char *why = "";

    if (option && t->kind == CLI_TOKEN_OPTION && par_store(c, option, t->argument, &why))
        return CLI_DONE;
    return par_refuse(c, t, option, why);
}

/* Room for every byte as four, and for quotes, dashes, blanks and the end. */
static char *par_room(int argc, char **argv)
{
    size_t room = sizeof "prvcut";

    for (int i = 1; i < argc; i++)
        room += strlen(argv[i]) * 4 + PAR_NAME;
    return cli_room(room);
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
    struct cli_cursor at = { .argc = argc, .next = 1, .argv = argv };
    struct cli_token t;
    size_t n = sizeof "prvcut" - 1;
    char *out = par_room(argc, argv);

    if (!out)
        return NULL;
    memcpy(out, "prvcut", n);
    while (cli_token_next(&at, &t) != CLI_TOKEN_END) {
        const struct cli_option *own =
            t.kind == CLI_TOKEN_OPTION ? cli_option_of(t.option, c->command->bit) : NULL;
        char word[PAR_NAME];

        if (t.kind == CLI_TOKEN_OPTION && (own ? own : t.option)->shapes != CLI_CONTENT)
            continue;
        if (t.kind == CLI_TOKEN_OPTION) {
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
    struct cli_cursor at = { .argc = c->argc, .next = 1, .argv = c->argv };
    struct cli_token t;
    size_t n = 0;
    char *out = other ? par_room(c->argc, c->argv) : NULL;

    while (out && cli_token_next(&at, &t) != CLI_TOKEN_END) {
        const struct cli_option *here =
            t.kind == CLI_TOKEN_OPTION ? cli_option_of(t.option, c->command->bit) : NULL;
        const struct cli_option *there = here ? cli_option_of(here, other->bit) : NULL;

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
    struct cli_cursor at = { .argc = argc, .next = 1, .argv = argv };
    struct cli_token t;
    enum cli_exit e = CLI_DONE;

    c->argc = argc;
    c->argv = argv;
    c->operand = cli_room(((size_t)argc + 1) * sizeof *c->operand);
    if (c->operand)
        par_find_command(c, argc, argv);
    c->provenance = c->command ? par_provenance(c, argc, argv) : NULL;
    c->typed = par_typed(argc, argv);
    if (!c->operand || !c->provenance || !c->typed) {
        fputs("prvcut: out of memory\n", stderr);
        return CLI_FAILED;
    }
    par_environment(c, false);
    while (e == CLI_DONE && cli_token_next(&at, &t) != CLI_TOKEN_END)
        if (t.kind != CLI_TOKEN_OPERAND)
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
    prvcut_parameters_free(c->set);
    free(c->provenance);
    free(c->typed);
    *c = (struct cli){ 0 };
}
