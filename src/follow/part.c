#include "follow/part.h"

#include "base/memory.h"

#include <stdlib.h>

enum prvcut_status prvcut_follow_carry_init(struct prvcut_follow_carry *c, uint32_t threads,
                                            struct prvcut_error *err)
{
    c->threads = threads;
    c->thread = prvcut_zeroed((size_t)threads + 1, sizeof *c->thread, "threads", err);
    return c->thread ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void prvcut_follow_carry_fini(struct prvcut_follow_carry *c)
{
    for (uint32_t i = 0; c->thread && i < c->threads; i++)
        prvcut_stack_fini(&c->thread[i].open);
    free(c->thread);
    c->thread = NULL;
}

/* Bytes of a frame as it is handed on. */
#define PART_FRAME_BYTES 32

static void part_put_frames(struct prvcut_put *p, const struct prvcut_stack *s)
{
    prvcut_put_u64(p, s->beyond);
    prvcut_put_u64(p, s->since);
    prvcut_put_u64(p, s->count);
    for (size_t i = 0; i < s->count; i++) {
        const struct prvcut_frame *f = &s->at[i];
        const uint64_t all[] = { f->begin, f->own, (uint64_t)f->value,
                                 (uint64_t)f->type << 32 | f->role };

        prvcut_put_u64s(p, all, 4);
    }
}

static void part_get_frames(struct prvcut_get *g, struct prvcut_stack *s)
{
    uint64_t all[4] = { 0 };
    size_t count;

    prvcut_stack_clear(s);
    s->beyond = prvcut_get_u64(g);
    s->since = prvcut_get_u64(g);
    count = prvcut_get_count(g, PART_FRAME_BYTES);
    prvcut_get_check(g, count <= PRVCUT_STACK_DEEPEST);
    for (size_t i = 0; i < count && !g->bad; i++) {
        prvcut_get_u64s(g, all, 4);
        prvcut_get_check(
            g, prvcut_stack_enter(s,
                                  &(struct prvcut_frame){ .begin = all[0],
                                                          .value = (int64_t)all[2],
                                                          .type = (uint32_t)(all[3] >> 32),
                                                          .role = all[3] & 0xff },
                                  NULL) == PRVCUT_OK);
        if (!g->bad)
            s->at[i].own = all[1];
    }
}

void prvcut_follow_carry_put(struct prvcut_put *p, const struct prvcut_follow_carry *c)
{
    for (uint32_t i = 0; i < c->threads; i++) {
        const struct prvcut_follow_thread *t = &c->thread[i];

        if (!t->begun)
            continue;
        prvcut_put_u32(p, i);
        prvcut_put_u64(p, t->first);
        part_put_frames(p, &t->open);
    }
    prvcut_put_u32(p, UINT32_MAX);
}

void prvcut_follow_carry_get(struct prvcut_get *g, struct prvcut_follow_carry *c)
{
    for (uint32_t i = prvcut_get_u32(g); i != UINT32_MAX && !g->bad; i = prvcut_get_u32(g)) {
        struct prvcut_follow_thread *t = &c->thread[i < c->threads ? i : 0];

        prvcut_get_check(g, i < c->threads);
        t->begun = true;
        t->thread = i;
        t->first = prvcut_get_u64(g);
        part_get_frames(g, &t->open);
    }
}

/* --- A part ----------------------------------------------------------------------------------- */

enum prvcut_status prvcut_follow_enter(struct prvcut_rows *w, struct prvcut_follow_part *part,
                                       uint32_t thread, uint64_t time, struct prvcut_error *err)
{
    struct prvcut_follow_thread *t = prvcut_rows_make(w, thread, (void **)&part->seen, &part->count,
                                                      &part->room, sizeof *t, err);
    struct prvcut_stack kept;

    if (!t)
        return PRVCUT_ENOMEM;
    kept = part->count <= part->made ? t->open : (struct prvcut_stack){ 0 };
    part->made += part->count > part->made;
    *t = (struct prvcut_follow_thread){ .open = kept, .first = time, .thread = thread };
    prvcut_stack_clear(&t->open);
    t->open.since = time;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_follow_early(struct prvcut_follow_part *part,
                                       struct prvcut_follow_thread *t, const struct prvcut_step *e,
                                       struct prvcut_error *err)
{
    if (part->earlies == part->early_room &&
        prvcut_grow((void **)&part->early, &part->early_room, part->earlies + 1,
                    sizeof *part->early, err) < 0)
        return PRVCUT_ENOMEM;
    part->early[part->earlies++] = (struct prvcut_follow_early){ .time = e->time,
                                                                 .before = t->before,
                                                                 .type = e->type,
                                                                 .seen = (uint32_t)(t - part->seen),
                                                                 .is_end = e->value == 0 };
    t->before = 0;
    return PRVCUT_OK;
}

void prvcut_follow_part_clear(struct prvcut_follow_part *part)
{
    part->count = part->earlies = 0;
}

void prvcut_follow_part_fini(struct prvcut_follow_part *part)
{
    for (size_t i = 0; i < part->made; i++)
        prvcut_stack_fini(&part->seen[i].open);
    free(part->seen);
    free(part->early);
    memset(part, 0, sizeof *part);
}

/* --- Parts together --------------------------------------------------------------------------- */

static void part_own(struct prvcut_follow_thread *t, uint64_t ns)
{
    if (t->open.count > 0)
        t->open.at[t->open.count - 1].own += ns;
}

/* From the thread's latest event to its first in this part. */
static void part_meet(struct prvcut_follow_thread *t, const struct prvcut_follow_thread *seen)
{
    if (!t->begun) {
        t->begun = true;
        t->thread = seen->thread;
        t->first = t->open.since = seen->first;
    }
    prvcut_stack_spend(&t->open, seen->first);
}

static enum prvcut_status part_early(struct prvcut_follow_thread *t,
                                     const struct prvcut_follow_early *e,
                                     const struct prvcut_follow_rules *r, void *ctx,
                                     struct prvcut_error *err)
{
    struct prvcut_frame frame;
    size_t index;

    part_own(t, e->before);
    if (r->how == PRVCUT_FOLLOW_NESTED && t->open.beyond > 0) {
        t->open.beyond--;
        return PRVCUT_OK;
    }
    if (prvcut_follow_ends(r, &t->open, e->type, e->is_end, &index)) {
        frame = t->open.at[index];
        prvcut_stack_remove(&t->open, index);
        return prvcut_follow_tell(r, ctx, t->thread, &frame, e->time, err);
    }
    return e->is_end ? prvcut_follow_tell_end(r, ctx, t, e->type, e->time, err) : PRVCUT_OK;
}

/* What the part leaves open is open. */
static enum prvcut_status part_go_on(struct prvcut_follow_thread *t,
                                     const struct prvcut_follow_thread *seen,
                                     struct prvcut_error *err)
{
    part_own(t, seen->before);
    for (size_t i = 0; i < seen->open.count; i++) {
        const enum prvcut_status st = prvcut_stack_enter(&t->open, &seen->open.at[i], err);

        if (st < 0)
            return st;
        /* Of one that is too deep, time is that of the deepest that is followed. */
        t->open.at[t->open.count - 1].own += seen->open.at[i].own;
    }
    t->open.beyond += seen->open.beyond;
    if (seen->open.since > t->open.since)
        t->open.since = seen->open.since;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_follow_join(struct prvcut_follow_carry *c,
                                      const struct prvcut_follow_part *part,
                                      const struct prvcut_follow_rules *r, void *ctx,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < part->count; i++)
        part_meet(&c->thread[part->seen[i].thread], &part->seen[i]);
    for (size_t i = 0; i < part->earlies && st == PRVCUT_OK; i++) {
        const struct prvcut_follow_early *e = &part->early[i];

        st = part_early(&c->thread[part->seen[e->seen].thread], e, r, ctx, err);
    }
    for (size_t i = 0; i < part->count && st == PRVCUT_OK; i++)
        st = part_go_on(&c->thread[part->seen[i].thread], &part->seen[i], err);
    return st;
}

enum prvcut_status prvcut_follow_thread_ends(struct prvcut_follow_thread *t, uint64_t end,
                                             const struct prvcut_follow_rules *r, void *ctx,
                                             struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (r->own)
        prvcut_stack_spend(&t->open, end);
    while (t->open.count > 0 && st == PRVCUT_OK) {
        const struct prvcut_frame *frame = &t->open.at[--t->open.count];
        const struct prvcut_followed f = { .thread = t->thread,
                                           .type = frame->type,
                                           .value = frame->value,
                                           .span = { frame->begin, end },
                                           .own = r->own ? frame->own : 0,
                                           .note = r->own ? 0 : frame->note,
                                           .depth = r->in_order ? frame->depth : 0,
                                           .role = frame->role,
                                           .no_end = true };

        st = r->closed(ctx, &f, err);
    }
    t->open.count = 0;
    t->open.beyond = 0;
    return st;
}

enum prvcut_status prvcut_follow_run_ends(struct prvcut_follow_carry *c, uint64_t end,
                                          const struct prvcut_follow_rules *r, void *ctx,
                                          struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    /* Most of a long table was never touched and has no memory yet: it stays so. */
    for (uint32_t i = 0; i < c->threads && st == PRVCUT_OK; i++)
        if (c->thread[i].open.count > 0)
            st = prvcut_follow_thread_ends(&c->thread[i], end, r, ctx, err);
    return st;
}

void prvcut_follow_forget(struct prvcut_follow_carry *c)
{
    for (uint32_t i = 0; i < c->threads; i++)
        if (c->thread[i].begun) {
            prvcut_stack_clear(&c->thread[i].open);
            c->thread[i].begun = false;
        }
}
