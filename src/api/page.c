#include "report/page.h"
#include "api/called.h"
#include "api/census.h"
#include "api/comm.h"
#include "api/entries.h"
#include "api/job.h"
#include "api/job_efficiency.h"
#include "api/job_view.h"
#include "api/job_waits.h"
#include "api/page_drawings.h"
#include "api/page_picks.h"
#include "api/profile.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "base/output.h"

#include <stdlib.h>
#include <string.h>

/* What the page can show: it shall open at once, however large the trace. */
#define SEARCHES_MOST 12

/* What the page borrows. */
struct work {
    struct prvcut_page_search search[SEARCHES_MOST];
    size_t searches;
    struct prvcut_timeline timeline[PAGE_TIMELINES];
    size_t timelines;
    struct page_picks picks;
    struct prvcut_profile *lines, *calls;
    struct prvcut_comm *comm;
    const struct prvcut_wait_states *waits; /* the job's */
};

static void pge_work_fini(struct work *w)
{
    prvcut_comm_free(w->comm);
    prvcut_profile_free(w->lines);
    prvcut_profile_free(w->calls);
    page_picks_fini(&w->picks);
    for (size_t i = 0; i < w->timelines; i++)
        prvcut_timeline_fini(&w->timeline[i]);
}

/* The part of a signal that lies in a span; count 0 where there is none. */
static struct prvcut_curve pge_slice(const struct prvcut_signal *s, struct prvcut_span span)
{
    size_t from, to;

    if (!s->at || s->width == 0 || s->bins == 0)
        return (struct prvcut_curve){ .name = "", .unit = "" };
    from = span.start > s->start ? (size_t)((span.start - s->start) / s->width) : 0;
    to = span.end > s->start ? (size_t)((span.end - s->start + s->width - 1) / s->width) : 0;
    to = to > s->bins ? s->bins : to;
    from = from > to ? to : from;
    return (struct prvcut_curve){ .name = s->name,
                                  .unit = s->unit,
                                  .start = (double)s->start + (double)from * (double)s->width,
                                  .step = (double)s->width,
                                  .at = s->at + from,
                                  .count = to - from };
}

/* Where a search looked: around the region, or inside the iteration that it divides. */
static struct prvcut_span pge_searched(const struct made_structure *s, const struct made_region *r)
{
    return r->is.parent < s->is.regions ? s->region[r->is.parent].is.example : r->is.span;
}

static void pge_add_search(struct work *w, const struct job *j, size_t region)
{
    const struct made_structure *s = &j->out->structure;
    const struct prvcut_signal *signal = &j->known.at[j->known.of_region[region]].signal;

    w->search[w->searches++] = (struct prvcut_page_search){
        .region = region, .signal = pge_slice(signal, pge_searched(s, &s->region[region]))
    };
}

/* The longest region of a loop. */
static size_t pge_region_of_loop(const struct made_structure *s, unsigned loop)
{
    size_t best = SIZE_MAX;
    uint64_t most = 0;

    for (size_t i = 0; i < s->is.regions; i++) {
        const struct made_region *r = &s->region[i];

        if (r->is.loop != loop || r->is.span.end - r->is.span.start <= most)
            continue;
        most = r->is.span.end - r->is.span.start;
        best = i;
    }
    return best;
}

static void pge_add_searches(struct work *w, const struct job *j)
{
    const struct made_structure *s = &j->out->structure;

    for (unsigned level = 1; level <= s->is.levels; level++)
        for (unsigned loop = 1; loop <= s->is.loops; loop++) {
            const size_t region = pge_region_of_loop(s, loop);

            if (region == SIZE_MAX || s->region[region].is.level != level ||
                j->known.of_region[region] >= j->known.count || w->searches == SEARCHES_MOST)
                continue;
            pge_add_search(w, j, region);
        }
}

static enum prvcut_status pge_timelines(struct work *w, struct job *j, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < j->out->is.chops && i < PAGE_TIMELINES && st == PRVCUT_OK; i++)
        st = job_drawings_read(&w->timeline[w->timelines++], j, i, err);
    return st;
}

/* The signal that led to the main loop; without one the first that the trace holds. */
static struct prvcut_curve pge_leading(const struct job *j)
{
    const struct made_structure *s = &j->out->structure;
    const struct prvcut_signal *best = NULL;

    for (size_t i = 0; i < j->witnesses && !best; i++)
        if (!j->witness[i].calls && job_signal(j, j->witness[i].name)->at)
            best = job_signal(j, j->witness[i].name);
    if (s->is.main < s->is.regions && j->known.of_region &&
        j->known.of_region[s->is.main] < j->known.count) {
        const struct prvcut_signal *led = &j->known.at[j->known.of_region[s->is.main]].signal;

        best = led->at ? led : best;
    }
    return best ? pge_slice(best, s->is.span) : (struct prvcut_curve){ .name = "", .unit = "" };
}

/* What decides which loop is found, and how its iterations are counted. owns: the result; NULL:
   nothing */
static char *pge_options_again(const struct job *j)
{
    static const char own[] =
        "iterations,iteration,region,regions,level,kinds,outliers,output,compress,"
        "report,archive,all-definitions";
    const struct prvcut_again *again = j->run->again;

    return again ? again->options(again->ctx, "", own) : NULL;
}

static enum prvcut_status pge_write_page(struct job *j, const struct work *w, const char *trace,
                                         struct prvcut_error *err)
{
    char *options = pge_options_again(j), mark[JOB_VIEW_MARK];
    const struct prvcut_reduce_options *o = j->options;
    const struct prvcut_page page = { .reduction = j->out,
                                      .command = o->typed ? o->typed : o->cut->command,
                                      .mark = job_view_mark(j, mark),
                                      .trace = trace,
                                      .options = options,
                                      .own_colours = !census_is_named(j->trace),
                                      .run = pge_leading(j),
                                      .search = w->search,
                                      .searches = w->searches,
                                      .timeline = w->timeline,
                                      .timelines = w->timelines,
                                      .pick = w->picks.at,
                                      .picks = w->picks.count,
                                      .kind = w->picks.kind,
                                      .kinds = w->picks.kinds,
                                      .lines = w->lines,
                                      .calls = w->calls,
                                      .comm = w->comm,
                                      .waits = w->waits };
    char *text = NULL;
    enum prvcut_status st = prvcut_page_html(&page, &text, err);

    if (st == PRVCUT_OK)
        st = prvcut_output_text(j->set, j->options->report, text, job_page_replaces(j), err);
    free(text);
    free(options);
    return st;
}

/* The page tells where it stands itself, and what archive it is in. */
static enum prvcut_status pge_tell_place(struct job *j, struct prvcut_error *err)
{
    const char *path = j->options->report, *slash = strrchr(path, '/');
    struct prvcut_buffer told = { 0 };
    enum prvcut_status st = PRVCUT_OK;

    if (j->told)
        st = prvcut_buffer_printf(&told, err, "%s%s", j->told, slash ? slash + 1 : path);
    if (st < 0)
        return st;
    j->out->is.page = j->told ? told.at : prvcut_copied_text(path, "a name", NULL);
    j->out->is.archive = j->archive ? prvcut_copied_text(j->archive, "a name", NULL) : NULL;
    if (!j->out->is.page || (j->archive && !j->out->is.archive))
        return prvcut_no_memory(err, "a name");
    return PRVCUT_OK;
}

static void pge_tell_no_place(struct made_reduction *r)
{
    free(r->is.page);
    free(r->is.archive);
    r->is.page = r->is.archive = NULL;
}

/* Who sends to whom in the run, as it was told with the waits; what is too large is left out. */
static enum prvcut_status pge_ask_comm(struct work *w, struct job *j, struct prvcut_error *err)
{
    struct made_comm *made = prvcut_zeroed(1, sizeof *made, "messages", err);
    struct prvcut_run quiet = *job_view_run(j);
    enum prvcut_status st;

    if (!made)
        return PRVCUT_ENOMEM;
    /* Its passes are not the job's. */
    quiet.progress = NULL;
    st = job_view_fits(j, api_comm_of_run(j->trace, &quiet, j->comm, made, err), err);
    if (st == PRVCUT_OK) {
        w->comm = &made->is;
        return PRVCUT_OK;
    }
    prvcut_comm_free(&made->is);
    return job_page_without(j, st, "who sends to whom is not told", err);
}

/* Who waits: where the proof did not ask, the run is read once more. */
static enum prvcut_status pge_ask_waits(struct work *w, struct job *j, struct prvcut_error *err)
{
    struct prvcut_run quiet = *job_view_run(j);
    enum prvcut_status st;

    quiet.progress = NULL;
    st = job_waits_tell(j, &quiet, err);
    w->waits = j->waits ? &j->waits->is : NULL;
    return st;
}

/* What threads call in each region, for which the run is read once more. */
static enum prvcut_status pge_ask_nests(struct job *j, struct prvcut_error *err)
{
    struct prvcut_run quiet = *job_view_run(j);
    enum prvcut_status st;

    quiet.progress = NULL;
    st = job_view_fits(j, api_structure_nests(&j->out->structure, j->trace, &quiet, err), err);
    return job_page_without(j, st, "what threads call in each region is not told", err);
}

/* What threads did in the slowest iteration and in one of each kind. */
static enum prvcut_status pge_ask_picks(struct work *w, struct job *j, struct prvcut_error *err)
{
    const struct prvcut_timeline_room room = job_drawings_room(j);
    struct prvcut_run quiet = *job_view_run(j);
    enum prvcut_status st;

    quiet.progress = NULL;
    st = job_view_fits(j, page_picks_read(&w->picks, j, &quiet, &room, err), err);
    if (st == PRVCUT_ELIMIT)
        page_picks_fini(&w->picks);
    return job_page_without(j, st, "the slowest iteration is not shown", err);
}

static bool pge_has_lines(const struct prvcut_trace *t)
{
    for (size_t i = 0; i < t->types; i++)
        if (t->type[i].role == PRVCUT_ROLE_CALLER_LINE)
            return true;
    return false;
}

/* Does the trace tell where in the source its functions begin? */
static enum prvcut_status pge_has_sources(bool *out, struct prvcut_trace *t,
                                          struct prvcut_error *err)
{
    struct prvcut_dictionary names = { .types = 0 };
    enum prvcut_status st = t->reader->describe(t, &names, err);

    *out = false;
    for (size_t i = 0; st == PRVCUT_OK && i < names.types; i++)
        for (size_t k = 0; names.type[i].role == PRVCUT_ROLE_REGION && k < names.type[i].values;
             k++)
            *out = *out || prvcut_value_has_source(&names.type[i].value[k]);
    prvcut_dictionary_fini(&names);
    return st;
}

/* A profile of the whole run, which is read once more; NULL: it does not fit. */
static enum prvcut_status pge_profile(struct prvcut_profile **out, struct job *j, uint32_t views,
                                      const char *without, struct prvcut_error *err)
{
    const struct prvcut_profile_options by = { .by = views };
    struct made_profile *made = prvcut_zeroed(1, sizeof *made, "a profile", err);
    struct prvcut_run quiet = *job_view_run(j);
    enum prvcut_status st;

    if (!made)
        return PRVCUT_ENOMEM;
    *out = &made->is;
    quiet.progress = NULL;
    st = job_view_fits(j, api_profile_with_lines(j->trace, &quiet, &by, made, NULL, err), err);
    if (st == PRVCUT_ELIMIT) {
        prvcut_profile_free(*out);
        *out = NULL;
    }
    return job_page_without(j, st, without, err);
}

/* From which source lines MPI is called, where callers are recorded; or else in which lines
   functions begin, where that is told. */
static enum prvcut_status pge_ask_lines(struct work *w, struct job *j, struct prvcut_error *err)
{
    const bool lines = pge_has_lines(j->trace);
    bool any = lines;
    enum prvcut_status st = lines ? PRVCUT_OK : pge_has_sources(&any, j->trace, err);

    if (st < 0 || !any)
        return st;
    return pge_profile(&w->lines, j, lines ? PRVCUT_PROFILE_BY_LINE : PRVCUT_PROFILE_BY_FUNCTION,
                       "source lines are not told", err);
}

/* Where the time of a run goes from which nothing was cut. */
static enum prvcut_status pge_ask_calls(struct work *w, struct job *j, struct prvcut_error *err)
{
    if (j->out->is.chops > 0 || !job_has_roles(j->trace, PRVCUT_ROLES_MPI))
        return PRVCUT_OK;
    return pge_profile(&w->calls, j, PRVCUT_PROFILE_BY_CALL, "the time in calls is not told", err);
}

enum prvcut_status job_page(struct job *j, struct prvcut_error *err)
{
    const struct prvcut_run *const run = j->run;
    struct prvcut_run alone = *run;
    struct work w = { .searches = 0 };
    char *trace = NULL;
    enum prvcut_status st;

    if (!job_wants_page(j))
        return PRVCUT_OK;
    /* Of several ranks this is the one that writes: the others have no part in it. */
    j->run = &alone;
    alone.exchange = NULL;
    pge_add_searches(&w, j);
    st = job_efficiency(j, err);
    if (st == PRVCUT_OK)
        st = pge_ask_waits(&w, j, err);
    if (st == PRVCUT_OK)
        st = pge_ask_comm(&w, j, err);
    if (st == PRVCUT_OK)
        st = pge_ask_nests(j, err);
    if (st == PRVCUT_OK)
        st = pge_timelines(&w, j, err);
    if (st == PRVCUT_OK)
        st = pge_ask_picks(&w, j, err);
    if (st == PRVCUT_OK)
        st = pge_ask_lines(&w, j, err);
    if (st == PRVCUT_OK)
        st = pge_ask_calls(&w, j, err);
    if (st == PRVCUT_OK)
        st = pge_tell_place(j, err);
    if (st == PRVCUT_OK)
        st = prvcut_trace_typed(&trace, j->trace, err);
    if (st == PRVCUT_OK)
        st = pge_write_page(j, &w, trace, err);
    j->run = run;
    free(trace);
    pge_work_fini(&w);
    if (st < 0)
        pge_tell_no_place(j->out);
    return st;
}
