#ifndef PRVCUT_PARAVER_FILTER_LISTS_H
#define PRVCUT_PARAVER_FILTER_LISTS_H

#include "paraver/filter_rules.h"

/** Where names are looked up. */
struct prv_names {
    const struct prv_labels *labels;
    struct prv_notes *notes; /**< takes names that are not there, where these are no error */
    bool lenient;
};

/** Errors of all: PRVCUT_EUSAGE, naming the item; PRVCUT_ENOMEM. texts may be NULL. */
enum prvcut_status prv_list_states(struct prv_rule_list *out, const char *const *texts,
                                   const struct prv_names *names, struct prvcut_error *err);
enum prvcut_status prv_list_types(struct prv_rule_list *out, const char *const *texts,
                                  const struct prv_names *names, struct prvcut_error *err);

/**
 * Mark the threads that are in both lists; a list that is NULL holds all.
 *
 * shape   thread: [threads], zeroed; names->notes may be NULL where names are lenient: nothing is
 *         told of items that reach beyond the trace's threads
 */
enum prvcut_status prv_list_threads(uint8_t *thread, const struct prv_header *header,
                                    const char *tasks, const char *threads,
                                    const struct prv_names *names, struct prvcut_error *err);

#endif
