#include "api/remake.h"

#include "api/writers.h"
#include "base/memory.h"
#include "model/texts.h"

#include <stdlib.h>

enum prvcut_status remake_write(struct cnv_job job, const struct prvcut_convert_options *to,
                                struct made_convert_summary *out, struct prvcut_error *err)
{
    struct prvcut_convert_options o = { .path = to->path,
                                        .force = to->force,
                                        .dry_run = to->dry_run,
                                        .command = to->command,
                                        .memory = to->memory,
                                        .scratch = to->scratch,
                                        .for_scalasca = to->for_scalasca };
    char *folder = NULL;
    enum prvcut_status st;

    job.writer = writers_named(job.trace->reader->format->name);
    job.options = &o;
    if (!o.scratch)
        o.scratch = folder = writers_scratch(to->path);
    if (!o.scratch)
        return prvcut_no_memory(err, "a file name");
    out->is.from = out->is.to = job.trace->reader->format->name;
    st = cnv_run(&job, out, err);
    free(folder);
    return st;
}

void remake_drop_notes(struct made_convert_summary *out)
{
    prvcut_texts_free(out->is.note, out->is.notes);
    out->is.note = NULL;
    out->is.notes = 0;
}

/* --- Filters ---------------------------------------------------------------------------------- */

/* What the filters of a trace need while it is remade. */
struct remaking {
    struct prvcut_dictionary dictionary;
    struct prvcut_rules rules;
    struct prvcut_notes notes;
};

static enum prvcut_status rmk_begin(struct remaking *m, struct prvcut_trace *t,
                                    const struct prvcut_cut_options *o, struct prvcut_error *err)
{
    struct prvcut_rule_labels labels;
    enum prvcut_status st;

    *m = (struct remaking){ 0 };
    st = t->reader->describe(t, &m->dictionary, err);
    labels = prvcut_rule_labels_of(&m->dictionary);
    return st < 0 ? st
                  : prvcut_rules_init(&m->rules, o->filter, o->filters, &labels, &t->objects,
                                      &m->notes, err);
}

/* The notes are handed over before. */
static void rmk_end(struct remaking *m)
{
    prvcut_rules_fini(&m->rules);
    prvcut_dictionary_fini(&m->dictionary);
    prvcut_notes_fini(&m->notes);
}

/* The converter's counts are not asked: the sift counts lines and what went. */
static enum prvcut_status rmk_write(struct prvcut_trace *t, const struct prvcut_run *run,
                                    const struct prvcut_cut_options *options, const char *path,
                                    struct cnv_sift *sift, struct prvcut_error *err)
{
    const struct prvcut_convert_options to = { .path = path,
                                               .force = options->force || options->dry_run,
                                               .dry_run = options->dry_run,
                                               .command = options->command };
    const struct cnv_job job = { .trace = t, .run = run, .states = true, .sift = sift };
    struct made_convert_summary sum = { 0 };
    struct prvcut_filter_summary *out = sift->sum;
    const enum prvcut_status st = remake_write(job, &to, &sum, err);

    out->bytes = out->disk = out->size = sum.is.bytes;
    out->file = sum.is.file;
    out->files = sum.is.files;
    remake_drop_notes(&sum);
    return st;
}

static enum prvcut_status rmk_place(struct prvcut_trace *t, const struct prvcut_run *run,
                                    const struct prvcut_cut_options *options, struct cnv_sift *sift,
                                    struct prvcut_error *err)
{
    struct writers_apart apart;
    enum prvcut_status st;

    if (!options->dry_run)
        return rmk_write(t, run, options, options->path, sift, err);
    st = writers_apart_begin(&apart, options->path, true, err);
    if (st == PRVCUT_OK)
        st = rmk_write(t, run, options, apart.path, sift, err);
    writers_apart_end(&apart);
    return st;
}

static enum prvcut_status rmk_filter(struct prvcut_trace *t, const struct prvcut_run *run,
                                     const struct prvcut_cut_options *options,
                                     struct prvcut_filter_summary *out, struct prvcut_error *err)
{
    struct remaking m;
    struct cnv_sift sift = { .rules = &m.rules, .sum = out };
    enum prvcut_status st = rmk_begin(&m, t, options, err);

    if (st == PRVCUT_OK)
        st = rmk_place(t, run, options, &sift, err);
    if (st == PRVCUT_OK)
        st = prvcut_rules_tell_unmet(&m.rules, prvcut_trace_part(t), &m.notes, err);
    out->note = m.notes.at;
    out->notes = m.notes.count;
    m.notes = (struct prvcut_notes){ 0 };
    rmk_end(&m);
    return st;
}

enum prvcut_status filter_copy(struct prvcut_trace *t, const struct prvcut_run *run,
                               const struct prvcut_cut_options *options,
                               struct prvcut_filter_summary *out, struct prvcut_error *err)
{
    return t->from_model ? rmk_filter(t, run, options, out, err)
                         : t->reader->filter(t, run, options, out, err);
}
