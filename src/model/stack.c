#include "model/stack.h"

#include "base/memory.h"

#include <stdlib.h>

/* Nearly all threads nest less, and there may be millions of them. */
#define STACK_FIRST 4

enum prvcut_status prvcut_stack_grow(struct prvcut_stack *s, struct prvcut_error *err)
{
    const size_t room = s->room > 0 ? 2 * s->room : STACK_FIRST;
    struct prvcut_frame *at;

    if (s->count >= PRVCUT_STACK_DEEPEST) {
        s->beyond++;
        return PRVCUT_END;
    }
    at = realloc(s->at, room * sizeof *at);
    if (!at)
        return prvcut_no_memory(err, "what a thread is in");
    s->at = at;
    s->room = room;
    return PRVCUT_OK;
}

void prvcut_stack_fini(struct prvcut_stack *s)
{
    free(s->at);
    memset(s, 0, sizeof *s);
}
