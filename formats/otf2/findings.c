#include "otf2/check.h"

#include "base/memory.h"

#include <stdarg.h>
#include <string.h>

#define CUT_SHORT "the run was killed or the file was cut short: copy it or measure again"
#define LOST      "records were lost: do not trust times in regions there"
#define NOTHING   "harmless: it is read all the same"

/* Habits: what EZTrace does, whatever it traces. */
static const struct prvcut_finding_kind infos[O2_FINDINGS] = {
    [O2_FIND_LOCATION_COUNT] = { "location-count",
                                 "the anchor promises another number of locations",
                                 "the measurement has not ended, or files are of another run",
                                 ".otf2", .damage = true },
    [O2_FIND_CLOCK_MISSING] = { "clock-missing", "no record of the clock's properties",
                                "harmless: ticks are read as nanoseconds", ".def",
                                .damage = false },
    [O2_FIND_CLOCK_START] = { "clock-start", "events before the start that the definitions give",
                              NOTHING, ".def", .damage = false },
    [O2_FIND_CLOCK_LENGTH] = { "clock-length", "events after the end that the definitions give",
                               "harmless: EZTrace writes the length of one process", ".def",
                               .damage = false, .habit = true },
    [O2_FIND_CLOCK_SKEW] = { "clock-skew",
                             "the processes' clocks contradict messages or collectives",
                             "harmless: they are brought together; --raw-clocks leaves them",
                             ".evt", .damage = false, .habit = true },
    [O2_FIND_EVENT_COUNT] = { "event-count",
                              "location with another number of events than its definition says",
                              "harmless in archives of EZTrace; in others, event files are of "
                              "another run",
                              ".def", .damage = false, .habit = true },
    [O2_FIND_FILE_MISSING] = { "file-missing", "location without its file",
                               "copy the whole archive; --lenient leaves the location out", ".evt",
                               .damage = true },
    [O2_FIND_FILE_DAMAGED] = { "file-damaged", "file that cannot be read to its end",
                               CUT_SHORT "; --lenient reads what is before it", ".evt",
                               .damage = true },
    [O2_FIND_NO_EVENTS] = { "no-events", "no event, although the definitions promise some",
                            CUT_SHORT, ".evt", .damage = true },
    [O2_FIND_NO_RECORDS] = { "no-records", "the archive holds no event",
                             "harmless in a cut whose window held none", ".evt", .damage = false },
    [O2_FIND_ORDER] = { "order", "event that is earlier than the one before it",
                        "do not trust times there: the clock went back during the measurement",
                        ".evt", .damage = false },
    [O2_FIND_REGION_UNDEFINED] = { "region-undefined", "region that is not defined",
                                   "definitions are of another run or incomplete", ".evt",
                                   .damage = true },
    [O2_FIND_COMMUNICATOR_UNDEFINED] = { "communicator-undefined",
                                         "communicator that is not defined",
                                         "harmless: it is read, but the rank at its other end is "
                                         "unknown",
                                         ".evt", .damage = false },
    [O2_FIND_METRIC_UNDEFINED] = { "metric-undefined",
                                   "metric whose definition is missing or wrong",
                                   "its values are left out", ".evt", .damage = false },
    [O2_FIND_PARAMETER_UNDEFINED] = { "parameter-undefined", "parameter that is not defined",
                                      "its values are left out", ".evt", .damage = false },
    [O2_FIND_REGION_NOT_OPEN] = { "region-not-open", "region that is left but was not entered",
                                  LOST, ".evt", .damage = true },
    [O2_FIND_REGION_CROSSED] = { "region-crossed", "region that is left before those inside it",
                                 "harmless in archives of EZTrace, whose last region ends after "
                                 "the "
                                 "one around it; in others, records were lost",
                                 ".evt", .damage = false, .habit = true },
    [O2_FIND_REGION_UNFINISHED] = { "region-unfinished", "region that is never left",
                                    "harmless if the run was killed or cut there", ".evt",
                                    .damage = false },
    [O2_FIND_COLLECTIVE_NOT_OPEN] = { "collective-not-open", "collective that ends without a begin",
                                      LOST, ".evt", .damage = true },
    [O2_FIND_COLLECTIVE_UNFINISHED] = { "collective-unfinished", "collective without an end",
                                        "harmless: EZTrace writes non-blocking ones so", ".evt",
                                        .damage = false, .habit = true },
    [O2_FIND_FLUSH_BACKWARD] = { "flush-backward", "flush that ends before it begins",
                                 "it is taken for an instant", ".evt", .damage = true },
    [O2_FIND_RANK] = { "rank", "message with a rank that its communicator does not have",
                       "harmless in archives of EZTrace; such a message has no partner", ".evt",
                       .damage = false, .habit = true },
    [O2_FIND_SEND_UNMATCHED] = { "send-unmatched", "message that is sent and not received",
                                 "harmless in archives of EZTrace, which leaves out many receives",
                                 ".evt", .damage = false, .habit = true,
                                 .effect = "sends without a receive: arrows will be missing" },
    [O2_FIND_RECEIVE_UNMATCHED] = { "receive-unmatched", "message that is received and not sent",
                                    "harmless in archives of EZTrace and in cuts", ".evt",
                                    .damage = false, .habit = true,
                                    .effect = "receives without a send: arrows will be missing" },
    [O2_FIND_UNKNOWN_RECORD] = { "unknown-record", "record of an unknown kind",
                                 "harmless: a newer OTF2 wrote it; it is skipped, and cuts leave "
                                 "it "
                                 "out",
                                 ".evt", .damage = false },
};

enum prvcut_status o2_findings_init(struct prvcut_findings *out, struct prvcut_error *err)
{
    out->at = prvcut_zeroed(O2_FINDINGS, sizeof *out->at, "findings", err);
    if (!out->at)
        return PRVCUT_ENOMEM;
    out->room = out->count = O2_FINDINGS;
    for (size_t i = 0; i < O2_FINDINGS; i++)
        prvcut_finding_is(&out->at[i], &infos[i], false);
    return PRVCUT_OK;
}

void o2_finding_add(struct prvcut_findings *out, enum o2_finding kind, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    prvcut_finding_add(&out->at[kind], 0, format, args);
    va_end(args);
    out->damaged = out->damaged || out->at[kind].damage;
}

void o2_findings_close(struct prvcut_findings *out)
{
    const bool eztrace = out->tracer && strcmp(out->tracer, "EZTrace") == 0;
    size_t kept = 0;

    for (size_t i = 0; i < out->count; i++)
        prvcut_finding_is(&out->at[i], &infos[i], eztrace);
    for (size_t i = 0; i < out->count; i++)
        if (out->at[i].count > 0)
            out->at[kept++] = out->at[i];
    out->count = kept;
}
