#include "prvcut/signals.h"
#include "model/made.h"

#include "base/memory.h"
#include "report/json.h"
#include "report/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Any signal tells the bins that all share. */
static struct prvcut_signal sgn_bins(const struct prvcut_signals *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (made_signals_of(s)->at[i].at)
            return made_signals_of(s)->at[i];
    return (struct prvcut_signal){ 0 };
}

enum prvcut_status prvcut_signals_csv(const struct prvcut_signals *s, char **text,
                                      struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    const struct prvcut_signal bins = sgn_bins(s);

    report_put(&l, "start_ns");
    for (size_t i = 0; i < s->count; i++) {
        report_put(&l, ",");
        report_put_value(&l, made_signals_of(s)->at[i].name);
    }
    report_put(&l, "\n");
    for (size_t bin = 0; bin < bins.bins && l.st == PRVCUT_OK; bin++) {
        report_put(&l, "%llu", (unsigned long long)(bins.start + bin * bins.width));
        for (size_t i = 0; i < s->count; i++) {
            report_put(&l, ",");
            report_put_exact(
                &l, made_signals_of(s)->at[i].at ? made_signals_of(s)->at[i].at[bin] : NAN, "");
        }
        report_put(&l, "\n");
    }
    return report_take(&l, text);
}

/* A constant text of ours, quoted all the same. */
static void sgn_put_quoted(struct report_lines *l, const char *text)
{
    json_t *value = report_json_text(text);
    char *quoted = value ? report_json_print(value, JSON_ENCODE_ANY) : NULL;

    if (!quoted && l->st == PRVCUT_OK)
        l->st = prvcut_no_memory(l->err, "a JSON report");
    report_put(l, "%s", quoted ? quoted : "");
    free(quoted);
    json_decref(value);
}

static void sgn_put_signal(struct report_lines *l, const struct prvcut_signal *s)
{
    report_put(l, "    {\n      \"name\": ");
    sgn_put_quoted(l, s->name);
    report_put(l, ",\n      \"unit\": ");
    sgn_put_quoted(l, s->unit);
    report_put(l, ",\n      \"absent\": ");
    sgn_put_quoted(l, s->at ? NULL : s->absent);
    report_put(l, ",\n      \"note\": ");
    sgn_put_quoted(l, s->note);
    report_put(l, ",\n      \"values\": [");
    for (size_t bin = 0; s->at && bin < s->bins && l->st == PRVCUT_OK; bin++) {
        report_put(l, bin > 0 ? ", " : "");
        report_put_exact(l, s->at[bin], "null");
    }
    report_put(l, "]\n    }");
}

/* Written by hand: a tree of millions of numbers would take many times the room of the text. */
enum prvcut_status prvcut_signals_json(const struct prvcut_signals *s, char **text,
                                       struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    const struct prvcut_signal bins = sgn_bins(s);

    report_put(&l, "{\n  \"schema\": \"prvcut-signal\",\n  \"version\": %d,\n",
               PRVCUT_JSON_VERSION);
    report_put(&l, "  \"program\": \"prvcut %s\",\n  \"command\": null,\n", PRVCUT_VERSION);
    report_put(&l, "  \"start_ns\": %llu,\n  \"width_ns\": %llu,\n  \"bins\": %zu,\n",
               (unsigned long long)bins.start, (unsigned long long)bins.width, bins.bins);
    report_put(&l, "  \"set\": ");
    sgn_put_quoted(&l, s->set);
    report_put(&l, ",\n  \"clock\": ");
    sgn_put_quoted(&l, s->clock);
    report_put(&l, ",\n  \"signals\": [\n");
    for (size_t i = 0; i < s->count; i++) {
        sgn_put_signal(&l, &made_signals_of(s)->at[i]);
        report_put(&l, i + 1 < s->count ? ",\n" : "\n");
    }
    report_put(&l, "  ]\n}\n");
    return report_take(&l, text);
}
