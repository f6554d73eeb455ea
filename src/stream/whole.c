#include "stream/whole.h"

/* Bytes for sorting, of sends and of receives each. */
#define WHOLE_MEMORY ((size_t)32 << 20)

enum prvcut_status stm_whole_init(struct stm_whole *w, const struct prvcut_trace *t,
                                  const struct prvcut_run *run, struct prvcut_error *err)
{
    struct prvcut_run one = *run;

    one.threads = 1;
    w->apart = t->reader->halves;
    return w->apart ? stm_meeting_init(&w->meeting, &one, WHOLE_MEMORY, NULL, err) : PRVCUT_OK;
}

void stm_whole_fini(struct stm_whole *w)
{
    stm_meeting_fini(&w->meeting);
}

void stm_whole_begin(struct stm_whole *w, uint64_t number)
{
    w->part = number;
    w->place = 0;
}

enum prvcut_status stm_whole_batch(struct stm_whole *w, const struct prvcut_batch *b,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < b->messages && st == PRVCUT_OK; i++)
        st = w->take(w->ctx, &b->message[i], err);
    for (size_t i = 0; i < b->halves; i++)
        w->sends += !b->half[i].receive;
    return st == PRVCUT_OK && w->apart
               ? stm_meeting_batch(&w->meeting, 0, w->part, &w->place, b, err)
               : st;
}

static enum prvcut_status whole_met(void *ctx, const struct prvcut_end *send,
                                    const struct prvcut_end *receive, struct prvcut_error *err)
{
    const struct stm_whole *w = ctx;
    const struct prvcut_message m = stm_meeting_message(send, receive);

    return w->take(w->ctx, &m, err);
}

static enum prvcut_status whole_alone(void *ctx, const struct prvcut_end *end,
                                      struct prvcut_error *err)
{
    (void)ctx, (void)end, (void)err;
    return PRVCUT_OK;
}

enum prvcut_status stm_whole_end(struct stm_whole *w, struct prvcut_error *err)
{
    const struct prvcut_pairing told = { .ctx = w, .met = whole_met, .alone = whole_alone };

    return w->apart ? stm_meeting_end(&w->meeting, &told, err) : PRVCUT_OK;
}
