#include "analysis/waits/waits_find.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NOT_TOLD false

/* Percent of the critical path's length that contradictions may make it longer. */
#define PATH_DOUBT 1

static bool wwh_of_messages(int metric)
{
    return metric <= PRVCUT_WAIT_LATE_RECEIVER;
}

static bool wwh_of_omp(int metric)
{
    return metric >= PRVCUT_WAIT_OMP_FORK;
}

static bool wwh_of_nonblocking(int metric)
{
    return metric >= PRVCUT_WAIT_NB_BARRIER && metric <= PRVCUT_WAIT_NB_EARLY_REDUCE;
}

/* Why it is not told at all, or not wholly. The first reason stands. */
__attribute__((format(printf, 3, 4))) static void wwh_say(struct prvcut_waits_sum *s, bool told,
                                                          const char *format, ...)
{
    va_list args;

    if (s->why[0] && !s->told)
        return;
    s->told = told;
    va_start(args, format);
    vsnprintf(s->why, sizeof s->why, format, args);
    va_end(args);
}

/* The first rank that never makes a call; UINT32_MAX: all do. */
static uint32_t wwh_lacks(const struct wts_finder *f, const struct wts_call *of)
{
    for (uint32_t i = 0; i < f->out->objects->tasks; i++)
        if (!of[i].is)
            return i;
    return UINT32_MAX;
}

static void wwh_all_ranks(struct wts_finder *f, struct prvcut_waits_sum *s,
                          const struct wts_call *of, const char *name)
{
    const uint32_t rank = wwh_lacks(f, of);

    if (rank != UINT32_MAX)
        wwh_say(s, NOT_TOLD, "no %s on rank %" PRIu32, name, rank);
}

/* What calls leave out altogether; it comes on top of what else is missing. */
static void wwh_exchanges(const struct wts_finder *f, struct prvcut_waits_sum *s)
{
    char before[sizeof s->why];

    if (!s->told || f->seen.exchanges == 0 || f->seen.exchanged > 0 || f->out->objects->tasks < 2)
        return;
    memcpy(before, s->why, sizeof before);
    wwh_say(s, true, "%s%sno message of MPI_Sendrecv is recorded", before, before[0] ? ", " : "");
}

/* What sends need of which nothing is recorded. */
static bool wwh_receivers(const struct wts_finder *f, struct prvcut_waits_sum *s)
{
    const uint64_t sends = f->seen.sends, unfinished = f->seen.unfinished;
    const uint64_t unposted = f->seen.unposted;

    if (unfinished > 0 && (!f->trace->reader->halves || unfinished == sends))
        wwh_say(s, true, "completion of MPI_Isend is not recorded");
    else if (unposted > 0 && unfinished + unposted == sends)
        wwh_say(s, NOT_TOLD, "when receives were posted is not recorded");
    else if (unposted > 0)
        wwh_say(s, true,
                "of %" PRIu64 " of %" PRIu64 " sends it is not recorded when the receive "
                "was posted",
                unposted, sends);
    else if (unfinished > 0)
        wwh_say(s, true, "%" PRIu64 " of %" PRIu64 " sends have no completion", unfinished, sends);
    return unfinished > 0 || unposted > 0;
}

static void wwh_messages(const struct wts_finder *f, struct prvcut_waits_sum *s, bool receiver)
{
    const struct prvcut_waits_found *o = f->out;
    const uint64_t lost = o->no_receive + o->no_send + o->bad_rank;

    if (o->messages == 0 && o->no_receive > 0)
        wwh_say(s, NOT_TOLD, "no receives recorded");
    else if (o->messages == 0 && o->no_send > 0)
        wwh_say(s, NOT_TOLD, "no sends recorded");
    else if (o->messages == 0 && f->seen.moving > 0 && o->objects->tasks > 1)
        wwh_say(s, NOT_TOLD, "no messages are recorded, though calls send or receive");
    else if (o->messages > 0 && o->messages == f->seen.callless)
        wwh_say(s, NOT_TOLD, "messages are recorded outside of calls");
    else if (receiver && wwh_receivers(f, s))
        ;
    else if (o->no_receive > 0)
        wwh_say(s, true, "%" PRIu64 " of %" PRIu64 " sends have no receive", o->no_receive,
                o->messages + o->no_receive);
    else if (lost > 0)
        wwh_say(s, true, "%" PRIu64 " ends of messages have no other end", lost);
    else if (f->seen.unordered > 0)
        wwh_say(s, true,
                "of %" PRIu64 " of %" PRIu64 " messages it is not recorded which receive of "
                "several took them",
                f->seen.unordered, o->messages);
    wwh_exchanges(f, s);
}

static void wwh_groups(const struct wts_finder *f, struct prvcut_waits_sum *s, int metric)
{
    const int of = metric == PRVCUT_WAIT_NXN_COMPLETION       ? PRVCUT_WAIT_NXN
                   : metric == PRVCUT_WAIT_BARRIER_COMPLETION ? PRVCUT_WAIT_BARRIER
                                                              : metric;
    const uint64_t bare = f->seen.bare[of], all = f->seen.groups[of];
    const uint64_t broken = f->out->incomplete + f->out->unlike;

    if (all > 0 && bare == all)
        wwh_say(s, NOT_TOLD, "neither bytes nor root of these collectives are recorded");
    else if (bare > 0)
        wwh_say(s, true, "%" PRIu64 " of %" PRIu64 " collectives tell no bytes or no root", bare,
                all);
    else if (broken > 0 && f->out->collectives == 0)
        wwh_say(s, NOT_TOLD, "no collective has all its members");
    else if (broken > 0)
        wwh_say(s, true, "%" PRIu64 " of %" PRIu64 " collectives are not complete", broken,
                f->out->collectives + broken);
}

static void wwh_posted(const struct wts_finder *f, struct prvcut_waits_sum *s)
{
    if (f->seen.posted == f->seen.started)
        wwh_say(s, NOT_TOLD, "when non-blocking collectives are complete is not recorded");
    else
        wwh_say(s, true, "of %" PRIu64 " of %" PRIu64 " it is not recorded when they are complete",
                f->seen.posted, f->seen.started);
}

static void wwh_locks(const struct wts_finder *f, struct prvcut_waits_sum *s, int lock)
{
    if (!f->seen.locks[lock])
        wwh_say(s, NOT_TOLD, "no %s of OpenMP are recorded", lock ? "locks" : "critical sections");
    else if (f->seen.shared[lock])
        wwh_say(s, NOT_TOLD, "several threads have a lock at once: it is not told which is which");
}

static void wwh_omp(const struct wts_finder *f, struct prvcut_waits_sum *s, int metric)
{
    const bool barrier = metric == PRVCUT_WAIT_OMP_EBARRIER;

    if (!wts_omp_asked(f->asked))
        wwh_say(s, NOT_TOLD, "OpenMP is told of a whole run only");
    else if (metric >= PRVCUT_WAIT_OMP_CRITICAL)
        wwh_locks(f, s, metric == PRVCUT_WAIT_OMP_LOCK);
    else if (metric == PRVCUT_WAIT_OMP_IDLE && f->seen.unreached)
        wwh_say(s, NOT_TOLD, "what can be read only once does not tell it");
    else if (!barrier && f->seen.uneven)
        wwh_say(s, NOT_TOLD, "threads of a process have different numbers of parallel regions");
    else if (barrier && f->seen.uneven_barriers)
        wwh_say(s, NOT_TOLD, "threads of a team have different numbers of barriers");
    else if (barrier ? !f->seen.barriers : !f->seen.regions)
        wwh_say(s, NOT_TOLD,
                barrier ? "no OpenMP barriers are recorded"
                        : "no parallel regions of OpenMP are recorded");
    else if (metric != PRVCUT_WAIT_OMP_IDLE && f->seen.mixed)
        wwh_say(s, NOT_TOLD,
                "of which of several parallel regions at once a thread is, is not told");
}

/* A program's own: as the one that it is a part of, else wherever there are calls. */
static void wwh_own(const struct wts_finder *f, struct prvcut_waits_sum *s, int of)
{
    if (of >= 0 && f->out->sum[of].why[0])
        wwh_say(s, f->out->sum[of].told, "%s", f->out->sum[of].why);
    else if (f->out->calls == 0)
        wwh_say(s, NOT_TOLD, "no MPI calls are recorded");
}

/* Is it of something that few programs have, and that this one has not? */
static bool wwh_is_absent(const struct wts_finder *f, int metric)
{
    if (wwh_of_nonblocking(metric))
        return f->seen.started == 0;
    if (metric >= PRVCUT_WAITS || !wwh_of_omp(metric))
        return false;
    if (!wts_omp_asked(f->asked))
        return true;
    if (metric >= PRVCUT_WAIT_OMP_CRITICAL)
        return !f->seen.locks[metric == PRVCUT_WAIT_OMP_LOCK];
    return metric == PRVCUT_WAIT_OMP_EBARRIER ? !f->seen.barriers : !f->seen.regions;
}

static void wwh_metric(struct wts_finder *f, int metric)
{
    struct prvcut_waits_sum *s = &f->out->sum[metric];

    s->told = true;
    s->absent = wwh_is_absent(f, metric);
    if (metric >= PRVCUT_WAITS)
        wwh_own(f, s, f->asked->patterns->metric[metric - PRVCUT_WAITS].of);
    else if (wwh_of_omp(metric))
        wwh_omp(f, s, metric);
    else if (f->out->calls == 0)
        wwh_say(s, NOT_TOLD, "no MPI calls are recorded");
    else if (metric == PRVCUT_WAIT_INIT_COMPLETION)
        wwh_all_ranks(f, s, f->init, "MPI_Init");
    else if (metric == PRVCUT_WAIT_FINALIZE)
        wwh_all_ranks(f, s, f->finalize, "MPI_Finalize");
    else if (f->seen.talking == 0)
        wwh_say(s, NOT_TOLD, "no MPI calls that communicate are recorded");
    else if (wwh_of_messages(metric))
        wwh_messages(f, s, metric == PRVCUT_WAIT_LATE_RECEIVER);
    else if (wwh_of_nonblocking(metric) && f->seen.posted > 0)
        wwh_posted(f, s);
    else
        wwh_groups(f, s, metric);
    if (!s->told)
        s->ns = s->count = s->most = s->median2 = 0;
}

/* A critical path that does not know of messages, or goes back and forth in time, is none. */
static void wwh_path(struct wts_finder *f)
{
    struct prvcut_waits_found *o = f->out;
    const struct prvcut_waits_sum *messages = &o->sum[PRVCUT_WAIT_LATE_SENDER];
    const struct prvcut_waits_sum *groups = &o->sum[PRVCUT_WAIT_BARRIER];
    char text[32];

    if (!messages->told || !groups->told)
        snprintf(o->no_path, sizeof o->no_path, "%s", messages->told ? groups->why : messages->why);
    else if (o->critical < 0 || f->seen.twice > (uint64_t)o->critical / 100 * PATH_DOUBT ||
             (uint64_t)o->critical > o->end_ns + 1000)
        snprintf(o->no_path, sizeof o->no_path,
                 "along it calls end before those begin that they wait for, by %s in all",
                 prvcut_time_text(text, (double)f->seen.twice));
    if (!o->no_path[0])
        return;
    o->critical = 0;
    o->steps = o->on_paths = 0;
}

void wts_explain(struct wts_finder *f)
{
    for (size_t i = 0; i < f->out->metrics; i++)
        wwh_metric(f, (int)i);
    if (f->causes)
        wwh_path(f);
}
