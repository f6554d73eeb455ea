#include "replay_trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MPI_FIRST    50000001
#define MPI_LAST     50000003
#define COMMUNICATOR 50100004
#define NUMBERS      1024 /* of a line, at most */

void *replay_grow(void *at, size_t *room, size_t count, size_t size)
{
    void *more;

    if (count < *room)
        return at;
    more = realloc(at, (*room * 2 + 64) * size);
    if (more)
        *room = *room * 2 + 64;
    return more;
}

static bool fail(struct replay_trace *t, const char *what)
{
    if (!t->fault[0])
        snprintf(t->fault, sizeof t->fault, "%s", what);
    return false;
}

static bool add_thread(struct replay_trace *t, size_t *room, struct replay_thread new)
{
    struct replay_thread *more = replay_grow(t->thread, room, t->threads, sizeof *more);

    if (!more)
        return fail(t, "out of memory");
    t->thread = more;
    for (int i = 0; i < 3; i++)
        new.open[i] = REPLAY_NONE;
    t->thread[t->threads++] = new;
    return true;
}

/* "2(1:1,3:2),5" of one application; returns what follows it. */
static const char *read_application(struct replay_trace *t, size_t *room, uint32_t application,
                                    const char *at)
{
    char *end;
    const unsigned long tasks = strtoul(at, &end, 10);

    for (uint32_t task = 1; task <= tasks && (*end == '(' || *end == ','); task++) {
        const unsigned long threads = strtoul(end + 1, &end, 10);

        for (uint32_t thread = 1; thread <= threads; thread++)
            if (!add_thread(t, room,
                            (struct replay_thread){ application, task, thread, NULL, 0, 0, { 0 } }))
                return NULL;
        if (*end == ':')
            strtoul(end + 1, &end, 10);
    }
    if (*end != ')')
        return NULL;
    end++;
    if (*end == ',')
        strtoul(end + 1, &end, 10);
    return end;
}

/* "#Paraver (20/11/2026 at 11:44):503_ns:1(4):1:4(1:1,...),5" */
static bool read_header(struct replay_trace *t, const char *line)
{
    const char *at = strstr(line, "):");
    size_t room = 0;
    unsigned long applications;

    if (at)
        t->unit = at[2 + strspn(at + 2, "0123456789")] == ':' ? 1000 : 1;
    at = at ? strchr(at + 2, ':') : NULL; /* behind the duration */
    at = at ? strchr(at + 1, ':') : NULL; /* behind the nodes */
    if (!at)
        return fail(t, "no header");
    applications = strtoul(at + 1, NULL, 10);
    at = strchr(at + 1, ':');
    for (uint32_t i = 1; i <= applications; i++) {
        at = at ? read_application(t, &room, i, at + 1) : NULL;
        if (!at)
            return fail(t, "the header's tasks cannot be understood");
    }
    return true;
}

static size_t numbers_of(const char *line, int64_t *out)
{
    size_t n = 0;
    char *end;

    for (; n < NUMBERS; line = end + 1) {
        out[n] = strtoll(line, &end, 10);
        if (end == line)
            break;
        n++;
        if (*end != ':')
            break;
    }
    return n;
}

/* "c:1:2:4:1:2:3:4", behind the c. */
static bool read_group(struct replay_trace *t, const char *line)
{
    int64_t *n = malloc((strlen(line) + 1) * sizeof *n);
    struct replay_group *more = realloc(t->group, (t->groups + 1) * sizeof *more), *g;
    size_t count = 0;
    char *end;

    if (more)
        t->group = more;
    if (!n || !more) {
        free(n);
        return fail(t, "out of memory");
    }
    for (const char *at = line; *at == ':'; at = end)
        n[count++] = strtoll(at + 1, &end, 10);
    g = &t->group[t->groups++];
    *g = (struct replay_group){ .application = (uint32_t)n[0], .id = count > 1 ? n[1] : 0 };
    g->task = calloc(count + 1, sizeof *g->task);
    for (size_t i = 3; g->task && i < count; i++)
        g->task[g->tasks++] = (uint32_t)n[i];
    free(n);
    return g->task ? true : fail(t, "out of memory");
}

/* "#2026...:CUTTER:ORIGINAL:"path":offset:from:to" */
static void read_comment(struct replay_trace *t, const char *line)
{
    const char *at = strstr(line, ":CUTTER:ORIGINAL:\"");

    at = at ? strstr(at, "\":") : NULL;
    t->told |= at != NULL;
    if (at)
        t->offset = strtoll(at + 2, NULL, 10) / t->unit;
}

static size_t find_thread(const struct replay_trace *t, const int64_t *object)
{
    size_t low = 0, high = t->threads;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        const struct replay_thread *o = &t->thread[middle];
        const int64_t have[3] = { o->application, o->task, o->thread };
        int order = 0;

        for (int i = 0; i < 3 && order == 0; i++)
            order = (have[i] > object[i]) - (have[i] < object[i]);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return REPLAY_NONE;
}

static bool begin_call(struct replay_trace *t, struct replay_thread *o, int64_t time, int64_t type,
                       int64_t value)
{
    struct replay_call *more = replay_grow(o->call, &o->room, o->calls, sizeof *more);

    if (!more)
        return fail(t, "out of memory");
    o->call = more;
    o->open[type - MPI_FIRST] = o->calls;
    o->call[o->calls++] =
        (struct replay_call){ .begin = time, .end = -1, .type = type, .value = value };
    return true;
}

static bool read_event(struct replay_trace *t, const char *line)
{
    int64_t n[NUMBERS];
    const size_t count = numbers_of(line, n),
                 thread = count < 6 ? REPLAY_NONE : find_thread(t, n + 2);
    struct replay_thread *o;
    bool begun = false;

    if (thread == REPLAY_NONE)
        return fail(t, "an event of no thread");
    o = &t->thread[thread];
    for (size_t i = 6; i + 1 < count; i += 2) {
        size_t *open;

        if (n[i] == COMMUNICATOR && begun)
            o->call[o->calls - 1].communicator = n[i + 1];
        if (n[i] < MPI_FIRST || n[i] > MPI_LAST)
            continue;
        open = &o->open[n[i] - MPI_FIRST];
        if (*open != REPLAY_NONE)
            o->call[*open].end = n[5];
        *open = REPLAY_NONE;
        begun = n[i + 1] != 0;
        if (begun && !begin_call(t, o, n[5], n[i], n[i + 1]))
            return false;
    }
    return true;
}

static bool read_message(struct replay_trace *t, const char *line)
{
    int64_t n[NUMBERS];
    struct replay_message *more;
    struct replay_message m;

    if (numbers_of(line, n) < 15)
        return fail(t, "a message that lacks fields");
    m = (struct replay_message){ .sender = find_thread(t, n + 2),
                                 .receiver = find_thread(t, n + 8),
                                 .time = { n[5], n[6], n[11], n[12] },
                                 .size = n[13],
                                 .tag = n[14] };
    if (m.sender == REPLAY_NONE || m.receiver == REPLAY_NONE)
        return fail(t, "a message of no thread");
    more = replay_grow(t->message, &t->message_room, t->messages, sizeof *more);
    if (!more)
        return fail(t, "out of memory");
    t->message = more;
    t->message[t->messages++] = m;
    return true;
}

static bool read_line(struct replay_trace *t, const char *line)
{
    switch (line[0]) {
    case '#':
        if (strncmp(line, "#Paraver ", 9) == 0)
            return read_header(t, line);
        read_comment(t, line);
        return true;
    case 'c':
        return read_group(t, line + 1);
    case '2':
        return read_event(t, line);
    case '3':
        return read_message(t, line);
    default:
        return true;
    }
}

size_t replay_call_at(const struct replay_thread *t, int64_t time, bool late)
{
    size_t low = 0, high = t->calls, found = REPLAY_NONE;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (t->call[middle].begin <= time)
            low = middle + 1;
        else
            high = middle;
    }
    /* Calls do not overlap, but for those of another type that are nested: a few steps suffice. */
    for (size_t i = low, steps = 0; i > 0 && steps < 8; i--, steps++) {
        const struct replay_call *c = &t->call[i - 1];

        if (c->end >= 0 && c->end < time)
            continue;
        found = i - 1;
        if (late)
            break;
    }
    return found;
}

static void place(struct replay_trace *t, struct replay_message *m)
{
    for (int k = 0; k < 4; k++)
        m->in[k] = replay_call_at(&t->thread[k < 2 ? m->sender : m->receiver], m->time[k],
                                  k == 0 || k == 2);
    if (m->in[0] != REPLAY_NONE)
        t->thread[m->sender].call[m->in[0]].sends++;
    if (m->in[2] != REPLAY_NONE)
        t->thread[m->receiver].call[m->in[2]].posts++;
    if (m->in[3] != REPLAY_NONE)
        t->thread[m->receiver].call[m->in[3]].arrivals++;
}

size_t replay_trace_place(struct replay_trace *t, bool sane)
{
    const size_t all = t->messages;

    t->messages = 0;
    for (size_t i = 0; i < all; i++) {
        struct replay_message *m = &t->message[i];

        if (sane && m->time[3] < m->time[0])
            continue;
        place(t, m);
        t->message[t->messages++] = *m;
    }
    return all - t->messages;
}

bool replay_trace_read(struct replay_trace *out, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    bool good = true;

    *out = (struct replay_trace){ .unit = 1 };
    if (!file)
        return fail(out, "cannot be opened");
    while (good && getline(&line, &room, file) > 0)
        good = read_line(out, line);
    free(line);
    fclose(file);
    if (good && out->threads == 0)
        good = fail(out, "no threads");
    return good;
}

void replay_trace_free(struct replay_trace *t)
{
    for (size_t i = 0; i < t->threads; i++)
        free(t->thread[i].call);
    for (size_t i = 0; i < t->groups; i++)
        free(t->group[i].task);
    free(t->thread);
    free(t->group);
    free(t->message);
    memset(t, 0, sizeof *t);
}
