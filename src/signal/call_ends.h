#ifndef PRVCUT_SIGNAL_CALL_ENDS_H
#define PRVCUT_SIGNAL_CALL_ENDS_H

#include "signal/calls.h"

/**
 * Join the ends of messages before a time into the calls that they belong to; the calls are in the
 * order of time. A send belongs to the call that begins then. So does a receive, if that call can
 * complete one; else, as where a message arrives while something else goes on, to the next call
 * that can. What has no such call yet waits; at the end (last) it belongs where it arrives.
 */
void prvcut_call_ends_join(struct prvcut_call_list *l, uint64_t before, bool last);

#endif
