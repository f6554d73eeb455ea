#ifndef PRVCUT_MODEL_RULE_SENDS_H
#define PRVCUT_MODEL_RULE_SENDS_H

#include "base/table.h"

/*
 * Which sends stay, where a format records the two ends of a message apart. Both ends stay or go by
 * what the send tells, because a receive may tell how much it has room for.
 */

/** A channel, by threads. */
struct prvcut_sends_key {
    uint64_t tag;
    uint32_t from, to, communicator, zero; /**< zero: 0 */
};

/** So many sends in a row stay, or go. */
struct prvcut_sends_run {
    uint64_t end; /**< number behind the last one */
    bool stays;
};

struct prvcut_sends_channel {
    struct prvcut_sends_key key;
    size_t runs, room;
    struct prvcut_sends_run *run; /**< [runs]; owned */
};

/** Channels of one thread or of many; made by prvcut_sends_init. */
struct prvcut_sends {
    struct prvcut_table channels; /**< of struct prvcut_sends_channel */
};

void prvcut_sends_init(struct prvcut_sends *s);
void prvcut_sends_fini(struct prvcut_sends *s);

/** The channel's next `count` sends. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_sends_note(struct prvcut_sends *s, const struct prvcut_sends_key *key,
                                     uint64_t count, bool stays, struct prvcut_error *err);

/** Those of another table come behind; it is empty then. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_sends_move(struct prvcut_sends *to, struct prvcut_sends *from,
                                     struct prvcut_error *err);

/** Does the channel's send of that number stay? `else_`: what is said where none was noted. */
bool prvcut_sends_stays(const struct prvcut_sends *s, const struct prvcut_sends_key *key,
                        uint64_t number, bool else_);

#endif
