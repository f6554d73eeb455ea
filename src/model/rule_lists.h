#ifndef PRVCUT_MODEL_RULE_LISTS_H
#define PRVCUT_MODEL_RULE_LISTS_H

#include "model/rules.h"

/** Where names are looked up. */
struct prvcut_rule_names {
    const struct prvcut_rule_labels *labels;
    struct prvcut_notes *notes; /**< takes names that are not there, where these are no error */
    bool lenient;
};

/** Errors of all: PRVCUT_EUSAGE, naming the item; PRVCUT_ENOMEM. texts may be NULL. */
enum prvcut_status prvcut_list_states(struct prvcut_rule_list *out, const char *const *texts,
                                      const struct prvcut_rule_names *names,
                                      struct prvcut_error *err);
enum prvcut_status prvcut_list_types(struct prvcut_rule_list *out, const char *const *texts,
                                     const struct prvcut_rule_names *names,
                                     struct prvcut_error *err);

/** All types with a value of that name, each with it; the name may hold a comma. Nothing is added
    where nothing is called so. */
enum prvcut_status prvcut_list_values(struct prvcut_rule_list *out, const char *name,
                                      const struct prvcut_rule_labels *labels,
                                      struct prvcut_error *err);

/**
 * Mark the threads that are in both lists; a list that is NULL holds all.
 *
 * shape   thread: [threads], zeroed; names->notes may be NULL where names are lenient: nothing is
 *         told of items that reach beyond the trace's threads
 */
enum prvcut_status prvcut_list_threads(uint8_t *thread, const struct prvcut_objects *objects,
                                       const char *tasks, const char *threads,
                                       const struct prvcut_rule_names *names,
                                       struct prvcut_error *err);

#endif
