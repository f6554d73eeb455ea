#include "otf/cut.h"

#include "base/memory.h"
#include "otf/fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/** Writes one line, changed or not, or leaves it out. */
struct line_copier {
    enum prvcut_status (*put)(struct otf_cutter *c, struct otf_out *out, const char *line,
                              size_t count, struct prvcut_error *err);
    bool comment; /* the provenance goes behind the last line */
};

/* Inside a text's quotes. */
static enum prvcut_status put_quoted(struct prvcut_buffer *to, const char *text,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (; *text && st == PRVCUT_OK; text++) {
        const char c = (unsigned char)*text < ' ' ? ' ' : *text;

        if (c == '"' || c == '\\')
            st = prvcut_buffer_append(to, "\\", 1, err);
        if (st == PRVCUT_OK)
            st = prvcut_buffer_append(to, &c, 1, err);
    }
    return st;
}

/* Where the times were, and which command made the cut. */
static enum prvcut_status put_comment(struct otf_cutter *c, struct otf_out *out,
                                      struct prvcut_error *err)
{
    const char *command = c->options->command;
    struct prvcut_buffer b = { 0 };
    enum prvcut_status st;

    if (!command && c->base == 0)
        return PRVCUT_OK;
    st = prvcut_buffer_printf(&b, err, "%s\"window of ",
                              c->trace->long_form ? "DEFCOMMENT " : "DCMT");
    if (st == PRVCUT_OK)
        st = put_quoted(&b, prvcut_trace_told(&c->trace->base), err);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&b, err, ", times are moved back by %" PRIu64 " ticks", c->base);
    if (st == PRVCUT_OK && command)
        st = prvcut_buffer_printf(&b, err, "; ");
    if (st == PRVCUT_OK && command)
        st = put_quoted(&b, command, err);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&b, err, "\"\n");
    if (st == PRVCUT_OK)
        st = otf_out_put(out, b.at, b.count, err);
    prvcut_buffer_fini(&b);
    return st;
}

static enum prvcut_status copy_lines(struct otf_cutter *c, const char *from, bool was_packed,
                                     const char *suffix, const struct line_copier *how,
                                     struct prvcut_error *err)
{
    const bool packed = c->as_input ? was_packed : c->packed;
    struct otf_out out = { .fd = -1 };
    struct otf_text x;
    char *path = NULL;
    enum prvcut_status st = otf_text_open(&x, from, was_packed, 0, err);

    if (st == PRVCUT_OK)
        st = otf_cut_path(c, suffix, packed, &path, err);
    if (st == PRVCUT_OK)
        st = otf_out_open(&out, path, packed, err);
    while (st == PRVCUT_OK) {
        const char *p = NULL, *end = NULL;

        st = otf_text_next(&x, &p, &end, err);
        if (x.no_last_newline && c->trace->lenient)
            p = end;
        while (st == PRVCUT_OK && p < end) {
            const char *first = p;

            p = otf_line_end(p) + 1;
            st = how->put(c, &out, first, (size_t)(p - first), err);
        }
    }
    if (st == PRVCUT_END)
        st = how->comment ? put_comment(c, &out, err) : PRVCUT_OK;
    if (st == PRVCUT_OK)
        st = otf_out_finish(&out, err);
    c->sum->bytes += out.bytes;
    otf_text_close(&x);
    otf_out_close(&out);
    return st;
}

static enum prvcut_status put_definition(struct otf_cutter *c, struct otf_out *out,
                                         const char *line, size_t count, struct prvcut_error *err)
{
    const char *p = line;
    bool long_form;
    const enum otf_definition what = otf_definition_of(&p, &long_form);
    char text[80];
    int n;

    /* What a lenient reading passed over would make the cut damaged, too. */
    if (what == OTF_DEF_SAMPLE_POINT || (c->trace->lenient && !otf_definition_sound(line)))
        return PRVCUT_OK;
    if (what != OTF_DEF_RANGE)
        return otf_out_put(out, line, count, err);
    n = snprintf(text, sizeof text,
                 long_form ? "DEFTIMERANGE %" PRIx64 " TIME %" PRIx64 "\n"
                           : "DTRG%" PRIx64 "T%" PRIx64 "\n",
                 c->low, c->high);
    return otf_out_put(out, text, (size_t)n, err);
}

/* A marker without a process belongs to all. */
static bool marker_inside(const struct otf_cutter *c, uint64_t tick, uint64_t process,
                          uint64_t *time)
{
    const uint32_t thread = otf_thread_of(c->trace, process);

    if (thread != PRVCUT_NOBODY) {
        *time = otf_cut_time(c, thread, tick);
        return tick >= c->span[thread].from && tick < c->span[thread].to;
    }
    *time = tick > c->base ? tick - c->base : 0;
    return tick >= c->base + c->low && *time < c->high;
}

static enum prvcut_status put_marker(struct otf_cutter *c, struct otf_out *out, const char *line,
                                     size_t count, struct prvcut_error *err)
{
    const char *p = otf_letters(line);
    const bool spot = (p - line == 2 && memcmp(line, "MS", 2) == 0) ||
                      (p - line == 10 && memcmp(line, "MARKERSPOT", 10) == 0);
    struct otf_field f, at = { 0 };
    uint64_t process = 0, time;
    enum prvcut_status st;
    char text[32];
    bool bad;

    if (!spot)
        return otf_out_put(out, line, count, err);
    while (otf_field_next(&p, &f, &bad)) {
        if (otf_field_is(&f, "T", "TIME") && f.kind == OTF_FIELD_NUMBER)
            at = f;
        else if (otf_field_is(&f, "P", "PROCESS") && f.kind == OTF_FIELD_NUMBER)
            process = f.number;
    }
    if (!at.value || !marker_inside(c, at.number, process, &time))
        return PRVCUT_OK;
    snprintf(text, sizeof text, "%" PRIx64, time);
    st = otf_out_put(out, line, (size_t)(at.value - line), err);
    if (st == PRVCUT_OK)
        st = otf_out_put(out, text, strlen(text), err);
    return st < 0 ? st : otf_out_put(out, at.end, (size_t)(line + count - at.end), err);
}

static enum prvcut_status copy_marker(struct otf_cutter *c, struct prvcut_error *err)
{
    static const struct line_copier markers = { put_marker, false };
    const size_t room = strlen(c->trace->prefix) + 16;
    char *path = malloc(room);
    enum prvcut_status st = PRVCUT_OK;
    struct stat sb;

    if (!path)
        return prvcut_no_memory(err, "a cut");
    for (unsigned z = 0; z < 2 && st == PRVCUT_OK; z++) {
        snprintf(path, room, "%s.0.marker%s", c->trace->prefix, z ? ".z" : "");
        if (stat(path, &sb) == 0 && S_ISREG(sb.st_mode)) {
            st = copy_lines(c, path, z == 1, ".0.marker", &markers, err);
            break;
        }
    }
    free(path);
    return st;
}

static enum prvcut_status put_line(struct otf_cutter *c, struct otf_out *out, const char *line,
                                   size_t count, struct prvcut_error *err)
{
    (void)c;
    return otf_out_put(out, line, count, err);
}

static enum prvcut_status copy_master(struct otf_cutter *c, struct prvcut_error *err)
{
    struct otf_out out = { .fd = -1 };
    char *path = NULL, *text = NULL;
    size_t count = 0;
    enum prvcut_status st =
        prvcut_source_slurp(c->trace->base.path, SIZE_MAX / 2, &text, &count, err);

    if (st == PRVCUT_OK)
        st = otf_cut_path(c, ".otf", false, &path, err);
    if (st == PRVCUT_OK)
        st = otf_out_open(&out, path, false, err);
    if (st == PRVCUT_OK)
        st = put_line(c, &out, text, count, err);
    if (st == PRVCUT_OK)
        st = otf_out_finish(&out, err);
    c->sum->bytes += out.bytes;
    otf_out_close(&out);
    free(text);
    return st;
}

enum prvcut_status otf_cut_files(struct otf_cutter *c, struct prvcut_error *err)
{
    static const struct line_copier global = { put_definition, true };
    static const struct line_copier local = { put_definition, false };
    const struct otf_trace *t = c->trace;
    enum prvcut_status st = copy_master(c, err);
    char suffix[32];

    if (st == PRVCUT_OK && t->definitions)
        st = copy_lines(c, t->definitions, t->definitions_packed, ".0.def", &global, err);
    for (uint32_t i = 0; i < t->streams && st == PRVCUT_OK; i++) {
        const char *path = t->stream[i].definitions;

        if (!path)
            continue;
        snprintf(suffix, sizeof suffix, ".%" PRIx32 ".def", t->stream[i].id);
        st = copy_lines(c, path, path[strlen(path) - 1] == 'z', suffix, &local, err);
    }
    return st < 0 ? st : copy_marker(c, err);
}
