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

/* The thread's counters in this part; now: they are read for the first time. */
static struct prvcut_counted_seen *counted_enter(struct prvcut_rows *w,
                                                 struct prvcut_counted_part *part,
                                                 const struct prvcut_event *e,
                                                 struct prvcut_error *err)
{
    if (!prvcut_rows_has(w, e->thread)) {
        if (part->count == part->room && prvcut_grow((void **)&part->seen, &part->room,
                                                     part->count + 1, sizeof *part->seen, err) < 0)
            return NULL;
        prvcut_rows_put(w, e->thread, part->count);
        part->seen[part->count++] = (struct prvcut_counted_seen){ .thread = e->thread,
                                                                  .read_first = e->time,
                                                                  .read_last = e->time };
    }
    return &part->seen[prvcut_rows_at(w, e->thread)];
}

enum prvcut_status prvcut_counted_step(struct prvcut_rows *w, struct prvcut_counted_part *part,
                                       const struct prvcut_event *e, bool in_call,
                                       struct prvcut_counted *out, struct prvcut_error *err)
{
    struct prvcut_counted_seen *s = counted_enter(w, part, e, err);

    if (!s)
        return PRVCUT_ENOMEM;
    if (e->time != s->read_last) {
        s->many = true;
        s->read_before = s->read_last;
        s->read_last = e->time;
    }
    *out = (struct prvcut_counted){ .span = { s->read_before, e->time },
                                    .value = e->value < 0 ? 0 : (uint64_t)e->value,
                                    .thread = e->thread,
                                    .type = e->type,
                                    .role = e->role,
                                    .in_call = in_call };
    return s->many ? PRVCUT_OK : counted_keep(part, out, err);
}

/* They count from the reading before. */
static void counted_meet(struct prvcut_counted *c, const struct prvcut_counted_read *read)
{
    const uint64_t at = c->span.end;
    const bool again = read->reads > 0 && read->last == at;

    c->first = read->reads < (again ? 2 : 1);
    c->span.start = c->first ? 0 : again ? read->before : read->last;
}

static void counted_go_on(struct prvcut_counted_read *c, const struct prvcut_counted_seen *s)
{
    if (s->many) {
        c->before = s->read_before;
        c->reads = 2;
    } else if (c->reads == 0) {
        c->reads = 1;
    } else if (c->last != s->read_first) {
        c->before = c->last;
        c->reads = 2;
    }
    c->last = s->read_last;
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
    for (size_t i = 0; i < part->count; i++)
        counted_go_on(&read[part->seen[i].thread], &part->seen[i]);
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
