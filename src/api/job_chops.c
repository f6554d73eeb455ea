#include "api/job.h"
#include "api/job_why.h"
#include "api/own_folder.h"

#include "base/buffer.h"
#include "base/folder.h"
#include "base/memory.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A set of files that appear together; zeroed: each chop goes where it belongs at once. */
struct stage {
    struct prvcut_folder *folder;
    char **inside; /* [count] the chops' paths in the folder; owned */
    size_t count;
};

static void jch_stage_fini(struct stage *s)
{
    prvcut_folder_abandon(s->folder);
    for (size_t i = 0; i < s->count; i++)
        free(s->inside[i]);
    free(s->inside);
}

static const char *jch_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static char *jch_joined(const char *folder, const char *name)
{
    return prvcut_printed("a file name", NULL, "%s/%s", folder, name);
}

/* A device or FIFO has no place for a set of files. */
static bool jch_is_file_name(const char *path)
{
    struct stat s;

    return stat(path, &s) != 0 || S_ISREG(s.st_mode);
}

/* What is done after a cut may fail, and so may the next cut. */
static bool jch_wants_stage(const struct job *j, const struct job_plan *plan)
{
    if (j->options->cut->dry_run || (plan->count == 1 && !jch_is_file_name(plan->at[0].path)))
        return false;
    if (prvcut_own_folder_is_for(j->trace, j->options->cut))
        return true;
    return plan->count > 1 || job_proves(j);
}

/* The name of a companion: the main file's without its suffixes, and the companion's own. */
static char *jch_companion_name(const struct job *j, const char *path, const char *suffix)
{
    const struct prvcut_reader *reader = j->trace->reader;
    const char *name = jch_base_name(path);
    const char *const ends[] = { ".gz", ".zst", reader->format->suffix };
    size_t stem = strlen(name);
    char *out = prvcut_unset(1, stem + strlen(suffix) + 1, "a file name", NULL);

    for (size_t i = reader->format->packs ? 0 : 2; i < 3; i++) {
        const size_t n = strlen(ends[i]);

        if (stem > n && strncmp(name + stem - n, ends[i], n) == 0)
            stem -= n;
    }
    if (out) {
        memcpy(out, name, stem);
        strcpy(out + stem, suffix);
    }
    return out;
}

/* All that the chops may bring, so that nothing is read in vain where a name is taken; labels that
   they do not bring would be taken for theirs. */
static char **jch_names_of(const struct job *j, const struct job_plan *plan, size_t *count)
{
    const struct prvcut_trace *t = j->trace;
    char **name = prvcut_zeroed(plan->count * (1 + t->companions) + 1, sizeof *name, "names", NULL);

    *count = 0;
    for (size_t i = 0; name && i < plan->count; i++) {
        if (i > 0)
            name[(*count)++] = prvcut_copied_text(jch_base_name(plan->at[i].path), "a name", NULL);
        for (unsigned k = 0; k < t->companions; k++)
            name[(*count)++] = jch_companion_name(j, plan->at[i].path, t->companion[k].suffix);
    }
    return name;
}

static void jch_free_names(char **name, size_t count)
{
    for (size_t i = 0; name && i < count; i++)
        free(name[i]);
    free(name);
}

static bool jch_is_folder(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* A folder may hold anything: it is replaced only where the original has one. */
static enum prvcut_status jch_refuse_folders(const struct job *j, const char *path,
                                             struct prvcut_error *err)
{
    const struct prvcut_trace *t = j->trace;
    const size_t folder = (size_t)(jch_base_name(path) - path);
    enum prvcut_status st = PRVCUT_OK;

    if (jch_is_folder(path))
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: is a folder, not a file", path);
    for (unsigned k = 0; k < t->companions && st == PRVCUT_OK; k++) {
        struct prvcut_buffer at = { 0 };
        char *name;

        if (!t->companion[k].path || jch_is_folder(t->companion[k].path))
            continue;
        name = jch_companion_name(j, path, t->companion[k].suffix);
        st = name ? prvcut_buffer_printf(&at, err, "%.*s%s", (int)folder, path, name)
                  : prvcut_no_memory(err, "a name");
        if (st == PRVCUT_OK && jch_is_folder(at.at))
            st = prvcut_fail(err, PRVCUT_EUSAGE, "%s: is a folder, not a file", at.at);
        prvcut_buffer_fini(&at);
        free(name);
    }
    return st;
}

/* Cuts that have folders of their own. */
static enum prvcut_status jch_stage_own(struct stage *s, const struct job *j,
                                        const struct job_plan *plan, struct prvcut_error *err)
{
    const char **path = prvcut_zeroed(plan->count, sizeof *path, "names", err);
    enum prvcut_status st = PRVCUT_OK;

    s->inside = prvcut_zeroed(plan->count, sizeof *s->inside, "names", err);
    if (!path || !s->inside)
        st = PRVCUT_ENOMEM;
    for (size_t i = 0; i < plan->count && st == PRVCUT_OK; i++)
        path[i] = plan->at[i].path;
    if (st == PRVCUT_OK)
        st = prvcut_own_folder_open(&s->folder, path, plan->count, j->options->cut->force, err);
    for (size_t i = 0; i < plan->count && st == PRVCUT_OK; i++) {
        st = prvcut_own_folder_make(&s->inside[i], s->folder, path[i], err);
        s->count = i + 1;
        plan->at[i].place.cut.path = s->inside[i];
    }
    free(path);
    return st;
}

static enum prvcut_status jch_stage_open(struct stage *s, const struct job *j,
                                         const struct job_plan *plan, struct prvcut_error *err)
{
    size_t count = 0;
    char **name;
    bool all;
    enum prvcut_status st = PRVCUT_OK;

    if (prvcut_own_folder_is_for(j->trace, j->options->cut))
        return jch_stage_own(s, j, plan, err);
    name = jch_names_of(j, plan, &count);
    all = name != NULL;

    for (size_t i = 0; i < count; i++)
        all = all && name[i];
    for (size_t i = 0; i < plan->count && st == PRVCUT_OK; i++)
        st = jch_refuse_folders(j, plan->at[i].path, err);
    if (st < 0) {
        jch_free_names(name, count);
        return st;
    }
    s->inside = all ? prvcut_zeroed(plan->count, sizeof *s->inside, "cuts", NULL) : NULL;
    st = s->inside ? prvcut_folder_open(&s->folder, plan->at[0].path, (const char *const *)name,
                                        j->options->cut->force, err)
                   : prvcut_no_memory(err, "the names of cuts");
    jch_free_names(name, count);
    s->count = st == PRVCUT_OK ? plan->count : 0;
    for (size_t i = 0; i < s->count; i++) {
        s->inside[i] = jch_joined(prvcut_folder_path(s->folder), jch_base_name(plan->at[i].path));
        if (!s->inside[i])
            return prvcut_no_memory(err, "a name");
        plan->at[i].place.cut.path = s->inside[i];
    }
    return st;
}

/* Files are reported where they will stand: in the folder of the path that was planned, or as told.
 */
static enum prvcut_status jch_report_places(struct prvcut_cut_summary *sum, const struct job *j,
                                            const char *path, struct prvcut_error *err)
{
    const size_t folder = (size_t)(jch_base_name(path) - path);

    return prvcut_own_folder_tell(sum, j->told ? j->told : path, j->told ? strlen(j->told) : folder,
                                  err);
}

/* All of the loop's time on the thread that leads; clear: of the regions, where iterations were
   not told one by one. */
static double jch_loop_ns(const struct made_structure *s, const struct made_region *of)
{
    double stretches = 0, regions = 0;

    for (size_t i = 0; i < s->is.stretches; i++) {
        const struct prvcut_stretch *t = &s->stretch[i];

        if (prvcut_stretch_is_of(t, of) && t->borders > 0)
            stretches += (double)(t->border[t->borders - 1] - t->border[0]);
    }
    for (size_t i = 0; i < s->is.regions; i++)
        if (prvcut_regions_share_loop(&s->region[i], of))
            regions += (double)(s->region[i].is.span.end - s->region[i].is.span.start);
    return stretches > 0 ? stretches : regions;
}

/* How many iterations a cut stands for, and how much of the loop's time these take. */
static void jch_start_weight(struct made_chop *chop, const struct job *j,
                             const struct job_planned *p)
{
    const struct made_structure *s = &j->out->structure;
    const struct made_region *r = &s->region[p->region];

    chop->is.of_kind = p->kind;
    chop->is.share = NAN;
    if (p->kind > 0) {
        chop->is.weight = j->out->kind[p->kind - 1].iterations;
        chop->is.share = j->out->kind[p->kind - 1].share;
    } else if (chop->is.kind == PRVCUT_CHOP_TYPICAL) {
        const bool all = p->of_loop || prvcut_region_is_whole_loop(r);
        const double part = (double)(r->is.span.end - r->is.span.start) / jch_loop_ns(s, r);

        chop->is.weight = all ? r->is.loop_iterations : (uint64_t)(r->is.iterations + 0.5);
        chop->is.share = all ? 1 : fmin(1, part);
    }
}

void job_chop_start(struct made_chop *chop, const struct job *j, const struct job_planned *p)
{
    const struct made_region *r = &j->out->structure.region[p->region];
    const uint64_t start = p->place.choice.window.start;
    const bool inside = p->place.steps > 0;
    uint64_t off = UINT64_MAX;

    *chop =
        (struct made_chop){ .is.kind = p->unusual                            ? PRVCUT_CHOP_OUTLIER
                                       : p->tag.kind == REPORT_TAG_ITERATION ? PRVCUT_CHOP_GIVEN
                                                                             : PRVCUT_CHOP_TYPICAL,
                            .is.region = p->region,
                            .is.level = r->is.level,
                            .is.number = r->is.number,
                            .is.of_loop = p->of_loop,
                            .is.inside = inside,
                            .is.iterations = p->place.iterations,
                            .is.first = p->unusual ? p->outlier.iteration : UINT64_MAX,
                            .is.why = p->place.choice.why,
                            .is.similarity = p->place.choice.similarity };
    for (size_t i = 0; !p->unusual && !p->of_loop && !inside && i < r->is.borders; i++) {
        const uint64_t d =
            r->is.border[i] > start ? r->is.border[i] - start : start - r->is.border[i];

        if (d >= off)
            continue;
        off = d;
        chop->is.first = i;
    }
    if (p->tag.kind == REPORT_TAG_ITERATION)
        chop->is.iteration = p->tag.first;
    else if (p->of_loop && !inside)
        chop->is.iteration = prvcut_iteration_near(&j->out->structure, r, start);
    else if (chop->is.first != UINT64_MAX && r->is.first > 0)
        chop->is.iteration = r->is.first + chop->is.first;
    jch_start_weight(chop, j, p);
    if (!inside)
        chop->kinds_held = job_kinds_held(j, p->region, &p->place.choice.window);
}

/* The borders of all, then all cuts in one go. */
static enum prvcut_status jch_lay_and_cut(struct job *j, const struct job_plan *plan,
                                          struct job_laid *laid, struct prvcut_subtrace *sub,
                                          struct prvcut_error *err)
{
    struct made_reduction *r = j->out;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < plan->count && st == PRVCUT_OK; i++) {
        struct made_chop *chop = &r->chop[r->is.chops++];

        job_chop_start(chop, j, &plan->at[i]);
        chop->is.path = prvcut_copied_text(
            j->told ? jch_base_name(plan->at[i].path) : plan->at[i].path, "a name", err);
        st = chop->is.path ? job_lay(&laid[i], j, &plan->at[i].place, chop, err) : PRVCUT_ENOMEM;
        sub[i] = (struct prvcut_subtrace){ &laid[i].window, &plan->at[i].place.cut, &chop->cut };
    }
    return st < 0 ? st : job_cut(j, sub, r->chop, plan->count, err);
}

static enum prvcut_status jch_cut_all(struct job *j, const struct job_plan *plan, bool staged,
                                      struct prvcut_error *err)
{
    struct made_reduction *r = j->out;
    struct job_laid *laid = prvcut_zeroed(plan->count, sizeof *laid, "cuts", err);
    struct prvcut_subtrace *sub = prvcut_zeroed(plan->count, sizeof *sub, "cuts", err);
    enum prvcut_status st = PRVCUT_ENOMEM;

    r->chop = prvcut_zeroed(plan->count, sizeof *r->chop, "cuts", err);
    if (r->chop && laid && sub)
        st = jch_lay_and_cut(j, plan, laid, sub, err);
    for (size_t i = 0; i < plan->count && st == PRVCUT_OK && staged; i++)
        st = jch_report_places(&r->chop[i].cut, j, plan->at[i].path, err);
    for (size_t i = 0; laid && i < plan->count; i++)
        job_laid_fini(&laid[i]);
    free(laid);
    free(sub);
    return st;
}

/* The page tells of chops: it appears with them, or neither does. */
static enum prvcut_status jch_page_and_chops(struct job *j, struct stage *stage,
                                             struct prvcut_error *err)
{
    enum prvcut_status st;

    j->set = stage->folder ? prvcut_folder_set(stage->folder) : NULL;
    st = job_page(j, err);
    j->set = NULL;
    if (st == PRVCUT_OK && stage->folder) {
        st = prvcut_folder_commit(stage->folder, NULL, err);
        stage->folder = NULL;
    }
    if (st < 0) {
        free(j->out->is.page);
        j->out->is.page = NULL;
    }
    return st;
}

static enum prvcut_status jch_make(struct job *j, const struct job_plan *plan,
                                   struct prvcut_error *err)
{
    struct stage stage = { 0 };
    const bool staged = jch_wants_stage(j, plan);
    enum prvcut_status st = staged ? jch_stage_open(&stage, j, plan, err) : PRVCUT_OK;

    if (st == PRVCUT_OK)
        st = jch_cut_all(j, plan, staged, err);
    if (st == PRVCUT_OK)
        st = job_proofs(j, plan, err);
    if (st == PRVCUT_OK)
        st = job_better(j, err);
    if (st == PRVCUT_OK)
        st = job_why(j, plan, err);
    if (st == PRVCUT_OK)
        st = jch_page_and_chops(j, &stage, err);
    jch_stage_fini(&stage);
    return st;
}

enum prvcut_status job_chops(struct job *j, struct prvcut_error *err)
{
    struct job_plan plan;
    enum prvcut_status st = job_plan_make(j, &plan, err);

    if (st == PRVCUT_OK && j->trace->clocks.skewed)
        job_aside(j, j->options->cut->own_clocks
                         ? "the cut keeps each rank's own clock, though they contradict each other"
                         : "the cut has the clocks brought together; --own-clocks keeps each "
                           "rank's own");
    if (st == PRVCUT_OK)
        st = jch_make(j, &plan, err);
    job_plan_fini(&plan);
    return st;
}
