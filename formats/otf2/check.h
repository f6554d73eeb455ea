#ifndef PRVCUT_OTF2_CHECK_H
#define PRVCUT_OTF2_CHECK_H

#include "otf2/otf2.h"

/** What can be found in an archive, in the order of the report. */
enum o2_finding {
    O2_FIND_LOCATION_COUNT,
    O2_FIND_CLOCK_MISSING,
    O2_FIND_CLOCK_START,
    O2_FIND_CLOCK_LENGTH,
    O2_FIND_CLOCK_SKEW,
    O2_FIND_EVENT_COUNT,
    O2_FIND_FILE_MISSING,
    O2_FIND_FILE_DAMAGED,
    O2_FIND_NO_EVENTS,
    O2_FIND_NO_RECORDS,
    O2_FIND_ORDER,
    O2_FIND_REGION_UNDEFINED,
    O2_FIND_COMMUNICATOR_UNDEFINED,
    O2_FIND_METRIC_UNDEFINED,
    O2_FIND_PARAMETER_UNDEFINED,
    O2_FIND_REGION_NOT_OPEN,
    O2_FIND_REGION_CROSSED,
    O2_FIND_REGION_UNFINISHED,
    O2_FIND_COLLECTIVE_NOT_OPEN,
    O2_FIND_COLLECTIVE_UNFINISHED,
    O2_FIND_FLUSH_BACKWARD,
    O2_FIND_RANK,
    O2_FIND_SEND_UNMATCHED,
    O2_FIND_RECEIVE_UNMATCHED,
    O2_FIND_UNKNOWN_RECORD,
    O2_FINDINGS
};

/** Note one more of a kind; the first one's text stays as the example. */
void o2_finding_add(struct prvcut_findings *out, enum o2_finding kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Room for all kinds, in order; before the first one is noted. */
enum prvcut_status o2_findings_init(struct prvcut_findings *out, struct prvcut_error *err);

/** Leave out the kinds that were not found. */
void o2_findings_close(struct prvcut_findings *out);

/** Go through all locations, one after the other. */
enum prvcut_status o2_check_events(struct o2_trace *t, const struct prvcut_run *run,
                                   struct prvcut_findings *out, struct prvcut_error *err);

#endif
