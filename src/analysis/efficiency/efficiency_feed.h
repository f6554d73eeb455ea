#ifndef PRVCUT_ANALYSIS_EFFICIENCY_EFFICIENCY_FEED_H
#define PRVCUT_ANALYSIS_EFFICIENCY_EFFICIENCY_FEED_H

#include "analysis/efficiency/efficiency.h"
#include "base/rows.h"

/*
 * What workers leave of a part of the input, kind by kind in its order, and what is made of it when
 * the part's turn has come.
 */

enum eff_run_kind { EFF_RUNNING, EFF_WAIT, EFF_OFF, EFF_OTHER };

/** A state; of those that are told from regions one that counts. */
struct eff_run {
    uint64_t begin, end;
    uint32_t thread;
    uint32_t kind;
};

/** A begin or an end of a call or a flush, or a counter's reading. */
struct eff_event {
    uint64_t time;
    int64_t value;
    uint32_t type;
    uint32_t thread : 24;
    uint32_t role : 8;
    uint32_t communicator; /**< PRVCUT_NOBODY: not told */
    uint32_t root;         /**< of a counter: it is the first of its line */
};

/** A thread's first record in a part. */
struct eff_first {
    uint64_t time;
    uint32_t thread;
    uint32_t state; /**< it is a state */
};

struct eff_part {
    struct eff_run *run;
    struct eff_event *event;
    struct prvcut_message *message;
    struct eff_first *first;
    size_t runs, events, messages, firsts;
    size_t run_room, event_room, message_room, first_room;
    size_t line_call;      /**< the line's call among the events, and 1; 0: it has none yet */
    uint32_t communicator; /**< of the line; PRVCUT_NOBODY: none yet */
    bool root;
    bool read; /**< the line has counters */
};

/** What a worker knows. */
struct eff_worker {
    struct prvcut_rows seen, stated;       /**< threads that have a record, a state in the part */
    struct prvcut_efficiency_reach *reach; /**< [threads] */
    const struct prvcut_objects *objects;
    uint32_t *any;     /**< [applications], bits */
    uint32_t *program; /**< [applications], as of prvcut_efficiency_join */
    uint64_t messages;
    uint64_t until; /**< where the replay ends */
};

enum prvcut_status eff_worker_init(struct eff_worker *w, const struct prvcut_objects *objects,
                                   uint64_t until, struct prvcut_error *err);
void eff_worker_fini(struct eff_worker *w);
void eff_worker_begin(struct eff_worker *w);

/** told: states are told from regions. */
enum prvcut_status eff_take(struct eff_worker *w, struct eff_part *p, bool told,
                            const struct prvcut_batch *b, struct prvcut_error *err);
void eff_part_clear(struct eff_part *p);
void eff_part_fini(struct eff_part *p);
void eff_merge(struct prvcut_efficiency_found *f, const struct eff_worker *w);

struct eff_feed;

/** owns: *out is the caller's, released with eff_feed_free, also after a failure. */
enum prvcut_status eff_feed_new(struct eff_feed **out, struct prvcut_efficiency_found *f,
                                struct prvcut_trace *t, const struct prvcut_efficiency_asked *asked,
                                struct prvcut_error *err);
void eff_feed_free(struct eff_feed *f);

/** The next part. */
enum prvcut_status eff_feed_part(struct eff_feed *f, const struct eff_part *p,
                                 struct prvcut_error *err);

/** There are no more, and how far each thread is recorded is known. */
enum prvcut_status eff_feed_end(struct eff_feed *f, struct prvcut_error *err);

#endif
