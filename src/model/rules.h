#ifndef PRVCUT_MODEL_RULES_H
#define PRVCUT_MODEL_RULES_H

#include "model/dictionary.h"
#include "model/objects.h"
#include "prvcut/filter.h"

/** A number and what it is called. */
struct prvcut_rule_label {
    int64_t number;
    const char *text;
};

/** Where a trace's labels are looked up, wherever the format keeps them; borrowed. */
struct prvcut_rule_labels {
    const void *ctx;
    size_t states, types;
    struct prvcut_rule_label (*state)(const void *ctx, size_t i);
    struct prvcut_rule_label (*type)(const void *ctx, size_t i, size_t *values);
    struct prvcut_rule_label (*value)(const void *ctx, size_t type, size_t i);
};

/** Those of a dictionary. */
struct prvcut_rule_labels prvcut_rule_labels_of(const struct prvcut_dictionary *d);

/** Texts for a person, owned. */
struct prvcut_notes {
    char **at;
    size_t count, room;
};

/** Numbers from first to last, with or without a list of values. */
struct prvcut_rule_item {
    uint32_t first, last;
    int64_t *value; /**< owned */
    size_t values;  /**< 0: all */
    bool met;       /**< something of it was there; set by all workers */
};

/** A list of a filter; not given: it has no say. */
struct prvcut_rule_list {
    struct prvcut_rule_item *at;
    size_t count, room;
    bool given;
};

/** Does a list name the number with that value? It counts as met then. */
bool prvcut_rule_list_has(const struct prvcut_rule_list *l, uint32_t number, int64_t value);

void prvcut_rule_list_fini(struct prvcut_rule_list *l);

/** One filter, its names looked up in a trace's labels. */
struct prvcut_rule {
    bool drop_states, drop_events, drop_messages;
    bool lenient; /**< names that the trace does not have are no mistake */
    struct prvcut_rule_list states, states_dropped, events, events_dropped;
    uint64_t min_state_ns, min_message_bytes;
    uint8_t *thread; /**< [threads]: nonzero = kept; NULL: all */
};

/** All filters of a job. */
struct prvcut_rules {
    struct prvcut_rule *at;
    size_t count;
};

/**
 * Look the names of filters up.
 *
 * owns    out is initialised here, released with prvcut_rules_fini, also after a failure
 * errors  PRVCUT_EUSAGE: an item is no number, range or name of the trace, or reaches beyond its
 *         tasks and threads (where names are lenient, a note tells), a list is empty
 */
enum prvcut_status prvcut_rules_init(struct prvcut_rules *out, const struct prvcut_filter *filter,
                                     size_t filters, const struct prvcut_rule_labels *labels,
                                     const struct prvcut_objects *objects,
                                     struct prvcut_notes *notes, struct prvcut_error *err);
void prvcut_rules_fini(struct prvcut_rules *r);

/** Note which numbers of the lists of one filter alone were nowhere in what was read ("trace"). */
enum prvcut_status prvcut_rules_tell_unmet(const struct prvcut_rules *r, const char *read,
                                           struct prvcut_notes *notes, struct prvcut_error *err);

/** What a copy that was filtered is told as: notes and files; both are its own then. */
void prvcut_rules_hand_over(struct prvcut_filter_summary *out, const struct prvcut_notes *notes,
                            const struct prvcut_cut_summary *copy);

bool prvcut_rules_keep_state(const struct prvcut_rules *r, const struct prvcut_state *s);
bool prvcut_rules_keep_message(const struct prvcut_rules *r, const struct prvcut_message *m);

/** Of all pairs of a type, whatever their values. */
enum prvcut_rule_reach { PRVCUT_RULES_ALL, PRVCUT_RULES_NONE, PRVCUT_RULES_SOME };
enum prvcut_rule_reach prvcut_rules_reach(const struct prvcut_rules *r, uint32_t type);

/** Does anything of the thread stay, but messages that another one sends or receives? */
bool prvcut_rules_keep_thread(const struct prvcut_rules *r, uint32_t thread);

/** Do all events go, or all messages; are there lists of events to be kept, rules about states? */
bool prvcut_rules_drop_events(const struct prvcut_rules *r);
bool prvcut_rules_drop_messages(const struct prvcut_rules *r);
bool prvcut_rules_list_events(const struct prvcut_rules *r);
bool prvcut_rules_ask_states(const struct prvcut_rules *r);

struct prvcut_trace;

/**
 * Of archives, which record begins and ends of calls, and no states: refuse what cannot be chosen
 * there. *collectives: what tells of them stays.
 *
 * errors  PRVCUT_EUSAGE: states, the ends of calls alone, a part of a collective's record
 */
enum prvcut_status prvcut_rules_suit_archive(const struct prvcut_rules *r,
                                             const struct prvcut_dictionary *d,
                                             const struct prvcut_trace *t, bool *collectives,
                                             struct prvcut_error *err);

/** The same of a counter: all of it stays, or goes. */
enum prvcut_status prvcut_rules_suit_counter(const struct prvcut_rules *r, uint32_t type,
                                             const char *name, bool *stays,
                                             struct prvcut_error *err);

/** A message of which one end may be PRVCUT_NOBODY. */
bool prvcut_rules_keep_between(const struct prvcut_rules *r, uint32_t sender, uint32_t receiver,
                               uint64_t size);

/** Which of the messages' properties decide? */
bool prvcut_rules_ask_sizes(const struct prvcut_rules *r);
bool prvcut_rules_ask_threads(const struct prvcut_rules *r);

/** Can any pair of the thread stay? */
bool prvcut_rules_keep_events(const struct prvcut_rules *r, uint32_t thread);
bool prvcut_rules_keep_pair(const struct prvcut_rules *r, uint32_t type, int64_t value);

/**
 * The tasks of a list ("1-4,7"), whatever their application, mark their threads; what reaches
 * beyond them is nothing.
 *
 * shape   thread: [threads], is added to
 * errors  PRVCUT_EUSAGE
 */
enum prvcut_status prvcut_rules_tasks(uint8_t *thread, const struct prvcut_objects *objects,
                                      const char *list, struct prvcut_error *err);

enum prvcut_status prvcut_notes_add(struct prvcut_notes *n, struct prvcut_error *err,
                                    const char *format, ...) __attribute__((format(printf, 3, 4)));
void prvcut_notes_fini(struct prvcut_notes *n);

/** Add what one thread of an archive kept and lost. */
void prvcut_rules_add_up(struct prvcut_filter_summary *sum,
                         const struct prvcut_filter_summary *more);

#endif
