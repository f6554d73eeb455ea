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
        const struct prvcut_counters_now *now = &c->at[i].now;
        const struct prvcut_reading *r = &now->last;
        const unsigned has = (r->has_instructions ? HAS_INSTRUCTIONS : 0u) |
                             (r->has_cycles ? HAS_CYCLES : 0u) | (r->has_flops ? HAS_FLOPS : 0u) |
                             (r->call_ends ? CALL_ENDS : 0u) | (now->many ? HAS_BEFORE : 0u);
        const uint64_t all[] = { has, now->before, r->time, r->instructions, r->cycles, r->flops };

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
        c->at[place].now.many = (all[0] & HAS_BEFORE) != 0;
        c->at[place].now.before = all[1];
        c->at[place].now.last =
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

/* A reading behind those that were followed: what it ends is counted once the next one has come. */
static void count_next(struct prvcut_counters_now *now, const struct prvcut_reading *r,
                       struct prvcut_sums *sums)
{
    if (now->last.time == r->time) {
        count_fold(&now->last, r);
        return;
    }
    /* Only a call's border so far: what follows is measured from the read before it. */
    if (count_is_read(&now->last)) {
        if (now->many)
            count_count(&now->last, now->before, sums);
        now->many = true;
        now->before = now->last.time;
    }
    now->last = *r;
}

static enum prvcut_status count_enter(struct prvcut_rows *w, struct prvcut_counters_part *part,
                                      uint32_t thread, const struct prvcut_reading *r,
                                      struct prvcut_error *err)
{
    struct prvcut_counters_seen *s = prvcut_rows_make(w, thread, (void **)&part->seen, &part->count,
                                                      &part->room, sizeof *s, err);

    if (!s)
        return PRVCUT_ENOMEM;
    *s = (struct prvcut_counters_seen){
        .thread = thread, .border = r->time, .call_ended = r->call_ends, .first = *r, .now.last = *r
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
    s->call_ended |= r.call_ends && r.time == s->border && r.time == s->now.last.time;
    count_next(&s->now, &r, sums);
    if (!s->now.many)
        s->first = s->now.last;
    return PRVCUT_OK;
}

void prvcut_counters_join(struct prvcut_counters_carry *c, const struct prvcut_counters_part *part,
                          struct prvcut_sums *sums)
{
    for (size_t i = 0; i < part->count; i++) {
        const struct prvcut_counters_seen *s = &part->seen[i];
        struct prvcut_counters_now *now = &c->at[s->thread].now;

        if (c->at[s->thread].any) {
            now->last.call_ends |= s->call_ended && now->last.time == s->border;
            count_next(now, &s->first, sums);
        } else {
            c->at[s->thread].any = true;
            now->last = s->first;
        }
        if (!s->now.many)
            continue;
        if (now->many)
            count_count(&now->last, now->before, sums);
        *now = s->now;
    }
}

void prvcut_counters_end(struct prvcut_counters_carry *c, struct prvcut_sums *sums)
{
    for (uint32_t i = 0; i < c->threads; i++) {
        const struct prvcut_counters_now *now = &c->at[i].now;

        if (c->at[i].any && now->many && count_is_read(&now->last))
            count_count(&now->last, now->before, sums);
    }
}
