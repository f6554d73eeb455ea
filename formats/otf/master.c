#include "base/memory.h"
#include "otf/otf.h"
#include "otf/parse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bits that a line of such a form tells: nothing else begins so. */
#define EVIDENCE 24

/* A line STREAM:PROCESS,PROCESS,... that may end where the text ends; NULL: it is another one. */
static const char *master_skip_line(const char *p, const char *end, bool *whole)
{
    bool colon = false;

    *whole = false;
    while (p < end && otf_is_digit(*p))
        p++;
    for (;;) {
        const char *number;

        if (p == end)
            return p;
        if (*p != (colon ? ',' : ':'))
            break;
        colon = true;
        number = ++p;
        while (p < end && otf_is_digit(*p))
            p++;
        if (p < end && p == number)
            return NULL;
    }
    if (p < end && *p == '\r')
        p++;
    if (!colon || (p < end && *p != '\n'))
        return NULL;
    *whole = p < end;
    return p < end ? p + 1 : p;
}

int otf_probe(const char *head, size_t count)
{
    const char *p = head, *end = head + count;
    unsigned lines = 0;

    while (p < end) {
        bool whole;

        if (!otf_is_digit(*p))
            return 0;
        p = master_skip_line(p, end, &whole);
        if (!p)
            return 0;
        lines += whole;
    }
    if (lines == 0 && !(count > 0 && memchr(head, ':', count)))
        return 0;
    return EVIDENCE;
}

struct lists {
    uint32_t *stream; /* id and number of processes, by stream */
    size_t streams, stream_room;
    uint32_t *process;
    size_t processes, process_room;
};

static enum prvcut_status master_add(uint32_t **list, size_t *count, size_t *room, uint64_t v,
                                     struct prvcut_error *err)
{
    void *at = *list;
    enum prvcut_status st = prvcut_grow(&at, room, *count + 1, sizeof **list, err);

    *list = at;
    if (st == PRVCUT_OK)
        (*list)[(*count)++] = (uint32_t)v;
    return st;
}

static enum prvcut_status master_bad_line(const struct otf_trace *t, uint64_t line,
                                          struct prvcut_error *err)
{
    if (err && err->status == PRVCUT_OK)
        err->line = line;
    return prvcut_fail(err, PRVCUT_EFORMAT, "%s:%" PRIu64 ": not a line STREAM:PROCESS,PROCESS,...",
                       t->base.path, line);
}

/* The text ends with '\0', which is no digit. */
static enum prvcut_status master_read_line(struct lists *l, const char *p, const char *end,
                                           bool *good, struct prvcut_error *err)
{
    bool too_large = false;
    uint64_t v;
    enum prvcut_status st;
    size_t own;

    *good = false;
    p = otf_hex(p, &v, &too_large);
    if (!p || *p != ':' || v > UINT32_MAX)
        return PRVCUT_OK;
    st = master_add(&l->stream, &l->streams, &l->stream_room, v, err);
    if (st == PRVCUT_OK)
        st = master_add(&l->stream, &l->streams, &l->stream_room, 0, err);
    own = l->streams - 1;
    while (st == PRVCUT_OK && p < end && (*p == ':' || *p == ',')) {
        p = otf_hex(p + 1, &v, &too_large);
        if (!p || v == 0 || v > UINT32_MAX)
            return PRVCUT_OK;
        st = master_add(&l->process, &l->processes, &l->process_room, v, err);
        if (st == PRVCUT_OK)
            l->stream[own]++;
    }
    if (p < end && *p == '\r')
        p++;
    *good = p == end;
    return st;
}

static int master_by_id(const void *a, const void *b)
{
    const struct otf_process *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

/* A line of the file: its stream, and where it stands. */
struct line {
    uint32_t id, order, stream;
};

static int master_by_stream(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static int master_by_order(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    return (x->order > y->order) - (x->order < y->order);
}

/* Several lines may name one stream: it stands where the first one does. */
static void master_number_streams(struct otf_trace *t, struct line *line, size_t lines)
{
    qsort(line, lines, sizeof *line, master_by_stream);
    for (size_t i = 0; i < lines; i++)
        line[i].stream = i > 0 && line[i - 1].id == line[i].id ? line[i - 1].stream : line[i].order;
    qsort(line, lines, sizeof *line, master_by_order);
    for (size_t i = 0; i < lines; i++) {
        if (line[i].stream == i) {
            t->stream[t->streams].id = line[i].id;
            t->stream[t->streams].channels = (struct prvcut_table)OTF_CHANNELS;
            line[i].stream = t->streams++;
        } else {
            line[i].stream = line[line[i].stream].stream;
        }
    }
}

static enum prvcut_status master_take_lists(struct otf_trace *t, const struct lists *l,
                                            struct prvcut_error *err)
{
    const size_t lines = l->streams / 2;
    struct line *line = prvcut_zeroed(lines + 1, sizeof *line, "streams", err);
    size_t at = 0;

    t->stream = prvcut_zeroed(lines + 1, sizeof *t->stream, "streams", err);
    t->process = prvcut_zeroed(l->processes + 1, sizeof *t->process, "streams", err);
    if (!line || !t->stream || !t->process) {
        free(line);
        return PRVCUT_ENOMEM;
    }
    for (size_t i = 0; i < lines; i++)
        line[i] = (struct line){ .id = l->stream[2 * i], .order = (uint32_t)i };
    master_number_streams(t, line, lines);
    for (size_t i = 0; i < lines; i++)
        for (uint32_t k = 0; k < l->stream[2 * i + 1]; k++, at++)
            t->process[t->processes++] = (struct otf_process){
                .id = l->process[at], .stream = line[i].stream, .thread = OTF_NONE, .name = ""
            };
    free(line);
    qsort(t->process, t->processes, sizeof *t->process, master_by_id);
    for (uint32_t i = 1; i < t->processes; i++)
        if (t->process[i].id == t->process[i - 1].id)
            return prvcut_fail(err, PRVCUT_EFORMAT, "%s: process %" PRIx32 " is in two streams",
                               t->base.path, t->process[i].id);
    return PRVCUT_OK;
}

static enum prvcut_status master_read_lines(struct otf_trace *t, struct lists *l, const char *text,
                                            size_t count, struct prvcut_error *err)
{
    const char *p = text, *end = text + count;
    enum prvcut_status st = PRVCUT_OK;

    for (uint64_t line = 1; p < end && st == PRVCUT_OK; line++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        bool good = true;

        stop = stop ? stop : end;
        if (stop > p && *p != '\r')
            st = master_read_line(l, p, stop, &good, err);
        if (st == PRVCUT_OK && !good)
            st = master_bad_line(t, line, err);
        p = stop + 1;
    }
    return st;
}

enum prvcut_status otf_master_read(struct otf_trace *t, const char *text, size_t count,
                                   struct prvcut_error *err)
{
    struct lists l = { 0 };
    enum prvcut_status st = master_read_lines(t, &l, text, count, err);

    if (st == PRVCUT_OK && l.processes == 0)
        st = prvcut_fail(err, PRVCUT_EFORMAT, "%s: names no process", t->base.path);
    if (st == PRVCUT_OK && l.processes > PRVCUT_THREADS_MAX)
        st = prvcut_fail(err, PRVCUT_ELIMIT, "%s: lists %zu processes; the limit is %u",
                         t->base.path, l.processes, PRVCUT_THREADS_MAX);
    if (st == PRVCUT_OK)
        st = master_take_lists(t, &l, err);
    free(l.stream);
    free(l.process);
    return st;
}
