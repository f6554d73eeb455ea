#include "model/made.h"
#include "prvcut/convert.h"

#include "model/lost.h"
#include "report/conversion.h"
#include "report/lines.h"

#include <stdio.h>
#include <string.h>

const char *const report_carry[PRVCUT_CARRIES] = {
    "states",         "colours",        "regions",     "events",        "counters", "messages",
    "sizes_and_tags", "physical_times", "collectives", "communicators", "nodes",    "applications",
};

/* Columns behind the heading. */
#define WIDTH 66

/* The counts that are not 0 under one heading, as many a line as there is room for. */
static void cte_put_counts(struct report_lines *l, const char *heading,
                           const struct prvcut_lost *count, size_t counts)
{
    char number[32], text[96];
    size_t used = 0;

    report_head(l, heading);
    for (size_t i = 0; i < counts; i++) {
        size_t length;

        if (count[i].n == 0)
            continue;
        snprintf(text, sizeof text, "%s %s", report_count(number, count[i].n),
                 count[i].n == 1 ? count[i].one : count[i].several);
        length = strlen(text) + 2;
        if (used > 0)
            report_put(l, used + length > WIDTH ? ",\n" : ", ");
        if (used > 0 && used + length > WIDTH) {
            report_head(l, "");
            used = 0;
        }
        report_put(l, "%s", text);
        used += length;
    }
    report_put(l, "%s\n", used == 0 ? "nothing" : "");
}

static void cte_put_records(struct report_lines *l, const char *heading,
                            const struct prvcut_record_counts *c)
{
    const struct prvcut_lost counts[] = {
        { c->states, "state", "states" },       { c->regions, "call", "calls" },
        { c->events, "event", "events" },       { c->counters, "counter", "counters" },
        { c->messages, "message", "messages" }, { c->sends, "send", "sends" },
        { c->receives, "receive", "receives" },
    };

    cte_put_counts(l, heading, counts, sizeof counts / sizeof *counts);
}

/* What does not stand in the trace as it should. */
static void cte_put_taken(struct report_lines *l, const struct prvcut_convert_summary *s)
{
    const uint64_t kept = s->unpaired - s->unpaired_left_out;
    char text[32];

    if (kept > 0) {
        report_head(l, "Unpaired");
        report_put(l, "%s %s, kept as single values\n", report_count(text, kept),
                   kept == 1 ? "end of a call that did not begin"
                             : "ends of calls that did not begin");
    }
    for (size_t i = 0; i < s->notes; i++) {
        report_head(l, i == 0 ? "Notes" : "");
        report_put(l, "%s\n", s->note[i]);
    }
}

enum prvcut_status prvcut_convert_summary_text(const struct prvcut_convert_summary *s, char **text,
                                               struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    struct prvcut_lost lost[PRVCUT_LOSSES];
    char size[32];

    prvcut_lost_counts(lost, made_convert_summary_of(s));
    report_head(&l, "Formats");
    report_put(&l, "%s to %s\n", s->from, s->to);
    cte_put_records(&l, "Read", &s->read);
    cte_put_records(&l, "Written", &s->written);
    cte_put_counts(&l, "Lost", lost, sizeof lost / sizeof *lost);
    cte_put_taken(&l, s);
    report_head(&l, "Size");
    report_put(&l, "%s\n", prvcut_size_text(size, (double)s->bytes));
    for (size_t i = 0; i < s->files; i++) {
        if (!s->file[i])
            continue;
        report_head(&l, i == 0 ? "Files" : "");
        report_put_foreign(&l, s->file[i]);
        report_put(&l, "\n");
    }
    report_wrap(&l, REPORT_WIDTH);
    return report_take(&l, text);
}
