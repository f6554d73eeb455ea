#ifndef PRVCUT_PARAVER_FILTER_RULES_H
#define PRVCUT_PARAVER_FILTER_RULES_H

#include "paraver/labels.h"
#include "prvcut/filter.h"

struct prv_header;

/** Texts for a person, owned. */
struct prv_notes {
    char **at;
    size_t count, room;
};

/** Numbers from first to last, with or without a list of values. */
struct prv_rule_item {
    uint32_t first, last;
    int64_t *value; /**< owned */
    size_t values;  /**< 0: all */
    bool met;       /**< something of it was there; set by all workers */
};

/** A list of a filter; not given: it has no say. */
struct prv_rule_list {
    struct prv_rule_item *at;
    size_t count, room;
    bool given;
};

/** One filter, its names looked up in a trace's labels. */
struct prv_rule {
    bool drop_states, drop_events, drop_messages;
    bool lenient; /**< names that the trace does not have are no mistake */
    struct prv_rule_list states, states_dropped, events, events_dropped;
    uint64_t min_state_ns, min_message_bytes;
    uint8_t *thread; /**< [threads]: nonzero = kept; NULL: all */
};

/** All filters of a job. */
struct prv_rules {
    struct prv_rule *at;
    size_t count;
};

/**
 * Look the names of filters up.
 *
 * owns    out is initialised here, released with prv_rules_fini, also after a failure
 * errors  PRVCUT_EUSAGE: an item is no number, range or name of the trace, or reaches beyond its
 *         tasks and threads (where names are lenient, a note tells), a list is empty
 */
enum prvcut_status prv_rules_init(struct prv_rules *out, const struct prvcut_filter *filter,
                                  size_t filters, const struct prv_labels *labels,
                                  const struct prv_header *header, struct prv_notes *notes,
                                  struct prvcut_error *err);
void prv_rules_fini(struct prv_rules *r);

/** Note which numbers of the lists of one filter alone were nowhere in what was read ("trace"). */
enum prvcut_status prv_rules_tell_unmet(const struct prv_rules *r, const char *read,
                                        struct prv_notes *notes, struct prvcut_error *err);

bool prv_rules_keep_state(const struct prv_rules *r, const struct prvcut_state *s);
bool prv_rules_keep_message(const struct prv_rules *r, const struct prvcut_message *m);

/** Can any pair of the thread stay? */
bool prv_rules_keep_events(const struct prv_rules *r, uint32_t thread);
bool prv_rules_keep_pair(const struct prv_rules *r, uint32_t type, int64_t value);

/**
 * The tasks of a list ("1-4,7"), whatever their application, mark their threads; what reaches
 * beyond them is nothing.
 *
 * shape   thread: [threads], is added to
 * errors  PRVCUT_EUSAGE
 */
enum prvcut_status prv_rules_tasks(uint8_t *thread, const struct prv_header *header,
                                   const char *list, struct prvcut_error *err);

enum prvcut_status prv_notes_add(struct prv_notes *n, struct prvcut_error *err, const char *format,
                                 ...) __attribute__((format(printf, 3, 4)));
void prv_notes_fini(struct prv_notes *n);

#endif
