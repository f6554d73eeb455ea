#include "paraver/parse.h"

#include "base/checked.h"
#include "paraver/digits.h"

#include <stdlib.h>

/* Room of a batch: together it stays within a core's own cache. */
#define STATES   2048
#define EVENTS   4096
#define MESSAGES 1024
/* Pairs of a plain line that open or close a region; a line with more is read the exact way. */
#define REGION_PAIRS 16

static const uint64_t keep_low[17] = {
    0,          0xff,         0xffff,         0xffffff,
    0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
    UINT64_MAX, UINT64_MAX,   UINT64_MAX,     UINT64_MAX,
    UINT64_MAX, UINT64_MAX,   UINT64_MAX,     UINT64_MAX,
    UINT64_MAX,
};

enum prvcut_status prv_parser_init(struct prv_parser *p, const struct prv_parse_plan *plan,
                                   const struct prvcut_consumer *consumer, unsigned worker,
                                   struct prvcut_error *err)
{
    size_t seen = 0;

    memset(p, 0, sizeof *p);
    p->plan = plan;
    p->consumer = consumer;
    p->worker = worker;
    p->batch.state = malloc(STATES * sizeof *p->batch.state);
    p->batch.event = malloc(EVENTS * sizeof *p->batch.event);
    p->batch.message = malloc(MESSAGES * sizeof *p->batch.message);
    if (prvcut_ckd_mul_size(&seen, plan->header->objects.threads, plan->regions) && seen > 0)
        p->now = calloc(seen, sizeof *p->now);
    if (!p->batch.state || !p->batch.event || !p->batch.message || (seen > 0 && !p->now)) {
        prv_parser_fini(p);
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for %u threads",
                           plan->header->objects.threads);
    }
    return PRVCUT_OK;
}

void prv_parser_fini(struct prv_parser *p)
{
    free(p->batch.state);
    free(p->batch.event);
    free(p->batch.message);
    free(p->now);
    memset(&p->batch, 0, sizeof p->batch);
    p->now = NULL;
}

void prv_part_fini(struct prv_part *part)
{
    free(part->block);
    free(part->region);
    memset(part, 0, sizeof *part);
}

void prv_parser_begin(struct prv_parser *p, struct prv_part *part)
{
    p->part = part;
    p->stamp++;
    p->block = (struct prv_block){ .number = UINT64_MAX };
    part->first_key = UINT64_MAX;
}

static enum prvcut_status deliver(struct prv_parser *p, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (p->batch.states + p->batch.events + p->batch.messages > 0 && p->consumer->batch)
        st = p->consumer->batch(p->consumer->ctx, p->worker, p->part->consumer, &p->batch, err);
    p->batch.states = p->batch.events = p->batch.messages = 0;
    return st;
}

static enum prvcut_status close_block(struct prv_parser *p, struct prvcut_error *err)
{
    struct prv_part *part = p->part;

    if (p->block.number == UINT64_MAX || p->block.lines == 0)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&part->block, &part->block_room, part->blocks + 1, sizeof *part->block,
                    err) < 0)
        return PRVCUT_ENOMEM;
    part->block[part->blocks++] = p->block;
    return PRVCUT_OK;
}

enum prvcut_status prv_parser_end(struct prv_parser *p, struct prvcut_error *err)
{
    enum prvcut_status st = deliver(p, err);

    if (st == PRVCUT_OK)
        st = close_block(p, err);
    return st;
}

/* A record that begins at `from`, sorts at `key` and ends at `to`. */
static inline void note(struct prv_parser *p, uint64_t from, uint64_t key, uint64_t to)
{
    struct prv_part *part = p->part;

    if (p->block.key == UINT64_MAX)
        p->block.key = key;
    if (from < p->block.first)
        p->block.first = from;
    if (to > p->block.last)
        p->block.last = to;
    if (to > p->plan->end_ns)
        part->counts.beyond_end++;
    if (key < part->last_key) {
        if (part->counts.unsorted++ == 0)
            part->first_unsorted = part->counts.lines;
        return;
    }
    part->last_key = key;
    if (part->first_key == UINT64_MAX)
        part->first_key = key;
}

static enum prvcut_status region_event(struct prv_parser *p, uint32_t thread, unsigned region,
                                       int64_t value, struct prvcut_error *err)
{
    struct prv_region_now *now = &p->now[(size_t)thread * p->plan->regions + region];
    struct prv_part *part = p->part;
    struct prv_region_seen *seen;

    if (now->part != p->stamp) {
        if (part->regions == part->region_room &&
            prvcut_grow((void **)&part->region, &part->region_room, part->regions + 1,
                        sizeof *part->region, err) < 0)
            return PRVCUT_ENOMEM;
        now->part = p->stamp;
        now->at = (uint32_t)part->regions;
        part->region[part->regions++] =
            (struct prv_region_seen){ .thread = thread, .region = (uint8_t)region };
    }
    seen = &part->region[now->at];
    seen->open = value != 0;
    seen->block = p->block.number;
    return PRVCUT_OK;
}

static unsigned region_of(const struct prv_parse_plan *plan, uint32_t number)
{
    for (unsigned i = 0; i < plan->regions; i++)
        if (plan->region_type[i] == number)
            return i + 1;
    return 0;
}

static void learn_type(const struct prv_parse_plan *plan, struct prv_type_slot *slot, uint64_t key,
                       uint32_t number)
{
    bool region = false;

    slot->key = key;
    slot->number = number;
    slot->role = (uint8_t)prv_labels_role(plan->labels, number, &region);
    slot->region = (uint8_t)(region ? region_of(plan, number) : 0);
}

static inline const struct prv_type_slot *type_of(struct prv_parser *p, const char *end,
                                                  uint64_t digits)
{
    uint64_t key = prv_load8(end - 8) & (UINT64_MAX << (64 - 8 * digits));
    struct prv_type_slot *slot =
        &p->type[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 55 & (PRV_TYPE_SLOTS - 1)];

    if (slot->key != key)
        learn_type(p->plan, slot, key, (uint32_t)prv_eight(key));
    return slot;
}

/* Thread of "cpu:app:task:thread" in [at, end); false: not plain, or not in the header. */
static bool learn_object(struct prv_parser *p, struct prv_object_slot *slot, const char *at,
                         const char *end)
{
    uint64_t number[4] = { 0, 0, 0, 0 };
    struct prvcut_error ignored = { 0 };
    unsigned field = 0;

    for (; at < end; at++) {
        if (*at != ':')
            number[field] = number[field] * 10 + (uint64_t)(*at - '0');
        else if (++field == 4)
            return false;
    }
    slot->valid = field == 3 && prv_slow_object(p->plan, number, &slot->thread, &ignored) >= 0;
    return slot->valid;
}

static inline bool object_of(struct prv_parser *p, const char *at, const char *end,
                             uint32_t *thread)
{
    size_t length = (size_t)(end - at);
    uint64_t low, high;
    struct prv_object_slot *slot;

    if (length > 16)
        return false;
    low = prv_load8(at) & keep_low[length];
    high = length > 8 ? prv_load8(at + 8) & keep_low[length - 8] : 0;
    slot = &p->object[((low ^ high * 31) * UINT64_C(0x9e3779b97f4a7c15)) >> 53 &
                      (PRV_OBJECT_SLOTS - 1)];
    if (!slot->valid || slot->key[0] != low || slot->key[1] != high) {
        slot->key[0] = low;
        slot->key[1] = high;
        if (!learn_object(p, slot, at, end))
            return false;
    }
    *thread = slot->thread;
    return true;
}

static inline bool tick(const struct prv_parser *p, const char *from, const char *end, uint64_t *ns)
{
    uint64_t digits = (uint64_t)(end - from);
    uint64_t t;

    if (digits - 1 > 15)
        return false;
    t = prv_number(end, digits);
    *ns = t * p->plan->header->unit_ns;
    return t <= p->plan->max_tick;
}

static inline unsigned lowest(uint64_t bits)
{
    return (unsigned)__builtin_ctzll(bits);
}

/* 1:cpu:app:task:thread:begin:end:state; NULL: not plain. */
static inline const char *plain_state(struct prv_parser *p, const char *line)
{
    const struct prv_marks m = prv_mark(line);
    const unsigned end = m.other ? lowest(m.other) : 63;
    uint64_t colon = m.colon & ((UINT64_C(1) << end) - 1);
    struct prvcut_state *s = &p->batch.state[p->batch.states];
    const char *object, *begin, *stop;
    uint64_t number;
    uint32_t thread;

    if (line[end] != '\n' || (colon & colon << 1) != 0 || (colon & 3) != 2)
        return NULL;
    for (unsigned i = 0; i < 4; i++)
        colon &= colon - 1;
    if (colon == 0)
        return NULL;
    object = line + lowest(colon);
    colon &= colon - 1;
    if (colon == 0)
        return NULL;
    begin = line + lowest(colon);
    colon &= colon - 1;
    if (colon == 0 || (colon & (colon - 1)) != 0)
        return NULL;
    stop = line + lowest(colon);
    if (!object_of(p, line + 2, object, &thread) || !tick(p, object + 1, begin, &s->begin) ||
        !tick(p, begin + 1, stop, &s->end) || s->end < s->begin)
        return NULL;
    number = (uint64_t)(line + end - stop - 1);
    if (number - 1 > 8)
        return NULL;
    number = prv_number(line + end, number);
    if (number > INT32_MAX)
        return NULL;
    s->thread = thread;
    s->number = (uint32_t)number & INT32_MAX;
    s->running = number == p->plan->labels->running;
    note(p, s->begin, s->begin, s->end);
    p->part->counts.states++;
    p->batch.states += p->plan->states;
    return line + end + 1;
}

/* Separators of a line, one after the other. */
struct walk {
    const char *base;
    uint64_t marks;
};

static inline const char *walk_next(struct walk *w)
{
    const char *at;

    while (w->marks == 0) {
        struct prv_marks m;

        w->base += 64;
        m = prv_mark(w->base);
        w->marks = m.colon | m.other;
    }
    at = w->base + __builtin_ctzll(w->marks);
    w->marks &= w->marks - 1;
    return at;
}

static inline struct walk walk_start(const char *line)
{
    struct prv_marks m = prv_mark(line);

    return (struct walk){ line, m.colon | m.other };
}

/* The four fields of an object: the fifth separator of a record, or NULL. */
static inline const char *walk_object(struct walk *w, const char *at)
{
    for (unsigned i = 0; i < 4; i++) {
        const char *end = walk_next(w);

        if (end == at || *end != ':')
            return NULL;
        at = end + 1;
    }
    return at - 1;
}

/* What an event line has in common for all its pairs, and what they did. */
struct event_line {
    uint64_t time;
    uint32_t thread, roles;
    uint64_t pairs;
    /* Regions that it opens or closes: they count once the whole line has proved sound. */
    unsigned regions;
    uint8_t region[REGION_PAIRS];
    int64_t value[REGION_PAIRS];
};

/* A pair that somebody wants: its value is read. false: not plain. */
static inline bool take_pair(struct prv_parser *p, const struct prv_type_slot *type,
                             const char *value, const char *end, struct event_line *line)
{
    const uint64_t digits = (uint64_t)(end - value);
    int64_t v;

    if (digits > 16 || p->batch.events == EVENTS || line->regions == REGION_PAIRS)
        return false;
    v = (int64_t)prv_number(end, digits);
    if (type->region) {
        line->region[line->regions] = type->region;
        line->value[line->regions++] = v;
    }
    if (line->roles >> type->role & 1)
        p->batch.event[p->batch.events++] =
            (struct prvcut_event){ .time = line->time,
                                   .value = v,
                                   .type = type->number,
                                   .thread = line->thread & PRVCUT_THREADS_MAX,
                                   .role = type->role & 0x7fu };
    return true;
}

/* The pairs from `at` on; the line's end, or NULL: not plain. */
static inline const char *plain_pairs(struct prv_parser *p, struct walk *w, const char *at,
                                      struct event_line *line)
{
    uint64_t pairs = 0;

    for (;;) {
        const char *colon = walk_next(w);
        const uint64_t digits = (uint64_t)(colon - at);
        const struct prv_type_slot *type;
        const char *end;

        if (digits - 1 > 7 || *colon != ':')
            return NULL;
        type = type_of(p, colon, digits);
        end = walk_next(w);
        if (end == colon + 1)
            return NULL;
        if ((type->region || (line->roles >> type->role & 1)) &&
            !take_pair(p, type, colon + 1, end, line))
            return NULL;
        pairs++;
        if (*end == '\n') {
            line->pairs = pairs;
            return end;
        }
        if (*end != ':')
            return NULL;
        at = end + 1;
    }
}

/* 2:cpu:app:task:thread:time:type:value[:type:value...]; NULL: not plain. */
static inline const char *plain_event(struct prv_parser *p, const char *line)
{
    struct walk w = walk_start(line);
    const size_t before = p->batch.events;
    const char *object, *at;
    struct event_line e;

    if (walk_next(&w) != line + 1 || line[1] != ':')
        return NULL;
    object = walk_object(&w, line + 2);
    if (!object || !object_of(p, line + 2, object, &e.thread))
        return NULL;
    at = walk_next(&w);
    if (*at != ':' || !tick(p, object + 1, at, &e.time))
        return NULL;
    e.roles = p->plan->roles;
    if (p->plan->detail && p->plan->detail[e.thread])
        e.roles |= p->plan->detail_roles;
    e.regions = 0;
    at = plain_pairs(p, &w, at + 1, &e);
    for (unsigned i = 0; at && i < e.regions; i++)
        if (region_event(p, e.thread, e.region[i] - 1u, e.value[i], NULL) < 0)
            at = NULL;
    if (!at) {
        p->batch.events = before;
        return NULL;
    }
    if (p->batch.events > before)
        p->batch.event[before].head = 1;
    note(p, e.time, e.time, e.time);
    p->part->counts.events++;
    p->part->counts.pairs += e.pairs;
    return at + 1;
}

static inline uint64_t min4(const uint64_t t[4])
{
    uint64_t a = t[0] < t[1] ? t[0] : t[1];
    uint64_t b = t[2] < t[3] ? t[2] : t[3];

    return a < b ? a : b;
}

static inline uint64_t max4(const uint64_t t[4])
{
    uint64_t a = t[0] > t[1] ? t[0] : t[1];
    uint64_t b = t[2] > t[3] ? t[2] : t[3];

    return a > b ? a : b;
}

/* One side of a message: object, logical and physical time. The separator after it, or NULL. */
static inline const char *plain_side(struct prv_parser *p, struct walk *w, const char *at,
                                     uint32_t *thread, uint64_t time[2])
{
    const char *object = walk_object(w, at);
    const char *logical, *physical;

    if (!object || !object_of(p, at, object, thread))
        return NULL;
    logical = walk_next(w);
    if (*logical != ':' || !tick(p, object + 1, logical, &time[0]))
        return NULL;
    physical = walk_next(w);
    if (*physical != ':' || !tick(p, logical + 1, physical, &time[1]))
        return NULL;
    return physical;
}

/* 3:sender's object:lsend:psend:receiver's object:lrecv:precv:size:tag; NULL: not plain. */
static inline const char *plain_message(struct prv_parser *p, const char *line)
{
    struct walk w = walk_start(line);
    struct prvcut_message *m = &p->batch.message[p->batch.messages];
    uint64_t time[4];
    const char *at, *size, *tag;

    if (walk_next(&w) != line + 1 || line[1] != ':')
        return NULL;
    at = plain_side(p, &w, line + 2, &m->sender, time);
    if (!at)
        return NULL;
    at = plain_side(p, &w, at + 1, &m->receiver, time + 2);
    if (!at)
        return NULL;
    size = walk_next(&w);
    tag = walk_next(&w);
    if (*size != ':' || (uint64_t)(size - at - 2) > 15 || *tag != '\n' ||
        (uint64_t)(tag - size - 2) > 15)
        return NULL;
    m->logical_send = time[0];
    m->physical_send = time[1];
    m->logical_receive = time[2];
    m->physical_receive = time[3];
    m->size = prv_number(size, (uint64_t)(size - at - 1));
    m->tag = (int64_t)prv_number(tag, (uint64_t)(tag - size - 1));
    note(p, min4(time), time[1], max4(time));
    p->part->counts.messages++;
    p->batch.messages += p->plan->messages;
    return tag + 1;
}

/* The pairs of a line that is read the exact way. */
static enum prvcut_status slow_pairs(struct prv_parser *p, struct prvcut_event *e,
                                     struct prv_fields *rest, struct prvcut_error *err)
{
    uint32_t roles = p->plan->roles;
    enum prvcut_status st;
    int64_t value;

    if (p->plan->detail && p->plan->detail[e->thread])
        roles |= p->plan->detail_roles;
    while ((st = prv_slow_pair(rest, &e->type, &value, err)) == PRVCUT_OK) {
        struct prv_type_slot type;

        learn_type(p->plan, &type, 1, e->type);
        p->part->counts.pairs++;
        e->value = value;
        e->role = type.role & 0x7fu;
        if (type.region)
            st = region_event(p, e->thread, type.region - 1u, value, err);
        if (st == PRVCUT_OK && (roles >> type.role & 1)) {
            if (p->batch.events == EVENTS)
                st = deliver(p, err);
            p->batch.event[p->batch.events++] = *e;
            e->head = 0;
        }
        if (st != PRVCUT_OK)
            return st;
    }
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

static enum prvcut_status slow_checked(struct prv_parser *p, const char *line, const char *end,
                                       struct prvcut_error *err)
{
    struct prvcut_state *s = &p->batch.state[p->batch.states];
    struct prvcut_message *m = &p->batch.message[p->batch.messages];
    struct prvcut_event e = { .head = 1 };
    struct prv_fields rest;
    enum prv_line_kind kind;
    enum prvcut_status st = prv_slow_line(p->plan, line, end, &kind, s, &e, m, &rest, err);

    if (st < 0)
        return st;
    if (kind == PRV_STATE) {
        note(p, s->begin, s->begin, s->end);
        p->part->counts.states++;
        p->batch.states += p->plan->states;
    } else if (kind == PRV_MESSAGE) {
        uint64_t time[4] = { m->logical_send, m->physical_send, m->logical_receive,
                             m->physical_receive };

        note(p, min4(time), time[1], max4(time));
        p->part->counts.messages++;
        p->batch.messages += p->plan->messages;
    } else if (kind == PRV_EVENT) {
        st = slow_pairs(p, &e, &rest, err);
        note(p, e.time, e.time, e.time);
        p->part->counts.events++;
    } else {
        p->part->counts.comments++;
    }
    return st;
}

/* Any line that is not plain; the start of the next one, or NULL: error. */
static const char *slow(struct prv_parser *p, const char *line, const char *end,
                        struct prvcut_error *err)
{
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    const char *stop = newline;
    struct prvcut_error local = { 0 };
    enum prvcut_status st;

    if (stop > line && stop[-1] == '\r')
        stop--;
    st = slow_checked(p, line, stop, &local);
    if (st == PRVCUT_EFORMAT && p->plan->lenient) {
        p->part->counts.skipped++;
        return newline + 1;
    }
    if (st < 0) {
        local.line = p->part->counts.lines;
        if (err && err->status == PRVCUT_OK)
            *err = local;
        return NULL;
    }
    return newline + 1;
}

static enum prvcut_status too_long(const struct prv_parser *p, struct prvcut_error *err)
{
    enum prvcut_status st =
        prvcut_fail(err, PRVCUT_ELIMIT, "line is longer than %zu bytes", PRV_LINE_MAX);

    if (err && err->line == 0)
        err->line = p->part->counts.lines;
    return st;
}

static enum prvcut_status parse_lines(struct prv_parser *p, const char *at, const char *end,
                                      struct prvcut_error *err)
{
    while (at < end) {
        const char *next = NULL;

        if (p->batch.states == STATES || p->batch.events > EVENTS - 64 ||
            p->batch.messages == MESSAGES) {
            enum prvcut_status st = deliver(p, err);

            if (st < 0)
                return st;
        }
        p->part->counts.lines++;
        if (*at == '1')
            next = plain_state(p, at);
        else if (*at == '2')
            next = plain_event(p, at);
        else if (*at == '3')
            next = plain_message(p, at);
        if (!next)
            next = slow(p, at, end, err);
        if (!next)
            return err && err->status < 0 ? err->status : PRVCUT_EFORMAT;
        if ((size_t)(next - at) > PRV_LINE_MAX + 1)
            return too_long(p, err);
        at = next;
    }
    return PRVCUT_OK;
}

enum prvcut_status prv_parse(struct prv_parser *p, const char *text, const char *end,
                             uint64_t block, struct prvcut_error *err)
{
    uint64_t lines = p->part->counts.lines;
    enum prvcut_status st;

    if (block != p->block.number) {
        st = close_block(p, err);
        if (st < 0)
            return st;
        p->block = (struct prv_block){ .number = block, .first = UINT64_MAX, .key = UINT64_MAX };
    }
    st = parse_lines(p, text, end, err);
    p->block.lines += p->part->counts.lines - lines;
    return st;
}
