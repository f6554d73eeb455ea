#include "paraver/blocks.h"

#include "base/room.h"
#include "paraver/digits.h"
#include "paraver/parse.h"

#include <inttypes.h>
#include <stdlib.h>

/* What the parser may read before a line. */
#define BEFORE 16
/* How much is read at once beyond a block's end to find the end of its last line. */
#define TAIL PRVCUT_ROOM((size_t)4096)
/* A text's room is taken in such steps: blocks end with whole lines, and what is too small by one
   of these would be doubled. */
#define STEP PRVCUT_ROOM((size_t)65536)

enum prvcut_status prv_blocks_open(struct prv_blocks *b, struct prvcut_source *source,
                                   const struct prv_header *header, struct prvcut_buffer *rest,
                                   struct prvcut_error *err)
{
    *b = (struct prv_blocks){ .source = source,
                              .path = prvcut_source_path(source),
                              .body = header->text_count,
                              .size = prvcut_source_text_size(source),
                              .seekable = prvcut_source_is_seekable(source) };
    if (b->seekable)
        return PRVCUT_OK;
    return prvcut_buffer_append(&b->rest, rest->at, rest->count, err);
}

void prv_blocks_close(struct prv_blocks *b)
{
    prvcut_buffer_fini(&b->rest);
}

uint64_t prv_blocks_count(const struct prv_blocks *b)
{
    return b->size <= b->body ? 0 : (b->size - b->body + PRV_BLOCK - 1) / PRV_BLOCK;
}

void prv_text_fini(struct prv_text *t)
{
    free(t->memory);
    *t = (struct prv_text){ 0 };
}

static enum prvcut_status blocks_text_room(struct prv_text *t, size_t want,
                                           struct prvcut_error *err)
{
    const size_t all = want + BEFORE + PRV_PAD + 1;

    return prvcut_grow((void **)&t->memory, &t->room, (all + STEP - 1) / STEP * STEP, 1, err);
}

/* Hand out [at, at + count) of the text's memory, padded as the parser needs it. */
static void blocks_text_set(struct prv_text *t, uint64_t number, size_t at, size_t count)
{
    memset(t->memory, '\n', BEFORE);
    memset(t->memory + BEFORE + at + count, '\n', PRV_PAD);
    t->at = t->memory + BEFORE + at;
    t->end = t->at + count;
    t->number = number;
}

enum prvcut_status prv_text_copy(struct prv_text *to, const struct prv_text *from,
                                 struct prvcut_error *err)
{
    const size_t count = (size_t)(from->end - from->at);

    if (blocks_text_room(to, count, err) < 0)
        return PRVCUT_ENOMEM;
    memcpy(to->memory + BEFORE, from->at, count);
    blocks_text_set(to, from->number, 0, count);
    to->offset = from->offset;
    to->no_last_newline = from->no_last_newline;
    to->doubtful = from->doubtful;
    return PRVCUT_OK;
}

/* The last line of [from, t->end), to which a line end was added: is it all that was written? A
   compressed file that ends well is as its writer left it. */
static void blocks_judge_last_line(const struct prv_blocks *b, struct prv_text *t)
{
    const char *end = t->end - 1, *line = end;

    if (!t->no_last_newline || t->at == t->end || prvcut_source_codec(b->source) != PRVCUT_PLAIN)
        return;
    while (line > t->at && line[-1] != '\n')
        line--;
    t->doubtful = !prv_last_line_is_whole(line, end);
    if (t->doubtful && b->lenient) {
        t->end = line;
        t->no_last_newline = false;
    }
}

enum prvcut_status prv_text_doubt(const struct prv_text *t, uint64_t lines,
                                  struct prvcut_error *err)
{
    const char *end = t->end - 1, *line = end;

    while (line > t->at && line[-1] != '\n')
        line--;
    if (err && err->status == PRVCUT_OK)
        err->line = lines;
    return prvcut_fail(err, PRVCUT_EFORMAT,
                       "'%.*s%s' may lack digits or fields; if it does not, end it: echo >>FILE",
                       (int)(end - line > 80 ? 80 : end - line), line,
                       end - line > 80 ? "..." : "");
}

static enum prvcut_status blocks_too_long(const struct prv_blocks *b, uint64_t offset,
                                          struct prvcut_error *err)
{
    enum prvcut_status st =
        prvcut_fail(err, PRVCUT_ELIMIT, "%s: a line near byte %" PRIu64 " is longer than %zu bytes",
                    b->path, offset, PRV_LINE_MAX);

    if (err)
        err->offset = offset;
    return st;
}

static const char *blocks_newline_from(const char *at, const char *end)
{
    return at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
}

enum prvcut_status prv_blocks_load(struct prv_blocks *b, uint64_t number, struct prv_text *t,
                                   struct prvcut_error *err)
{
    uint64_t from = b->body + number * PRV_BLOCK - (number > 0);
    size_t want = (size_t)PRV_BLOCK + (number > 0); /* bytes before the next block */
    size_t have = 0, searched = want - 1, start = 0;
    const char *newline = NULL;
    bool ended = false;

    t->no_last_newline = t->doubtful = false;
    if (from >= b->size)
        return PRVCUT_END;
    while (!newline && !ended) {
        size_t ask = have == 0 ? want + TAIL : TAIL * 16, got = 0;
        enum prvcut_status st = blocks_text_room(t, have + ask, err);

        if (st == PRVCUT_OK)
            st = prvcut_source_read_at(b->source, from + have, t->memory + BEFORE + have, ask, &got,
                                       err);
        if (st < 0)
            return st;
        have += got;
        ended = got < ask;
        newline = blocks_newline_from(t->memory + BEFORE + searched, t->memory + BEFORE + have);
        if (!newline && have > want + PRV_LINE_MAX)
            return blocks_too_long(b, from + want, err);
    }
    if (newline) {
        have = (size_t)(newline - t->memory) - BEFORE + 1;
    } else if (have > 0 && t->memory[BEFORE + have - 1] != '\n') {
        t->memory[BEFORE + have++] = '\n';
        t->no_last_newline = true;
    }
    if (number > 0) {
        /* The line that reaches into this block belongs to the one before it. */
        newline = blocks_newline_from(t->memory + BEFORE, t->memory + BEFORE + have);
        start = newline ? (size_t)(newline - t->memory) - BEFORE + 1 : have;
        if (start > want)
            start = have;
    }
    blocks_text_set(t, number, start, have - start);
    t->offset = from + start;
    blocks_judge_last_line(b, t);
    return PRVCUT_OK;
}

/* Read on until the rest holds `want` bytes or the stream ends. */
static enum prvcut_status blocks_fill(struct prv_blocks *b, size_t want, struct prvcut_error *err)
{
    while (!b->ended && b->rest.count < want) {
        size_t ask = want - b->rest.count, got = 0;
        enum prvcut_status st = prvcut_buffer_reserve(&b->rest, ask, err);

        if (st == PRVCUT_OK)
            st = prvcut_source_read(b->source, b->rest.at + b->rest.count, ask, &got, err);
        if (st < 0)
            return st;
        b->rest.count += got;
        b->ended = st == PRVCUT_END; /* a short read tells nothing: the next one does */
    }
    return PRVCUT_OK;
}

/* Number of bytes of the rest that belong to the next block; its last line may reach beyond. */
static size_t blocks_next_span(struct prv_blocks *b)
{
    /* A line longer than a block leaves blocks in which no line starts. */
    while (b->offset >= (b->next + 1) * PRV_BLOCK)
        b->next++;
    return (size_t)((b->next + 1) * PRV_BLOCK - b->offset);
}

enum prvcut_status prv_blocks_next(struct prv_blocks *b, struct prv_text *t,
                                   struct prvcut_error *err)
{
    const size_t want = blocks_next_span(b);
    const char *newline = NULL;
    size_t count;
    enum prvcut_status st;

    t->no_last_newline = t->doubtful = false;
    for (size_t ask = want + TAIL; !newline; ask = b->rest.count + TAIL * 16) {
        st = blocks_fill(b, ask, err);
        if (st < 0)
            return st;
        if (b->rest.count >= want)
            newline = blocks_newline_from(b->rest.at + want - 1, b->rest.at + b->rest.count);
        if (b->ended)
            break;
        if (!newline && b->rest.count > want + PRV_LINE_MAX)
            return blocks_too_long(b, b->body + b->offset + want, err);
    }
    if (b->rest.count == 0)
        return PRVCUT_END;
    count = newline ? (size_t)(newline - b->rest.at) + 1 : b->rest.count;
    st = blocks_text_room(t, count + 1, err);
    if (st < 0)
        return st;
    memcpy(t->memory + BEFORE, b->rest.at, count);
    memmove(b->rest.at, b->rest.at + count, b->rest.count - count);
    b->rest.count -= count;
    t->offset = b->body + b->offset;
    b->offset += count;
    if (t->memory[BEFORE + count - 1] != '\n') {
        t->memory[BEFORE + count++] = '\n';
        t->no_last_newline = true;
    }
    blocks_text_set(t, b->next++, 0, count);
    blocks_judge_last_line(b, t);
    return PRVCUT_OK;
}
