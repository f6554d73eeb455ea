#ifndef PRVCUT_PARAVER_FILTER_H
#define PRVCUT_PARAVER_FILTER_H

#include "model/rules.h"
#include "paraver/paraver.h"

/** Where rules look names up; borrowed. */
struct prvcut_rule_labels prv_rule_labels(const struct prv_labels *labels);

/** Look the names of the options' filters up in the trace. */
enum prvcut_status prv_filter_check(const struct prvcut_trace *t,
                                    const struct prvcut_cut_options *options,
                                    struct prvcut_error *err);

/** What a filter did to a text. */
struct prv_filtered {
    uint64_t states, events, pairs, messages; /**< kept */
    uint64_t dropped_states, dropped_events, dropped_pairs, dropped_messages;
    uint64_t skipped; /**< damaged lines, of a lenient trace */
    uint64_t lines;   /**< read */
};

/**
 * Append the lines of a text that all rules keep; whatever is no record is kept as it is.
 *
 * shape   text: whole lines, the last one ends with '\n'; done is added to
 * errors  PRVCUT_EFORMAT with the line, counted from 1 in the text
 */
enum prvcut_status prv_filter_text(const struct prvcut_rules *rules,
                                   const struct prv_parse_plan *plan, const struct prv_text *text,
                                   struct prvcut_buffer *to, struct prv_filtered *done,
                                   struct prvcut_error *err);

/** Sum of both into a. */
void prv_filtered_add(struct prv_filtered *a, const struct prv_filtered *b);

/** See prvcut_filter_trace. */
enum prvcut_status prv_filter_trace(struct prvcut_trace *t, const struct prvcut_run *run,
                                    const struct prvcut_cut_options *options,
                                    struct prvcut_filter_summary *out, struct prvcut_error *err);

#endif
