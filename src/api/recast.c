#include "api/recast.h"

#include "api/answers.h"
#include "api/entries.h"
#include "api/opening.h"
#include "api/writers.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "model/formats.h"
#include "model/texts.h"

#include <stdlib.h>
#include <string.h>

/* What is cut in its place: the first format that is cut and written, and tells threads apart, as
   logs do; NULL: none is built in. */
static const struct prvcut_format *rcs_format(void)
{
    for (size_t i = 0; prvcut_readers[i]; i++)
        if (prvcut_readers[i]->cut && prvcut_readers[i]->by_thread &&
            writers_named(prvcut_readers[i]->format->name))
            return prvcut_readers[i]->format;
    return NULL;
}

static enum prvcut_status rcs_convert(struct recast *r, const struct prvcut_run *run,
                                      const char *path, struct prvcut_error *err)
{
    const struct prvcut_convert_options o = { .size = sizeof o,
                                              .path = path,
                                              .format = rcs_format()->name };
    struct made_convert_summary sum = { 0 };
    const enum prvcut_status st = api_convert(r->given, run, &o, &sum, err);

    prvcut_texts_free(sum.is.file, sum.is.files);
    prvcut_texts_free(sum.is.note, sum.is.notes);
    return st;
}

/* It stands for the given one wherever a trace is named. */
static enum prvcut_status rcs_open(struct recast *r, const char *path, struct prvcut_error *err)
{
    const struct prvcut_open_options raw = { .raw_clocks = true, .no_index = true };
    struct prvcut_buffer shown = { 0 };
    struct prvcut_trace *t;
    enum prvcut_status st = api_trace_open(&t, path, &raw, err);

    if (st < 0)
        return st;
    r->trace = t;
    t->origin = r->given;
    t->recast = r->given->reader->format->title;
    st = prvcut_buffer_printf(&shown, err, "%s%s", prvcut_trace_shown(r->given),
                              t->reader->format->suffix);
    t->shown = shown.at;
    t->told = prvcut_copied_text(prvcut_trace_told(r->given), "a name", err);
    return st == PRVCUT_OK && !t->told ? PRVCUT_ENOMEM : st;
}

enum prvcut_status recast_begin(struct recast *r, struct prvcut_trace *given,
                                const struct prvcut_run *run, struct prvcut_error *err)
{
    const char *slash;
    struct prvcut_buffer path = { 0 };
    enum prvcut_status st;

    *r = (struct recast){ .trace = given, .given = given, .inside.lock = -1 };
    if (given->reader->cut || !given->reader->describe || given->once || !rcs_format())
        return PRVCUT_OK;
    slash = strrchr(prvcut_trace_shown(given), '/');
    st = pack_scratch(&r->inside, err);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&path, err, "%s/%s%s", r->inside.folder,
                                  slash ? slash + 1 : prvcut_trace_shown(given),
                                  rcs_format()->suffix);
    if (st == PRVCUT_OK)
        st = rcs_convert(r, run, path.at, err);
    if (st == PRVCUT_OK)
        st = rcs_open(r, path.at, err);
    prvcut_buffer_fini(&path);
    return st;
}

enum prvcut_status recast_end(struct recast *r, enum prvcut_status st, struct prvcut_error *err)
{
    if (st < 0 && err && r->inside.folder)
        prvcut_opening_retell(err->text, sizeof err->text, r->inside.folder,
                              prvcut_trace_told(r->given));
    if (r->trace != r->given) {
        r->trace->origin = NULL;
        prvcut_trace_close(r->trace);
    }
    pack_inside_fini(&r->inside);
    return st;
}
