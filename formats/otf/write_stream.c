#include "otf/write.h"

#include <stdlib.h>
#include <string.h>

/* Deeper nesting than this is values that follow each other without an end, not nesting. */
#define SAME_MOST  32
#define DEPTH_MOST 512

/* Bytes that one record takes at most. */
#define RECORD_MOST 160

/* Bytes gathered before they go to the file. */
#define TEXT_MOST 65536

/* A record on its way; there is room for it. */
struct record {
    char at[RECORD_MOST];
    size_t count;
};

static void word(struct record *r, const char *text)
{
    while (*text)
        r->at[r->count++] = *text++;
}

static void hex(struct record *r, uint64_t value)
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

static void field(struct record *r, const char *key, uint64_t value)
{
    word(r, key);
    hex(r, value);
}

static enum prvcut_status put(struct otfw *w, uint64_t time, struct record *r,
                              struct prvcut_error *err)
{
    struct otfw_thread *at = &w->at;
    struct record head = { .count = 0 };
    enum prvcut_status st;

    r->at[r->count++] = '\n';
    if (time != at->time) {
        hex(&head, time);
        word(&head, "\n*");
        hex(&head, (uint64_t)at->thread + 1);
        word(&head, "\n");
        at->time = time;
    }
    st = prvcut_buffer_append(&at->text, head.at, head.count, err);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_append(&at->text, r->at, r->count, err);
    if (st == PRVCUT_OK && at->text.count >= TEXT_MOST) {
        st = otf_out_put(&at->out, at->text.at, at->text.count, err);
        at->text.count = 0;
    }
    return st;
}

static enum prvcut_status put_field(struct otfw *w, uint64_t time, const char *key, uint64_t value,
                                    struct prvcut_error *err)
{
    struct record r = { .count = 0 };

    field(&r, key, value);
    return put(w, time, &r, err);
}

static enum prvcut_status put_word(struct otfw *w, uint64_t time, const char *text,
                                   struct prvcut_error *err)
{
    struct record r = { .count = 0 };

    word(&r, text);
    return put(w, time, &r, err);
}

/* The format's own library takes a stream without records for a damaged one. */
enum prvcut_status otfw_begin(struct otfw *w, uint64_t time, struct prvcut_error *err)
{
    w->at.last = time;
    return put_word(w, time, "PB", err);
}

/* Counts of another thread do not hold for this one. */
static struct otfw_type *type_at(struct otfw *w, uint32_t index)
{
    struct otfw_type *t = &w->names.type[index];

    if (t->thread != w->at.thread) {
        t->thread = w->at.thread;
        t->open = 0;
        t->total = 0;
        t->counted = false;
    }
    return t;
}

static enum prvcut_status put_count(struct otfw *w, uint64_t time, struct otfw_type *t,
                                    uint64_t value, struct prvcut_error *err)
{
    struct record r = { .count = 0 };

    if (t->counter == 0)
        t->counter = ++w->names.counters;
    field(&r, "CNT", t->counter);
    field(&r, "V", value);
    return put(w, time, &r, err);
}

/* A counter begins with its base, so that differences of what follows are all that was counted. */
static enum prvcut_status put_counter(struct otfw *w, uint64_t time, uint32_t type, int64_t value,
                                      struct prvcut_error *err)
{
    struct otfw_type *t = type_at(w, type);
    enum prvcut_status st = PRVCUT_OK;

    if (t->kind == OTFW_LEVEL)
        return put_count(w, time, t, (uint64_t)value, err);
    if (!t->counted)
        st = put_count(w, time, t, 0, err);
    t->counted = true;
    t->total += (uint64_t)value;
    return st == PRVCUT_OK ? put_count(w, time, t, t->total, err) : st;
}

static const struct otfw_function *function_at(const struct otfw *w, size_t place)
{
    return otfw_function_at(&w->names, w->at.stack[place].function);
}

static bool is_mpi(const struct otfw *w, uint32_t type)
{
    return (PRVCUT_ROLE_BIT(w->names.type[type].role) & PRVCUT_ROLES_MPI) != 0;
}

/* Take the innermost function out. */
static enum prvcut_status pop(struct otfw *w, uint64_t time, struct prvcut_error *err)
{
    const struct otfw_open open = w->at.stack[w->at.depth - 1];
    const uint32_t type = function_at(w, w->at.depth - 1)->type;
    enum prvcut_status st = PRVCUT_OK;

    if (open.match > 0)
        st = put_field(w, time, "COPE", open.match, err);
    if (st == PRVCUT_OK)
        st = put_field(w, time, "L", open.function, err);
    w->at.depth--;
    w->at.mpi -= is_mpi(w, type);
    type_at(w, type)->open--;
    return st;
}

enum prvcut_status otfw_leave_all(struct otfw *w, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    while (w->at.depth > 0 && st == PRVCUT_OK)
        st = pop(w, w->at.last, err);
    return st == PRVCUT_OK ? put_word(w, w->at.last, "PE", err) : st;
}

static size_t find(const struct otfw *w, uint32_t type)
{
    for (size_t i = w->at.depth; i > 0; i--) {
        if (function_at(w, i - 1)->type == type)
            return i - 1;
    }
    return w->at.depth;
}

/* Close what lies inside the k-th function, the function itself, and open again what lay inside. */
static enum prvcut_status take(struct otfw *w, uint64_t time, size_t k, struct prvcut_error *err)
{
    struct otfw_thread *at = &w->at;
    const struct otfw_open target = at->stack[k];
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = at->depth; i > k + 1 && st == PRVCUT_OK; i--)
        st = put_field(w, time, "L", at->stack[i - 1].function, err);
    memmove(at->stack + k, at->stack + k + 1, (at->depth - k - 1) * sizeof *at->stack);
    at->stack[at->depth - 1] = target;
    if (st == PRVCUT_OK)
        st = pop(w, time, err);
    for (size_t i = k; i < at->depth && st == PRVCUT_OK; i++)
        st = put_field(w, time, "E", at->stack[i].function, err);
    return st;
}

/* A line of events: pairs of one record. */
struct line {
    const struct prvcut_item *item;
    size_t count;
    uint32_t site; /* that its functions are entered from; 0: it does not tell */
    bool sited;    /* that was written */
    size_t callers;
};

static enum prvcut_status put_end(struct otfw *w, uint64_t time, uint32_t type,
                                  struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    const size_t k = find(w, type);

    if (k < w->at.depth)
        return take(w, time, k, err);
    sum->lost[PRVCUT_CARRY_EVENTS]++;
    return PRVCUT_OK;
}

/* Is it the end of a function? */
static bool is_end(struct otfw *w, const struct prvcut_item *e, uint32_t *type)
{
    struct prvcut_error ignored = { 0 };

    return e->event.value == 0 &&
           otfw_type_of(&w->names, e->event.type, e->role, type, &ignored) == PRVCUT_OK &&
           w->names.type[*type].kind == OTFW_REGION;
}

/* Do `ends` pairs from `item` on name the innermost functions in the order of their begins? */
static bool outside_in(struct otfw *w, const struct prvcut_item *item, size_t ends)
{
    uint32_t type;

    if (ends > w->at.depth)
        return false;
    for (size_t i = 0; i < ends; i++) {
        if (!is_end(w, &item[ends - 1 - i], &type) ||
            function_at(w, w->at.depth - 1 - i)->type != type)
            return false;
    }
    return true;
}

/* Ends that follow each other in a line: lines name them in the order of the begins, too. */
static enum prvcut_status put_ends(struct otfw *w, const struct prvcut_item *item, size_t ends,
                                   struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    const bool reverse = outside_in(w, item, ends);
    enum prvcut_status st = PRVCUT_OK;
    uint32_t type;

    for (size_t i = 0; i < ends && st == PRVCUT_OK; i++) {
        if (is_end(w, &item[reverse ? ends - 1 - i : i], &type))
            st = put_end(w, item->time, type, sum, err);
    }
    return st;
}

/* What a line tells of a collective. */
struct collective {
    uint64_t sent, received;
    uint32_t communicator;
    uint32_t root; /* task + 1; 0: not known */
    unsigned known;
};

static uint32_t find_comm(const struct otfw *w, int64_t id)
{
    const struct prvcut_objects *o = w->outline->objects;

    for (uint32_t i = 0; i < o->communicators; i++) {
        if (o->communicator[i].application == w->at.application && o->communicator[i].id == id)
            return i;
    }
    return UINT32_MAX;
}

static struct collective collective_of(const struct otfw *w, const struct line *line)
{
    struct collective c = { .communicator = UINT32_MAX };

    for (size_t i = 0; i < line->count; i++) {
        const struct prvcut_item *e = &line->item[i];
        const uint64_t value = e->event.value < 0 ? 0 : (uint64_t)e->event.value;

        if (e->role == PRVCUT_ROLE_SIZE && e->event.type == PRVCUT_TYPE_SIZE_SENT) {
            c.sent = value;
            c.known |= 1;
        } else if (e->role == PRVCUT_ROLE_SIZE) {
            c.received = value;
            c.known |= 2;
        } else if (e->role == PRVCUT_ROLE_ROOT) {
            c.root = value == 1 ? w->at.task + 1 : c.root;
        } else if (e->role == PRVCUT_ROLE_COMMUNICATOR) {
            c.communicator = find_comm(w, e->event.value);
            c.known |= c.communicator != UINT32_MAX ? 4 : 0;
            c.root = c.root == 0 ? e->event.root : c.root;
        }
    }
    return c;
}

/* The process of a task's first thread, of the own task the thread itself; 0: not known. */
static uint64_t root_process(const struct otfw *w, uint32_t root)
{
    if (root == 0)
        return 0;
    if (root == w->at.task + 1)
        return (uint64_t)w->at.thread + 1;
    return (uint64_t)w->outline->objects->task_first_thread[root - 1] + 1;
}

static enum prvcut_status begin_collective(struct otfw *w, const struct line *line,
                                           struct otfw_open *open, struct prvcut_error *err)
{
    const struct prvcut_mpi_call *call = otfw_function_at(&w->names, open->function)->call;
    struct collective c = collective_of(w, line);
    struct record r = { .count = 0 };

    if (!call || call->operation < 0 || call->nonblocking || c.known != 7)
        return PRVCUT_OK;
    open->match = ++w->at.matches;
    field(&r, "COPB", (uint64_t)call->operation + 1);
    field(&r, "H", open->match);
    field(&r, "C", otfw_comm_id(w, c.communicator));
    field(&r, "RT", root_process(w, c.root));
    field(&r, "S", c.sent);
    field(&r, "R", c.received);
    return put(w, line->item->time, &r, err);
}

static enum prvcut_status put_enter(struct otfw *w, struct line *line, uint32_t function,
                                    struct prvcut_error *err)
{
    struct record r = { .count = 0 };

    field(&r, "E", function);
    if (line->site > 0)
        field(&r, "X", line->site);
    line->sited = true;
    return put(w, line->item->time, &r, err);
}

static enum prvcut_status put_begin(struct otfw *w, struct line *line, size_t place, uint32_t type,
                                    struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    struct otfw_thread *at = &w->at;
    const uint64_t time = line->item->time;
    const struct otfw_type *t = type_at(w, type);
    const bool flat = is_mpi(w, type) || t->role == PRVCUT_ROLE_FLUSH;
    struct otfw_open open = { 0 };
    enum prvcut_status st = PRVCUT_OK;

    if (t->open > 0 && (flat || t->open >= SAME_MOST))
        st = take(w, time, find(w, type), err);
    if (at->depth >= DEPTH_MOST) {
        sum->lost[PRVCUT_CARRY_REGIONS]++;
        return st;
    }
    if (st == PRVCUT_OK)
        st = otfw_function_of(&w->names, type, line->item[place].event.value, &open.function, err);
    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&at->stack, &at->room, at->depth + 1, sizeof *at->stack, err);
    if (st == PRVCUT_OK)
        st = put_enter(w, line, open.function, err);
    if (st == PRVCUT_OK)
        st = begin_collective(w, line, &open, err);
    if (st < 0)
        return st;
    at->stack[at->depth++] = open;
    at->mpi += is_mpi(w, type);
    type_at(w, type)->open++;
    return PRVCUT_OK;
}

/* Details are part of the collective that the line begins, or lost. */
static bool has_collective(const struct otfw *w)
{
    return w->at.depth > 0 && w->at.stack[w->at.depth - 1].match == w->at.matches &&
           w->at.matches > 0;
}

static enum prvcut_status put_pair(struct otfw *w, struct line *line, size_t i, bool readings,
                                   struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    const struct prvcut_item *e = &line->item[i];
    uint32_t type;
    const enum prvcut_status st = otfw_type_of(&w->names, e->event.type, e->role, &type, err);
    enum otfw_kind kind;

    if (st < 0)
        return st;
    kind = w->names.type[type].kind;
    if (readings)
        return kind == OTFW_COUNTER ? put_counter(w, e->time, type, e->event.value, err)
                                    : PRVCUT_OK;
    switch (kind) {
    case OTFW_REGION:
        return put_begin(w, line, i, type, sum, err);
    case OTFW_LEVEL:
        return put_counter(w, e->time, type, e->event.value, err);
    case OTFW_DETAIL:
        sum->lost[PRVCUT_CARRY_COLLECTIVES] += !has_collective(w);
        return PRVCUT_OK;
    case OTFW_CALLER:
        line->callers++;
        return PRVCUT_OK;
    case OTFW_LOST:
        sum->lost[PRVCUT_CARRY_EVENTS]++;
        return PRVCUT_OK;
    case OTFW_COUNTER:
        break;
    }
    return PRVCUT_OK;
}

/* Readings stand before the function that they belong to, as measurement systems write them. */
static enum prvcut_status put_line(struct otfw *w, struct line *line,
                                   struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    uint32_t type;

    for (size_t i = 0; i < line->count && st == PRVCUT_OK; i++)
        st = put_pair(w, line, i, true, sum, err);
    for (size_t i = 0; i < line->count && st == PRVCUT_OK;) {
        size_t ends = 0;

        while (i + ends < line->count && is_end(w, &line->item[i + ends], &type))
            ends++;
        st = ends > 0 ? put_ends(w, line->item + i, ends, sum, err)
                      : put_pair(w, line, i, false, sum, err);
        i += ends > 0 ? ends : 1;
    }
    return st;
}

static uint32_t world_of(struct otfw *w, uint32_t peer_task)
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

static uint32_t clamp(uint64_t value, struct prvcut_convert_summary *sum)
{
    if (value <= UINT32_MAX)
        return (uint32_t)value;
    sum->lost[PRVCUT_CARRY_TAGS]++;
    return UINT32_MAX;
}

static enum prvcut_status put_half(struct otfw *w, const struct prvcut_item *item,
                                   struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    struct record r = { .count = 0 };
    uint32_t comm = UINT32_MAX;

    if (item->half.peer == PRVCUT_NOBODY) {
        sum->lost[PRVCUT_CARRY_MESSAGES]++;
        return PRVCUT_OK;
    }
    if (item->half.communicator != PRVCUT_NOBODY)
        comm = find_comm(w, item->half.communicator);
    if (comm == UINT32_MAX)
        comm = world_of(w, w->outline->objects->thread_task[item->half.peer]);
    sum->lost[PRVCUT_CARRY_PHYSICAL] += item->half.other != item->time;
    field(&r, item->kind == PRVCUT_ITEM_SEND ? "S" : "R", (uint64_t)item->half.peer + 1);
    field(&r, "L", clamp(item->half.size, sum));
    field(&r, "T", clamp((uint64_t)item->half.tag, sum));
    field(&r, "C", otfw_comm_id(w, comm));
    return put(w, item->time, &r, err);
}

static enum prvcut_status put_halves(struct otfw *w, const struct prvcut_item *item, size_t count,
                                     uint8_t kind, struct prvcut_convert_summary *sum,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        if (item[i].kind == kind)
            st = put_half(w, &item[i], sum, err);
    }
    return st;
}

static bool enters(const struct prvcut_item *item, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (item[i].kind == PRVCUT_ITEM_EVENT && item[i].event.value != 0 &&
            (PRVCUT_ROLE_BIT(item[i].role) & PRVCUT_ROLES_MPI) != 0)
            return true;
    }
    return false;
}

/* The events of one record follow each other. */
static struct line next_line(const struct prvcut_item *item, size_t count)
{
    struct line line = { .item = item };

    while (line.count < count && item[line.count].kind == PRVCUT_ITEM_EVENT &&
           (line.count == 0 || !item[line.count].head))
        line.count++;
    return line;
}

enum prvcut_status otfw_run(struct otfw *w, const struct prvcut_item *item, size_t count,
                            struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    const bool inside = w->at.mpi > 0;
    bool sent = !enters(item, count);
    size_t callers = 0;
    bool site_put = false;
    uint32_t site;
    /* Extrae writes some calls on several lines. */
    enum prvcut_status st = otfw_site_of(w, item, count, &site, err);

    w->at.last = item->time;
    /* What arrives belongs to the call that is open, what leaves to the one that begins. */
    if (st == PRVCUT_OK && inside)
        st = put_halves(w, item, count, PRVCUT_ITEM_RECEIVE, sum, err);
    if (st == PRVCUT_OK && sent)
        st = put_halves(w, item, count, PRVCUT_ITEM_SEND, sum, err);
    for (size_t i = 0; i < count && st == PRVCUT_OK;) {
        struct line line = next_line(item + i, count - i);
        const size_t before = w->at.mpi;

        sum->lost[PRVCUT_CARRY_STATES] += item[i].kind == PRVCUT_ITEM_STATE;
        i += line.count > 0 ? line.count : 1;
        line.site = site;
        if (line.count > 0)
            st = put_line(w, &line, sum, err);
        callers += line.callers;
        site_put = site_put || line.sited;
        if (st == PRVCUT_OK && !sent && w->at.mpi > 0 && w->at.mpi >= before) {
            st = put_halves(w, item, count, PRVCUT_ITEM_SEND, sum, err);
            sent = true;
        }
    }
    if (st == PRVCUT_OK && !sent)
        st = put_halves(w, item, count, PRVCUT_ITEM_SEND, sum, err);
    if (st == PRVCUT_OK && !inside)
        st = put_halves(w, item, count, PRVCUT_ITEM_RECEIVE, sum, err);
    /* One of them gives the site its name. */
    sum->lost[PRVCUT_CARRY_EVENTS] += callers - (callers > 0 && site_put);
    return st;
}
