#include "paraver/texts.h"

enum prvcut_status prv_texts_init(struct prv_texts *t, struct prv_trace *trace,
                                  struct prvcut_error *err)
{
    enum prvcut_status st;

    *t = (struct prv_texts){ .trace = trace };
    st = prv_trace_blocks(trace, &t->blocks, err);
    t->open = st == PRVCUT_OK;
    return st;
}

void prv_texts_fini(struct prv_texts *t)
{
    if (t->open)
        prv_blocks_close(&t->blocks);
    for (unsigned i = 0; i < PRV_TEXTS_KEPT; i++)
        prv_text_fini(&t->kept[i]);
    t->open = false;
}

static enum prvcut_status texts_from_stream(struct prv_texts *t, uint64_t number,
                                            struct prv_text **out, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    *out = prv_held_find(&t->trace->held, number);
    if (*out)
        return PRVCUT_OK;
    for (unsigned i = 0; i < PRV_TEXTS_KEPT; i++)
        if (t->kept[i].at && t->kept[i].number == number) {
            *out = &t->kept[i];
            return PRVCUT_OK;
        }
    if (t->newest > number) {
        prv_blocks_close(&t->blocks);
        t->open = false;
        st = prv_trace_blocks(t->trace, &t->blocks, err);
        t->open = st == PRVCUT_OK;
        t->newest = 0;
    }
    do {
        *out = &t->kept[t->turn++ % PRV_TEXTS_KEPT];
        if (st == PRVCUT_OK)
            st = prv_blocks_next(&t->blocks, *out, err);
        if (st == PRVCUT_OK)
            t->newest = (*out)->number + 1;
    } while (st == PRVCUT_OK && (*out)->number < number);
    return st;
}

enum prvcut_status prv_texts_get(struct prv_texts *t, uint64_t number, struct prv_text **out,
                                 struct prvcut_error *err)
{
    enum prvcut_status st;

    if (t->blocks.seekable) {
        *out = &t->kept[0];
        st = prv_blocks_load(&t->blocks, number, *out, err);
    } else {
        st = texts_from_stream(t, number, out, err);
    }
    if (st == PRVCUT_END)
        return prvcut_fail(err, PRVCUT_EIO, "%s: changed while it was read: block %llu is gone",
                           t->trace->base.path, (unsigned long long)number);
    return st;
}
