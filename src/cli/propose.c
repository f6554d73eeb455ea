#include "propose.h"

#include "quote.h"
#include "tokens.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A longer command line is not mended: then the least that works is proposed. */
#define ITEMS 32
/* Words that are known to work, and those of one change. */
#define WORDS 16
/* Texts that nobody typed, in bytes. */
#define OWN_ROOM 8192

enum pro_choice { PRO_TYPED, PRO_WORKS, PRO_GONE };

/** An option with its value, or an operand. */
struct pro_item {
    const struct cli_option *option; /* NULL: an operand */
    char name[64];                   /* as it was typed: "-o", "--output" */
    const char *value;               /* or the operand; NULL: it takes none */
    const char *works;               /* the value that is known to work; NULL: none is */
    enum pro_choice choice;
};

struct pro_line {
    struct pro_item at[ITEMS];
    size_t count;
};

struct proposal {
    const struct cli *c;
    const char *unit; /* that of the times which were typed without theirs; NULL: no one was */
    const char *trace;
    struct pro_line typed; /* what was typed, as far as each word makes sense by itself */
    struct pro_line works; /* what is known to work */
    const char *took;      /* the value of the last option, unless that is a file */
    bool mended;           /* typed is not what was typed */
    bool needs;            /* somebody chose works for what was typed */
    bool adds;             /* options of works that were not typed are added */
    bool operands;         /* its operands are taken */
    char own[OWN_ROOM];
    size_t used;
};

/* A text that lives as long as the proposal; NULL: there is no room for it. */
static char *pro_keep(struct proposal *p, const char *text, size_t length)
{
    char *kept = p->own + p->used;

    if (length >= OWN_ROOM - p->used)
        return NULL;
    memcpy(kept, text, length);
    kept[length] = '\0';
    p->used += length + 1;
    return kept;
}

/* --- Words to items ------------------------------------------------------------------------- */

/* "--region 1.4 'a b'": words as cli_quote wrote them, behind the name of a program. */
static int pro_split(struct proposal *p, const char *text, char *words[WORDS])
{
    static char program[] = "prvcut";
    int count = 1;

    words[0] = program;
    for (text += strspn(text, " "); *text && count < WORDS; text += strspn(text, " ")) {
        char *word = pro_keep(p, text, strlen(text));
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
        return pro_add(&p->typed, option, name, pro_keep(p, example, strlen(example)));
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
        p->unit = pro_keep(p, example + length, strlen(example + length));
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

static bool pro_add_option(struct proposal *p, const struct cli_token *t, struct cli_cursor *at)
{
    const struct cli_option *own = t->option ? cli_option_of(t->option, p->c->command->bit) : NULL;
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
    p->took = own->argument && strcmp(own->argument, "FILE") != 0 ? t->argument : NULL;
    if (pro_fits(p, own, t->argument, example))
        return pro_add(&p->typed, own, t->text, t->argument);
    pro_find_unit(p, own, t->argument, example);
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
        item->value = pro_keep(p, time, strlen(time));
        if (!item->value)
            return false;
    }
    return true;
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

    at.argv = malloc(((size_t)p->c->argc + 1) * sizeof *at.argv);
    if (!at.argv)
        return false;
    for (int i = 0; i < p->c->argc; i++) {
        const bool slip = i > 0 && p->c->slip == p->c->argv[i];

        at.argv[i] = slip ? pro_keep(p, p->c->meant, strlen(p->c->meant)) : p->c->argv[i];
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

/* Where both say something about an option, what was typed can become what works. */
static void pro_match(struct proposal *p)
{
    for (size_t i = 0; i < p->works.count; i++)
        for (size_t k = 0; k < p->typed.count; k++)
            if (pro_same(p->works.at[i].option, p->typed.at[k].option)) {
                p->typed.at[k].works = p->works.at[i].value ? p->works.at[i].value : "";
                p->works.at[i].choice = PRO_GONE;
            }
}

/* --- Items to words ------------------------------------------------------------------------- */

/* Words of a command line that is put together. */
struct pro_words {
    char *at[2 * ITEMS + WORDS + 4];
    int count;
};

/* Borrowed, as argv has it: nobody writes into it. */
static void pro_put(struct pro_words *w, const char *word)
{
    w->at[w->count++] = (char *)(uintptr_t)word;
}

/* owns: nothing; two texts as one word */
static bool pro_put_both(struct proposal *p, struct pro_words *w, const char *a, const char *b)
{
    char *both = pro_keep(p, a, strlen(a));

    if (!both || !pro_keep(p, b, strlen(b)))
        return false;
    memmove(both + strlen(a), b, strlen(b) + 1);
    pro_put(w, both);
    return true;
}

static bool pro_put_option(struct proposal *p, struct pro_words *w, const struct pro_item *item)
{
    const char *value = item->choice == PRO_WORKS ? item->works : item->value;

    if (value && !cli_option_demands(item->option))
        return pro_put_both(p, w, item->name, "=") && (w->count--, true) &&
               pro_put_both(p, w, w->at[w->count], value);
    pro_put(w, item->name);
    if (value && *value)
        pro_put(w, value);
    return true;
}

/* What begins with a dash would be taken for an option. */
static bool pro_put_operand(struct proposal *p, struct pro_words *w, const char *operand)
{
    if (*operand == '-' && operand[1])
        return pro_put_both(p, w, "./", operand);
    pro_put(w, operand);
    return true;
}

static bool pro_put_line(struct proposal *p, struct pro_words *w, const struct pro_line *line,
                         bool options, bool operands)
{
    bool fits = true;

    for (size_t i = 0; i < line->count && fits; i++) {
        const struct pro_item *item = &line->at[i];

        if (item->option && options && item->choice != PRO_GONE)
            fits = pro_put_option(p, w, item);
        else if (!item->option && operands)
            fits = pro_put_operand(p, w, item->value);
    }
    return fits;
}

static bool pro_put_all(struct proposal *p, struct pro_words *w)
{
    static const char program[] = "prvcut";

    w->count = 0;
    pro_put(w, program);
    if (*p->c->command->name)
        pro_put(w, p->c->command->name);
    return pro_put_line(p, w, &p->works, p->adds, false) &&
           pro_put_line(p, w, &p->typed, true, !p->operands) &&
           pro_put_line(p, w, &p->works, false, p->operands);
}

/* --- What passes ---------------------------------------------------------------------------- */

/* A refused name becomes the one to take in its place. */
static bool pro_rename(struct proposal *p, const struct cli_renamed *r)
{
    bool found = false;

    for (size_t i = 0; *r->from && i < p->typed.count; i++) {
        struct pro_item *item = &p->typed.at[i];

        if (!item->value || strcmp(item->value, r->from) != 0 || strcmp(r->from, r->to) == 0)
            continue;
        item->value = pro_keep(p, r->to, strlen(r->to));
        if (!item->value)
            return false;
        found = true;
    }
    p->mended |= found;
    return found;
}

/* Would the command go as far as opening the trace, or reading it? An output that exists, or cannot
   be made, is told when it is typed. */
static bool pro_goes(struct proposal *p, bool opens, struct cli_renamed *r)
{
    struct cli tried = {
        .bins = 1000, .log = CLI_WARNINGS, .rehearsed = true, .opens = opens, .renamed = r
    };
    const size_t used = p->used;
    struct pro_words w;
    enum cli_exit e = CLI_MISUSED;

    /* What explains prints at once. */
    if (p->c->command->bit != CLI_HELP && pro_put_all(p, &w))
        e = cli_parse(&tried, w.count, w.at);
    if (e == CLI_DONE && tried.help == CLI_HELP_NONE)
        e = tried.command->run(&tried);
    cli_fini(&tried);
    p->used = used;
    return e != CLI_MISUSED && e != CLI_DAMAGED;
}

/* As often as there are outputs to name, what is refused gets another name. */
static bool pro_passes_so_far(struct proposal *p, bool opens)
{
    for (int i = 0; i < 4; i++) {
        struct cli_renamed r = { .from = "" };

        if (pro_goes(p, opens, &r))
            return true;
        if (!pro_rename(p, &r))
            return false;
    }
    return false;
}

static bool pro_passes(struct proposal *p)
{
    return pro_passes_so_far(p, false);
}

/* The trace refused what passes without it: what works is taken for that. */
static void pro_take_works(struct proposal *p)
{
    for (size_t i = 0; i < p->typed.count; i++)
        if (p->typed.at[i].works)
            p->typed.at[i].choice = PRO_WORKS;
    p->adds = true;
}

/* What to try with a word: what works in its place, or to do without it. */
static enum pro_choice pro_other(const struct proposal *p, const struct pro_item *item,
                                 bool without)
{
    if (!item->option || (without && item->works && p->needs))
        return PRO_TYPED;
    return without ? PRO_GONE : item->works ? PRO_WORKS : PRO_TYPED;
}

/* Change so many words, the last ones first: what was typed first was meant first. */
static bool pro_change(struct proposal *p, size_t before, unsigned changes, bool without)
{
    if (changes == 0)
        return pro_passes(p);
    while (before-- > 0) {
        struct pro_item *item = &p->typed.at[before];
        const enum pro_choice was = item->choice, other = pro_other(p, item, without);

        if (other == PRO_TYPED || other == was)
            continue;
        item->choice = other;
        if (pro_change(p, before, changes - 1, without))
            return true;
        item->choice = was;
    }
    return false;
}

/* Two words at most become others, or go; what nobody typed is added where that does not help. */
static bool pro_search(struct proposal *p)
{
    for (unsigned changes = 0; changes <= 2; changes++)
        for (unsigned way = 0; way < 8; way++) {
            p->adds = (way & 1) != 0;
            p->operands = (way & 2) != 0;
            if (pro_change(p, p->typed.count, changes, (way & 4) != 0))
                return true;
        }
    return false;
}

/* The trace refused it: what works in its place. */
static bool pro_find_works(struct proposal *p)
{
    if (!p->needs)
        return false;
    pro_take_works(p);
    return pro_passes(p) || pro_change(p, p->typed.count, 1, true);
}

static bool pro_find(struct proposal *p)
{
    if (!pro_passes(p))
        return pro_search(p);
    return p->mended || pro_find_works(p);
}

/* What comes through a pipe, or is unpacked first, is not opened for a proposal. */
static bool pro_can_open(const struct proposal *p)
{
    struct stat s;

    return !p->c->saved && p->trace && stat(p->trace, &s) == 0 &&
           (S_ISREG(s.st_mode) || S_ISDIR(s.st_mode));
}

/* Of several mistakes, the trace knows the last ones. */
static bool pro_find_opened(struct proposal *p)
{
    if (!pro_find(p))
        return false;
    if (!p->mended || !pro_can_open(p) || pro_passes_so_far(p, true))
        return true;
    return pro_find_works(p) && pro_passes_so_far(p, true);
}

static bool pro_tell(char *out, size_t room, struct proposal *p)
{
    struct pro_words w;
    size_t n = 0;

    if (!pro_put_all(p, &w))
        return false;
    for (int i = 0; i < w.count; i++) {
        if (4 * strlen(w.at[i]) + 4 > room - n)
            return false;
        if (i > 0)
            out[n++] = ' ';
        n += cli_quote(out + n, w.at[i]);
    }
    out[n] = '\0';
    return true;
}

bool cli_propose(char *out, size_t room, const struct cli *c, const char *works, const char *trace)
{
    struct proposal *p = calloc(1, sizeof *p);
    const char *least = c->command->works;
    bool found = false;

    if (!p)
        return false;
    p->c = c;
    p->trace = trace;
    p->needs = works != NULL && strcmp(works, least) != 0;
    if (pro_read(p) && pro_add_works(p, &p->works, works ? works : least)) {
        pro_name_files(p);
        pro_save(p);
        pro_match(p);
        found = pro_find_opened(p) && pro_tell(out, room, p);
    }
    free(p);
    return found;
}
