#include "api/page_drawings.h"

#include "api/census.h"
#include "api/job_efficiency.h"
#include "api/job_view.h"
#include "api/phase.h"
#include "base/memory.h"

#include <stdlib.h>

/* Of the timelines that the page shows, so many listen to the reading of the proof: each holds its
   grid meanwhile. */
#define TIMELINES_BESIDE 2
#define ROWS             64
#define COLUMNS          1000
#define MESSAGES         2000

struct drawing {
    struct prvcut_timeline timeline;
    struct prvcut_timeline_reading *reading;
    uint64_t *border;
};

struct job_drawings {
    struct drawing at[TIMELINES_BESIDE];
    size_t count;
    const struct prvcut_listener *listener[2 * TIMELINES_BESIDE + 1]; /* and the factors' */
    size_t listeners;
};

static void pge_drawing_fini(struct drawing *d)
{
    prvcut_timeline_free(d->reading);
    prvcut_timeline_fini(&d->timeline);
    free(d->border);
    *d = (struct drawing){ .border = NULL };
}

/* Formats that name their regions are shown by these, as their own viewers do. */
struct prvcut_timeline_room job_drawings_room(const struct job *j)
{
    return (struct prvcut_timeline_room){ ROWS, COLUMNS, MESSAGES, census_is_named(j->trace) };
}

static enum prvcut_status pge_drawing_init(struct drawing *d, struct job *j,
                                           const struct made_chop *chop, struct prvcut_error *err)
{
    struct prvcut_timeline_wish wish = { .run = j->run, .room = job_drawings_room(j) };

    d->border = prvcut_unset(2 * (size_t)chop->is.threads + 1, sizeof *d->border, "borders", err);
    if (!d->border)
        return PRVCUT_ENOMEM;
    wish.window = job_window(chop, d->border);
    return prvcut_timeline_new(&d->reading, &d->timeline, j->trace, &wish, err);
}

/* heard: its listeners listened to the reading of the proof */
static enum prvcut_status pge_drawing_finish(struct drawing *d, const struct job *j, bool heard,
                                             struct prvcut_timeline *out, struct prvcut_error *err)
{
    struct api_phase drawing;
    enum prvcut_status st;

    api_phase_init(&drawing, j->run, PRVCUT_PHASE_DRAWING);
    if (j->run->progress)
        j->run->progress(j->run->ctx, PRVCUT_PHASE_DRAWING, 0, 0);
    st = prvcut_timeline_draw(d->reading, &drawing.run, heard, err);
    *out = d->timeline;
    d->timeline = (struct prvcut_timeline){ .rows = 0 };
    return st;
}

void job_drawings_free(struct job_drawings *d)
{
    for (size_t i = 0; d && i < d->count; i++)
        pge_drawing_fini(&d->at[i]);
    free(d);
}

size_t job_drawings_listeners(const struct job_drawings *d,
                              const struct prvcut_listener *const **listener)
{
    *listener = d ? d->listener : NULL;
    return d ? d->listeners : 0;
}

enum prvcut_status job_drawings_new(struct job *j, struct prvcut_error *err)
{
    struct job_drawings *d = NULL;
    enum prvcut_status st = PRVCUT_OK;

    if (!job_wants_page(j))
        return PRVCUT_OK;
    j->drawings = d = prvcut_zeroed(1, sizeof *d, "timelines", err);
    if (!d)
        return PRVCUT_ENOMEM;
    while (d->count < j->out->is.chops && d->count < TIMELINES_BESIDE && st == PRVCUT_OK) {
        struct drawing *at = &d->at[d->count];
        const struct prvcut_listener *const *listener;
        size_t listeners = 0;

        st = pge_drawing_init(at, j, &j->out->chop[d->count++], err);
        if (st == PRVCUT_OK)
            listeners = prvcut_timeline_listeners(at->reading, &listener);
        for (size_t i = 0; i < listeners; i++)
            d->listener[d->listeners++] = listener[i];
    }
    if (st == PRVCUT_OK)
        st = job_factors_new(j, err);
    if (st == PRVCUT_OK && j->factors)
        d->listener[d->listeners++] = job_factors_listener(j->factors);
    return st;
}

enum prvcut_status job_drawings_read(struct prvcut_timeline *out, struct job *j, size_t chop,
                                     struct prvcut_error *err)
{
    struct drawing alone = { .border = NULL };
    enum prvcut_status st;

    if (j->drawings && chop < j->drawings->count)
        return pge_drawing_finish(&j->drawings->at[chop], j, true, out, err);
    st = pge_drawing_init(&alone, j, &j->out->chop[chop], err);
    if (st == PRVCUT_OK)
        st = pge_drawing_finish(&alone, j, false, out, err);
    pge_drawing_fini(&alone);
    return st;
}
