#include "brute_trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void brute_die(const char *what, const char *detail)
{
    fprintf(stderr, "prvbrute: %s: %s\n", what, detail);
    exit(1);
}

void *brute_room(void *old, size_t count, size_t size)
{
    void *p = realloc(old, (count + 1) * size);

    if (p == NULL)
        brute_die("memory", strerror(errno));
    return p;
}

char *brute_copy(const char *text, size_t count)
{
    char *p = brute_room(NULL, count, 1);

    memcpy(p, text, count);
    p[count] = '\0';
    return p;
}

char *brute_file(const char *path, bool needed)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t count = 0, got;

    if (f == NULL && !needed)
        return NULL;
    if (f == NULL)
        brute_die(path, strerror(errno));
    do {
        text = brute_room(text, count + (1 << 20), 1);
        got = fread(text + count, 1, 1 << 20, f);
        count += got;
    } while (got > 0);
    fclose(f);
    text[count] = '\0';
    return text;
}

/* The line at *at without its end; *at moves on. NULL at the end of the text. */
static char *next_line(char **at, bool *crlf)
{
    char *line = *at, *end;

    if (*line == '\0')
        return NULL;
    end = line + strcspn(line, "\n");
    *at = *end == '\n' ? end + 1 : end;
    *end = '\0';
    if (end > line && end[-1] == '\r') {
        end[-1] = '\0';
        *crlf = true;
    }
    return line;
}

/* ---- header ---- */

char *brute_duration(char *header)
{
    char *p = strstr(header, "):");

    if (strncmp(header, "#Paraver", 8) != 0 || p == NULL)
        brute_die("not a Paraver header", header);
    return p + 2;
}

static void read_unit(struct cut *c, const char *duration)
{
    const char *suffix = duration + strspn(duration, "-0123456789.");

    c->unit = 1000;
    if (strncmp(suffix, "_ns", 3) == 0)
        c->unit = 1;
    else if (strncmp(suffix, "_ms", 3) == 0)
        c->unit = 1000000;
}

static void add_task(struct cut *c, int64_t application, int64_t task, int64_t threads)
{
    for (int64_t k = 1; k <= threads; k++) {
        c->thread = brute_room(c->thread, c->threads + 1, sizeof *c->thread);
        c->thread[c->threads++] =
            (struct thread){ .application = application, .task = task, .thread = k };
    }
}

/* DURATION:NODES(cpus):APPS:TASKS(threads:node,...)[:TASKS(...)][,communicators] */
static void read_objects(struct cut *c, char *duration)
{
    char *p = strchr(duration, ':') + 1;
    int64_t applications;

    strtoll(p, &p, 10);
    if (*p == '(')
        p = strchr(p, ')') + 1;
    applications = strtoll(p + 1, &p, 10);
    for (int64_t a = 1; a <= applications; a++) {
        int64_t tasks = strtoll(p + 1, &p, 10);

        for (int64_t t = 1; t <= tasks; t++) {
            add_task(c, a, t, strtoll(p + 1, &p, 10));
            strtoll(p + 1, &p, 10);
        }
        p++;
    }
}

static size_t thread_of(const struct cut *c, const int64_t *id)
{
    for (size_t i = 0; i < c->threads; i++)
        if (c->thread[i].application == id[0] && c->thread[i].task == id[1] &&
            c->thread[i].thread == id[2])
            return i;
    brute_die("record", "unknown thread");
}

/* ---- records ---- */

size_t brute_numbers(const char *line, int64_t *out, size_t most)
{
    size_t n = 0;

    while (n < most && *line != '\0') {
        char *end;

        out[n++] = strtoll(line, &end, 10);
        line = *end == ':' ? end + 1 : "";
    }
    return n;
}

static void add_record(struct cut *c, char *line, size_t *room)
{
    struct record r = { .text = line };
    int64_t f[15] = { 0 };
    size_t n = brute_numbers(line, f, 15);

    if (f[0] < 1 || f[0] > 3 || n < (f[0] == 3 ? 15U : 8U))
        brute_die("not a record", line);
    r.thread = r.partner = thread_of(c, f + 2);
    memcpy(r.time, f + 5, 2 * sizeof f[0]);
    if (f[0] == 3) {
        r.partner = thread_of(c, f + 8);
        memcpy(r.time + 2, f + 11, 2 * sizeof f[0]);
    }
    if (c->records == *room) {
        *room = *room * 2 + 1024;
        c->record = brute_room(c->record, *room, sizeof *c->record);
    }
    c->record[c->records++] = r;
}

void brute_read_trace(struct cut *c, char *text)
{
    size_t room = 0;
    char *line;

    while ((line = next_line(&text, &c->crlf)) != NULL) {
        if (c->heads == 0) {
            read_unit(c, brute_duration(line));
            read_objects(c, brute_duration(line));
        }
        if (*line >= '1' && *line <= '3' && line[1] == ':') {
            add_record(c, line, &room);
        } else if (c->records == 0) {
            c->head = brute_room(c->head, c->heads + 1, sizeof *c->head);
            c->head[c->heads++] = line;
        }
    }
    if (c->heads == 0)
        brute_die("trace", "empty");
}

/* ---- which types are regions ---- */

static bool between(uint32_t type, uint32_t least, uint32_t most)
{
    return type >= least && type <= most;
}

bool brute_is_counter(uint32_t type)
{
    return between(type, 42000000, 49999999) && !between(type, 45000000, 46999999);
}

static bool never_region(uint32_t type)
{
    return between(type, 70000000, 89999999) || between(type, 30000000, 30999999) ||
           brute_is_counter(type) || between(type, 50100000, 50100999) || type == 40000001 ||
           type == 40000012 || type == 40000018;
}

/* What Extrae's numbers mean where no .pcf says so. */
static bool usual_region(uint32_t type)
{
    return between(type, 50000001, 50000005) || type == 60000001 || type == 60000018 ||
           type == 60000019 || type == 40000003;
}

bool brute_is_region(const struct cut *c, uint32_t type)
{
    if (never_region(type))
        return false;
    for (size_t i = 0; i < c->types; i++)
        if (c->region[i] == type)
            return c->is_region[i];
    return usual_region(type);
}

bool brute_nests(uint32_t type)
{
    return !between(type, 50000001, 50000005) && type != 40000003;
}

static void add_type(struct cut *c, uint32_t type)
{
    c->region = brute_room(c->region, c->types + 1, sizeof *c->region);
    c->is_region = brute_room(c->is_region, c->types + 1, sizeof *c->is_region);
    c->region[c->types] = type;
    c->is_region[c->types++] = false;
}

/* Types of a block that has VALUES with a 0 are regions. */
void brute_read_labels(struct cut *c, char *text)
{
    enum { OUTSIDE, TYPES, VALUES } where = OUTSIDE;
    size_t block = 0;
    bool crlf = false;
    char *line;

    while ((line = next_line(&text, &crlf)) != NULL) {
        long long first, second;

        if (strncmp(line, "EVENT_TYPE", 10) == 0) {
            where = TYPES;
            block = c->types;
        } else if (strncmp(line, "VALUES", 6) == 0 && where == TYPES) {
            where = VALUES;
        } else if (where == TYPES && sscanf(line, "%lld %lld", &first, &second) == 2) {
            add_type(c, (uint32_t)second);
        } else if (where == VALUES && sscanf(line, "%lld", &first) == 1) {
            for (size_t i = block; i < c->types && first == 0; i++)
                c->is_region[i] = true;
        } else if (*line >= 'A' && *line <= 'Z') {
            where = OUTSIDE;
        }
    }
}

/* ---- windows ---- */

int64_t brute_tick(const struct cut *c, int64_t ns)
{
    return ns / c->unit + (ns % c->unit > 0);
}

void brute_read_windows(struct cut *c, const char *path)
{
    bool crlf = false;
    char *whole = brute_file(path, true), *text = whole, *line;

    while ((line = next_line(&text, &crlf)) != NULL) {
        long long index, from, to;

        if (sscanf(line, "%lld %lld %lld", &index, &from, &to) != 3 || index < 0 ||
            (size_t)index >= c->threads)
            brute_die("window", line);
        c->thread[index].from = brute_tick(c, from);
        c->thread[index].to = brute_tick(c, to);
    }
    free(whole);
}

void brute_set_hull(struct cut *c)
{
    c->start = INT64_MAX;
    c->end = INT64_MIN;
    for (size_t i = 0; i < c->threads; i++) {
        const struct thread *t = &c->thread[i];

        if (t->from >= t->to)
            continue;
        c->start = t->from < c->start ? t->from : c->start;
        c->end = t->to > c->end ? t->to : c->end;
    }
    if (c->start > c->end)
        brute_die("windows", "all are empty");
}
