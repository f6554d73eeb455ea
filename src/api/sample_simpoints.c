#include "model/made.h"
#include "prvcut/signals.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SPT_POINTS, SPT_WEIGHTS, SPT_STARTS, SPT_FILES };

static enum prvcut_status spt_line(struct prvcut_buffer *b, int file,
                                   const struct made_sample_length *l, size_t i,
                                   struct prvcut_error *err)
{
    const struct prvcut_sample_pick *pick = &l->pick[PRVCUT_TECHNIQUE_MSP][i];

    if (file == SPT_POINTS)
        return prvcut_buffer_printf(b, err, "%" PRIu64 " %zu\n", pick->interval, i);
    if (file == SPT_WEIGHTS)
        return prvcut_buffer_printf(b, err, "%.6f %zu\n", pick->weight, i);
    return prvcut_buffer_printf(b, err, "%.0f %zu\n", l->start[i], i);
}

static enum prvcut_status spt_text(struct prvcut_buffer *b, int file,
                                   const struct made_sample_length *l, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < l->choice[PRVCUT_TECHNIQUE_MSP].picks && st == PRVCUT_OK; i++)
        st = spt_line(b, file, l, i, err);
    return st == PRVCUT_OK ? prvcut_buffer_append(b, "", 1, err) : st;
}

enum prvcut_status prvcut_sample_simpoints(const struct prvcut_sample *s, size_t length,
                                           const char *prefix, bool force, struct prvcut_error *err)
{
    static const char *const suffix[SPT_FILES] = { ".simpoints", ".weights", ".starts" };
    const struct made_sample_length *l =
        length < s->lengths ? &made_sample_of(s)->length[length] : NULL;
    const int files = s->of_time ? SPT_FILES : SPT_STARTS;
    struct prvcut_buffer path[SPT_FILES] = { { 0 } }, text[SPT_FILES] = { { 0 } };
    struct prvcut_text file[SPT_FILES];
    enum prvcut_status st = PRVCUT_OK;

    if (!l || l->is.reason)
        return prvcut_fail(err, PRVCUT_EUSAGE, "that length has no clusters");
    for (int i = 0; i < files && st == PRVCUT_OK; i++) {
        st = prvcut_buffer_printf(&path[i], err, "%s%s", prefix, suffix[i]);
        if (st == PRVCUT_OK)
            st = spt_text(&text[i], i, l, err);
        file[i] = (struct prvcut_text){ path[i].at, text[i].at };
    }
    if (st == PRVCUT_OK)
        st = prvcut_texts_write(file, (size_t)files, force, err);
    for (int i = 0; i < SPT_FILES; i++) {
        prvcut_buffer_fini(&path[i]);
        prvcut_buffer_fini(&text[i]);
    }
    return st;
}
