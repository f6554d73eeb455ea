#include "propose.h"

#include "propose_line.h"
#include "quote.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    char *both = cli_proposal_keep(p, a, strlen(a));

    if (!both || !cli_proposal_keep(p, b, strlen(b)))
        return false;
    memmove(both + strlen(a), b, strlen(b) + 1);
    pro_put(w, both);
    return true;
}

static bool pro_put_option(struct proposal *p, struct pro_words *w, const struct pro_item *item)
{
    const char *value = item->choice == PRO_WORKS     ? item->works
                        : item->choice == PRO_EXAMPLE ? item->option->example
                                                      : item->value;

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

        /* The name of another output says its format. */
        if (item->option && p->operands && strcmp(item->option->name, "output-format") == 0)
            continue;
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
        item->value = cli_proposal_keep(p, r->to, strlen(r->to));
        if (!item->value)
            return false;
        found = true;
    }
    p->mended |= found;
    return found;
}

/* Openings of the trace for one proposal. */
#define OPENINGS 40

/* Is that option, which takes no value, part of what works, and was not typed? */
static bool pro_works_with(const struct proposal *p, const char *name)
{
    for (size_t i = 0; i < p->works.count; i++)
        if (p->works.at[i].option && p->works.at[i].choice != PRO_GONE &&
            strcmp(p->works.at[i].option->name, name) == 0)
            return true;
    return false;
}

/* Was it refused because an output exists? */
static bool pro_replaces(const struct proposal *p)
{
    return pro_works_with(p, "force");
}

/* Was it refused for what only an option that nobody typed lets pass: such an output, a damaged
   record, or options that tell how to follow? */
static bool pro_must_add(const struct proposal *p)
{
    return pro_replaces(p) || pro_works_with(p, "lenient") || pro_works_with(p, "follow");
}

/* Would the command go as far as opening the trace, or reading it? An output that exists, or cannot
   be made, is told when it is typed, unless another name is known, or that is what was refused. */
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
    return e != CLI_MISUSED && e != CLI_DAMAGED && !(e == CLI_FAILED && *r->from) &&
           !(e == CLI_EXISTS && pro_replaces(p));
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

/* Of several mistakes, the trace knows the last ones. */
static bool pro_passes(struct proposal *p)
{
    if (!pro_passes_so_far(p, false))
        return false;
    if (!p->opens || p->openings == OPENINGS)
        return true;
    p->openings++;
    if (pro_passes_so_far(p, true))
        return true;
    p->refused = true;
    return false;
}

/* The trace refused what passes without it: what works is taken for that. */
static void pro_take_works(struct proposal *p)
{
    for (size_t i = 0; i < p->typed.count; i++)
        if (p->typed.at[i].works)
            p->typed.at[i].choice = PRO_WORKS;
    p->adds = true;
}

/* A value that works in most traces, for one that this trace refuses. */
static const char *pro_example(const struct proposal *p, const struct pro_item *item)
{
    const struct cli_option *o = item->option;

    return p->refused && o->example && cli_option_demands(o) && strcmp(o->argument, "FILE") != 0
               ? o->example
               : NULL;
}

/* What to try with a word: what works in its place, or to do without it. */
static enum pro_choice pro_other(const struct proposal *p, const struct pro_item *item,
                                 bool without)
{
    if (!item->option || (without && item->works && p->needs && !p->refused))
        return PRO_TYPED;
    if (without)
        return PRO_GONE;
    return item->works ? PRO_WORKS : pro_example(p, item) ? PRO_EXAMPLE : PRO_TYPED;
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
            p->adds = (way & 1) != 0 || pro_must_add(p);
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

/* What the trace proposes where it refuses even the least that works; false: it does not. */
static bool pro_ask(struct proposal *p, char *out, size_t room)
{
    struct cli_renamed r = { .from = "" };
    struct proposal *least = pro_can_open(p) ? cli_room(sizeof *least) : NULL;

    *out = '\0';
    if (!least)
        return false;
    least->c = p->c;
    least->trace = p->trace;
    p->opens = cli_proposal_read_least(least) && pro_goes(least, true, &r);
    free(least);
    snprintf(out, room, "%s", r.command);
    return *out != '\0';
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
    /* What is only tried says nothing, so that nothing is proposed in its place. */
    struct proposal *p = c->rehearsed ? NULL : cli_room(sizeof *p);
    const char *least = c->command->works;
    bool found = false;

    *out = '\0';
    if (!p)
        return false;
    p->c = c;
    p->trace = trace;
    p->needs = works != NULL && strcmp(works, least) != 0;
    if (cli_proposal_read(p, works ? works : least)) {
        p->adds = pro_must_add(p);
        found = !pro_ask(p, out, room) && pro_find(p) && pro_tell(out, room, p);
    }
    free(p);
    return found;
}
