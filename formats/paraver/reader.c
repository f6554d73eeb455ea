#include "base/memory.h"
#include "model/calls.h"
#include "model/roles.h"
#include "paraver/paraver.h"

#include "model/formats.h"
#include "model/told_windows.h"
#include "paraver/check.h"
#include "paraver/compat.h"
#include "paraver/describe.h"
#include "paraver/filter.h"
#include "paraver/index_file.h"
#include "paraver/mark.h"
#include "paraver/so_far.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int reader_prv_probe(const char *head, size_t count)
{
    static const char magic[] = "#Paraver (";
    static const char leading[] = "new format";

    if (count >= sizeof leading && memcmp(head, leading, sizeof leading - 1) == 0) {
        const char *line = memchr(head, '\n', count);

        if (!line)
            return 0;
        count -= (size_t)(line + 1 - head);
        head = line + 1;
    }
    return count >= sizeof magic - 1 && memcmp(head, magic, sizeof magic - 1) == 0
               ? 8 * (int)(sizeof magic - 1)
               : 0;
}

static void reader_prv_close(struct prvcut_trace *t)
{
    struct prv_trace *trace = (struct prv_trace *)t;

    if (!trace)
        return;
    prvcut_source_close(trace->source);
    prv_header_fini(&trace->header);
    prv_labels_fini(&trace->labels);
    prv_index_fini(&trace->index);
    prv_held_fini(&trace->held);
    prvcut_buffer_fini(&trace->rest);
    free(trace->base.type);
    free(trace->base.path);
    free(trace->base.own_window);
    free(trace);
}

/* The windows that a cut's comments tell. */
static enum prvcut_status reader_prv_take_windows(struct prv_trace *t, struct prvcut_error *err)
{
    static const char begin[] = "\n#prvcut windows of threads from ";
    const uint64_t unit = t->header.unit_ns;
    const char *line = t->header.text;
    enum prvcut_status st = PRVCUT_OK;

    while ((line = strstr(line, begin)) && st == PRVCUT_OK) {
        struct prvcut_span own;
        char *p;
        uint64_t thread = strtoull(line + sizeof begin - 1, &p, 10) - 1;
        const char *at = p + 1;

        line = p;
        for (thread--;
             st == PRVCUT_OK && *p == ':' && prvcut_told_windows_take(&at, &thread, &own);)
            if (thread < t->base.objects.threads && own.end <= t->header.end)
                st = prvcut_told_windows_set(
                    &t->base, (uint32_t)thread,
                    (struct prvcut_span){ own.start * unit, own.end * unit }, err);
    }
    prvcut_told_windows_settle(&t->base);
    return st;
}

/* The model's view of the labels. */
static enum prvcut_status reader_copy_labels(struct prv_trace *t, struct prvcut_error *err)
{
    t->base.type = prvcut_zeroed(t->labels.types + 1, sizeof *t->base.type, "event types", err);
    if (!t->base.type)
        return PRVCUT_ENOMEM;
    /* Where there is a .pcf, it lists what the trace holds. */
    for (size_t i = 0; i < t->labels.types; i++)
        if (t->labels.type[i].listed || !t->labels.pcf_path)
            t->base.type[t->base.types++] = t->labels.type[i].label;
    t->base.state = t->labels.state;
    t->base.states = t->labels.states;
    return PRVCUT_OK;
}

static enum prvcut_status reader_prv_read_all(struct prv_trace *t,
                                              const struct prvcut_open_options *options,
                                              struct prvcut_error *err)
{
    const char *path = prvcut_source_path(t->source);
    enum prvcut_status st = prv_header_read(&t->header, t->source, &t->rest, err);

    if (st < 0)
        return st;
    t->base.path = prvcut_copied_text(path, "a trace", err);
    if (!t->base.path)
        return PRVCUT_ENOMEM;
    st = prv_labels_read(&t->labels, path, options ? options->roles : NULL, &t->pcf_damaged_line,
                         err);
    if (st < 0)
        return st;
    /* The tables belong to the header; the trace borrows them. */
    t->base.objects = t->header.objects;
    t->base.unit_ns = t->header.unit_ns;
    t->base.end_ns = t->header.end * t->header.unit_ns;
    t->base.end_told = true;
    t->base.wall_clock = t->header.date;
    t->base.bytes = prvcut_source_size(t->source);
    t->base.seekable = prvcut_source_is_seekable(t->source);
    t->base.once = t->base.bytes == 0 || strcmp(path, "-") == 0;
    t->base.codec = prvcut_source_codec(t->source);
    t->base.companion[0] =
        (struct prvcut_companion){ ".pcf", t->labels.pcf_path, t->pcf_damaged_line };
    t->base.companion[1] = (struct prvcut_companion){ ".row", t->labels.row_path, 0 };
    t->base.companions = 2;
    t->lenient = options && options->lenient;
    t->base.roles_given = options && options->roles && options->roles[0];
    st = reader_prv_take_windows(t, err);
    return st == PRVCUT_OK ? reader_copy_labels(t, err) : st;
}

static enum prvcut_status reader_prv_open(struct prvcut_trace **out, struct prvcut_source *source,
                                          const struct prvcut_open_options *options,
                                          struct prvcut_error *err)
{
    struct prv_trace *t = prvcut_zeroed(1, sizeof *t, "a trace", err);
    enum prvcut_status st;

    *out = NULL;
    if (!t) {
        prvcut_source_close(source);
        return PRVCUT_ENOMEM;
    }
    t->source = source;
    t->base.reader = &prvcut_paraver_reader;
    st = reader_prv_read_all(t, options, err);
    if (st < 0) {
        reader_prv_close(&t->base);
        return st;
    }
    *out = &t->base;
    return PRVCUT_OK;
}

static int reader_by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Calls and flushes first: a .pcf may list more region types than can be followed. */
static void reader_plan_regions(const struct prv_trace *t, struct prv_parse_plan *plan)
{
    const uint32_t first = PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_FLUSH);

    for (unsigned turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < t->labels.types; i++) {
            const struct prvcut_label *l = &t->labels.type[i].label;

            if (!l->region || (first >> l->role & 1) != (turn == 0))
                continue;
            if (plan->regions < PRV_REGION_TYPES)
                plan->region_type[plan->regions++] = l->number;
            else
                plan->regions_left_out++;
        }
    qsort(plan->region_type, plan->regions, sizeof *plan->region_type, reader_by_number);
    for (unsigned i = 0; i < plan->regions; i++) {
        bool region;

        plan->nests[i] =
            prvcut_role_nests(prv_labels_role(&t->labels, plan->region_type[i], &region));
    }
}

/* By the name of its value, or by Extrae's number. */
static void reader_plan_calls(const struct prv_labels *l, struct prv_parse_plan *plan)
{
    for (const struct prvcut_mpi_call *c = prvcut_mpi_calls; c->name; c++)
        if (c->type == PRVCUT_TYPE_MPI_COLLECTIVE && c->value < PRV_CALLS)
            plan->blocking[c->value] = c->operation >= 0 && !c->nonblocking;
    for (size_t i = 0; i < l->types; i++) {
        const struct prv_type *t = &l->type[i];

        for (size_t k = 0; t->label.role == PRVCUT_ROLE_COLLECTIVE && k < t->values; k++) {
            const struct prvcut_mpi_call *c = prvcut_mpi_call_of(t->value[k].text, NULL);

            if (c && t->value[k].number > 0 && t->value[k].number < PRV_CALLS)
                plan->blocking[t->value[k].number] = c->operation >= 0 && !c->nonblocking;
        }
    }
}

void prv_trace_plan(const struct prv_trace *t, struct prv_parse_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->header = &t->header;
    plan->labels = &t->labels;
    plan->max_tick = PRV_TIME_MAX / t->header.unit_ns;
    plan->end_ns = t->header.end * t->header.unit_ns;
    plan->lenient = t->lenient;
    reader_plan_regions(t, plan);
    reader_plan_calls(&t->labels, plan);
}

enum prvcut_status prv_trace_blocks(struct prv_trace *t, struct prv_blocks *blocks,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (t->started && !prvcut_source_is_seekable(t->source)) {
        struct prv_header again = { 0 };

        st = prvcut_source_rewind(t->source, err);
        t->rest.count = 0;
        if (st == PRVCUT_OK)
            st = prv_header_read(&again, t->source, &t->rest, err);
        prv_header_fini(&again);
    }
    t->started = true;
    if (st < 0)
        return st;
    st = prv_blocks_open(blocks, t->source, &t->header, &t->rest, err);
    blocks->lenient = t->lenient || t->base.unended;
    return st;
}

static const char cut_short[] =
    " (in the last line, which has no line end: the trace was cut short; --lenient leaves it out)";

enum prvcut_status prv_trace_locate(const struct prv_trace *t, uint64_t lines_before,
                                    const struct prv_text *at, enum prvcut_status status,
                                    struct prvcut_error *err)
{
    const char *line, *newline;
    char text[sizeof err->text];
    bool last;

    if ((status != PRVCUT_EFORMAT && status != PRVCUT_ELIMIT) || !err || err->line == 0)
        return status;
    line = at->at;
    for (uint64_t i = 1; i < err->line && line < at->end; i++)
        line = (const char *)memchr(line, '\n', (size_t)(at->end - line)) + 1;
    newline = line < at->end ? memchr(line, '\n', (size_t)(at->end - line)) : NULL;
    last = at->no_last_newline && newline && newline + 1 == at->end;
    err->offset = at->offset + (uint64_t)(line - at->at);
    err->line += lines_before;
    memcpy(text, err->text, sizeof text);
    snprintf(err->text, sizeof err->text, "%.400s:%" PRIu64 ": %.400s%s", t->base.path, err->line,
             text, last ? cut_short : "");
    return status;
}

static enum prvcut_status reader_unmet(const struct prvcut_trace *t, struct prvcut_buffer *out,
                                       struct prvcut_error *err)
{
    const struct prv_trace *trace = (const struct prv_trace *)t;

    return prv_seen_tell(&trace->seen, &trace->labels, out, err);
}

const struct prvcut_reader prvcut_paraver_reader = {
    .format = &prvcut_paraver_format,
    .summary = "Paraver .prv trace with its .pcf and .row",
    .role_name = prv_role_name,
    .heads = true,
    .probe = reader_prv_probe,
    .open = reader_prv_open,
    .so_far = prv_so_far,
    .scan = prv_scan,
    .scan_window = prv_scan_window,
    .cut = prv_cut,
    .filter_check = prv_filter_check,
    .filter = prv_filter_trace,
    .mark = prv_mark_trace,
    .cut_as_paraver = prv_compat_cut,
    .check = prv_check_findings,
    .describe = prv_describe,
    .unmet = reader_unmet,
    .shape = prv_index_shape,
    .keep = prv_index_keep,
    .recall = prv_index_recall,
    .close = reader_prv_close,
};
