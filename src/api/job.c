#include "api/job.h"
#include "api/comm.h"
#include "api/job_borders.h"
#include "api/job_efficiency.h"
#include "api/job_kinds.h"
#include "api/job_windows.h"
#include "api/page_drawings.h"

#include <stdlib.h>

void job_fini(struct job *j)
{
    job_windows_free(j->windows);
    job_lain_free(j);
    j->windows = NULL;
    job_kinds_free(j->kinds);
    j->kinds = NULL;
    job_drawings_free(j->drawings);
    j->drawings = NULL;
    job_factors_free(j->factors);
    j->factors = NULL;
    prvcut_wait_states_free(j->waits ? &j->waits->is : NULL);
    j->waits = NULL;
    api_comm_hearing_free(j->comm);
    j->comm = NULL;
    job_borders_forget(j);
    prvcut_collection_fini(&j->data);
    prvcut_masks_fini(&j->masks);
    while (j->joined) {
        struct job_joined *next = j->joined->next;

        prvcut_known_loop_fini(&j->joined->loop);
        free(j->joined);
        j->joined = next;
    }
    prvcut_known_loops_fini(&j->known);
    free(j->mask);
}
