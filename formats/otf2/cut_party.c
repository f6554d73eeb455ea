#include "otf2/cut_follow.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- Copies of what comes before a window ------------------------------------------------- */

/* The table's items are copies; what they own has to be copied, too. */
static bool par_copy_orders(struct o2_place *to)
{
    struct o2_channel *c = to->channels.at;
    bool good = true;

    for (size_t i = 0; i < to->channels.count; i++) {
        const struct o2_order *from = c[i].order;

        c[i].order = NULL;
        good = good && o2_order_copy(&c[i].order, from);
    }
    return good;
}

static bool par_copy_calls(struct o2_place *to, const struct o2_place *from)
{
    to->calls = NULL;
    to->calls_room = to->callss = from->callss;
    if (from->callss == 0)
        return true;
    to->calls = prvcut_unset(from->callss, sizeof *to->calls, "communicators", NULL);
    if (!to->calls)
        return false;
    memcpy(to->calls, from->calls, from->callss * sizeof *to->calls);
    return true;
}

/* Before a window there are no stretches, posts to be made again or marks. */
static bool par_copy(struct o2_place *to, const struct o2_place *from)
{
    const struct o2_place own = *to;
    bool good = true;

    *to = *from;
    to->cutter = own.cutter;
    to->from = own.from;
    to->to = own.to;
    to->shift = own.shift;
    to->due = own.due;
    to->sift = own.sift;
    good &= o2_state_copy(&to->state, &from->state);
    good &= prvcut_table_copy(&to->pending, &from->pending, NULL) == PRVCUT_OK;
    good &= prvcut_table_copy(&to->channels, &from->channels, NULL) == PRVCUT_OK;
    good &= o2_posts_copy(&to->posts, from->posts);
    good &= par_copy_orders(to);
    good &= par_copy_calls(to, from);
    if (!good)
        o2_need(to, false);
    return good;
}

/* --- Who is there ------------------------------------------------------------------------- */

static enum prvcut_status par_places(struct o2_party *g, size_t places, struct prvcut_error *err)
{
    *g = (struct o2_party){ .next = UINT64_MAX };
    g->at = prvcut_unset(places, sizeof(struct o2_place *), "cuts", err);
    g->later = prvcut_unset(places, sizeof(struct o2_place *), "cuts", err);
    return g->at && g->later ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* The latest first; of those that begin together, in any order. */
static int par_order(const void *a, const void *b)
{
    const struct o2_place *const *x = a, *const *y = b;

    return ((*x)->from < (*y)->from) - ((*x)->from > (*y)->from);
}

static void par_expect(struct o2_party *g)
{
    g->next = g->laters > 0 ? g->later[g->laters - 1]->from : UINT64_MAX;
}

enum prvcut_status o2_party_init(struct o2_party *g, struct o2_cutter *row, size_t rows,
                                 uint32_t thread, struct prvcut_error *err)
{
    const enum prvcut_status st = par_places(g, rows, err);

    if (st < 0)
        return st;
    for (size_t i = 0; i < rows; i++)
        g->later[i] = &row[i].place[thread];
    qsort(g->later, rows, sizeof(struct o2_place *), par_order);
    g->at[g->count++] = g->later[0];
    memmove(g->later, g->later + 1, (rows - 1) * sizeof(struct o2_place *));
    g->laters = rows - 1;
    par_expect(g);
    return PRVCUT_OK;
}

enum prvcut_status o2_party_alone(struct o2_party *g, struct o2_place *p, struct prvcut_error *err)
{
    const enum prvcut_status st = par_places(g, 1, err);

    if (st == PRVCUT_OK)
        g->at[g->count++] = p;
    return st;
}

void o2_party_fini(struct o2_party *g)
{
    free(g->at);
    free(g->later);
}

/* The follower's own window begins with the last of the others, or after it. */
void o2_party_begin(struct o2_party *g, uint64_t time)
{
    while (g->laters > 0 && g->later[g->laters - 1]->from <= time) {
        struct o2_place *p = g->later[--g->laters];

        par_copy(p, g->at[0]);
        g->at[g->count++] = p;
    }
    par_expect(g);
}

OTF2_CallbackCode o2_party_go_on(struct o2_party *g)
{
    size_t kept = 0;
    bool failed = false;

    for (size_t i = 0; i < g->count; i++) {
        failed = failed || g->at[i]->status < 0;
        if (g->at[i]->answer == OTF2_CALLBACK_SUCCESS)
            g->at[kept++] = g->at[i];
    }
    /* With windows to come, the first one is still before its own. */
    if (failed || kept == 0)
        return OTF2_CALLBACK_INTERRUPT;
    g->count = kept;
    return OTF2_CALLBACK_SUCCESS;
}
