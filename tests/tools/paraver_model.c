/*
 * prvmodel: Paraver's cutter and filter, slowly and obviously.
 *
 * The reference for cuts by a configuration and for filters. It holds the whole trace in memory,
 * shares no code with the library, and follows the rules thread by thread: decide about each
 * record, render it, find the zeros that close, filter what came out, print.
 */
#include "brute_trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_ROOM (1 << 16)

struct number_list {
    int64_t *at;
    size_t count;
};

struct rules {
    int64_t from, to, max;
    double from_percent, to_percent;
    bool percent, original, broken, keep, first, last;
    const char *tasks;
};

struct model {
    struct cut trace;
    struct rules rule;
    struct number_list valued, listed, counters; /* types of the .pcf */
    bool *kept;                                  /* [records] */
    char **line;                                 /* [records]: rendered, times as they were */
    struct number_list *open, *counted;          /* [threads] */
    int64_t *cpu;                                /* [threads] */
    int64_t least, most;                         /* times of what is kept */
    char **filter;                               /* "key=value" and "+" */
    int filters;
};

static void push(struct number_list *l, int64_t n)
{
    l->at = brute_room(l->at, l->count + 1, sizeof *l->at);
    l->at[l->count++] = n;
}

static bool holds(const struct number_list *l, int64_t n)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->at[i] == n)
            return true;
    return false;
}

/* "1-4,7" */
static bool in_list(const char *list, int64_t n)
{
    while (*list) {
        char *end;
        int64_t a = strtoll(list, &end, 10), b = a;

        if (*end == '-')
            b = strtoll(end + 1, &end, 10);
        if (n >= a && n <= b)
            return true;
        list = *end == ',' ? end + 1 : "";
    }
    return false;
}

static bool selected(const struct model *m, size_t thread)
{
    return !m->rule.tasks || in_list(m->rule.tasks, m->trace.thread[thread].task);
}

/* ---- labels ---- */

static void read_types(struct model *m, char *text)
{
    struct number_list block = { NULL, 0 };
    bool in_block = false, in_values = false, used = false;

    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        int64_t colour, type;

        if (strncmp(line, "EVENT_TYPE", 10) == 0) {
            in_block = true;
            in_values = used = false;
            block.count = 0;
        } else if (strncmp(line, "VALUES", 6) == 0) {
            in_values = in_block;
        } else if (in_values && line[strspn(line, "-0123456789")] == ' ' && *line != ' ') {
            for (size_t i = 0; !used && i < block.count; i++)
                push(&m->valued, block.at[i]);
            used = true;
        } else if (in_block && sscanf(line, "%" SCNd64 " %" SCNd64, &colour, &type) == 2) {
            push(&block, type);
            push(&m->listed, type);
            if (type >= 42000000 && type < 50000000 && !holds(&m->counters, type))
                push(&m->counters, type);
        } else {
            in_block = in_values = false;
        }
    }
    free(block.at);
}

static void read_pcf(struct model *m, const char *trace)
{
    size_t n = strlen(trace);
    char *path = brute_copy(trace, n), *text;

    memcpy(path + n - 3, "pcf", 3);
    text = brute_file(path, false);
    if (text)
        read_types(m, text);
    free(text);
    free(path);
}

/* ---- the cut ---- */

static const char *field(const char *line, int i)
{
    while (i-- > 0)
        line = strchr(line, ':') + 1;
    return line;
}

static int64_t clipped(const struct model *m, int64_t t)
{
    const struct rules *r = &m->rule;

    return !r->broken ? t : t < r->from ? r->from : t > r->to ? r->to : t;
}

static void span(struct model *m, const int64_t *time, int times)
{
    for (int i = 0; i < times; i++) {
        m->least = time[i] < m->least ? time[i] : m->least;
        m->most = time[i] > m->most ? time[i] : m->most;
    }
}

static void close_type(struct number_list *open, int64_t type)
{
    for (size_t i = open->count; i-- > 0;)
        if (open->at[i] == type) {
            memmove(open->at + i, open->at + i + 1, (open->count - i - 1) * sizeof *open->at);
            open->count--;
            return;
        }
}

/* Rendered with the first value of each counter as 0; follows what is open. */
static char *render_event(struct model *m, const struct record *r, struct number_list *through)
{
    static const int first = 6;
    size_t thread = r->thread, n;
    static int64_t f[LINE_ROOM];
    char *out = brute_room(NULL, strlen(r->text) * 2 + 64, 1), *at = out;

    n = brute_numbers(r->text, f, LINE_ROOM);
    at += sprintf(at, "%.*s", (int)(field(r->text, first) - r->text - 1), r->text);
    for (size_t i = (size_t)first; i + 1 < n; i += 2) {
        int64_t type = f[i], value = f[i + 1];

        if (holds(&m->counters, type)) {
            if (value != 0 && !holds(&m->counted[thread], type))
                push(&m->counted[thread], type);
            if (!holds(through, type)) {
                push(through, type);
                value = 0;
            }
        } else if (value == 0) {
            close_type(&m->open[thread], type);
        } else if (!holds(&m->listed, type) || holds(&m->valued, type)) {
            push(&m->open[thread], type);
        }
        at += sprintf(at, ":%" PRId64 ":%" PRId64, type, value);
    }
    return out;
}

static char *render_state(const struct model *m, const struct record *r)
{
    char *out = brute_room(NULL, strlen(r->text) + 64, 1);

    sprintf(out, "%.*s%" PRId64 ":%" PRId64 ":%s", (int)(field(r->text, 5) - r->text), r->text,
            clipped(m, r->time[0]), clipped(m, r->time[1]), field(r->text, 7));
    return out;
}

/* One thread's states and events in the order of the file, up to a record. */
static void cut_thread(struct model *m, size_t thread, size_t end)
{
    const struct rules *r = &m->rule;
    struct number_list through = { NULL, 0 };
    bool known = false, finished = false, in_state = false;
    int64_t begin = 0, until = 0;

    for (size_t i = 0; i < end; i++) {
        const struct record *rec = &m->trace.record[i];
        int64_t b = rec->time[0], e = rec->time[1];

        if (rec->thread != thread || rec->text[0] == '3' || !selected(m, thread))
            continue;
        if (rec->text[0] == '1') {
            bool crosses_first = b < r->from, crosses_last = b < r->to && e > r->to;

            if (e <= r->from || b > r->to)
                continue;
            if (crosses_first && e > r->to && (r->first || r->last)) {
                m->cpu[thread] = known ? m->cpu[thread] : strtoll(field(rec->text, 1), NULL, 10);
                known = true;
                continue;
            }
            if (crosses_first && r->first)
                continue;
            if (crosses_last && r->last) {
                finished = finished || known;
                continue;
            }
            m->cpu[thread] = known ? m->cpu[thread] : strtoll(field(rec->text, 1), NULL, 10);
            known = in_state = true;
            begin = b;
            until = e;
            finished = finished || (crosses_last && r->keep);
            m->kept[i] = true;
            m->line[i] = render_state(m, rec);
            continue;
        }
        if (known && finished && b != until) {
            if (!(r->keep && !r->last && b <= until))
                continue;
        } else if (b > r->to) {
            continue;
        }
        if (r->first && !known)
            continue;
        if (b < r->from && !(r->keep && in_state && begin <= b && until >= r->from))
            continue;
        known = true;
        m->cpu[thread] = strtoll(field(rec->text, 1), NULL, 10);
        m->kept[i] = true;
        m->line[i] = render_event(m, rec, &through);
    }
    free(through.at);
}

static void cut_messages(struct model *m, size_t end)
{
    for (size_t i = 0; i < end; i++) {
        const struct record *r = &m->trace.record[i];
        const int64_t *t = r->time;

        if (r->text[0] != '3' || (!selected(m, r->thread) && !selected(m, r->partner)))
            continue;
        if (t[0] < m->rule.from || t[2] < m->rule.from || t[1] > m->rule.to || t[3] > m->rule.to)
            continue;
        m->kept[i] = true;
        m->line[i] = brute_copy(r->text, strlen(r->text));
    }
}

static void cut_until(struct model *m, size_t end)
{
    for (size_t i = 0; i < m->trace.records; i++) {
        m->kept[i] = false;
        free(m->line[i]);
        m->line[i] = NULL;
    }
    for (size_t k = 0; k < m->trace.threads; k++) {
        m->open[k].count = m->counted[k].count = 0;
        cut_thread(m, k, end);
    }
    cut_messages(m, end);
}

/* The record behind the one that makes the cut as large as it may be. */
static size_t limit(const struct model *m)
{
    int64_t size = 0;

    for (size_t i = 0; i < m->trace.heads; i++)
        size += (int64_t)strlen(m->trace.head[i]) + 1;
    for (size_t i = 0; i < m->trace.records; i++) {
        size += m->kept[i] ? (int64_t)strlen(m->line[i]) + 1 : 0;
        if (m->kept[i] && size >= m->rule.max)
            return i + 1;
    }
    return m->trace.records;
}

/* ---- filters ---- */

/* Is number (with a value) in "A-B=V/V"? */
static bool item_holds(const char *item, int64_t number, int64_t value)
{
    char *end;
    int64_t a = strtoll(item, &end, 10), b = a;

    if (*end == '-')
        b = strtoll(end + 1, &end, 10);
    if (number < a || number > b)
        return false;
    if (*end != '=')
        return true;
    while (*end == '=' || *end == '/')
        if (strtoll(end + 1, &end, 10) == value)
            return true;
    return false;
}

static const char *value_of(const char *word, const char *key)
{
    size_t n = strlen(key);

    return strncmp(word, key, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

/* What one group of words, from `first` up to a '+', says of a number. */
static bool listed(const struct model *m, int first, const char *keep, const char *drop,
                   int64_t number, int64_t value)
{
    bool any = false, found = false;
    const char *item;

    for (int i = first; i < m->filters && strcmp(m->filter[i], "+") != 0; i++) {
        if ((item = value_of(m->filter[i], keep)) != NULL) {
            any = true;
            found = found || item_holds(item, number, value);
        }
        if ((item = value_of(m->filter[i], drop)) != NULL && item_holds(item, number, value))
            return false;
    }
    return found || !any;
}

static int64_t least(const struct model *m, int first, const char *key)
{
    for (int i = first; i < m->filters && strcmp(m->filter[i], "+") != 0; i++)
        if (value_of(m->filter[i], key))
            return strtoll(value_of(m->filter[i], key), NULL, 10);
    return 0;
}

static bool says(const struct model *m, int first, const char *word)
{
    for (int i = first; i < m->filters && strcmp(m->filter[i], "+") != 0; i++)
        if (strcmp(m->filter[i], word) == 0)
            return true;
    return false;
}

static const char *text_of(const struct model *m, int first, const char *key)
{
    for (int i = first; i < m->filters && strcmp(m->filter[i], "+") != 0; i++)
        if (value_of(m->filter[i], key))
            return value_of(m->filter[i], key);
    return NULL;
}

/* "task.thread,task.thread" */
static bool thread_listed(const char *list, int64_t task, int64_t thread)
{
    while (*list) {
        char *end;
        int64_t a = strtoll(list, &end, 10), b = strtoll(end + 1, &end, 10);

        if (a == task && b == thread)
            return true;
        list = *end == ',' ? end + 1 : "";
    }
    return false;
}

static bool object_stays(const struct model *m, int first, const int64_t *f)
{
    const char *tasks = text_of(m, first, "tasks"), *threads = text_of(m, first, "threads");
    bool one = (!tasks || in_list(tasks, f[3])) && (!threads || thread_listed(threads, f[3], f[4]));

    return f[0] == 3 ? one || ((!tasks || in_list(tasks, f[9])) &&
                               (!threads || thread_listed(threads, f[9], f[10])))
                     : one;
}

/* The line through one group; an event line may get shorter, or empty where none is left. */
static void filter_line(const struct model *m, int first, char *line)
{
    static int64_t f[LINE_ROOM];
    size_t n = brute_numbers(line, f, LINE_ROOM);
    bool stays = object_stays(m, first, f);

    if (f[0] == 1) {
        stays = stays && !says(m, first, "nostates") &&
                f[6] - f[5] >= least(m, first, "minstate") &&
                listed(m, first, "state", "nostate", f[7], 0);
    } else if (f[0] == 3) {
        stays = stays && !says(m, first, "nocomms") && f[13] >= least(m, first, "mincomm");
    } else {
        char *out = brute_room(NULL, strlen(line) + 64, 1), *at = out;
        size_t kept = 0;

        at += sprintf(at, "%.*s", (int)(field(line, 6) - line - 1), line);
        for (size_t i = 6; i + 1 < n; i += 2)
            if (listed(m, first, "type", "notype", f[i], f[i + 1])) {
                at += sprintf(at, ":%" PRId64 ":%" PRId64, f[i], f[i + 1]);
                kept++;
            }
        stays = stays && !says(m, first, "noevents") && kept > 0;
        strcpy(line, out);
        free(out);
    }
    if (!stays)
        *line = '\0';
}

static void print_line(const struct model *m, char *line)
{
    for (int i = 0; i < m->filters && *line; i++)
        if (i == 0 || strcmp(m->filter[i - 1], "+") == 0)
            filter_line(m, i, line);
    if (*line)
        puts(line);
}

/* ---- printing ---- */

static char *moved(const char *line, int64_t by)
{
    static const int message[] = { 5, 6, 11, 12 };
    char *out = brute_room(NULL, strlen(line) + 64, 1), *at = out;
    int number = 0;

    while (line) {
        const char *next = strchr(line, ':');
        int length = next ? (int)(next - line) : (int)strlen(line);
        bool time = number == 5 || (*out == '1' && number == 6);

        for (int i = 0; *out == '3' && i < 4; i++)
            time = time || number == message[i];
        if (time)
            at += sprintf(at, "%" PRId64, (int64_t)strtoll(line, NULL, 10) - by);
        else
            at += sprintf(at, "%.*s", length, line);
        if (next)
            at += sprintf(at, ":");
        line = next ? next + 1 : NULL;
        number++;
    }
    return out;
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void print_zeros(struct model *m, size_t k, int64_t time)
{
    const struct thread *t = &m->trace.thread[k];
    struct number_list once = { NULL, 0 };
    char *line = brute_room(NULL, 64 * (m->open[k].count + m->counted[k].count + 4), 1), *at;

    for (size_t i = 0; i < m->open[k].count; i++)
        if (!holds(&once, m->open[k].at[i]))
            push(&once, m->open[k].at[i]);
    at = line + sprintf(line, "2:%" PRId64 ":%" PRId64 ":%" PRId64 ":%" PRId64 ":%" PRId64,
                        m->cpu[k], t->application, t->task, t->thread, time);
    for (size_t i = once.count; i-- > 0;)
        at += sprintf(at, ":%" PRId64 ":0", once.at[i]);
    if (once.count > 0)
        print_line(m, line);
    if (m->counted[k].count > 0)
        qsort(m->counted[k].at, m->counted[k].count, sizeof *m->counted[k].at, ascending);
    at = line + sprintf(line, "2:%" PRId64 ":%" PRId64 ":%" PRId64 ":%" PRId64 ":%" PRId64,
                        m->cpu[k], t->application, t->task, t->thread, time);
    for (size_t i = 0; i < m->counted[k].count; i++)
        at += sprintf(at, ":%" PRId64 ":0", m->counted[k].at[i]);
    if (m->counted[k].count > 0)
        print_line(m, line);
    free(line);
    free(once.at);
}

static void cut(struct model *m)
{
    struct rules *r = &m->rule;
    const double end = (double)strtoll(brute_duration(m->trace.head[0]), NULL, 10);
    int64_t zeros, base;

    if (r->percent) {
        r->from = (int64_t)llround(r->from_percent / 100 * end);
        r->to = (int64_t)llround(r->to_percent / 100 * end);
    }
    r->broken = r->broken && !r->original;
    r->keep = r->keep && !r->broken;
    cut_until(m, m->trace.records);
    if (r->max > 0)
        cut_until(m, limit(m));
    m->least = INT64_MAX;
    for (size_t i = 0; i < m->trace.records; i++) {
        const struct record *rec = &m->trace.record[i];
        int64_t shown[2] = { clipped(m, rec->time[0]), clipped(m, rec->time[1]) };

        if (m->kept[i] && rec->text[0] == '1')
            span(m, shown, 2);
        else if (m->kept[i])
            span(m, rec->time, rec->text[0] == '2' ? 1 : 4);
    }
    zeros = m->most > r->to || r->last ? m->most : r->to;
    base = r->original ? 0 : m->least;
    printf("duration %" PRId64 "\n",
           r->original ? (int64_t)end : (m->most > zeros ? m->most : zeros) - base);
    for (size_t i = 0; i < m->trace.records; i++)
        if (m->kept[i]) {
            char *line = moved(m->line[i], base);

            print_line(m, line);
            free(line);
        }
    for (size_t k = 0; k < m->trace.threads; k++)
        print_zeros(m, k, zeros - base);
}

static void pass(struct model *m)
{
    printf("duration %lld\n", strtoll(brute_duration(m->trace.head[0]), NULL, 10));
    for (size_t i = 0; i < m->trace.records; i++) {
        char *line = brute_copy(m->trace.record[i].text, strlen(m->trace.record[i].text));

        print_line(m, line);
        free(line);
    }
}

static bool read_rule(struct rules *r, const char *word)
{
    static const char *const flags[] = { "original", "break", "keep", "first", "last" };
    bool *const flag[] = { &r->original, &r->broken, &r->keep, &r->first, &r->last };
    const char *value;

    for (int i = 0; i < 5; i++)
        if (strcmp(word, flags[i]) == 0)
            return *flag[i] = true;
    if ((value = value_of(word, "from")) != NULL)
        r->from = strtoll(value, NULL, 10);
    else if ((value = value_of(word, "to")) != NULL)
        r->to = strtoll(value, NULL, 10);
    else if ((value = value_of(word, "max")) != NULL)
        r->max = strtoll(value, NULL, 10);
    else if ((value = value_of(word, "from%")) != NULL)
        r->from_percent = strtod(value, NULL), r->percent = true;
    else if ((value = value_of(word, "to%")) != NULL)
        r->to_percent = strtod(value, NULL), r->percent = true;
    else if ((value = value_of(word, "tasks")) != NULL)
        r->tasks = value;
    return value != NULL;
}

int main(int argc, char **argv)
{
    static struct model m; /* what is never released is no leak there */
    int at = 2;

    if (argc < 3 || (strcmp(argv[1], "cut") != 0 && strcmp(argv[1], "filter") != 0)) {
        fputs("usage: prvmodel cut from=NS to=NS [from%=P] [to%=P] [original] [break] [keep] "
              "[first]\n"
              "                    [last] [max=BYTES] [tasks=LIST] [+ FILTER]... TRACE.prv\n"
              "       prvmodel filter FILTER [+ FILTER]... TRACE.prv\n"
              "FILTER: [no]state=A-B [no]type=A-B=V/V nostates noevents nocomms minstate=N "
              "mincomm=N\n"
              "        tasks=LIST threads=T.H,...\n",
              stderr);
        return 2;
    }
    brute_read_trace(&m.trace, brute_file(argv[argc - 1], true));
    read_pcf(&m, argv[argc - 1]);
    while (argv[1][0] == 'c' && at < argc - 1 && strcmp(argv[at], "+") != 0)
        if (!read_rule(&m.rule, argv[at++]))
            brute_die("rule", argv[at - 1]);
    at += argv[1][0] == 'c' && at < argc - 1;
    m.filter = argv + at;
    m.filters = argc - 1 - at;
    m.kept = calloc(m.trace.records + 1, sizeof *m.kept);
    m.line = calloc(m.trace.records + 1, sizeof *m.line);
    m.open = calloc(m.trace.threads + 1, sizeof *m.open);
    m.counted = calloc(m.trace.threads + 1, sizeof *m.counted);
    m.cpu = calloc(m.trace.threads + 1, sizeof *m.cpu);
    if (argv[1][0] == 'c')
        cut(&m);
    else
        pass(&m);
    return fflush(stdout) == 0 ? 0 : 1;
}
