#include "analysis/timeline_calls.h"

/* Told by one at a time. Of what began in a part that was left out only the type is known. */
static enum prvcut_status calls_spent(void *ctx, void *worker, uint32_t thread,
                                      const struct prvcut_frame *in, struct prvcut_span span,
                                      struct prvcut_error *err)
{
    struct tl_grid *g = ctx;
    size_t key;

    (void)worker, (void)err;
    if (in)
        key = tl_keys_find(g->keys, in->type, in->value == 0 ? TL_ANY : in->value);
    else
        key = tl_keys_find(g->keys, TL_OUTSIDE, 0);
    tl_grid_add(g, 0, thread, key, &span);
    return PRVCUT_OK;
}

enum prvcut_status tl_calls_new(struct prvcut_follow **out, struct tl_grid *grid,
                                const struct prvcut_trace *t, struct prvcut_error *err)
{
    const struct prvcut_follow_options options = {
        .roles = PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION),
        .ctx = grid,
        .spent = calls_spent,
    };

    return prvcut_follow_new(out, t, &options, err);
}
