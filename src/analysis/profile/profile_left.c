#include "analysis/profile/profile_left.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status prvcut_profile_lefts_add(struct prvcut_profile_lefts *l,
                                            const struct prvcut_profile_left *left,
                                            struct prvcut_error *err)
{
    if (prvcut_grow((void **)&l->at, &l->room, l->count + 1, sizeof *l->at, err) < 0)
        return PRVCUT_ENOMEM;
    l->at[l->count++] = *left;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_profile_lefts_call(struct prvcut_profile_lefts *l,
                                             const struct prvcut_followed *f,
                                             struct prvcut_error *err)
{
    const struct prvcut_profile_left left = {
        .frame = { .begin = f->span.start, .type = f->type, .value = f->value }, .thread = f->thread
    };

    return prvcut_profile_lefts_add(l, &left, err);
}

enum prvcut_status prvcut_profile_lefts_spent(struct prvcut_profile_lefts *l, uint32_t thread,
                                              const struct prvcut_frame *in,
                                              struct prvcut_span span, struct prvcut_error *err)
{
    struct prvcut_profile_left left = { *in, thread, true };

    left.frame.begin = span.start;
    return prvcut_profile_lefts_add(l, &left, err);
}

enum prvcut_status prvcut_profile_lefts_close(const struct prvcut_profile_lefts *l,
                                              struct prvcut_profile_adder *to,
                                              const struct prvcut_profile_found *f, bool by_part,
                                              struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < l->count && st == PRVCUT_OK; i++) {
        const struct prvcut_profile_left *o = &l->at[i];
        const struct prvcut_span span = { o->frame.begin, f->reach[o->thread].last };
        const struct prvcut_proof_key key = { PRVCUT_PROOF_CALL, o->frame.type, o->frame.value };
        const struct prvcut_profile_call call = { .span = span,
                                                  .thread = o->thread,
                                                  .type = key.type,
                                                  .value = key.value,
                                                  .open = true,
                                                  .by_part = by_part };

        st = o->spent ? prvcut_profile_spend(to, f, o->thread, key, span, err)
                      : prvcut_profile_call(to, f, &call, err);
    }
    return st;
}

void prvcut_profile_lefts_fini(struct prvcut_profile_lefts *l)
{
    free(l->at);
    memset(l, 0, sizeof *l);
}
