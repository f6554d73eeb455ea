#include "paraver/mark.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "model/made.h"
#include "paraver/copy.h"
#include "paraver/filter_pass.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next mark of a row. */
struct next {
    uint64_t time;
    uint32_t thread;
    size_t row, at;
};

/* A trace being marked. */
struct marking {
    struct prv_copy copy;
    struct prv_parse_plan plan;
    const struct prvcut_marks *marks;
    struct next *heap; /* [waiting], the earliest first */
    size_t waiting;
    uint32_t *cpu; /* [threads]: where each was seen last; 0: not yet */
    struct prvcut_buffer line;
    const char *missing; /* of the line end of what was copied last */
    uint64_t written;
};

/* --- What comes next ------------------------------------------------------------------------ */

static bool mark_is_before(const struct next *a, const struct next *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    return a->thread != b->thread ? a->thread < b->thread : a->row < b->row;
}

static void mark_sink(struct marking *m, size_t i)
{
    const struct next moved = m->heap[i];

    for (size_t child; (child = 2 * i + 1) < m->waiting; i = child) {
        if (child + 1 < m->waiting && mark_is_before(&m->heap[child + 1], &m->heap[child]))
            child++;
        if (!mark_is_before(&m->heap[child], &moved))
            break;
        m->heap[i] = m->heap[child];
    }
    m->heap[i] = moved;
}

static enum prvcut_status mark_wait_for_first(struct marking *m, struct prvcut_error *err)
{
    const struct prvcut_marks *marks = m->marks;

    m->heap = prvcut_unset(marks->rows + 1, sizeof *m->heap, "rows of marks", err);
    if (!m->heap)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < marks->rows; i++)
        m->heap[m->waiting++] =
            (struct next){ .time = marks->row[i].at[0], .thread = marks->row[i].thread, .row = i };
    for (size_t i = m->waiting; i-- > 0;)
        mark_sink(m, i);
    return PRVCUT_OK;
}

/* The row that comes first goes on to its next mark, or is done. */
static void mark_go_on(struct marking *m)
{
    struct next *first = &m->heap[0];
    const struct prvcut_mark_row *row = &m->marks->row[first->row];

    if (++first->at < row->count)
        first->time = row->at[first->at];
    else
        *first = m->heap[--m->waiting];
    if (m->waiting > 0)
        mark_sink(m, 0);
}

/* --- Lines ---------------------------------------------------------------------------------- */

/* A plain record's thread and the time by which it is sorted: of communications the physical send.
   false: it is to be looked at closer. */
static bool mark_read_head(const struct prv_parse_plan *plan, struct prv_pass_line *l)
{
    const char *at = l->at + 2;
    const unsigned key = l->at[0] == '3' ? 5 : 4;
    uint64_t number[6];

    if (l->end - l->at < 2 || l->at[0] < '1' || l->at[0] > '3' || l->at[1] != ':')
        return false;
    for (unsigned i = 0; i <= key; i++) {
        const char *digit = at;

        for (number[i] = 0; digit < l->end && *digit >= '0' && *digit <= '9'; digit++)
            number[i] = number[i] * 10 + (uint64_t)(*digit - '0');
        if (digit == at || digit - at > 19 || digit == l->end || *digit != ':')
            return false;
        at = digit + 1;
    }
    l->time[0] = number[key] * plan->header->unit_ns;
    return number[key] <= plan->max_tick &&
           prv_slow_object(plan, number, &l->thread, NULL) == PRVCUT_OK;
}

/* The same of any line; false: this is no record, or a damaged one, whose time may be anything. */
static bool mark_read_line(const struct prv_parse_plan *plan, struct prv_pass_line *l)
{
    const char *end = l->end > l->at && l->end[-1] == '\r' ? l->end - 1 : l->end;
    struct prvcut_state state;
    struct prvcut_event event;
    struct prvcut_message message;
    struct prv_fields pairs;

    if (prv_slow_line(plan, l->at, end, &l->kind, &state, &event, &message, &pairs, NULL) < 0)
        return false;
    if (l->kind == PRV_STATE) {
        l->thread = state.thread;
        l->time[0] = state.begin;
    } else if (l->kind == PRV_EVENT) {
        l->thread = event.thread;
        l->time[0] = event.time;
    } else if (l->kind == PRV_MESSAGE) {
        l->thread = message.sender;
        l->time[0] = message.physical_send;
    }
    return l->kind != PRV_IGNORED;
}

static enum prvcut_status mark_work(void *ctx, struct prv_piece *piece, struct prvcut_error *err)
{
    const struct marking *m = ctx;
    enum prvcut_status st = PRVCUT_OK;

    for (const char *at = piece->text.at; at < piece->text.end && st == PRVCUT_OK;) {
        struct prv_pass_line l = { .at = at, .kind = PRV_IGNORED };

        l.end = memchr(at, '\n', (size_t)(piece->text.end - at));
        at = l.end + 1;
        piece->done.lines++;
        if ((m->plan.lenient || !mark_read_head(&m->plan, &l)) && !mark_read_line(&m->plan, &l))
            continue;
        st = prvcut_grow((void **)&piece->line, &piece->room, piece->lines + 1, sizeof *piece->line,
                         err);
        if (st == PRVCUT_OK)
            piece->line[piece->lines++] = l;
    }
    return st;
}

static enum prvcut_status mark_put_mark(struct marking *m, struct prvcut_error *err)
{
    const struct prv_header *h = m->plan.header;
    const struct next *n = &m->heap[0];
    const int value = prvcut_mark_row_value(&m->marks->row[n->row], n->at);
    uint32_t application, task, thread;
    enum prvcut_status st;

    prvcut_objects_name(&h->objects, n->thread, &application, &task, &thread);
    m->line.count = 0;
    st = prvcut_buffer_printf(&m->line, err,
                              "%s2:%" PRIu32 ":%" PRIu32 ":%" PRIu32 ":%" PRIu32 ":%" PRIu64
                              ":%" PRIu32 ":%d%s",
                              m->missing, m->cpu[n->thread], application, task, thread,
                              n->time / h->unit_ns, m->marks->kind->type, value, m->copy.eol);
    m->missing = "";
    m->written++;
    mark_go_on(m);
    return st < 0 ? st : prv_copy_put(&m->copy, m->line.at, m->line.count, err);
}

/* Marks stand in front of the first record that is later. The last line is copied as it ends. */
static enum prvcut_status mark_join(void *ctx, struct prv_piece *piece, struct prvcut_error *err)
{
    struct marking *m = ctx;
    const char *from = piece->text.at, *end = piece->text.end;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < piece->lines && m->waiting > 0 && st == PRVCUT_OK; i++) {
        const struct prv_pass_line *l = &piece->line[i];

        if (m->heap[0].time < l->time[0]) {
            st = prv_copy_put(&m->copy, from, (size_t)(l->at - from), err);
            from = l->at;
        }
        while (st == PRVCUT_OK && m->waiting > 0 && m->heap[0].time < l->time[0])
            st = mark_put_mark(m, err);
        m->cpu[l->thread] = (uint32_t)strtoul(l->at + 2, NULL, 10);
    }
    if (piece->text.no_last_newline && end > from) {
        end--;
        m->missing = end > from && end[-1] == '\r' ? "\n" : m->copy.eol;
    }
    return st < 0 ? st : prv_copy_put(&m->copy, from, (size_t)(end - from), err);
}

static enum prvcut_status mark_mark(struct marking *m, const struct prv_pass *pass,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = prv_pass_run(pass, err);

    while (st == PRVCUT_OK && m->waiting > 0)
        st = mark_put_mark(m, err);
    return st;
}

/* What the labels of most traces do not tell: the marks' own type. */
static enum prvcut_status mark_put_label(struct marking *m, const struct prv_labels *labels,
                                         struct prvcut_error *err)
{
    const struct prvcut_mark_kind *kind = m->marks->kind;
    const struct prv_type *known = prv_labels_type(labels, kind->type);
    const char *eol = labels->pcf_crlf ? "\r\n" : "\n";
    struct prvcut_put p = { .err = err };
    enum prvcut_status st;
    char *text;

    if (known && known->listed)
        return PRVCUT_OK;
    prvcut_put_printf(&p, "%sEVENT_TYPE%s9    %" PRIu32 "    %s%sVALUES%s", eol, eol, kind->type,
                      kind->name, eol, eol);
    for (int i = kind->values; i-- > 0;)
        prvcut_put_printf(&p, "%d      %s%s", i, prvcut_mark_value(kind, i), eol);
    st = prvcut_put_take(&p, &text);
    if (st == PRVCUT_OK)
        st = prv_files_label(&m->copy.files, text, err);
    free(text);
    return st;
}

static enum prvcut_status mark_commit(struct marking *m, struct made_marking *out,
                                      struct prvcut_error *err)
{
    struct prvcut_cut_summary sum = { 0 };
    enum prvcut_status st = prv_copy_commit(&m->copy, &sum, err);

    out->is.marks = m->written;
    out->is.bytes = m->copy.bytes;
    out->is.disk = sum.disk;
    out->is.size = sum.size;
    out->is.files = sum.files;
    out->file = sum.file;
    return st;
}

enum prvcut_status prv_mark_trace(struct prvcut_trace *t, const struct prvcut_run *run,
                                  const struct prvcut_marks *marks,
                                  const struct prvcut_cut_options *options,
                                  struct made_marking *out, struct prvcut_error *err)
{
    struct prv_trace *trace = (struct prv_trace *)t;
    struct marking m = { .marks = marks,
                         .missing = "",
                         .cpu = prvcut_zeroed((size_t)t->objects.threads + 1, sizeof *m.cpu,
                                              "threads", err) };
    const struct prv_pass pass = { .trace = trace,
                                   .run = run,
                                   .phase = PRVCUT_PHASE_MARKING,
                                   .ctx = &m,
                                   .work = mark_work,
                                   .join = mark_join };
    enum prvcut_status st = PRVCUT_OK;

    prv_trace_plan(trace, &m.plan);
    if (!m.cpu)
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        st = mark_wait_for_first(&m, err);
    if (st == PRVCUT_OK)
        st = prv_copy_open(&m.copy, trace, run, options, err);
    if (st == PRVCUT_OK)
        st = mark_put_label(&m, &trace->labels, err);
    if (st == PRVCUT_OK)
        st = mark_mark(&m, &pass, err);
    if (st == PRVCUT_OK)
        st = mark_commit(&m, out, err);
    prv_copy_fini(&m.copy);
    prvcut_buffer_fini(&m.line);
    free(m.heap);
    free(m.cpu);
    return st;
}
