#include "paraver/parse.h"

#include "base/checked.h"
#include "base/memory.h"
#include "paraver/plain.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status prv_parser_init(struct prv_parser *p, const struct prv_parse_plan *plan,
                                   const struct prvcut_consumer *consumer, unsigned worker,
                                   struct prvcut_error *err)
{
    enum prvcut_status st;
    size_t keys;

    memset(p, 0, sizeof *p);
    p->plan = plan;
    p->consumer = consumer;
    p->worker = worker;
    p->called = (struct prvcut_table)PRVCUT_TABLE(struct prv_called, count, "collectives");
    p->batch.state = prvcut_unset(PRV_STATES, sizeof *p->batch.state, "records", err);
    p->batch.event = prvcut_unset(PRV_EVENTS, sizeof *p->batch.event, "records", err);
    p->batch.message = prvcut_unset(PRV_MESSAGES, sizeof *p->batch.message, "records", err);
    if (!p->batch.state || !p->batch.event || !p->batch.message ||
        !prvcut_ckd_mul_size(&keys, plan->header->objects.threads, plan->regions))
        st = prvcut_no_memory(err, "threads");
    else
        st = prvcut_rows_init(&p->rows, keys, err);
    if (st < 0)
        prv_parser_fini(p);
    return st;
}

void prv_parser_fini(struct prv_parser *p)
{
    free(p->batch.state);
    free(p->batch.event);
    free(p->batch.message);
    prvcut_rows_fini(&p->rows);
    prvcut_table_fini(&p->called);
    memset(&p->batch, 0, sizeof p->batch);
}

void prv_part_fini(struct prv_part *part)
{
    free(part->block);
    free(part->region);
    free(part->called);
    memset(part, 0, sizeof *part);
}

void prv_parser_begin(struct prv_parser *p, struct prv_part *part)
{
    p->part = part;
    prvcut_rows_begin(&p->rows);
    p->block = (struct prv_block){ .number = UINT64_MAX };
    part->first_key = part->least_key = UINT64_MAX;
}

static enum prvcut_status parse_deliver(struct prv_parser *p, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (p->batch.states + p->batch.events + p->batch.messages > 0 && p->consumer->batch)
        st = p->consumer->batch(p->consumer->ctx, p->worker, p->part->consumer, &p->batch, err);
    p->batch.states = p->batch.events = p->batch.messages = 0;
    return st;
}

static enum prvcut_status parse_close_block(struct prv_parser *p, struct prvcut_error *err)
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
    enum prvcut_status st = parse_deliver(p, err);

    if (st == PRVCUT_OK)
        st = parse_close_block(p, err);
    p->part->called = prvcut_table_take(&p->called, &p->part->calleds);
    return st;
}

enum prvcut_status prv_collective_event(struct prv_parser *p, uint32_t thread,
                                        const struct prv_calling *c, struct prvcut_error *err)
{
    const struct prv_called key = { .task = p->plan->header->objects.thread_task[thread],
                                    .communicator = (uint32_t)c->communicator };
    struct prv_called *row;

    if (!prv_calling_is_known(c))
        return PRVCUT_OK;
    row = prvcut_table_look(&p->called, &key, offsetof(struct prv_called, count), sizeof *row);
    if (!row)
        row = prvcut_table_make(&p->called, &key, err);
    if (!row)
        return PRVCUT_ENOMEM;
    row->count += c->begins;
    return PRVCUT_OK;
}

enum prvcut_status prv_region_event(struct prv_parser *p, uint32_t thread, unsigned region,
                                    int64_t value, struct prvcut_error *err)
{
    const size_t key = (size_t)thread * p->plan->regions + region;
    struct prv_part *part = p->part;
    struct prv_region_seen *seen;

    if (!prvcut_rows_has(&p->rows, key)) {
        seen = prvcut_rows_make(&p->rows, key, (void **)&part->region, &part->regions,
                                &part->region_room, sizeof *seen, err);
        if (!seen)
            return PRVCUT_ENOMEM;
        *seen = (struct prv_region_seen){ .thread = thread, .region = (uint8_t)region };
    }
    seen = &part->region[prvcut_rows_at(&p->rows, key)];
    if (!p->plan->nests[region]) {
        seen->open = value != 0;
        seen->ends = UINT32_MAX;
    } else if (value != 0) {
        seen->open++;
    } else if (seen->open > 0) {
        seen->open--;
    } else {
        seen->ends++;
    }
    return PRVCUT_OK;
}

static unsigned parse_region_of(const struct prv_parse_plan *plan, uint32_t number)
{
    for (unsigned i = 0; i < plan->regions; i++)
        if (plan->region_type[i] == number)
            return i + 1;
    return 0;
}

void prv_learn_type(const struct prv_parse_plan *plan, struct prv_type_slot *slot, uint64_t key,
                    uint32_t number)
{
    bool region = false, tells;

    if (plan->seen)
        prv_seen_note(plan->seen, number);
    slot->key = key;
    slot->number = number;
    slot->role = (uint8_t)prv_labels_role(plan->labels, number, &region);
    slot->region = (uint8_t)(region ? parse_region_of(plan, number) : 0);
    tells = !plan->followed &&
            (slot->role == PRVCUT_ROLE_COMMUNICATOR || slot->role == PRVCUT_ROLE_COLLECTIVE);
    region = slot->region || tells;
    slot->wanted = (uint8_t)((region || (plan->roles >> slot->role & 1)) |
                             (region || (plan->detail_roles >> slot->role & 1)) << 1 | tells << 2);
}

bool prv_learn_object(struct prv_parser *p, struct prv_object_slot *slot, const char *at,
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
    slot->valid = field == 3 && prv_cpu_exists(p->plan, number[0]) &&
                  prv_slow_object(p->plan, number, &slot->thread, &ignored) >= 0;
    return slot->valid;
}

/* The pairs of a line that is read the exact way. */
static enum prvcut_status parse_slow_pairs(struct prv_parser *p, struct prvcut_event *e,
                                           struct prv_fields *rest, struct prvcut_error *err)
{
    uint32_t roles = p->plan->roles, heads = p->plan->head_roles;
    struct prv_calling calling = { .begins = 0 };
    enum prvcut_status st;
    int64_t value;

    if (p->plan->detail && __atomic_load_n(&p->plan->detail[e->thread], __ATOMIC_RELAXED))
        roles |= p->plan->detail_roles;
    while ((st = prv_slow_pair(rest, &e->type, &value, err)) == PRVCUT_OK) {
        struct prv_type_slot type;

        prv_learn_type(p->plan, &type, 1, e->type);
        p->part->counts.pairs++;
        e->value = value;
        e->role = type.role & 0x7fu;
        prv_calling_pair(p->plan, &calling, type.role, value);
        if (type.region)
            st = prv_region_event(p, e->thread, type.region - 1u, value, err);
        if (st == PRVCUT_OK && ((roles | heads) >> type.role & 1)) {
            if (p->batch.events == PRV_EVENTS)
                st = parse_deliver(p, err);
            p->batch.event[p->batch.events++] = *e;
            e->head = 0;
        }
        if (st != PRVCUT_OK)
            return st;
        heads = 0;
    }
    return st == PRVCUT_END ? prv_collective_event(p, e->thread, &calling, err) : st;
}

static enum prvcut_status parse_slow_checked(struct prv_parser *p, const char *line,
                                             const char *end, struct prvcut_error *err)
{
    struct prvcut_state *s = &p->batch.state[p->batch.states];
    struct prvcut_message *m = &p->batch.message[p->batch.messages];
    struct prvcut_event e = { .head = 1 };
    struct prv_fields rest;
    enum prv_line_kind kind;
    enum prvcut_status st = prv_slow_line(p->plan, line, end, &kind, s, &e, m, &rest, err);

    if (st < 0)
        return st;
    prvcut_bent_add(p->part->counts.bent, rest.bent, p->part->counts.lines);
    if (kind == PRV_STATE) {
        prv_note(p, s->begin, s->begin, s->end);
        p->part->counts.states++;
        p->batch.states += p->plan->states;
    } else if (kind == PRV_MESSAGE) {
        uint64_t time[4] = { m->logical_send, m->physical_send, m->logical_receive,
                             m->physical_receive };

        prv_note(p, prv_least(time), time[1], prv_latest(time));
        p->part->counts.messages++;
        p->batch.messages += p->plan->messages;
    } else if (kind == PRV_EVENT) {
        st = parse_slow_pairs(p, &e, &rest, err);
        prv_note(p, e.time, e.time, e.time);
        p->part->counts.events++;
    } else {
        p->part->counts.comments++;
    }
    return st;
}

/* Any line that is not plain; the start of the next one, or NULL: error. */
static const char *parse_prv_slow(struct prv_parser *p, const char *line, const char *end,
                                  struct prvcut_error *err)
{
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    const char *stop = newline;
    struct prvcut_error local = { 0 };
    enum prvcut_status st;

    if (stop > line && stop[-1] == '\r')
        stop--;
    st = parse_slow_checked(p, line, stop, &local);
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

static enum prvcut_status parse_too_long(const struct prv_parser *p, struct prvcut_error *err)
{
    enum prvcut_status st =
        prvcut_fail(err, PRVCUT_ELIMIT, "line is longer than %zu bytes", PRV_LINE_MAX);

    if (err && err->line == 0)
        err->line = p->part->counts.lines;
    return st;
}

const char *(*prv_plain_best(void))(struct prv_parser *, const char *, const char *)
{
#if defined(__x86_64__) && defined(PRVCUT_AVX2)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return prv_plain_lines_avx2;
#endif
    return prv_plain_lines;
}

static enum prvcut_status parse_lines(struct prv_parser *p, const char *at, const char *end,
                                      struct prvcut_error *err)
{
    const char *(*const plain)(struct prv_parser *, const char *, const char *) = prv_plain_best();

    for (;;) {
        const char *next;

        at = plain(p, at, end);
        if (at == end)
            return PRVCUT_OK;
        if (prv_batch_is_full(p)) {
            enum prvcut_status st = parse_deliver(p, err);

            if (st < 0)
                return st;
            continue;
        }
        p->part->counts.lines++;
        next = parse_prv_slow(p, at, end, err);
        if (!next)
            return err && err->status < 0 ? err->status : PRVCUT_EFORMAT;
        if ((size_t)(next - at) > PRV_LINE_MAX + 1)
            return parse_too_long(p, err);
        at = next;
    }
}

enum prvcut_status prv_parse(struct prv_parser *p, const char *text, const char *end,
                             uint64_t block, struct prvcut_error *err)
{
    uint64_t lines = p->part->counts.lines;
    enum prvcut_status st;

    if (block != p->block.number) {
        st = parse_close_block(p, err);
        if (st < 0)
            return st;
        p->block = (struct prv_block){ .number = block, .first = UINT64_MAX, .key = UINT64_MAX };
    }
    st = parse_lines(p, text, end, err);
    p->block.lines += p->part->counts.lines - lines;
    return st;
}
