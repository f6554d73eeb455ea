#include "session.h"

#include <stdlib.h>

/* Definitions tell what the format loses, and only the records what is left out of them. */
static enum cli_exit con_tell_losses(const char *text)
{
    fputs(*text ? text : "the format loses nothing\n", stdout);
    return cli_print("whether single records would be lost is known only after reading: "
                     "--dry-run --strict reads them\n");
}

static enum cli_exit con_losses_json(struct cli_session *s, const struct prvcut_convert_options *o)
{
    char *text = NULL;
    const enum prvcut_status st = prvcut_convert_losses_json(s->trace, o, &text, &s->err);

    return cli_session_report(s, st, text);
}

/* What the target cannot carry: words before the work, or the answer itself where none is done. */
static enum cli_exit con_losses(struct cli_session *s, const struct prvcut_convert_options *o)
{
    const struct cli *c = s->cli;
    char *text = NULL;
    enum cli_exit e;

    if (c->json && c->dry_run && !c->strict)
        return con_losses_json(s, o);
    e = cli_session_outcome(s, prvcut_convert_losses(s->trace, o, &text, &s->err));

    if (e == CLI_DONE && c->dry_run && !c->strict)
        e = con_tell_losses(text);
    else if (e == CLI_DONE && c->log >= CLI_WARNINGS)
        fputs(text, stderr);
    free(text);
    return e;
}

static enum cli_exit con_report(struct cli_session *s, const struct prvcut_convert_summary *sum)
{
    const struct cli *c = s->cli;
    enum prvcut_status st = PRVCUT_OK;
    char *text = NULL;

    if (c->json)
        st = prvcut_convert_summary_json(sum, &text, &s->err);
    else if (!c->quiet)
        st = prvcut_convert_summary_text(sum, &text, &s->err);
    return cli_session_report(s, st, text);
}

/* Standard output may be where the trace goes: then words about it go elsewhere. */
static enum cli_exit con_run(struct cli_session *s, const struct prvcut_convert_options *o)
{
    const struct cli *c = s->cli;
    struct prvcut_convert_summary sum = { 0 };
    enum prvcut_status st = prvcut_convert(s->trace, &s->run, o, &sum, &s->err);
    enum cli_exit e = cli_session_outcome(s, st);
    const bool streamed = sum.files > 0 && sum.file[0] && sum.file[0][0] == '-' && !sum.file[0][1];

    cli_progress_end(&s->progress);
    if (e == CLI_DONE && o->dry_run && !c->json)
        e = cli_print("nothing would be lost\n");
    else if (e == CLI_DONE && !streamed)
        e = con_report(s, &sum);
    prvcut_convert_summary_fini(&sum);
    return e;
}

enum cli_exit cli_convert(struct cli *c)
{
    struct prvcut_convert_options o = { .format = c->format,
                                        .tasks = c->tasks,
                                        .strict = c->strict,
                                        .force = c->force,
                                        .dry_run = c->dry_run,
                                        .command = c->provenance };
    struct cli_session s;
    enum cli_exit e = cli_session_start(&s, c);

    if (e == CLI_DONE)
        o.path = c->operand[1];
    if (e == CLI_DONE)
        e = cli_session_open(&s);
    if (e == CLI_DONE)
        e = cli_session_span(&s, &o.only);
    if (e == CLI_DONE)
        e = con_losses(&s, &o);
    if (e == CLI_DONE && (!c->dry_run || c->strict))
        e = con_run(&s, &o);
    cli_session_end(&s);
    return e;
}
