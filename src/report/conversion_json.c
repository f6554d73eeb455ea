#include "model/made.h"
#include "report/conversion.h"

#include "report/json.h"

static json_t *cvj_records(const struct prvcut_record_counts *c)
{
    const struct report_field fields[] = {
        { "states", report_json_integer(c->states) },
        { "regions", report_json_integer(c->regions) },
        { "events", report_json_integer(c->events) },
        { "counters", report_json_integer(c->counters) },
        { "messages", report_json_integer(c->messages) },
        { "sends", report_json_integer(c->sends) },
        { "receives", report_json_integer(c->receives) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *cvj_losses(const struct prvcut_convert_summary *s)
{
    struct report_field fields[PRVCUT_CARRIES];

    for (unsigned i = 0; i < PRVCUT_CARRIES; i++)
        fields[i] =
            (struct report_field){ report_carry[i],
                                   report_json_integer(made_convert_summary_of(s)->lost[i]) };
    return report_json_object(fields, PRVCUT_CARRIES);
}

static json_t *cvj_files(const struct prvcut_convert_summary *s)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < s->files; i++) {
        const struct report_field fields[] = { { "path", report_json_text(s->file[i]) } };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

enum prvcut_status prvcut_convert_summary_json(const struct prvcut_convert_summary *s, char **text,
                                               struct prvcut_error *err)
{
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-conversion"),
        { "from", report_json_text(s->from) },
        { "to", report_json_text(s->to) },
        { "read", cvj_records(&s->read) },
        { "written", cvj_records(&s->written) },
        { "lost", cvj_losses(s) },
        { "unmatched", report_json_integer(s->unmatched) },
        { "unpaired", report_json_integer(s->unpaired) },
        { "unpaired_left_out", report_json_integer(s->unpaired_left_out) },
        { "notes", report_json_texts((const char *const *)s->note, s->notes) },
        { "bytes", report_json_integer(s->bytes) },
        { "output", cvj_files(s) },
        { "elapsed_s", report_json_real(s->elapsed_s) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}
