/*
 * prvbrute: cut a plain .prv by time, slowly and obviously.
 *
 * The reference that tests compare the real cutter with. It holds the whole trace in memory,
 * shares no code with the library, and does one thing after the other: read, decide about each
 * record, add what the borders need, sort, print.
 */
#include "brute_trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS_MAX 4096

/* ---- output lines ---- */

static int64_t shown(const struct cut *c, int64_t time)
{
    time = time < c->ends ? time : c->ends;
    return c->keep_time ? time : time - c->start;
}

static void add_result(struct cut *c, int64_t time, enum rank rank, const char *text)
{
    if (c->results == c->room) {
        c->room = c->room * 2 + 1024;
        c->result = brute_room(c->result, c->room, sizeof *c->result);
    }
    c->result[c->results] = (struct result){
        .time = time, .rank = rank, .number = c->results, .text = brute_copy(text, strlen(text))
    };
    c->results++;
}

/* Where field i (from 0) of a line begins. */
static const char *field(const char *line, int i)
{
    while (i-- > 0)
        line = strchr(line, ':') + 1;
    return line;
}

static char *line_room(const struct record *r)
{
    return brute_room(NULL, strlen(r->text) + 128, 1);
}

/* ---- states and communications ---- */

static void cut_state(struct cut *c, const struct record *r)
{
    const struct thread *t = &c->thread[r->thread];
    int64_t begin = r->time[0], end = r->time[1];
    bool inside = begin >= t->from && begin < t->to, odd = end == -1 || end < begin;
    char *line;

    if (end <= begin ? !inside : begin >= t->to || end <= t->from || t->from >= t->to)
        return;
    if (!odd) {
        begin = begin < t->from ? t->from : begin;
        end = end > t->to ? t->to : end;
    }
    line = line_room(r);
    sprintf(line, "%.*s%" PRId64 ":%" PRId64 ":%s", (int)(field(r->text, 5) - r->text), r->text,
            shown(c, begin), end == -1 ? -1 : shown(c, end), field(r->text, 7));
    add_result(c, begin, r->time[0] < t->from ? RANK_CLIPPED : RANK_PLAIN, line);
    free(line);
}

static bool start_inside(const struct thread *t, int64_t time)
{
    return time >= t->from && time < t->to;
}

static bool end_inside(const struct thread *t, int64_t time)
{
    return time >= t->from && time <= t->to && t->from < t->to;
}

static int64_t into(int64_t time, int64_t least, int64_t most)
{
    return time < least ? least : time > most ? most : time;
}

/* Sent in the window and complete by its end, where the receive did not begin only there; other
   times that lie outside are at the borders, and a transfer may begin as long as anything is in the
   cut. */
static void cut_communication(struct cut *c, const struct record *r)
{
    const struct thread *s = &c->thread[r->thread], *d = &c->thread[r->partner];
    const int64_t *t = r->time, complete = t[2] > t[3] ? t[2] : t[3];
    const int64_t earlier = t[2] > t[3] ? t[3] : t[2];
    const bool sent = start_inside(s, t[0]);
    const bool received = end_inside(d, complete) && earlier < d->to;
    const int64_t transfer = into(t[1], s->from, c->end);
    char *line;

    if (!sent || !received) {
        c->dropped += sent || received;
        return;
    }
    line = line_room(r);
    sprintf(line, "%.*s%" PRId64 ":%" PRId64 ":%.*s%" PRId64 ":%" PRId64 ":%s",
            (int)(field(r->text, 5) - r->text), r->text, shown(c, t[0]), shown(c, transfer),
            (int)(field(r->text, 11) - field(r->text, 7)), field(r->text, 7),
            shown(c, into(t[2], d->from, d->to)), shown(c, into(t[3], d->from, d->to)),
            field(r->text, 13));
    add_result(c, transfer, RANK_PLAIN, line);
    free(line);
}

/* ---- events ---- */

/* Event lines of one thread, by time, then as in the file. */
struct events {
    const struct record **at;
    size_t count;
};

static int by_event_time(const void *a, const void *b)
{
    const struct record *x = *(const struct record *const *)a;
    const struct record *y = *(const struct record *const *)b;

    if (x->time[0] != y->time[0])
        return x->time[0] < y->time[0] ? -1 : 1;
    return x < y ? -1 : x > y;
}

static struct events events_of(const struct cut *c, size_t thread)
{
    struct events e = { brute_room(NULL, c->records, sizeof *e.at), 0 };

    for (size_t i = 0; i < c->records; i++)
        if (c->record[i].text[0] == '2' && c->record[i].thread == thread)
            e.at[e.count++] = &c->record[i];
    qsort(e.at, e.count, sizeof *e.at, by_event_time);
    return e;
}

static size_t pairs_of(const struct record *r, struct pair *out)
{
    static const size_t first = 6;
    int64_t *f = brute_room(NULL, first + 2 * PAIRS_MAX, sizeof *f);
    size_t n = brute_numbers(r->text, f, first + 2 * PAIRS_MAX), count = 0;

    for (size_t i = first; i + 1 < n; i += 2)
        out[count++] = (struct pair){ (uint32_t)f[i], f[i + 1] };
    free(f);
    return count;
}

/* A region that a pair began. */
struct held {
    uint32_t type;
    int64_t value;
    size_t line, pair;
};

/* What a thread is in, in the order in which it began. */
struct holding {
    struct held *at;
    size_t count;
};

/* An end ends the innermost of its type; so does what cannot be inside itself and begins again. */
static void hold(struct holding *h, struct held new)
{
    if (new.value == 0 || !brute_nests(new.type)) {
        size_t i = h->count;

        while (i > 0 && h->at[i - 1].type != new.type)
            i--;
        if (i > 0) {
            memmove(&h->at[i - 1], &h->at[i], (h->count - i) * sizeof *h->at);
            h->count--;
        }
    }
    if (new.value == 0)
        return;
    h->at = brute_room(h->at, h->count + 1, sizeof *h->at);
    h->at[h->count++] = new;
}

/* Regions that are open just before a time. */
static struct holding holding_at(const struct cut *c, const struct events *e, int64_t time)
{
    struct holding h = { NULL, 0 };
    struct pair *p = brute_room(NULL, PAIRS_MAX, sizeof *p);

    for (size_t i = 0; i < e->count && e->at[i]->time[0] < time; i++) {
        size_t n = pairs_of(e->at[i], p);

        for (size_t k = 0; k < n; k++)
            if (brute_is_region(c, p[k].type))
                hold(&h, (struct held){ p[k].type, p[k].value, i, k });
    }
    free(p);
    return h;
}

static bool opens(const struct holding *h, size_t line, size_t pair)
{
    for (size_t i = 0; i < h->count; i++)
        if (h->at[i].line == line && h->at[i].pair == pair)
            return true;
    return false;
}

static bool opens_any(const struct holding *h, size_t line)
{
    for (size_t i = 0; i < h->count; i++)
        if (h->at[i].line == line)
            return true;
    return false;
}

/* What tells of a collective: sizes, root, communicator. */
static bool left_out(const struct record *r, uint32_t type)
{
    return r->split && type >= 50100001 && type <= 50100004;
}

/* A line again, at the left border, without counters and without what is over. */
static void reopen(struct cut *c, const struct record *r, size_t number, const struct holding *h)
{
    int64_t from = c->thread[r->thread].from;
    struct pair *p = brute_room(NULL, PAIRS_MAX, sizeof *p);
    char *line = line_room(r), *at = line;
    size_t n = pairs_of(r, p);

    at += sprintf(at, "%.*s%" PRId64, (int)(field(r->text, 5) - r->text), r->text, shown(c, from));
    for (size_t k = 0; k < n; k++) {
        if (brute_is_counter(p[k].type) || left_out(r, p[k].type) ||
            (brute_is_region(c, p[k].type) && !opens(h, number, k)))
            continue;
        at += sprintf(at, ":%" PRIu32 ":%" PRId64, p[k].type, p[k].value);
    }
    add_result(c, from, RANK_OPENED, line);
    free(line);
    free(p);
}

static void open_regions(struct cut *c, const struct thread *t, const struct events *e)
{
    struct holding h = holding_at(c, e, t->from);

    for (size_t i = 0; i < e->count && e->at[i]->time[0] < t->from; i++)
        if (opens_any(&h, i))
            reopen(c, e->at[i], i, &h);
    free(h.at);
}

static int by_type(const void *a, const void *b)
{
    const struct held *x = a, *y = b;

    return x->type < y->type ? -1 : x->type > y->type;
}

/* One line ends the innermost of each type; what is open around it has lines of its own. */
static bool close_innermost(struct cut *c, const struct thread *t, const struct record *last,
                            struct holding *h)
{
    char *line = brute_room(NULL, strlen(last->text) + 32 * h->count + 64, 1), *at = line;
    size_t left = 0;
    bool any = false;

    at += sprintf(at, "%.*s%" PRId64, (int)(field(last->text, 5) - last->text), last->text,
                  shown(c, t->to));
    for (size_t i = 0; i < h->count; i++) {
        if (i > 0 && h->at[i].type == h->at[i - 1].type) {
            h->at[left++] = h->at[i];
            continue;
        }
        at += sprintf(at, ":%" PRIu32 ":0", h->at[i].type);
        any = true;
    }
    if (any)
        add_result(c, t->to, RANK_CLOSED, line);
    h->count = left;
    free(line);
    return any;
}

static void close_regions(struct cut *c, const struct thread *t, const struct events *e)
{
    struct holding h = holding_at(c, e, t->to);
    const struct record *last = NULL;

    for (size_t i = 0; i < e->count && e->at[i]->time[0] < t->to; i++)
        last = e->at[i];
    if (h.count > 0)
        qsort(h.at, h.count, sizeof *h.at, by_type);
    while (last != NULL && close_innermost(c, t, last, &h))
        ;
    free(h.at);
}

/* Counter types that the thread has shown inside its window. */
struct seen {
    uint32_t *type;
    size_t count;
};

static bool is_first(struct seen *s, uint32_t type)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->type[i] == type)
            return false;
    s->type = brute_room(s->type, s->count + 1, sizeof *s->type);
    s->type[s->count++] = type;
    return true;
}

/* A counter's first value after the start counts from before the start: it becomes 0. */
static void cut_event(struct cut *c, const struct record *r, struct seen *s)
{
    struct pair *p = brute_room(NULL, PAIRS_MAX, sizeof *p);
    size_t n = pairs_of(r, p);
    char *line = line_room(r), *at = line;
    const char *rest = field(r->text, 6);

    at += sprintf(at, "%.*s%" PRId64, (int)(field(r->text, 5) - r->text), r->text,
                  shown(c, r->time[0]));
    for (size_t k = 0; k < n; k++) {
        const char *value = field(rest, 1), *end = value + strcspn(value, ":"), *pair = rest;
        bool reset =
            brute_is_counter(p[k].type) && is_first(s, p[k].type) && c->thread[r->thread].from > 0;

        rest = *end == ':' ? end + 1 : end;
        if (left_out(r, p[k].type))
            continue;
        if (reset)
            at += sprintf(at, ":%" PRIu32 ":0", p[k].type);
        else
            at += sprintf(at, ":%.*s", (int)(end - pair), pair);
    }
    add_result(c, r->time[0], RANK_PLAIN, line);
    free(line);
    free(p);
}

/* ---- the cut ---- */

static void cut_borders(struct cut *c)
{
    for (size_t i = 0; i < c->threads; i++) {
        const struct thread *t = &c->thread[i];
        struct events e;

        if (t->from >= t->to)
            continue;
        e = events_of(c, i);
        open_regions(c, t, &e);
        close_regions(c, t, &e);
        free(e.at);
    }
}

static void cut_records(struct cut *c)
{
    struct seen *seen = calloc(c->threads, sizeof *seen);

    if (seen == NULL)
        brute_die("memory", strerror(errno));
    for (size_t i = 0; i < c->records; i++) {
        const struct record *r = &c->record[i];

        if (r->text[0] == '1')
            cut_state(c, r);
        else if (r->text[0] == '3')
            cut_communication(c, r);
        else if (start_inside(&c->thread[r->thread], r->time[0]))
            cut_event(c, r, &seen[r->thread]);
    }
    for (size_t i = 0; i < c->threads; i++)
        free(seen[i].type);
    free(seen);
}

static int by_time(const void *a, const void *b)
{
    const struct result *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int by_text(const void *a, const void *b)
{
    const struct result *x = a, *y = b;

    return strcmp(x->text, y->text);
}

static void print(struct cut *c)
{
    const char *eol = c->crlf ? "\r\n" : "\n";
    char *duration = brute_duration(c->head[0]);

    printf("%.*s%" PRId64 "%s%s", (int)(duration - c->head[0]), c->head[0], shown(c, c->end),
           duration + strspn(duration, "-0123456789."), eol);
    for (size_t i = 1; i < c->heads; i++)
        printf("%s%s", c->head[i], eol);
    if (c->results > 0)
        qsort(c->result, c->results, sizeof *c->result, c->sorted ? by_text : by_time);
    for (size_t i = 0; i < c->results; i++) {
        printf("%s%s", c->result[i].text, eol);
        free(c->result[i].text);
    }
    if (fflush(stdout) != 0)
        brute_die("standard output", strerror(errno));
    fprintf(stderr, "dropped communications: %zu\n", c->dropped);
}

static const char usage[] =
    "usage: prvbrute [--keep-time] [--sorted] --from NS --to NS TRACE.prv [TRACE.pcf]\n"
    "       prvbrute [--keep-time] [--sorted] --windows FILE TRACE.prv [TRACE.pcf]\n"
    "Cut [from, to) out of a plain trace, to standard output. FILE has lines\n"
    "`thread from to`: threads count from 0 in the header's order; those that are not\n"
    "listed are left out. --sorted: records in the order of their bytes. Windows are\n"
    "ns; in a trace with a coarser unit they begin and end at the next tick.\n"
    "Standard error says how many communications were dropped at the borders.\n";

struct settings {
    const char *windows, *trace, *labels;
    long long from, to;
};

static bool read_arguments(struct cut *c, struct settings *s, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;

        if (strcmp(word, "--keep-time") == 0)
            c->keep_time = true;
        else if (strcmp(word, "--sorted") == 0)
            c->sorted = true;
        else if (next != NULL && strcmp(word, "--from") == 0)
            s->from = strtoll(argv[++i], NULL, 10);
        else if (next != NULL && strcmp(word, "--to") == 0)
            s->to = strtoll(argv[++i], NULL, 10);
        else if (next != NULL && strcmp(word, "--windows") == 0)
            s->windows = argv[++i];
        else if (word[0] == '-' || s->labels != NULL)
            return false;
        else if (s->trace == NULL)
            s->trace = word;
        else
            s->labels = word;
    }
    return s->trace != NULL && (s->windows != NULL || s->to > s->from);
}

/* NAME.pcf beside NAME.prv, where no other is given; there may be none. */
static char *labels_text(const struct settings *s)
{
    size_t n = strlen(s->trace);
    char *path, *text;

    if (s->labels != NULL)
        return brute_file(s->labels, true);
    path = brute_copy(s->trace, n);
    if (n > 4 && strcmp(path + n - 4, ".prv") == 0)
        memcpy(path + n - 3, "pcf", 3);
    else
        path[0] = '\0';
    text = brute_file(path, false);
    free(path);
    return text;
}

/* What stands at the very end of the trace belongs to a window that reaches it: one tick more. */
static void reach_end(struct cut *c)
{
    const int64_t end = strtoll(brute_duration(c->head[0]), NULL, 10);
    bool reaches = false;

    c->ends = INT64_MAX;
    for (size_t i = 0; i < c->records; i++)
        for (unsigned k = 0; k < 4; k++)
            if (c->record[i].time[k] > end)
                return;
    if (c->start >= end)
        return;
    for (size_t i = 0; i < c->threads; i++)
        if (c->thread[i].to >= end && c->thread[i].from < c->thread[i].to) {
            c->thread[i].to = end + 1;
            reaches = true;
        }
    c->ends = reaches ? end : INT64_MAX;
}

static void release(struct cut *c)
{
    free(c->thread);
    free(c->record);
    free(c->head);
    free(c->region);
    free(c->is_region);
    free(c->result);
}

int main(int argc, char **argv)
{
    struct cut c = { 0 };
    struct settings s = { 0 };
    char *trace, *labels;

    if (!read_arguments(&c, &s, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    trace = brute_file(s.trace, true);
    labels = labels_text(&s);
    if (labels != NULL)
        brute_read_labels(&c, labels);
    brute_read_trace(&c, trace);
    for (size_t i = 0; i < c.threads && s.windows == NULL; i++) {
        c.thread[i].from = brute_tick(&c, s.from);
        c.thread[i].to = brute_tick(&c, s.to);
    }
    if (s.windows != NULL)
        brute_read_windows(&c, s.windows);
    brute_set_hull(&c);
    reach_end(&c);
    brute_set_hull(&c);
    brute_split_collectives(&c);
    cut_borders(&c);
    cut_records(&c);
    print(&c);
    release(&c);
    free(labels);
    free(trace);
    return 0;
}
