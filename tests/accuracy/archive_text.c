#include "archive_text.h"

#include "traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define LINE 65536

/* --- Places --------------------------------------------------------------------------------- */

static struct archive_place *place_of(struct archive_text *t, uint64_t id)
{
    size_t low = 0, high = t->places;
    struct archive_place *more;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (t->place[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < t->places && t->place[low].id == id)
        return &t->place[low];
    more = realloc(t->place, (t->places + 1) * sizeof *more);
    if (!more)
        return NULL;
    t->place = more;
    memmove(more + low + 1, more + low, (t->places - low) * sizeof *more);
    more[low] = (struct archive_place){ .id = id, .first = UINT64_MAX };
    t->places++;
    return &more[low];
}

static void enter(struct archive_place *p, uint64_t region)
{
    p->enters++;
    if (p->depth == p->room) {
        const size_t room = p->room > 0 ? 2 * p->room : 16;
        uint64_t *more = realloc(p->open, room * sizeof *more);

        if (!more)
            return;
        p->open = more;
        p->room = room;
    }
    p->open[p->depth++] = region;
}

static void leave(struct archive_place *p, uint64_t region)
{
    p->leaves++;
    if (p->depth == 0 || p->open[p->depth - 1] != region)
        p->crossed = true;
    if (p->depth > 0)
        p->depth--;
}

/* --- Items ---------------------------------------------------------------------------------- */

static void keep(struct archive_text *t, size_t *room, const struct archive_item *item)
{
    if (t->items == *room) {
        const size_t more = *room > 0 ? 2 * *room : 1024;
        struct archive_item *at = realloc(t->item, more * sizeof *at);

        if (!at)
            return;
        t->item = at;
        *room = more;
    }
    t->item[t->items++] = *item;
}

static void keep_message(struct archive_text *t, size_t *room, bool receive, uint64_t place,
                         uint64_t peer, uint64_t tag, uint64_t time)
{
    const struct archive_item item = { .party = { .message = true,
                                                  .a = receive ? peer : place,
                                                  .b = receive ? place : peer,
                                                  .tag = tag },
                                       .side = receive,
                                       .time = time };

    keep(t, room, &item);
}

static void keep_collective(struct archive_text *t, size_t *room, uint64_t communicator,
                            uint64_t place, uint64_t time)
{
    const struct archive_item item = { .party = { .a = communicator },
                                       .side = place,
                                       .time = time };

    keep(t, room, &item);
}

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* By party and side; times of one side do not decrease in an archive. */
static int by_party(const void *x, const void *y)
{
    const struct archive_item *a = x, *b = y;
    const uint64_t key[2][6] = {
        { a->party.message, a->party.a, a->party.b, a->party.tag, a->side, a->time },
        { b->party.message, b->party.a, b->party.b, b->party.tag, b->side, b->time },
    };
    int order = 0;

    for (size_t i = 0; order == 0 && i < sizeof *key / sizeof **key; i++)
        order = compare(key[0][i], key[1][i]);
    return order;
}

/* --- Lines ---------------------------------------------------------------------------------- */

/* The number that follows a word; false: the word is not there. */
static bool number_after(const char *line, const char *word, uint64_t *out)
{
    const char *at = strstr(line, word);
    char *end;

    if (!at)
        return false;
    at += strlen(word);
    *out = strtoull(at, &end, 10);
    return end > at;
}

/* The number in <> behind a name in quotes that follows a word: `Region: "name" <4>`. */
static bool reference_after(const char *line, const char *word, uint64_t *out)
{
    const char *at = strstr(line, word), *next;

    if (!at)
        return false;
    at += strlen(word);
    /* A partner that is not defined is only a number; what follows is not its name. */
    next = strstr(at, ", Communicator: ");
    at = strstr(at, "\" <");
    return at && (!next || at < next) && number_after(at, "<", out);
}

/* "MPI_SEND   536870911   123456  Receiver: 1 ("P#1T#0" <536870911>), Communicator: ..." */
static void read_otf2(struct archive_text *t, size_t *room, const char *line)
{
    struct archive_place *p;
    uint64_t id, time, what, tag;
    char kind[64];
    int used;

    if (sscanf(line, "%63[A-Z0-9_] %" SCNu64 " %" SCNu64 " %n", kind, &id, &time, &used) < 3)
        return;
    p = place_of(t, id);
    if (!p)
        return;
    t->records++;
    line += used;
    p->first = time < p->first ? time : p->first;
    p->last = time > p->last ? time : p->last;
    if (strcmp(kind, "ENTER") == 0 && reference_after(line, "Region: ", &what))
        enter(p, what);
    else if (strcmp(kind, "LEAVE") == 0 && reference_after(line, "Region: ", &what))
        leave(p, what);
    else if ((strcmp(kind, "MPI_SEND") == 0 || strcmp(kind, "MPI_ISEND") == 0) &&
             reference_after(line, "Receiver: ", &what) && number_after(line, "Tag: ", &tag))
        keep_message(t, room, false, id, what, tag, time);
    else if ((strcmp(kind, "MPI_RECV") == 0 || strcmp(kind, "MPI_IRECV") == 0) &&
             reference_after(line, "Sender: ", &what) && number_after(line, "Tag: ", &tag))
        keep_message(t, room, true, id, what, tag, time);
    else if (strcmp(kind, "MPI_COLLECTIVE_END") == 0 &&
             reference_after(line, "Communicator: ", &what))
        keep_collective(t, room, what, id, time);
}

/* "(#707) <tab>16017631 SendMessage: sender 13, receiver 14, group 1, type 1, ..." */
static void read_otf(struct archive_text *t, size_t *room, const char *line)
{
    struct archive_place *p;
    uint64_t id, time, what, tag;
    char kind[64];
    int used;

    if (sscanf(line, "(#%*u) %" SCNu64 " %63[A-Za-z]: %n", &time, kind, &used) < 2)
        return;
    line += used;
    if (!number_after(line, "process ", &id) &&
        !number_after(line, strcmp(kind, "SendMessage") == 0 ? "sender " : "receiver ", &id))
        return;
    p = place_of(t, id);
    if (!p)
        return;
    t->records++;
    p->first = time < p->first ? time : p->first;
    p->last = time > p->last ? time : p->last;
    if (strcmp(kind, "Enter") == 0 && number_after(line, "function ", &what))
        enter(p, what);
    else if (strcmp(kind, "Leave") == 0 && number_after(line, "function ", &what))
        leave(p, what);
    else if (strcmp(kind, "SendMessage") == 0 && number_after(line, "receiver ", &what) &&
             number_after(line, "type ", &tag))
        keep_message(t, room, false, id, what, tag, time);
    else if (strcmp(kind, "ReceiveMessage") == 0 && number_after(line, "sender ", &what) &&
             number_after(line, "type ", &tag))
        keep_message(t, room, true, id, what, tag, time);
    else if (strcmp(kind, "BeginCollective") == 0 && number_after(line, "group ", &what))
        keep_collective(t, room, what, id, time);
}

static const struct tool {
    const char *format, *command, *check;
    void (*read)(struct archive_text *t, size_t *room, const char *line);
} tools[] = {
    { "otf2", "otf2-print", "command -v otf2-print >/dev/null", read_otf2 },
    { "otf", "otfprint --nostat --nosnap",
      "command -v otfprint >/dev/null && command -v otfdecompress >/dev/null", read_otf },
};

static const struct tool *tool_of(const char *format)
{
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (strcmp(tools[i].format, format) == 0)
            return &tools[i];
    return NULL;
}

bool archive_text_can(const char *format)
{
    const struct tool *tool = tool_of(format);

    return tool && traces_shell("%s", tool->check);
}

/* --- Running the tool ----------------------------------------------------------------------- */

/* Debian's otfprint cannot read compressed streams: a copy with plain ones; main: of that copy. */
static bool decompress(const char *path, const char *scratch, char *main, size_t room)
{
    const char *name = strrchr(path, '/');
    const int folder = (int)(name ? name - path : 1);

    snprintf(main, room, "%s", path);
    if (!traces_shell("ls '%.*s'/*.z >'%s/list' 2>/dev/null", folder, name ? path : ".", scratch))
        return true;
    snprintf(main, room, "%s/plain/%s", scratch, name ? name + 1 : path);
    return traces_shell("rm -rf '%s/plain' && mkdir '%s/plain' && cp '%.*s'/* '%s/plain' &&"
                        " cd '%s/plain' && chmod u+w * && for f in *.z; do"
                        " otfdecompress \"$f\" >../list 2>&1 && rm -f \"$f\" || exit 1; done",
                        scratch, scratch, folder, name ? path : ".", scratch, scratch);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    long size;

    if (file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0) {
        rewind(file);
        text = calloc((size_t)size + 1, 1);
        if (text && fread(text, 1, (size_t)size, file) != (size_t)size)
            text[0] = '\0';
    }
    if (file)
        fclose(file);
    return text;
}

static bool read_lines(struct archive_text *t, const struct tool *tool, const char *command)
{
    FILE *pipe = popen(command, "r");
    char *line = malloc(LINE);
    size_t room = 0;
    int status;

    while (pipe && line && fgets(line, LINE, pipe))
        tool->read(t, &room, line);
    free(line);
    if (!pipe)
        return false;
    status = pclose(pipe);
    t->failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    return true;
}

bool archive_text_read(struct archive_text *out, const char *format, const char *path,
                       const char *scratch)
{
    const struct tool *tool = tool_of(format);
    char main[4096], command[8192], words[4096];
    bool good;

    *out = (struct archive_text){ .items = 0 };
    if (!tool || !decompress(path, scratch, main, sizeof main))
        return false;
    snprintf(words, sizeof words, "%.4000s/words", scratch);
    snprintf(command, sizeof command, "%s '%.4000s' 2>'%s.raw'", tool->command, main, words);
    good = read_lines(out, tool, command) &&
           traces_shell(
               "sed 's/\"[^\"]*\"/\"\"/g; s/[0-9][0-9]*/N/g' '%s.raw' | LC_ALL=C sort -u >'%s'",
               words, words);
    out->words = read_file(words);
    if (out->items > 0)
        qsort(out->item, out->items, sizeof *out->item, by_party);
    return good && out->words;
}

void archive_text_fini(struct archive_text *t)
{
    for (size_t i = 0; i < t->places; i++)
        free(t->place[i].open);
    free(t->place);
    free(t->item);
    free(t->words);
    *t = (struct archive_text){ .items = 0 };
}
