#ifndef PRVCUT_PARAVER_CHECK_RECORDS_H
#define PRVCUT_PARAVER_CHECK_RECORDS_H

#include "base/table.h"
#include "paraver/check.h"
#include "paraver/header.h"
#include "paraver/labels.h"

/** Where one thread stands: its latest state, in ticks. */
struct prv_check_thread {
    uint64_t begin, end;
};

/** A type of event on one thread, or an unlabelled number that was seen. */
struct prv_check_call {
    uint32_t thread, number; /**< the key of a table of them */
    uint64_t line;           /**< of the latest opening */
    uint32_t depth;          /**< openings without an end */
    bool strict;             /**< cannot nest: an MPI call or a flush */
    bool closed;             /**< the latest event was an end */
};

/** What an event type means; a cache in front of the labels. */
struct prv_check_type {
    uint32_t number;
    bool valid, region, strict;
};

#define PRV_CHECK_TYPES 256

/** State of a check, fed with one line after the other. */
struct prv_checker {
    struct prv_check_result *out;
    const struct prv_header *header;
    const struct prv_labels *labels;
    uint64_t line;                   /**< number of the present line */
    uint64_t latest;                 /**< latest sort key so far, ticks */
    uint64_t first, last;            /**< earliest and latest time, ticks */
    bool records;                    /**< at least one was understood */
    uint32_t *node_cpu;              /**< [nodes + 1]: cpus before a node */
    struct prv_check_thread *thread; /**< [threads] */
    struct prvcut_table call;        /**< of prv_check_call */
    unsigned unlabelled;             /**< numbers without a label that were kept */
    struct prv_check_type type[PRV_CHECK_TYPES];
    struct prvcut_error *err;
};

enum prvcut_status prv_checker_init(struct prv_checker *c, struct prv_check_result *out,
                                    const struct prv_header *header,
                                    const struct prv_labels *labels, struct prvcut_error *err);

/** Judge one line of the body. Errors: PRVCUT_ENOMEM. */
enum prvcut_status prv_checker_line(struct prv_checker *c, const char *at, const char *end);

/** Judge what is left over at the end of the trace. Errors: PRVCUT_ENOMEM. */
enum prvcut_status prv_checker_end(struct prv_checker *c);

void prv_checker_fini(struct prv_checker *c);

#endif
