#ifndef PRVCUT_MODEL_CAUSALITY_H
#define PRVCUT_MODEL_CAUSALITY_H

#include "model/trace.h"
#include "prvcut/waits.h"

/** What messages and collectives say of the clocks: nothing comes before what it needs. Sums and
    greatest values: what several processes or workers found is added in any order. */
struct prvcut_causality {
    uint64_t checked;
    uint64_t violations, worst;               /**< worst: ns */
    uint64_t violations_before, worst_before; /**< with times as recorded */
    uint64_t matching; /**< of violations: between tasks that share a clock */
};

/** Something that happens to a task; ns. */
struct prvcut_happening {
    uint64_t time;
    uint32_t task;
};

/** Do two tasks share a clock, as far as the trace tells? Then an effect before its cause says that
    the trace ties the wrong ends together. */
bool prvcut_causality_one_clock(const struct prvcut_trace *t, uint32_t a, uint32_t b);

/** Count a cause and its effect, times as the trace is read. */
void prvcut_causality_note(struct prvcut_causality *c, const struct prvcut_trace *t,
                           struct prvcut_happening cause, struct prvcut_happening effect);

void prvcut_causality_add(struct prvcut_causality *to, const struct prvcut_causality *from);

/** As answers have it. source: what was done to the clocks; doubt: ns, of their offsets */
struct prvcut_waits_clock prvcut_causality_clock(const struct prvcut_causality *c,
                                                 const char *source, uint64_t doubt);

/** The same, of a trace as it is read: clocks are not bent. */
struct prvcut_waits_clock prvcut_causality_as_read(const struct prvcut_causality *c,
                                                   const struct prvcut_trace *t);

#endif
