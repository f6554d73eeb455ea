#include "api/job.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/own_folder.h"

#include "structure/stretch.h"

#include <string.h>

/* Is it the region that is cut by default, or one of its loop that stands in for it? */
static bool jnm_is_main(const struct job *j, size_t region)
{
    const struct made_structure *s = &j->out->structure;
    const char *regions = j->options->regions;

    if (job_names_region(regions) || s->is.main >= s->is.regions)
        return false;
    if (job_default_level(j) == 2)
        return s->region[region].is.level == 2;
    if (regions && strcmp(regions, "all") == 0)
        return region == s->is.main;
    return prvcut_regions_share_loop(&s->region[region], &s->region[s->is.main]);
}

static const struct made_region *jnm_names_region_of(const struct job *j,
                                                     const struct job_planned *p)
{
    return &j->out->structure.region[p->region];
}

/* The job's single cut has the plain name, unless a region was named; all others say where they
   are from. So do those of further groups of threads, beside the one of the run's loop. */
static void jnm_tag_all(const struct job *j, struct job_plan *plan)
{
    size_t typical = 0;
    bool plain;

    for (size_t i = 0; i < plan->count; i++)
        typical += !plan->at[i].unusual && plan->at[i].kind <= 1 &&
                   jnm_names_region_of(j, &plan->at[i])->is.group == 0;
    plain = typical == 1 && !job_wants_whole(j) && jnm_is_main(j, plan->at[0].region);
    for (size_t i = 0; i < plan->count; i++) {
        struct job_planned *p = &plan->at[i];
        const struct made_region *r = jnm_names_region_of(j, p);
        const bool chop = plain && r->is.group == 0;

        if (p->tag.kind == REPORT_TAG_ITERATION)
            continue;
        if (p->kind > 0) {
            p->tag = (struct report_tag){ .kind = REPORT_TAG_KIND, .of_kind = p->kind };
            continue;
        }
        p->tag = (struct report_tag){ .outlier = p->tag.outlier,
                                      .kind = p->unusual
                                                  ? chop ? REPORT_TAG_OUTLIER : REPORT_TAG_OF_REGION
                                              : chop ? REPORT_TAG_CHOP
                                                     : REPORT_TAG_REGION,
                                      .level = r->is.level,
                                      .region = r->is.number };
    }
}

/* What is counted from --from only is no number of the loop's. */
static void jnm_put_tag(char out[64], const struct job *j, const struct report_tag *tag)
{
    const struct report_tag plain = { .kind = REPORT_TAG_CHOP };

    report_tag_text(
        out, tag->kind != REPORT_TAG_ITERATION || job_names_iterations(j->options) ? tag : &plain);
}

/* Is it the run's only cut, but for those of further groups, which are named after it? It gets the
   name that was given. */
static bool jnm_names_takes_path(const struct job *j, const struct job_plan *plan, size_t which)
{
    size_t others = 0;

    for (size_t i = 0; i < plan->count; i++)
        others += i != which && jnm_names_region_of(j, &plan->at[i])->is.group == 0;
    return others == 0 &&
           (plan->count == 1 || jnm_names_region_of(j, &plan->at[which])->is.group == 0);
}

enum prvcut_status job_plan_name(struct job *j, struct job_plan *plan, struct prvcut_error *err)
{
    const struct prvcut_cut_options *o = j->options->cut;
    const bool own = prvcut_own_folder_is_for(j->trace, o);
    enum prvcut_status st = PRVCUT_OK;

    jnm_tag_all(j, plan);
    for (size_t i = 0; i < plan->count && st == PRVCUT_OK; i++) {
        struct job_planned *p = &plan->at[i];
        char tag[64];

        jnm_put_tag(tag, j, &p->tag);
        if (!o->path)
            st = prvcut_output_name(&p->path, j->trace->reader, prvcut_trace_shown(j->trace), tag,
                                    o->compress, err);
        else if (j->like)
            st = prvcut_output_sibling(&p->path, j->trace->reader, j->like, tag, o->compress, err);
        else if (jnm_names_takes_path(j, plan, i))
            st = prvcut_output_named(&p->path, j->trace, o->path, o->compress, err);
        else
            st = prvcut_output_sibling(&p->path, j->trace->reader, o->path, tag, o->compress, err);
        if (st == PRVCUT_OK)
            st = prvcut_output_check(j->trace, p->path, err);
        if (st == PRVCUT_OK && j->options->report)
            st = prvcut_output_keeps_off(j->trace, p->path, j->options->report, err);
        if (st == PRVCUT_OK && own && j->options->report)
            st = prvcut_own_folder_keeps_off(p->path, j->options->report, err);
        if (st == PRVCUT_OK && !j->looks)
            st = prvcut_output_cut_is_free(p->path, j->trace, o, err);
        p->place.cut.path = p->path;
    }
    return st;
}
