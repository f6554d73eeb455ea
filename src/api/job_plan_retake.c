#include "api/job.h"
#include "api/job_plan.h"

unsigned job_place_borders(const struct job_place *place)
{
    return place->steps > 0 ? place->iterations * place->steps : place->iterations;
}

enum prvcut_status job_plan_retake_in(struct job *j, struct job_planned *p,
                                      const struct prvcut_known_loop *loop, size_t region,
                                      struct prvcut_span window, struct prvcut_error *err)
{
    const double similarity = p->place.choice.similarity;
    struct prvcut_choice_input in = job_plan_choice_in(j, loop, region);
    enum prvcut_status st;

    in.iterations = job_place_borders(&p->place);
    st = prvcut_choose_given(&p->place.choice, &in, window, err);
    p->place.choice.similarity = similarity;
    p->place.loop = loop;
    p->lead_ns = window.start;
    p->of_loop = p->of_loop || p->widest;
    p->region = region;
    job_plan_keep_inside(&p->place.choice, job_span(j));
    return st;
}

enum prvcut_status job_plan_retake(struct job *j, struct job_planned *p, size_t region,
                                   struct prvcut_span window, struct prvcut_error *err)
{
    const struct prvcut_known_loop *loop = job_plan_loop(j, region);
    enum prvcut_status st = PRVCUT_OK;

    p->place.steps = 0;
    if (!job_plan_holds(loop, &window))
        st = job_plan_join(&loop, j, region, err);
    return st < 0 ? st : job_plan_retake_in(j, p, loop, region, window, err);
}
