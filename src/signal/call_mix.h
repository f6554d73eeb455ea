#ifndef PRVCUT_SIGNAL_CALL_MIX_H
#define PRVCUT_SIGNAL_CALL_MIX_H

#include <stdint.h>

/** Well mixed, never 0: what the hashes are sums of, so that their order is of no matter. */
uint32_t prvcut_call_mix(uint64_t a, uint64_t b);

#endif
