#include "report/cut.h"

#include "report/json.h"
#include "report/size.h"

/** A count with its words for one and for several. */
struct cut_count {
    uint64_t n;
    const char *one, *several;
};

/* The counts that are not 0, under one heading; the line is wrapped with all others. */
static void cut_put_counts(struct report_lines *l, const char *heading, const char *nothing,
                           const struct cut_count *count, size_t counts)
{
    char text[32];
    unsigned put = 0;

    report_head(l, heading);
    for (size_t i = 0; i < counts; i++) {
        if (count[i].n == 0)
            continue;
        report_put(l, "%s%s %s", put > 0 ? ", " : "", report_count(text, count[i].n),
                   count[i].n == 1 ? count[i].one : count[i].several);
        put++;
    }
    report_put(l, "%s\n", put == 0 ? nothing : "");
}

void report_put_cut(struct report_lines *l, const struct prvcut_cut_summary *s)
{
    const struct cut_count kept[] = { { s->states, "state", "states" },
                                      { s->events, "event", "events" },
                                      { s->messages, "message", "messages" } };
    const struct cut_count borders[] = {
        { s->clipped_states, "state shortened", "states shortened" },
        { s->reopened, "call opened again at the start", "calls opened again at the start" },
        { s->closed, "call closed at the end", "calls closed at the end" },
        { s->zeroed_counters, "counter starts at 0", "counters start at 0" },
        { s->dropped_messages, "message left out: one end lies outside",
          "messages left out: one end lies outside" },
        { s->kept_messages, "message kept with one end outside",
          "messages kept with one end outside" },
        { s->split_collectives, "collective split", "collectives split" },
    };

    cut_put_counts(l, "Kept", "nothing", kept, sizeof kept / sizeof *kept);
    cut_put_counts(l, "Borders", "nothing crosses them", borders, sizeof borders / sizeof *borders);
}

void report_put_files(struct report_lines *l, const struct prvcut_cut_summary *s, bool dry_run)
{
    for (size_t i = 0; i < s->files; i++) {
        if (!s->file[i])
            continue;
        report_head(l, i == 0 ? "Files" : "");
        report_put_foreign(l, s->file[i]);
        report_put(l, "%s\n", dry_run ? "  (dry run: not written)" : "");
    }
}

enum prvcut_status prvcut_cut_summary_text(const struct prvcut_cut_summary *s, char **text,
                                           struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    const struct report_clock c = report_clock_for(s->window.end, 0);
    char from[40], to[40], length[32];

    report_head(&l, "Window");
    report_put(&l, "%s to %s, %s\n", report_clock_time(from, &c, s->window.start, c.exact),
               report_clock_time(to, &c, s->window.end, c.exact),
               prvcut_time_text(length, (double)(s->window.end - s->window.start)));
    report_put_cut(&l, s);
    report_put_written(&l, s->bytes, s->disk, s->size);
    report_put_files(&l, s, s->size == 0);
    report_wrap(&l, REPORT_WIDTH);
    return report_take(&l, text);
}

json_t *report_json_cut(const struct prvcut_cut_summary *s)
{
    const struct report_field fields[] = {
        { "states", report_json_integer(s->states) },
        { "events", report_json_integer(s->events) },
        { "messages", report_json_integer(s->messages) },
        { "clipped_states", report_json_integer(s->clipped_states) },
        { "reopened", report_json_integer(s->reopened) },
        { "closed", report_json_integer(s->closed) },
        { "zeroed_counters", report_json_integer(s->zeroed_counters) },
        { "dropped_messages", report_json_integer(s->dropped_messages) },
        { "kept_messages", report_json_integer(s->kept_messages) },
        { "split_collectives", report_json_integer(s->split_collectives) },
        { "bytes", report_json_integer(s->bytes) },
        { "size", report_json_integer(s->size) },
    };

    return REPORT_JSON_OBJECT(fields);
}

json_t *report_json_output(const struct prvcut_cut_summary *s)
{
    json_t *files = json_array();
    int bad = 0;

    for (size_t i = 0; i < s->files; i++) {
        const struct report_field fields[] = { { "path", report_json_text(s->file[i]) } };

        bad |= json_array_append_new(files, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(files, bad);
}

enum prvcut_status prvcut_cut_summary_json(const struct prvcut_cut_summary *s, char **text,
                                           struct prvcut_error *err)
{
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-cut"),
        { "window", report_json_span(&s->window) },
        { "cut", report_json_cut(s) },
        { "output", report_json_output(s) },
        { "notes", report_json_texts((const char *const *)s->note, s->notes) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}
