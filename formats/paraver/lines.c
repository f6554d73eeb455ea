#include "paraver/lines.h"

#include "base/memory.h"
#include "base/room.h"
#include "paraver/parse.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK PRVCUT_ROOM((size_t)1 << 20)

enum prvcut_status prv_lines_init(struct prv_lines *l, struct prvcut_source *source,
                                  const struct prvcut_buffer *rest, struct prvcut_error *err)
{
    size_t room = PRV_LINE_MAX + CHUNK;

    memset(l, 0, sizeof *l);
    if (rest->count > room - CHUNK)
        room = rest->count + CHUNK;
    l->at = prvcut_unset(1, room, "lines", err);
    if (!l->at)
        return PRVCUT_ENOMEM;
    l->source = source;
    l->room = room;
    l->end = rest->count;
    if (rest->count > 0)
        memcpy(l->at, rest->at, rest->count);
    return PRVCUT_OK;
}

/* Read on behind at[begin .. end), which moves to the front. */
static void lines_refill(struct prv_lines *l)
{
    size_t got = 0;

    memmove(l->at, l->at + l->begin, l->end - l->begin);
    l->end -= l->begin;
    l->begin = 0;
    l->status =
        prvcut_source_read(l->source, l->at + l->end,
                           l->room - l->end < CHUNK ? l->room - l->end : CHUNK, &got, &l->error);
    /* Bytes before a damage count as well. */
    l->end += got;
}

/* Drop the rest of a line that does not fit, up to its line end. */
static void lines_skip_line(struct prv_lines *l, struct prv_line *line)
{
    l->begin = l->end;
    while (l->status == PRVCUT_OK) {
        const char *stop;

        lines_refill(l);
        stop = memchr(l->at, '\n', l->end);
        l->begin = stop ? (size_t)(stop - l->at) + 1 : l->end;
        line->bytes += l->begin;
        if (stop)
            return;
    }
    line->unterminated = true;
}

/* The line does not fit into the buffer: keep its beginning for a message. */
static void lines_deliver_long(struct prv_lines *l, struct prv_line *line)
{
    line->too_long = true;
    line->bytes = l->end - l->begin;
    memcpy(l->head, l->at + l->begin, sizeof l->head);
    lines_skip_line(l, line);
    line->at = l->head;
    line->end = l->head + sizeof l->head;
}

static void lines_deliver(struct prv_lines *l, struct prv_line *line, const char *stop)
{
    line->at = l->at + l->begin;
    line->end = stop ? stop : l->at + l->end;
    line->unterminated = !stop;
    line->bytes = (uint64_t)(line->end - line->at) + (stop != NULL);
    l->begin += (size_t)line->bytes;
    if (line->end > line->at && line->end[-1] == '\r') {
        line->crlf = true;
        line->end--;
    }
}

enum prvcut_status prv_lines_next(struct prv_lines *l, struct prv_line *line,
                                  struct prvcut_error *err)
{
    size_t seen = 0;

    memset(line, 0, sizeof *line);
    for (;;) {
        const char *stop = memchr(l->at + l->begin + seen, '\n', l->end - l->begin - seen);

        if (stop || (l->status != PRVCUT_OK && l->begin < l->end)) {
            lines_deliver(l, line, stop);
            line->too_long = (size_t)(line->end - line->at) > PRV_LINE_MAX;
            return PRVCUT_OK;
        }
        if (l->status != PRVCUT_OK)
            break;
        seen = l->end - l->begin;
        if (seen > PRV_LINE_MAX) {
            lines_deliver_long(l, line);
            return PRVCUT_OK;
        }
        lines_refill(l);
    }
    if (l->status == PRVCUT_END)
        return PRVCUT_END;
    return prvcut_fail(err, l->status, "%s", l->error.text);
}

void prv_lines_fini(struct prv_lines *l)
{
    free(l->at);
    memset(l, 0, sizeof *l);
}
