#include "api/index.h"
#include "api/job_unusual.h"

static enum prvcut_status ijb_find(struct job *j, struct prvcut_error *err)
{
    enum prvcut_status st;

    j->end_ns = j->trace->end_ns;
    if (index_recall_division(j)) {
        st = job_tell_input(j, err);
        job_tell_others(j);
        return st == PRVCUT_OK && !j->out->is.periodic ? PRVCUT_NONE : st;
    }
    st = job_collect(j, err);
    return st == PRVCUT_OK ? job_divide(j, err) : st;
}

enum prvcut_status job_analyse(struct job *j, struct prvcut_error *err)
{
    const enum prvcut_status st = ijb_find(j, err);

    return st == PRVCUT_OK ? job_unusual_settle(j, err) : st;
}
