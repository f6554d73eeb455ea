#include "api/answers.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- Lifetime ------------------------------------------------------------------------------- */

static void ans_chop_fini(struct made_chop *c)
{
    free(c->is.thread);
    free(c->is.path);
    prvcut_cut_summary_fini(&c->cut);
    prvcut_proof_fini(&c->proof);
}

void api_reduction_fini(struct made_reduction *r)
{
    for (size_t i = 0; i < r->is.notes; i++)
        free(r->note[i]);
    for (size_t i = 0; i < r->is.chops; i++)
        ans_chop_fini(&r->chop[i]);
    free(r->is.path);
    free(r->typed);
    free(r->is.name);
    free(r->vote);
    free(r->chop);
    free(r->is.page);
    free(r->is.archive);
    prvcut_structure_fini(&r->structure);
    memset(r, 0, sizeof *r);
}

void prvcut_reduction_free(struct prvcut_reduction *r)
{
    if (r)
        api_reduction_fini((struct made_reduction *)r);
    free(r);
}

enum prvcut_status api_reduction_new(struct made_reduction **out, struct prvcut_error *err)
{
    *out = prvcut_zeroed(1, sizeof **out, "an answer", err);
    return *out ? PRVCUT_OK : PRVCUT_ENOMEM;
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
    made->is.structure = &made->structure;
    for (size_t i = 0; i < made->is.chops; i++) {
        made->chop[i].is.cut = &made->chop[i].cut;
        made->chop[i].is.proof = &made->chop[i].proof;
    }
    *out = &made->is;
    return st;
}

/* --- Parts ---------------------------------------------------------------------------------- */

const struct prvcut_chop *prvcut_reduction_chop(const struct prvcut_reduction *r, size_t i)
{
    return i < r->chops ? &made_reduction_of(r)->chop[i].is : NULL;
}

const struct prvcut_vote *prvcut_reduction_vote(const struct prvcut_reduction *r, size_t i)
{
    return i < r->votes ? &made_reduction_of(r)->vote[i] : NULL;
}

const char *prvcut_reduction_note(const struct prvcut_reduction *r, size_t i)
{
    return i < r->notes ? made_reduction_of(r)->note[i] : NULL;
}
