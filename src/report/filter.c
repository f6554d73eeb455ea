#include "prvcut/filter.h"

#include "report/json.h"
#include "report/lines.h"
#include "report/size.h"

#include <jansson.h>

/* "1,234 of 5,678" */
static void flt_put_share(struct report_lines *l, const char *heading, uint64_t kept,
                          uint64_t dropped)
{
    char some[32], all[32];

    report_head(l, heading);
    report_put(l, "%s of %s kept\n", report_count(some, kept), report_count(all, kept + dropped));
}

enum prvcut_status prvcut_filter_summary_text(const struct prvcut_filter_summary *s, char **text,
                                              struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    char size[32];

    flt_put_share(&l, "States", s->states, s->dropped_states);
    flt_put_share(&l, "Events", s->events, s->dropped_events);
    flt_put_share(&l, "Values", s->pairs, s->dropped_pairs);
    flt_put_share(&l, "Messages", s->messages, s->dropped_messages);
    if (s->skipped > 0) {
        report_head(&l, "Skipped");
        report_put(&l, "%s damaged\n", report_count(size, s->skipped));
    }
    report_put_written(&l, s->bytes, s->disk, s->size);
    for (size_t i = 0; i < s->files; i++) {
        report_head(&l, i == 0 ? "Files" : "");
        report_put_foreign(&l, s->file[i]);
        report_put(&l, "\n");
    }
    report_wrap(&l, REPORT_WIDTH);
    return report_take(&l, text);
}

static json_t *flt_counts(uint64_t states, uint64_t events, uint64_t pairs, uint64_t messages)
{
    const struct report_field fields[] = {
        { "states", report_json_integer(states) },
        { "events", report_json_integer(events) },
        { "pairs", report_json_integer(pairs) },
        { "messages", report_json_integer(messages) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *flt_texts(const char *const *text, size_t count, bool objects)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < count; i++) {
        const struct report_field fields[] = { { "path",
                                                 objects ? report_json_text(text[i]) : NULL } };

        bad |= json_array_append_new(list, objects ? REPORT_JSON_OBJECT(fields)
                                                   : report_json_text(text[i]));
    }
    return report_json_keep(list, bad);
}

enum prvcut_status prvcut_filter_summary_json(const struct prvcut_filter_summary *s, char **text,
                                              struct prvcut_error *err)
{
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-filter"),
        { "kept", flt_counts(s->states, s->events, s->pairs, s->messages) },
        { "dropped",
          flt_counts(s->dropped_states, s->dropped_events, s->dropped_pairs, s->dropped_messages) },
        { "skipped", report_json_integer(s->skipped) },
        { "bytes", report_json_integer(s->bytes) },
        { "size", report_json_integer(s->size) },
        { "notes", flt_texts((const char *const *)s->note, s->notes, false) },
        { "output", flt_texts((const char *const *)s->file, s->files, true) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}
