#include "prvcut/view.h"

#include "report/json.h"
#include "report/lines.h"

enum prvcut_status prvcut_view_page_text(const struct prvcut_view_page *v, char **text,
                                         struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    char size[32], time[32];

    report_head(&l, "Page");
    report_put_foreign(&l, v->path);
    report_put(&l, "\n");
    report_head(&l, "");
    report_put(&l, "%s, ", prvcut_size_text(size, (double)v->bytes));
    if (v->made)
        report_put(&l, "made in %s\n", prvcut_time_text(time, 1e9 * v->elapsed_s));
    else
        report_put(&l, "made before; -f makes it anew\n");
    if (!v->complete) {
        report_head(&l, "Left out");
        report_put(&l, "what takes longer than %s; the page tells it under About\n",
                   prvcut_time_text(time, 1e9 * v->seconds));
    }
    return report_take(&l, text);
}

enum prvcut_status prvcut_view_page_json(const struct prvcut_view_page *v, char **text,
                                         struct prvcut_error *err)
{
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-view"),
        { "trace", report_json_text(v->name) },
        { "page", report_json_text(v->path) },
        { "bytes", report_json_integer(v->bytes) },
        { "made", json_boolean(v->made) },
        { "complete", json_boolean(v->complete) },
        { "time_limit_s", report_json_real(v->seconds) },
        { "elapsed_s", report_json_real(v->elapsed_s) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}
