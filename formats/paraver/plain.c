#include "paraver/plain.h"

#include "paraver/digits.h"

/* Pairs of a plain line that open or close a region; a line with more is read the exact way. */
#define REGION_PAIRS 16
/* Digits of a value of a plain line: such a number is below 2^63. */
#define VALUE_DIGITS 18
/* Pairs of a plain line; Extrae writes at most 1024. With at most 8 + 18 digits each, such a line
   is far shorter than PRV_LINE_MAX. */
#define PAIRS 4096

static const uint64_t keep_low[17] = {
    0,          0xff,         0xffff,         0xffffff,
    0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
    UINT64_MAX, UINT64_MAX,   UINT64_MAX,     UINT64_MAX,
    UINT64_MAX, UINT64_MAX,   UINT64_MAX,     UINT64_MAX,
    UINT64_MAX,
};

static inline const struct prv_type_slot *plain_type_of(struct prv_parser *p, const char *end,
                                                        uint64_t digits)
{
    /* Nearly all types have eight digits. */
    uint64_t key =
        digits == 8 ? prv_load8(end - 8) : prv_load8(end - 8) & (UINT64_MAX << (64 - 8 * digits));
    struct prv_type_slot *slot =
        &p->type[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 55 & (PRV_TYPE_SLOTS - 1)];

    if (slot->key != key)
        prv_learn_type(p->plan, slot, key, (uint32_t)prv_eight(key));
    return slot;
}

static inline bool plain_object_of(struct prv_parser *p, const char *at, const char *end,
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
        if (!prv_learn_object(p, slot, at, end))
            return false;
    }
    *thread = slot->thread;
    return true;
}

static inline bool plain_tick(const struct prv_parser *p, const char *from, const char *end,
                              uint64_t *ns)
{
    uint64_t digits = (uint64_t)(end - from);
    uint64_t t;

    if (digits - 1 > 15)
        return false;
    t = prv_number(end, digits);
    *ns = t * p->plan->header->unit_ns;
    return t <= p->plan->max_tick;
}

static inline unsigned plain_lowest(uint64_t bits)
{
    return (unsigned)__builtin_ctzll(bits);
}

/* 1:cpu:app:task:thread:begin:end:state; NULL: not plain. */
static inline const char *plain_state(struct prv_parser *p, const char *line)
{
    const struct prv_marks m = prv_mark(line);
    const unsigned end = m.other ? plain_lowest(m.other) : 63;
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
    object = line + plain_lowest(colon);
    colon &= colon - 1;
    if (colon == 0)
        return NULL;
    begin = line + plain_lowest(colon);
    colon &= colon - 1;
    if (colon == 0 || (colon & (colon - 1)) != 0)
        return NULL;
    stop = line + plain_lowest(colon);
    if (!plain_object_of(p, line + 2, object, &thread) ||
        !plain_tick(p, object + 1, begin, &s->begin) || !plain_tick(p, begin + 1, stop, &s->end) ||
        s->end < s->begin)
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
    prv_note(p, s->begin, s->begin, s->end);
    p->part->counts.states++;
    p->batch.states += p->plan->states;
    return line + end + 1;
}

/* Separators of a line, one after the other. */
struct walk {
    const char *base;
    uint64_t marks;
};

static inline const char *plain_walk_next(struct walk *w)
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

/*
 * Start on a record whose first five fields stand within 64 bytes: kind, cpu, application, task and
 * thread. *object: the separator after them; the walk goes on with the next one. false: not plain.
 */
static inline bool plain_walk_start(struct walk *w, const char *line, const char **object)
{
    const struct prv_marks m = prv_mark(line);
    const uint64_t seps = m.colon | m.other;
    uint64_t colon = m.colon, upto;

    for (unsigned i = 0; i < 4; i++)
        colon &= colon - 1;
    if (colon == 0)
        return false;
    /* All bits up to the fifth colon: no other separator there, and no empty field. */
    upto = colon ^ (colon - 1);
    if ((m.other & upto) != 0 || (seps & seps << 1 & upto) != 0 || (seps & 3) != 2)
        return false;
    *object = line + plain_lowest(colon);
    *w = (struct walk){ line, seps & ~upto };
    return true;
}

/* The four fields of an object: the fifth separator of a record, or NULL. */
static inline const char *plain_walk_object(struct walk *w, const char *at)
{
    for (unsigned i = 0; i < 4; i++) {
        const char *end = plain_walk_next(w);

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
    uint32_t heads; /* as roles, of the first pair: 0 behind it */
    uint8_t wanted; /* as in struct prv_type_slot */
    uint64_t pairs;
    /* Regions that it opens or closes: they count once the whole line has proved sound. */
    unsigned regions;
    uint8_t region[REGION_PAIRS];
    int64_t value[REGION_PAIRS];
    struct prv_calling calling;
};

/* A pair that somebody wants: its value is read. false: not plain. */
static inline bool plain_take_pair(struct prv_parser *p, const struct prv_type_slot *type,
                                   const char *value, const char *end, struct event_line *line)
{
    const uint64_t digits = (uint64_t)(end - value);
    int64_t v;

    if (digits > 16 || p->batch.events == PRV_EVENTS || line->regions == REGION_PAIRS)
        return false;
    v = (int64_t)prv_number(end, digits);
    if (type->wanted & 4)
        prv_calling_pair(p->plan, &line->calling, type->role, v);
    if (type->region) {
        line->region[line->regions] = type->region;
        line->value[line->regions++] = v;
    }
    if ((line->roles | line->heads) >> type->role & 1)
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
        const char *colon = plain_walk_next(w);
        const uint64_t digits = (uint64_t)(colon - at);
        const struct prv_type_slot *type;
        const char *end;

        if (digits - 1 > 7 || *colon != ':')
            return NULL;
        type = plain_type_of(p, colon, digits);
        end = plain_walk_next(w);
        /* None, or so many that they may not fit: both are for the exact reader. */
        if ((uint64_t)(end - colon - 2) > VALUE_DIGITS - 1)
            return NULL;
        if (((type->wanted & line->wanted) != 0 || (line->heads >> type->role & 1)) &&
            !plain_take_pair(p, type, colon + 1, end, line))
            return NULL;
        line->heads = 0;
        pairs++;
        if (pairs > PAIRS)
            return NULL;
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
    const size_t before = p->batch.events;
    const char *object, *at;
    struct event_line e;
    struct walk w;

    if (!plain_walk_start(&w, line, &object) || !plain_object_of(p, line + 2, object, &e.thread))
        return NULL;
    at = plain_walk_next(&w);
    if (*at != ':' || !plain_tick(p, object + 1, at, &e.time))
        return NULL;
    e.roles = p->plan->roles;
    e.heads = p->plan->head_roles;
    e.wanted = 1;
    if (p->plan->detail && __atomic_load_n(&p->plan->detail[e.thread], __ATOMIC_RELAXED)) {
        e.roles |= p->plan->detail_roles;
        e.wanted = 3;
    }
    e.regions = 0;
    e.calling = (struct prv_calling){ .begins = 0 };
    at = plain_pairs(p, &w, at + 1, &e);
    for (unsigned i = 0; at && i < e.regions; i++)
        if (prv_region_event(p, e.thread, e.region[i] - 1u, e.value[i], NULL) < 0)
            at = NULL;
    if (at && e.calling.begins > 0 && prv_collective_event(p, e.thread, &e.calling, NULL) < 0)
        at = NULL;
    if (!at) {
        p->batch.events = before;
        return NULL;
    }
    if (p->batch.events > before)
        p->batch.event[before].head = 1;
    prv_note(p, e.time, e.time, e.time);
    p->part->counts.events++;
    p->part->counts.pairs += e.pairs;
    return at + 1;
}

/* One side of a message: object, logical and physical time. The separator after it, or NULL. */
static inline const char *plain_side(struct prv_parser *p, struct walk *w, const char *at,
                                     const char *object, uint32_t *thread, uint64_t time[2])
{
    const char *logical, *physical;

    if (!object || !plain_object_of(p, at, object, thread))
        return NULL;
    logical = plain_walk_next(w);
    if (*logical != ':' || !plain_tick(p, object + 1, logical, &time[0]))
        return NULL;
    physical = plain_walk_next(w);
    if (*physical != ':' || !plain_tick(p, logical + 1, physical, &time[1]))
        return NULL;
    return physical;
}

/* 3:sender's object:lsend:psend:receiver's object:lrecv:precv:size:tag; NULL: not plain. */
static inline const char *plain_message(struct prv_parser *p, const char *line)
{
    struct prvcut_message *m = &p->batch.message[p->batch.messages];
    uint64_t time[4];
    const char *object, *at, *size, *tag;
    struct walk w;

    if (!plain_walk_start(&w, line, &object))
        return NULL;
    at = plain_side(p, &w, line + 2, object, &m->sender, time);
    if (!at)
        return NULL;
    at = plain_side(p, &w, at + 1, plain_walk_object(&w, at + 1), &m->receiver, time + 2);
    if (!at)
        return NULL;
    size = plain_walk_next(&w);
    tag = plain_walk_next(&w);
    if (*size != ':' || (uint64_t)(size - at - 2) > 15 || *tag != '\n' ||
        (uint64_t)(tag - size - 2) > 15)
        return NULL;
    m->logical_send = time[0];
    m->physical_send = time[1];
    m->logical_receive = time[2];
    m->physical_receive = time[3];
    m->size = prv_number(size, (uint64_t)(size - at - 1));
    m->tag = (int64_t)prv_number(tag, (uint64_t)(tag - size - 1));
    prv_note(p, prv_least(time), time[1], prv_latest(time));
    p->part->counts.messages++;
    p->batch.messages += p->plan->messages;
    return tag + 1;
}

/* A line that is not looked at; NULL: it holds more than numbers. */
static inline const char *plain_pass_over(const char *line)
{
    struct prv_marks m = prv_mark(line);

    while (m.other == 0) {
        line += 64;
        m = prv_mark(line);
    }
    line += plain_lowest(m.other);
    return *line == '\n' ? line + 1 : NULL;
}

const char *prv_plain_lines(struct prv_parser *p, const char *at, const char *end)
{
    const bool states = !p->plan->again || p->plan->states;
    const bool messages = !p->plan->again || p->plan->messages;

    while (at < end && !prv_batch_is_full(p)) {
        const char *next = NULL;

        p->part->counts.lines++;
        if (*at == '1')
            next = states ? plain_state(p, at) : plain_pass_over(at);
        else if (*at == '2')
            next = plain_event(p, at);
        else if (*at == '3')
            next = messages ? plain_message(p, at) : plain_pass_over(at);
        if (!next) {
            p->part->counts.lines--;
            return at;
        }
        at = next;
    }
    return at;
}
