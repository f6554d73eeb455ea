#ifndef PRVCUT_PARAVER_CHECK_H
#define PRVCUT_PARAVER_CHECK_H

#include "model/trace.h"

/** Kinds of findings, in the order in which they are reported. */
enum prv_finding_kind {
    PRV_FIND_COMMUNICATOR_COUNT, /**< other number of communicator lines than the header promises */
    PRV_FIND_COMMUNICATOR_UNCOUNTED, /**< communicator lines that the header does not count */
    PRV_FIND_COMMUNICATOR_LATE,      /**< communicator line behind the first record */
    PRV_FIND_DURATION,               /**< header's duration is later than the last time */
    PRV_FIND_NO_RECORDS,
    PRV_FIND_STREAM,              /**< the compressed stream is damaged or cut short */
    PRV_FIND_COMMUNICATOR_MEMBER, /**< as PRVCUT_BENT_COMMUNICATOR */
    PRV_FIND_TASK_NODE,           /**< as PRVCUT_BENT_NODE */
    PRV_FIND_UNKNOWN_RECORD,      /**< line begins with another character than a record */
    PRV_FIND_RESERVED_RECORD,     /**< record of type 4, which Paraver skips */
    PRV_FIND_MALFORMED,           /**< a field is missing or no number */
    PRV_FIND_NUMBER_RANGE,        /**< number beyond what its field can hold */
    PRV_FIND_NUMBER_FORM,         /**< blanks or a '+' at a number */
    PRV_FIND_VALUE_UNSIGNED,      /**< value, size or tag of 2^63 to 2^64 - 1 */
    PRV_FIND_LINE_LENGTH,         /**< longer than PRV_LINE_MAX; its content was not looked at */
    PRV_FIND_EXTRA_FIELDS,        /**< more fields than the record has */
    PRV_FIND_OBJECT,              /**< application, task or thread that the header does not have */
    PRV_FIND_CPU,                 /**< cpu beyond the header's, or on another node than the task */
    PRV_FIND_TIME_NEGATIVE,       /**< a time before 0 */
    PRV_FIND_TIME_BEYOND_END,     /**< a time after the header's duration */
    PRV_FIND_MESSAGE_HALF,        /**< message with an end before 0 or after the duration */
    PRV_FIND_MESSAGE_LOGICAL,     /**< physical time of a message before its logical one */
    PRV_FIND_MESSAGE_BACKWARD,    /**< received before it was sent */
    PRV_FIND_STATE_BACKWARD,      /**< state that ends before it begins */
    PRV_FIND_STATE_EMPTY,         /**< state without length */
    PRV_FIND_STATE_UNFINISHED,    /**< state with end -1 */
    PRV_FIND_STATE_OVERLAP,       /**< state that begins before the thread's previous one ends */
    PRV_FIND_ORDER,               /**< record that stands later than its time says */
    PRV_FIND_CALL_NOT_OPEN,       /**< MPI call or flush that ends without having begun */
    PRV_FIND_CALL_REOPENED,       /**< begins while the thread is inside one of the same type */
    PRV_FIND_CALL_UNFINISHED,     /**< still open at the end of the trace */
    PRV_FIND_REGION_NOT_OPEN,     /**< as above, for user and OpenMP regions */
    PRV_FIND_REGION_UNFINISHED,   /**< as above, for user and OpenMP regions */
    PRV_FIND_TYPE_UNLABELLED,  /**< event type that the .pcf does not list; counted once a type */
    PRV_FIND_STATE_UNLABELLED, /**< state that the .pcf does not list; counted once a state */
    PRV_FIND_CRLF,             /**< lines that end in CR LF */
    PRV_FIND_LAST_LINE,        /**< no line end behind the last line: it may be cut short */
    PRV_FIND_LAST_LINE_END,    /**< no line end behind it, but it is whole */
    PRV_FIND_PCF_MISSING,
    PRV_FIND_PCF_DAMAGED,
    PRV_FIND_PCF_CRLF, /**< Paraver itself finds no label in such a .pcf */
    PRV_FIND_ROW_MISSING,
    PRV_FIND_ROW_DAMAGED,
    PRV_FIND_ROW_SIZE, /**< .row names more or fewer objects than the header has */
    PRV_FINDINGS
};

/** What is always true of each; lines are of the .prv, or of the .pcf or .row that it is about. */
extern const struct prvcut_finding_kind prv_finding_infos[PRV_FINDINGS];

/** Outcome of a check: plain values, nothing to release. */
struct prv_check_result {
    struct prvcut_finding finding[PRV_FINDINGS]; /**< without what their kinds know */
    struct prvcut_counts counts;                 /**< unsorted and beyond_end: see the findings */
    bool damaged;                                /**< a finding of a damaging kind */
};

/**
 * Read a whole trace, exactly and in order, and note what is wrong with it.
 *
 * shape   works on streams; memory grows with threads and the calls they use, not with the trace
 * errors  those of prv_header_read and prv_labels_read, PRVCUT_EIO, PRVCUT_ENOMEM,
 *         PRVCUT_EINTERRUPTED; never for damage behind the header, which is found and passed over
 */
enum prvcut_status prv_check(struct prv_check_result *out, const char *path,
                             const struct prvcut_open_options *options,
                             const struct prvcut_run *run, struct prvcut_error *err);

/** The same of a source that is at its start. owns: the source, also on failure */
enum prvcut_status prv_check_source(struct prv_check_result *out, struct prvcut_source *source,
                                    const struct prvcut_open_options *options,
                                    const struct prvcut_run *run, struct prvcut_error *err);

/** The same in the model's terms: the reader's check. */
enum prvcut_status prv_check_findings(struct prvcut_findings *out, struct prvcut_source *source,
                                      const struct prvcut_open_options *options,
                                      const struct prvcut_run *run, struct prvcut_error *err);

/** What was found, in the model's terms (findings.c). shape: out->at has room for all kinds */
void prv_findings_tell(struct prvcut_findings *out, const struct prv_check_result *r);

/** Note a finding on a line; the text is kept of the first one. */
void prv_finding_add(struct prv_check_result *out, enum prv_finding_kind kind, uint64_t line,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
