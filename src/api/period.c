#include "api/entries.h"
#include "prvcut/signals.h"

#include "structure/loop.h"

#include <stdlib.h>

enum prvcut_status api_signal_period(const struct prvcut_signal *s, struct prvcut_vote *out,
                                     struct prvcut_error *err)
{
    struct prvcut_loop loop = { .why = s->absent ? s->absent : "" };
    enum prvcut_status st = PRVCUT_OK;

    if (s->at)
        st = prvcut_signal_loop_find(&loop, s, NULL, 0, NULL, err);
    *out = (struct prvcut_vote){ .metric = s->name,
                                 .status = loop.found ? PRVCUT_STAND_CHOSEN : PRVCUT_STAND_NONE,
                                 .period_ns = loop.found ? loop.period_ns : 0,
                                 .iterations = loop.iterations,
                                 .strength = loop.strength,
                                 .span = loop.span,
                                 .why = loop.why ? loop.why : "" };
    return st < 0 || loop.found ? st : PRVCUT_NONE;
}

void prvcut_vote_free(struct prvcut_vote *v)
{
    free(v);
}
