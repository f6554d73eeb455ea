#include "otf/mark.h"

#include "base/memory.h"
#include "model/told_span.h"
#include "model/told_windows.h"
#include "otf/fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/** Writes one line, changed or not, or leaves it out. */
struct line_copier {
    void (*put)(struct otf_cutter *c, struct otf_out *out, const char *line, size_t count);
    bool comment; /* the provenance goes behind the last line */
};

enum prvcut_status otf_cut_path(const struct otf_cutter *c, const char *suffix, bool packed,
                                char **path, struct prvcut_error *err)
{
    *path = NULL;
    if (!c->folder)
        return PRVCUT_OK;
    *path = prvcut_printed("a name", err, "%s/%s%s%s", prvcut_folder_path(c->folder), c->name,
                           suffix, packed ? ".z" : "");
    return *path ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* Inside a text's quotes. */
static void files_put_quoted(struct otf_out *out, const char *text)
{
    for (; *text; text++) {
        const char c = (unsigned char)*text < ' ' ? ' ' : *text;

        if (c == '"' || c == '\\')
            otf_out_put(out, "\\", 1);
        otf_out_put(out, &c, 1);
    }
}

/* Processes whose windows stand in one comment. */
#define WINDOWS_LINE 8

/* Each process's own window, in ticks as written. */
static void files_put_windows(const struct otf_cutter *c, struct otf_out *out)
{
    const struct otf_trace *t = c->trace;
    const uint32_t threads = t->base.objects.threads;

    for (uint32_t i = 0; i < threads; i++) {
        const uint64_t from = otf_cut_time(c, i, c->span[i].from),
                       to = otf_cut_time(c, i, c->span[i].to);

        if (i % WINDOWS_LINE == 0)
            otf_out_printf(out, "%s\"" PRVCUT_WINDOWS_WORD, t->long_form ? "DEFCOMMENT " : "DCMT");
        otf_out_printf(out, " %" PRIu32 ":%" PRIu64 "-%" PRIu64 "%s",
                       t->process[t->by_thread[i]].id, from,
                       to > c->high ? c->high
                       : to > from  ? to
                                    : from,
                       i % WINDOWS_LINE == WINDOWS_LINE - 1 || i + 1 == threads ? "\"\n" : "");
    }
}

/* Where the original of a copy begins and ends, or the window of a cut. */
static void files_put_span(const struct otf_cutter *c, struct otf_out *out)
{
    const uint64_t origin = c->trace->origin, length = c->high - c->low;
    char span[PRVCUT_SPAN_ROOM];

    otf_out_printf(out, "%s\"%s %s\"\n", c->trace->long_form ? "DEFCOMMENT " : "DCMT",
                   PRVCUT_SPAN_WORD,
                   c->copies ? prvcut_span_told(span, origin, c->end_ns)
                             : prvcut_span_told(span, c->low, otf_time(c->trace, origin + length)));
}

/* Where the times were, and which command made the cut. */
static void files_put_origin(const struct otf_cutter *c, struct otf_out *out)
{
    const char *command = c->options->command;

    if (c->copies)
        files_put_span(c, out);
    if (!c->copies && !c->straight)
        files_put_windows(c, out);
    if (!command && c->base == 0)
        return;
    otf_out_printf(out, "%s\"%s of ", c->trace->long_form ? "DEFCOMMENT " : "DCMT",
                   c->copies ? "copy" : "window");
    files_put_quoted(out, prvcut_trace_told(&c->trace->base));
    if (!c->copies)
        otf_out_printf(out, ", times are moved back by %" PRIu64 " ticks", c->base);
    if (command) {
        otf_out_string(out, "; ");
        files_put_quoted(out, command);
    }
    otf_out_string(out, "\"\n");
}

static void files_put_comment(const struct otf_cutter *c, struct otf_out *out)
{
    files_put_origin(c, out);
    /* What ends where its records do need not say so. */
    if (!c->copies && (!c->whole || c->trace->base.end_told))
        files_put_span(c, out);
}

static enum prvcut_status files_copy_lines(struct otf_cutter *c, const char *from, bool was_packed,
                                           const char *suffix, const struct line_copier *how,
                                           struct prvcut_error *err)
{
    const bool packed = c->as_input ? was_packed : c->packed;
    struct otf_out out = { .fd = -1 };
    struct otf_lines x;
    char *path = NULL;
    enum prvcut_status st = otf_lines_open(&x, from, was_packed, 0, err);

    x.damage_ends = false;
    if (st == PRVCUT_OK)
        st = otf_cut_path(c, suffix, packed, &path, err);
    if (st == PRVCUT_OK)
        st = otf_out_open(&out, path, packed, err);
    while (st == PRVCUT_OK && (st = otf_lines_line(&x, err)) == PRVCUT_OK) {
        how->put(c, &out, x.first, (size_t)(x.next - x.first));
        st = out.st;
    }
    if (st == PRVCUT_END) {
        if (how->comment && c->marker)
            otf_marker_define(c->marker, &out, c->trace->long_form);
        if (how->comment)
            files_put_comment(c, &out);
        st = otf_out_finish(&out);
    }
    c->sum->bytes += out.bytes;
    otf_lines_close(&x);
    otf_out_close(&out);
    return st;
}

static void files_put_definition(struct otf_cutter *c, struct otf_out *out, const char *line,
                                 size_t count)
{
    const char *p = line;
    bool long_form;
    const enum otf_definition what = otf_definition_of(&p, &long_form);
    uint64_t tick, ns;

    if (otf_definition_span(line, &tick, &ns) || (!c->copies && otf_definition_windows(line)))
        return;
    /* What a lenient reading passed over would make the cut damaged, too. */
    if (what == OTF_DEF_SAMPLE_POINT || (c->trace->lenient && !otf_definition_sound(line)))
        return;
    if (what == OTF_DEF_RANGE)
        otf_out_printf(out,
                       long_form ? "DEFTIMERANGE %" PRIx64 " TIME %" PRIx64 "\n"
                                 : "DTRG%" PRIx64 "T%" PRIx64 "\n",
                       c->low, c->high);
    else
        otf_out_put(out, line, count);
}

/* A marker without a process belongs to all. */
static bool files_marker_inside(const struct otf_cutter *c, uint64_t tick, uint64_t process,
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

static void files_put_marker(struct otf_cutter *c, struct otf_out *out, const char *line,
                             size_t count)
{
    const char *p = otf_letters(line);
    const bool spot = (p - line == 2 && memcmp(line, "MS", 2) == 0) ||
                      (p - line == 10 && memcmp(line, "MARKERSPOT", 10) == 0);
    struct otf_field f, at = { 0 };
    uint64_t process = 0, time;
    bool bad;

    if (!spot) {
        otf_out_put(out, line, count);
        return;
    }
    while (otf_field_next(&p, &f, &bad)) {
        if (otf_field_is(&f, "T", "TIME") && f.kind == OTF_FIELD_NUMBER)
            at = f;
        else if (otf_field_is(&f, "P", "PROCESS") && f.kind == OTF_FIELD_NUMBER)
            process = f.number;
    }
    if (!at.value || !files_marker_inside(c, at.number, process, &time))
        return;
    otf_out_put(out, line, (size_t)(at.value - line));
    otf_out_printf(out, "%" PRIx64, time);
    otf_out_put(out, at.end, (size_t)(line + count - at.end));
}

static enum prvcut_status files_copy_marker(struct otf_cutter *c, struct prvcut_error *err)
{
    static const struct line_copier markers = { files_put_marker, false };
    const size_t room = strlen(c->trace->prefix) + 16;
    char *path = prvcut_unset(1, room, "a cut", err);
    enum prvcut_status st = PRVCUT_OK;
    struct stat sb;

    if (!path)
        return PRVCUT_ENOMEM;
    for (unsigned z = 0; z < 2 && st == PRVCUT_OK; z++) {
        snprintf(path, room, "%s.0.marker%s", c->trace->prefix, z ? ".z" : "");
        if (stat(path, &sb) == 0 && S_ISREG(sb.st_mode)) {
            st = files_copy_lines(c, path, z == 1, ".0.marker", &markers, err);
            break;
        }
    }
    free(path);
    return st;
}

static enum prvcut_status files_copy_master(struct otf_cutter *c, struct prvcut_error *err)
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
    if (st == PRVCUT_OK) {
        otf_out_put(&out, text, count);
        st = otf_out_finish(&out);
    }
    c->sum->bytes += out.bytes;
    otf_out_close(&out);
    free(text);
    return st;
}

enum prvcut_status otf_cut_files(struct otf_cutter *c, struct prvcut_error *err)
{
    static const struct line_copier global = { files_put_definition, true };
    static const struct line_copier local = { files_put_definition, false };
    const struct otf_trace *t = c->trace;
    enum prvcut_status st = files_copy_master(c, err);
    char suffix[32];

    if (st == PRVCUT_OK && t->definitions)
        st = files_copy_lines(c, t->definitions, t->definitions_packed, ".0.def", &global, err);
    for (uint32_t i = 0; i < t->streams && st == PRVCUT_OK; i++) {
        const char *path = t->stream[i].definitions;

        if (!path)
            continue;
        snprintf(suffix, sizeof suffix, ".%" PRIx32 ".def", t->stream[i].id);
        st = files_copy_lines(c, path, path[strlen(path) - 1] == 'z', suffix, &local, err);
    }
    return st < 0 ? st : files_copy_marker(c, err);
}
