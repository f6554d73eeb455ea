#include "report/lines.h"

void report_put_counted_from(struct report_lines *l, uint64_t start)
{
    char text[32];

    if (start > 0)
        report_put(l, "note: regions and iterations are counted from %s\n",
                   prvcut_time_text(text, (double)start));
}

void report_put_skipped(struct report_lines *l, uint64_t skipped)
{
    char text[32];

    if (skipped > 0)
        report_put(l, "note: %s damaged record%s skipped\n", report_count(text, skipped),
                   skipped == 1 ? "" : "s");
}

void report_put_sorted(struct report_lines *l, uint64_t lines, uint64_t first, uint64_t by_ns)
{
    char text[32], line[32], by[32];

    if (lines == 0)
        return;
    report_put(l, "note: out of order in time: %s %s%s, by up to %s", report_count(text, lines),
               first > 0 ? "line" : "record", lines == 1 ? "" : "s",
               prvcut_time_text(by, (double)by_ns));
    if (first > 0)
        report_put(l, ", first line %s; read in order\n", report_count(line, first));
    else
        report_put(l, "; taken as late as those before them\n");
}
