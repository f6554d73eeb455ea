#ifndef PRVCUT_SIGNAL_CALL_TAGS_H
#define PRVCUT_SIGNAL_CALL_TAGS_H

#include "signal/calls.h"

/**
 * Take the tags out of the partners of calls whose tags go round: where a program gives each
 * iteration's messages another tag, these tell iterations apart that are alike, and the calls
 * before them do not tell which one comes.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_call_tags_drop(struct prvcut_call *at, size_t count,
                                         struct prvcut_error *err);

/** A message's partner and tag, to be added up; the partner alone is in the lower half. */
static inline uint32_t prvcut_call_peer(uint32_t partner, uint32_t both)
{
    return (partner & 0xffffu) | (both & 0xffff0000u);
}

#endif
