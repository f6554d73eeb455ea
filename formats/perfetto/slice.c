#include "perfetto/perfetto.h"

#include <math.h>

/* Of a slice that takes no time: a twentieth of a nanosecond, which is shown as none. Where it
   begins together with a longer one, readers see by it which of the two is inside the other. */
static const struct perfetto_number no_time = { .digits = 5, .decimals = 5 };

/* 18 digits tell more than a double holds. */
#define DIGITS_MOST 1e17L

/* Behind it (three days) doubles tell no more than a tenth of a nanosecond: nothing is moved there.
 */
#define TIME_MOST ((uint64_t)1 << 48)

/* A time as readers have it. */
static double slice_shown(const struct perfetto_track *t, uint64_t time)
{
    return (double)time / 1000 - (double)t->first / 1000;
}

/* With as few decimals as it takes to be within [least, most] once it is added to `to`. */
static bool slice_fit(double to, double least, double most, long double value,
                      struct perfetto_number *out)
{
    long double scale = 1000;

    for (unsigned decimals = 3; decimals == 3 || value * scale < DIGITS_MOST; decimals++) {
        const uint64_t digits = (uint64_t)llroundl(value * scale);
        const double at = to + (double)(digits / scale);

        if (at >= least && at <= most) {
            *out = (struct perfetto_number){ .digits = digits, .decimals = decimals };
            return true;
        }
        scale *= 10;
    }
    return false;
}

static double slice_value_of(struct perfetto_number n)
{
    return (double)(n.digits / powl(10, n.decimals));
}

void perfetto_slice_begin(struct perfetto_track *t, struct perfetto_slice *s, uint64_t time)
{
    double first;

    if (t->first == UINT64_MAX)
        t->first = time;
    first = (double)t->first / 1000;
    s->time = time;
    s->begin = (struct perfetto_number){ .digits = time, .decimals = 3 };
    s->from = slice_shown(t, time);
    /* What ended by then was moved beyond it: only then is a begin moved. */
    if (s->from < t->past && time < TIME_MOST &&
        slice_fit(-first, t->past, INFINITY, (long double)t->past + first, &s->begin))
        s->from = slice_value_of(s->begin) - first;
}

void perfetto_slice_end(struct perfetto_track *t, struct perfetto_slice *s, uint64_t time)
{
    const double to = slice_shown(t, time), beyond = nextafter(to, INFINITY);
    const double least = s->from > t->past ? s->from : t->past;
    const long double length = (long double)to - s->from;

    if (time == s->time) {
        s->length = no_time;
        return;
    }
    s->length = (struct perfetto_number){ .digits = time - s->time, .decimals = 3 };
    if (time < TIME_MOST && !slice_fit(s->from, least, to, length, &s->length))
        slice_fit(s->from, least, beyond, length + ((long double)beyond - to) * 0.75L, &s->length);
    t->past = fmax(t->past, s->from + slice_value_of(s->length));
}

void perfetto_print_slice(struct perfetto_writing *w, uint32_t thread, bool states,
                          const struct perfetto_slice *s)
{
    perfetto_print_event(w, "X", w->view.outline->objects->thread_task[thread]);
    perfetto_print_track(w, thread, states);
    prvcut_print_text(&w->view.out, ",\"ts\":");
    prvcut_print_decimal(&w->view.out, s->begin.digits, s->begin.decimals);
    prvcut_print_text(&w->view.out, ",\"dur\":");
    prvcut_print_decimal(&w->view.out, s->length.digits, s->length.decimals);
}
