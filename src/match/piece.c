#include "match/piece.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *piece_end(const struct prvcut_piece *p, const void *end, size_t i)
{
    return (const char *)end + i * p->stride;
}

static uint64_t piece_time(const struct prvcut_piece *p, const void *end, size_t i)
{
    uint64_t time;

    memcpy(&time, piece_end(p, end, i) + p->time, sizeof time);
    return time;
}

/* How many pairs are left where the first `before` receives belong to sends before the piece. */
static size_t piece_pairs(const struct prvcut_piece *p, size_t before)
{
    const size_t left = before < p->receives ? p->receives - before : 0;

    return left < p->sends ? left : p->sends;
}

size_t prvcut_piece_sent_before(const struct prvcut_piece *p, size_t most, uint64_t tolerance,
                                size_t limit)
{
    size_t best = SIZE_MAX, least = limit;

    for (size_t before = 0; before <= most && least > 0; before++) {
        const size_t pairs = piece_pairs(p, before);
        size_t wrong = 0;

        for (size_t k = 0; k < pairs && wrong < least; k++)
            wrong += piece_time(p, p->receive, k + before) + tolerance < piece_time(p, p->send, k);
        if (wrong < least) {
            least = wrong;
            best = before;
        }
    }
    return best;
}

enum prvcut_status prvcut_piece_meet(const struct prvcut_piece *p, size_t before, void *ctx,
                                     enum prvcut_status (*met)(void *ctx, const void *send,
                                                               const void *receive,
                                                               struct prvcut_error *err),
                                     struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t k = 0; k < p->receives && st == PRVCUT_OK; k++) {
        if (k >= before && k - before >= p->sends)
            break;
        st = met(ctx, k < before ? NULL : piece_end(p, p->send, k - before),
                 piece_end(p, p->receive, k), err);
    }
    return st;
}

enum prvcut_status prvcut_halves_channels(const struct prvcut_halves *h, void *ctx,
                                          enum prvcut_status (*take)(void *ctx,
                                                                     const struct prvcut_piece *p,
                                                                     struct prvcut_error *err),
                                          struct prvcut_error *err)
{
    char *at = h->at, *end = at + h->count * h->stride;
    enum prvcut_status st = PRVCUT_OK;

    if (h->count > 0)
        qsort(at, h->count, h->stride, h->order);
    while (at < end && st == PRVCUT_OK) {
        struct prvcut_piece p = { .send = at, .stride = h->stride, .time = h->time };

        for (; at < end && h->same(p.send, at) && !h->is_receive(at); at += h->stride)
            p.sends++;
        p.receive = at;
        for (; at < end && h->same(p.send, at); at += h->stride)
            p.receives++;
        st = take(ctx, &p, err);
    }
    return st;
}
