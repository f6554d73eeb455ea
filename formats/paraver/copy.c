#include "paraver/copy.h"

#include "base/bytes.h"
#include "base/ordered.h"

#include <string.h>

static enum prvcut_status copy_put_header(struct prv_copy *c, const char *command,
                                          struct prvcut_error *err)
{
    const struct prv_header *h = &c->trace->header;
    struct prvcut_put text = { .err = err };
    enum prvcut_status st;

    prvcut_put_bytes(&text, h->text, h->text_count);
    if (h->text[h->text_count - 1] != '\n')
        prvcut_put_string(&text, c->eol);
    if (command)
        prvcut_put_printf(&text, "#prvcut %s: %s%s", PRVCUT_VERSION, command, c->eol);
    st = text.st < 0 ? text.st : prv_copy_put(c, text.b.at, text.b.count, err);
    prvcut_buffer_fini(&text.b);
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
    return st < 0 ? st : copy_put_header(c, options->command, err);
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
