#include "otf2/check.h"

#include "base/print.h"
#include "model/formats.h"

#include <inttypes.h>
#include <stdio.h>

/* Three significant digits, in milliseconds or microseconds. */
static char *check_o2_time(char out[32], uint64_t ns)
{
    const bool large = ns >= 1000000;
    const double x = (double)ns / (large ? 1e6 : 1e3);

    snprintf(out, 32, x < 999.5 ? "%.3g%s" : "%.0f%s", x, large ? "ms" : "us");
    return out;
}

/* What definitions promise, against what files hold. */
static void check_definitions(const struct o2_trace *t, struct prvcut_findings *out)
{
    const struct o2_definitions *d = &t->defs;
    const struct prvcut_clocks *k = &t->base.clocks;
    char apart[32], left[32], promised[32], defined[32];

    if (t->promised_locations != d->locations)
        o2_finding_add(out, O2_FIND_LOCATION_COUNT, "%s locations are promised, %s are defined",
                       prvcut_count_text(promised, t->promised_locations),
                       prvcut_count_text(defined, d->locations));
    if (!d->clocked)
        o2_finding_add(out, O2_FIND_CLOCK_MISSING, "%.200s.def", t->stem);
    if (k->skewed && k->residual == 0)
        o2_finding_add(out, O2_FIND_CLOCK_SKEW, "%s apart by the %s; fully corrected",
                       check_o2_time(apart, (uint64_t)(k->most - k->least)),
                       prvcut_clock_source_text(k->source));
    else if (k->skewed)
        o2_finding_add(out, O2_FIND_CLOCK_SKEW, "%s apart by the %s; corrected to within %s",
                       check_o2_time(apart, (uint64_t)(k->most - k->least)),
                       prvcut_clock_source_text(k->source), check_o2_time(left, k->residual));
}

/* After the files have been read: the locations' first and last ticks are known. */
static void check_clock(const struct o2_trace *t, struct prvcut_findings *out)
{
    const struct o2_definitions *d = &t->defs;

    for (uint32_t i = 0; i < d->locations && d->clocked; i++) {
        const struct o2_marks *m = &t->marks[i];

        if (m->first > m->last)
            continue;
        if (m->first < t->promised_offset)
            o2_finding_add(out, O2_FIND_CLOCK_START,
                           "location \"%.80s\": %" PRIu64 " before %" PRIu64 " ticks",
                           d->location[i].name, m->first, t->promised_offset);
        if (m->last > t->promised_offset && m->last - t->promised_offset > d->length)
            o2_finding_add(out, O2_FIND_CLOCK_LENGTH,
                           "location \"%.80s\": %" PRIu64 " of %" PRIu64 " ticks",
                           d->location[i].name, m->last - t->promised_offset, d->length);
    }
}

/* An archive may be empty, as the cut of an empty window is, where it says so itself. */
static void check_empty(const struct o2_trace *t, struct prvcut_findings *out)
{
    bool promised = false;

    for (uint32_t i = 0; i < t->defs.locations; i++)
        promised |= t->defs.location[i].promised > 0;
    o2_finding_add(out, promised ? O2_FIND_NO_EVENTS : O2_FIND_NO_RECORDS,
                   "%" PRIu32 " locations without any", t->defs.locations);
}

static enum prvcut_status check_count_all(struct o2_trace *t, const struct prvcut_run *run,
                                          struct prvcut_findings *out, struct prvcut_error *err)
{
    const struct prvcut_consumer nobody = { .roles = UINT32_MAX };
    const struct prvcut_run idle = { 0 };
    struct prvcut_counts counts;
    enum prvcut_status st = o2_scan(&t->base, run ? run : &idle, &nobody, &counts, err);

    if (st < 0)
        return st;
    prvcut_findings_count(out, &counts);
    if (counts.lines == 0)
        check_empty(t, out);
    return PRVCUT_OK;
}

enum prvcut_status o2_check(struct prvcut_findings *out, struct prvcut_source *source,
                            const struct prvcut_open_options *options, const struct prvcut_run *run,
                            struct prvcut_error *err)
{
    struct prvcut_open_options lenient = options ? *options : (struct prvcut_open_options){ 0 };
    struct prvcut_trace *base = NULL;
    struct o2_trace *t;
    enum prvcut_status st;

    lenient.lenient = true;
    st = prvcut_otf2_reader.open(&base, source, &lenient, err);
    if (st < 0)
        return st;
    t = (struct o2_trace *)base;
    st = o2_findings_init(out, err);
    for (size_t i = 0; i < t->defs.regions && !out->tracer; i++)
        out->tracer = prvcut_tracer_of_function(t->defs.region[i].name);
    if (st == PRVCUT_OK) {
        check_definitions(t, out);
        st = o2_check_events(t, run, out, err);
    }
    if (st == PRVCUT_OK)
        st = check_count_all(t, run, out, err);
    if (st == PRVCUT_OK)
        check_clock(t, out);
    o2_findings_close(out);
    prvcut_otf2_reader.close(base);
    return st;
}
