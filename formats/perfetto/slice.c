#include "perfetto/perfetto.h"

#include <math.h>

/* Of a slice that takes no time, in microseconds: a twentieth of a nanosecond, which is shown as
   none. Where it begins together with a longer one, readers see which of the two is inside the
   other. */
#define NO_TIME "0.00005"

/* As many decimals as can be of use: 18 digits tell more than a double holds. */
#define DIGITS_MOST 1e17L

/* A time as readers have it. */
static double shown(uint64_t time, uint64_t first)
{
    return (double)time / 1000 - (double)first / 1000;
}

/*
 * Some readers (speedscope) take the time of a track's first slice off all of its times, and add
 * `dur` to that, in doubles; what ends as the next one begins would overlap with it by a rounding
 * error. So `dur` gets the decimals, far below a nanosecond, with which it ends right then for
 * them, too.
 */
static void print_duration(struct prvcut_print *p, uint64_t first, uint64_t begin, uint64_t end)
{
    const double from = shown(begin, first), to = shown(end, first);
    const long double length = (long double)to - from;
    uint64_t digits = end - begin;
    unsigned decimals = 3;
    long double scale = 1000;

    while (from + (double)(digits / scale) != to && length * scale < DIGITS_MOST) {
        scale *= 10;
        decimals++;
        digits = (uint64_t)llroundl(length * scale);
    }
    if (from + (double)(digits / scale) == to)
        prvcut_print_decimal(p, digits, decimals);
    else
        prvcut_print_decimal(p, end - begin, 3);
}

void perfetto_print_slice(struct perfetto_writing *w, uint32_t thread, bool states, uint64_t first,
                          uint64_t begin, uint64_t end)
{
    perfetto_print_at(w, "X", thread, states, begin);
    prvcut_print_text(&w->view.out, ",\"dur\":");
    if (end > begin)
        print_duration(&w->view.out, first, begin, end);
    else
        prvcut_print_text(&w->view.out, NO_TIME);
}
