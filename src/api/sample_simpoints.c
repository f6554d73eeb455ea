#include "model/made.h"
#include "prvcut/signals.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SPT_POINTS, SPT_WEIGHTS, SPT_STARTS, SPT_FILES };

static void spt_line(struct prvcut_put *p, int file, const struct made_sample_length *l, size_t i)
{
    const struct prvcut_sample_pick *pick = &l->pick[PRVCUT_TECHNIQUE_MSP][i];

    if (file == SPT_POINTS)
        prvcut_put_printf(p, "%" PRIu64 " %zu\n", pick->interval, i);
    else if (file == SPT_WEIGHTS)
        prvcut_put_printf(p, "%.6f %zu\n", pick->weight, i);
    else
        prvcut_put_printf(p, "%.0f %zu\n", l->start[i], i);
}

static enum prvcut_status spt_text(char **out, int file, const struct made_sample_length *l,
                                   struct prvcut_error *err)
{
    struct prvcut_put p = { .err = err };

    for (size_t i = 0; i < l->choice[PRVCUT_TECHNIQUE_MSP].picks; i++)
        spt_line(&p, file, l, i);
    return prvcut_put_take(&p, out);
}

enum prvcut_status prvcut_sample_simpoints(const struct prvcut_sample *s, size_t length,
                                           const char *prefix, bool force, struct prvcut_error *err)
{
    static const char *const suffix[SPT_FILES] = { ".simpoints", ".weights", ".starts" };
    const struct made_sample_length *l =
        length < s->lengths ? &made_sample_of(s)->length[length] : NULL;
    const int files = s->of_time ? SPT_FILES : SPT_STARTS;
    char *path[SPT_FILES] = { NULL }, *text[SPT_FILES] = { NULL };
    struct prvcut_text file[SPT_FILES];
    enum prvcut_status st = PRVCUT_OK;

    if (!l || l->is.reason)
        return prvcut_fail(err, PRVCUT_EUSAGE, "that length has no clusters");
    for (int i = 0; i < files && st == PRVCUT_OK; i++) {
        struct prvcut_put name = { .err = err };

        prvcut_put_printf(&name, "%s%s", prefix, suffix[i]);
        st = prvcut_put_take(&name, &path[i]);
        if (st == PRVCUT_OK)
            st = spt_text(&text[i], i, l, err);
        file[i] = (struct prvcut_text){ path[i], text[i] };
    }
    if (st == PRVCUT_OK)
        st = prvcut_texts_write(file, (size_t)files, force, err);
    for (int i = 0; i < SPT_FILES; i++) {
        free(path[i]);
        free(text[i]);
    }
    return st;
}
