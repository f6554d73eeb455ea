#include "signal/flights.h"

#include "base/exchange.h"

/* Bytes for sorting the ends, of sends and of receives each. */
#define FLIGHTS_MEMORY ((size_t)32 << 20)

enum prvcut_status prvcut_flights_init(struct prvcut_flights *f, const struct prvcut_run *run,
                                       struct prvcut_error *err)
{
    f->wanted = true;
    return stm_meeting_init(&f->meeting, run, FLIGHTS_MEMORY, NULL, err);
}

void prvcut_flights_fini(struct prvcut_flights *f)
{
    stm_meeting_fini(&f->meeting);
}

/* One metric is not worth the others: without room on disk it is left out. */
static enum prvcut_status flights_judge(struct prvcut_flights *f, enum prvcut_status st,
                                        const struct prvcut_error *why, struct prvcut_error *err)
{
    if (st == PRVCUT_EIO) {
        __atomic_store_n(&f->no_room, 1, __ATOMIC_RELAXED);
        return PRVCUT_OK;
    }
    return st < 0 ? prvcut_fail_as(err, st, why) : st;
}

enum prvcut_status prvcut_flights_batch(struct prvcut_flights *f, unsigned feed, uint64_t part,
                                        uint32_t *place, const struct prvcut_batch *batch,
                                        struct prvcut_error *err)
{
    struct prvcut_error why = { 0 };

    if (!f->wanted || batch->halves == 0 || __atomic_load_n(&f->no_room, __ATOMIC_RELAXED))
        return PRVCUT_OK;
    return flights_judge(f, stm_meeting_batch(&f->meeting, feed, part, place, batch, &why), &why,
                         err);
}

static enum prvcut_status flights_met(void *ctx, const struct prvcut_end *send,
                                      const struct prvcut_end *receive, struct prvcut_error *err)
{
    const struct prvcut_message m = stm_meeting_message(send, receive);
    struct prvcut_sums *whole = ctx;

    (void)err;
    whole->met++;
    prvcut_sums_message(whole, &m);
    return PRVCUT_OK;
}

static enum prvcut_status flights_alone(void *ctx, const struct prvcut_end *end,
                                        struct prvcut_error *err)
{
    (void)ctx, (void)end, (void)err;
    return PRVCUT_OK;
}

/* Share of the messages whose two ends must be known to belong together. */
#define FLIGHTS_MET 0.9

static bool flights_tell(const struct prvcut_sums *whole, const struct prvcut_sums *sums)
{
    const uint64_t most = sums->sends < sums->receives ? sums->sends : sums->receives;

    return whole->met > 0 && (double)whole->met >= FLIGHTS_MET * (double)most;
}

/* --- Shared with other processes ---------------------------------------------------------------
 */

static void flights_put(void *ctx, struct prvcut_put *out)
{
    prvcut_sums_put(out, ctx);
}

static void flights_add(void *ctx, struct prvcut_get *in)
{
    prvcut_sums_get(in, ctx);
}

static void flights_clear(void *ctx)
{
    prvcut_sums_clear(ctx);
}

/* One that has no room on its disk leaves the metric out for all. */
static enum prvcut_status flights_gather(struct prvcut_flights *f, const struct prvcut_run *run,
                                         struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (f->no_room)
        st = prvcut_fail(err, PRVCUT_EIO, "no room for sorting messages");
    return stm_meeting_share(&f->meeting, run, FLIGHTS_MEMORY, st, err);
}

/* --- All of them ------------------------------------------------------------------------------
 */

/* What this process can tell, and then all of it. */
static enum prvcut_status flights_tell_all(struct prvcut_flights *f, const struct prvcut_run *run,
                                           struct prvcut_sums *whole, struct prvcut_error *err)
{
    const struct prvcut_pairing told = { .ctx = whole, .met = flights_met, .alone = flights_alone };
    const struct prvcut_shares shares = { whole, flights_put, flights_add, flights_clear };
    const bool shared = prvcut_exchange_is_shared(run->exchange);
    enum prvcut_status st = shared ? flights_gather(f, run, err) : PRVCUT_OK;

    if (st < 0)
        return st;
    st = stm_meeting_end(&f->meeting, &told, err);
    return shared ? prvcut_exchange_sum(run->exchange, &shares, st, err) : st;
}

enum prvcut_status prvcut_flights_end(struct prvcut_flights *f, const struct prvcut_run *run,
                                      struct prvcut_sums *sums, struct prvcut_error *err)
{
    const uint32_t flying = UINT32_C(1) << PRVCUT_SUM_INFLIGHT;
    const uint32_t bytes = sums->wide[PRVCUT_WIDE_BYTES] ? UINT32_C(1) << PRVCUT_WIDE_BYTES : 0;
    struct prvcut_sums whole;
    const bool alone = !prvcut_exchange_is_shared(run->exchange);
    struct prvcut_error why = { 0 };
    enum prvcut_status st;

    if (!f->wanted || (alone && f->no_room) || prvcut_sums_lack_ends(sums)) {
        sums->no_room = f->no_room != 0;
        return PRVCUT_OK;
    }
    st = prvcut_sums_init(&whole, &sums->grid, flying, bytes, err);
    if (st < 0)
        return st;
    st = flights_judge(f, flights_tell_all(f, run, &whole, &why), &why, err);
    sums->no_room = f->no_room != 0;
    if (st == PRVCUT_OK && !f->no_room && flights_tell(&whole, sums))
        prvcut_sums_flights(sums, &whole);
    prvcut_sums_fini(&whole);
    return st;
}
