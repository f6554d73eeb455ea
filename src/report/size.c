#include "report/size.h"

struct report_sizes report_sizes_of(const struct prvcut_reduction *r, const struct prvcut_chop *c)
{
    if (c->cut.disk > 0)
        return (struct report_sizes){ (double)r->bytes, (double)c->cut.disk, false, false };
    return (struct report_sizes){ (double)r->text_bytes, (double)c->cut.bytes,
                                  r->text_bytes > r->bytes, r->text_bytes < r->bytes };
}

void report_put_written(struct report_lines *l, uint64_t text, uint64_t disk, uint64_t all)
{
    char size[32];

    report_head(l, "Size");
    if (disk == 0) {
        report_put(l, "%s (nothing written)\n", prvcut_size_text(size, (double)text));
        return;
    }
    report_put(l, "%s", prvcut_size_text(size, (double)disk));
    if (text > disk)
        report_put(l, " (%s uncompressed)", prvcut_size_text(size, (double)text));
    if (all > disk)
        report_put(l, ", all files on disk %s", prvcut_size_text(size, (double)all));
    report_put(l, "\n");
}
