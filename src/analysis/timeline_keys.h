#ifndef PRVCUT_ANALYSIS_TIMELINE_KEYS_H
#define PRVCUT_ANALYSIS_TIMELINE_KEYS_H

#include "model/trace.h"

/** What a thread can be in: a state, a call, a region. */
struct tl_key {
    uint32_t type;  /**< event type; of states TL_STATE; TL_OUTSIDE: in no call */
    int64_t value;  /**< of the type; TL_ANY: all that have no name */
    char *text;     /**< owned */
    int32_t colour; /**< -1: the trace and Extrae give none */
};

#define TL_STATE   UINT32_MAX
#define TL_OUTSIDE (UINT32_MAX - 1)
#define TL_ANY     INT64_MIN

/** All of one kind, ascending (type, value); zeroed is empty. */
struct tl_keys {
    struct tl_key *at; /**< [count]; owned */
    size_t count, room;
};

/** The states of a trace. */
enum prvcut_status tl_keys_states(struct tl_keys *k, const struct prvcut_dictionary *d,
                                  struct prvcut_error *err);

/** Its calls and regions, and to be in none; listed: there are none but those that the dictionary
    names, as in archives, so that there are few and one reading will do. */
enum prvcut_status tl_keys_calls(struct tl_keys *k, const struct prvcut_dictionary *d, bool listed,
                                 struct prvcut_error *err);

/** Index of a key; k->count: it is none of them. */
size_t tl_keys_find(const struct tl_keys *k, uint32_t type, int64_t value);

void tl_keys_fini(struct tl_keys *k);

#endif
