#include "api/entries.h"
#include "prvcut/signals.h"

#include "base/memory.h"
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
                                 .status = loop.found ? "chosen" : "none",
                                 .period_ns = loop.found ? loop.period_ns : 0,
                                 .iterations = loop.iterations,
                                 .strength = loop.strength,
                                 .span = loop.span,
                                 .why = loop.why ? loop.why : "" };
    return st < 0 || loop.found ? st : PRVCUT_END;
}

enum prvcut_status prvcut_signal_period(const struct prvcut_signal *s, struct prvcut_vote **out,
                                        struct prvcut_error *err)
{
    struct prvcut_vote *made = prvcut_zeroed(1, sizeof *made, "an answer", err);
    const enum prvcut_status st = made ? api_signal_period(s, made, err) : PRVCUT_ENOMEM;

    *out = st >= 0 ? made : NULL;
    if (st < 0)
        free(made);
    return st;
}

void prvcut_vote_free(struct prvcut_vote *v)
{
    free(v);
}
