#include "paraver/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Static_assert(PRVCUT_FINDING_LINES == PRV_FINDING_LINES, "lines of a finding");

#define CUT_SHORT "the file was cut short or never finished: copy or write it again"
#define REWRITE   "write the trace again with the tool that made it, or drop the line"
#define LENIENT   "--lenient skips such records and counts them"

const struct prv_finding_info prv_finding_infos[PRV_FINDINGS] = {
    [PRV_FIND_COMMUNICATOR_COUNT] = { "communicator-count",
                                      "the header promises another number of communicators",
                                      false },
    [PRV_FIND_COMMUNICATOR_UNCOUNTED] = { "communicator-uncounted",
                                          "the header does not count its communicators", false },
    [PRV_FIND_COMMUNICATOR_LATE] = { "communicator-late",
                                     "communicator defined after the first record", false },
    [PRV_FIND_DURATION] = { "duration", "the header's duration is later than the last record",
                            false },
    [PRV_FIND_NO_RECORDS] = { "no-records", "the trace holds no record", false },
    [PRV_FIND_STREAM] = { "stream", "the compressed file is damaged or cut short", true },
    [PRV_FIND_COMMUNICATOR_MEMBER] = { "communicator-member",
                                       "communicator with members that do not exist", false },
    [PRV_FIND_TASK_NODE] = { "task-node", "task on a node that the header does not have", false },
    [PRV_FIND_UNKNOWN_RECORD] = { "unknown-record", "line that is no record", true },
    [PRV_FIND_RESERVED_RECORD] = { "reserved-record", "record of type 4", false },
    [PRV_FIND_MALFORMED] = { "malformed", "record with a field that is missing or no number",
                             true },
    [PRV_FIND_NUMBER_RANGE] = { "number-range", "number that its field cannot hold", true },
    [PRV_FIND_NUMBER_FORM] = { "number-form", "number with blanks or a '+' around it", false },
    [PRV_FIND_VALUE_UNSIGNED] = { "value-unsigned", "number of 2^63 or more", false },
    [PRV_FIND_LINE_LENGTH] = { "line-length", "line too long to be read", true },
    [PRV_FIND_EXTRA_FIELDS] = { "extra-fields", "record with more fields than it has", false },
    [PRV_FIND_OBJECT] = { "object", "record of a thread that the header does not have", true },
    [PRV_FIND_CPU] = { "cpu", "record on a cpu that is not one of its task's node", false },
    [PRV_FIND_TIME_NEGATIVE] = { "time-negative", "time before 0", true },
    [PRV_FIND_TIME_BEYOND_END] = { "time-beyond-end", "time after the header's duration", false },
    [PRV_FIND_MESSAGE_HALF] = { "message-half", "message with only one end inside the trace",
                                false },
    [PRV_FIND_MESSAGE_LOGICAL] = { "message-logical",
                                   "message whose transfer begins before its call", false },
    [PRV_FIND_MESSAGE_BACKWARD] = { "message-backward", "message received before it was sent",
                                    false },
    [PRV_FIND_STATE_BACKWARD] = { "state-backward", "state that ends before it begins", false },
    [PRV_FIND_STATE_EMPTY] = { "state-empty", "state without length", false },
    [PRV_FIND_STATE_UNFINISHED] = { "state-unfinished", "state without an end", false },
    [PRV_FIND_STATE_OVERLAP] = { "state-overlap", "states of one thread overlap", false },
    [PRV_FIND_ORDER] = { "order", "record that is not in order of time", false },
    [PRV_FIND_CALL_NOT_OPEN] = { "call-not-open", "MPI call or flush that ends without a begin",
                                 false },
    [PRV_FIND_CALL_REOPENED] = { "call-reopened", "MPI call or flush that begins inside another",
                                 false },
    [PRV_FIND_CALL_UNFINISHED] = { "call-unfinished", "MPI call or flush without an end", false },
    [PRV_FIND_REGION_NOT_OPEN] = { "region-not-open", "region that ends without a begin", false },
    [PRV_FIND_REGION_UNFINISHED] = { "region-unfinished", "region without an end", false },
    [PRV_FIND_TYPE_UNLABELLED] = { "type-unlabelled", "event type that the .pcf does not list",
                                   false },
    [PRV_FIND_STATE_UNLABELLED] = { "state-unlabelled", "state that the .pcf does not list",
                                    false },
    [PRV_FIND_CRLF] = { "crlf", "line that ends in CR LF", false },
    [PRV_FIND_LAST_LINE] = { "last-line", "the last line has no line end: it may be cut short",
                             true },
    [PRV_FIND_LAST_LINE_END] = { "last-line-end", "the last line has no line end", false },
    [PRV_FIND_PCF_MISSING] = { "pcf-missing", "no .pcf beside the trace", false },
    [PRV_FIND_PCF_DAMAGED] = { "pcf-damaged", "line of the .pcf that cannot be understood", false },
    [PRV_FIND_PCF_CRLF] = { "pcf-crlf", "the .pcf's lines end in CR LF: Paraver finds no label",
                            false },
    [PRV_FIND_ROW_MISSING] = { "row-missing", "no .row beside the trace", false },
    [PRV_FIND_ROW_DAMAGED] = { "row-damaged", "line of the .row that cannot be understood", false },
    [PRV_FIND_ROW_SIZE] = { "row-size", "the .row names another number of objects", false },
};

void prv_finding_add(struct prv_check_result *out, enum prv_finding_kind kind, uint64_t line,
                     const char *format, ...)
{
    struct prv_finding *f = &out->finding[kind];

    if (line > 0 && f->lines < PRV_FINDING_LINES &&
        (f->lines == 0 || f->line[f->lines - 1] != line))
        f->line[f->lines++] = line;
    if (f->count++ == 0) {
        char text[sizeof f->example];
        va_list args;

        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        prvcut_quote(f->example, sizeof f->example, text, strlen(text));
    }
    out->damaged = out->damaged || prv_finding_infos[kind].damage;
}

/* What can be done about each kind. */
static const char *const advices[PRV_FINDINGS] = {
    [PRV_FIND_COMMUNICATOR_COUNT] =
        "Paraver refuses such a trace: correct the last number of the header line",
    [PRV_FIND_COMMUNICATOR_UNCOUNTED] = "harmless: they are read all the same",
    [PRV_FIND_COMMUNICATOR_LATE] = "move it up to the header line, where Paraver looks for it",
    [PRV_FIND_DURATION] = "harmless, unless the end of the trace was lost",
    [PRV_FIND_NO_RECORDS] = CUT_SHORT,
    [PRV_FIND_STREAM] = CUT_SHORT,
    [PRV_FIND_COMMUNICATOR_MEMBER] =
        "harmless: the others are used; traces merged from several have such lines",
    [PRV_FIND_TASK_NODE] = "correct the node list of the header line; node 1 is taken",
    [PRV_FIND_UNKNOWN_RECORD] = LENIENT,
    [PRV_FIND_RESERVED_RECORD] = "harmless: it is skipped",
    [PRV_FIND_MALFORMED] = LENIENT,
    [PRV_FIND_NUMBER_RANGE] = LENIENT,
    [PRV_FIND_NUMBER_FORM] = "harmless here; Paraver reads such a number wrongly",
    [PRV_FIND_VALUE_UNSIGNED] = "harmless: read as a signed number (less by 2^64), as in Paraver",
    [PRV_FIND_LINE_LENGTH] = REWRITE,
    [PRV_FIND_EXTRA_FIELDS] = "harmless: they are skipped",
    [PRV_FIND_OBJECT] =
        ("the header is of another run, or the record is damaged; --lenient skips it"),
    [PRV_FIND_CPU] =
        "harmless here; Paraver drops such records: correct the node list of the header line",
    [PRV_FIND_TIME_NEGATIVE] = LENIENT,
    [PRV_FIND_TIME_BEYOND_END] = "harmless: the run is taken to be that much longer",
    [PRV_FIND_MESSAGE_HALF] = "harmless: the run is taken to be that much longer",
    [PRV_FIND_MESSAGE_LOGICAL] = "harmless: traced codes do this",
    [PRV_FIND_MESSAGE_BACKWARD] = "the clocks of the nodes differ: do not trust times of messages",
    [PRV_FIND_STATE_BACKWARD] = "harmless: it is taken to have no length",
    [PRV_FIND_STATE_EMPTY] = "harmless: it takes no time",
    [PRV_FIND_STATE_UNFINISHED] = "harmless, if the run was killed; its time is not counted",
    [PRV_FIND_STATE_OVERLAP] = "times in states count twice there: merge the trace again",
    [PRV_FIND_ORDER] = "harmless here, but Paraver expects a trace sorted by time",
    [PRV_FIND_CALL_NOT_OPEN] = "the trace begins inside the call, or records were lost",
    [PRV_FIND_CALL_REOPENED] = "an end was lost: do not trust times in calls there",
    [PRV_FIND_CALL_UNFINISHED] = "the trace ends inside the call, or records were lost",
    [PRV_FIND_REGION_NOT_OPEN] = "harmless, if the trace begins inside the region",
    [PRV_FIND_REGION_UNFINISHED] = "harmless, if the trace ends inside the region",
    [PRV_FIND_TYPE_UNLABELLED] = "add it to the .pcf, or give its role with --role",
    [PRV_FIND_STATE_UNLABELLED] = "add it to the .pcf",
    [PRV_FIND_CRLF] = "harmless here, but other tools may stumble: convert the line ends",
    [PRV_FIND_LAST_LINE] =
        "copy or write the trace again; if the line is whole, end it: echo >>FILE",
    [PRV_FIND_LAST_LINE_END] = "harmless: the line is whole",
    [PRV_FIND_PCF_MISSING] = "put it beside the trace",
    [PRV_FIND_PCF_DAMAGED] = "the other lines are used; write the .pcf again",
    [PRV_FIND_PCF_CRLF] = "convert its line ends",
    [PRV_FIND_ROW_MISSING] = "harmless: it only names rows",
    [PRV_FIND_ROW_DAMAGED] = "write the .row again; it only names rows",
    [PRV_FIND_ROW_SIZE] = "use the .row of this run: rows are named wrongly",
};

/* Writers are known to do these, and no answer suffers. */
static const bool habits[PRV_FINDINGS] = {
    [PRV_FIND_COMMUNICATOR_UNCOUNTED] = true, [PRV_FIND_COMMUNICATOR_MEMBER] = true,
    [PRV_FIND_RESERVED_RECORD] = true,        [PRV_FIND_VALUE_UNSIGNED] = true,
    [PRV_FIND_EXTRA_FIELDS] = true,           [PRV_FIND_MESSAGE_LOGICAL] = true,
    [PRV_FIND_STATE_BACKWARD] = true,         [PRV_FIND_STATE_EMPTY] = true,
    [PRV_FIND_LAST_LINE_END] = true,          [PRV_FIND_TIME_BEYOND_END] = true,
};

/* Which file the lines of a kind are of. */
static const char *find_suffix(enum prv_finding_kind kind)
{
    if (kind == PRV_FIND_PCF_MISSING || kind == PRV_FIND_PCF_DAMAGED || kind == PRV_FIND_PCF_CRLF)
        return ".pcf";
    if (kind == PRV_FIND_ROW_MISSING || kind == PRV_FIND_ROW_DAMAGED || kind == PRV_FIND_ROW_SIZE)
        return ".row";
    return ".prv";
}

static void find_translate(struct prvcut_finding *out, const struct prv_finding *f,
                           enum prv_finding_kind kind)
{
    *out = (struct prvcut_finding){ .name = prv_finding_infos[kind].name,
                                    .summary = prv_finding_infos[kind].summary,
                                    .advice = advices[kind],
                                    .file = find_suffix(kind),
                                    .damage = prv_finding_infos[kind].damage,
                                    .habit = habits[kind],
                                    .count = f->count,
                                    .lines = f->lines };
    memcpy(out->line, f->line, sizeof out->line);
    memcpy(out->example, f->example, sizeof out->example);
}

void prv_findings_tell(struct prvcut_findings *out, const struct prv_check_result *r)
{
    for (int k = 0; k < PRV_FINDINGS; k++)
        if (r->finding[k].count > 0)
            find_translate(&out->at[out->count++], &r->finding[k], (enum prv_finding_kind)k);
    out->damaged = r->damaged;
    out->states = r->counts.states;
    out->events = r->counts.events;
    out->pairs = r->counts.pairs;
    out->messages = r->counts.messages;
    out->comments = r->counts.comments;
    out->lines = r->counts.lines;
    out->bytes = r->counts.bytes;
    out->last_ns = r->counts.last_ns;
}
