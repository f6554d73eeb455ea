#include "analysis/counted.h"

#include <stdlib.h>
#include <string.h>

static enum prvcut_status counted_keep(struct prvcut_counted_part *part,
                                       const struct prvcut_counted *c, struct prvcut_error *err)
{
    if (part->earlies == part->early_room &&
        prvcut_grow((void **)&part->early, &part->early_room, part->earlies + 1,
                    sizeof *part->early, err) < 0)
        return PRVCUT_ENOMEM;
    part->early[part->earlies++] = *c;
    return PRVCUT_END;
}

/* The thread's counters in this part. */
static struct prvcut_counted_seen *counted_enter(struct prvcut_rows *w,
                                                 struct prvcut_counted_part *part,
                                                 const struct prvcut_event *e,
                                                 struct prvcut_error *err)
{
    struct prvcut_counted_seen *s;

    if (prvcut_rows_has(w, e->thread))
        return &part->seen[prvcut_rows_at(w, e->thread)];
    s = prvcut_rows_make(w, e->thread, (void **)&part->seen, &part->count, &part->room, sizeof *s,
                         err);
    if (s)
        *s = (struct prvcut_counted_seen){ .thread = e->thread, .first = e->time };
    return s;
}

/* They are read at a time, behind what was read. */
static void counted_next(struct prvcut_counted_read *read, uint64_t time)
{
    if (read->reads > 0 && read->last == time)
        return;
    read->before = read->last;
    read->last = time;
    read->reads = read->reads == 0 ? 1 : 2;
}

enum prvcut_status prvcut_counted_step(struct prvcut_rows *w, struct prvcut_counted_part *part,
                                       const struct prvcut_event *e, bool in_call,
                                       struct prvcut_counted *out, struct prvcut_error *err)
{
    struct prvcut_counted_seen *s = counted_enter(w, part, e, err);

    if (!s)
        return PRVCUT_ENOMEM;
    counted_next(&s->read, e->time);
    *out = (struct prvcut_counted){ .span = { s->read.before, e->time },
                                    .value = e->value < 0 ? 0 : (uint64_t)e->value,
                                    .thread = e->thread,
                                    .type = e->type,
                                    .role = e->role,
                                    .in_call = in_call };
    return s->read.reads > 1 ? PRVCUT_OK : counted_keep(part, out, err);
}

/* They count from the reading before. */
static void counted_meet(struct prvcut_counted *c, const struct prvcut_counted_read *read)
{
    const uint64_t at = c->span.end;
    const bool again = read->reads > 0 && read->last == at;

    c->first = read->reads < (again ? 2 : 1);
    c->span.start = c->first ? 0 : again ? read->before : read->last;
}

enum prvcut_status prvcut_counted_join(
    struct prvcut_counted_read *read, const struct prvcut_counted_part *part,
    enum prvcut_status (*told)(void *ctx, const struct prvcut_counted *c, struct prvcut_error *err),
    void *ctx, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < part->earlies && st == PRVCUT_OK; i++) {
        struct prvcut_counted c = part->early[i];

        counted_meet(&c, &read[c.thread]);
        st = told(ctx, &c, err);
    }
    for (size_t i = 0; i < part->count; i++) {
        const struct prvcut_counted_seen *s = &part->seen[i];

        counted_next(&read[s->thread], s->first);
        if (s->read.reads > 1)
            read[s->thread] = s->read;
    }
    return st;
}

void prvcut_counted_put(struct prvcut_put *p, const struct prvcut_counted_read *read,
                        uint32_t threads)
{
    for (uint32_t i = 0; i < threads; i++) {
        if (read[i].reads == 0)
            continue;
        prvcut_put_u32(p, i);
        prvcut_put_u32(p, read[i].reads);
        prvcut_put_u64(p, read[i].last);
        prvcut_put_u64(p, read[i].before);
    }
    prvcut_put_u32(p, UINT32_MAX);
}

void prvcut_counted_get(struct prvcut_get *g, struct prvcut_counted_read *read, uint32_t threads)
{
    for (uint32_t i = prvcut_get_u32(g); i != UINT32_MAX && !g->bad; i = prvcut_get_u32(g)) {
        struct prvcut_counted_read *r = &read[i < threads ? i : 0];

        prvcut_get_check(g, i < threads);
        r->reads = (uint8_t)prvcut_get_u32(g);
        r->last = prvcut_get_u64(g);
        r->before = prvcut_get_u64(g);
    }
}

void prvcut_counted_part_clear(struct prvcut_counted_part *part)
{
    part->count = part->earlies = 0;
}

void prvcut_counted_part_fini(struct prvcut_counted_part *part)
{
    free(part->seen);
    free(part->early);
    memset(part, 0, sizeof *part);
}
