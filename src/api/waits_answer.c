#include "prvcut/waits.h"

#include "analysis/waits/waits_rows.h"
#include "model/made.h"

#include <stdlib.h>

/* What a program asks an answer of wait states for. */

void prvcut_wait_states_free(struct prvcut_wait_states *w)
{
    if (w)
        prvcut_waits_rows_fini((struct made_wait_states *)w);
    free(w);
}

const struct prvcut_waits_metric *prvcut_waits_metric(const struct prvcut_wait_states *w, size_t i)
{
    return i < w->metrics ? &made_wait_states_of(w)->metric[i].is : NULL;
}

const struct prvcut_waits_path *prvcut_waits_path(const struct prvcut_wait_states *w, size_t i,
                                                  size_t k)
{
    return i < w->metrics && k < prvcut_waits_metric(w, i)->paths
               ? &made_wait_states_of(w)->metric[i].path[k]
               : NULL;
}

const char *prvcut_waits_frame(const struct prvcut_wait_states *w, size_t path, size_t k)
{
    const struct made_wait_states *made = made_wait_states_of(w);
    size_t depth = 0;

    if (path >= made->frames)
        return NULL;
    for (size_t i = path; i > 0; i = made->frame[i].parent)
        depth++;
    for (; path > 0; path = made->frame[path].parent)
        if (--depth == k)
            return made->frame[path].name;
    return NULL;
}

const struct prvcut_waits_instance *prvcut_waits_instance(const struct prvcut_wait_states *w,
                                                          size_t i)
{
    return i < w->instances ? &made_wait_states_of(w)->instance[i] : NULL;
}

const struct prvcut_waits_part *prvcut_waits_part(const struct prvcut_wait_states *w, size_t i)
{
    return i < w->parts ? &made_wait_states_of(w)->part[i] : NULL;
}

const struct prvcut_waits_delay *prvcut_waits_delay(const struct prvcut_wait_states *w, size_t i)
{
    return i < w->delays ? &made_wait_states_of(w)->delay[i] : NULL;
}

const struct prvcut_waits_cost *prvcut_waits_cost(const struct prvcut_wait_states *w, size_t i)
{
    return i < w->costs ? &made_wait_states_of(w)->cost[i] : NULL;
}

const struct prvcut_waits_stretch *prvcut_waits_stretch(const struct prvcut_wait_states *w,
                                                        size_t i)
{
    return i < w->stretches ? &made_wait_states_of(w)->stretch[i] : NULL;
}

const struct prvcut_waits_imbalance *prvcut_waits_imbalance(const struct prvcut_wait_states *w,
                                                            size_t i)
{
    return i < w->imbalances ? &made_wait_states_of(w)->imbalance[i] : NULL;
}

const struct prvcut_waits_offset *prvcut_waits_offset(const struct prvcut_wait_states *w, size_t i)
{
    return i < prvcut_waits_clock(w)->offsets ? &made_wait_states_of(w)->offset[i] : NULL;
}

const struct prvcut_waits_clock *prvcut_waits_clock(const struct prvcut_wait_states *w)
{
    return &made_wait_states_of(w)->clock;
}
