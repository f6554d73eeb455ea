#include "model/regions.h"
#include "model/roles.h"
#include "otf/write.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that one record takes at most. */
#define RECORD_MOST 160

/* A record on its way; there is room for it. */
struct record {
    char at[RECORD_MOST];
    size_t count;
};

static void write_stream_word(struct record *r, const char *text)
{
    while (*text)
        r->at[r->count++] = *text++;
}

static void write_stream_hex(struct record *r, uint64_t value)
{
    char digits[16];
    size_t n = 0;

    do {
        digits[n++] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value > 0);
    while (n > 0)
        r->at[r->count++] = digits[--n];
}

static void write_stream_field(struct record *r, const char *key, uint64_t value)
{
    write_stream_word(r, key);
    write_stream_hex(r, value);
}

static void write_stream_put(struct otfw *w, uint64_t time, struct record *r)
{
    struct otfw_thread *at = &w->at;
    struct record head = { .count = 0 };

    r->at[r->count++] = '\n';
    if (time != at->time) {
        write_stream_hex(&head, time);
        write_stream_word(&head, "\n*");
        write_stream_hex(&head, (uint64_t)at->thread + 1);
        write_stream_word(&head, "\n");
        at->time = time;
    }
    otf_out_put(&at->out, head.at, head.count);
    otf_out_put(&at->out, r->at, r->count);
}

static void write_stream_put_field(struct otfw *w, uint64_t time, const char *key, uint64_t value)
{
    struct record r = { .count = 0 };

    write_stream_field(&r, key, value);
    write_stream_put(w, time, &r);
}

static void write_stream_put_word(struct otfw *w, uint64_t time, const char *text)
{
    struct record r = { .count = 0 };

    write_stream_word(&r, text);
    write_stream_put(w, time, &r);
}

/* The format's own library takes a stream without records for a damaged one. */
void otfw_begin(struct otfw *w, uint64_t time)
{
    w->at.last = time;
    write_stream_put_word(w, time, "PB");
}

static void write_stream_put_count(struct otfw *w, uint64_t time, struct otfw_type *t,
                                   uint64_t value)
{
    struct record r = { .count = 0 };

    if (t->counter == 0)
        t->counter = ++w->names.counters;
    write_stream_field(&r, "CNT", t->counter);
    write_stream_field(&r, "V", value);
    write_stream_put(w, time, &r);
}

/* A counter begins with its base, so that differences of what follows are all that was counted. */
static void write_stream_put_counter(struct otfw *w, uint64_t time, uint32_t type, int64_t value)
{
    struct otfw_type *t = &w->names.type[type];
    struct prvcut_nested_type *now = prvcut_nesting_type(&w->at.nest, type);

    if (t->kind == OTFW_LEVEL) {
        write_stream_put_count(w, time, t, (uint64_t)value);
        return;
    }
    if (!now->counted)
        write_stream_put_count(w, time, t, 0);
    now->counted = true;
    now->total += (uint64_t)value;
    write_stream_put_count(w, time, t, now->total);
}

static struct prvcut_nested_type *write_stream_type(void *writer, uint32_t type)
{
    return &((struct otfw *)writer)->names.type[type].now;
}

static enum prvcut_status write_stream_interrupt(void *writer, uint64_t time,
                                                 struct prvcut_nested *r, struct prvcut_error *err)
{
    struct otfw *w = writer;

    (void)err;
    write_stream_put_field(w, time, "L", r->region);
    return w->at.out.st;
}

static enum prvcut_status write_stream_resume(void *writer, uint64_t time, struct prvcut_nested *r,
                                              struct prvcut_error *err)
{
    struct otfw *w = writer;

    (void)err;
    write_stream_put_field(w, time, "E", r->region);
    return w->at.out.st;
}

static enum prvcut_status write_stream_leave(void *writer, uint64_t time, struct prvcut_nested *r,
                                             bool implicit, struct prvcut_error *err)
{
    struct otfw *w = writer;

    (void)implicit;
    if (r->match > 0)
        write_stream_put_field(w, time, "COPE", r->match);
    return write_stream_interrupt(w, time, r, err);
}

const struct prvcut_nesting_format otfw_nesting = { .type = write_stream_type,
                                                    .interrupt = write_stream_interrupt,
                                                    .resume = write_stream_resume,
                                                    .leave = write_stream_leave };

void otfw_leave_all(struct otfw *w)
{
    prvcut_nesting_end_all(&w->at.nest, w->at.last, w->at.out.err);
    write_stream_put_word(w, w->at.last, "PE");
}

/* A line of events: pairs of one record. */
struct line {
    const struct prvcut_item *item;
    size_t count;
    size_t rest;   /* items of its time that stand behind it */
    uint32_t site; /* that its functions are entered from; 0: it does not tell */
    bool sited;    /* that was written */
    size_t callers;
};

/* Is it the end of a function? */
static bool write_stream_is_end(struct otfw *w, const struct prvcut_item *e, uint32_t *type)
{
    struct prvcut_error ignored = { 0 };

    return e->event.value == 0 &&
           otfw_type_of(&w->names, e->event.type, e->role, type, &ignored) == PRVCUT_OK &&
           w->names.type[*type].kind == OTFW_REGION;
}

/* Do `ends` pairs from `item` on name the innermost functions in the order of their begins? */
static bool write_stream_outside_in(struct otfw *w, const struct prvcut_item *item, size_t ends)
{
    uint32_t type;

    for (size_t i = 0; i < ends; i++) {
        if (!write_stream_is_end(w, &item[ends - 1 - i], &type) ||
            !prvcut_nesting_is(&w->at.nest, i, type))
            return false;
    }
    return true;
}

/* Ends that follow each other in a line: lines name them in the order of the begins, too. */
static void write_stream_put_ends(struct otfw *w, const struct prvcut_item *item, size_t ends,
                                  struct made_convert_summary *sum)
{
    const bool reverse = write_stream_outside_in(w, item, ends);
    uint32_t type;

    for (size_t i = 0; i < ends; i++) {
        if (write_stream_is_end(w, &item[reverse ? ends - 1 - i : i], &type))
            sum->lost[PRVCUT_CARRY_EVENTS] +=
                prvcut_nesting_end(&w->at.nest, item->time, type, w->at.out.err) == PRVCUT_END;
    }
}

static uint32_t write_stream_find_comm(const struct otfw *w, int64_t id)
{
    const struct prvcut_objects *o = w->outline->objects;
    const struct prvcut_communicator *c =
        id >= 0 ? prvcut_objects_communicator(o, w->at.application, (uint64_t)id) : NULL;

    return c ? (uint32_t)(c - o->communicator) : UINT32_MAX;
}

/* The process of a task's first thread, of the own task the thread itself; 0: not known. */
static uint64_t write_stream_root_process(const struct otfw *w, uint32_t root)
{
    if (root == 0)
        return 0;
    if (root == w->at.task + 1)
        return (uint64_t)w->at.thread + 1;
    return (uint64_t)w->outline->objects->task_first_thread[root - 1] + 1;
}

static void write_stream_begin_collective(struct otfw *w, const struct line *line, size_t place,
                                          struct prvcut_nested *open)
{
    const struct prvcut_mpi_call *call = otfw_function_at(&w->names, open->region)->call;
    struct record r = { .count = 0 };
    struct prvcut_held_call told;
    uint32_t root, comm = UINT32_MAX;

    if (!call || call->operation < 0 || call->nonblocking)
        return;
    prvcut_held_call_of(&told, line->item, line->count + line->rest, place);
    if (prvcut_held_call_is_collective(&told, w->at.task, &root))
        comm = write_stream_find_comm(w, told.communicator);
    if (comm == UINT32_MAX)
        return;
    open->match = ++w->at.matches;
    write_stream_field(&r, "COPB", (uint64_t)call->operation + 1);
    write_stream_field(&r, "H", open->match);
    write_stream_field(&r, "C", otfw_comm_id(w, comm));
    write_stream_field(&r, "RT", write_stream_root_process(w, root));
    write_stream_field(&r, "S", told.sent < 0 ? 0 : (uint64_t)told.sent);
    write_stream_field(&r, "R", told.received < 0 ? 0 : (uint64_t)told.received);
    write_stream_put(w, line->item->time, &r);
}

static void write_stream_put_enter(struct otfw *w, struct line *line, uint32_t function)
{
    struct record r = { .count = 0 };

    write_stream_field(&r, "E", function);
    if (line->site > 0)
        write_stream_field(&r, "X", line->site);
    line->sited = true;
    write_stream_put(w, line->item->time, &r);
}

/* Does the call that begins now take the place of one? Where those of the original do not nest, one
   that began at the same time took none: its collective is whole. */
static bool write_stream_replaces(const struct prvcut_nesting *n, uint32_t type, uint64_t time)
{
    return !n->calls_nest && prvcut_nesting_is(n, 0, type) && n->at[n->depth - 1].since == time;
}

static void write_stream_put_begin(struct otfw *w, struct line *line, size_t place, uint32_t type,
                                   struct made_convert_summary *sum)
{
    struct otfw_thread *at = &w->at;
    const enum prvcut_role role = w->names.type[type].role;
    const uint64_t time = line->item->time;
    const bool flat = role == PRVCUT_ROLE_FLUSH || write_stream_replaces(&at->nest, type, time);
    struct prvcut_nested open = { .type = type,
                                  .mpi = (PRVCUT_ROLE_BIT(role) & PRVCUT_ROLES_MPI) != 0,
                                  .since = time };
    const enum prvcut_status st =
        prvcut_nesting_make_room(&at->nest, time, type, flat, at->out.err);

    if (st == PRVCUT_END) {
        sum->lost[PRVCUT_CARRY_REGIONS]++;
        return;
    }
    otf_out_depends(&at->out, st);
    otf_out_depends(&at->out, otfw_function_of(&w->names, type, line->item[place].event.value,
                                               &open.region, at->out.err));
    if (at->out.st < 0)
        return;
    write_stream_put_enter(w, line, open.region);
    write_stream_begin_collective(w, line, place, &open);
    prvcut_nesting_begin(&at->nest, &open);
}

/* Details are part of the collective that the line begins, or lost. */
static bool write_stream_has_collective(const struct otfw *w)
{
    const struct prvcut_nesting *n = &w->at.nest;

    return n->depth > 0 && n->at[n->depth - 1].match == w->at.matches && w->at.matches > 0;
}

static void write_stream_put_pair(struct otfw *w, struct line *line, size_t i, bool readings,
                                  struct made_convert_summary *sum)
{
    const struct prvcut_item *e = &line->item[i];
    struct otf_out *out = &w->at.out;
    uint32_t type;
    enum otfw_kind kind;

    otf_out_depends(out, otfw_type_of(&w->names, e->event.type, e->role, &type, out->err));
    if (out->st < 0)
        return;
    kind = w->names.type[type].kind;
    if (readings) {
        if (kind == OTFW_COUNTER)
            write_stream_put_counter(w, e->time, type, e->event.value);
        return;
    }
    switch (kind) {
    case OTFW_REGION:
        write_stream_put_begin(w, line, i, type, sum);
        break;
    case OTFW_LEVEL:
        write_stream_put_counter(w, e->time, type, e->event.value);
        break;
    case OTFW_DETAIL:
        sum->lost[PRVCUT_CARRY_COLLECTIVES] += !write_stream_has_collective(w);
        break;
    case OTFW_CALLER:
        line->callers++;
        break;
    case OTFW_LOST:
        sum->lost[PRVCUT_CARRY_EVENTS]++;
        break;
    case OTFW_COUNTER:
        break;
    }
}

/* Readings stand before the function that they belong to, as measurement systems write them. */
static void write_stream_put_line(struct otfw *w, struct line *line,
                                  struct made_convert_summary *sum)
{
    uint32_t type;

    for (size_t i = 0; i < line->count; i++)
        write_stream_put_pair(w, line, i, true, sum);
    for (size_t i = 0; i < line->count;) {
        size_t ends = 0;

        while (i + ends < line->count && write_stream_is_end(w, &line->item[i + ends], &type))
            ends++;
        if (ends > 0)
            write_stream_put_ends(w, line->item + i, ends, sum);
        else
            write_stream_put_pair(w, line, i, false, sum);
        i += ends > 0 ? ends : 1;
    }
}

static uint32_t write_stream_world_of(struct otfw *w, uint32_t peer_task)
{
    const struct prvcut_objects *o = w->outline->objects;
    const uint32_t a = w->at.application;

    if (peer_task < o->application_first_task[a] || peer_task >= o->application_first_task[a + 1]) {
        w->made_all = true;
        return o->communicators + o->applications;
    }
    w->made_world |= w->world[a] == UINT32_MAX;
    return w->world[a] != UINT32_MAX ? w->world[a] : o->communicators + a;
}

static uint32_t write_stream_clamp(uint64_t value, struct made_convert_summary *sum)
{
    if (value <= UINT32_MAX)
        return (uint32_t)value;
    sum->lost[PRVCUT_CARRY_TAGS]++;
    return UINT32_MAX;
}

static void write_stream_put_half(struct otfw *w, const struct prvcut_item *item,
                                  struct made_convert_summary *sum)
{
    struct record r = { .count = 0 };
    uint32_t comm = UINT32_MAX;

    if (item->half.peer == PRVCUT_NOBODY) {
        sum->lost[PRVCUT_CARRY_MESSAGES]++;
        return;
    }
    if (item->half.communicator != PRVCUT_NOBODY)
        comm = write_stream_find_comm(w, item->half.communicator);
    if (comm == UINT32_MAX)
        comm = write_stream_world_of(w, w->outline->objects->thread_task[item->half.peer]);
    sum->lost[PRVCUT_CARRY_PHYSICAL] += item->half.other != item->time;
    write_stream_field(&r, item->kind == PRVCUT_ITEM_SEND ? "S" : "R",
                       (uint64_t)item->half.peer + 1);
    write_stream_field(&r, "L", write_stream_clamp(item->half.size, sum));
    write_stream_field(&r, "T", write_stream_clamp((uint64_t)item->half.tag, sum));
    write_stream_field(&r, "C", otfw_comm_id(w, comm));
    write_stream_put(w, item->time, &r);
}

static void write_stream_put_halves(struct otfw *w, const struct prvcut_item *item, size_t count,
                                    uint8_t kind, struct made_convert_summary *sum)
{
    for (size_t i = 0; i < count; i++) {
        if (item[i].kind == kind)
            write_stream_put_half(w, &item[i], sum);
    }
}

static bool write_stream_enters(const struct prvcut_item *item, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (item[i].kind == PRVCUT_ITEM_EVENT && item[i].event.value != 0 &&
            (PRVCUT_ROLE_BIT(item[i].role) & PRVCUT_ROLES_MPI) != 0)
            return true;
    }
    return false;
}

/* The events of one record follow each other. */
static struct line write_stream_next_line(const struct prvcut_item *item, size_t count)
{
    struct line line = { .item = item };

    while (line.count < count && item[line.count].kind == PRVCUT_ITEM_EVENT &&
           (line.count == 0 || !item[line.count].head))
        line.count++;
    return line;
}

void otfw_run(struct otfw *w, const struct prvcut_item *item, size_t count,
              struct made_convert_summary *sum)
{
    const bool inside = w->at.nest.mpi > 0;
    bool sent = !write_stream_enters(item, count);
    size_t callers = 0;
    bool site_put = false;
    uint32_t site;

    /* Extrae writes some calls on several lines. */
    otf_out_depends(&w->at.out, otfw_site_of(w, item, count, &site, w->at.out.err));
    w->at.last = item->time;
    /* What arrives belongs to the call that is open, what leaves to the one that begins. */
    if (inside)
        write_stream_put_halves(w, item, count, PRVCUT_ITEM_RECEIVE, sum);
    if (sent)
        write_stream_put_halves(w, item, count, PRVCUT_ITEM_SEND, sum);
    for (size_t i = 0; i < count;) {
        struct line line = write_stream_next_line(item + i, count - i);
        const size_t before = w->at.nest.mpi;

        sum->lost[PRVCUT_CARRY_STATES] += item[i].kind == PRVCUT_ITEM_STATE;
        i += line.count > 0 ? line.count : 1;
        line.site = site;
        line.rest = count - i;
        if (line.count > 0)
            write_stream_put_line(w, &line, sum);
        callers += line.callers;
        site_put = site_put || line.sited;
        if (!sent && w->at.nest.mpi > 0 && w->at.nest.mpi >= before) {
            write_stream_put_halves(w, item, count, PRVCUT_ITEM_SEND, sum);
            sent = true;
        }
    }
    if (!sent)
        write_stream_put_halves(w, item, count, PRVCUT_ITEM_SEND, sum);
    if (!inside)
        write_stream_put_halves(w, item, count, PRVCUT_ITEM_RECEIVE, sum);
    /* One of them gives the site its name. */
    sum->lost[PRVCUT_CARRY_EVENTS] += callers - (callers > 0 && site_put);
}
