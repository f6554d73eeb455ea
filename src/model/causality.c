#include "model/causality.h"

/* Archives have one a process. */
bool prvcut_causality_one_clock(const struct prvcut_trace *t, uint32_t a, uint32_t b)
{
    const uint32_t *node = t->objects.task_node;

    return !t->reader->halves && node[a] != UINT32_MAX && node[a] == node[b];
}

/* By how much the effect comes too early. */
static uint64_t cau_early(struct prvcut_happening cause, struct prvcut_happening effect)
{
    return cause.time > effect.time ? cause.time - effect.time : 0;
}

static struct prvcut_happening cau_recorded(const struct prvcut_clocks *c,
                                            struct prvcut_happening h)
{
    if (c->skewed && c->offset)
        h.time += (uint64_t)(c->most - c->offset[h.task]);
    return h;
}

void prvcut_causality_note(struct prvcut_causality *c, const struct prvcut_trace *t,
                           struct prvcut_happening cause, struct prvcut_happening effect)
{
    const uint64_t now = cau_early(cause, effect);
    const uint64_t before =
        cau_early(cau_recorded(&t->clocks, cause), cau_recorded(&t->clocks, effect));

    c->checked++;
    c->violations += now > 0;
    c->matching += now > 0 && prvcut_causality_one_clock(t, cause.task, effect.task);
    c->worst = now > c->worst ? now : c->worst;
    c->violations_before += before > 0;
    c->worst_before = before > c->worst_before ? before : c->worst_before;
}

void prvcut_causality_add(struct prvcut_causality *to, const struct prvcut_causality *from)
{
    to->checked += from->checked;
    to->violations += from->violations;
    to->matching += from->matching;
    to->violations_before += from->violations_before;
    to->worst = from->worst > to->worst ? from->worst : to->worst;
    to->worst_before =
        from->worst_before > to->worst_before ? from->worst_before : to->worst_before;
}

struct prvcut_waits_clock prvcut_causality_clock(const struct prvcut_causality *c,
                                                 const char *source, uint64_t doubt)
{
    return (struct prvcut_waits_clock){ .checked = c->checked,
                                        .violations = c->violations,
                                        .worst_ns = c->worst,
                                        .matching = c->matching,
                                        .before_violations = c->violations_before,
                                        .before_worst_ns = c->worst_before,
                                        .source = source,
                                        .doubt_ns = doubt };
}

struct prvcut_waits_clock prvcut_causality_as_read(const struct prvcut_causality *c,
                                                   const struct prvcut_trace *t)
{
    return prvcut_causality_clock(c, t->clocks.skewed ? "constant" : "as recorded",
                                  t->clocks.skewed ? t->clocks.doubt : 0);
}
