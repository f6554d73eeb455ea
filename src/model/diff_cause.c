#include "model/diff_cause.h"

#include <string.h>

static enum prvcut_diff_quantity dcs_quantity(enum prvcut_slow what)
{
    switch (what) {
    case PRVCUT_SLOW_FLUSH:
        return PRVCUT_DIFF_FLUSHING;
    case PRVCUT_SLOW_OFF:
        return PRVCUT_DIFF_OFF;
    case PRVCUT_SLOW_CALL:
        return PRVCUT_DIFF_CALL;
    case PRVCUT_SLOW_UNKNOWN:
    case PRVCUT_SLOW_PREEMPTION:
    case PRVCUT_SLOW_INSTRUCTIONS:
    case PRVCUT_SLOW_IPC:
    case PRVCUT_SLOW_CLOCK:
    case PRVCUT_SLOW_COMPUTING:
    case PRVCUT_SLOW_ORDER:
        break;
    }
    return PRVCUT_DIFF_COMPUTING;
}

const struct prvcut_diff_row *made_diff_cause_row(const struct made_diff *d,
                                                  const struct prvcut_slow_cause *c)
{
    for (size_t i = 0; c->what != PRVCUT_SLOW_UNKNOWN && i < d->is.rows; i++) {
        const struct prvcut_diff_row *r = &d->row[i];

        if (r->quantity == dcs_quantity(c->what) &&
            (!c->call || (r->call && strcmp(r->call, c->call) == 0)))
            return r;
    }
    return NULL;
}
