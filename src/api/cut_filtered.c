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

/* Names of the filters may be of what the window does not hold: the cut keeps all definitions. */
static enum prvcut_status cfl_both(struct prvcut_trace *t, const struct prvcut_run *run,
                                   const struct prvcut_window *window,
                                   const struct prvcut_cut_options *options, const char *path,
                                   struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    struct prvcut_cut_options all = *options;
    enum prvcut_status st;

    all.path = path;
    all.filter = NULL;
    all.filters = 0;
    all.dry_run = false;
    all.all_definitions = true;
    st = t->reader->cut(t, run, window, &all, out, err);
    return st == PRVCUT_OK ? cfl_filter(path, t, run, options, out, err) : st;
}

/* Cut, and filtered, as it is without Scalasca. */
static enum prvcut_status cfl_cut(struct prvcut_trace *t, const struct prvcut_run *run,
                                  const struct prvcut_window *window,
                                  const struct prvcut_cut_options *options,
                                  struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    struct writers_apart apart;
    enum prvcut_status st;

    if (options->filters == 0 || able_is(t->reader, PRVCUT_ABLE_RULES))
        return t->reader->cut(t, run, window, options, out, err);
    st = writers_apart_begin(&apart, options->path, options->dry_run, err);
    if (st == PRVCUT_OK)
        st = cfl_both(t, run, window, options, apart.path, out, err);
    writers_apart_end(&apart);
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

enum prvcut_status cut_filtered(struct prvcut_trace *t, const struct prvcut_run *run,
                                const struct prvcut_window *window,
                                const struct prvcut_cut_options *options,
                                struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    struct prvcut_cut_options plain = *options;
    struct writers_apart apart;
    enum prvcut_status st;

    if (!options->for_scalasca)
        return cfl_cut(t, run, window, options, out, err);
    st = writers_apart_begin(&apart, options->path, options->dry_run, err);
    plain.path = apart.path;
    plain.dry_run = false;
    if (st == PRVCUT_OK)
        st = cfl_cut(t, run, window, &plain, out, err);
    if (st == PRVCUT_OK)
        st = cfl_again(apart.path, t, run, options, out, err);
    writers_apart_end(&apart);
    return st;
}
