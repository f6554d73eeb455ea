#include "paraver/cut.h"

#include "model/roles.h"

#include <stdio.h>

#include <inttypes.h>
#include <string.h>

const char *prv_field(const struct prv_cut_line *l, unsigned k)
{
    const char *at = l->at;

    for (; k > 0; k--)
        at = (const char *)memchr(at, ':', (size_t)(l->end - at)) + 1;
    return at;
}

static void cut_lines_put_tick(const struct prv_cutter *c, struct prvcut_put *to, uint64_t ns)
{
    char digits[PRV_TICK_ROOM];

    prvcut_put_between(to, digits, prv_cut_tick(c, digits, ns));
}

void prv_put_state(struct prv_cutter *c, struct prvcut_put *to, const struct prv_cut_line *l)
{
    const uint64_t from = prv_cut_from(c, l->state.thread), until = prv_cut_end(c, l->state.thread);
    const uint64_t begin = l->state.begin < from ? from : l->state.begin;
    const uint64_t end = l->state.end > until ? until : l->state.end;

    prvcut_put_between(to, l->at, prv_field(l, 5));
    cut_lines_put_tick(c, to, begin);
    cut_lines_put_tick(c, to, end);
    prvcut_put_between(to, prv_field(l, 7), l->eol_end);
    c->sum->clipped_states += begin != l->state.begin || end != l->state.end;
}

uint64_t prv_counter_bit(const uint32_t *counter, unsigned counters, uint32_t type)
{
    unsigned i = 0;

    while (i < counters && counter[i] != type)
        i++;
    return UINT64_C(1) << (i == PRV_CUT_COUNTERS ? i - 1 : i);
}

/* The same; a type that is new is noted. */
static uint64_t cut_lines_counter_bit(struct prv_cutter *c, uint32_t type)
{
    const uint64_t bit = prv_counter_bit(c->counter, c->counters, type);

    if (c->counters < PRV_CUT_COUNTERS && bit == UINT64_C(1) << c->counters)
        c->counter[c->counters++] = type;
    return bit;
}

/* The counters of a line whose first value it has; bits. */
static uint64_t cut_lines_first_counters(struct prv_cutter *c, const struct prv_cut_line *l)
{
    struct prv_fields rest = l->pairs;
    uint64_t seen = 0;
    uint32_t type;
    int64_t value;
    bool region;

    while (prv_slow_pair(&rest, &type, &value, NULL) == PRVCUT_OK)
        if (prvcut_role_is_counter(prv_labels_role(c->plan.labels, type, &region)))
            seen |= cut_lines_counter_bit(c, type);
    return seen & ~c->counted[l->event.thread];
}

/* The pairs, these counters set to 0; whole: collectives with what tells of them, which stands
   behind each. */
static void cut_lines_put_pairs(struct prv_cutter *c, struct prvcut_put *to,
                                const struct prv_cut_line *l, uint64_t first, uint32_t whole)
{
    struct prv_calling calling = { .begins = 0 };
    struct prv_fields rest = l->pairs;
    const char *pair = rest.next, *separator = "";
    uint32_t type;
    int64_t value;
    bool region;

    while (prv_slow_pair(&rest, &type, &value, NULL) == PRVCUT_OK) {
        const enum prvcut_role role = prv_labels_role(c->plan.labels, type, &region);
        const char *end = rest.next ? rest.next - 1 : rest.end;
        const char *at = pair;

        pair = rest.next;
        prv_calling_pair(&c->plan, &calling, role, value);
        if (prvcut_role_tells_collective(role) &&
            (whole & prv_collective_bit(calling.begins > 0 ? calling.begins - 1 : 0)) == 0)
            continue;
        prvcut_put_string(to, separator);
        separator = ":";
        if (prvcut_role_is_counter(role) && (first & cut_lines_counter_bit(c, type)) != 0) {
            first &= ~cut_lines_counter_bit(c, type);
            c->sum->zeroed_counters += value != 0;
            prvcut_put_printf(to, "%" PRIu32 ":0", type);
        } else {
            prvcut_put_between(to, at, end);
        }
    }
    prvcut_put_between(to, l->end, l->eol_end);
}

void prv_put_event(struct prv_cutter *c, struct prvcut_put *to, const struct prv_cut_line *l,
                   uint32_t whole)
{
    const uint32_t thread = l->event.thread;
    const uint64_t first = prv_cut_from(c, thread) > 0 ? cut_lines_first_counters(c, l) : 0;

    c->counted[thread] |= first;
    prvcut_put_between(to, l->at, prv_field(l, 5));
    cut_lines_put_tick(c, to, l->event.time);
    if (first != 0 || whole != PRV_ALL_WHOLE)
        cut_lines_put_pairs(c, to, l, first, whole);
    else
        prvcut_put_between(to, prv_field(l, 6), l->eol_end);
}

void prv_put_message(struct prv_cutter *c, struct prvcut_put *to, const struct prv_cut_line *l,
                     const struct prvcut_message *times)
{
    prvcut_put_between(to, l->at, prv_field(l, 5));
    cut_lines_put_tick(c, to, times->logical_send);
    cut_lines_put_tick(c, to, times->physical_send);
    prvcut_put_between(to, prv_field(l, 7), prv_field(l, 11));
    cut_lines_put_tick(c, to, times->logical_receive);
    cut_lines_put_tick(c, to, times->physical_receive);
    prvcut_put_between(to, prv_field(l, 13), l->eol_end);
}

void prv_cut_date(char out[16], const char *text, size_t count)
{
    const char *at = memchr(text, '(', count);
    unsigned day, month, year, hour, minute;
    char copy[24] = "";

    memcpy(out, "00000000000000", 15);
    if (!at || (size_t)(text + count - at) < sizeof copy)
        return;
    memcpy(copy, at, sizeof copy - 1);
    if (sscanf(copy, "(%2u/%2u/%4u at %2u:%2u", &day, &month, &year, &hour, &minute) == 5)
        snprintf(out, 16, "%04u%02u%02u%02u%02u00", year % 10000, month % 100, day % 100,
                 hour % 100, minute % 100);
}

/* Threads whose windows stand on one comment line. */
#define WINDOWS_LINE 8

/*
 * Each thread's own window, in the header's order of threads and in the cut's times: with them and
 * the metadata's offset the cut can be made again and found in the original.
 */
static void cut_lines_put_windows(const struct prv_cutter *c, struct prvcut_put *to)
{
    const uint32_t threads = c->plan.header->objects.threads;
    const uint64_t unit = c->plan.header->unit_ns;

    for (uint32_t i = 0; i < threads; i++) {
        const bool ends = i % WINDOWS_LINE == WINDOWS_LINE - 1 || i + 1 == threads;

        if (i % WINDOWS_LINE == 0)
            prvcut_put_printf(to, "#prvcut windows of threads from %" PRIu32 ":", i + 1);
        prvcut_put_printf(to, " %" PRIu64 "-%" PRIu64 "%s", (prv_cut_from(c, i) - c->base) / unit,
                          (prv_cut_end(c, i) - c->base) / unit, ends ? c->eol : "");
    }
}

/* A comment is one line, whatever is in a name. */
static void cut_lines_put_text(struct prvcut_put *to, const char *text)
{
    for (; *text; text++) {
        const char c = (unsigned char)*text < ' ' || *text == 127 ? '?' : *text;

        prvcut_put_bytes(to, &c, 1);
    }
}

void prv_put_origin(struct prvcut_put *to, const struct prv_origin *o)
{
    /* Paraver's own metadata: where the cut comes from and how far its times were moved. */
    prvcut_put_printf(to, "#%s:CUTTER:ORIGINAL:\"", o->date);
    cut_lines_put_text(to, prvcut_trace_told(o->trace));
    prvcut_put_printf(to, "\":%" PRIu64 ":%" PRIu64 ":%" PRIu64 "%s", o->base, o->from, o->end,
                      o->eol);
    if (!o->command)
        return;
    prvcut_put_printf(to, "#prvcut %s: ", PRVCUT_VERSION);
    cut_lines_put_text(to, o->command);
    prvcut_put_string(to, o->eol);
}

void prv_put_header(struct prv_cutter *c, struct prvcut_put *to)
{
    const struct prv_header *h = c->plan.header;
    const char *rest = h->text + h->duration_at + h->duration_count;
    char suffix[8] = "", date[16];

    /* The duration's own unit stays: digits are replaced, "_ns" is not. */
    for (size_t i = 0; i < h->duration_count; i++)
        if (h->text[h->duration_at + i] == '_') {
            const size_t n = h->duration_count - i;

            memcpy(suffix, h->text + h->duration_at + i, n < 7 ? n : 7);
            break;
        }
    prv_cut_date(date, h->text, h->text_count);
    prvcut_put_bytes(to, h->text, h->duration_at);
    prvcut_put_printf(to, "%" PRIu64 "%s", (prv_cut_last(c) - c->base) / h->unit_ns, suffix);
    prvcut_put_between(to, rest, h->text + h->text_count);
    /* A header alone may lack its line end. */
    if (h->text[h->text_count - 1] != '\n')
        prvcut_put_string(to, c->eol);
    prv_put_origin(to, &(struct prv_origin){ &c->trace->base, date, c->base, c->window->from,
                                             prv_cut_last(c), c->options->command, c->eol });
    if (c->window->thread_from)
        cut_lines_put_windows(c, to);
}

static enum prvcut_status cut_lines_put_out(struct prv_cutter *c, const struct prvcut_buffer *b,
                                            struct prvcut_error *err)
{
    c->sum->bytes += b->count;
    return c->out ? prvcut_output_write(c->out, b->at, b->count, err) : PRVCUT_OK;
}

enum prvcut_status prv_cut_drain_all(struct prv_cutter *c, struct prvcut_error *err)
{
    const struct prv_text text = { .at = c->text.b.at, .end = c->text.b.at + c->text.b.count };
    enum prvcut_status st;

    c->filtered.count = 0;
    if (!c->filtering || c->rules.count == 0) {
        st = cut_lines_put_out(c, &c->text.b, err);
    } else {
        st = prv_filter_text(&c->rules, &c->plan, &text, &c->filtered, &c->done, err);
        if (st == PRVCUT_OK)
            st = cut_lines_put_out(c, &c->filtered, err);
    }
    c->text.b.count = 0;
    return st;
}

enum prvcut_status prv_cut_put_lines(struct prv_cutter *c, const struct prvcut_buffer *lines,
                                     struct prvcut_error *err)
{
    const enum prvcut_status st = prv_cut_drain(c, 0, err);

    return st < 0 ? st : cut_lines_put_out(c, lines, err);
}
