#include "model/stack.h"

#include "base/memory.h"

#include <stdlib.h>

/* Nearly all threads nest less, and there may be millions of them. */
#define STACK_FIRST 4

enum prvcut_status prvcut_stack_grow(struct prvcut_stack *s, struct prvcut_error *err)
{
    const size_t room = s->room > 0 ? 2 * s->room : STACK_FIRST;
    struct prvcut_frame *at =
        prvcut_resized(s->at, room, sizeof *at, "records of what a thread is in", err);

    if (!at)
        return PRVCUT_ENOMEM;
    s->at = at;
    s->room = room;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_stack_copy(struct prvcut_stack *to, const struct prvcut_stack *from,
                                     struct prvcut_error *err)
{
    *to = *from;
    to->room = from->count;
    to->at = NULL;
    if (from->count == 0)
        return PRVCUT_OK;
    to->at = prvcut_unset(from->count, sizeof *to->at, "what a thread is in", err);
    if (!to->at) {
        *to = (struct prvcut_stack){ 0 };
        return PRVCUT_ENOMEM;
    }
    memcpy(to->at, from->at, from->count * sizeof *to->at);
    return PRVCUT_OK;
}

void prvcut_stack_fini(struct prvcut_stack *s)
{
    free(s->at);
    memset(s, 0, sizeof *s);
}
