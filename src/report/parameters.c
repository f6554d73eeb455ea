#include "prvcut/inspect.h"

#include "report/json.h"
#include "report/lines.h"
#include "structure/parameters.h"

#include <stdio.h>
#include <string.h>

/* Column of the value, its range and what it decides. */
#define INDENT 18

static enum prvcut_status prm_text(char **text, struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    for (size_t i = 0; i < PRVCUT_SETS; i++) {
        const struct prvcut_parameter *p = &prvcut_parameter_table[i];
        char tail[512], value[32], least[32], most[32];

        snprintf(tail, sizeof tail, "%s (%s to %s%s%s): %s",
                 prvcut_parameter_number(value, p->value), prvcut_parameter_number(least, p->least),
                 prvcut_parameter_number(most, p->most), *p->unit ? " " : "", p->unit, p->help);
        report_put(&l, "  %-*s", INDENT - 2, p->name);
        report_put_tail(&l, tail, INDENT);
        report_put(&l, "\n");
    }
    return report_take(&l, text);
}

static enum prvcut_status prm_csv(char **text, struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    report_put(&l, "name,value,least,most,unit,help\n");
    for (size_t i = 0; i < PRVCUT_SETS; i++) {
        const struct prvcut_parameter *p = &prvcut_parameter_table[i];
        char value[32], least[32], most[32];

        report_put_value(&l, p->name);
        report_put(&l, ",%s,%s,%s,", prvcut_parameter_number(value, p->value),
                   prvcut_parameter_number(least, p->least),
                   prvcut_parameter_number(most, p->most));
        report_put_value(&l, p->unit);
        report_put(&l, ",");
        report_put_value(&l, p->help);
        report_put(&l, "\n");
    }
    return report_take(&l, text);
}

static enum prvcut_status prm_json(char **text, struct prvcut_error *err)
{
    json_t *rows = json_array();
    int bad = 0;

    for (size_t i = 0; i < PRVCUT_SETS; i++) {
        const struct prvcut_parameter *p = &prvcut_parameter_table[i];
        const struct report_field fields[] = {
            { "name", report_json_text(p->name) },   { "value", report_json_real(p->value) },
            { "least", report_json_real(p->least) }, { "most", report_json_real(p->most) },
            { "whole", json_boolean(p->whole) },     { "unit", report_json_text(p->unit) },
            { "help", report_json_text(p->help) },
        };

        bad |= json_array_append_new(rows, REPORT_JSON_OBJECT(fields));
    }
    const struct report_field fields[] = { REPORT_JSON_HEAD("prvcut-parameters"),
                                           { "parameters", report_json_keep(rows, bad) } };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}

enum prvcut_status prvcut_parameters_tell(enum prvcut_form form, char **text,
                                          struct prvcut_error *err)
{
    if (form == PRVCUT_JSON)
        return prm_json(text, err);
    return form == PRVCUT_CSV ? prm_csv(text, err) : prm_text(text, err);
}
