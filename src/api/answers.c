#include "api/answers.h"

#include "analysis/efficiency/efficiency_runs.h"
#include "analysis/proof.h"
#include "base/memory.h"
#include "model/texts.h"
#include "structure/divide.h"

#include <stdlib.h>
#include <string.h>

/* --- Lifetime ------------------------------------------------------------------------------- */

void api_structure_fini(struct made_structure *s)
{
    for (size_t i = 0; i < s->is.regions; i++)
        prvcut_region_fini(&s->region[i]);
    for (size_t i = 0; i < s->is.masks; i++)
        prvcut_mask_fini(&s->mask[i]);
    prvcut_stretches_free(s->stretch, s->is.stretches);
    free(s->region);
    free(s->mask);
    free(s->typed);
    free(s->cuts);
    free(s->texts);
    memset(s, 0, sizeof *s);
}

void prvcut_structure_free(struct prvcut_structure *s)
{
    if (s)
        api_structure_fini((struct made_structure *)s);
    free(s);
}

void api_marking_fini(struct made_marking *m)
{
    api_structure_fini(&m->structure);
    prvcut_texts_free(m->file, m->is.files);
    memset(m, 0, sizeof *m);
}

void prvcut_marking_free(struct prvcut_marking *m)
{
    if (m)
        api_marking_fini((struct made_marking *)m);
    free(m);
}

void api_cut_fini(struct prvcut_cut_summary *s)
{
    prvcut_texts_free(s->file, s->files);
    prvcut_texts_free(s->note, s->notes);
    memset(s, 0, sizeof *s);
}

void prvcut_cut_summary_free(struct prvcut_cut_summary *s)
{
    if (s)
        api_cut_fini(s);
    free(s);
}

void prvcut_filter_summary_free(struct prvcut_filter_summary *s)
{
    if (s) {
        prvcut_texts_free(s->file, s->files);
        prvcut_texts_free(s->note, s->notes);
    }
    free(s);
}

void prvcut_convert_summary_free(struct prvcut_convert_summary *s)
{
    if (s) {
        prvcut_texts_free(s->file, s->files);
        prvcut_texts_free(s->note, s->notes);
    }
    free(s);
}

void api_slow_cause_fini(struct prvcut_slow_cause *c)
{
    free(c->call);
    free(c->partner_call);
    free(c->partner_code);
    free(c->origin_call);
}

void api_chop_fini(struct made_chop *c)
{
    free(c->is.thread);
    free(c->is.path);
    free(c->is.worst_call);
    for (size_t i = 0; i < c->is.causes; i++)
        api_slow_cause_fini(&c->cause[i]);
    api_cut_fini(&c->cut);
    prvcut_proof_fini(&c->proof);
}

void api_reduction_fini(struct made_reduction *r)
{
    for (size_t i = 0; i < r->is.notes; i++)
        free(r->note[i]);
    for (size_t i = 0; i < r->is.chops; i++)
        api_chop_fini(&r->chop[i]);
    for (size_t i = 0; i < r->is.totals; i++)
        free(r->total[i].name);
    free(r->is.path);
    free(r->typed);
    free(r->cuts);
    prvcut_texts_free(r->who, r->whos);
    free(r->leader);
    free(r->is.name);
    free(r->vote);
    free(r->chop);
    free(r->heat.number);
    free(r->heat.ns);
    if (r->efficiency)
        prvcut_efficiency_runs_fini(r->efficiency);
    free(r->efficiency);
    free(r->is.page);
    free(r->is.archive);
    api_structure_fini(&r->structure);
    memset(r, 0, sizeof *r);
}

void prvcut_reduction_free(struct prvcut_reduction *r)
{
    if (r)
        api_reduction_fini((struct made_reduction *)r);
    free(r);
}

enum prvcut_status api_reduction_tell(struct prvcut_reduction **out, struct made_reduction *made,
                                      enum prvcut_status st)
{
    *out = NULL;
    if (!made || st < 0) {
        prvcut_reduction_free(made ? &made->is : NULL);
        return st;
    }
    made->is.clocks = &made->clocks;
    made->is.structure = &made->structure.is;
    for (size_t i = 0; i < made->is.chops; i++) {
        made->chop[i].is.cut = &made->chop[i].cut;
        made->chop[i].is.proof = &made->chop[i].proof.is;
    }
    *out = &made->is;
    return st;
}

enum prvcut_status api_structure_tell(struct prvcut_structure **out, struct made_structure *made,
                                      enum prvcut_status st)
{
    *out = made && st >= 0 ? &made->is : NULL;
    if (made && st < 0)
        prvcut_structure_free(&made->is);
    return st;
}

enum prvcut_status api_marking_tell(struct prvcut_marking **out, struct made_marking *made,
                                    enum prvcut_status st)
{
    *out = made && st >= 0 ? &made->is : NULL;
    if (made && st < 0)
        prvcut_marking_free(&made->is);
    if (*out) {
        made->is.structure = &made->structure.is;
        made->is.timeline = &made->timeline;
    }
    return st;
}

/* --- Parts ---------------------------------------------------------------------------------- */

uint64_t prvcut_convert_summary_lost(const struct prvcut_convert_summary *s, enum prvcut_carry what)
{
    return what < PRVCUT_CARRIES ? made_convert_summary_of(s)->lost[what] : 0;
}

const struct prvcut_proof_row *prvcut_proof_row(const struct prvcut_proof *p, size_t i)
{
    return i < p->rows ? &made_proof_of(p)->row[i] : NULL;
}

const struct prvcut_proof_row *prvcut_proof_wait(const struct prvcut_proof *p, size_t i)
{
    return i < p->waits ? &made_proof_of(p)->wait[i] : NULL;
}

const struct prvcut_chop *prvcut_reduction_chop(const struct prvcut_reduction *r, size_t i)
{
    return i < r->chops ? &made_reduction_of(r)->chop[i].is : NULL;
}

const struct prvcut_slow_cause *prvcut_chop_cause(const struct prvcut_chop *c, size_t i)
{
    return i < c->causes ? &made_chop_of(c)->cause[i] : NULL;
}

const struct prvcut_kind *prvcut_reduction_kind(const struct prvcut_reduction *r, size_t i)
{
    return i < r->kinds ? &made_reduction_of(r)->kind[i] : NULL;
}

const struct prvcut_total *prvcut_reduction_total(const struct prvcut_reduction *r, size_t i)
{
    return i < r->totals ? &made_reduction_of(r)->total[i] : NULL;
}

const struct prvcut_vote *prvcut_reduction_vote(const struct prvcut_reduction *r, size_t i)
{
    return i < r->votes ? &made_reduction_of(r)->vote[i] : NULL;
}

const char *prvcut_reduction_note(const struct prvcut_reduction *r, size_t i)
{
    return i < r->notes ? made_reduction_of(r)->note[i] : NULL;
}

const struct prvcut_region *prvcut_structure_region(const struct prvcut_structure *s, size_t i)
{
    return i < s->regions ? &made_structure_of(s)->region[i].is : NULL;
}

const struct prvcut_stretch *prvcut_structure_stretch(const struct prvcut_structure *s, size_t i)
{
    return i < s->stretches ? &made_structure_of(s)->stretch[i] : NULL;
}

const struct prvcut_mask *prvcut_structure_mask(const struct prvcut_structure *s, size_t i)
{
    return i < s->masks ? &made_structure_of(s)->mask[i] : NULL;
}

const struct prvcut_vote *prvcut_region_vote(const struct prvcut_region *r, size_t i)
{
    return i < r->votes ? &made_region_of(r)->vote[i] : NULL;
}

const struct prvcut_outlier *prvcut_region_outlier(const struct prvcut_region *r, size_t i)
{
    return i < r->outliers ? &made_region_of(r)->outlier[i] : NULL;
}

const struct prvcut_departure *prvcut_region_departure(const struct prvcut_region *r, size_t i)
{
    return i < r->departures ? &made_region_of(r)->departure[i] : NULL;
}

const char *prvcut_marking_file(const struct prvcut_marking *m, size_t i)
{
    return i < m->files ? made_marking_of(m)->file[i] : NULL;
}

/* --- Said by the program -------------------------------------------------------------------- */

void prvcut_marking_set_typical(struct prvcut_marking *m, unsigned iterations,
                                const struct prvcut_span *span)
{
    m->typical = iterations;
    m->typical_span = *span;
}
