#include "paraver/check.h"

#include <stdarg.h>

#define CUT_SHORT "the file was cut short or never finished: copy or write it again"
#define REWRITE   "write the trace again with the tool that made it, or drop the line"
#define LENIENT   "--lenient skips such records and counts them"

/* Habits: writers are known to do these, and no answer suffers. */
const struct prvcut_finding_kind prv_finding_infos[PRV_FINDINGS] = {
    [PRV_FIND_COMMUNICATOR_COUNT] = { "communicator-count",
                                      "the header promises another number of communicators",
                                      "Paraver refuses such a trace: correct the last number of "
                                      "the header line",
                                      ".prv", .damage = false },
    [PRV_FIND_COMMUNICATOR_UNCOUNTED] = { "communicator-uncounted",
                                          "the header does not count its communicators",
                                          "harmless: they are read all the same", ".prv",
                                          .damage = false, .habit = true },
    [PRV_FIND_COMMUNICATOR_LATE] = { "communicator-late",
                                     "communicator defined after the first record",
                                     "move it up to the header line, where Paraver looks for it",
                                     ".prv", .damage = false },
    [PRV_FIND_DURATION] = { "duration", "the header's duration is later than the last record",
                            "harmless, unless the end of the trace was lost", ".prv",
                            .damage = false },
    [PRV_FIND_NO_RECORDS] = { "no-records", "the trace holds no record", CUT_SHORT, ".prv",
                              .damage = false },
    [PRV_FIND_STREAM] = { "stream", "the compressed file is damaged or cut short", CUT_SHORT,
                          ".prv", .damage = true },
    [PRV_FIND_COMMUNICATOR_MEMBER] = { "communicator-member",
                                       "communicator with members that do not exist",
                                       "harmless: the others are used; traces merged from several "
                                       "have such lines",
                                       ".prv", .damage = false, .habit = true },
    [PRV_FIND_TASK_NODE] = { "task-node", "task on a node that the header does not have",
                             "correct the node list of the header line; node 1 is taken", ".prv",
                             .damage = false },
    [PRV_FIND_UNKNOWN_RECORD] = { "unknown-record", "line that is no record", LENIENT, ".prv",
                                  .damage = true },
    [PRV_FIND_RESERVED_RECORD] = { "reserved-record", "record of type 4", "harmless: it is skipped",
                                   ".prv", .damage = false, .habit = true },
    [PRV_FIND_MALFORMED] = { "malformed", "record with a field that is missing or no number",
                             LENIENT, ".prv", .damage = true },
    [PRV_FIND_NUMBER_RANGE] = { "number-range", "number that its field cannot hold", LENIENT,
                                ".prv", .damage = true },
    [PRV_FIND_NUMBER_FORM] = { "number-form", "number with blanks or a '+' around it",
                               "harmless here; Paraver reads such a number wrongly", ".prv",
                               .damage = false },
    [PRV_FIND_VALUE_UNSIGNED] = { "value-unsigned", "number of 2^63 or more",
                                  "harmless: read as a signed number (less by 2^64), as in Paraver",
                                  ".prv", .damage = false, .habit = true },
    [PRV_FIND_LINE_LENGTH] = { "line-length", "line too long to be read", REWRITE, ".prv",
                               .damage = true },
    [PRV_FIND_EXTRA_FIELDS] = { "extra-fields", "record with more fields than it has",
                                "harmless: they are skipped", ".prv", .damage = false,
                                .habit = true },
    [PRV_FIND_OBJECT] = { "object", "record of a thread that the header does not have",
                          "the header is of another run, or the record is damaged; --lenient skips "
                          "it",
                          ".prv", .damage = true },
    [PRV_FIND_CPU] = { "cpu", "record on a cpu that is not one of its task's node",
                       "harmless here; Paraver drops such records: correct the node list of the "
                       "header line",
                       ".prv", .damage = false },
    [PRV_FIND_TIME_NEGATIVE] = { "time-negative", "time before 0", LENIENT, ".prv",
                                 .damage = true },
    [PRV_FIND_TIME_BEYOND_END] = { "time-beyond-end", "time after the header's duration",
                                   "harmless: the run is taken to be that much longer", ".prv",
                                   .damage = false, .habit = true },
    [PRV_FIND_MESSAGE_HALF] = { "message-half", "message with only one end inside the trace",
                                "harmless: the run is taken to be that much longer", ".prv",
                                .damage = false },
    [PRV_FIND_MESSAGE_LOGICAL] = { "message-logical",
                                   "message whose transfer begins before its call",
                                   "harmless: traced codes do this", ".prv", .damage = false,
                                   .habit = true },
    [PRV_FIND_MESSAGE_BACKWARD] = { "message-backward", "message received before it was sent",
                                    "the clocks of the nodes differ: do not trust times of "
                                    "messages",
                                    ".prv", .damage = false },
    [PRV_FIND_STATE_BACKWARD] = { "state-backward", "state that ends before it begins",
                                  "harmless: it is taken to have no length", ".prv",
                                  .damage = false, .habit = true },
    [PRV_FIND_STATE_EMPTY] = { "state-empty", "state without length", "harmless: it takes no time",
                               ".prv", .damage = false, .habit = true },
    [PRV_FIND_STATE_UNFINISHED] = { "state-unfinished", "state without an end",
                                    "harmless, if the run was killed; its time is not counted",
                                    ".prv", .damage = false },
    [PRV_FIND_STATE_OVERLAP] = { "state-overlap", "states of one thread overlap",
                                 "times in states count twice there: merge the trace again", ".prv",
                                 .damage = false },
    [PRV_FIND_ORDER] = { "order", "record that is not in order of time",
                         "harmless here, but Paraver expects a trace sorted by time", ".prv",
                         .damage = false },
    [PRV_FIND_CALL_NOT_OPEN] = { "call-not-open", "MPI call or flush that ends without a begin",
                                 "the trace begins inside the call, or records were lost", ".prv",
                                 .damage = false },
    [PRV_FIND_CALL_REOPENED] = { "call-reopened", "MPI call or flush that begins inside another",
                                 "an end was lost: do not trust times in calls there", ".prv",
                                 .damage = false },
    [PRV_FIND_CALL_UNFINISHED] = { "call-unfinished", "MPI call or flush without an end",
                                   "the trace ends inside the call, or records were lost", ".prv",
                                   .damage = false },
    [PRV_FIND_REGION_NOT_OPEN] = { "region-not-open", "region that ends without a begin",
                                   "harmless, if the trace begins inside the region", ".prv",
                                   .damage = false },
    [PRV_FIND_REGION_UNFINISHED] = { "region-unfinished", "region without an end",
                                     "harmless, if the trace ends inside the region", ".prv",
                                     .damage = false },
    [PRV_FIND_TYPE_UNLABELLED] = { "type-unlabelled", "event type that the .pcf does not list",
                                   "add it to the .pcf, or give its role with --role", ".prv",
                                   .damage = false },
    [PRV_FIND_STATE_UNLABELLED] = { "state-unlabelled", "state that the .pcf does not list",
                                    "add it to the .pcf", ".prv", .damage = false },
    [PRV_FIND_CRLF] = { "crlf", "line that ends in CR LF",
                        "harmless here, but other tools may stumble: convert the line ends", ".prv",
                        .damage = false },
    [PRV_FIND_LAST_LINE] = { "last-line", "the last line has no line end: it may be cut short",
                             "copy or write the trace again; if the line is whole, end it: echo "
                             ">>FILE",
                             ".prv", .damage = true },
    [PRV_FIND_LAST_LINE_END] = { "last-line-end", "the last line has no line end",
                                 "harmless: the line is whole", ".prv", .damage = false,
                                 .habit = true },
    [PRV_FIND_PCF_MISSING] = { "pcf-missing", "no .pcf beside the trace", "put it beside the trace",
                               ".pcf", .damage = false },
    [PRV_FIND_PCF_DAMAGED] = { "pcf-damaged", "line of the .pcf that cannot be understood",
                               "the other lines are used; write the .pcf again", ".pcf",
                               .damage = false },
    [PRV_FIND_PCF_CRLF] = { "pcf-crlf", "the .pcf's lines end in CR LF: Paraver finds no label",
                            "convert its line ends", ".pcf", .damage = false },
    [PRV_FIND_ROW_MISSING] = { "row-missing", "no .row beside the trace",
                               "harmless: it only names rows", ".row", .damage = false },
    [PRV_FIND_ROW_DAMAGED] = { "row-damaged", "line of the .row that cannot be understood",
                               "write the .row again; it only names rows", ".row",
                               .damage = false },
    [PRV_FIND_ROW_SIZE] = { "row-size", "the .row names another number of objects",
                            "use the .row of this run: rows are named wrongly", ".row",
                            .damage = false },
};

void prv_finding_add(struct prv_check_result *out, enum prv_finding_kind kind, uint64_t line,
                     const char *format, ...)
{
    va_list args;

    va_start(args, format);
    prvcut_finding_add(&out->finding[kind], line, format, args);
    va_end(args);
    out->damaged = out->damaged || prv_finding_infos[kind].damage;
}

void prv_findings_tell(struct prvcut_findings *out, const struct prv_check_result *r)
{
    for (int k = 0; k < PRV_FINDINGS; k++)
        if (r->finding[k].count > 0) {
            out->at[out->count] = r->finding[k];
            prvcut_finding_is(&out->at[out->count++], &prv_finding_infos[k], true);
        }
    out->damaged = r->damaged;
    prvcut_findings_count(out, &r->counts);
}
