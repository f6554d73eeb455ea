#include "structure/mask.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "dsp/morphology.h"
#include "dsp/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Found by hand on traces with a hog of known times and with trace flushes;
 * tests/structure/check_mask holds them. The number listed bounds the memory.
 */

/* Threads that are listed by number for one mask. */
#define LISTED 1024

void prvcut_mask_fini(struct prvcut_mask *m)
{
    free(m->thread);
    free(m->own);
    m->thread = NULL;
    m->own = NULL;
}

void prvcut_masks_fini(struct prvcut_masks *m)
{
    for (size_t i = 0; i < m->count; i++)
        prvcut_mask_fini(&m->at[i]);
    free(m->at);
    memset(m, 0, sizeof *m);
}

static enum prvcut_status msk_add(struct prvcut_masks *m, enum prvcut_cause cause, uint64_t start,
                                  uint64_t end, struct prvcut_error *err)
{
    if (m->count == m->room &&
        prvcut_grow((void **)&m->at, &m->room, m->count + 1, sizeof *m->at, err) < 0)
        return PRVCUT_ENOMEM;
    m->at[m->count++] = (struct prvcut_mask){ .cause = cause, .span = { start, end } };
    return PRVCUT_OK;
}

/* Drop masks shorter than `least`, then join those less than `gap` apart. */
static void mask_tidy(struct prvcut_masks *m, size_t first, uint64_t least, uint64_t gap)
{
    size_t kept = first;

    for (size_t i = first; i < m->count; i++) {
        struct prvcut_mask *last = kept > first ? &m->at[kept - 1] : NULL;

        if (m->at[i].span.end - m->at[i].span.start < least)
            continue;
        if (last && m->at[i].span.start - last->span.end < gap)
            last->span.end = m->at[i].span.end;
        else
            m->at[kept++] = m->at[i];
    }
    m->count = kept;
}

static uint64_t mask_bin_start(const struct prvcut_signal *s, size_t bin)
{
    return s->start + bin * s->width;
}

/* Bins of a width in time; odd, so that nothing is moved. */
static size_t mask_bins_of(const struct prvcut_signal *s, uint64_t ns)
{
    size_t n = (size_t)(ns / s->width);

    if (n > s->bins)
        n = s->bins;
    return n | 1;
}

static double mask_wish_for(const struct prvcut_masks_wish *w, enum prvcut_set which)
{
    return prvcut_parameter_of(w->set, which);
}

/* A share of the period in ns. */
static uint64_t mask_wish_width(const struct prvcut_masks_wish *w, enum prvcut_set which)
{
    return (uint64_t)(mask_wish_for(w, which) * (double)w->period);
}

/* Runs of bins for which wanted[i] is nonzero, each extended by `wake`. */
static enum prvcut_status mask_add_runs(struct prvcut_masks *m, enum prvcut_cause cause,
                                        const struct prvcut_signal *s, const double *wanted,
                                        uint64_t wake, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    const size_t first = m->count;
    const uint64_t run_end = mask_bin_start(s, s->bins);

    for (size_t i = 0; i < s->bins && st == PRVCUT_OK; i++) {
        size_t end = i;
        uint64_t last;

        while (end < s->bins && wanted[end] > 0)
            end++;
        if (end == i)
            continue;
        /* The wake of one may reach into the next. */
        last = mask_bin_start(s, end) + wake < run_end ? mask_bin_start(s, end) + wake : run_end;
        if (m->count > first && m->at[m->count - 1].span.end >= mask_bin_start(s, i))
            m->at[m->count - 1].span.end = last;
        else
            st = msk_add(m, cause, mask_bin_start(s, i), last, err);
        i = end;
    }
    return st;
}

enum prvcut_status prvcut_mask_list(struct prvcut_mask *m, const uint8_t *hit, uint32_t threads,
                                    struct prvcut_error *err)
{
    m->thread = prvcut_unset(LISTED, sizeof *m->thread, "threads", err);
    if (!m->thread)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < threads; i++) {
        if (hit[i] && m->threads < LISTED)
            m->thread[m->threads++] = i;
        m->affected += hit[i] != 0;
    }
    return PRVCUT_OK;
}

static bool msk_meet(struct prvcut_span a, struct prvcut_span b)
{
    return a.start < b.end && a.end > b.start;
}

/* When all threads are in the cut. */
static struct prvcut_span mask_core_of(const struct made_chop *c)
{
    struct prvcut_span core = { 0, UINT64_MAX };

    for (uint32_t i = 0; i < c->is.threads; i++) {
        core.start = c->is.thread[i].start > core.start ? c->is.thread[i].start : core.start;
        core.end = c->is.thread[i].end < core.end ? c->is.thread[i].end : core.end;
    }
    return core;
}

/* Between the records of some threads others wait: where all are in the cut, it is disturbed. */
static bool mask_touches(const struct prvcut_mask *m, const struct made_chop *c)
{
    const struct prvcut_span hull = c->cut.window;

    if (!msk_meet(m->span, hull) || !c->is.thread || m->threads == 0 || m->threads < m->affected)
        return msk_meet(m->span, hull);
    if (msk_meet(m->span, mask_core_of(c)))
        return true;
    for (uint32_t i = 0; i < m->threads; i++)
        if (m->thread[i] < c->is.threads &&
            msk_meet(m->own ? m->own[i] : m->span, c->is.thread[m->thread[i]]))
            return true;
    return false;
}

bool prvcut_structure_touches(const struct made_structure *s, const struct made_chop *c)
{
    bool touched = false;

    for (size_t i = 0; i < s->is.masks && !touched; i++)
        touched = mask_touches(&s->mask[i], c);
    return touched;
}

/* When each of the threads flushes. */
static enum prvcut_status mask_own_flushes(struct prvcut_mask *m, const struct prvcut_flushes *f,
                                           struct prvcut_error *err)
{
    m->own = prvcut_unset((size_t)m->threads + 1, sizeof *m->own, "threads", err);
    if (!m->own)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < m->threads; i++)
        m->own[i] = (struct prvcut_span){ UINT64_MAX, 0 };
    for (size_t i = 0; i < f->count; i++) {
        const size_t k =
            prvcut_lower_u32(m->thread, m->threads, sizeof *m->thread, 0, f->at[i].thread);
        struct prvcut_span *own = &m->own[k];

        if (k == m->threads || m->thread[k] != f->at[i].thread ||
            !msk_meet((struct prvcut_span){ f->at[i].begin, f->at[i].end }, m->span))
            continue;
        own->start = f->at[i].begin < own->start ? f->at[i].begin : own->start;
        own->end = f->at[i].end > own->end ? f->at[i].end : own->end;
    }
    return PRVCUT_OK;
}

/* Threads that flush inside the mask. */
static enum prvcut_status mask_flushers(struct prvcut_mask *m, const struct prvcut_flushes *f,
                                        uint32_t threads, struct prvcut_error *err)
{
    uint8_t *hit = prvcut_zeroed((size_t)threads + 1, 1, "threads", err);
    enum prvcut_status st;

    if (!hit)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < f->count; i++)
        if (f->at[i].end > m->span.start && f->at[i].begin < m->span.end)
            hit[f->at[i].thread] = 1;
    st = prvcut_mask_list(m, hit, threads, err);
    free(hit);
    return st < 0 ? st : mask_own_flushes(m, f, err);
}

static uint32_t mask_most_threads(const struct prvcut_flushes *f)
{
    uint32_t most = 0;

    for (size_t i = 0; i < f->count; i++)
        if (f->at[i].thread >= most)
            most = f->at[i].thread + 1;
    return most;
}

static enum prvcut_status mask_median_flush(const struct prvcut_flushes *f, uint64_t *median,
                                            struct prvcut_error *err)
{
    double *length = prvcut_unset(f->count + 1, sizeof *length, "flushes", err);

    *median = 0;
    if (!length)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < f->count; i++)
        length[i] = (double)(f->at[i].end - f->at[i].begin);
    *median = (uint64_t)prvcut_median(length, f->count);
    free(length);
    return PRVCUT_OK;
}

static enum prvcut_status mask_flushing(struct prvcut_masks *m, const struct prvcut_collection *in,
                                        const struct prvcut_masks_wish *wish, double *work,
                                        struct prvcut_error *err)
{
    const struct prvcut_signal *s = &in->signal[PRVCUT_FLUSHING];
    const size_t first = m->count;
    uint64_t flush, width;
    enum prvcut_status st;

    if (!s->at)
        return PRVCUT_OK;
    st = mask_median_flush(&in->flushes, &flush, err);
    if (st < 0)
        return st;
    /* Flushes of different threads come in bursts: what lies between is spoilt as well. */
    width = wish->useful > flush
                ? wish->useful
                : (uint64_t)(mask_wish_for(wish, PRVCUT_SET_FLUSH_WIDTH) * (double)flush);
    st = prvcut_closing(work, s->at, s->bins, mask_bins_of(s, width), err);
    if (st == PRVCUT_OK)
        st = mask_add_runs(m, PRVCUT_CAUSE_FLUSHING, s, work,
                           wish->period > 0 ? wish->period : flush, err);
    for (size_t i = first; i < m->count && st == PRVCUT_OK; i++)
        st = mask_flushers(&m->at[i], &in->flushes, mask_most_threads(&in->flushes), err);
    return st;
}

/* Median of the samples above 0; 0: there are none. */
static double mask_usual(const double *at, size_t n, double *room)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        if (at[i] > 0)
            room[count++] = at[i];
    return prvcut_median(room, count);
}

/* Turn samples into 1 (wanted) and 0; returns the share that is wanted. */
static double mask_choose_if(double *at, size_t n, double limit, bool below)
{
    size_t wanted = 0, known = 0;

    for (size_t i = 0; i < n; i++) {
        const bool in = at[i] > 0 && (below ? at[i] < limit : at[i] > limit);

        known += at[i] > 0;
        wanted += in;
        at[i] = in;
    }
    return known == 0 ? 0 : (double)wanted / (double)known;
}

static enum prvcut_status mask_preemption(struct prvcut_masks *m,
                                          const struct prvcut_collection *in,
                                          const struct prvcut_masks_wish *wish, double *work,
                                          double *room, struct prvcut_error *err)
{
    const uint64_t period = wish->period, width = mask_wish_width(wish, PRVCUT_SET_SLOW_WIDTH);
    const struct prvcut_signal *s = &in->signal[PRVCUT_CLOCK];
    const size_t first = m->count;
    double nominal;
    enum prvcut_status st;

    if (!s->at)
        return PRVCUT_OK;
    nominal = mask_usual(s->at, s->bins, room);
    m->slow = mask_wish_for(wish, PRVCUT_SET_SLOW) * nominal;
    /* Dips shorter than this are the counters' grain, not the scheduler's work. */
    st = prvcut_closing(work, s->at, s->bins, mask_bins_of(s, width), err);
    if (st < 0 ||
        mask_choose_if(work, s->bins, m->slow, true) > mask_wish_for(wish, PRVCUT_SET_USUAL))
        return st;
    st = mask_add_runs(m, PRVCUT_CAUSE_PREEMPTION, s, work, 0, err);
    mask_tidy(m, first, width, period);
    /* The clock is a burst's mean: the thread was slow up to an iteration before all others wait.
     */
    for (size_t i = first; i < m->count; i++)
        m->at[i].span.start -= m->at[i].span.start < period ? m->at[i].span.start : period;
    mask_tidy(m, first, 0, period);
    return st;
}

/*
 * Messages in flight over bytes delivered, of `width` bins (odd) around each: what single messages
 * wait for partners that are late evens out over an iteration. 0: no messages.
 */
static void mask_slide(double *out, const struct prvcut_signal *ratio,
                       const struct prvcut_signal *inflight, size_t width)
{
    const size_t half = width / 2;
    double flying = 0, bytes = 0;
    size_t known = 0;

    for (size_t i = 0; i < ratio->bins + half; i++) {
        if (i < ratio->bins && ratio->at[i] > 0) {
            flying += inflight->at[i];
            bytes += inflight->at[i] / ratio->at[i];
            known++;
        }
        if (i >= width && ratio->at[i - width] > 0) {
            flying -= inflight->at[i - width];
            bytes -= inflight->at[i - width] / ratio->at[i - width];
            known--;
        }
        /* No rest of rounding where nothing is. */
        if (known == 0)
            flying = bytes = 0;
        if (i >= half)
            out[i - half] = bytes > 0 ? flying / bytes : 0;
    }
}

static enum prvcut_status mask_clogged(struct prvcut_masks *m, const struct prvcut_collection *in,
                                       const struct prvcut_masks_wish *wish, double *work,
                                       double *room, struct prvcut_error *err)
{
    const uint64_t period = wish->period;
    const struct prvcut_signal *s = &in->signal[PRVCUT_CLOGGED];
    const struct prvcut_signal *inflight = &in->signal[PRVCUT_INFLIGHT];
    const size_t first = m->count;
    double centre, spread, limit;
    size_t count = 0;
    enum prvcut_status st;

    if (!s->at || !inflight->at || inflight->bins != s->bins)
        return PRVCUT_OK;
    mask_slide(work, s, inflight, mask_bins_of(s, period));
    /* One late message is seen for a period; a clogged network stays. */
    st = prvcut_opening(work, work, s->bins,
                        mask_bins_of(s, mask_wish_width(wish, PRVCUT_SET_CLOGGED_WIDTH)), err);
    if (st < 0)
        return st;
    centre = mask_usual(work, s->bins, room);
    for (size_t i = 0; i < s->bins; i++)
        if (work[i] > 0)
            room[count++] = work[i];
    spread = prvcut_mad(room, count, centre);
    limit =
        fmax(mask_wish_for(wish, PRVCUT_SET_CLOGGED_RATIO) * centre,
             centre + mask_wish_for(wish, PRVCUT_SET_CLOGGED_SPREAD) * PRVCUT_MAD_SCALE * spread);
    m->clogged = limit;
    if (mask_choose_if(work, s->bins, limit, false) > mask_wish_for(wish, PRVCUT_SET_USUAL))
        return PRVCUT_OK;
    st = mask_add_runs(m, PRVCUT_CAUSE_CLOGGED, s, work, period / 2, err);
    /* Half an iteration more on each side: at a mask's ends only half of what was slid over is
     * clogged. */
    for (size_t i = first; i < m->count; i++)
        m->at[i].span.start -= m->at[i].span.start < period / 2 ? m->at[i].span.start : period / 2;
    mask_tidy(m, first, 0, period);
    return st;
}

static int msk_by_start(const void *a, const void *b)
{
    const struct prvcut_mask *x = a, *y = b;

    if (x->span.start != y->span.start)
        return x->span.start < y->span.start ? -1 : 1;
    return strcmp(prvcut_cause_text(x->cause), prvcut_cause_text(y->cause));
}

enum prvcut_status prvcut_masks_find(struct prvcut_masks *out, const struct prvcut_collection *in,
                                     const struct prvcut_masks_wish *wish, struct prvcut_error *err)
{
    size_t bins = 0;
    double *work, *room;
    enum prvcut_status st = PRVCUT_OK;

    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < PRVCUT_SIGNALS; i++)
        if (in->signal[i].bins > bins)
            bins = in->signal[i].bins;
    work = prvcut_unset(bins + 1, sizeof *work, "masks", err);
    room = prvcut_unset(bins + 1, sizeof *room, "masks", err);
    if (!work || !room)
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        st = mask_flushing(out, in, wish, work, err);
    if (st == PRVCUT_OK && wish->period > 0)
        st = mask_preemption(out, in, wish, work, room, err);
    if (st == PRVCUT_OK && wish->period > 0)
        st = mask_clogged(out, in, wish, work, room, err);
    free(work);
    free(room);
    if (st < 0)
        prvcut_masks_fini(out);
    else if (out->count > 0)
        qsort(out->at, out->count, sizeof *out->at, msk_by_start);
    return st;
}

enum prvcut_status prvcut_masks_spans(const struct prvcut_masks *m, struct prvcut_span **spans,
                                      size_t *count, struct prvcut_error *err)
{
    *count = 0;
    *spans = prvcut_unset(m->count + 1, sizeof **spans, "masks", err);
    if (!*spans)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < m->count; i++) {
        const struct prvcut_span *s = &m->at[i].span;

        if (*count > 0 && (*spans)[*count - 1].end >= s->start) {
            if ((*spans)[*count - 1].end < s->end)
                (*spans)[*count - 1].end = s->end;
        } else {
            (*spans)[(*count)++] = *s;
        }
    }
    return PRVCUT_OK;
}
