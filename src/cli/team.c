#include "team.h"
#include "quote.h"
#include "tokens.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool cli_team_takes(const struct cli_command *command)
{
    return command->bit & (CLI_REDUCE | CLI_STRUCTURE | CLI_INDEX | CLI_PROFILE);
}

const char *cli_team_why(const struct cli_command *command)
{
    /* What meets messages with their receives takes records of all ranks in between each other. */
    const unsigned ordered = CLI_WAITS | CLI_COMM | CLI_PATTERNS | CLI_FIND | CLI_SQL | CLI_DIFF;

    return cli_team_takes(command)    ? NULL
           : command->bit & ordered   ? "which needs the trace in one order"
           : command->bit & CLI_MAKES ? "whose file one process writes"
           : command->bit & CLI_WORK  ? "for which each would read all of the trace"
                                      : "which has nothing to share";
}

/* Does that line of words, behind the program's name, begin with a command that ranks do not share?
 */
static bool tea_is_for_one(const char *words)
{
    const struct cli_command *command;
    char word[20];

    snprintf(word, sizeof word, "%.*s", (int)strcspn(words, " "), words);
    command = cli_command_find(word);
    return command && !cli_team_takes(command);
}

/* Is it where the shell takes a command's name, not in that of a file? */
static bool tea_begins(const char *command, const char *at)
{
    return at == command || (at - command > 2 && at[-1] == ' ' && strchr("&;", at[-2]));
}

void cli_team_call(char *command, size_t room, const struct cli *c, const char *text)
{
    static const char alone[] = "prvcut ", team[] = "prvcut-mpi ";

    if (!c->exchange || strstr(text, "prvcut alone") || strstr(command, " --follow"))
        return;
    for (char *at = strstr(command, alone); at; at = strstr(at + 1, alone)) {
        char *rest = at + strlen(alone);

        if (!tea_begins(command, at) || tea_is_for_one(rest) ||
            strlen(command) + strlen(team) - strlen(alone) >= room)
            continue;
        memmove(at + strlen(team), rest, strlen(rest) + 1);
        memcpy(at, team, strlen(team));
    }
}

/* --- What each was started with --------------------------------------------------------------- */

/* Is it how many threads the rank has, which is its own? */
static bool tea_is_own(const struct cli_token *t)
{
    return t->kind == CLI_TOKEN_OPTION && strcmp(t->option->name, "threads") == 0;
}

/* What was typed, but for that. NULL: no memory. */
static char *tea_words(int argc, char **argv)
{
    struct cli_cursor at = { .argc = argc, .next = 1, .argv = argv };
    struct cli_token t = { .option = NULL };
    size_t room = 1, n = 0;
    char *out;

    for (int i = 1; i < argc; i++)
        room += 4 * strlen(argv[i]) + 5;
    out = cli_room(room);
    for (int from = 1; out && cli_token_next(&at, &t) != CLI_TOKEN_END; from = at.next)
        for (int i = from; i < at.next && !tea_is_own(&t); i++) {
            out[n++] = ' ';
            n += cli_quote(out + n, argv[i]);
        }
    if (out)
        out[n] = '\0';
    return out;
}

static enum prvcut_status tea_send(const struct prvcut_exchange *x, unsigned to, const char *words,
                                   struct prvcut_error *err)
{
    const uint64_t length = strlen(words);
    const enum prvcut_status st = x->send(x->ctx, to, &length, sizeof length, err);

    return st < 0 ? st : x->send(x->ctx, to, words, (size_t)length, err);
}

static enum prvcut_status tea_receive(char **out, const struct prvcut_exchange *x, unsigned from,
                                      struct prvcut_error *err)
{
    uint64_t length = 0;
    enum prvcut_status st = x->receive(x->ctx, from, &length, sizeof length, err);

    *out = st < 0 ? NULL : cli_room((size_t)length + 1);
    if (st < 0 || !*out)
        return st < 0 ? st : PRVCUT_ENOMEM;
    return x->receive(x->ctx, from, *out, (size_t)length, err);
}

/* Rank 0 hears all, and tells them. */
static enum prvcut_status tea_compare(struct cli_team_other *out, const char *words,
                                      const struct prvcut_exchange *x, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    uint8_t same;

    for (unsigned i = 1; i < x->ranks && st == PRVCUT_OK; i++) {
        char *theirs = NULL;

        st = tea_receive(&theirs, x, i, err);
        if (st == PRVCUT_OK && !out->words && strcmp(theirs, words) != 0)
            *out = (struct cli_team_other){ i, theirs };
        else
            free(theirs);
    }
    same = !out->words;
    for (unsigned i = 1; i < x->ranks && st == PRVCUT_OK; i++)
        st = x->send(x->ctx, i, &same, sizeof same, err);
    return st;
}

enum cli_exit cli_team_agrees(struct cli_team_other *out, int argc, char **argv,
                              const struct prvcut_exchange *x)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    enum prvcut_status st = PRVCUT_ENOMEM;
    uint8_t same = 1;
    char *words;

    *out = (struct cli_team_other){ .words = NULL };
    if (!x || x->ranks < 2)
        return CLI_DONE;
    words = tea_words(argc, argv);
    if (words && x->rank == 0)
        st = tea_compare(out, words, x, &err);
    else if (words && (st = tea_send(x, 0, words, &err)) == PRVCUT_OK)
        st = x->receive(x->ctx, 0, &same, sizeof same, &err);
    free(words);
    if (st < 0)
        fprintf(stderr, "prvcut: %s\n", *err.text ? err.text : "out of memory");
    return st < 0 ? CLI_FAILED : same && !out->words ? CLI_DONE : CLI_MISUSED;
}
