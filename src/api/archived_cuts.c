#include "api/archived_cuts.h"

#include "api/archived.h"

#include <string.h>

/* A cut or a copy, and its options without the archive. */
struct acc_cut {
    const struct archived_cut *what;
    struct prvcut_cut_options o;
};

static enum prvcut_status acc_make(void *ctx, const char *in, struct prvcut_error *err)
{
    const struct acc_cut *c = ctx;

    (void)in;
    return c->what->make(c->what->ctx, &c->o, err);
}

static enum prvcut_status acc_report(void *ctx, char **text, struct prvcut_error *err)
{
    const struct archived_cut *c = ((const struct acc_cut *)ctx)->what;

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

enum prvcut_status archived_cut(const struct archived_cut *what,
                                const struct prvcut_cut_options *options, struct prvcut_error *err)
{
    struct acc_cut c = { .what = what, .o = *options };
    struct archived a = { .trace = what->trace,
                          .run = what->run,
                          .path = options->archive,
                          .command = options->command,
                          .force = options->force };
    const struct archived_maker m = { .make = acc_make,
                                      .report = acc_report,
                                      .ctx = &c,
                                      .file = what->copy ? &what->copy->file : &what->out->file,
                                      .files = what->copy ? &what->copy->files : &what->out->files,
                                      .dry_run = options->dry_run };
    const enum prvcut_status st = archived_cut_check(what->trace, options, err);

    c.o.archive = NULL;
    return st < 0 ? st : archived_make(&a, &m, err);
}

/* --- Conversions ------------------------------------------------------------------------------ */

struct acc_conversion {
    const struct archived_conversion *what;
    struct prvcut_convert_options o;
    const char *name;
};

static enum prvcut_status acc_convert(void *ctx, const char *in, struct prvcut_error *err)
{
    struct acc_conversion *c = ctx;
    struct prvcut_buffer path = { 0 };
    enum prvcut_status st = prvcut_buffer_printf(&path, err, "%s/%s", in, c->name);

    c->o.path = path.at;
    if (st == PRVCUT_OK)
        st = c->what->make(c->what->ctx, &c->o, err);
    prvcut_buffer_fini(&path);
    return st;
}

static enum prvcut_status acc_convert_report(void *ctx, char **text, struct prvcut_error *err)
{
    const struct acc_conversion *c = ctx;

    return prvcut_convert_summary_json(&c->what->out->is, text, err);
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

enum prvcut_status archived_convert(const struct archived_conversion *what,
                                    const struct prvcut_convert_options *options,
                                    struct prvcut_error *err)
{
    struct archived a = { .trace = what->trace,
                          .run = what->run,
                          .path = options->archive,
                          .command = options->command,
                          .force = options->force };
    struct acc_conversion c = { .what = what, .o = *options, .name = options->path };
    const struct archived_maker m = { .make = acc_convert,
                                      .report = acc_convert_report,
                                      .ctx = &c,
                                      .file = &what->out->is.file,
                                      .files = &what->out->is.files,
                                      .dry_run = options->dry_run };
    const enum prvcut_status st = archived_convert_check(what->trace, options, err);

    c.o.archive = NULL;
    return st < 0 ? st : archived_make(&a, &m, err);
}
