#include "structure/call_walk.h"

/* Are the symbols dx and dy further on equal? */
static bool walk_equal(const struct call_walk *w, size_t dx, size_t dy)
{
    if (w->down)
        return w->x > dx && w->y > dy && w->kind[w->x - dx - 1] == w->kind[w->y - dy - 1];
    return w->x + dx < w->count && w->y + dy < w->count && w->kind[w->x + dx] == w->kind[w->y + dy];
}

static void walk_step(struct call_walk *w, size_t dx, size_t dy)
{
    w->x = w->down ? w->x - dx : w->x + dx;
    w->y = w->down ? w->y - dy : w->y + dy;
}

/* After a difference: on to the nearest place where two symbols in a row agree again. */
static bool walk_leap(struct call_walk *w)
{
    for (size_t leap = 1; leap <= w->reach; leap++)
        for (size_t dx = 0; dx <= leap; dx++)
            if (walk_equal(w, dx, leap - dx) && walk_equal(w, dx + 1, leap - dx + 1)) {
                walk_step(w, dx, leap - dx);
                return true;
            }
    return false;
}

void prvcut_call_walk(struct call_walk *w, size_t end)
{
    while (w->down ? w->x > end && w->y > 0 : w->x < end && w->y < w->count) {
        if (walk_equal(w, 0, 0)) {
            walk_step(w, 1, 1);
            w->matched++;
            continue;
        }
        w->leaps++;
        if (!walk_leap(w))
            break;
    }
}
