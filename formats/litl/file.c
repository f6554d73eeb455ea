#include "litl/litl.h"

#include "base/buffer.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/room.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The headers: no padding, numbers in little-endian order. */
#define VERSION_SIZE 8u
#define SYSTEM_SIZE  128u
#define GENERAL_SIZE (VERSION_SIZE + SYSTEM_SIZE + 2u)
#define NAME_SIZE    256u
#define PROCESS_SIZE (NAME_SIZE + 24u)
#define PAIR_SIZE    16u
#define EVENT_HEAD   13u
/* Code of an event that leads to the next chunk, whatever its kind. */
#define LINK_CODE 13u
/* Times go up to 2^60 ns, 36 years. */
#define TIME_BITS 60
/* Bytes of a log that are looked at in one piece. */
#define WINDOW PRVCUT_ROOM(65536u)

enum kind { KIND_REGULAR, KIND_RAW, KIND_PACKED, KIND_LINK };

static uint64_t file_little(const char *bytes, size_t count)
{
    uint64_t value = 0;

    while (count-- > 0)
        value = value << 8 | (unsigned char)bytes[count];
    return value;
}

/* Up to `want` bytes from an offset on. */
static enum prvcut_status file_bytes(const struct litl_file *f, uint64_t offset, char *out,
                                     size_t want, size_t *got, struct prvcut_error *err)
{
    if (!f->held)
        return prvcut_source_read_at(f->source, offset, out, want, got, err);
    *got = offset >= f->size ? 0 : f->size - offset < want ? (size_t)(f->size - offset) : want;
    memcpy(out, f->held + (*got > 0 ? offset : 0), *got);
    return PRVCUT_OK;
}

static enum prvcut_status file_exactly(const struct litl_file *f, uint64_t offset, char *out,
                                       size_t want, const char *what, struct prvcut_error *err)
{
    size_t got = 0;
    const enum prvcut_status st = file_bytes(f, offset, out, want, &got, err);

    if (st < 0)
        return st;
    return got == want ? PRVCUT_OK
                       : prvcut_fail(err, PRVCUT_EFORMAT,
                                     "%s: %s at byte %" PRIu64 " lies beyond the end of the file",
                                     f->path, what, offset);
}

/* A file that cannot be read at any place is held as a whole. */
static enum prvcut_status file_hold(struct litl_file *f, struct prvcut_error *err)
{
    struct prvcut_buffer all = { 0 };
    enum prvcut_status st;

    if (prvcut_source_is_seekable(f->source)) {
        f->size = prvcut_source_size(f->source);
        return PRVCUT_OK;
    }
    do {
        size_t got = 0;

        st = prvcut_buffer_reserve(&all, WINDOW, err);
        if (st == PRVCUT_OK)
            st = prvcut_source_read(f->source, all.at + all.count, WINDOW, &got, err);
        all.count += got;
    } while (st == PRVCUT_OK);
    if (st != PRVCUT_END) {
        prvcut_buffer_fini(&all);
        return st;
    }
    f->held = all.at;
    f->size = all.count;
    return PRVCUT_OK;
}

static enum prvcut_status file_add_thread(struct litl_trace *t, uint32_t process, uint64_t first,
                                          struct prvcut_error *err)
{
    struct litl_process *p = &t->process[process];
    void *at = t->thread;
    enum prvcut_status st;

    if (t->base.objects.threads >= PRVCUT_THREADS_MAX)
        return prvcut_fail(err, PRVCUT_ELIMIT, "%s: more than %u threads", t->file.path,
                           PRVCUT_THREADS_MAX);
    st = prvcut_grow(&at, &t->thread_room, (size_t)t->base.objects.threads + 1, sizeof *t->thread,
                     err);
    t->thread = at;
    if (st == PRVCUT_OK)
        t->thread[t->base.objects.threads++] =
            (struct litl_thread){ .first = first, .process = process, .number = ++p->threads };
    return st;
}

/* The table of a process's threads, in one piece or several that lead to each other. */
static enum prvcut_status file_read_threads(struct litl_trace *t, uint32_t process,
                                            struct prvcut_error *err)
{
    struct litl_process *p = &t->process[process];
    uint64_t at = p->table, highest = at;

    p->first = t->base.objects.threads;
    for (;;) {
        char pair[PAIR_SIZE];
        uint64_t tid, offset, to;
        enum prvcut_status st =
            file_exactly(&t->file, at, pair, sizeof pair, "a table of threads", err);

        if (st < 0)
            return st;
        tid = file_little(pair, 8);
        offset = file_little(pair + 8, 8);
        if (tid == 0 && offset == 0)
            return PRVCUT_OK;
        if (!prvcut_ckd_add_u64(&to, p->table, offset) || to > t->file.size)
            return prvcut_fail(err, PRVCUT_EFORMAT,
                               "%s: the table of threads at byte %" PRIu64 " leads to byte %" PRIu64
                               " behind itself, beyond the end of the file",
                               t->file.path, at, offset);
        at += PAIR_SIZE;
        if (tid != 0) {
            st = file_add_thread(t, process, to, err);
            if (st < 0)
                return st;
            continue;
        }
        /* Pieces are written one behind the other: what leads back would never end. */
        if (to <= highest)
            return prvcut_fail(err, PRVCUT_EFORMAT,
                               "%s: the table of threads at byte %" PRIu64
                               " leads back to byte %" PRIu64,
                               t->file.path, at - PAIR_SIZE, to);
        highest = at = to;
    }
}

static enum prvcut_status file_read_process(struct litl_trace *t, uint32_t process,
                                            struct prvcut_error *err)
{
    struct litl_process *p = &t->process[process];
    const uint64_t at = GENERAL_SIZE + (uint64_t)process * PROCESS_SIZE;
    char head[PROCESS_SIZE];
    const enum prvcut_status st =
        file_exactly(&t->file, at, head, sizeof head, "the header of a process", err);

    if (st < 0)
        return st;
    memcpy(p->name, head, NAME_SIZE);
    p->table = file_little(head + NAME_SIZE + 16, 8);
    p->rank = p->ranks = -1;
    if (p->table < GENERAL_SIZE + (uint64_t)t->processes * PROCESS_SIZE || p->table > t->file.size)
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%s: the header of process %" PRIu32 " at byte %" PRIu64
                           " leads to byte %" PRIu64 ", which is no table of threads",
                           t->file.path, process + 1, at, p->table);
    return file_read_threads(t, process, err);
}

/* Nothing is allocated for processes that the file has no room for. */
static enum prvcut_status file_room_for_processes(const struct litl_trace *t,
                                                  struct prvcut_error *err)
{
    const uint64_t whole = (t->file.size - GENERAL_SIZE) / PROCESS_SIZE;
    char head[PROCESS_SIZE];

    if (t->processes <= whole)
        return PRVCUT_OK;
    return file_exactly(&t->file, GENERAL_SIZE + whole * PROCESS_SIZE, head, sizeof head,
                        "the header of a process", err);
}

enum prvcut_status litl_file_read(struct litl_trace *t, struct prvcut_error *err)
{
    char head[GENERAL_SIZE];
    enum prvcut_status st = file_hold(&t->file, err);

    if (st == PRVCUT_OK)
        st = file_exactly(&t->file, 0, head, sizeof head, "the header", err);
    if (st < 0)
        return st;
    t->processes = (uint32_t)file_little(head + VERSION_SIZE + SYSTEM_SIZE, 2);
    if (t->processes == 0)
        return prvcut_fail(err, PRVCUT_EFORMAT, "%s: the log holds no process", t->file.path);
    st = file_room_for_processes(t, err);
    if (st < 0)
        return st;
    t->process = prvcut_zeroed(t->processes, sizeof *t->process, "processes", err);
    if (!t->process)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < t->processes && st == PRVCUT_OK; i++)
        st = file_read_process(t, i, err);
    for (uint32_t i = 0; i < t->processes && st == PRVCUT_OK; i++)
        if (t->process[i].threads == 0)
            st = prvcut_fail(err, PRVCUT_EFORMAT, "%s: process %" PRIu32 " has no thread",
                             t->file.path, i + 1);
    return st;
}

enum prvcut_status litl_cursor_init(struct litl_cursor *c, const struct litl_trace *t,
                                    const struct litl_thread *thread, struct prvcut_error *err)
{
    *c = (struct litl_cursor){ .trace = t, .thread = thread, .at = thread->first };
    c->bytes = prvcut_unset(1, WINDOW, "a thread", err);
    return c->bytes ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void litl_cursor_fini(struct litl_cursor *c)
{
    free(c->bytes);
    c->bytes = NULL;
}

static enum prvcut_status file_damaged(const struct litl_cursor *c, const char *what,
                                       struct prvcut_error *err)
{
    return prvcut_fail(err, PRVCUT_EFORMAT,
                       "%s: process %" PRIu32 ", thread %" PRIu32 ", event at byte %" PRIu64 ": %s",
                       c->trace->file.path, c->thread->process + 1, c->thread->number, c->at, what);
}

/* `want` bytes at `ahead` from the next event on; in the window, which moves where it has to. */
static enum prvcut_status file_look(struct litl_cursor *c, size_t ahead, size_t want,
                                    const char **out, struct prvcut_error *err)
{
    const uint64_t from = c->at + ahead;
    enum prvcut_status st;

    if (from < c->window || from + want > c->window + c->held) {
        st = file_bytes(&c->trace->file, c->at, c->bytes, WINDOW, &c->held, err);
        if (st < 0)
            return st;
        c->window = c->at;
        if (c->held < ahead + want)
            return file_damaged(c, "it lies beyond the end of the file", err);
    }
    *out = c->bytes + (from - c->window);
    return PRVCUT_OK;
}

/* Go on where a link leads; PRVCUT_END: nowhere. */
static enum prvcut_status file_follow(struct litl_cursor *c, struct prvcut_error *err)
{
    const struct litl_process *p = &c->trace->process[c->thread->process];
    const char *at;
    uint64_t offset, to;
    enum prvcut_status st = file_look(c, EVENT_HEAD + 1, 8, &at, err);

    if (st < 0)
        return st;
    offset = file_little(at, 8);
    if (offset == 0)
        return PRVCUT_END;
    /* Chunks are written one behind the other: what leads back would never end. */
    if (!prvcut_ckd_add_u64(&to, p->table, offset) || to >= c->trace->file.size || to <= c->at)
        return file_damaged(c, "its next chunk is not further on in the file", err);
    c->at = to;
    return PRVCUT_OK;
}

static enum prvcut_status file_read_regular(struct litl_cursor *c, struct litl_event *e,
                                            struct prvcut_error *err)
{
    const char *at;
    enum prvcut_status st = file_look(c, EVENT_HEAD, 1, &at, err);

    if (st < 0)
        return st;
    e->regular = true;
    e->count = (uint8_t)*at;
    if (e->count > LITL_PARAMETERS)
        return file_damaged(c, "it has more than 10 parameters", err);
    st = file_look(c, EVENT_HEAD + 1, (size_t)e->count * 8, &at, err);
    for (unsigned i = 0; st == PRVCUT_OK && i < e->count; i++)
        e->param[i] = file_little(at + 8 * (size_t)i, 8);
    c->at += EVENT_HEAD + 1 + (uint64_t)e->count * 8;
    return st;
}

static enum prvcut_status file_read_data(struct litl_cursor *c, struct litl_event *e,
                                         struct prvcut_error *err)
{
    const uint64_t begin = EVENT_HEAD + 4;
    const char *at;
    size_t kept;
    enum prvcut_status st = file_look(c, EVENT_HEAD, 4, &at, err);

    if (st < 0)
        return st;
    e->regular = false;
    e->size = (uint32_t)file_little(at, 4);
    if (e->size > c->trace->file.size - c->at)
        return file_damaged(c, "its data end after the end of the file", err);
    kept = e->size < LITL_DATA ? e->size : LITL_DATA;
    st = file_look(c, begin, kept, &at, err);
    if (st == PRVCUT_OK)
        memcpy(e->data, at, kept);
    c->at += begin + e->size;
    return st;
}

enum prvcut_status litl_cursor_next(struct litl_cursor *c, struct litl_event *out,
                                    struct prvcut_error *err)
{
    for (;;) {
        const char *at;
        enum prvcut_status st = file_look(c, 0, EVENT_HEAD, &at, err);

        if (st < 0)
            return st;
        out->time = file_little(at, 8);
        out->code = (uint32_t)file_little(at + 8, 4);
        out->offset = c->at;
        if (out->code == LINK_CODE) {
            st = file_follow(c, err);
            if (st != PRVCUT_OK)
                return st;
            continue;
        }
        if (out->time >> TIME_BITS != 0)
            return file_damaged(c, "its time is beyond 2^60ns", err);
        switch (at[12]) {
        case KIND_REGULAR:
            return file_read_regular(c, out, err);
        case KIND_RAW:
        case KIND_PACKED:
            return file_read_data(c, out, err);
        default:
            return file_damaged(c, "its kind is unknown", err);
        }
    }
}
