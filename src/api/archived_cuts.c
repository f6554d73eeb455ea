#include "api/archived_cuts.h"

#include "api/archived.h"
#include "api/entries.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A cut or a copy that is made in an archive: by one of the functions, with options that do not
   know of it. */
struct acc_cut {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_span *window;
    const struct prvcut_selection *what;
    const struct prvcut_cutter *cutter;
    struct prvcut_cut_options o;
    struct prvcut_cut_summary *out;
    struct prvcut_filter_summary *copy; /* in place of out */
};

static enum prvcut_status acc_make(void *ctx, const char *in, struct prvcut_error *err)
{
    const struct acc_cut *c = ctx;

    (void)in;
    if (c->copy)
        return api_filter_trace(c->trace, c->run, &c->o, c->copy, err);
    if (c->cutter)
        return api_cut_as_paraver(c->trace, c->run, c->cutter, &c->o, c->out, err);
    return c->what ? api_cut_named(c->trace, c->run, c->what, &c->o, c->out, err)
                   : api_cut(c->trace, c->run, c->window, &c->o, c->out, err);
}

static enum prvcut_status acc_report(void *ctx, char **text, struct prvcut_error *err)
{
    const struct acc_cut *c = ctx;

    return c->copy ? prvcut_filter_summary_json(c->copy, text, err)
                   : prvcut_cut_summary_json(c->out, text, err);
}

enum prvcut_status archived_cut_check(const struct prvcut_trace *trace,
                                      const struct prvcut_cut_options *options,
                                      struct prvcut_error *err)
{
    if (options->path)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the archive '%s' holds all files; '%s' is beside it", options->archive,
                           options->path);
    return archived_check(trace, options->archive, options->force, err);
}

static enum prvcut_status acc_run(struct acc_cut *c, const struct prvcut_cut_options *options,
                                  struct prvcut_error *err)
{
    struct archived a = { .trace = c->trace,
                          .run = c->run,
                          .path = options->archive,
                          .command = options->command,
                          .force = options->force };
    const struct archived_maker m = { .make = acc_make,
                                      .report = acc_report,
                                      .ctx = c,
                                      .file = c->copy ? &c->copy->file : &c->out->file,
                                      .files = c->copy ? &c->copy->files : &c->out->files,
                                      .dry_run = options->dry_run };
    enum prvcut_status st = archived_cut_check(c->trace, options, err);

    c->o = *options;
    c->o.archive = NULL;
    return st < 0 ? st : archived_make(&a, &m, err);
}

enum prvcut_status archived_cut(struct prvcut_trace *trace, const struct prvcut_run *run,
                                const struct prvcut_span *window,
                                const struct prvcut_cut_options *options,
                                struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    struct acc_cut c = { .trace = trace, .run = run, .window = window, .out = out };

    return acc_run(&c, options, err);
}

enum prvcut_status archived_cut_named(struct prvcut_trace *trace, const struct prvcut_run *run,
                                      const struct prvcut_selection *what,
                                      const struct prvcut_cut_options *options,
                                      struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    struct acc_cut c = { .trace = trace, .run = run, .what = what, .out = out };

    return acc_run(&c, options, err);
}

enum prvcut_status archived_cut_as_paraver(struct prvcut_trace *trace, const struct prvcut_run *run,
                                           const struct prvcut_cutter *cutter,
                                           const struct prvcut_cut_options *options,
                                           struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    struct acc_cut c = { .trace = trace, .run = run, .cutter = cutter, .out = out };

    return acc_run(&c, options, err);
}

enum prvcut_status archived_filter(struct prvcut_trace *trace, const struct prvcut_run *run,
                                   const struct prvcut_cut_options *options,
                                   struct prvcut_filter_summary *out, struct prvcut_error *err)
{
    struct acc_cut c = { .trace = trace, .run = run, .copy = out };

    return acc_run(&c, options, err);
}

/* --- Conversions ------------------------------------------------------------------------------ */

struct acc_conversion {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    struct prvcut_convert_options o;
    const char *name;
    struct made_convert_summary *out;
};

static enum prvcut_status acc_convert(void *ctx, const char *in, struct prvcut_error *err)
{
    struct acc_conversion *c = ctx;
    struct prvcut_buffer path = { 0 };
    enum prvcut_status st = prvcut_buffer_printf(&path, err, "%s/%s", in, c->name);

    c->o.path = path.at;
    if (st == PRVCUT_OK)
        st = api_convert(c->trace, c->run, &c->o, c->out, err);
    prvcut_buffer_fini(&path);
    return st;
}

static enum prvcut_status acc_convert_report(void *ctx, char **text, struct prvcut_error *err)
{
    const struct acc_conversion *c = ctx;

    return prvcut_convert_summary_json(&c->out->is, text, err);
}

enum prvcut_status archived_convert_check(const struct prvcut_trace *trace,
                                          const struct prvcut_convert_options *options,
                                          struct prvcut_error *err)
{
    static const char *const taken[] = { "report.json", "about.json", "SHA256SUMS" };

    const char *slash = strrchr(options->path, '/');

    if (slash && slash[1])
        prvcut_instead(err, "=%s", slash + 1);
    if (slash || strcmp(options->path, "-") == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "'%s': what goes into an archive has a name, and no folder",
                           options->path);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(options->path, taken[i]) == 0)
            return prvcut_fail(err, PRVCUT_EUSAGE,
                               "'%s': an archive has a file of that name, which tells of it",
                               options->path);
    return archived_check(trace, options->archive, options->force, err);
}

enum prvcut_status archived_convert(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_convert_options *options,
                                    struct made_convert_summary *out, struct prvcut_error *err)
{
    struct archived a = { .trace = trace,
                          .run = run,
                          .path = options->archive,
                          .command = options->command,
                          .force = options->force };
    struct acc_conversion c = {
        .trace = trace, .run = run, .o = *options, .name = options->path, .out = out
    };
    const struct archived_maker m = { .make = acc_convert,
                                      .report = acc_convert_report,
                                      .ctx = &c,
                                      .file = &out->is.file,
                                      .files = &out->is.files,
                                      .dry_run = options->dry_run };
    const enum prvcut_status st = archived_convert_check(trace, options, err);

    c.o.archive = NULL;
    return st < 0 ? st : archived_make(&a, &m, err);
}
