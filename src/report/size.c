#include "report/size.h"

#include <string.h>

static bool siz_is_packed(const struct made_chop *c)
{
    const char *file = c->cut.files > 0 && c->cut.file[0] ? c->cut.file[0] : c->is.path;
    const char *dot = file ? strrchr(file, '.') : NULL;

    return dot && (strcmp(dot, ".gz") == 0 || strcmp(dot, ".zst") == 0);
}

struct report_sizes report_sizes_of(const struct made_reduction *r, const struct made_chop *c)
{
    struct report_sizes s = { .before = (double)r->is.bytes,
                              .after = (double)(c->cut.disk > 0 ? c->cut.disk : c->cut.bytes) };

    if (c->cut.disk > 0)
        return s;
    /* Of an archive, the events alone are known, and definitions come with them. */
    s.about = r->is.text_bytes < r->is.bytes;
    if (!siz_is_packed(c))
        return s;
    /* As well as the trace itself is compressed. */
    s.about = r->is.text_bytes > r->is.bytes;
    s.uncompressed = !s.about;
    if (s.about)
        s.after *= s.before / (double)r->is.text_bytes;
    return s;
}

void report_put_written(struct report_lines *l, uint64_t text, uint64_t disk, uint64_t all)
{
    char size[32];

    report_head(l, "Size");
    if (disk == 0) {
        report_put(l, "%s of records (nothing written)\n", prvcut_size_text(size, (double)text));
        return;
    }
    report_put(l, "%s", prvcut_size_text(size, (double)disk));
    if (text > disk)
        report_put(l, " (%s uncompressed)", prvcut_size_text(size, (double)text));
    if (all > disk)
        report_put(l, ", all files on disk %s", prvcut_size_text(size, (double)all));
    report_put(l, "\n");
}
