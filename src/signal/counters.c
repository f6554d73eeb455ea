#include "signal/counters.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>

enum prvcut_status prvcut_counters_carry_init(struct prvcut_counters_carry *c, uint32_t threads,
                                              struct prvcut_error *err)
{
    c->threads = threads;
    c->at = prvcut_zeroed((size_t)threads + 1, sizeof *c->at, "threads", err);
    return c->at ? PRVCUT_OK : PRVCUT_ENOMEM;
}

enum { HAS_INSTRUCTIONS = 1, HAS_CYCLES = 2, HAS_FLOPS = 4, CALL_ENDS = 8, HAS_BEFORE = 16 };

void prvcut_counters_carry_put(struct prvcut_put *p, const struct prvcut_counters_carry *c)
{
    for (uint32_t i = 0; i < c->threads; i++) {
        const struct prvcut_reading *r = &c->at[i].last;
        const unsigned has = (r->has_instructions ? HAS_INSTRUCTIONS : 0u) |
                             (r->has_cycles ? HAS_CYCLES : 0u) | (r->has_flops ? HAS_FLOPS : 0u) |
                             (r->call_ends ? CALL_ENDS : 0u) | (c->at[i].before ? HAS_BEFORE : 0u);
        const uint64_t all[] = { has,       c->at[i].previous, r->time, r->instructions,
                                 r->cycles, r->flops };

        if (!c->at[i].any)
            continue;
        prvcut_put_u32(p, i);
        prvcut_put_u64s(p, all, 6);
    }
    prvcut_put_u32(p, UINT32_MAX);
}

void prvcut_counters_carry_get(struct prvcut_get *g, struct prvcut_counters_carry *c)
{
    for (uint32_t i = prvcut_get_u32(g); i != UINT32_MAX && !g->bad; i = prvcut_get_u32(g)) {
        const uint32_t place = i < c->threads ? i : 0;
        uint64_t all[6] = { 0 };

        prvcut_get_check(g, i < c->threads);
        prvcut_get_u64s(g, all, 6);
        c->at[place].any = true;
        c->at[place].before = (all[0] & HAS_BEFORE) != 0;
        c->at[place].previous = all[1];
        c->at[place].last =
            (struct prvcut_reading){ .time = all[2],
                                     .instructions = all[3],
                                     .cycles = all[4],
                                     .flops = all[5],
                                     .has_instructions = (all[0] & HAS_INSTRUCTIONS) != 0,
                                     .has_cycles = (all[0] & HAS_CYCLES) != 0,
                                     .has_flops = (all[0] & HAS_FLOPS) != 0,
                                     .call_ends = (all[0] & CALL_ENDS) != 0 };
    }
}

/* What was counted over [begin, r->time). */
static void count_count(const struct prvcut_reading *r, uint64_t begin, struct prvcut_sums *sums)
{
    const uint64_t end = r->time;

    if (end <= begin)
        return;
    if (r->has_instructions)
        prvcut_sums_add_wide(sums, PRVCUT_WIDE_INSTRUCTIONS, begin, end,
                             prvcut_rate(r->instructions, begin, end));
    if (r->has_flops)
        prvcut_sums_add_wide(sums, PRVCUT_WIDE_FLOPS, begin, end,
                             prvcut_rate(r->flops, begin, end));
    /* No thread runs without a cycle: it was not counted. */
    if (r->call_ends || r->cycles == 0)
        return;
    prvcut_sums_add(sums, PRVCUT_SUM_CLOCK, begin, end);
    prvcut_sums_add_wide(sums, PRVCUT_WIDE_CLOCK, begin, end, prvcut_rate(r->cycles, begin, end));
    if (!r->has_instructions)
        return;
    prvcut_sums_add(sums, PRVCUT_SUM_IPC, begin, end);
    prvcut_sums_add_wide(sums, PRVCUT_WIDE_IPC, begin, end,
                         prvcut_rate(r->instructions, 0, r->cycles));
}

static void count_fold(struct prvcut_reading *r, const struct prvcut_reading *more)
{
    r->instructions += more->instructions;
    r->cycles += more->cycles;
    r->flops += more->flops;
    r->has_instructions |= more->has_instructions;
    r->has_cycles |= more->has_cycles;
    r->has_flops |= more->has_flops;
    r->call_ends |= more->call_ends;
}

static struct prvcut_reading count_reading_of(const struct prvcut_event *e)
{
    const uint64_t value = e->value < 0 ? 0 : (uint64_t)e->value;
    struct prvcut_reading r = { .time = e->time };

    if (e->role == PRVCUT_ROLE_INSTRUCTIONS) {
        r.has_instructions = true;
        r.instructions = value;
    } else if (e->role == PRVCUT_ROLE_CYCLES) {
        r.has_cycles = true;
        r.cycles = value;
    } else if (e->role == PRVCUT_ROLE_FLOPS) {
        r.has_flops = true;
        r.flops = value;
    } else {
        r.call_ends = e->value == 0;
    }
    return r;
}

/* An instant without counters is none: the difference runs on to the next one. */
static bool count_is_read(const struct prvcut_reading *r)
{
    return r->has_instructions || r->has_cycles || r->has_flops;
}

static enum prvcut_status count_enter(struct prvcut_rows *w, struct prvcut_counters_part *part,
                                      uint32_t thread, const struct prvcut_reading *r,
                                      struct prvcut_error *err)
{
    if (part->count == part->room && prvcut_grow((void **)&part->seen, &part->room, part->count + 1,
                                                 sizeof *part->seen, err) < 0)
        return PRVCUT_ENOMEM;
    prvcut_rows_put(w, thread, part->count);
    part->seen[part->count++] = (struct prvcut_counters_seen){
        .thread = thread, .border = r->time, .call_ended = r->call_ends, .first = *r, .last = *r
    };
    return PRVCUT_OK;
}

enum prvcut_status prvcut_counters_event(struct prvcut_rows *w, struct prvcut_counters_part *part,
                                         struct prvcut_sums *sums, const struct prvcut_event *e,
                                         struct prvcut_error *err)
{
    const struct prvcut_reading r = count_reading_of(e);
    struct prvcut_counters_seen *s;

    if (!prvcut_rows_has(w, e->thread))
        return count_enter(w, part, e->thread, &r, err);
    s = &part->seen[prvcut_rows_at(w, e->thread)];
    if (s->last.time == r.time) {
        count_fold(&s->last, &r);
        s->call_ended |= r.call_ends && r.time == s->border;
        if (!s->many)
            s->first = s->last;
        return PRVCUT_OK;
    }
    if (!count_is_read(&s->last)) {
        /* Only a call's border so far: what follows is measured from the read before it. */
        s->last = r;
        if (!s->many)
            s->first = r;
        return PRVCUT_OK;
    }
    if (s->many)
        count_count(&s->last, s->before_last, sums);
    s->many = true;
    s->before_last = s->last.time;
    s->last = r;
    return PRVCUT_OK;
}

void prvcut_counters_join(struct prvcut_counters_carry *c, const struct prvcut_counters_part *part,
                          struct prvcut_sums *sums)
{
    for (size_t i = 0; i < part->count; i++) {
        const struct prvcut_counters_seen *s = &part->seen[i];
        struct prvcut_reading first = s->first;
        bool any = c->at[s->thread].any;

        c->at[s->thread].last.call_ends |=
            any && s->call_ended && c->at[s->thread].last.time == s->border;
        if (any && c->at[s->thread].last.time == first.time) {
            struct prvcut_reading both = c->at[s->thread].last;

            count_fold(&both, &first);
            first = both;
        } else if (any && count_is_read(&c->at[s->thread].last)) {
            if (c->at[s->thread].before)
                count_count(&c->at[s->thread].last, c->at[s->thread].previous, sums);
            c->at[s->thread].before = true;
            c->at[s->thread].previous = c->at[s->thread].last.time;
        }
        c->at[s->thread].any = true;
        c->at[s->thread].last = first;
        if (!s->many)
            continue;
        if (c->at[s->thread].before)
            count_count(&first, c->at[s->thread].previous, sums);
        c->at[s->thread].before = true;
        c->at[s->thread].previous = s->before_last;
        c->at[s->thread].last = s->last;
    }
}

void prvcut_counters_end(struct prvcut_counters_carry *c, struct prvcut_sums *sums)
{
    for (uint32_t i = 0; i < c->threads; i++)
        if (c->at[i].any && c->at[i].before && count_is_read(&c->at[i].last))
            count_count(&c->at[i].last, c->at[i].previous, sums);
}
