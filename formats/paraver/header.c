#include "paraver/header_cursor.h"

#include "base/checked.h"
#include "base/memory.h"
#include "model/batch.h"
#include "paraver/date.h"
#include "paraver/parse.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The header grows with tasks and communicators; 128 MiB hold those of 5 million ranks. */
#define HEADER_MAX   ((size_t)128 << 20)
#define HEADER_CHUNK 65536u

/* A header claims millions of threads or nodes in a few bytes, and each takes memory. So many are
   believed of any file, more only where the file has room for a record of each; of a stream, whose
   size nobody knows, somewhat more than of any file. */
#define BELIEVED        (UINT64_C(1) << 18)
#define BELIEVED_STREAM (UINT64_C(1) << 20)
#define RECORD_LEAST    16 /* bytes of text of a record, at least */
#define PACKED_BEST     64 /* what compression may gain */
/* The first characters that make a file a Paraver trace. */
static const char magic[] = "#Paraver";
static const char new_format[] = "new format";

/* The date is whatever stands between the parentheses; its hour holds a ':'. */
static enum prvcut_status header_take_date(struct prv_cursor *c, struct prv_header *h)
{
    const char *open = memchr(c->at, '(', (size_t)(c->end - c->at));
    const char *close = memchr(c->at, ')', (size_t)(c->end - c->at));
    const char *colon = memchr(c->at, ':', (size_t)(c->end - c->at));

    if (!open || !close || close < open || (colon && colon < open))
        return prv_cursor_fail(c, PRVCUT_EFORMAT, "the header has no date in parentheses");
    h->date = prv_date_parse(open + 1, (size_t)(close - open - 1));
    c->at = close + 1;
    return prv_cursor_separator(c, ':', "the date");
}

/* The unit's name stands after '_'; old traces have none and count microseconds. */
static enum prvcut_status header_take_unit(struct prv_cursor *c, uint64_t *unit_ns)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = { { "_ns", 1 }, { "_us", 1000 }, { "_ms", 1000000 } };
    char word[256];

    *unit_ns = 1000;
    if (prv_cursor_peek(c) == ':')
        return PRVCUT_OK;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t length = strlen(units[i].name);

        if ((size_t)(c->end - c->at) >= length && memcmp(c->at, units[i].name, length) == 0 &&
            (c->at + length == c->end || c->at[length] == ':')) {
            *unit_ns = units[i].ns;
            c->at += length;
            return PRVCUT_OK;
        }
    }
    return prv_cursor_fail(c, PRVCUT_EFORMAT, "unit '%s' of the duration is none of _ns, _us, _ms",
                           prv_cursor_word(c, word, sizeof word));
}

/* Some writers print the duration as a decimal fraction; it is rounded up to whole ticks. */
static void header_take_fraction(struct prv_cursor *c, uint64_t *end)
{
    bool more = false;

    if (!prv_cursor_take(c, '.'))
        return;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
        more = more || *c->at != '0';
    if (more)
        ++*end;
}

static enum prvcut_status header_take_duration(struct prv_cursor *c, struct prv_header *h,
                                               const char *text)
{
    static const struct prv_field duration = { "duration", 0, PRV_TIME_MAX, PRVCUT_EFORMAT };
    const char *start = c->at;
    enum prvcut_status st = prv_cursor_number(c, &duration, &h->end);
    uint64_t ns;

    if (st == PRVCUT_OK)
        header_take_fraction(c, &h->end);
    if (st == PRVCUT_OK)
        st = header_take_unit(c, &h->unit_ns);
    if (st != PRVCUT_OK)
        return st;
    if (!prvcut_ckd_mul_u64(&ns, h->end, h->unit_ns) || ns > PRV_TIME_MAX)
        return prv_cursor_fail(c, PRVCUT_EFORMAT,
                               "duration: %" PRIu64 " times %" PRIu64
                               "ns is beyond the limit of %" PRIu64 "ns",
                               h->end, h->unit_ns, PRV_TIME_MAX);
    h->duration_at = (size_t)(start - text);
    h->duration_count = (size_t)(c->at - start);
    return prv_cursor_separator(c, ':', "the duration");
}

/* Append one number to an array that grows with the text, never with what the text promises. */
static enum prvcut_status header_take_nodes_list(struct prv_cursor *c, struct prvcut_objects *o,
                                                 uint32_t want)
{
    static const struct prv_field cpus = { "number of cpus of a node", 0, UINT32_MAX,
                                           PRVCUT_ELIMIT };
    enum prvcut_status st = PRVCUT_OK;
    size_t room = 0;
    uint64_t total = 0;

    while (o->nodes < want) {
        uint64_t value;

        if (o->nodes > 0 && (st = prv_cursor_separator(c, ',', "a node's cpus")) != PRVCUT_OK)
            return st;
        if ((st = prv_cursor_number(c, &cpus, &value)) != PRVCUT_OK)
            return st;
        total += value;
        if (total > UINT32_MAX)
            return prv_cursor_fail(c, PRVCUT_ELIMIT, "more than %" PRIu32 " cpus", UINT32_MAX);
        st = prv_cursor_append(&o->node_cpus, &room, o->nodes, (uint32_t)value, c->err);
        if (st != PRVCUT_OK)
            return st;
        o->nodes++;
    }
    o->cpus = (uint32_t)total;
    return prv_cursor_separator(c, ')', "the last node");
}

static enum prvcut_status header_not_believed(struct prv_cursor *c, uint64_t count,
                                              const char *what)
{
    return prv_cursor_fail(c, PRVCUT_ELIMIT,
                           "%" PRIu64 " %s, and an input of this size is believed to have at most "
                           "%" PRIu64,
                           count, what, c->most);
}

/* `0` (nothing known), `N(c1,...,cN)`, or `N`: one cpu each. */
static enum prvcut_status header_take_nodes(struct prv_cursor *c, struct prv_header *h)
{
    static const struct prv_field nodes = { "number of nodes", 0, PRVCUT_THREADS_MAX,
                                            PRVCUT_ELIMIT };
    struct prvcut_objects *o = &h->objects;
    uint64_t count;
    enum prvcut_status st = prv_cursor_number(c, &nodes, &count);

    if (st != PRVCUT_OK)
        return st;
    h->no_resources = count == 0;
    if (count > 0 && prv_cursor_take(c, '(')) {
        st = header_take_nodes_list(c, o, (uint32_t)count);
    } else if (count > c->most) {
        return header_not_believed(c, count, "nodes");
    } else if (count > 0) {
        o->node_cpus = prvcut_unset((size_t)count, sizeof *o->node_cpus, "processors", c->err);
        if (!o->node_cpus)
            return PRVCUT_ENOMEM;
        for (uint64_t i = 0; i < count; i++)
            o->node_cpus[i] = 1;
        o->nodes = o->cpus = (uint32_t)count;
    }
    return st == PRVCUT_OK ? prv_cursor_separator(c, ':', "the nodes") : st;
}

/* Arrays of the tasks, while they grow. */
struct task_room {
    size_t first_thread, node, thread;
};

/* One `threads:node`. */
static enum prvcut_status header_take_task(struct prv_cursor *c, struct prv_header *h,
                                           struct task_room *room)
{
    static const struct prv_field threads = { "number of threads of a task", 1, PRVCUT_THREADS_MAX,
                                              PRVCUT_ELIMIT };
    struct prvcut_objects *o = &h->objects;
    static const struct prv_field node = { "node of a task", 0, UINT32_MAX, PRVCUT_EFORMAT };
    uint64_t count, place;
    enum prvcut_status st;

    if ((st = prv_cursor_number(c, &threads, &count)) != PRVCUT_OK ||
        (st = prv_cursor_separator(c, ':', "a task's threads")) != PRVCUT_OK ||
        (st = prv_cursor_number(c, &node, &place)) != PRVCUT_OK)
        return st;
    /* Paraver looks at the number only where it lists what a node runs. */
    if (!h->no_resources && (place < 1 || place > o->nodes)) {
        prvcut_bent_add(h->bent, PRVCUT_BENT_BIT(PRVCUT_BENT_NODE), c->line);
        place = 1;
    }
    if (count > PRVCUT_THREADS_MAX - o->threads)
        return prv_cursor_fail(c, PRVCUT_ELIMIT, "more than %u threads", PRVCUT_THREADS_MAX);
    if (o->threads + count > c->most)
        return header_not_believed(c, o->threads + count, "threads");
    if ((st = prv_cursor_append(&o->task_first_thread, &room->first_thread, o->tasks, o->threads,
                                c->err)) != PRVCUT_OK ||
        (st = prv_cursor_append(&o->task_node, &room->node, o->tasks,
                                h->no_resources ? UINT32_MAX : (uint32_t)place - 1, c->err)) !=
            PRVCUT_OK ||
        (st = prvcut_grow((void **)&o->thread_task, &room->thread, (size_t)o->threads + count,
                          sizeof *o->thread_task, c->err)) != PRVCUT_OK)
        return st;
    for (uint64_t i = 0; i < count; i++)
        o->thread_task[o->threads++] = o->tasks;
    o->tasks++;
    return PRVCUT_OK;
}

/* One `tasks(threads:node,...)`. */
static enum prvcut_status header_take_application(struct prv_cursor *c, struct prv_header *h,
                                                  struct task_room *room)
{
    static const struct prv_field tasks = { "number of tasks", 1, PRVCUT_THREADS_MAX,
                                            PRVCUT_ELIMIT };
    uint64_t count;
    enum prvcut_status st = prv_cursor_number(c, &tasks, &count);

    if (st == PRVCUT_OK)
        st = prv_cursor_separator(c, '(', "the number of tasks");
    for (uint64_t i = 0; i < count && st == PRVCUT_OK; i++) {
        if (i > 0)
            st = prv_cursor_separator(c, ',', "a task");
        if (st == PRVCUT_OK)
            st = header_take_task(c, h, room);
    }
    return st == PRVCUT_OK ? prv_cursor_separator(c, ')', "the last task") : st;
}

static enum prvcut_status header_take_applications(struct prv_cursor *c, struct prv_header *h)
{
    static const struct prv_field applications = { "number of applications", 1, PRVCUT_THREADS_MAX,
                                                   PRVCUT_ELIMIT };
    struct prvcut_objects *o = &h->objects;
    struct task_room room = { 0 };
    size_t room_first = 0;
    uint64_t count;
    enum prvcut_status st = prv_cursor_number(c, &applications, &count);

    if (st == PRVCUT_OK)
        st = prv_cursor_separator(c, ':', "the number of applications");
    while (st == PRVCUT_OK && o->applications < count) {
        /* Paraver takes any character between two applications. */
        if (o->applications > 0 && !prv_cursor_take(c, ':') && !prv_cursor_take(c, ','))
            return prv_cursor_separator(c, ':', "an application");
        st = prv_cursor_append(&o->application_first_task, &room_first, o->applications, o->tasks,
                               c->err);
        if (st == PRVCUT_OK)
            st = header_take_application(c, h, &room);
        o->applications += st == PRVCUT_OK;
    }
    if (st == PRVCUT_OK)
        st = prv_cursor_append(&o->application_first_task, &room_first, o->applications, o->tasks,
                               c->err);
    if (st == PRVCUT_OK)
        st = prv_cursor_append(&o->task_first_thread, &room.first_thread, o->tasks, o->threads,
                               c->err);
    return st;
}

/* `,N` after the last application, then nothing. */
static enum prvcut_status header_take_rest(struct prv_cursor *c, struct prv_header *h)
{
    static const struct prv_field count = { "number of communicators", 0, UINT32_MAX,
                                            PRVCUT_ELIMIT };
    enum prvcut_status st = PRVCUT_OK;
    char word[256];

    while (prv_cursor_peek(c) == ' ')
        c->at++;
    if (prv_cursor_take(c, ',') && c->at < c->end) {
        h->communicators_counted = true;
        st = prv_cursor_number(c, &count, &h->communicators_promised);
    }
    while (st == PRVCUT_OK && (prv_cursor_peek(c) == ' ' || prv_cursor_peek(c) == ':'))
        c->at++;
    if (st == PRVCUT_OK && c->at < c->end)
        st = prv_cursor_fail(c, PRVCUT_EFORMAT, "'%s' stands after the end of the header line",
                             prv_cursor_word(c, word, sizeof word));
    return st;
}

static enum prvcut_status header_parse_first_line(struct prv_cursor *c, struct prv_header *h)
{
    enum prvcut_status st;

    c->at += strlen(magic);
    if ((st = header_take_date(c, h)) != PRVCUT_OK ||
        (st = header_take_duration(c, h, h->text)) != PRVCUT_OK ||
        (st = header_take_nodes(c, h)) != PRVCUT_OK ||
        (st = header_take_applications(c, h)) != PRVCUT_OK)
        return st;
    return header_take_rest(c, h);
}

/* Set the cursor to the next line of [0, count), without its line end; false at the end. */
static bool header_next_line(struct prv_cursor *c, const char *text, size_t count, size_t *place)
{
    const char *stop;

    if (*place == count)
        return false;
    c->line++;
    c->offset = *place;
    c->at = c->line_at = text + *place;
    stop = memchr(c->at, '\n', count - *place);
    c->end = stop ? stop : text + count;
    *place = stop ? (size_t)(stop - text) + 1 : count;
    if (c->end > c->at && c->end[-1] == '\r')
        c->end--;
    return true;
}

static bool header_line_is(const struct prv_cursor *c, const char *start, size_t length)
{
    return (size_t)(c->end - c->at) >= length && memcmp(c->at, start, length) == 0;
}

static enum prvcut_status header_not_a_header(struct prv_cursor *c)
{
    char word[256];
    size_t length = (size_t)(c->end - c->at);

    return prvcut_fail(c->err, PRVCUT_ENOTRACE,
                       "%s: not a Paraver trace: it begins with '%s', not with '%s'", c->path,
                       prvcut_quote(word, sizeof word, c->at, length < 32 ? length : 32), magic);
}

/* The whole of h->text. */
static enum prvcut_status header_parse_text(struct prv_header *h, const char *path, uint64_t most,
                                            struct prvcut_error *err)
{
    struct prv_cursor c = { .path = path, .most = most, .err = err };
    struct prv_communicator_room room = { 0 };
    size_t place = 0;
    enum prvcut_status st = PRVCUT_OK;

    if (!header_next_line(&c, h->text, h->text_count, &place))
        return prvcut_fail(err, PRVCUT_ENOTRACE, "%s: the file is empty", path);
    if (header_line_is(&c, new_format, strlen(new_format)) &&
        !header_next_line(&c, h->text, h->text_count, &place))
        return prv_cursor_fail(&c, PRVCUT_EFORMAT, "no header follows the line '%s'", new_format);
    if (!header_line_is(&c, magic, strlen(magic)))
        return header_not_a_header(&c);
    st = header_parse_first_line(&c, h);
    while (st == PRVCUT_OK && header_next_line(&c, h->text, h->text_count, &place)) {
        if (c.at == c.end || *c.at == '#')
            continue;
        h->communicator_lines++;
        st = prv_communicator_parse(&c, h, &room);
    }
    h->lines = c.line;
    return st;
}

/* Search for the end of the header, resumable while more text arrives. */
struct end_search {
    size_t place;   /* start of the first line not judged yet */
    size_t scanned; /* no line end in [place, scanned) */
    bool started;   /* the line #Paraver has been passed */
};

static bool header_in_header(char first)
{
    return first == 'c' || first == 'C' || first == 'i' || first == 'I' || first == '#' ||
           first == '\r' || first == '\n';
}

/* True when s->place is the end of the header. */
static bool header_find_end(struct end_search *s, const char *text, size_t count)
{
    while (s->place < count) {
        const char *stop;

        if (s->started && !header_in_header(text[s->place]))
            return true;
        stop = memchr(text + s->scanned, '\n', count - s->scanned);
        if (!stop) {
            s->scanned = count;
            return false;
        }
        /* Only the first line may be another one; what it holds is judged by the parser. */
        s->started = s->place > 0 || text[0] != new_format[0];
        s->place = s->scanned = (size_t)(stop - text) + 1;
    }
    return false;
}

static bool header_begins_like(const char *text, size_t count, const char *start)
{
    size_t length = strlen(start);

    return memcmp(text, start, count < length ? count : length) == 0;
}

/* Whether the first bytes can still become a header. */
static bool header_may_be_header(const char *text, size_t count)
{
    return header_begins_like(text, count, magic) || header_begins_like(text, count, new_format);
}

static enum prvcut_status header_parse_whole(struct prv_header *out, const char *path,
                                             uint64_t most, const char *text, size_t count,
                                             size_t *used, struct prvcut_error *err)
{
    struct end_search search = { 0 };

    memset(out, 0, sizeof *out);
    if (!header_find_end(&search, text, count))
        search.place = count;
    if (search.place > HEADER_MAX)
        return prvcut_fail(err, PRVCUT_ELIMIT, "%s: the header is longer than %zu bytes", path,
                           HEADER_MAX);
    out->text = prvcut_unset(1, search.place + 1, "a header", err);
    if (!out->text)
        return PRVCUT_ENOMEM;
    memcpy(out->text, text, search.place);
    out->text[search.place] = '\0';
    out->text_count = *used = search.place;
    return header_parse_text(out, path, most, err);
}

enum prvcut_status prv_header_parse(struct prv_header *out, const char *path, const char *text,
                                    size_t count, size_t *used, struct prvcut_error *err)
{
    return header_parse_whole(out, path, PRVCUT_THREADS_MAX, text, count, used, err);
}

/* How many threads a header is believed to speak of. */
static uint64_t header_believed(const struct prvcut_source *source)
{
    const uint64_t bytes = prvcut_source_size(source), text = prvcut_source_text_size(source);
    uint64_t records = (text > 0 ? text : bytes) / RECORD_LEAST;

    if (bytes == 0)
        return BELIEVED_STREAM;
    if (text == 0)
        records *= PACKED_BEST;
    return records < BELIEVED ? BELIEVED : records;
}

/* Read until the end of the header has been seen, or the end of the input. */
static enum prvcut_status header_gather(struct prvcut_buffer *text, struct prvcut_source *source,
                                        struct end_search *search, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    const char *path = prvcut_source_path(source);

    while (!header_find_end(search, text->at, text->count)) {
        size_t got = 0;

        if (text->count > HEADER_MAX)
            return prvcut_fail(err, PRVCUT_ELIMIT, "%s: the header is longer than %zu bytes", path,
                               HEADER_MAX);
        if ((st = prvcut_buffer_reserve(text, HEADER_CHUNK, err)) != PRVCUT_OK)
            return st;
        st = prvcut_source_read(source, text->at + text->count, HEADER_CHUNK, &got, err);
        if (st < 0)
            return st;
        text->count += got;
        if (st == PRVCUT_END || !header_may_be_header(text->at, text->count)) {
            search->place = text->count;
            return PRVCUT_OK;
        }
    }
    return PRVCUT_OK;
}

enum prvcut_status prv_header_read(struct prv_header *out, struct prvcut_source *source,
                                   struct prvcut_buffer *rest, struct prvcut_error *err)
{
    const char *path = prvcut_source_path(source);
    struct prvcut_buffer text = { 0 };
    struct end_search search = { 0 };
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    st = header_gather(&text, source, &search, err);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_append(rest, text.at + search.place, text.count - search.place, err);
    if (st == PRVCUT_OK) {
        size_t used;

        /* What was read beyond the header cannot look like a part of it. */
        st = header_parse_whole(out, path, header_believed(source), text.at, search.place, &used,
                                err);
    }
    prvcut_buffer_fini(&text);
    return st;
}

void prv_header_fini(struct prv_header *h)
{
    prvcut_objects_fini(&h->objects);
    free(h->text);
    memset(h, 0, sizeof *h);
}
