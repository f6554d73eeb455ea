#include "propose_line.h"

#include "tokens.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *cli_proposal_keep(struct proposal *p, const char *text, size_t length)
{
    char *kept = p->own + p->used;

    if (length >= OWN_ROOM - p->used)
        return NULL;
    memcpy(kept, text, length);
    kept[length] = '\0';
    p->used += length + 1;
    return kept;
}
/* "--region 1.4 'a b'": words as cli_quote wrote them, behind the name of a program. */
static int pro_split(struct proposal *p, const char *text, char *words[WORDS])
{
    static char program[] = "prvcut";
    int count = 1;

    words[0] = program;
    for (text += strspn(text, " "); *text && count < WORDS; text += strspn(text, " ")) {
        char *word = cli_proposal_keep(p, text, strlen(text));
        size_t n = 0;
        bool quoted = false;

        if (!word)
            return 1;
        for (; *text && (quoted || *text != ' '); text++)
            if (*text == '\'')
                quoted = !quoted;
            else
                word[n++] = *text == '\\' && !quoted && text[1] ? *++text : *text;
        word[n] = '\0';
        p->used = (size_t)(word - p->own) + n + 1;
        words[count++] = word;
    }
    return count;
}

static bool pro_add(struct pro_line *line, const struct cli_option *option, const char *name,
                    const char *value)
{
    struct pro_item *item = &line->at[line->count];

    if (line->count == ITEMS)
        return false;
    *item = (struct pro_item){ .option = option, .value = value };
    snprintf(item->name, sizeof item->name, "%s", name);
    line->count++;
    return true;
}

static bool pro_add_works(struct proposal *p, struct pro_line *line, const char *works)
{
    char *words[WORDS];
    struct cli_cursor at = { .argc = pro_split(p, works, words), .next = 1, .argv = words };
    struct cli_token t;

    while (cli_token_next(&at, &t) != CLI_TOKEN_END) {
        const struct cli_option *own =
            t.option ? cli_option_of(t.option, p->c->command->bit) : NULL;

        if (t.kind != CLI_TOKEN_OPERAND && (t.kind != CLI_TOKEN_OPTION || !own))
            return false;
        if (!pro_add(line, own, t.text, t.argument))
            return false;
    }
    return true;
}

/* Is it a value that the option takes? example: what is meant by it, "" where nobody knows. */
static bool pro_fits(const struct proposal *p, const struct cli_option *option, const char *value,
                     char example[100])
{
    struct cli tried = *p->c;
    const char *why;
    bool fits;

    tried.role = NULL;
    tried.roles = 0;
    *tried.example = '\0';
    fits = !option->set || option->set(&tried, value, &why);
    memcpy(example, tried.example, sizeof tried.example);
    free(tried.role);
    return fits;
}

/* A value that makes no sense becomes the one that is meant, or else one that works. */
static bool pro_add_mended(struct proposal *p, const struct cli_option *option, const char *name,
                           const char *example)
{
    p->mended = true;
    if (*example == '-')
        return pro_add_works(p, &p->typed, example);
    if (*example)
        return pro_add(&p->typed, option, name, cli_proposal_keep(p, example, strlen(example)));
    return !option->example || pro_add(&p->typed, option, name, option->example);
}

static bool pro_is_time(const struct cli_option *option)
{
    return option && option->argument && strcmp(option->argument, "TIME") == 0;
}

/* Is it the unit alone that was forgotten? */
static void pro_find_unit(struct proposal *p, const struct cli_option *option, const char *typed,
                          const char *example)
{
    const size_t length = strlen(typed);

    if (pro_is_time(option) && strncmp(example, typed, length) == 0 && example[length] != '\0')
        p->unit = cli_proposal_keep(p, example + length, strlen(example + length));
}

/* A mistyped option becomes the one that is meant, whether it was the first mistake or not. */
static bool pro_add_unknown(struct proposal *p, const struct cli_token *t, struct cli_cursor *at)
{
    const struct cli_option *meant = cli_option_meant(p->c, t->text);
    const char *equals = strchr(at->argv[at->next - 1], '=');
    const char *value = equals ? equals + 1 : NULL;
    char name[64], example[100] = "";

    p->mended = true;
    if (!meant)
        return true;
    if (!value && cli_option_demands(meant))
        value = at->next < at->argc && *at->argv[at->next] != '-' ? at->argv[at->next++]
                                                                  : meant->example;
    snprintf(name, sizeof name, "--%s", meant->name);
    if (!meant->argument || (value && pro_fits(p, meant, value, example)))
        return pro_add(&p->typed, meant, name, meant->argument ? value : NULL);
    return pro_add_mended(p, meant, name, example);
}

/* "10 ms": the unit became a word of its own. */
static const char *pro_join_unit(struct proposal *p, const struct cli_token *t,
                                 struct cli_cursor *at)
{
    const char *unit = cli_time_apart(t, at);
    char time[64];

    if (!unit || snprintf(time, sizeof time, "%s%s", t->argument, unit) >= (int)sizeof time)
        return t->argument;
    at->next++;
    p->mended = true;
    return cli_proposal_keep(p, time, strlen(time));
}

/* What stands behind -o alone may be the trace; another file has a reason of its own. */
static bool pro_may_take(const struct cli_option *option, const char *value)
{
    const struct prvcut_open_options lenient = { .lenient = true, .no_index = true };
    struct prvcut_error ignored = { .status = PRVCUT_OK };
    struct prvcut_trace *trace = NULL;
    struct stat s;
    bool opens;

    if (strcmp(option->argument, "FILE") != 0)
        return true;
    opens = strcmp(option->name, "output") == 0 && value && stat(value, &s) == 0 &&
            (S_ISREG(s.st_mode) || S_ISDIR(s.st_mode)) &&
            prvcut_trace_open(&trace, value, &lenient, &ignored) == PRVCUT_OK;
    prvcut_trace_close(trace);
    return opens;
}

static bool pro_add_option(struct proposal *p, const struct cli_token *t, struct cli_cursor *at)
{
    const struct cli_option *own = t->option ? cli_option_of(t->option, p->c->command->bit) : NULL;
    const char *value = t->argument;
    char example[100] = "";

    if (t->kind == CLI_TOKEN_UNKNOWN)
        return pro_add_unknown(p, t, at);
    if (t->kind == CLI_TOKEN_ARGUMENT && own)
        return p->mended = true, pro_add(&p->typed, own, t->text, NULL);
    if (t->kind == CLI_TOKEN_NO_ARGUMENT && own)
        return pro_add_mended(p, own, t->text, "");
    if (t->kind != CLI_TOKEN_OPTION || !own) {
        p->mended = true;
        return true;
    }
    if (pro_is_time(own))
        value = pro_join_unit(p, t, at);
    if (!value && t->argument)
        return false;
    p->took = own->argument && pro_may_take(own, t->argument) ? t->argument : NULL;
    if (pro_fits(p, own, value, example))
        return pro_add(&p->typed, own, t->text, value);
    pro_find_unit(p, own, value, example);
    return pro_add_mended(p, own, t->text, example);
}

/* A whole number is nanoseconds, but not beside one that lacks the same unit. */
static bool pro_add_units(struct proposal *p)
{
    for (size_t i = 0; p->unit && i < p->typed.count; i++) {
        struct pro_item *item = &p->typed.at[i];
        char time[64];

        if (!pro_is_time(item->option) || !item->value || strtod(item->value, NULL) <= 0.0 ||
            item->value[strspn(item->value, "0123456789")] != '\0' ||
            snprintf(time, sizeof time, "%s%s", item->value, p->unit) >= (int)sizeof time)
            continue;
        item->value = cli_proposal_keep(p, time, strlen(time));
        if (!item->value)
            return false;
    }
    return true;
}

static bool pro_names_trace(const struct proposal *p)
{
    for (size_t i = 0; i < p->typed.count; i++)
        if (!p->typed.at[i].option && strcmp(p->typed.at[i].value, p->trace) == 0)
            return true;
    return false;
}

/* A trace that is not there becomes the one that is called alike; a word before the trace belongs
   to a mistake, and goes with it. */
static void pro_find_trace(struct proposal *p)
{
    for (size_t i = 0; p->trace && i < p->typed.count; i++) {
        struct pro_item *item = &p->typed.at[i];

        if (item->option)
            continue;
        if (strcmp(item->value, p->trace) != 0 && strcmp(item->value, "-") != 0 &&
            access(p->trace, F_OK) == 0 && !strchr(item->value, ':') &&
            access(item->value, F_OK) != 0) {
            p->mended = true;
            if (pro_names_trace(p))
                memmove(item, item + 1, (--p->typed.count - i) * sizeof *item);
            else
                item->value = p->trace;
        }
        return;
    }
}

/* An option whose value was forgotten took the trace for it. */
static bool pro_give_back(struct proposal *p)
{
    struct pro_item *last = p->typed.count > 0 ? &p->typed.at[p->typed.count - 1] : NULL;

    for (size_t i = 0; i < p->typed.count; i++)
        if (!p->typed.at[i].option)
            return true;
    if (!p->took || access(p->took, R_OK) != 0)
        return true;
    p->mended = true;
    p->trace = p->took;
    if (last && last->option && last->value == p->took)
        last->value = last->option->example;
    return pro_add(&p->typed, NULL, "", p->took);
}

/* The command line, with what was meant in place of a slip. */
static bool pro_read(struct proposal *p)
{
    struct cli_cursor at = { .argc = p->c->argc, .next = 1 };
    struct cli_token t;
    const struct cli_command *command = NULL;
    bool fits = true;

    at.argv = cli_room(((size_t)p->c->argc + 1) * sizeof *at.argv);
    if (!at.argv)
        return false;
    for (int i = 0; i < p->c->argc; i++) {
        const bool slip = i > 0 && p->c->slip == p->c->argv[i];

        at.argv[i] = slip ? cli_proposal_keep(p, p->c->meant, strlen(p->c->meant)) : p->c->argv[i];
        fits &= at.argv[i] != NULL;
        p->mended |= slip;
    }
    while (fits && cli_token_next(&at, &t) != CLI_TOKEN_END) {
        if (t.kind == CLI_TOKEN_OPERAND && !command && !at.plain && cli_command_find(t.argument))
            command = cli_command_find(t.argument);
        else if (t.kind == CLI_TOKEN_OPERAND)
            fits = pro_add(&p->typed, NULL, "", t.argument);
        else
            fits = pro_add_option(p, &t, &at);
    }
    fits = fits && pro_add_units(p) && pro_give_back(p);
    pro_find_trace(p);
    p->mended |= p->c->command != (command ? command : &cli_commands[0]);
    free(at.argv);
    return fits;
}

/* What stands in works under the names of files. */
static void pro_name_files(struct proposal *p)
{
    const char *second =
        p->c->operands > 1 && access(p->c->operand[1], F_OK) == 0 ? p->c->operand[1] : NULL;

    for (size_t i = 0; i < p->works.count; i++) {
        struct pro_item *item = &p->works.at[i];

        if (item->option)
            continue;
        if (p->trace && (strcmp(item->value, "TRACE") == 0 || strcmp(item->value, "ARCHIVE") == 0))
            item->value = p->trace;
        else if (second && strcmp(item->value, "useful.csv") == 0)
            item->value = second;
    }
}

/* What comes through a pipe is read again from a file. */
static void pro_save(struct proposal *p)
{
    struct pro_line *const lines[] = { &p->typed, &p->works };

    for (size_t i = 0; p->c->saved && p->trace && i < sizeof lines / sizeof *lines; i++)
        for (size_t k = 0; k < lines[i]->count; k++)
            if (!lines[i]->at[k].option && strcmp(lines[i]->at[k].value, p->trace) == 0) {
                lines[i]->at[k].value = p->c->saved;
                p->mended |= !p->needs;
            }
}

/* Is it the same option, perhaps by its old name? */
static bool pro_same(const struct cli_option *a, const struct cli_option *b)
{
    return a && b && (a == b || (a->set && a->set == b->set));
}

/* What the trace refuses when it is read goes. */
static void pro_refuse(struct proposal *p)
{
    for (size_t i = 0; p->c->refused && i < p->typed.count; i++) {
        const struct cli_option *o = p->typed.at[i].option;

        if (!o || strcmp(o->name, p->c->refused) != 0)
            continue;
        p->typed.at[i].choice = PRO_GONE;
        p->mended = true;
    }
}

/* Where both say something about an option, what was typed can become what works, and does where it
   was said of something else: how many iterations is not which ones. */
static void pro_match(struct proposal *p)
{
    for (size_t i = 0; i < p->works.count; i++)
        for (size_t k = 0; k < p->typed.count; k++)
            if (pro_same(p->works.at[i].option, p->typed.at[k].option)) {
                p->typed.at[k].works = p->works.at[i].value ? p->works.at[i].value : "";
                p->works.at[i].choice = PRO_GONE;
                if (p->typed.at[k].option == p->c->unlike)
                    p->typed.at[k].choice = PRO_WORKS;
            }
}

bool cli_proposal_read(struct proposal *p, const char *works)
{
    if (!pro_read(p) || !pro_add_works(p, &p->works, works))
        return false;
    pro_name_files(p);
    pro_save(p);
    pro_match(p);
    pro_refuse(p);
    return true;
}

bool cli_proposal_read_least(struct proposal *p)
{
    if (!pro_add_works(p, &p->works, p->c->command->works))
        return false;
    pro_name_files(p);
    p->adds = p->operands = true;
    return true;
}
