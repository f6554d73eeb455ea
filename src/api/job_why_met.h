#ifndef PRVCUT_API_JOB_WHY_MET_H
#define PRVCUT_API_JOB_WHY_MET_H

#include "api/job_why_say.h"
#include "model/made.h"

/** "MPI_Recv". owns: the text; NULL: PRVCUT_ENOMEM */
char *job_why_call_name(const struct job_why_spent *w, const struct prvcut_proof_key *call,
                        struct prvcut_error *err);

/** Are so many bytes, beside what is usual, why something takes ns longer, as far as any network is
    that slow? */
bool job_why_is_bigger(double bytes, double usual, double ns);

/** For whom the thread of a cause waited in the longest of its calls of that kind, and where that
    began, into c->cause[cause], as far as it is looked for. n: of the picks; call: one of w->call.
    errors: those of the reader, PRVCUT_ENOMEM */
enum prvcut_status job_why_meet(struct made_chop *c, size_t cause, struct job_why_spent *w,
                                const struct job_why_explained *e, size_t n,
                                const struct prvcut_proof_key *call, struct prvcut_error *err);

#endif
