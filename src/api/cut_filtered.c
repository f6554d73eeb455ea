#include "api/cut_filtered.h"

#include "api/able.h"
#include "api/entries.h"
#include "api/remake.h"
#include "api/writers.h"
#include "base/memory.h"
#include "model/texts.h"

#include <stdlib.h>

/* The files and counts are those of what is left, and notes of the filter follow those of the cut.
 */
static enum prvcut_status cfl_tell(struct prvcut_cut_summary *out, struct prvcut_filter_summary *f,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    prvcut_texts_free(out->file, out->files);
    out->file = f->file;
    out->files = f->files;
    f->file = NULL;
    f->files = 0;
    out->states = f->states;
    out->events = f->events;
    out->messages = f->messages;
    out->bytes = f->bytes;
    out->disk = f->disk;
    out->size = f->size;
    for (size_t i = 0; i < f->notes && st == PRVCUT_OK; i++)
        st = prvcut_texts_add(&out->note, &out->notes, f->note[i], err);
    return st;
}

/* Its clocks are as they are to be; what is wrong with it is told of the trace that it is cut from.
 */
static enum prvcut_status cfl_open(struct prvcut_trace **out, const char *path,
                                   const struct prvcut_trace *t, struct prvcut_error *err)
{
    const struct prvcut_open_options raw = { .raw_clocks = true, .no_index = true };
    const enum prvcut_status st = api_trace_open(out, path, &raw, err);

    if (st < 0)
        return st;
    (*out)->cut_on_the_way = true;
    (*out)->told = prvcut_copied_text(prvcut_trace_told(t), "a file name", err);
    return (*out)->told ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status cfl_filter(const char *path, const struct prvcut_trace *t,
                                     const struct prvcut_run *run,
                                     const struct prvcut_cut_options *options,
                                     struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    struct prvcut_filter_summary left = { 0 };
    struct prvcut_trace *cut = NULL;
    enum prvcut_status st = cfl_open(&cut, path, t, err);

    if (st == PRVCUT_OK)
        st = filter_copy(cut, run, options, &left, err);
    if (st == PRVCUT_OK)
        st = cfl_tell(out, &left, err);
    prvcut_texts_free(left.file, left.files);
    prvcut_texts_free(left.note, left.notes);
    prvcut_trace_close(cut);
    return st;
}

/* --- For Scalasca ----------------------------------------------------------------------------- */

/* The files are those that are written again, and so are the notes that follow. */
static enum prvcut_status cfl_tell_again(struct prvcut_cut_summary *out,
                                         struct made_convert_summary *sum, bool dry_run,
                                         struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    prvcut_texts_free(out->file, out->files);
    out->file = sum->is.file;
    out->files = sum->is.files;
    sum->is.file = NULL;
    sum->is.files = 0;
    out->bytes = sum->is.bytes;
    out->disk = out->size = dry_run ? 0 : sum->is.bytes;
    for (size_t i = 0; i < sum->is.notes && st == PRVCUT_OK; i++)
        st = prvcut_texts_add(&out->note, &out->notes, sum->is.note[i], err);
    return st;
}

/* Write a cut again, with what Scalasca needs. */
static enum prvcut_status cfl_again(const char *path, const struct prvcut_trace *t,
                                    const struct prvcut_run *run,
                                    const struct prvcut_cut_options *options,
                                    struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    char *scratch = writers_scratch(path);
    /* A dry run leaves nothing, and its output's folder may not be there. */
    const struct prvcut_convert_options to = { .path = options->dry_run ? path : options->path,
                                               .force = options->force || options->dry_run,
                                               .dry_run = options->dry_run,
                                               .command = options->command,
                                               .scratch = scratch,
                                               .for_scalasca = true };
    struct made_convert_summary sum = { 0 };
    struct prvcut_trace *cut = NULL;
    enum prvcut_status st =
        scratch ? cfl_open(&cut, path, t, err) : prvcut_no_memory(err, "a file name");

    if (st == PRVCUT_OK)
        st = remake_write(
            (struct cnv_job){ .trace = cut, .run = run, .states = cut->states_recorded }, &to, &sum,
            err);
    if (st == PRVCUT_OK)
        st = cfl_tell_again(out, &sum, options->dry_run, err);
    prvcut_texts_free(sum.is.file, sum.is.files);
    prvcut_texts_free(sum.is.note, sum.is.notes);
    prvcut_trace_close(cut);
    free(scratch);
    return st;
}

/* --- All of it ---------------------------------------------------------------------------- */

/* A sub-trace on its way: it is cut, then filtered, then written again, as far as that is wanted.
 */
struct cfl_way {
    struct prvcut_cut_options cut, filtered; /* of the first two steps */
    struct writers_apart before_filter, before_again;
};

static bool cfl_needs_filter(const struct prvcut_trace *t, const struct prvcut_cut_options *o)
{
    return o->filters > 0 && !able_is(t->reader, PRVCUT_ABLE_RULES);
}

/* Names of the filters may be of what the window does not hold: the cut keeps all definitions. */
static enum prvcut_status cfl_begin(struct cfl_way *w, const struct prvcut_trace *t,
                                    const struct prvcut_cut_options *o, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    w->filtered = *o;
    if (o->for_scalasca) {
        st = writers_apart_begin(&w->before_again, o->path, o->dry_run, err);
        w->filtered.path = w->before_again.path;
        w->filtered.dry_run = false;
    }
    w->cut = w->filtered;
    if (st < 0 || !cfl_needs_filter(t, o))
        return st;
    st = writers_apart_begin(&w->before_filter, w->filtered.path, w->filtered.dry_run, err);
    w->cut.path = w->before_filter.path;
    w->cut.filter = NULL;
    w->cut.filters = 0;
    w->cut.dry_run = false;
    w->cut.all_definitions = true;
    return st;
}

static enum prvcut_status cfl_end(const struct cfl_way *w, const struct prvcut_trace *t,
                                  const struct prvcut_run *run, const struct prvcut_subtrace *sub,
                                  struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (cfl_needs_filter(t, sub->options))
        st = cfl_filter(w->before_filter.path, t, run, &w->filtered, sub->out, err);
    if (st == PRVCUT_OK && sub->options->for_scalasca)
        st = cfl_again(w->before_again.path, t, run, sub->options, sub->out, err);
    return st;
}

static enum prvcut_status cfl_cut(struct prvcut_trace *t, const struct prvcut_run *run,
                                  const struct prvcut_subtrace *sub, size_t count,
                                  struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i += PRVCUT_SUBTRACES_MOST) {
        const size_t rest = count - i;

        st = t->reader->cut(t, run, sub + i,
                            rest < PRVCUT_SUBTRACES_MOST ? rest : PRVCUT_SUBTRACES_MOST, err);
    }
    return st;
}

enum prvcut_status cut_filtered(struct prvcut_trace *t, const struct prvcut_run *run,
                                const struct prvcut_subtrace *sub, size_t count,
                                struct prvcut_error *err)
{
    struct cfl_way *way = prvcut_zeroed(count, sizeof *way, "cuts", err);
    struct prvcut_subtrace *cut = prvcut_unset(count, sizeof *cut, "cuts", err);
    enum prvcut_status st = way && cut ? PRVCUT_OK : PRVCUT_ENOMEM;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        st = cfl_begin(&way[i], t, sub[i].options, err);
        cut[i] = (struct prvcut_subtrace){ sub[i].window, &way[i].cut, sub[i].out };
    }
    if (st == PRVCUT_OK)
        st = cfl_cut(t, run, cut, count, err);
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        st = cfl_end(&way[i], t, run, &sub[i], err);
    for (size_t i = 0; way && i < count; i++) {
        writers_apart_end(&way[i].before_filter);
        writers_apart_end(&way[i].before_again);
    }
    free(cut);
    free(way);
    return st;
}
