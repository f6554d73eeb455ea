#include "api/answers.h"
#include "api/entries.h"
#include "api/job.h"
#include "api/profile_stretches.h"

enum prvcut_status api_stretches_find(struct api_stretches *s, struct prvcut_trace *trace,
                                      const struct prvcut_run *run,
                                      const struct prvcut_profile_options *o, bool typical,
                                      struct prvcut_error *err)
{
    struct made_reduction all = { .is.reason = "" };
    struct job job = api_profile_job(trace, run, o, &all);
    enum prvcut_status st;

    st = job_analyse(&job, err);
    st = api_stretches_lay(s, &job, st, o, typical, err);
    job_fini(&job);
    api_reduction_fini(&all);
    return st;
}
