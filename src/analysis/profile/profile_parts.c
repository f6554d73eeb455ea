#include "analysis/profile/profile_add.h"
#include "analysis/profile/profile_pace.h"

#include "analysis/proof_pass.h"
#include "base/memory.h"

#include <stdlib.h>

/* The stretches of one part. */
struct parts_of {
    struct prvcut_proof_region *stretch; /* [count]; owned */
    uint32_t *slot;                      /* [count] of all; owned */
    size_t count;
};

static struct prvcut_span ppt_hull(const struct prvcut_profile_found *f, size_t slot)
{
    return f->cells.piece[f->cells.of[slot]].span;
}

static void ppt_choose(struct parts_of *p, const struct prvcut_profile_found *f,
                       const struct prvcut_profile_asked *asked, const struct prvcut_span *part)
{
    p->count = 0;
    for (size_t i = 0; i < asked->stretches; i++) {
        const struct prvcut_span hull = ppt_hull(f, i);

        if (hull.start < part->start || hull.end > part->end)
            continue;
        p->stretch[p->count] = asked->stretch[i];
        p->slot[p->count++] = (uint32_t)i;
    }
}

static enum prvcut_status ppt_add_cells(struct prvcut_table *to, const struct prvcut_table *from,
                                        const struct parts_of *p, struct prvcut_error *err)
{
    const struct prvcut_profile_cell *at = from->at;

    for (size_t i = 0; i < from->count; i++) {
        struct prvcut_profile_key key = at[i].key;
        struct prvcut_profile_cell *cell;

        key.slot = p->slot[key.slot];
        cell = prvcut_table_make(to, &key, err);
        if (!cell)
            return PRVCUT_ENOMEM;
        *cell = at[i];
        cell->key = key;
    }
    return PRVCUT_OK;
}

static enum prvcut_status ppt_read(struct prvcut_profile_found *f, struct prvcut_trace *t,
                                   const struct prvcut_run *run,
                                   const struct prvcut_profile_asked *asked,
                                   const struct parts_of *p, struct prvcut_error *err)
{
    struct prvcut_profile_found one;
    enum prvcut_status st = prvcut_profile_read(&one, t, run, asked, err);

    if (st == PRVCUT_OK)
        st = ppt_add_cells(&f->cell, &one.cell, p, err);
    if (st == PRVCUT_OK)
        st = ppt_add_cells(&f->off, &one.off, p, err);
    if (st == PRVCUT_OK)
        st = ppt_add_cells(&f->pace, &one.pace, p, err);
    if (st == PRVCUT_OK)
        st = prvcut_profile_paces_add(&f->paces, &one.paces, err);
    f->any |= one.any;
    prvcut_causality_add(&f->order, &one.order);
    f->told |= one.told;
    prvcut_profile_found_fini(&one);
    return st;
}

enum prvcut_status prvcut_profile_read_parts(struct prvcut_profile_found *f, struct prvcut_trace *t,
                                             const struct prvcut_run *run,
                                             const struct prvcut_profile_asked *asked,
                                             const struct prvcut_proof_only *parts,
                                             struct prvcut_error *err)
{
    struct parts_of p = {
        prvcut_unset(asked->stretches + 1, sizeof *p.stretch, "iterations", err),
        prvcut_unset(asked->stretches + 1, sizeof *p.slot, "iterations", err),
        0,
    };
    struct prvcut_run quiet = *run;
    enum prvcut_status st = prvcut_profile_begin(f, t, asked, err);

    /* How far that is in all nobody could tell. */
    quiet.progress = NULL;
    f->end_ns = t->end_ns;
    if (!p.stretch || !p.slot)
        st = PRVCUT_ENOMEM;
    for (size_t i = 0; i < parts->spans && st == PRVCUT_OK && f->apart; i++) {
        const struct prvcut_span *part = &parts->span[i];
        struct prvcut_profile_asked some = *asked;

        ppt_choose(&p, f, asked, part);
        some.stretch = p.stretch;
        some.stretches = p.count;
        some.only =
            (struct prvcut_span){ part->start > parts->before ? part->start - parts->before : 0,
                                  part->end };
        st = ppt_read(f, t, &quiet, &some, &p, err);
    }
    free(p.stretch);
    free(p.slot);
    return st;
}
