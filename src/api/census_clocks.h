#ifndef PRVCUT_API_CENSUS_CLOCKS_H
#define PRVCUT_API_CENSUS_CLOCKS_H

#include "api/census.h"

/*
 * What messages and collectives say of the clocks, over the whole run. The k-th message of a
 * channel, and the k-th collective of a communicator, is compared at all its ends. Of long runs
 * only every 2nd, 4th, ... one is kept, so that memory does not grow with the trace.
 */

/** Times of one end of a channel, or of one process's part in a communicator's collectives. */
struct clocks_side {
    uint32_t thread, peer; /**< peer PRVCUT_NOBODY: collectives */
    uint32_t communicator;
    unsigned what; /**< see census_clocks.c */
    int64_t tag;
    uint64_t all;   /**< in all parts */
    uint64_t count; /**< of the parts whose times are kept */
    uint64_t *at;   /**< [kept] those of k << shift; owned */
    size_t kept, room;
    unsigned shift;
};

/** Times of all sides. */
struct clocks_table {
    struct prvcut_table side; /**< of clocks_side, by all before `all` */
    size_t kept;              /**< times of all sides */
    unsigned shift;
};

/** A collective under way. */
struct clocks_call {
    uint64_t begin;
    uint32_t communicator;
    bool open, all; /**< all: nobody ends before everybody has begun */
};

/** What a part leaves behind. */
struct clocks_part {
    struct clocks_table table;
    struct clocks_call *call; /**< [threads] */
    uint32_t threads;
};

/** Without any side. */
struct clocks_table clocks_table(void);

/** errors: PRVCUT_ENOMEM; p->table is the caller's clocks_table() */
enum prvcut_status clocks_part_init(struct clocks_part *p, uint32_t threads,
                                    struct prvcut_error *err);
/** Of these roles; others mean nothing here. */
#define CLOCKS_ROLES                                                                               \
    (PRVCUT_ROLE_BIT(PRVCUT_ROLE_COLLECTIVE) | PRVCUT_ROLE_BIT(PRVCUT_ROLE_COMMUNICATOR))
enum prvcut_status clocks_event(struct clocks_part *p, const struct prvcut_event *e,
                                struct prvcut_error *err);
enum prvcut_status clocks_half(struct clocks_part *p, const struct prvcut_half *h,
                               struct prvcut_error *err);
void clocks_part_empty(struct clocks_part *p);
void clocks_part_fini(struct clocks_part *p);

/** Parts in the order of the input; a part's times pass to the whole. */
enum prvcut_status clocks_join(struct clocks_table *all, struct clocks_part *p,
                               struct prvcut_error *err);

/** Compare. errors: PRVCUT_ENOMEM */
enum prvcut_status clocks_end(struct clocks_table *all, struct census_clocks *out,
                              struct prvcut_error *err);

/** Count the messages that have only one end. errors: PRVCUT_ENOMEM */
enum prvcut_status clocks_lone(const struct clocks_table *all, const struct prvcut_objects *o,
                               struct census_messages *out, struct prvcut_error *err);
void clocks_table_fini(struct clocks_table *t);

#endif
