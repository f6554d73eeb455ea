#include "model/findings.h"

#include "model/trace.h"

#include <stdio.h>
#include <string.h>

const char *prvcut_tracer_of_function(const char *name)
{
    return name && strncmp(name, "EZTrace ", strlen("EZTrace ")) == 0 ? "EZTrace" : NULL;
}

void prvcut_finding_is(struct prvcut_finding *f, const struct prvcut_finding_kind *kind,
                       bool habits)
{
    f->name = kind->name;
    f->summary = kind->summary;
    f->advice = kind->advice;
    f->file = kind->file;
    f->damage = kind->damage;
    f->habit = habits && kind->habit;
    f->effect = kind->effect;
}

void prvcut_finding_add(struct prvcut_finding *f, uint64_t line, const char *format, va_list args)
{
    char text[sizeof f->example];

    if (line > 0 && f->lines < PRVCUT_FINDING_LINES &&
        (f->lines == 0 || f->line[f->lines - 1] != line))
        f->line[f->lines++] = line;
    if (f->count++ > 0)
        return;
    vsnprintf(text, sizeof text, format, args);
    prvcut_quote(f->example, sizeof f->example, text, strlen(text));
}

void prvcut_findings_count(struct prvcut_findings *out, const struct prvcut_counts *counts)
{
    out->states = counts->states;
    out->events = counts->events;
    out->pairs = counts->pairs;
    out->messages = counts->messages;
    out->comments = counts->comments;
    out->lines = counts->lines;
    out->bytes = counts->bytes;
    out->last_ns = counts->last_ns;
}
