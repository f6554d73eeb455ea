#include "gen_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUT_ROOM  ((size_t)1 << 20)
#define LINE_ROOM 1024
#define SETTLE_AT ((size_t)1 << 16)

struct gen_line {
    uint64_t time;
    uint32_t order; /* thread * 8 + class */
    uint32_t count;
    size_t at; /* ascends with the order of making: the last tie breaker */
};

_Noreturn void gen_die(const char *what)
{
    fprintf(stderr, "prvgen: %s: %s\n", what, strerror(errno));
    exit(1);
}

void *gen_room(void *old, size_t count, size_t size)
{
    void *room;

    if (count > SIZE_MAX / size) {
        errno = ENOMEM;
        gen_die("memory");
    }
    room = realloc(old, count * size);
    if (room == NULL && count > 0)
        gen_die("memory");
    return room;
}

void gen_write(int file, const char *text, size_t count)
{
    while (count > 0) {
        ssize_t n = write(file, text, count);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            gen_die("write");
        text += n;
        count -= (size_t)n;
    }
}

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

char *gen_digits(char *at, uint64_t value)
{
    char text[20];
    size_t i = sizeof text;

    while (value >= 100) {
        i -= 2;
        memcpy(text + i, pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10) {
        i -= 2;
        memcpy(text + i, pairs + 2 * value, 2);
    } else {
        text[--i] = (char)('0' + value);
    }
    memcpy(at, text + i, sizeof text - i);
    return at + (sizeof text - i);
}

void gen_lines_init(struct gen_lines *l, int file, uint64_t tick, bool crlf)
{
    *l = (struct gen_lines){ .file = file, .tick = tick, .crlf = crlf, .full = SETTLE_AT };
    l->out = gen_room(NULL, OUT_ROOM + LINE_ROOM, 1);
}

void gen_lines_fini(struct gen_lines *l)
{
    free(l->pool);
    free(l->line);
    free(l->out);
}

/* Room for one line of any kind, and for its entry. */
static char *line_open(struct gen_lines *l)
{
    if (l->pool_room - l->pool_count < LINE_ROOM) {
        l->pool_room = l->pool_room * 2 + (SETTLE_AT * 80);
        l->pool = gen_room(l->pool, l->pool_room, 1);
    }
    if (l->count == l->room) {
        l->room = l->room * 2 + SETTLE_AT;
        l->line = gen_room(l->line, l->room, sizeof *l->line);
    }
    l->open = l->pool_count;
    return l->pool + l->pool_count;
}

static void line_close(struct gen_lines *l, char *end, uint64_t time, uint32_t order)
{
    if (l->crlf)
        *end++ = '\r';
    *end++ = '\n';
    l->pool_count = (size_t)(end - l->pool);
    l->line[l->count++] = (struct gen_line){
        .time = time, .order = order, .count = (uint32_t)(l->pool_count - l->open), .at = l->open
    };
}

static char *put_name(char *at, char kind, const struct gen_name *who)
{
    *at++ = kind;
    memcpy(at, who->text, who->count);
    return at + who->count;
}

static char *put_field(char *at, uint64_t value)
{
    at = gen_digits(at, value);
    *at++ = ':';
    return at;
}

void gen_lines_state(struct gen_lines *l, const struct gen_name *who, uint32_t thread,
                     const uint64_t span[2], uint64_t state)
{
    char *at = put_name(line_open(l), '1', who);

    at = put_field(at, span[0] / l->tick);
    at = put_field(at, span[1] / l->tick);
    at = gen_digits(at, state);
    line_close(l, at, span[0], thread * 8 + GEN_STATE);
    l->states++;
}

void gen_lines_event(struct gen_lines *l, const struct gen_name *who, uint64_t time)
{
    char *at = put_name(line_open(l), '2', who);

    at = gen_digits(at, time / l->tick);
    l->pool_count = (size_t)(at - l->pool);
}

void gen_lines_pair(struct gen_lines *l, uint64_t type, uint64_t value)
{
    char *at = l->pool + l->pool_count;

    *at++ = ':';
    at = put_field(at, type);
    at = gen_digits(at, value);
    l->pool_count = (size_t)(at - l->pool);
}

void gen_lines_close(struct gen_lines *l, uint64_t time, uint32_t thread, enum gen_class class)
{
    line_close(l, l->pool + l->pool_count, time, thread * 8 + (uint32_t) class);
    l->events++;
}

void gen_lines_comm(struct gen_lines *l, const struct gen_name *from, uint32_t thread,
                    const struct gen_name *to, const struct gen_comm *c)
{
    char *at = put_name(line_open(l), '3', from);

    at = put_field(at, c->lsend / l->tick);
    at = gen_digits(at, c->psend / l->tick);
    memcpy(at, to->text, to->count);
    at += to->count;
    at = put_field(at, c->lrecv / l->tick);
    at = put_field(at, c->precv / l->tick);
    at = put_field(at, c->size);
    at = gen_digits(at, c->tag);
    line_close(l, at, c->psend, thread * 8 + GEN_COMM);
    l->comms++;
}

uint64_t gen_lines_bytes(const struct gen_lines *l)
{
    return l->written + l->pool_count;
}

static int by_time(const void *a, const void *b)
{
    const struct gen_line *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void drain(struct gen_lines *l)
{
    gen_write(l->file, l->out, l->out_count);
    l->out_count = 0;
}

static void emit(struct gen_lines *l, const struct gen_line *line)
{
    if (l->out_count + line->count > OUT_ROOM)
        drain(l);
    memcpy(l->out + l->out_count, l->pool + line->at, line->count);
    l->out_count += line->count;
    l->written += line->count;
}

static int by_place(const void *a, const void *b)
{
    const struct gen_line *x = a, *y = b;

    return x->at < y->at ? -1 : x->at > y->at;
}

/* Lines before `done` are in the file: close up what is left, text in the order it was made. */
static void keep_rest(struct gen_lines *l, size_t done)
{
    size_t to = 0;

    l->count -= done;
    memmove(l->line, l->line + done, l->count * sizeof *l->line);
    qsort(l->line, l->count, sizeof *l->line, by_place);
    for (size_t i = 0; i < l->count; i++) {
        memmove(l->pool + to, l->pool + l->line[i].at, l->line[i].count);
        l->line[i].at = to;
        to += l->line[i].count;
    }
    l->pool_count = to;
}

void gen_lines_settle(struct gen_lines *l, uint64_t before)
{
    size_t done = 0;

    if (l->count > 0)
        qsort(l->line, l->count, sizeof *l->line, by_time);
    while (done < l->count && l->line[done].time < before)
        emit(l, &l->line[done++]);
    if (done > 0)
        keep_rest(l, done);
    l->full = l->count * 2 > SETTLE_AT ? l->count * 2 : SETTLE_AT;
}

void gen_lines_finish(struct gen_lines *l)
{
    gen_lines_settle(l, UINT64_MAX);
    drain(l);
}
