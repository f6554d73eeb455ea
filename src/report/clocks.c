#include "report/clocks.h"

#include <string.h>

static bool clk_as_recorded(const struct prvcut_waits_clock *c)
{
    return strcmp(c->source, "as recorded") == 0;
}

/* What waits are worth. */
static void clk_put_doubt(struct report_lines *l, const struct prvcut_waits_clock *c)
{
    char text[32];

    if (c->doubt_ns > 0)
        report_put(l, "; %seach wait is known to ±%s",
                   c->violations > c->matching ? "where they do not, " : "",
                   prvcut_time_text(text, (double)c->doubt_ns));
    else if (clk_as_recorded(c))
        report_put(l, "; each wait may be off by as much, or more");
}

void report_put_clocks(struct report_lines *l, const char *before,
                       const struct prvcut_waits_clock *c, uint64_t messages, bool waits)
{
    const bool contradict = c->violations > c->matching;
    char text[32], count[32], all[32];
    const uint64_t shown = c->violations > 0 ? c->violations : c->before_violations;

    if (!c->source)
        return;
    prvcut_time_text(text, (double)(c->violations > 0 ? c->worst_ns : c->before_worst_ns));
    if (c->violations > 0 && !contradict) {
        report_put(l, "warning: %s%s", before, report_count(count, shown));
        if (messages > 0)
            report_put(l, " of %s", report_count(all, messages));
        report_put(
            l,
            " message%s %s received before %s sent, by up to %s, on one clock: the trace ties "
            "wrong ends together\n",
            (messages > 0 ? messages : shown) == 1 ? "" : "s", shown == 1 ? "is" : "are",
            shown == 1 ? "it is" : "they are", text);
    } else if (contradict) {
        report_put(l, "warning: %sclocks contradict each other %s, by up to %s", before,
                   report_times(count, shown), text);
        if (!clk_as_recorded(c))
            report_put(l, " (as recorded %s)", report_times(all, c->before_violations));
        if (waits)
            clk_put_doubt(l, c);
        report_put(l, "\n");
    } else if (c->before_violations > 0) {
        report_put(l,
                   "note: %sclocks brought together; as recorded they contradicted each other %s, "
                   "by up to %s",
                   before, report_times(count, shown), text);
        if (waits)
            clk_put_doubt(l, c);
        report_put(l, "\n");
    } else if (c->checked == 0 && !clk_as_recorded(c)) {
        report_put(l, "note: %sclocks brought together to within %s\n", before,
                   prvcut_time_text(text, (double)c->doubt_ns));
    }
}

static json_t *clk_count(bool compared, uint64_t n)
{
    return compared ? report_json_integer(n) : json_null();
}

json_t *report_clocks_json(const struct prvcut_waits_clock *c, bool compared)
{
    if (!c->source)
        return json_null();
    const struct report_field before[] = {
        { "violations", clk_count(compared, c->before_violations) },
        { "worst_ns", clk_count(compared, c->before_worst_ns) },
    };
    const struct report_field field[] = {
        { "violations", clk_count(compared, c->violations) },
        { "worst_ns", clk_count(compared, c->worst_ns) },
        { "kind", c->violations == 0             ? json_null()
                  : c->matching == c->violations ? report_json_text("matching")
                                                 : report_json_text("clock") },
        { "before", REPORT_JSON_OBJECT(before) },
        { "checked", report_json_integer(c->checked) },
        { "source", report_json_text(c->source) },
        { "doubt_ns", report_json_integer(c->doubt_ns) },
    };

    return REPORT_JSON_OBJECT(field);
}
