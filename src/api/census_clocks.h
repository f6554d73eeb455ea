#ifndef PRVCUT_API_CENSUS_CLOCKS_H
#define PRVCUT_API_CENSUS_CLOCKS_H

#include "api/census.h"
#include "match/sampled.h"

/*
 * What messages and collectives say of the clocks, over the whole run: what belongs together, and
 * how much of it is kept, src/stream/sampled.h says.
 */

/** A collective under way. */
struct clocks_call {
    uint64_t begin;
    uint32_t communicator;
    bool open, all; /**< all: nobody ends before everybody has begun */
};

/** What a part leaves behind. */
struct clocks_part {
    struct prvcut_samples samples;
    struct clocks_call *call; /**< [threads] */
    uint32_t threads;
};

/** errors: PRVCUT_ENOMEM; p->samples is the caller's prvcut_samples_none() */
enum prvcut_status clocks_part_init(struct clocks_part *p, uint32_t threads,
                                    struct prvcut_error *err);
/** Of these roles; others mean nothing here. */
#define CLOCKS_ROLES                                                                               \
    (PRVCUT_ROLE_BIT(PRVCUT_ROLE_COLLECTIVE) | PRVCUT_ROLE_BIT(PRVCUT_ROLE_COMMUNICATOR))
enum prvcut_status clocks_event(struct clocks_part *p, const struct prvcut_event *e,
                                struct prvcut_error *err);
void clocks_part_empty(struct clocks_part *p);
void clocks_part_fini(struct clocks_part *p);

/** Compare. errors: PRVCUT_ENOMEM */
enum prvcut_status clocks_end(const struct prvcut_samples *all, struct census_clocks *out,
                              struct prvcut_error *err);

/** Count the messages that have only one end. errors: PRVCUT_ENOMEM */
enum prvcut_status clocks_lone(const struct prvcut_samples *all, const struct prvcut_objects *o,
                               struct census_messages *out, struct prvcut_error *err);

#endif
