#include "paraver/copy.h"

#include "base/ordered.h"

#include <string.h>

static enum prvcut_status put_header(struct prv_copy *c, const char *command,
                                     struct prvcut_error *err)
{
    const struct prv_header *h = &c->trace->header;
    struct prvcut_buffer text = { 0 };
    enum prvcut_status st = prvcut_buffer_append(&text, h->text, h->text_count, err);

    if (st == PRVCUT_OK && h->text[h->text_count - 1] != '\n')
        st = prvcut_buffer_append(&text, c->eol, strlen(c->eol), err);
    if (st == PRVCUT_OK && command)
        st = prvcut_buffer_printf(&text, err, "#prvcut %s: %s%s", PRVCUT_VERSION, command, c->eol);
    if (st == PRVCUT_OK)
        st = prv_copy_put(c, text.at, text.count, err);
    prvcut_buffer_fini(&text);
    return st;
}

enum prvcut_status prv_copy_open(struct prv_copy *c, const struct prv_trace *trace,
                                 const struct prvcut_run *run,
                                 const struct prvcut_cut_options *options, struct prvcut_error *err)
{
    const struct prv_header *h = &trace->header;
    const char *newline = memchr(h->text, '\n', h->text_count);
    enum prvcut_status st = PRVCUT_OK;

    *c = (struct prv_copy){ .trace = trace, .eol = "\n" };
    if (newline && newline > h->text && newline[-1] == '\r')
        c->eol = "\r\n";
    if (!options->dry_run)
        st = prv_files_open(&c->files, &trace->labels, options, &c->out, err);
    if (c->out)
        prvcut_output_workers(c->out, prvcut_workers(run->threads));
    return st < 0 ? st : put_header(c, options->command, err);
}

enum prvcut_status prv_copy_put(struct prv_copy *c, const char *at, size_t count,
                                struct prvcut_error *err)
{
    c->bytes += count;
    return c->out ? prvcut_output_write(c->out, at, count, err) : PRVCUT_OK;
}

enum prvcut_status prv_copy_commit(struct prv_copy *c, struct prvcut_cut_summary *sum,
                                   struct prvcut_error *err)
{
    return c->out ? prv_files_commit(&c->files, sum, err) : PRVCUT_OK;
}

void prv_copy_fini(struct prv_copy *c)
{
    prv_files_fini(&c->files);
}
