#include "structure/call_follow.h"

#include <math.h>

/*
 * Found by hand on the benchmarks' traces, where threads begin and end an iteration apart; the
 * number of samples bounds the time.
 *
 * name          value    unit           decides
 */
#define ALIGN_SHIFT   2    /* iterations by which two tracks may be out of step */
#define ALIGN_LOSS    0.03 /* share of the iterations that may go for the sake of one track; */
#define ALIGN_FEW     12   /* of fewer than that only one */
#define ALIGN_SAMPLES 16

/* A track with the median number of iterations; NULL when there is none at all. */
static const struct call_track *align_reference(const struct call_track *track, size_t count)
{
    size_t all = 0;

    for (size_t i = 0; i < count; i++)
        all += track[i].count > 0;
    for (size_t i = 0; i < count; i++) {
        size_t less = 0, same = 0;

        for (size_t j = 0; j < count; j++) {
            less += track[j].count > 0 && track[j].count < track[i].count;
            same += track[j].count == track[i].count;
        }
        if (track[i].count > 0 && less <= all / 2 && less + same > all / 2)
            return &track[i];
    }
    return NULL;
}

/* First and one past the last of reference's iterations that t has too, when t is `shift` ahead. */
static void align_range(const struct call_track *ref, const struct call_track *t, long shift,
                        long range[2])
{
    long end = (long)t->count - shift;

    range[0] = shift < 0 ? -shift : 0;
    range[1] = end < (long)ref->count ? end : (long)ref->count;
}

/* Mean distance in time of the iterations paired by a shift; from a sample. */
static double align_distance(const struct call_track *ref, const struct prvcut_call_sequence *r,
                             const struct call_track *t, const struct prvcut_call_sequence *s,
                             long shift)
{
    long range[2], step;
    double sum = 0, n = 0;

    align_range(ref, t, shift, range);
    step = (range[1] - range[0]) / ALIGN_SAMPLES + 1;
    for (long i = range[0]; i < range[1]; i += step, n++)
        sum += fabs((double)prvcut_call_track_time(ref, r, (size_t)i) -
                    (double)prvcut_call_track_time(t, s, (size_t)(i + shift)));
    return n > 0 ? sum / n : HUGE_VAL;
}

/* Tracks of equal length are in step, whatever the threads' clocks say. */
static long align_shift(const struct call_track *ref, const struct prvcut_call_sequence *r,
                        const struct call_track *t, const struct prvcut_call_sequence *s)
{
    double best = HUGE_VAL;
    long out = 0;

    if (t->count == ref->count)
        return 0;
    for (long shift = -ALIGN_SHIFT; shift <= ALIGN_SHIFT; shift++) {
        double distance = align_distance(ref, r, t, s, shift);

        if (distance < best) {
            best = distance;
            out = shift;
        }
    }
    return out;
}

/* Shrink the common range by what t lacks; false, and nothing done, if that is too much. */
static bool align_common(const struct call_track *ref, const struct call_track *t, long shift,
                         size_t least, long common[2])
{
    double loss = ref->count < ALIGN_FEW ? 1 : fmax(2, ALIGN_LOSS * (double)ref->count);
    long range[2];

    align_range(ref, t, shift, range);
    if ((double)ref->count - (double)(range[1] - range[0]) > loss)
        return false;
    range[0] = range[0] > common[0] ? range[0] : common[0];
    range[1] = range[1] < common[1] ? range[1] : common[1];
    if (range[1] - range[0] < (long)least)
        return false;
    common[0] = range[0];
    common[1] = range[1];
    return true;
}

/* Cut all tracks to what they have in common with the reference; the reference itself last. */
static void align_cut(struct call_track *track, const struct prvcut_call_sequence *s, size_t count,
                      const struct call_track *ref, const long common[2])
{
    const struct call_track model = *ref;
    size_t own = (size_t)(ref - track);

    for (size_t i = 0; i < count; i++) {
        long shift;

        if (track[i].count == 0 || i == own)
            continue;
        shift = align_shift(&model, &s[own], &track[i], &s[i]);
        prvcut_call_track_cut(&track[i], &s[i], (size_t)(common[0] + shift),
                              (size_t)(common[1] + shift));
    }
    prvcut_call_track_cut(&track[own], &s[own], (size_t)common[0], (size_t)common[1]);
}

/* The call behind the loop; NULL: there is none. */
static const struct prvcut_call *align_behind(const struct call_track *t,
                                              const struct prvcut_call_sequence *s)
{
    return t->count > 0 && t->start[t->count] < s->count ? &s->at[t->start[t->count]] : NULL;
}

/* Does that call come as soon behind the last one of the loop as iterations follow each other? Then
   it tells where the last one ends, however long that is; one that makes more calls than any other
   is more than one. */
static bool align_ends_there(const struct call_track *t, const struct prvcut_call_sequence *s)
{
    const struct prvcut_call *behind = align_behind(t, s);
    uint64_t longest = 0;
    size_t most = 0;

    for (size_t i = 1; behind && i < t->count; i++) {
        const struct prvcut_call *next = &s->at[t->start[i]];

        most = t->start[i] - t->start[i - 1] > most ? t->start[i] - t->start[i - 1] : most;
        if (t->start[i] > 0 && next->time - next[-1].time > longest)
            longest = next->time - next[-1].time;
    }
    return behind && t->start[t->count] > t->start[t->count - 1] &&
           t->start[t->count] - t->start[t->count - 1] <= most &&
           behind->time - behind[-1].time <= longest;
}

/* How far behind another thread one comes to where iterations begin, at most. */
static uint64_t align_lag(const struct call_track *of, const struct prvcut_call_sequence *s,
                          const struct call_track *behind, const struct prvcut_call_sequence *r)
{
    uint64_t most = 0;

    for (size_t i = 0; i < of->count && i < behind->count; i++) {
        const uint64_t own = s->at[of->start[i]].time, other = r->at[behind->start[i]].time;

        if (own > other && own - other > most)
            most = own - other;
    }
    return most;
}

/* Where the last iteration is longer than all others: until the call behind it, where one thread's
   tells that and the others' come no later behind that one than iterations begin. */
static void align_ends(struct call_track *track, const struct prvcut_call_sequence *s, size_t count)
{
    size_t last = count;

    for (size_t i = 0; i < count; i++)
        if (align_ends_there(&track[i], &s[i]) &&
            (last == count ||
             align_behind(&track[i], &s[i])->time > align_behind(&track[last], &s[last])->time))
            last = i;
    for (size_t i = 0; last < count && i < count; i++) {
        const struct prvcut_call *behind = align_behind(&track[i], &s[i]);

        if (behind && behind->time > track[i].end &&
            behind->time <= align_behind(&track[last], &s[last])->time +
                                align_lag(&track[i], &s[i], &track[last], &s[last]))
            track[i].end = behind->time;
    }
}

void prvcut_call_tracks_align(struct call_track *track, const struct prvcut_call_sequence *s,
                              size_t count, size_t least)
{
    const struct call_track *ref;
    long common[2] = { 0, 0 };

    for (size_t i = 0; i < count; i++)
        if (track[i].count < least)
            prvcut_call_track_fini(&track[i]);
    ref = align_reference(track, count);
    if (!ref)
        return;
    common[1] = (long)ref->count;
    for (size_t i = 0; i < count; i++)
        if (track[i].count > 0 &&
            !align_common(ref, &track[i], align_shift(ref, &s[ref - track], &track[i], &s[i]),
                          least, common))
            prvcut_call_track_fini(&track[i]);
    align_cut(track, s, count, ref, common);
    align_ends(track, s, count);
}
