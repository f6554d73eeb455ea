#include "api/job_why_who.h"

#include "api/job_kinds.h"
#include "api/job_why.h"

#include "model/texts.h"
#include "report/why.h"
#include "structure/known.h"

#include <inttypes.h>
#include <stdio.h>

/* Room for who it was. */
#define JWH_ROOM 160

/* "rank 3 (thread 1.4.2)", and of an archive with its own name: of a rank that has several. */
static char *jwh_who(char out[JWH_ROOM], const struct prvcut_trace *t, const char *const *name,
                     uint32_t thread)
{
    const struct prvcut_objects *o = &t->objects;
    const bool own = t->reader->by_thread && name && name[thread];
    char number[48];

    snprintf(out, JWH_ROOM, "rank %" PRIu32 " (%s%.80s)", o->thread_task[thread],
             t->reader->by_thread ? "" : "thread ",
             own ? name[thread] : prvcut_objects_number_text(o, thread, number));
    return out;
}

enum prvcut_status job_why_name_threads(const struct job_why_spent *w, struct prvcut_error *err)
{
    struct made_reduction *r = w->j->out;
    enum prvcut_status st = PRVCUT_OK;
    char text[JWH_ROOM];

    for (uint32_t i = (uint32_t)r->whos;
         !report_by_rank(r) && i < w->found.threads && st == PRVCUT_OK; i++)
        st = prvcut_texts_add(&r->who, &r->whos,
                              jwh_who(text, w->j->trace, w->found.names.thread, i), err);
    return st;
}

enum prvcut_status job_why_leader(char **out, struct job *j, struct prvcut_error *err)
{
    const struct prvcut_known_loop *f = &j->known.at[j->known.of_region[j->kinds->region]];
    const size_t leader = prvcut_known_loop_leader(f);
    const uint32_t threads = j->trace->objects.threads;
    uint32_t thread;
    char text[JWH_ROOM];

    *out = NULL;
    if (leader >= f->calls.sequences || threads < 2)
        return PRVCUT_OK;
    thread = f->sequence[leader].thread;
    if (thread >= threads)
        return PRVCUT_OK;
    if (report_by_rank(j->out))
        snprintf(text, sizeof text, "rank %" PRIu32, thread);
    else if (thread < j->out->whos)
        snprintf(text, sizeof text, "%s", j->out->who[thread]);
    else
        jwh_who(text, j->trace, NULL, thread);
    *out = prvcut_copied_text(text, "names", err);
    return *out ? PRVCUT_OK : PRVCUT_ENOMEM;
}
